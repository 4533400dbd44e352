//! Batches of operands.

use limbforge_kernels_gen::InputSpec;
use limbforge_limb::{Base, Batch, IntType, Layout};
use limbforge_testing::{operands, oracle};
use num_bigint::BigUint;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

/// Draws the same values each time.
pub(crate) fn random_runner() -> TestRunner {
    TestRunner::new_with_rng(Config::default(), TestRng::deterministic_rng(RngAlgorithm::ChaCha))
}

/// Random operands of N instances; a broadcast one has one instance. Neighbours are often each other's
/// complement or negative, so that carries ripple through every limb.
pub(crate) fn random_batches<B: Base>(
    runner: &mut TestRunner,
    inputs: &[InputSpec],
    ty: IntType,
    n: usize,
) -> Vec<Batch<B>> {
    let pair = operands::integer_pair::<B>(ty.limbs::<B>());
    let size = |input: &InputSpec| if input.broadcast { 1 } else { n };
    let mut batches: Vec<Batch<B>> =
        inputs.iter().map(|input| Batch::zeros(ty, input.layout, size(input)).unwrap()).collect();
    for i in 0..n {
        for two in batches.chunks_mut(2) {
            let (x, y) = pair.new_tree(runner).unwrap().current();
            for (batch, value) in two.iter_mut().zip([x, y]).filter(|(batch, _)| i < batch.instances()) {
                batch.set_instance(i, &value);
            }
        }
    }
    batches
}

/// Integers that are likely to break arithmetic: all ones first.
pub(crate) fn drawn_batch<B: Base>(
    runner: &mut TestRunner,
    ty: IntType,
    layout: Layout,
    n: usize,
) -> Batch<B> {
    let integer = operands::integer::<B>(ty.limbs::<B>());
    let mut batch = Batch::zeros(ty, layout, n).unwrap();
    batch.set_instance(0, &vec![B::HIGHEST; ty.limbs::<B>()]);
    for i in 1..n {
        batch.set_instance(i, &integer.new_tree(runner).unwrap().current());
    }
    batch
}

/// Residues one after the other.
pub(crate) fn instance_major<'v>(ty: IntType, values: impl IntoIterator<Item = &'v BigUint>) -> Batch<u32> {
    let m = ty.limbs::<u32>();
    let limbs = values.into_iter().flat_map(|value| oracle::limbs::<u32>(value, m)).collect();
    Batch::from_limbs(ty, Layout::InstanceMajor, limbs).unwrap()
}
