//! Block algorithms as types: their kernels, emulated and compiled, against the block on the CPU.

use limbforge_algos::block::{
    Add, BlockAlgorithm, BlockOperation, Blocked, Div, MulClassical, MulNtt, MulWide,
};
use limbforge_emulate::Schedule;
use limbforge_field::presets::{BabyBear, Goldilocks};
use limbforge_field::{TwoAdicField, prime_field};
use limbforge_gpu::{Arch, Target as GpuTarget};
use limbforge_kernels_gen::{BlockKernel, Kernel, KernelSpec, Limits, SpecError, Target, render};
use limbforge_limb::Base;
use limbforge_needs::needs;
use limbforge_testing::operands;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use crate::common::nvrtc;
use crate::harness::{Device, built};

prime_field! { type Mine: u64 = 27 * 2^56 + 1; }

/// Structured and random operands of n instances; the first are all ones.
fn operands<A: BlockAlgorithm>(n: usize) -> [Vec<A::Limb>; 2] {
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    let integer = operands::integer::<A::Limb>(A::LIMBS);
    let mut operand = || -> Vec<A::Limb> {
        let others = (1..n).flat_map(|_| integer.new_tree(&mut runner).unwrap().current());
        vec![A::Limb::HIGHEST; A::LIMBS].into_iter().chain(others).collect()
    };
    [operand(), operand()]
}

/// Sizes of batches: less than a block, a block, more than two.
const fn sizes(instances: usize) -> [usize; 3] {
    [1, instances, 2 * instances + 1]
}

/// The kernel of the type has its numbers and, emulated, equals the block on the CPU.
fn check<O: BlockOperation, B: Base, const M: usize, const Q: usize, const IPB: usize>() {
    let spec = Blocked::<O, B, M, Q, IPB>::spec(&Limits::SM_90).unwrap();
    assert_eq!((spec.limb.words(), spec.words()), (B::BITS / 32, M as u32 * B::BITS / 32));
    assert_eq!((spec.mapping.run_words, spec.mapping.instances), (Q as u32 * B::BITS / 32, IPB as u32));
    let spec = KernelSpec { target: Target::Emulator, ..spec };
    let emulated = built(&render(&spec, &Limits::SM_90).unwrap());
    for n in sizes(IPB) {
        let [a, b] = operands::<Blocked<O, B, M, Q, IPB>>(n);
        let expected = Blocked::<O, B, M, Q, IPB>::on_cpu(&a, &b).unwrap();
        let [a, b] = [a, b].map(|operand| Blocked::<O, B, M, Q, IPB>::to_words(&operand));
        let (inputs, bytes) = ([&a, &b].map(|words| bytemuck::cast_slice(words)), expected.len() * B::BYTES);
        let (found, marks) =
            emulated.run_marked(&inputs, bytes, n as u64, Schedule::Random(n as u64)).unwrap();
        let found = Blocked::<O, B, M, Q, IPB>::from_words(&words(&found));
        let instances = found.chunks(O::RESULT * M).zip(expected.chunks(O::RESULT * M));
        // A quotient by 0 is marked.
        for (i, (found, expected)) in instances.enumerate().filter(|(i, _)| marks.get(*i) != Some(&1)) {
            assert_eq!(found, expected, "{spec}: instance {i} of {n}");
        }
    }
}

/// The words of 32 bits that the bytes are.
fn words(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])).collect()
}

macro_rules! equal_the_block {
    ($($name:ident: $($Algorithm:ty),+;)*) => {$(
        #[needs(cxx)]
        #[test]
        fn $name() {
            $(<$Algorithm as Checked>::check();)+
        }
    )*};
}

trait Checked {
    fn check();
}

impl<O: BlockOperation, B: Base, const M: usize, const Q: usize, const IPB: usize> Checked
    for Blocked<O, B, M, Q, IPB>
{
    fn check() {
        check::<O, B, M, Q, IPB>();
    }
}

/// Two transforms, a product and a transform back, in batches of three pairs.
impl<F: TwoAdicField, B: Base, const M: usize> Checked for MulNtt<F, B, M> {
    fn check() {
        let program = Self::spec(&Limits::SM_90).unwrap().program(&Limits::SM_90).unwrap();
        let [a, b] = operands::<Self>(3);
        let expected = Self::on_cpu(&a, &b).unwrap();
        let digits = [a, b].map(|operand| Self::to_words(&operand));
        let product = Device::new(program).unwrap().run(&digits, &[3], Schedule::Descending).result;
        assert_eq!(Self::from_words(&product), expected, "p = {}, M = {M}", F::MODULUS);
    }
}

equal_the_block! {
    sums: Add<u32, 7, 3, 5>, Add<u64, 16, 1, 2>, Add<u128, 70, 2, 1>;
    products: MulClassical<u32, 30, 4, 3>, MulClassical<u64, 17, 4, 3>, MulWide<u64, 5, 2, 4>;
    quotients: Div<u32, 21, 25, 8, 4>, Div<u64, 9, 13, 4, 2>;
    products_over_a_field: MulNtt<BabyBear, u32, 7>, MulNtt<Goldilocks, u64, 5>, MulNtt<Mine, u128, 3>;
}

/// All kernels of the types are accepted by the compiler for two architectures.
#[needs(nvrtc)]
#[test]
fn kernels_compile() {
    let nvrtc = nvrtc();
    for (arch, limits) in [("sm_75", Limits::SM_75), ("sm_90", Limits::SM_90)] {
        let arch: Arch = arch.parse().unwrap();
        let kernels: [Result<Vec<Kernel>, SpecError>; 5] = [
            Add::<u64, 64, 4, 8>::render(&limits),
            MulClassical::<u64, 64, 4, 8>::render(&limits),
            MulWide::<u32, 13, 4, 1>::render(&limits),
            Div::<u64, 64, 68, 4, 4>::render(&limits),
            MulNtt::<Goldilocks, u64, 64>::render(&limits),
        ];
        for kernel in kernels.into_iter().flat_map(Result::unwrap) {
            nvrtc.compile(&kernel.source, GpuTarget::Cubin(arch), &[]).unwrap();
        }
    }
}

/// What a type cannot know is refused by the device's limits, with the numbers.
#[test]
fn a_device_with_too_little_shared_memory_is_refused() {
    let limits = Limits { shared_bytes: 1 << 10, ..Limits::SM_90 };
    let refused = MulClassical::<u64, 1024, 4, 1>::spec(&limits);
    assert!(matches!(refused, Err(SpecError::SharedMemory { limit: 1024, .. })), "{refused:?}");
    assert!(MulNtt::<Goldilocks, u64, 1024>::spec(&limits).is_err());
}
