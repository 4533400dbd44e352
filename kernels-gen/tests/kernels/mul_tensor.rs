//! Kernels of the product on tensor cores, emulated, against num-bigint.

use limbforge_emulate::{Compiler, Emulated, Schedule};
use limbforge_kernels_gen::ntt::Form;
use limbforge_kernels_gen::tensor::{MulTensorSpec, Phases, Squaring, TensorPlan, render_mul_tensor};
use limbforge_kernels_gen::{InputSpec, LimbKind, Limits, SpecError, Target};
use limbforge_limb::{IntType, Layout};
use limbforge_needs::needs;
use limbforge_testing::operands;
use num_bigint::BigUint;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

fn spec(ty: IntType, limb: LimbKind, square: bool) -> MulTensorSpec {
    let input = |name| InputSpec::integers(name, Layout::InstanceMajor, false);
    let inputs: Vec<InputSpec> = if square { vec![input("a")] } else { vec![input("a"), input("b")] };
    let phases = Phases::product(inputs.len());
    let plan = TensorPlan::for_phases(limb.instance_words(ty), &phases, &Limits::SM_90).unwrap();
    MulTensorSpec { ty, result: ty, limb, inputs, phases, plan, unless: None, target: Target::Emulator }
}

fn wide(bits: u64, limb: LimbKind, square: bool) -> MulTensorSpec {
    let low = spec(unsigned(bits), limb, square);
    let plan = TensorPlan::new(limb.instance_words(low.ty), Form::Wide, &Limits::SM_90).unwrap();
    MulTensorSpec { result: unsigned(2 * bits), plan, ..low }
}

/// By a warpgroup.
fn by_warpgroup(ty: IntType, limb: LimbKind) -> MulTensorSpec {
    let spec = spec(ty, limb, false);
    let plan = TensorPlan::new(spec.words(), Form::Low, &Limits::SM_90A).unwrap();
    assert!(plan.warpgroup && !spec.plan.warpgroup);
    MulTensorSpec { plan, ..spec }
}

/// Instances of `words` words: all ones, then what breaks carries; bits above those of the type are zero.
fn batch(ty: IntType, words: usize, instances: usize, seed: usize) -> Vec<u32> {
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    let integer = operands::integer::<u32>(words);
    let draw = |runner: &mut TestRunner| integer.new_tree(runner).unwrap().current();
    for _ in 0..seed {
        draw(&mut runner);
    }
    let mask = (BigUint::from(1_u32) << ty.bits()) - 1_u32;
    let mut out = vec![];
    for i in 0..instances {
        let value = if i == 0 { vec![u32::MAX; words] } else { draw(&mut runner) };
        let mut digits = (BigUint::from_slice(&value) & &mask).to_u32_digits();
        digits.resize(words, 0);
        out.extend(digits);
    }
    out
}

fn check(spec: &MulTensorSpec, instances: usize) {
    let compiler = Compiler::find().unwrap();
    let (words, result_words) = (spec.words() as usize, spec.result_words() as usize);
    let kernel = render_mul_tensor(spec, &Limits::SM_90A).unwrap();
    let emulated = Emulated::build(&compiler, &kernel).unwrap_or_else(|error| panic!("{spec}: {error}"));
    let count = |input: &InputSpec| if input.broadcast { 1 } else { instances };
    let operands: Vec<Vec<u32>> =
        spec.inputs.iter().enumerate().map(|(i, input)| batch(spec.ty, words, count(input), i)).collect();
    let read: Vec<&[u32]> = operands.iter().map(Vec::as_slice).collect();
    // Several warps meet at barriers: every order of them must give the same.
    let out = result_words * instances;
    let in_any_order =
        if spec.plan.warpgroup { words == 1536 } else { spec.plan.schedule.team > 1 && words < 1100 };
    let found = if in_any_order || words == 94 {
        emulated.run_all_limbs::<u32>(&read, out, instances as u64)
    } else {
        emulated.run_limbs::<u32>(&read, out, instances as u64, Schedule::Random(3))
    };
    let found = found.unwrap_or_else(|error| panic!("{spec}: {error}"));
    let value = |operand: &Vec<u32>, i: usize| {
        let first = i * words % operand.len();
        BigUint::from_slice(&operand[first..first + words])
    };
    for i in 0..instances {
        let last = operands.len() - 1;
        let product = value(&operands[0], i) * value(&operands[last], i);
        let expected = product % (BigUint::from(1_u32) << spec.result.bits());
        let found = BigUint::from_slice(&found[i * result_words..(i + 1) * result_words]);
        assert_eq!(found, expected, "{spec}: instance {i}");
    }
}

fn unsigned(bits: u64) -> IntType {
    IntType::unsigned(bits).unwrap()
}

const U32: LimbKind = LimbKind::of::<u32>();

#[needs(cxx)]
#[test]
fn two_instances_share_a_tile() {
    for (bits, instances) in [(512, 19), (131, 17), (480, 3), (64, 9), (1, 4)] {
        check(&spec(unsigned(bits), U32, false), instances);
    }
}

/// The word A of a number that multiplied by 2^16 - 1 has digit sums of 2^32 - 1 there, so that it overflows as what the
/// words of ones below pass on is added: 65535 A + 255 * 255 = -1 mod 2^32.
fn overflowing_word() -> u32 {
    // 65535 * (1 + 2^16) = 2^32 - 1.
    let inverse = 0_u32.wrapping_sub(1 + (1 << 16));
    assert_eq!(inverse.wrapping_mul(65_535), 1);
    0_u32.wrapping_sub(1 + 255 * 255).wrapping_mul(inverse)
}

/// Runs `spec` on two pairs of operands; the products.
fn products(spec: &MulTensorSpec, a: &[u32], b: &[u32]) -> [BigUint; 2] {
    let compiler = Compiler::find().unwrap();
    let kernel = render_mul_tensor(spec, &Limits::SM_90A).unwrap();
    let emulated = Emulated::build(&compiler, &kernel).unwrap();
    let found = emulated.run_limbs::<u32>(&[a, b], a.len(), 2, Schedule::Ascending).unwrap();
    let (first, second) = found.split_at(a.len() / 2);
    [BigUint::from_slice(first), BigUint::from_slice(second)]
}

#[needs(cxx)]
#[test]
fn nothing_is_carried_into_the_other_instance() {
    let (mut a, mut b) = (vec![u32::MAX; 15], vec![0; 32]);
    a.push(overflowing_word());
    a.extend([1; 16]);
    (b[0], b[16]) = (65_535, 1);
    let [first, second] = products(&spec(unsigned(512), U32, false), &a, &b);
    assert_eq!(first, BigUint::from_slice(&a[..16]) * 65_535_u32 % (BigUint::from(1_u32) << 512));
    assert_eq!(second, BigUint::from_slice(&[1; 16]));
}

#[needs(cxx)]
#[test]
fn overflow_of_a_tile_is_carried_into_the_next() {
    let (mut a, mut b) = (vec![u32::MAX; 31], vec![0; 128]);
    a.push(overflowing_word());
    a.resize(128, 0);
    b[0] = 65_535;
    let [first, second] = products(&spec(unsigned(2048), U32, false), &a, &b);
    assert_eq!(first, BigUint::from_slice(&a) * 65_535_u32);
    assert_eq!(second, BigUint::from(0_u32));
}

#[needs(cxx)]
#[test]
fn one_group_of_tiles() {
    for (bits, instances) in [
        (1024, 9),
        (1000, 5),
        (544, 4),
        (2048, 5),
        (1100, 7),
        (3000, 2),
        (4096, 2),
        (5000, 2),
        (8192, 2),
        (14_000, 2),
        (15_360, 1),
    ] {
        check(&spec(unsigned(bits), U32, false), instances);
    }
}

#[needs(cxx)]
#[test]
fn several_groups_of_tiles() {
    for (bits, instances) in [(10_000, 2), (12_288, 1), (16_384, 2), (24_000, 1), (29_000, 1), (32_768, 1)] {
        check(&spec(unsigned(bits), U32, false), instances);
    }
}

#[needs(cxx)]
#[test]
fn several_warps_for_an_instance() {
    for (bits, instances) in [(33_000, 2), (50_000, 2), (65_536, 2), (70_001, 1)] {
        check(&spec(unsigned(bits), U32, false), instances);
    }
}

#[needs(cxx)]
#[test]
fn a_warpgroup_for_an_instance() {
    for (ty, instances) in [("u49152", 3), ("u65536", 5), ("i49130", 1), ("u65500", 1), ("i61441", 2)] {
        check(&by_warpgroup(ty.parse().unwrap(), LimbKind::of::<u128>()), instances);
    }
    let mut square = by_warpgroup(unsigned(49_152), U32);
    (square.inputs, square.phases) = (square.inputs[..1].to_vec(), Phases::product(1));
    check(&square, 1);
}

/// 255 * 0x01010101 is a word of ones: what the word below overflows by runs through all words of two warps.
#[needs(cxx)]
#[test]
fn carries_run_through_the_warps_of_a_warpgroup() {
    let words = 2048;
    let mut a = vec![0; words];
    a[510] = u32::MAX;
    a[511..].fill(0x0101_0101);
    // The second instance has no carry, and ones in the words of the first two warps.
    a.extend((0..words).map(|word| if word < 1024 { 0x0101_0101 } else { 0 }));
    let mut b = vec![0; 2 * words];
    (b[0], b[words]) = (255, 255);
    let found = products(&by_warpgroup(unsigned(65_536), U32), &a, &b);
    for (operand, found) in a.chunks(words).zip(found) {
        assert_eq!(found, BigUint::from_slice(operand) * 255_u32 % (BigUint::from(1_u32) << 65_536));
    }
}

#[test]
fn what_a_warpgroup_multiplies() {
    let plan = |words, form, limits| TensorPlan::new(words, form, limits).unwrap();
    for (words, expected) in
        [(1024, false), (1484, false), (1488, true), (1532, true), (1535, false), (1540, false), (2048, true)]
    {
        assert_eq!(plan(words, Form::Low, &Limits::SM_90A).warpgroup, expected, "{words}");
    }
    assert!(!plan(2048, Form::Wide, &Limits::SM_90A).warpgroup);
    let square = TensorPlan::for_phases(2048, &Phases::product(1), &Limits::SM_90A).unwrap();
    assert!(square.squaring.squares && !square.warpgroup);
    let spec = by_warpgroup(unsigned(65_536), U32);
    assert!(matches!(render_mul_tensor(&spec, &Limits::SM_90), Err(SpecError::Mapping { .. })));
    assert_eq!(spec.plan.to_string(), "64@16g4v4/4of4*1x2");
}

#[needs(cxx)]
#[test]
fn wide_products_of_one_group() {
    for (bits, instances) in
        [(32, 9), (131, 17), (512, 9), (1000, 9), (1024, 9), (1100, 5), (2048, 3), (3001, 2)]
    {
        check(&wide(bits, U32, false), instances);
    }
    for (bits, instances) in [(4096, 2), (5000, 2), (8192, 2)] {
        check(&wide(bits, U32, bits == 4096), instances);
    }
    check(&wide(517, LimbKind::of::<u64>(), true), 5);
}

#[needs(cxx)]
#[test]
fn wide_products_of_several_groups() {
    for (bits, instances) in [(10_000, 2), (12_300, 1), (16_384, 1), (24_001, 1)] {
        check(&wide(bits, U32, false), instances);
    }
}

#[needs(cxx)]
#[test]
fn wide_products_of_several_warps() {
    for (bits, instances) in [(33_000, 1), (50_001, 1), (65_536, 2)] {
        check(&wide(bits, LimbKind::of::<u128>(), false), instances);
    }
}

#[needs(cxx)]
#[test]
fn limbs_signs_and_squares() {
    check(&spec("i1000".parse().unwrap(), LimbKind::of::<u64>(), false), 3);
    check(&spec("i517".parse().unwrap(), LimbKind::of::<u128>(), true), 3);
    check(&spec(unsigned(4100), LimbKind::of::<u64>(), true), 2);
}

#[needs(cxx)]
#[test]
fn squares_take_half_the_steps() {
    // Three, four and more groups; several warps.
    for (bits, instances) in [(18_000, 2), (24_000, 1), (24_576, 1), (32_768, 2), (49_152, 1), (65_536, 1)] {
        let spec = spec(unsigned(bits), U32, true);
        assert!(spec.plan.squaring.squares, "{spec}");
        check(&spec, instances);
    }
    // Two groups, of what is planned by the lower half.
    for (bits, instances, together) in [(10_000, 2, 5), (12_288, 2, 6), (16_384, 1, 8)] {
        let spec = spec(unsigned(bits), U32, true);
        let mut plan = spec.plan;
        (plan.schedule.together, plan.squaring) = (together, Squaring { squares: true, half: 0 });
        check(&MulTensorSpec { plan, ..spec }, instances);
    }
    assert!(!spec(unsigned(4096), U32, true).plan.squaring.squares);
    assert!(!spec(unsigned(8192), U32, false).plan.squaring.squares);
}

#[needs(cxx)]
#[test]
fn squares_of_few_tiles_are_products_by_their_lower_half() {
    // The upper half begins with a load of four words, of two, of one; one tile, two, three and four, and up to sixteen as quads.
    for (bits, instances) in [
        (1024, 9),
        (1000, 5),
        (768, 5),
        (520, 4),
        (544, 3),
        (2048, 9),
        (1100, 5),
        (1300, 2),
        (1536, 5),
        (3072, 2),
        (4096, 3),
        (3001, 2),
        (5000, 2),
        (6144, 2),
        (7200, 1),
        (8192, 3),
        (10_000, 1),
        (14_000, 1),
        (16_384, 2),
    ] {
        let spec = spec(unsigned(bits), U32, true);
        assert!(spec.plan.squaring.half > 0 && !spec.plan.squaring.squares, "{spec}");
        check(&spec, instances);
    }
    assert_eq!(spec(unsigned(512), U32, true).plan.squaring.half, 0);
    assert_eq!(spec(unsigned(8192), U32, false).plan.squaring.half, 0);
}

#[needs(cxx)]
#[test]
fn an_operand_for_all_instances() {
    for bits in [512, 1100, 40_000] {
        for operand in 0..2 {
            let mut spec = spec(unsigned(bits), U32, false);
            spec.inputs[operand].broadcast = true;
            check(&spec, 3);
        }
    }
}

#[test]
fn what_there_is_no_kernel_for() {
    let refused = |words, limits| TensorPlan::new(words, Form::Low, limits).unwrap_err();
    assert!(matches!(refused(16, &Limits { matrices: false, ..Limits::SM_75 }), SpecError::Matrices));
    assert!(matches!(refused(8257, &Limits::SM_90), SpecError::Digits(_)));
    assert!(matches!(refused(8256, &Limits::SM_86), SpecError::SharedMemory { .. }));
    let mut wrong = spec(unsigned(1000), U32, false);
    wrong.ty = unsigned(2000);
    wrong.result = wrong.ty;
    assert!(matches!(render_mul_tensor(&wrong, &Limits::SM_90), Err(SpecError::Width { .. })));
    wrong.ty = unsigned(1000);
    assert!(matches!(render_mul_tensor(&wrong, &Limits::SM_90), Err(SpecError::Width { .. })));
    wrong.result = wrong.ty;
    wrong.inputs[1].layout = Layout::Interleaved;
    assert!(matches!(render_mul_tensor(&wrong, &Limits::SM_90), Err(SpecError::Mapping { .. })));
    // Of a product there is no lower half alone, and less than half a number is none; all of it is.
    let square = spec(unsigned(1000), U32, true);
    for (half, refused) in [(12, true), (14, true), (16, false), (32, false), (36, true)] {
        let mut plan = square.plan;
        plan.squaring.half = half;
        let found = render_mul_tensor(&MulTensorSpec { plan, ..square.clone() }, &Limits::SM_90);
        assert_eq!(
            matches!(found, Err(SpecError::Mapping { found, .. }) if found == half),
            refused,
            "{half}"
        );
    }
    let product = MulTensorSpec { plan: square.plan, ..spec(unsigned(1000), U32, false) };
    assert!(matches!(render_mul_tensor(&product, &Limits::SM_90), Err(SpecError::Mapping { found: 16, .. })));
}
