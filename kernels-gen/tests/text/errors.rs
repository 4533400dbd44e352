//! What is refused: every error, with the numbers that its message names.

use crate::common::{LIMBS, inputs, unsigned};
use limbforge_algos::expr::{Expr, TypeError};
use limbforge_kernels_gen::{
    KernelSpec, LimbKind, Limits, Mapping, Planner, Product, Program, ProgramSpec, SpecError, Target, render,
};
use limbforge_limb::{IntType, Layout};
use num_bigint::BigUint;

fn add_1000() -> KernelSpec {
    unsigned("a + b", 1000, LimbKind::of::<u32>(), Layout::InstanceMajor)
}

fn error(spec: &KernelSpec) -> SpecError {
    match render(spec, &Limits::SM_90) {
        Err(error) => error,
        Ok(kernel) => panic!("{spec}: rendered with {:?}", kernel.geometry),
    }
}

/// The message names everything in `parts`.
fn names(error: &SpecError, parts: &[&str]) {
    let text = error.to_string();
    assert!(parts.iter().all(|part| text.contains(part)), "`{text}` does not name all of {parts:?}");
    assert!(!text.contains('\n') && !text.ends_with('.'), "`{text}`: one line");
}

#[test]
fn too_many_threads() {
    let mut spec = add_1000();
    spec.mapping = Mapping { run_words: 4, runs: 1, lanes: 8, warps: 1, instances: 129 };
    let found = error(&spec);
    assert_eq!(found, SpecError::Threads { needed: 1056, limit: 1024 });
    names(&found, &["1056 threads", "at most 1024", "fewer instances per block"]);
    // One instance less fits.
    spec.mapping.instances = 128;
    assert_eq!(render(&spec, &Limits::SM_90).unwrap().geometry.threads, 1024);
    // Another device has its own limit.
    let small = Limits { threads: 512, ..Limits::SM_90 };
    assert_eq!(render(&spec, &small), Err(SpecError::Threads { needed: 1024, limit: 512 }));

    let dag = crate::common::dag("a + b");
    let ty = IntType::unsigned(1 << 18).unwrap();
    let mapping = Mapping::from_limbs_per_thread(&dag, ty, LIMBS[0], 4, 1);
    assert_eq!(mapping, Err(SpecError::Threads { needed: 2048, limit: 1024 }));
    let many = Mapping::from_limbs_per_thread(&dag, ty, LIMBS[0], 8, u32::MAX);
    assert!(matches!(many, Err(SpecError::Threads { limit: 1024, .. })), "{many:?}");
}

#[test]
fn widths_that_a_warp_does_not_hold() {
    let divisions = ["a / b", "a % b + 1", "divisible(a, b)"];
    let others = ["gcd(a, b)", "lcm(a, b)", "isqrt(a)", "modinv(a, b)", "xgcd_x(a, b)", "jacobi(a, b)"];
    let more = ["modinv2k(a)", "root(a, b)", "is_prime(a)"];
    for text in divisions.into_iter().chain(others).chain(more) {
        let spec = |bits| unsigned(text, bits, LimbKind::of::<u32>(), Layout::InstanceMajor);
        assert!(render(&spec(1 << 16), &Limits::SM_90).is_ok(), "{text}");
        let found = error(&spec(70_000));
        assert!(matches!(found, SpecError::Warp { limit: 65_536, .. }), "{text}: {found:?}");
        // The operation by itself.
        let operation = text.trim_end_matches(" + 1");
        names(&found, &[&format!("`{operation}` takes at most 65536 bits in a kernel; found u70000")]);
    }
}

/// Who asks for an expression and a type reads which widths there are, not what a mapping lacks that nobody
/// has chosen.
#[test]
fn widths_that_a_device_does_not_hold() {
    let (limits, planner) = (Limits::SM_90, Planner::default());
    let program = |text: &str, bits: u32, product| {
        let (dag, output) = (crate::common::dag(text), Layout::InstanceMajor);
        let (inputs, ty) = (inputs(&dag, output), IntType::unsigned(bits.into()).unwrap());
        ProgramSpec { dag, ty, limb: LimbKind::of::<u32>(), inputs, output, product, target: Target::Cuda }
    };
    let planned = |spec: &ProgramSpec| {
        Program::planned(spec, &limits, &planner).and_then(|program| program.render(&limits)).map(drop)
    };
    for (text, bits, limit) in [
        ("a + b", 1 << 20, 1 << 19),
        ("a*b", 1 << 24, 1 << 20),
        ("mulhi(a, b)", 1 << 20, 1 << 19),
        ("gcd(a, b)", 1 << 24, 1 << 16),
    ] {
        let spec = program(text, bits, Product::Auto);
        let why = planned(&spec).unwrap_err();
        let found = spec.blame_width(why.clone(), &limits, &planner);
        let parts = [&format!("u{bits} is too wide"), &format!(" {limit} bits are not"), "the CPU backend"];
        names(&found, &parts);
        assert_eq!(Program::with_kernels(&spec, &limits, &planner), Err(found.clone()), "{text}");
        assert_eq!(found, SpecError::TooWide { ty: spec.ty, limit, why: Box::new(why.clone()) }, "{text}");
        assert_eq!(planned(&program(text, limit, Product::Auto)), Ok(()), "{text}");
        // Where a product was asked for, another one may do.
        let spec = program(text, bits, Product::Ntt);
        assert_eq!(spec.blame_width(why.clone(), &limits, &planner), why);
    }
    // A division says itself which widths there are.
    let division = program("a / b", 1 << 20, Product::Auto);
    let why = planned(&division).unwrap_err();
    assert_eq!(division.blame_width(why.clone(), &limits, &planner), why);
    names(&why, &["every width up to 528256 bits", "found u1048576", "the CPU backend"]);
    // What is wrong at every width is not blamed on it.
    let unlisted = ProgramSpec { inputs: vec![], ..program("a + b", 64, Product::Auto) };
    let why = planned(&unlisted).unwrap_err();
    assert!(matches!(why, SpecError::Input { .. }), "{why}");
    assert_eq!(unlisted.blame_width(why.clone(), &limits, &planner), why);
    let none = Limits { thread_registers: 8, ..limits };
    let registers = SpecError::Registers { needed: 40, limit: 8 };
    let sum = program("a + b", 1000, Product::Auto);
    assert_eq!(sum.blame_width(registers.clone(), &none, &planner), registers);
}

#[test]
fn too_much_shared_memory() {
    let spec = unsigned("mulhi(a, b)", 1 << 16, LimbKind::of::<u32>(), Layout::InstanceMajor);
    let needed = u64::from(render(&spec, &Limits::SM_90).unwrap().geometry.shared_bytes);
    let exactly = Limits { shared_bytes: needed, ..Limits::SM_90 };
    assert!(render(&spec, &exactly).is_ok());
    let limit = needed - 1;
    let found = render(&spec, &Limits { shared_bytes: limit, ..Limits::SM_90 }).unwrap_err();
    assert_eq!(found, SpecError::SharedMemory { needed, limit });
    names(&found, &[&needed.to_string(), &limit.to_string(), "bytes of shared memory", "narrower type"]);
    // Many instances of a block have a slot each.
    let mut many = unsigned("mulhi(a, b)", 8192, LimbKind::of::<u32>(), Layout::InstanceMajor);
    many.mapping = Mapping { run_words: 8, runs: 1, lanes: 32, warps: 1, instances: 32 };
    many.mapping.run_words = 32;
    assert!(matches!(error(&many), SpecError::SharedMemory { limit: 232_448, .. }));
}

/// Hundreds of values, each used again at the end.
#[test]
fn too_many_registers() {
    let mut values = vec![Expr::input("a")];
    for i in 1..300_u32 {
        values.push((&values[values.len() - 1] ^ &Expr::literal(i)) + &values[0]);
    }
    let all = values.iter().rev().fold(Expr::input("b"), |sum, value| sum - value);
    let dag = all.to_dag();
    let mut spec = add_1000();
    spec.inputs = inputs(&dag, Layout::InstanceMajor);
    spec.dag = dag;
    let found = error(&spec);
    let SpecError::Registers { needed, limit: 255 } = found else { panic!("{found:?}") };
    assert!(needed > 300, "{needed}");
    names(&found, &[&needed.to_string(), "at most 255", "registers", "split the expression"]);
    // The same refusal for a wide run, and for a block of so many threads that a thread gets 64 registers.
    let mut wide = unsigned("a + b", 1000, LimbKind::of::<u32>(), Layout::Interleaved);
    wide.mapping = Mapping { run_words: 64, runs: 2, lanes: 32, warps: 1, instances: 1 };
    assert!(matches!(error(&wide), SpecError::Registers { limit: 255, .. }));
    let mut crowded = unsigned("a + b", 1 << 18, LimbKind::of::<u32>(), Layout::InstanceMajor);
    crowded.mapping = Mapping { run_words: 32, runs: 1, lanes: 32, warps: 32, instances: 1 };
    assert!(matches!(error(&crowded), SpecError::Registers { limit: 64, .. }));
}

#[test]
fn width_that_the_threads_do_not_hold() {
    let mut spec = add_1000();
    spec.mapping = Mapping { run_words: 4, runs: 1, lanes: 4, warps: 1, instances: 8 };
    let found = error(&spec);
    assert_eq!(found, SpecError::Width { held: 16, needed: 32, ty: spec.ty });
    names(&found, &["16 words", "32 of u1000"]);
}

#[test]
fn inputs_that_are_not_listed_once() {
    let mut spec = add_1000();
    let b = spec.inputs.pop().unwrap();
    let found = error(&spec);
    assert_eq!(found, SpecError::Input { name: "b".to_owned(), found: 0 });
    names(&found, &["`b`", "0 times", "expected once"]);
    spec.inputs.extend([b.clone(), b]);
    assert_eq!(error(&spec), SpecError::Input { name: "b".to_owned(), found: 2 });
    // One that the expression does not use is a parameter all the same.
    let mut unused = add_1000();
    unused.inputs[1].name = "unused".to_owned();
    unused.dag = crate::common::dag("a + a");
    assert_eq!(render(&unused, &Limits::SM_90).unwrap().inputs, ["a", "unused"]);
}

#[test]
fn literals_that_do_not_fit() {
    let spec = |text| unsigned(text, 131, LimbKind::of::<u32>(), Layout::InstanceMajor);
    let widest = format!("a + 0x7{}", "f".repeat(32));
    assert!(render(&spec(&widest), &Limits::SM_90).is_ok());
    let mut wider = spec(&widest);
    wider.dag = crate::common::dag(&format!("a + 0x8{}", "0".repeat(32)));
    let found = error(&wider);
    let (literal, ty) = ("0x80000000...".to_owned(), "u131".parse().unwrap());
    let value = BigUint::from(1_u8) << 131;
    assert_eq!(
        found,
        SpecError::Type(TypeError::Literal { literal: literal.clone(), value, needed: 132, ty })
    );
    names(&found, &[&literal, "132 bits", "0 to 2^131 - 1", "u131"]);
}

/// The widths that the page on expressions has, in both limits of each row.
#[test]
fn widest_products() {
    let page = include_str!("../../../docs/expressions.md");
    let fits = |text: &str, ty: IntType| {
        let dag = crate::common::dag(text);
        let (limb, output, target) = (LIMBS[0], Layout::InstanceMajor, Target::Cuda);
        let inputs = inputs(&dag, output);
        let spec = ProgramSpec { dag, ty, limb, inputs, output, product: Product::Auto, target };
        Program::new(&spec, &Limits::SM_90).and_then(|program| program.check(&Limits::SM_90)).is_ok()
    };
    for (text, signs, widest, again) in [
        ("a * b", &[false, true][..], 606_656, true),
        ("sqr(a)", &[false, true], 606_656, true),
        ("mul_wide(a, b)", &[false], 606_656, true),
        ("sqr_wide(a)", &[false], 606_656, true),
        ("mulhi(a, b)", &[false], 593_920, false),
        ("mulhi(a, b)", &[true], 319_488, false),
        ("mul_wide(a, b)", &[true], 319_488, false),
        ("sqr_wide(a)", &[true], 319_488, false),
        ("a / b", &[false, true], 528_256, false),
        ("(a*a + b)*(b*b + b) + a*b", &[false, true], 304_256, false),
        ("a + b", &[false, true], 640_000, false),
        ("rotl(a, b)", &[false], 640_000, false),
        ("insert(a, b, c, d)", &[false], 360_448, false),
    ] {
        assert!(page.contains(&widest.to_string()) && page.contains("783297 to 2^20"), "{widest}");
        for &signed in signs {
            let at = |bits: u64| fits(text, IntType::new(bits, signed).unwrap());
            assert!(at(widest) && !at(widest + 1), "{text} of {widest}, signed: {signed}");
            if again {
                let limits = [783_296, 783_297, 1 << 20, (1 << 20) + 1].map(at);
                assert_eq!(limits, [false, true, true, false], "{text}, signed: {signed}");
            }
        }
    }
}

/// By their own width, and not by that of the products they need.
#[test]
fn divisions_that_are_too_wide() {
    let program = |text: &str, bits| {
        let dag = crate::common::dag(text);
        let (limb, output, target) = (LIMBS[0], Layout::InstanceMajor, Target::Cuda);
        let (ty, inputs) = (IntType::unsigned(bits).unwrap(), inputs(&dag, output));
        let spec = ProgramSpec { dag, ty, limb, inputs, output, product: Product::Auto, target };
        Program::new(&spec, &Limits::SM_90)
    };
    for text in ["a / b", "a % b", "div_euclid(a, b)", "divisible(a, b)"] {
        let widest = program(text, 528_256);
        assert!(widest.is_ok(), "{text}: {widest:?}");
        for bits in [528_257, 1 << 20, 1 << 24] {
            let found = program(text, bits).unwrap_err();
            assert!(
                matches!(found, SpecError::Division { limit: 528_256, .. }),
                "{text} of {bits}: {found:?}"
            );
            names(&found, &[&format!("`{text}` takes"), "528256 bits", &format!("u{bits}"), "CPU"]);
        }
    }
}

/// Also in a program by any product: that by matrices has a kernel of its own, which takes sums in.
#[test]
fn signed_literals_that_do_not_fit() {
    let ty: IntType = "i4096".parse().unwrap();
    let program = |text: &str, product| {
        let dag = crate::common::dag(text);
        let (limb, output, target) = (LIMBS[0], Layout::InstanceMajor, Target::Cuda);
        let inputs = inputs(&dag, output);
        let spec = ProgramSpec { dag, ty, limb, inputs, output, product, target };
        Program::new(&spec, &Limits::SM_90)
    };
    let half = format!("0x8{}", "0".repeat(1023));
    for product in [Product::Auto, Product::Classical, Product::Ntt, Product::Tensor] {
        for text in [format!("a * a + {half}"), format!("a * a - {half}"), format!("-{half} * {half}")] {
            let found = program(&text, product).unwrap_err();
            let literal = "0x80000000...".to_owned();
            let value = BigUint::from(1_u8) << 4095;
            assert_eq!(
                found,
                SpecError::Type(TypeError::Literal { literal, value, needed: 4097, ty }),
                "{text}"
            );
            names(&found, &["expected -2^4095 to 2^4095 - 1", "at least 4097 bits", "negative number"]);
        }
        let least = program(&format!("a * a + -{half}"), product);
        assert!(least.is_ok(), "{product}: {least:?}");
    }
}

/// Whatever built the expression: the parser, which names the column, or Rust's operators.
#[test]
fn wide_products_that_are_no_result() {
    let wide = Expr::input("a").mul_wide(&Expr::input("b"));
    let dag = (&wide - 1).to_dag();
    let mut spec = add_1000();
    (spec.inputs, spec.dag) = (inputs(&dag, Layout::InstanceMajor), dag);
    names(&error(&spec), &["`mul_wide(a, b)`", "`mul_wide(a, b) - 1`", "the whole expression alone"]);
    spec.dag = wide.to_dag();
    spec.result = spec.dag.result_type(spec.ty).unwrap();
    let words = (spec.words(), spec.result_words());
    assert_eq!(words, (32, 63));
    assert!(render(&spec, &Limits::SM_90).is_ok());
    spec.ty = IntType::unsigned(IntType::MAX_BITS.into()).unwrap();
    spec.mapping = Mapping { run_words: 64, runs: 64, lanes: 32, warps: 4, instances: 1 };
    names(&error(&spec), &["`mul_wide(a, b)` of u16777216 has 33554432 bits", "at most 16777216"]);
}

#[test]
fn numbers_that_are_no_mapping() {
    let good = Mapping { run_words: 4, runs: 1, lanes: 8, warps: 1, instances: 1 };
    let bad = [
        ("words per run", 0, Mapping { run_words: 0, ..good }),
        ("words per run", 65, Mapping { run_words: 65, ..good }),
        ("words per run", u32::MAX, Mapping { run_words: u32::MAX, ..good }),
        ("lanes", 0, Mapping { lanes: 0, ..good }),
        ("lanes", 12, Mapping { lanes: 12, ..good }),
        ("lanes", 64, Mapping { lanes: 64, ..good }),
        ("warps", 0, Mapping { warps: 0, ..good }),
        ("warps", 2, Mapping { warps: 2, ..good }),
        ("runs", 0, Mapping { runs: 0, ..good }),
        ("runs", 2, Mapping { runs: 2, ..good }),
        ("instances per block", 0, Mapping { instances: 0, ..good }),
    ];
    for (name, number, mapping) in bad {
        let found = error(&KernelSpec { mapping, ..add_1000() });
        assert!(
            matches!(found, SpecError::Mapping { what, found, .. } if what == name && found == number),
            "{mapping}: {found:?}"
        );
        names(&found, &[name, &number.to_string(), "expected"]);
    }
    // Products take words in groups of four.
    let mut product = unsigned("a * b", 1000, LimbKind::of::<u32>(), Layout::InstanceMajor);
    product.mapping = Mapping { run_words: 5, ..good };
    assert!(matches!(error(&product), SpecError::Mapping { what: "words per run", found: 5, .. }));
    let (dag, ty) = (crate::common::dag("a + b"), IntType::unsigned(1000).unwrap());
    for (q, ipb, what) in [(0, 1, "limbs per thread"), (1, 0, "instances per block")] {
        let found = Mapping::from_limbs_per_thread(&dag, ty, LIMBS[1], q, ipb);
        assert_eq!(found, Err(SpecError::Mapping { what, found: 0, expected: "1 or more" }));
    }
    let long = Mapping::from_limbs_per_thread(&dag, ty, LIMBS[2], u32::MAX, 1);
    assert!(
        matches!(long, Err(SpecError::Mapping { what: "words per run", found: u32::MAX, .. })),
        "{long:?}"
    );
}

/// Numbers of absurd size are refused as well, not overflowed.
#[test]
fn huge_numbers() {
    let huge = u32::MAX / 32 * 32;
    for mapping in [
        Mapping { run_words: 4, runs: 1, lanes: 32, warps: huge, instances: 1 },
        Mapping { run_words: 4, runs: huge, lanes: 32, warps: 1, instances: 1 },
        Mapping { run_words: 4, runs: 1, lanes: 32, warps: 1, instances: huge },
        Mapping { run_words: 4, runs: huge, lanes: 32, warps: huge, instances: huge },
    ] {
        let spec = KernelSpec { mapping, target: Target::Emulator, ..add_1000() };
        let found = error(&spec);
        assert!(
            matches!(
                found,
                SpecError::Threads { .. }
                    | SpecError::Registers { .. }
                    | SpecError::SharedMemory { .. }
                    | SpecError::Mapping { .. }
            ),
            "{mapping}: {found:?}"
        );
    }
}
