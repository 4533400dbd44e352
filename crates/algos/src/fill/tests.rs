use limbforge_limb::num_bigint::{BigInt, BigUint};

use super::*;

limbforge_limb::limb_newtype! { struct Short(u16); }

fn ty(text: &str) -> IntType {
    text.parse().unwrap()
}

/// Integer i as the documentation of [`Fill`] says.
fn expected(fill: &Fill, ty: IntType, i: u64) -> BigUint {
    let modulus = BigInt::from(1) << ty.bits();
    let value = match fill {
        Fill::Constant(value) => value.clone(),
        Fill::Counter { start, step } => start + step * i,
        Fill::Random { seed, stream } => {
            let words = ty.bits().div_ceil(32);
            let word = |w: u32| {
                let f = u128::from(i) * u128::from(words) + u128::from(w);
                let block = f / 4;
                let counter = [block as u32, (block >> 32) as u32, (block >> 64) as u32, *stream];
                philox4x32(counter, [*seed as u32, (seed >> 32) as u32])[(f % 4) as usize]
            };
            BigInt::from(BigUint::new((0..words).map(word).collect()))
        }
    };
    (((value % &modulus) + &modulus) % &modulus).magnitude().clone()
}

fn fills() -> Vec<Fill> {
    let wide = (BigInt::from(1) << 200) - 3;
    vec![
        Fill::ZERO,
        Fill::Constant(5.into()),
        Fill::counter(0, 1),
        Fill::counter(1, -1),
        Fill::counter(3, wide),
        Fill::Random { seed: 0x0123_4567_89ab_cdef, stream: 3 },
    ]
}

fn check<B: Base>() {
    for text in ["u4", "i32", "u33", "u64", "i100", "u128", "i131", "u300"] {
        for fill in fills() {
            for first in [0, 3, u64::MAX - 700] {
                let numbers = first..first + 700;
                let batch: Batch<B> = fill.batch(ty(text), Layout::InstanceMajor, numbers.clone()).unwrap();
                let found = batch.iter().map(|limbs| convert::to_biguint(&limbs));
                let all = numbers.clone().map(|i| expected(&fill, ty(text), i));
                assert!(found.eq(all), "{fill:?} {text} from {first} in {}", B::NAME);
                let other = fill.batch(ty(text), Layout::Interleaved, numbers).unwrap();
                assert_eq!(other, batch.into_layout(Layout::Interleaved));
            }
        }
    }
}

#[test]
fn integers_are_as_documented_in_every_limb() {
    check::<u32>();
    check::<u64>();
    check::<u128>();
    check::<Short>();
}

/// Many parts on many threads, and none.
#[test]
fn parts_are_equal_to_the_whole() {
    for fill in fills() {
        let part = |numbers| fill.batch::<u64>(ty("u250"), Layout::InstanceMajor, numbers).unwrap();
        let whole = part(0..5000);
        for numbers in [0..5000, 1..2, 1023..4097, 5000..5000] {
            let range = numbers.start as usize..numbers.end as usize;
            assert_eq!(part(numbers), whole.slice(range), "{fill:?}");
        }
    }
}

#[test]
fn numbers_that_do_not_fit_are_refused() {
    let refused = |fill: &Fill, text: &str| fill.check(ty(text)).unwrap_err().to_string();
    assert!(refused(&Fill::Constant(256.into()), "u8").starts_with("the number does not fit u8"));
    assert!(refused(&Fill::counter(-1, 1), "u8").contains("is negative"));
    assert!(Fill::counter(-1, 1000).check(ty("i8")).is_ok() && Fill::random(1).check(ty("u1")).is_ok());
    let huge = Fill::ZERO.batch::<u64>(ty("u64"), Layout::InstanceMajor, 0..u64::MAX).unwrap_err();
    assert!(matches!(huge, FillError::Batch(BatchError::TooLarge { .. })), "{huge}");
}

/// Bits of random integers are 1 about half of the time, the highest ones too.
#[test]
fn random_integers_look_random() {
    let batch: Batch<u32> = Fill::random(1).batch(ty("u77"), Layout::InstanceMajor, 0..10_000).unwrap();
    for bit in [0, 31, 32, 63, 64, 76] {
        let ones = batch.to_biguints().iter().filter(|value| value.bit(bit)).count();
        assert!((4700..5300).contains(&ones), "bit {bit}: {ones}");
    }
}
