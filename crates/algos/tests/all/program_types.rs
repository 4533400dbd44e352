//! Types of programs: what a value gets without a declaration, and the errors where none fits.

use limbforge_algos::program::text::syntax::Item;
use limbforge_algos::program::{Element, Part, Program, ProgramErrorKind, TypedProgram};
use limbforge_limb::IntType;

fn ty(text: &str) -> IntType {
    text.parse().unwrap()
}

/// The program for `N`, `a`, `b` of 256 bits unless the text says otherwise.
fn typed(text: &str) -> TypedProgram {
    let program = Program::parse(text).unwrap();
    let names = untyped(&program);
    let given: Vec<_> = names.iter().map(|name| (&**name, ty("u256"))).collect();
    program.typed(&given).unwrap_or_else(|error| panic!("{}", error.report(text)))
}

/// The inputs whose type is that of their batch.
fn untyped(program: &Program) -> Vec<String> {
    let inputs = program.tree().items.iter().filter_map(|item| match item {
        Item::Inputs(inputs) => Some(inputs),
        _ => None,
    });
    inputs.flatten().filter(|(_, ty)| ty.is_none()).map(|(name, _)| name.text.to_string()).collect()
}

#[test]
fn results_have_the_types_of_their_values() {
    let rows = [
        ("in a\nout x = a + 1", "u256"),
        ("in a: i64\nout x = a + 1", "i64"),
        ("in a: u32, b: u64\nout x = a + b", "u64"),
        ("in a: u32, b: i64\nout x = b - a", "i64"),
        ("in a\nout x = a < 3", "u1"),
        ("in a\nout x = (a < 3) + 1", "i64"),
        ("in a\nout x = a * (a < 3)", "u256"),
        ("in a\nout x = mul_wide(a, a)", "u512"),
        ("in a, N\nout x = a mod N", "u256"),
        ("in a\nout x = a mod 1000003", "u20"),
        ("in a: i64, N\nout x = jacobi(a mod N)", "i64"),
        ("in a\nout x = bit_length(a)", "u32"),
        ("in a\nout x = is_prime(a)", "u1"),
        ("in a\nout x = popcount(a)", "u256"),
        ("out x = 2 ** 40", "i64"),
        ("var x = 0\nrepeat 3 { x = x + 1 }\nout x", "i64"),
        ("in a\nvar x = 0\nrepeat 3 { x = x + a }\nout x", "u256"),
        ("in a: u8\nvar x: u64 = 0\nrepeat 3 { x = x + a }\nout x", "u64"),
        ("in a\nvar x = 1\nif a > 3 { x = a }\nout x", "u256"),
        ("in a: u16\nvar s = 0\nfor i in 0 .. a { s = s + i }\nout s", "u16"),
        ("in a\nvar s: u32 = 0\nfor d in digits(a, 5) { s = s + d }\nout s", "u32"),
        ("in a\nout x = if a > 3 { 7 } else { a }", "u256"),
        ("in a: i16\nout x = u64(a)", "u64"),
        ("in a\nvar f = 0 == 0\nif a > 2 { f = 0 == 1 }\nout f", "u1"),
        ("in x: [u40; 5], i: u32\nout y = x[i]", "u40"),
    ];
    for (text, expected) in rows {
        assert_eq!(typed(text).results()[0].ty, ty(expected), "{text}");
    }
}

#[test]
fn a_variable_of_residues_starts_as_a_number() {
    let program = typed("in N, a\nvar x = 1\nrepeat 3 { x = x * (a mod N) }\nout x");
    let residues = |ty: &&limbforge_algos::program::Ty| matches!(ty.element, Element::Residue(_));
    assert!(program.types().iter().filter(residues).count() >= 4, "{program}");
    assert!(program.types().iter().all(|ty| ty.as_int() != Some(ty_i64())), "{program}");
}

fn ty_i64() -> IntType {
    ty("i64")
}

#[test]
fn inputs_of_several_integers_say_where_each_lies() {
    let program = typed("in T: [(u64, u64); 3], p: (u64, u64), q: ([u8; 2], u8)\nout x = T[0], p, q");
    let parts = |i: usize| {
        let input = &program.inputs()[i];
        (input.elements, input.parts.iter().map(|part| (part.first, part.stride)).collect::<Vec<_>>())
    };
    assert_eq!(parts(0), (6, vec![(0, 2), (1, 2)]));
    assert_eq!(parts(1), (2, vec![(0, 1), (1, 1)]));
    assert_eq!(parts(2), (3, vec![(0, 1), (2, 1)]));
    assert_eq!(program.results()[2].elements, 3);
}

/// Equal values are computed once, and what a loop does not change before it.
#[test]
fn equal_programs_have_equal_normal_forms() {
    let pairs = [
        ("in a, b\nout x = a + b, y = (b + a) * (a + b)", "in a, b\nlet s = a + b\nout x = s, y = sqr(s)"),
        (
            "in a, N, e\nvar y = 1 mod N\nfor c in bits(e) { y = sqr(y) * (a mod N) }\nout y",
            "in a, N, e\nvar y = 1 mod N\nlet r = a mod N\nfor c in bits(e) { y = r * sqr(y) }\nout y",
        ),
        (
            "in a\nfn f(x) = x*x + 1\nout x = f(f(a))",
            "in a\nlet t = sqr(a) + 1\nlet u = sqr(t) + 1\nout x = u",
        ),
        ("in a\nlet unused = a * 7\nout x = a + 0x10", "in a\nout x = 16 + a"),
    ];
    for (one, other) in pairs {
        let given = ["N", "a", "b", "e"].map(|name| (name, ty("u128")));
        let [one, other] = [one, other].map(|text| Program::parse(text).unwrap().typed(&given).unwrap());
        assert_eq!(one.to_string(), other.to_string());
    }
}

/// What may fail is neither moved nor dropped.
#[test]
fn failing_operations_stay() {
    let program = typed("in a, b\nlet unused = a / b\nvar s = a\nrepeat 3 { s = s + a % b }\nout s");
    let text = program.to_string();
    let (division, start) = (text.find("= div ").unwrap(), text.find("= for times").unwrap());
    assert!(division < start && text.find("= rem ").unwrap() > start, "{text}");
    let program = typed("in a, N\nvar s = 0\nrepeat a { s = s + int(a mod N) }\nout s").to_string();
    assert!(program.find("= residue Of").unwrap() > program.find("= for times").unwrap(), "{program}");
}

/// Functions are inlined: chains of them end with an error, not without memory or stack.
#[test]
fn programs_that_grow_are_refused() {
    let chain = |depth: usize, body: &str| {
        let function = |k: usize| format!("fn f{}(x) = {}\n", k + 1, body.replace('f', &format!("f{k}")));
        let functions: String = (0..depth).map(function).collect();
        format!("in a\nfn f0(x) = x + 1\n{functions}out y = f{depth}(a)")
    };
    let deep = format!("{}f(x)", "-".repeat(150));
    for (depth, body) in [(40, "f(x) + f(2 * x)"), (90, "f(f(x))"), (400, "f(x)"), (50, &*deep)] {
        let program = Program::parse(&chain(depth, body)).unwrap();
        let error = program.typed(&[("a", ty("u64"))]).expect_err(body);
        assert_eq!((error.kind, &*error.found), (ProgramErrorKind::Constant, "more"), "{body}");
    }
    let program = Program::parse(&chain(30, "f(x) + 1")).unwrap();
    program.typed(&[("a", ty("u64"))]).unwrap();
}

/// Elements of an array of tuples lie one after the other, in results as in inputs.
#[test]
fn results_lie_as_inputs_do() {
    let text = "in D: [(u8, u8); 3], p: ([u8; 2], u8)\nout D, p, e = [(i, 1) for i in 0 .. 2]";
    let program = typed(text);
    let places = |parts: &[Part]| parts.iter().map(|part| (part.first, part.stride)).collect::<Vec<_>>();
    for (input, output) in program.inputs().iter().zip(program.results()) {
        assert_eq!((input.elements, places(&input.parts)), (output.elements, places(&output.parts)));
    }
    assert_eq!(places(&program.results()[2].parts), [(0, 2), (1, 2)]);
}

/// A variable that turns out to be a residue has its modulus before it.
#[test]
fn a_modulus_comes_before_its_residues() {
    let text = "in a, n: u64\nvar x = 1\nlet m = n | 1\nrepeat 3 { x = x * (a mod m) }\nout x";
    let error = Program::parse(text).unwrap().typed(&[("a", ty("u64"))]).unwrap_err();
    let expected = "2:9: expected a modulus that is computed before its residues, found one that is \
                    computed behind this value: declare the variable behind its modulus";
    assert_eq!(error.to_string(), expected);
    typed("in a, n\nlet m = n | 1\nvar x = 1\nrepeat 3 { x = x * (a mod m) }\nout x");
}

/// Text, line, column, kind, expected, found.
const WRONG: &[(&str, usize, usize, ProgramErrorKind, &str, &str)] = {
    use ProgramErrorKind::{Constant, Modulus, Operands, Type};
    &[
        ("in a, N\nlet x = a mod N\nout y = x % 3", 3, 9, Type, "+ - * / or ** of residues", "`%`"),
        ("in a, N\nlet x = a mod N\nout y = x < 3", 3, 9, Type, "== or != of residues", "`<`"),
        ("in a, N\nlet x = a mod N\nout y = x << 3", 3, 9, Type, "+ - * / or ** of residues", "`<<`"),
        ("in a, N, b\nout y = (a mod N) + (a mod b)", 2, 9, Modulus, "residues of one modulus", "two moduli"),
        ("in a\nout y = a mod 6", 2, 15, Modulus, "an odd positive modulus", "`6`"),
        (
            "in a\nvar y = a\nrepeat 3 { y = int(a mod (y + 1)) }\nout y",
            3,
            27,
            Modulus,
            "a modulus of the top level",
            "one that a loop or branch computes",
        ),
        (
            "in a: u64, b: i64\nout x = a + b",
            2,
            9,
            Type,
            "integers of which one type holds all numbers of the other",
            "u64 and i64",
        ),
        ("in a: u32, b: u64\nvar x = a\nx = b\nout x", 3, 5, Type, "u32", "u64"),
        ("in a: u8\nout x = a + 256", 2, 9, Constant, "a number from 0 to 2^8 - 1", "`256`"),
        ("in a: i8\nout x = a + 128", 2, 9, Constant, "a number from -2^7 to 2^7 - 1", "`128`"),
        ("in a\nif a { }\nout x = a", 2, 4, Type, "a bool", "u256"),
        ("in a\nrequire a\nout x = a", 2, 9, Type, "a bool", "u256"),
        ("in a, b\nout x = a and b", 2, 9, Type, "a bool", "u256"),
        ("in a, b\nout x = a ** b", 2, 9, Constant, "an exponent that is a constant number", "u256"),
        ("in a\nout x = a ** -1", 2, 9, Constant, "an exponent from 0 to 2^32 - 1", "`-1`"),
        ("in a\nout x = a ** 2 ** 40", 2, 9, Constant, "an exponent from 0 to 2^32 - 1", "`1099511627776`"),
        ("in a\nlet (x, y) = a\nout x", 2, 5, Type, "a tuple of 2 values", "a value"),
        ("in a\nlet (x, y) = (a, a, a)\nout x", 2, 5, Type, "a tuple of 2 values", "a tuple of 3 values"),
        ("in a: [u8; 4]\nout x = a[4]", 2, 11, Constant, "an index from 0 to 3", "`4`"),
        ("in a\nout x = a[0]", 2, 9, Type, "an array", "u256"),
        ("in a: [u8; 4], b: [u8; 3]\nout x = a + b", 2, 9, Type, "arrays of 4 elements", "one of 3"),
        ("in a: [u8; a]\nout x = a", 1, 12, ProgramErrorKind::Name, "a name that is known here", "`a`"),
        ("in a\nfor i in a { }\nout x = a", 2, 10, Type, "an array", "u256"),
        ("in a\nfor d in digits(a, 65) { }\nout x = a", 2, 20, Constant, "a number from 0 to 64", "`65`"),
        ("in a\nfor d in digits(a) { }\nout x = a", 2, 10, Operands, "2 operands of `digits`", "1"),
        ("in a\nwhile a > 0 limit a { }\nout x = a", 2, 19, Constant, "a constant number", "u256"),
        ("in c\nout x = c", 1, 4, Type, "the type of the batch `c`", "none"),
        ("in a: u64\nout x = a", 1, 4, Type, "a batch of u64", "one of u256"),
        ("in a: (u8, u16)\nout x = a", 1, 12, Type, "members of one type, u8", "u16"),
        ("in a: u8, b: u16\nout x = (a, b)", 2, 9, Type, "members of one type, u8", "u16"),
        ("const k = 1 / 0\nout x = k", 1, 11, Constant, "a divisor that is not 0", "0"),
        ("in a, N\nlet x = a mod N\nout y = bit_length(x)", 3, 9, Type, "an integer", "a residue"),
        ("in a, N\nlet x = a mod N\nout y = x ** x", 3, 9, Type, "an integer as exponent", "a residue"),
        ("in a\nout y = int(a)", 2, 9, Type, "a residue", "u256"),
        ("in a\nout y = jacobi(a)", 2, 9, Type, "a residue", "u256"),
        ("in a\nlist l: (u8, bool) at most 5\nemit l(a, true)", 3, 8, Type, "u8", "u256"),
        ("in a\nlist l: (u256, bool) at most 5\nemit l(a, a)", 3, 11, Type, "a bool", "u256"),
        ("in a\nlist l: u256 at most 5\nemit l(a) where a", 3, 17, Type, "a bool", "u256"),
        ("in a\nlist l: u256 at most a\nemit l(a)", 2, 22, Constant, "a constant number", "u256"),
        (
            "in a\nlist l: [u8; 3] at most 9\nemit l([1, 2, 3])",
            2,
            9,
            Type,
            "a column of integers, bools or residues",
            "[u8; 3]",
        ),
        (
            "in a: [u8; 2], b: [u8; 3]\nlist l: (u8, u8) at most 9\nemit l(a, b)",
            3,
            1,
            Type,
            "arrays of 2 elements",
            "one of 3",
        ),
        (
            "in a\nlist l: (u256, u32) at most 9\nemit l(a, element)",
            3,
            11,
            Type,
            "another value that is an array",
            "none",
        ),
        (
            "in a\nlist l: u256 at most 9\nfn f(x) { emit l(x)\n x > 5 }\nvar y = a\nwhile f(y) limit 9 { y = y - 1 }\nout y",
            6,
            7,
            Type,
            "a condition that changes nothing",
            "an `emit` in it",
        ),
        ("in a\nlet y = random(u8, a, a < 3)\nout y", 2, 23, Type, "an integer", "a bool"),
        ("in a, N\nlet y = random(u8, a mod N, 3)\nout y", 2, 20, Type, "an integer", "a residue"),
    ]
};

#[test]
fn errors_say_where_and_what() {
    let mut wrong = vec![];
    for (text, line, column, kind, expected, found) in WRONG {
        let error = match Program::parse(text) {
            Ok(program) => {
                let names = untyped(&program);
                let mut given: Vec<_> = names.iter().map(|name| (&**name, ty("u256"))).collect();
                given.retain(|(name, _)| *name != "c");
                if *found == "one of u256" {
                    given.push(("a", ty("u256")));
                }
                program.typed(&given).expect_err(text)
            }
            Err(error) => error,
        };
        let got = (error.line, error.column, error.kind, &*error.expected, &*error.found);
        if got != (*line, *column, *kind, *expected, *found) {
            wrong.push(format!("{text}\n  {got:?}"));
        }
        assert_eq!(error.to_string().split(": ").next(), Some(&*format!("{}:{}", error.line, error.column)));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
