//! Small programs.

use limbforge_algos::op::Why;
use limbforge_algos::program::Program;
use limbforge_kernels_gen::program::{Emission, TapeInput, TapeSpec, render};
use limbforge_kernels_gen::{LimbKind, Limits, Target};
use limbforge_limb::Layout;
use limbforge_limb::num_bigint::BigInt;

use super::{Run, ints};

#[test]
fn squarings_modulo_each_number() {
    let text = "in N, x\nin t: u64\nvar y = x mod N\nrepeat t { y = sqr(y) }\nout y";
    let n = ints(&[1_000_003, 1, 6, 999_999_999_999_999_989, 0]);
    let (x, t) = (ints(&[5, 7, 9, 123_456_789, 3]), ints(&[10, 3, 2, 100, 1]));
    let run = Run::new(text, 5, &[("N", "u500", n), ("x", "u500", x), ("t", "u64", t)]);
    let found = run.check(&[7, 100]);
    run.check_handed_over(5);
    assert_eq!(found.results[0][0], BigInt::from(5).modpow(&BigInt::from(1024), &BigInt::from(1_000_003)));
    let failures = [None, None, Some((Why::EvenModulus, 3)), None, Some((Why::ZeroModulus, 3))];
    assert_eq!(found.failures, failures);
}

/// A symbol leaves the loop that its modulus is checked in. The root alone may fail by itself.
#[test]
fn a_symbol_before_the_check_of_its_modulus() {
    let text = "in n, a\nfor i in 0 .. 3 {\n    var v = u51(jacobi(a mod n))\n    v = root(lcm(v, 256), u51(16384))\n}\nout a";
    let (n, a) = (ints(&[5, 4, 6_442_450_944]), ints(&[3, 9_007_199_254_732_800, 3_887_896_453_796_174_362]));
    let found = Run::new(text, 3, &[("n", "u64", n), ("a", "u64", a)]).check(&[1]);
    let even = Some((Why::EvenModulus, 3));
    assert_eq!(found.failures, [None, even, even]);
}

/// What kernels do not take is refused before anything is compiled, with its place and what would fit.
#[test]
fn what_has_no_kernel_is_refused() {
    let refused = |text: &str, ty: &str| {
        let ty = ty.parse().unwrap();
        let program = Program::parse(text).unwrap().typed(&[("a", ty)]).unwrap();
        let (limb, layout) = (LimbKind::of::<u32>(), Layout::InstanceMajor);
        let inputs = vec![TapeInput { limb, layout, one_for_all: false }];
        let (output, instances, target) = (layout, None, Target::Cuda);
        // Threads compute the counts of narrow integers.
        let emission = Some(Emission::Tape);
        let spec = TapeSpec { program: &program, inputs, limb, output, instances, target, emission };
        render(&spec, &Limits::SM_90).unwrap_err().to_string()
    };
    let cases = [
        (
            "in a\nout b = a + 1",
            "u70000",
            "the program has values of u70000; kernels of programs take at most 65536 bits",
        ),
        (
            "in a\nout b = a + 1",
            "u65537",
            "the program has values of u65537; kernels of programs take at most 65536 bits",
        ),
        (
            "in a\nlet b = a + 1\nout c = popcount(a), d = clz(b)",
            "u200",
            "3:26: kernels of programs do not compute clz of u200; expected it in types of 256 bits here",
        ),
        (
            "in a\nlet t = [a + k for k in 0 .. 4000]\nout b = t[a % 4000]",
            "u100",
            "the program's kernel would need",
        ),
    ];
    for (text, ty, expected) in cases {
        let found = refused(text, ty);
        assert!(found.starts_with(expected), "{found}");
    }
}

/// What all residues are made with stands before the arms in which they are used first.
#[test]
fn a_modulus_that_arms_use_first() {
    for text in [
        "in b, N\nconst n = 97\nfor i in bits(b) { let v = if i { 1 mod n } else { b mod n } }\nout s = b mod n",
        "in b, N\nfor i in bits(b) { let v = if i { 1 mod N } else { b mod N } }\nout s = b mod N",
        "in b, N\nlet n = N + 2\nvar s = b\nfor i in bits(b) { s = if i { int(2 mod n) } else { int(b mod n) } }
out s, t = b mod n",
        "in b, N\nvar s = b\nif b > 4 { s = int(s/32 mod N) } else { s = int(s*3 mod N) }\nout s, t = b mod N",
    ] {
        let batches = [("b", "u23", ints(&[0, 1, 5, 4660])), ("N", "u23", ints(&[3, 1, 1001, 5]))];
        Run::new(text, 4, &batches).check(&[2]);
    }
}

/// Masks by constants have no operand.
#[test]
fn masks_of_constants() {
    let text = "in a\nlet x = a ^ mask(5)\nlet y = x & mask(-4)\nlet z = y + mask_high(3) - mask_high(-70)\nout x, y, z, w = i27(mask(27)) + i27(a)";
    for ty in ["u23", "i27", "u64", "i64", "u100", "i500"] {
        Run::new(text, 3, &[("a", ty, ints(&[0, 77, 4660]))]).check(&[]);
    }
}

/// The names of the tape's operations are none of those of tests of primality.
#[test]
fn primes_in_slices() {
    let text = "in a\nvar c = a\nrepeat 3 { c = c + is_prime(c | 1) }\nout c";
    Run::new(text, 3, &[("a", "u100", ints(&[4, 96, 1_000_002]))]).check(&[1]);
}
