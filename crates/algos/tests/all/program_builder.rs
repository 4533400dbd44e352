//! Programs that are built are those of their texts: the same inputs, values and results.

use limbforge_algos::program::builder::{After, ProgramBuilder, Value, Values};
use limbforge_algos::program::{Program, ProgramError, ProgramErrorKind};

/// Both as typed programs, for inputs of 256 bits that have no type of their own.
fn same(built: Result<Program, ProgramError>, text: &str) {
    let built = built.unwrap();
    let parsed = Program::parse(text).unwrap();
    let typed = |program: &Program| {
        let open = program.inputs().filter(|(_, ty)| ty.is_none()).map(|(name, _)| name);
        let types: Vec<_> = open.map(|name| (name, "u256".parse().unwrap())).collect();
        program.typed(&types).unwrap_or_else(|error| panic!("{error}\n{program}")).to_string()
    };
    assert_eq!(typed(&built), typed(&parsed), "{built}");
    assert_eq!(Program::parse(&built.to_string()).as_ref(), Ok(&built));
}

#[test]
fn elliptic_curves() {
    fn double((x, z): (Value, Value), d: &Value) -> (Value, Value) {
        let (p, m) = ((&x + &z).sqr(), (&x - &z).sqr());
        let t = &p - &m;
        (p * &m, &t * (m + d * &t))
    }
    fn add((x, z): (Value, Value), (u, w): (Value, Value)) -> (Value, Value) {
        let (p, m) = ((&x - &z) * (&u + &w), (x + z) * (u - w));
        ((&p + &m).sqr(), (p - m).sqr() * 2)
    }
    let p = ProgramBuilder::new();
    let (n, s, sigma) = (p.input("N"), p.input("s"), p.input_of("sigma", "u32".parse().unwrap()));
    let ring = p.modulus(&n);
    let d = ring.of(&sigma) / (1_u64 << 32);
    let start = (ring.of(2), ring.of(1));
    let carried = (start.clone(), double(start, &d));
    let (point, _) = p.for_bits(&s, After(1), carried, |bit, (a, b)| {
        let (a, b) = bit.swap(a, b);
        let (a, b) = (double(a.clone(), &d), add(a, b));
        bit.swap(a, b)
    });
    let built = p.finish([("X", &point.0), ("Z", &point.1), ("factor", &point.1.int().gcd(&n))]);
    let text = "
        in N, s, sigma: u32
        fn double((X, Z), d) {
            let (p, m) = (sqr(X + Z), sqr(X - Z))
            let t = p - m
            (p*m, t*(m + d*t))
        }
        fn add((X, Z), (U, W)) {
            let (p, m) = ((X - Z)*(U + W), (X + Z)*(U - W))
            (sqr(p + m), sqr(p - m)*2)
        }
        let d = sigma / 2**32 mod N
        var P = (2, 1) mod N
        var Q = double(P, d)
        for bit in bits(s) after 1 {
            (P, Q) = swap(bit, P, Q)
            (P, Q) = (double(P, d), add(P, Q))
            (P, Q) = swap(bit, P, Q)
        }
        let (X, Z) = P
        let g = gcd(int(Z), N)
        out X, Z, factor = g";
    same(built, text);
}

#[test]
fn windows_arrays_and_branches() {
    let p = ProgramBuilder::new();
    let (b, e, n) = (p.input("b"), p.input("e"), p.input("n"));
    let ring = p.modulus(&n);
    let base = ring.of(&b);
    let powers = p.array(&[0, 1, 2, 3].map(|k| base.pow(k)));
    let r = p.for_digits(&e, 2, After::default(), ring.of(1), |digit, r| {
        p.repeat(2, r, |r| r.sqr()) * powers.at(digit)
    });
    let table = p.input_array("table", "u32".parse().unwrap(), 5);
    let changed = table.with(&e % 5, -7);
    let (sum, rounds) = p.for_elements(&changed, (p.number(0_u32), b.clone()), |x, (sum, rounds)| {
        p.if_else(
            x.cmp_gt(3).and((!&x & 1).cmp_ne(0)),
            || (&sum + &x, &rounds + 1),
            || (sum.clone(), rounds.clone()),
        )
    });
    p.require(sum.cmp_ne(12).or(b.is_prime().is_false()));
    let text = "
        in b, e, n, table: [u32; 5]
        let base = b mod n
        let powers = [base ** k for k in 0 .. 4]
        var r = 1 mod n
        for digit in digits(e, 2) {
            repeat 2 { r = sqr(r) }
            r = r * powers[digit]
        }
        var changed = table
        changed[e % 5] = -7
        var (sum, rounds) = (0, b)
        for x in changed {
            let (large, odd) = (x > 3, (~x & 1) != 0)
            if large and odd { (sum, rounds) = (sum + x, rounds + 1) }
        }
        let (small, composite) = (sum != 12, not is_prime(b))
        require small or composite
        out r, sum, rounds";
    let results = [("r", r), ("sum", sum), ("rounds", rounds)];
    same(p.finish(results), text);
}

#[test]
fn loops_with_conditions_end() {
    let p = ProgramBuilder::new();
    let (a, b) = (p.input("a"), p.input("b"));
    let pair = p.while_limit(1000, [a, b], |[_, b]| b.cmp_ne(0), |[a, b]| [b.clone(), a % b]);
    let built = p.finish([("gcd", &pair[0])]);
    let text = "
        in a, b
        var (x, y) = (a, b)
        var holds = y != 0
        while holds limit 1000 {
            (x, y) = (y, x % y)
            holds = y != 0
        }
        out gcd = x";
    same(built, text);
}

#[test]
fn values_keep_their_shape() {
    let p = ProgramBuilder::new();
    let n = p.input("n");
    let shape = (n.clone(), vec![[n.clone(), n.clone()]], ());
    let after = p.for_range(1, &n, shape, |i, (a, rows, nothing)| {
        let [x, y] = &rows[0];
        (a + i, vec![[y.clone(), x * 3]], nothing)
    });
    assert_eq!(after.members().len(), 3);
    assert_eq!(after.1[0].len(), 2);
    let built = p.finish([("a", &after.0), ("x", &after.1[0][0]), ("y", &after.1[0][1])]);
    let text = "
        in n
        var (a, x, y) = (n, n, n)
        for i in 1 .. n { (a, x, y) = (a + i, y, x * 3) }
        out a, x, y";
    same(built, text);
}

/// Mistakes of those who build are errors, not panics.
#[test]
fn mistakes_are_errors() {
    let p = ProgramBuilder::new();
    assert_eq!(p.finish::<Value>([]).unwrap_err().kind, ProgramErrorKind::Results);
    let a = p.input("a");
    let mut inner = None;
    p.repeat(3, (), |()| inner = Some(&a + 1));
    let escaped = p.finish([("x", inner.unwrap())]).unwrap_err();
    assert_eq!((escaped.kind, &*escaped.found), (ProgramErrorKind::Name, "`_1`"));
    assert_eq!(p.finish([("x", &a), ("x", &a)]).unwrap_err().kind, ProgramErrorKind::Results);
    for name in ["", "a b", "3a", "a\nout", "é", "a;b"] {
        let p = ProgramBuilder::new();
        let error = p.finish([("x", p.input(name))]).unwrap_err();
        assert_eq!(error.expected, "a name of letters, digits and _", "{name}");
    }
    let p = ProgramBuilder::new();
    assert_eq!(p.finish([("x", p.input("limit"))]).unwrap_err().kind, ProgramErrorKind::Name);
    let (p, q) = (ProgramBuilder::new(), ProgramBuilder::new());
    let error = p.finish([("x", p.input("a") + q.input("a"))]).unwrap_err();
    assert_eq!(error.expected, "values of one builder");
    let p = ProgramBuilder::new();
    let a = p.input("a");
    let more = p.repeat(2, vec![a.clone()], |mut values| {
        values.push(a.clone());
        values
    });
    assert_eq!(more.len(), 1);
    assert_eq!(p.finish([("x", &more[0])]).unwrap_err().found, "another number of values");
}
