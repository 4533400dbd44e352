//! How many kernels, and which, by width, expression and device.

use limbforge_kernels_gen::{Limits, Product, Program};
use limbforge_limb::{IntType, Layout};

use super::{POLY, program, spec};

/// Chunks of instances of any width begin at whole vectors: a chunk of 5000-bit integers once did not.
#[test]
fn chunks_begin_at_vectors() {
    for bits in [131, 5000, 1 << 17, 1_000_003] {
        let (_, program) = program::<u32>(
            Product::Ntt,
            POLY,
            IntType::unsigned(bits).unwrap(),
            Layout::InstanceMajor,
            false,
        );
        assert!(program.chunk.is_multiple_of(4) && program.chunk > 0, "{bits}: {}", program.chunk);
    }
}

/// One that is unsigned, of whole words and one warp; others leave all digits for a second kernel.
#[test]
fn a_high_tensor_product_is_one_kernel() {
    for (ty, launches) in [("u1024", 1), ("u8192", 1), ("u96", 1), ("u1000", 2), ("i1024", 3), ("u65536", 2)]
    {
        let (spec, _) =
            program::<u32>(Product::Tensor, "mulhi(a, b)", ty.parse().unwrap(), Layout::InstanceMajor, false);
        assert_eq!(Program::new(&spec, &Limits::SM_90).unwrap().launches.len(), launches, "{ty}");
    }
}

/// One long operation to a kernel, with what is done with its result; both coefficients are one.
#[test]
fn long_operations_have_kernels_of_their_own() {
    for (text, kernels, launches) in [
        ("gcd(a, b) + a*c / b", 1, 1),
        ("is_prime(a) + powmod(a, b, c)*modinv(b, a)", 3, 3),
        ("gcd(a, b) + gcd(b, c) + gcd(a, b)", 2, 2),
        ("gcd(gcd(a, b), gcd(a + 1, b))", 3, 3),
        ("xgcd_x(a, b)*a + xgcd_y(a, b)*b", 1, 1),
        ("xgcd_x(a, b)*a + xgcd_y(a, b)*b - jacobi(a, b)", 2, 2),
        ("xgcd_x(a, b)*a + xgcd_y(b, a)*b", 2, 2),
        ("a / b + isqrt(b) + addmod(a, b, c)", 1, 1),
        // A greatest common divisor, a division and a product.
        ("lcm(a, b)", 3, 3),
        ("lcm(a, b) + gcd(a, b)*c", 4, 4),
        ("lcm(lcm(a, b), c)", 6, 6),
    ] {
        let ty = "u512".parse().unwrap();
        let (_, program) = program::<u64>(Product::Auto, text, ty, Layout::InstanceMajor, false);
        assert_eq!((program.kernels.len(), program.launches.len()), (kernels, launches), "{text}");
    }
}

/// The product on tensor cores and the remainder, where the device has them and numbers are unsigned and
/// neither short nor too wide.
#[test]
fn a_product_modulo_a_number_is_two_kernels() {
    let without = Limits { matrices: false, ..Limits::SM_90 };
    for (ty, limits, launches) in [
        ("u512", &Limits::SM_90, 2),
        ("u32768", &Limits::SM_90, 2),
        ("u511", &Limits::SM_90, 1),
        ("i1024", &Limits::SM_90, 1),
        ("u1024", &without, 1),
    ] {
        let ty = ty.parse().unwrap();
        let spec = spec::<u32>(Product::Auto, "mulmod(a, b, m)", ty, Layout::InstanceMajor, false);
        assert_eq!(Program::new(&spec, limits).unwrap().launches.len(), launches, "{ty}");
    }
}

/// What is chosen by width, expression and device.
#[test]
fn the_fastest_product_is_chosen() {
    let launches = |text: &str, bits: u64, limits: &Limits| -> Vec<String> {
        let (mut spec, _) = program::<u32>(
            Product::Classical,
            text,
            IntType::unsigned(bits).unwrap(),
            Layout::InstanceMajor,
            false,
        );
        spec.product = Product::Auto;
        let program = Program::new(&spec, limits).unwrap();
        program.launched().map(ToString::to_string).collect()
    };
    let is_tensor = |text: &str, bits: u64, limits: &Limits| {
        launches(text, bits, limits).iter().any(|launch| launch.starts_with("mul_tensor "))
    };
    assert_eq!(launches("a*b", 8192, &Limits::SM_90).len(), 1);
    let without = Limits { matrices: false, ..Limits::SM_90 };
    for (text, bits, expected) in [
        ("a*b", 512, false),
        ("a*b", 1056, false),
        ("a*b", 1024, true),
        ("a*b", 2048, true),
        ("a*a", 32_768, true),
        ("a*b", 1 << 18, false),
        ("mulhi(a, b)", 512, false),
        ("mulhi(a, b)", 4096, true),
        (POLY, 512, false),
        (POLY, 1024, true),
        (POLY, 2048, true),
        (POLY, 32_768, true),
        (POLY, 65_536, false),
        ("a + b", 4096, false),
    ] {
        assert_eq!(is_tensor(text, bits, &Limits::SM_90), expected, "{text} {bits}");
        assert!(!is_tensor(text, bits, &without), "{text} {bits}");
    }
}
