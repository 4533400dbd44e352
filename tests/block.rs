//! Block algorithms on a GPU: kernels of chosen limbs, M, Q, IPB and primes equal the block on the CPU.
#![cfg(feature = "gpu")]

use limbforge::RunBlock;
use limbforge::algos::block::{Add, Div, MulClassical, MulNtt, MulWide};
use limbforge::field::presets::{BabyBear, Goldilocks};
use limbforge::gpu::{Compiler, Device};
use limbforge_needs::needs;
use limbforge_testing::operands;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;

/// Batches of no, one and many instances, for the last of which b is 0.
fn check<A: RunBlock>() -> Result<(), Box<dyn std::error::Error>> {
    let (device, compiler) = (Device::open(0)?, Compiler::from_environment()?);
    let mut runner = TestRunner::default();
    for n in [0, 1, 1000] {
        let mut operand = || -> Result<Vec<A::Limb>, Box<dyn std::error::Error>> {
            let integer = operands::integer::<A::Limb>(n * A::LIMBS);
            Ok(integer.new_tree(&mut runner).map_err(|reason| reason.to_string())?.current())
        };
        let (a, mut b) = (operand()?, operand()?);
        b.iter_mut().rev().take(A::LIMBS).for_each(|limb| *limb = A::Limb::default());
        assert_eq!(A::on_gpu(&device, &compiler, &a, &b)?, A::on_cpu(&a, &b)?, "{n} instances");
    }
    let odd = vec![A::Limb::default(); A::LIMBS + 1];
    assert!(A::on_gpu(&device, &compiler, &odd, &odd).is_err());
    Ok(())
}

macro_rules! equal_the_block {
    ($($name:ident: $($Algorithm:ty),+;)*) => {$(
        #[needs(gpu)]
        #[test]
        fn $name() -> Result<(), Box<dyn std::error::Error>> {
            $(check::<$Algorithm>()?;)+
            Ok(())
        }
    )*};
}

equal_the_block! {
    sums: Add<u32, 7, 3, 5>, Add<u64, 64, 4, 8>, Add<u128, 70, 2, 1>;
    products: MulClassical<u32, 30, 4, 3>, MulClassical<u64, 64, 4, 8>, MulWide<u64, 5, 2, 4>;
    quotients: Div<u32, 21, 25, 8, 4>, Div<u64, 9, 13, 4, 2>;
    products_over_a_field: MulNtt<BabyBear, u32, 7>, MulNtt<Goldilocks, u64, 64>;
}
