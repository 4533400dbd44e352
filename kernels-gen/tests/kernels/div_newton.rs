//! Divisions by an inverse from below, all launches emulated one after the other, against num-bigint and the CPU backend: operands
//! that other implementations fail on, structured ones, and every form of quotient and remainder.

mod short;
mod short_quotient;

use limbforge_algos::cpu;
use limbforge_algos::expr::Expr;
use limbforge_emulate::{Check, Compiler, Emulated, Schedule};
use limbforge_kernels_gen::newton::DivNewton;
use limbforge_kernels_gen::{
    InputSpec, Launch, LaunchKernel, LimbKind, Limits, Planner, Product, Program, ProgramSpec, Sink, Target,
};
use limbforge_limb::{Base, Batch, IntType, Layout};
use limbforge_needs::needs;
use limbforge_testing::division::{counterexamples, division, known, power};
use limbforge_testing::{operands, oracle};
use num_bigint::BigUint;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

/// Structured divisors, each with five dividends.
const DIVISORS: usize = 60;

/// The inverse begins short, so that narrow operands take several steps.
const SHORT_SEED: DivNewton = DivNewton {
    from_bits: 0,
    seed_words: 4,
    transforms_from: [u32::MAX; 2],
    cyclic_from: u32::MAX,
    tiles_from: 0,
};

/// Products of the quotient by transforms.
const TRANSFORMS: DivNewton = DivNewton { transforms_from: [0; 2], ..SHORT_SEED };

/// Those by the divisor's top known mod B^H - 1 only.
const CYCLIC: DivNewton = DivNewton { cyclic_from: 0, ..TRANSFORMS };

/// Only those of all words.
const WIDE_TRANSFORMS: DivNewton = DivNewton { transforms_from: [0, u32::MAX], ..SHORT_SEED };

fn runner() -> TestRunner {
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    TestRunner::new_with_rng(Config::default(), rng)
}

fn program<B: Base>(
    text: &str,
    ty: IntType,
    layout: Layout,
    broadcast: bool,
    newton: DivNewton,
) -> (ProgramSpec, Program) {
    let dag = Expr::parse(text).unwrap().to_dag();
    let inputs =
        dag.inputs().map(|name| InputSpec::integers(name, layout, broadcast && name == "b")).collect();
    let (limb, product, target) = (LimbKind::of::<B>(), Product::Tensor, Target::Emulator);
    let spec = ProgramSpec { dag, ty, limb, inputs, output: layout, product, target };
    let program = Program::with_divisions(&spec, &Limits::SM_90, &Planner::default(), newton).unwrap();
    let stages = program.launches.iter().filter(|launch| matches!(launch.kernel, LaunchKernel::DivNewton(_)));
    let transforms =
        program.launches.iter().filter(|launch| matches!(launch.kernel, LaunchKernel::MulNtt(_)));
    let is_transformed = newton.transforms_from[0] == 0 || newton.cyclic_from == 0;
    assert_eq!(transforms.count() > 1, is_transformed, "{text} {ty}");
    assert!(stages.count() > 5, "{text} {ty}: {:?}", program.launches);
    (spec, program)
}

/// The program's results, as words, and the instances that it marks.
fn run(program: &Program, inputs: &[Vec<u32>], instances: usize) -> (Vec<u32>, Vec<usize>) {
    run_in_order(program, inputs, instances, Schedule::Random(5), Check::Guards)
}

fn run_in_order(
    program: &Program,
    inputs: &[Vec<u32>],
    instances: usize,
    schedule: Schedule,
    check: Check,
) -> (Vec<u32>, Vec<usize>) {
    run_chunks(program, inputs, &[instances], (schedule, check), &mut |_, _| ())
}

/// What a run has left on the device.
struct Device<'p> {
    program: &'p Program,
    /// Gets each launch and what it has left.
    seen: &'p mut dyn FnMut(&Launch, &[u32]),
    tables: Vec<Vec<u32>>,
    singles: Vec<Vec<u32>>,
    buffers: Vec<Vec<u32>>,
    result: Vec<u32>,
    marked: Vec<usize>,
}

impl Device<'_> {
    /// One launch, for so many instances.
    fn launch(
        &mut self,
        (launch, kernel): (&Launch, &Emulated),
        inputs: &[&[u32]],
        instances: usize,
        schedule: Schedule,
    ) {
        let buffers = [&*self.buffers, &*self.singles, &*self.tables];
        let read = crate::common::launch::read(launch, instances, |i| inputs[i], buffers);
        let bytes = crate::common::launch::bytes_written(self.program, launch, instances);
        let (out, marks) = kernel
            .run_marked(&read, bytes, instances as u64, schedule)
            .unwrap_or_else(|error| panic!("{}: {error}", launch.kernel));
        let out: Vec<u32> =
            out.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect();
        (self.seen)(launch, &out);
        let done = self.result.len() / self.program.result_words as usize;
        self.marked.extend(marks.iter().enumerate().filter(|(_, mark)| **mark == 1).map(|(i, _)| done + i));
        match launch.output {
            Sink::Result => self.result.extend(out),
            Sink::Buffer(i) => self.buffers[i] = out,
            Sink::Single(i) => self.singles[i] = out,
        }
    }
}

/// As a GPU runs it: launches of one instance, then chunk after chunk the others. Several chunks are of instance-major batches.
fn run_chunks(
    program: &Program,
    inputs: &[Vec<u32>],
    chunks: &[usize],
    (schedule, check): (Schedule, Check),
    seen: &mut dyn FnMut(&Launch, &[u32]),
) -> (Vec<u32>, Vec<usize>) {
    let compiler = Compiler::find().unwrap();
    let built = |launch: &Launch| {
        let kernel = launch.kernel.render(&Limits::SM_90).unwrap();
        Emulated::build_with(&compiler, &kernel, check)
            .unwrap_or_else(|error| panic!("{}: {error}", launch.kernel))
    };
    let kernels: Vec<Emulated> = program.launches.iter().map(built).collect();
    let mut device = Device {
        program,
        seen,
        tables: (0..program.tables.len()).map(|table| program.table_words(table)).collect(),
        singles: vec![vec![]; program.singles.len()],
        buffers: vec![vec![]; program.buffers.len()],
        result: vec![],
        marked: vec![],
    };
    let launches = || program.launches.iter().zip(&kernels);
    let whole: Vec<&[u32]> = inputs.iter().map(|input| &**input).collect();
    for launch in launches().filter(|(launch, _)| launch.is_single()) {
        device.launch(launch, &whole, 1, schedule);
    }
    let mut first = 0;
    for &count in chunks {
        let of_chunk = |(input, words): (&&[u32], &u64)| match *words as usize {
            words if words > 0 && chunks.len() > 1 => (first * words, count * words),
            _ => (0, input.len()),
        };
        let parts = whole.iter().zip(&program.input_words).map(of_chunk);
        let read: Vec<&[u32]> =
            whole.iter().zip(parts).map(|(input, (from, len))| &input[from..][..len]).collect();
        for launch in launches().filter(|(launch, _)| !launch.is_single()) {
            device.launch(launch, &read, count, schedule);
        }
        first += count;
    }
    (device.result, device.marked)
}

/// Known and structured pairs of at most this many bits, and such whose divisors end around the middle.
fn pairs(bits: u64) -> Vec<(BigUint, BigUint)> {
    let mut runner = runner();
    let words = bits as usize / 32;
    let digits = division::<u32>(words);
    let structured = (0..DIVISORS).flat_map(|_| {
        let (dividends, v) = digits.new_tree(&mut runner).unwrap().current();
        dividends.into_iter().map(move |u| (u, v.clone()))
    });
    let named = counterexamples::<u32>(bits);
    let others = known::<u32>(bits).into_iter().filter(|pair| !named.contains(pair)).step_by(7);
    let mut pairs: Vec<_> = named.iter().cloned().chain(others).collect();
    pairs.extend(structured);
    let all_ones = (BigUint::from(1_u32) << bits) - 1_u32;
    for shift in [0, 1, 31, 32, bits / 2 - 1, bits / 2, bits / 2 + 1, bits - 32, bits - 2, bits - 1] {
        let v = BigUint::from(1_u32) << shift;
        let near = [v.clone(), &v - 1_u32, &v + 1_u32, (&v << 1) - 1_u32, &all_ones >> shift];
        let near = near.into_iter().filter(|v| *v != BigUint::ZERO);
        pairs.extend(near.flat_map(|v| [(all_ones.clone(), v.clone()), (&v - 1_u32, v)]));
    }
    let middle = power::<u32>(words / 2);
    pairs.push((&middle * &middle - 1_u32, middle));
    pairs.retain(|(u, v)| u.bits() <= bits && v.bits() <= bits && *v != BigUint::ZERO);
    pairs
}

fn check_pairs(bits: u64, newton: DivNewton) {
    check_quotients(bits, newton, &pairs(bits));
}

fn check_quotients(bits: u64, newton: DivNewton, pairs: &[(BigUint, BigUint)]) {
    let ty = IntType::unsigned(bits).unwrap();
    let m = ty.limbs::<u32>();
    let words = |values: &mut dyn Iterator<Item = &BigUint>| -> Vec<u32> {
        values.flat_map(|value| oracle::limbs::<u32>(value, m)).collect()
    };
    let inputs = [words(&mut pairs.iter().map(|(u, _)| u)), words(&mut pairs.iter().map(|(_, v)| v))];
    for (text, of) in [("a / b", 0), ("a % b", 1)] {
        let (_, program) = program::<u32>(text, ty, Layout::InstanceMajor, false, newton);
        let (found, marked) = run(&program, &inputs, pairs.len());
        assert_eq!(marked, [0_usize; 0]);
        for ((u, v), found) in pairs.iter().zip(found.chunks_exact(m)) {
            let expected = if of == 0 { u / v } else { u % v };
            assert_eq!(oracle::value(found), expected, "{text}, {bits} bits: {u:#x} by {v:#x}");
        }
    }
}

#[needs(cxx)]
#[test]
fn known_and_structured_operands() {
    check_pairs(512, SHORT_SEED);
}

#[needs(cxx)]
#[test]
fn widths_of_an_odd_number_of_words() {
    check_pairs(1000, SHORT_SEED);
}

#[needs(cxx)]
#[test]
fn several_steps() {
    check_pairs(2112, SHORT_SEED);
}

/// What is above whole tiles of tensor cores is multiplied by the sums around the products.
#[needs(cxx)]
#[test]
fn products_of_whole_tiles() {
    check_pairs(2048, SHORT_SEED);
}

#[needs(cxx)]
#[test]
fn products_by_transforms() {
    check_pairs(1024, TRANSFORMS);
    check_pairs(2048, WIDE_TRANSFORMS);
}

#[needs(cxx)]
#[test]
fn products_by_cyclic_transforms() {
    check_pairs(2048, CYCLIC);
    check_pairs(4030, DivNewton { transforms_from: [u32::MAX; 2], ..CYCLIC });
}

/// Dividends and divisors of all lengths, with zeros, ones and what breaks carries.
fn batch<B: Base>(ty: IntType, layout: Layout, instances: usize, seed: usize) -> Batch<B> {
    let mut runner = runner();
    let m = ty.limbs::<B>();
    let integer = operands::integer::<B>(m);
    for _ in 0..seed {
        integer.new_tree(&mut runner).unwrap();
    }
    let mut batch = Batch::zeros(ty, layout, instances).unwrap();
    for i in 0..instances {
        let mut limbs = integer.new_tree(&mut runner).unwrap().current();
        // Every third one is short.
        if i % 3 == 1 {
            limbs[(i * 7 + seed) % m..].fill(B::ZERO);
        }
        batch.set_instance(i, &limbs);
    }
    batch
}

/// An expression of `a`, `b` and perhaps others against the CPU backend, failures and all.
fn check<B: Base>(text: &str, ty: &str, layout: Layout, broadcast: bool) {
    check_batches::<B>(text, ty, layout, broadcast, |_, _| ());
}

/// The same with operands that are made of others, given by name.
fn check_batches<B: Base>(
    text: &str,
    ty: &str,
    layout: Layout,
    broadcast: bool,
    make: fn(&str, &mut Batch<B>),
) {
    let ty: IntType = ty.parse().unwrap();
    let (spec, program) = program::<B>(text, ty, layout, broadcast, SHORT_SEED);
    let instances = 23;
    let of = |(i, input): (usize, &InputSpec)| {
        let mut batch = batch::<B>(ty, layout, if input.broadcast { 1 } else { instances }, 5 * i);
        make(&input.name, &mut batch);
        batch
    };
    let batches: Vec<Batch<B>> = spec.inputs.iter().enumerate().map(of).collect();
    let named: Vec<(&str, &Batch<B>)> = spec.inputs.iter().map(|input| &*input.name).zip(&batches).collect();
    let expected = cpu::eval_checked(&spec.dag, &named).unwrap();
    let words = |batch: &Batch<B>| bytemuck::cast_slice::<B, u32>(batch.limbs()).to_vec();
    let inputs: Vec<Vec<u32>> = batches.iter().map(words).collect();
    let (found, mut marked) = run(&program, &inputs, instances);
    let mut failed: Vec<usize> = expected.failures.iter().map(|failure| failure.instance).collect();
    for list in [&mut failed, &mut marked] {
        list.sort_unstable();
        list.dedup();
    }
    assert_eq!(marked, failed, "{text} {ty}");
    let mut results = Batch::<B>::zeros(spec.dag.result_type(ty).unwrap(), layout, instances).unwrap();
    bytemuck::cast_slice_mut::<B, u32>(results.limbs_mut()).copy_from_slice(&found);
    for i in (0..instances).filter(|i| !failed.contains(i)) {
        assert_eq!(results.instance(i), expected.values.instance(i), "{text} {ty} {layout:?}: instance {i}");
    }
}

macro_rules! expressions {
    ($($name:ident: $limb:ty, $layout:ident, $broadcast:expr, [$(($text:expr, $ty:expr)),* $(,)?];)*) => {$(
        #[needs(cxx)]
        #[test]
        fn $name() {
            $(check::<$limb>($text, $ty, Layout::$layout, $broadcast);)*
        }
    )*};
}

expressions! {
    signed_types: u32, InstanceMajor, false, [
        ("a / b", "i1000"), ("a % b", "i1000"), ("div_euclid(a, b)", "i1000"), ("rem_euclid(a, b)", "i1000"),
        ("div_exact(a, b)", "i1000"), ("divisible(a, b)", "i1000"),
    ];
    unsigned_forms: u64, InstanceMajor, false, [
        ("div_euclid(a, b)", "u1024"), ("rem_euclid(a, b)", "u1024"), ("div_exact(a * b, b)", "u700"), ("divisible(a, b)", "u1024"),
    ];
    other_limbs: u128, InstanceMajor, false, [("a / b", "u1100"), ("a % b", "i1100")];
    a_divisor_for_all: u64, InstanceMajor, true, [
        ("a / b", "u1024"), ("a % b", "i777"), ("div_euclid(a, b)", "i1000"), ("rem_euclid(a, b)", "i1000"),
        ("div_exact(a, b)", "i1000"), ("div_exact(a * b, b)", "u700"), ("divisible(a, b)", "u1024"),
    ];
    divisors_made_of_one_for_all: u32, InstanceMajor, true, [
        ("(a / (b | 1)) ^ (a % (b | 1)) ^ b", "u1000"), ("a / 1000003 + a % 1000003", "i900"), ("(b / a) + (a / b)", "u640"),
        ("(a / b + a) % (b >> 300)", "u704"), ("(b * b) / b + a", "u512"), ("a / (b * b) - b / 77", "u640"),
    ];
    interleaved_by_a_divisor_for_all: u64, Interleaved, true, [("a / b", "u800"), ("a % (b ^ 5)", "i640")];
    interleaved: u64, Interleaved, false, [("a / b", "u800"), ("a % b", "i640")];
    between_other_operations: u32, InstanceMajor, false, [
        ("(a / b) * b + a % b", "u1000"), ("select(divisible(a, b), a, (a + b) / (b | 1)) >> 3", "i700"), ("(a * b) / (a + 1) / (b | 5)", "u600"),
    ];
}

/// Where all divisors of a batch are half as wide, or all wider, products are left out.
#[needs(cxx)]
#[test]
fn batches_that_leave_out_products() {
    let ty = IntType::unsigned(2048).unwrap();
    let dag = Expr::parse("(a / b) ^ (a % b)").unwrap().to_dag();
    let m = ty.limbs::<u32>();
    let cases =
        [SHORT_SEED, TRANSFORMS, CYCLIC].map(|newton| [m / 2, m / 2 + 1, m].map(|kept| (newton, kept)));
    for (newton, kept) in cases.into_iter().flatten() {
        let (_, program) = program::<u32>("(a / b) ^ (a % b)", ty, Layout::InstanceMajor, false, newton);
        let [a, mut b] = [0, 7].map(|seed| batch::<u32>(ty, Layout::InstanceMajor, 40, seed));
        for i in 0..b.instances() {
            let mut limbs = b.instance(i);
            limbs[kept..].fill(0);
            // Shifts by 0 to 31 bits: the upper block has up to a word.
            limbs[kept - 1] = limbs[kept - 1].max(1) >> (i % 32) | 1 << (31 - i % 32);
            b.set_instance(i, &limbs);
        }
        let expected = cpu::eval(&dag, &[("a", &a), ("b", &b)]).unwrap();
        let inputs = [a.limbs().to_vec(), b.limbs().to_vec()];
        let (found, marked) = run(&program, &inputs, 40);
        assert_eq!(marked, [0_usize; 0]);
        assert_eq!(found, expected.limbs(), "divisors of {kept} words");
    }
}

/// A divisor that is one for all instances is shifted and inverted once: of full, half and short length, and 0, by all kinds of
/// products, in several chunks.
#[needs(cxx)]
#[test]
fn a_divisor_for_all_in_several_chunks() {
    let ty = IntType::unsigned(2048).unwrap();
    let text = "(a / b) ^ (a % b)";
    let dag = Expr::parse(text).unwrap().to_dag();
    let m = ty.limbs::<u32>();
    let (chunks, instances) = ([12, 8, 3], 23);
    for newton in [SHORT_SEED, TRANSFORMS, CYCLIC] {
        let (_, program) = program::<u32>(text, ty, Layout::InstanceMajor, true, newton);
        let singles = program.launches.iter().filter(|launch| launch.is_single()).count();
        assert!(singles > 5 && singles < program.launches.len(), "{singles}");
        let a = batch::<u32>(ty, Layout::InstanceMajor, instances, 0);
        for kept in [0, 1, 2, m / 2, m / 2 + 1, m - 1, m] {
            let mut b = batch::<u32>(ty, Layout::InstanceMajor, 1, 3 * kept);
            let mut limbs = b.instance(0);
            limbs[kept..].fill(0);
            if kept > 0 {
                limbs[kept - 1] = limbs[kept - 1].max(1) >> (kept % 32);
                limbs[kept - 1] |= 1;
            }
            b.set_instance(0, &limbs);
            let expected = cpu::eval_checked(&dag, &[("a", &a), ("b", &b)]).unwrap();
            let inputs = [a.limbs().to_vec(), b.limbs().to_vec()];
            let order = (Schedule::Random(7), Check::Guards);
            let (found, marked) = run_chunks(&program, &inputs, &chunks, order, &mut |_, _| ());
            if kept == 0 {
                assert_eq!(marked, (0..instances).collect::<Vec<_>>());
                assert_eq!(expected.failures.len(), 2 * instances);
            } else {
                assert_eq!(marked, [0_usize; 0]);
                assert_eq!(found, expected.values.limbs(), "a divisor of {kept} words");
            }
        }
    }
}

/// One dividend divided by all divisors, and one division for all instances, as everything else: nothing runs once.
#[test]
fn only_a_divisor_is_shared() {
    let ty = IntType::unsigned(2048).unwrap();
    for (text, shares) in [
        ("a / b", true),
        ("b / a", false),
        ("b / (b + 3)", false),
        ("a / (b + 3)", true),
        ("a / (a + b)", false),
    ] {
        let (_, program) = program::<u32>(text, ty, Layout::InstanceMajor, true, SHORT_SEED);
        assert_eq!(program.launches.iter().any(Launch::is_single), shares, "{text}");
        assert_eq!(program.singles.is_empty(), !shares, "{text}");
    }
}

/// Several warps to an instance meet at barriers: every order of them must give the same.
#[needs(cxx)]
#[test]
fn warps_in_any_order() {
    let ty: IntType = "i9000".parse().unwrap();
    let (spec, program) =
        program::<u32>("rem_euclid(a, b) ^ div_euclid(a, b)", ty, Layout::InstanceMajor, false, SHORT_SEED);
    let instances = 3;
    let batches = [0, 7].map(|seed| batch::<u32>(ty, Layout::InstanceMajor, instances, seed));
    let expected = cpu::eval_checked(&spec.dag, &[("a", &batches[0]), ("b", &batches[1])]).unwrap();
    let inputs = batches.each_ref().map(|batch| batch.limbs().to_vec());
    for schedule in Schedule::SAMPLE {
        let (found, marked) = run_in_order(&program, &inputs, instances, schedule, Check::Guards);
        assert_eq!(marked, [0_usize; 0]);
        assert_eq!(found, expected.values.limbs(), "{schedule:?}");
    }
}

/// Every access, exactly, and vectors where they are aligned: instances of an odd number of warps, whose words in shared memory do
/// not end at one. The second products of steps take whole tiles here.
#[needs(cxx)]
#[test]
fn accesses_of_an_odd_number_of_warps() {
    let ty: IntType = "u8192".parse().unwrap();
    let (_, program) = program::<u32>("(a / b) ^ (a % b)", ty, Layout::InstanceMajor, false, SHORT_SEED);
    let batches = [0, 7].map(|seed| batch::<u32>(ty, Layout::InstanceMajor, 3, seed));
    let expected = cpu::eval(
        &Expr::parse("(a / b) ^ (a % b)").unwrap().to_dag(),
        &[("a", &batches[0]), ("b", &batches[1])],
    );
    let inputs = batches.each_ref().map(|batch| batch.limbs().to_vec());
    let (found, _) = run_in_order(&program, &inputs, 3, Schedule::Random(5), Check::Memory);
    assert_eq!(found, expected.unwrap().limbs());
}

/// The quotient of full operands is one too small before the last correction for exact multiples: every case takes it.
#[needs(cxx)]
#[test]
fn wide_operands() {
    let ty = IntType::unsigned(40_000).unwrap();
    let (_, program) = program::<u32>("a % b", ty, Layout::InstanceMajor, false, DivNewton::default());
    let m = ty.limbs::<u32>();
    let ones = |bits: u64| (BigUint::from(1_u32) << bits) - 1_u32;
    let pairs = [
        (ones(40_000), ones(20_000)),
        (ones(19_000) * ones(21_000), ones(19_000)),
        (ones(39_999), (BigUint::from(1_u32) << 31_000) + 1_u32),
        (ones(40_000), BigUint::from(3_u32)),
    ];
    let words = |of: fn(&(BigUint, BigUint)) -> &BigUint| -> Vec<u32> {
        pairs.iter().flat_map(|pair| oracle::limbs::<u32>(of(pair), m)).collect()
    };
    let (found, _) = run(&program, &[words(|pair| &pair.0), words(|pair| &pair.1)], pairs.len());
    for ((u, v), found) in pairs.iter().zip(found.chunks_exact(m)) {
        assert_eq!(oracle::value(found), u % v);
    }
}
