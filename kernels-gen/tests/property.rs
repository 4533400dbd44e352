//! Random expressions over random types, limbs, layouts and mappings: the real kernel text, run by the emulator, against
//! the CPU backend and against num-bigint.
//!
//! `PROPTEST_CASES=2000 cargo test --release -p limbforge-kernels-gen --test property` searches longer.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

mod common;

use std::cell::Cell;
use std::collections::HashMap;

use limbforge_algos::cpu;
use limbforge_algos::expr::Expr;
use limbforge_emulate::{Compiler, Emulated};
use limbforge_kernels_gen::{InputSpec, KernelSpec, LimbKind, Limits, Mapping, SpecError, Target, render};
use limbforge_limb::{Base, Batch, IntType, Layout};
use limbforge_needs::needs;
use limbforge_testing::{expr, operands};
use num_bigint::BigInt;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseResult, TestRng, TestRunner};

/// Cases for each limb unless `PROPTEST_CASES` says otherwise: compiling one takes up to half a second.
const CASES: u32 = 30;

/// A kernel to be made.
#[derive(Clone, Debug)]
struct Case {
    expression: Expr,
    ty: IntType,
    /// For every variable that there may be.
    layouts: [Layout; 3],
    broadcast: [bool; 3],
    output: Layout,
    /// Q and IPB, or the planned mapping.
    threads: Option<(u32, u32)>,
    /// Two runs to a thread where an instance has whole warps.
    two_runs: bool,
}

fn layout() -> impl Strategy<Value = Layout> + Clone {
    prop_oneof![2 => Just(Layout::InstanceMajor), 1 => Just(Layout::Interleaved)]
}

fn ty() -> impl Strategy<Value = IntType> {
    // Narrow ones are as likely as wide ones, and so are the neighbours of whole words.
    let near_words =
        (1_u64..=78, -1_i64..=1).prop_map(|(words, delta)| (32 * words).saturating_add_signed(delta));
    let bits = prop_oneof![2 => 1_u64..=200, 3 => 1_u64..=2500, 2 => near_words];
    (bits, any::<bool>()).prop_map(|(bits, signed)| IntType::new(bits, signed).unwrap())
}

fn case() -> impl Strategy<Value = Case> {
    let threads =
        prop_oneof![2 => Just(None), 3 => (1..=6_u32, 1..=5_u32).prop_map(Some), 2 => Just(Some((1, 1)))];
    let places =
        ([layout(), layout(), layout()], proptest::array::uniform3(proptest::bool::weighted(0.2)), layout());
    (ty().prop_flat_map(|ty| (Just(ty), expr::expression(ty))), places, threads, any::<bool>()).prop_map(
        |((ty, expression), (layouts, broadcast, output), threads, two_runs)| Case {
            expression,
            ty,
            layouts,
            broadcast,
            output,
            threads,
            two_runs,
        },
    )
}

/// Sums over instances of two warps or more, one limb to a thread: every carry that ripples crosses lanes, runs and warps.
fn sum_over_warps<B: Base>() -> impl Strategy<Value = Case> {
    let texts = vec!["a + b", "a - b", "-a - b", "a + b + a", "(a - b) - (b - a)"];
    let expression = proptest::sample::select(texts).prop_map(|text| Expr::parse(text).unwrap());
    let bits = (33 * u64::from(B::BITS)..=130 * u64::from(B::BITS), any::<bool>());
    let ty = bits.prop_map(|(bits, signed)| IntType::new(bits, signed).unwrap());
    (expression, ty, layout(), layout(), 1..=2_u32, any::<bool>()).prop_map(
        |(expression, ty, inputs, output, ipb, two_runs)| Case {
            expression,
            ty,
            layouts: [inputs; 3],
            broadcast: [false; 3],
            output,
            threads: Some((1, ipb)),
            two_runs,
        },
    )
}

impl Case {
    fn spec<B: Base>(&self) -> Result<KernelSpec, SpecError> {
        let (dag, limb) = (self.expression.to_dag(), LimbKind::of::<B>());
        let input = |(i, name): (usize, &str)| InputSpec::integers(name, self.layouts[i], self.broadcast[i]);
        let inputs: Vec<InputSpec> = dag.inputs().enumerate().map(input).collect();
        let mut mapping = match self.threads {
            None => Mapping::plan(&dag, self.ty, limb, &self.layouts),
            Some((q, ipb)) => Mapping::from_limbs_per_thread(&dag, self.ty, limb, q, ipb)?,
        };
        if self.two_runs && mapping.lanes == 32 {
            (mapping.runs, mapping.warps) = (2, mapping.warps.div_ceil(2));
        }
        KernelSpec::new(dag, self.ty, limb, inputs, self.output, mapping, Target::Emulator)
    }
}

/// The operands of N instances; a broadcast one has one instance. Neighbours are often each other's complement or
/// negative, so that carries ripple through every limb.
fn batches<B: Base>(runner: &mut TestRunner, spec: &KernelSpec, instances: usize) -> Vec<Batch<B>> {
    let pair = operands::integer_pair::<B>(spec.ty.limbs::<B>());
    let size = |input: &InputSpec| if input.broadcast { 1 } else { instances };
    let mut batches: Vec<Batch<B>> =
        spec.inputs.iter().map(|input| Batch::zeros(spec.ty, input.layout, size(input)).unwrap()).collect();
    for i in 0..instances {
        for two in batches.chunks_mut(2) {
            let (x, y) = pair.new_tree(runner).unwrap().current();
            for (batch, value) in two.iter_mut().zip([x, y]).filter(|(batch, _)| i < batch.instances()) {
                batch.set_instance(i, &value);
            }
        }
    }
    batches
}

/// Runs N instances under every schedule.
fn check<B: Base>(emulated: &Emulated, spec: &KernelSpec, batches: &[Batch<B>], n: usize) -> TestCaseResult {
    let ty = spec.dag.result_type(spec.ty).unwrap();
    let limbs: Vec<&[B]> = batches.iter().map(Batch::limbs).collect();
    let found = emulated
        .run_all_limbs::<B>(&limbs, n * ty.limbs::<B>(), n as u64)
        .map_err(|error| TestCaseError::fail(format!("{spec}: {n} instances: {error}")))?;
    let found = Batch::<B>::from_limbs(ty, spec.output, found)
        .map_err(|error| TestCaseError::fail(format!("{spec}: {n} instances: {error}")))?;
    let names = spec.inputs.iter().map(|input| &*input.name);
    let named: Vec<(&str, &Batch<B>)> = names.clone().zip(batches).collect();
    let cpu = if named.is_empty() { None } else { Some(cpu::eval(&spec.dag, &named).unwrap()) };
    let values: Vec<Vec<BigInt>> = batches.iter().map(Batch::to_bigints).collect();
    let residues = found.to_biguints();
    for i in 0..n {
        let variables: HashMap<&str, BigInt> = names
            .clone()
            .zip(&values)
            .map(|(name, values)| (name, values[i.min(values.len() - 1)].clone()))
            .collect();
        let expected = expr::evaluate(&spec.dag, &variables, spec.ty);
        prop_assert_eq!(
            &residues[i],
            &expected,
            "{}: instance {} of {}, operands {:x?}",
            spec,
            i,
            n,
            variables
        );
        if let Some(cpu) = &cpu {
            let i_cpu = i.min(cpu.instances() - 1);
            prop_assert_eq!(found.instance(i), cpu.instance(i_cpu), "{}: instance {} of {}: CPU", spec, i, n);
        }
    }
    Ok(())
}

fn kernels_equal_the_oracles<B: Base>(case: impl Strategy<Value = Case>, cases: u32, more: usize) {
    let compiler = Compiler::find().unwrap();
    let cases = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(cases);
    let config = Config { cases, failure_persistence: None, max_shrink_iters: 200, ..Config::default() };
    let seeded = || TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let mut runner = TestRunner::new_with_rng(config, seeded());
    let (run, refused) = (Cell::new(0), Cell::new(0));
    let result = runner.run(&(case, any::<[u8; 32]>()), |(case, seed)| {
        let spec = case.spec::<B>();
        let kernel = spec.and_then(|spec| render(&spec, &Limits::SM_90).map(|kernel| (spec, kernel)));
        let (spec, kernel) = match kernel {
            Ok(made) => made,
            Err(SpecError::Registers { .. } | SpecError::Threads { .. } | SpecError::SharedMemory { .. }) => {
                refused.set(refused.get() + 1);
                return Ok(());
            }
            Err(error) => return Err(TestCaseError::fail(format!("{case:?}: {error}"))),
        };
        let emulated = Emulated::build(&compiler, &kernel)
            .map_err(|error| TestCaseError::fail(format!("{spec}: {error}")))?;
        let mut operands =
            TestRunner::new_with_rng(Config::default(), TestRng::from_seed(RngAlgorithm::ChaCha, &seed));
        let block = kernel.geometry.instances as usize;
        // Less than a block, and blocks of which the last is not full.
        for n in [block.div_ceil(2), 2 * block + block / 2 + 1 + more] {
            check(&emulated, &spec, &batches::<B>(&mut operands, &spec, n), n)?;
        }
        run.set(run.get() + 1);
        Ok(())
    });
    if let Err(error) = result {
        panic!("{error}");
    }
    eprintln!("{} kernels ran, {} were refused", run.get(), refused.get());
    assert!(run.get() >= 3 * cases / 4, "{} of {cases} ran: the strategy refuses too many", run.get());
}

macro_rules! limbs {
    ($($name:ident, $sums:ident: $limb:ty;)*) => {$(
        #[needs(cxx)]
        #[test]
        fn $name() {
            kernels_equal_the_oracles::<$limb>(case(), CASES, 0);
        }

        #[needs(cxx)]
        #[test]
        fn $sums() {
            kernels_equal_the_oracles::<$limb>(sum_over_warps::<$limb>(), CASES / 3, 20);
        }
    )*};
}

limbs! {
    random_kernels_u32, sums_over_warps_u32: u32;
    random_kernels_u64, sums_over_warps_u64: u64;
    random_kernels_u128, sums_over_warps_u128: u128;
}
