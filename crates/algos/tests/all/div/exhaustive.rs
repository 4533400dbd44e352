//! All pairs of operands in small bases, and all quotients by their intervals.

use std::collections::BTreeSet;

use limbforge_limb::Base;
use limbforge_limb::slice::div::LimbDivisor;
use limbforge_reference::sample::thinned;
use limbforge_reference::toy::Toy;
use limbforge_testing::division::interval_ends;
use num_bigint::BigUint;

use crate::div::check_all;

/// All u below `2^bits`, for one in four v; for all of them in a long run.
fn all_pairs<B: Base>(bits: u32) {
    let numbers: Vec<BigUint> = (0..1_u32 << bits).map(BigUint::from).collect();
    for v in thinned(&numbers[1..], 4) {
        for u in &numbers {
            check_all::<B>(u, v);
        }
    }
}

/// Every u below `B^digits` for each v; returns the corrections that Watt's quotients took.
fn all_intervals<B: Base>(digits: u32) -> BTreeSet<i32> {
    let base = 1_u32 << B::BITS;
    let divisors = 1..base.pow(digits);
    divisors
        .flat_map(|v| {
            interval_ends(v, base, digits).into_iter().map(move |u| check_all::<B>(&u.into(), &v.into()))
        })
        .collect()
}

macro_rules! bases {
    ($($name:ident: $base:ty, pairs to 2^$bits:literal, intervals to $digits:literal digits, corrections $corrections:expr;)*) => {$(
        mod $name {
            use super::*;

            #[test]
            fn all_pairs_of_a_small_base() {
                all_pairs::<$base>($bits);
            }

            #[test]
            fn all_quotients_of_a_small_base_by_their_intervals() {
                assert_eq!(all_intervals::<$base>($digits), $corrections.into());
            }
        }
    )*};
}

// All corrections there are to Watt's quotients occur, but in base 16 only from four digits on.
bases! {
    base_2: Toy<1>, pairs to 2^9, intervals to 12 digits, corrections [-1, 0, 1, 2];
    base_4: Toy<2>, pairs to 2^8, intervals to 6 digits, corrections [-1, 0, 1, 2];
    base_8: Toy<3>, pairs to 2^8, intervals to 4 digits, corrections [-1, 0, 1, 2];
    base_16: Toy<4>, pairs to 2^8, intervals to 3 digits, corrections [0, 1, 2];
}

/// All divisors of one limb, and every `step`-th dividend of so many limbs.
fn all_of_one_limb<B: Base>(len: u32, step: usize) {
    let limb = |number: u64| B::from_word(number % (1 << B::BITS));
    for d in 1..1_u64 << B::BITS {
        let divisor = LimbDivisor::new(limb(d)).unwrap();
        for u in (0..1_u64 << (len * B::BITS)).step_by(step) {
            let digits = |number: u64| (0..len).map(|i| limb(number >> (i * B::BITS))).collect::<Vec<B>>();
            let (dividend, mut quotient) = (digits(u), digits(u));
            let rest = divisor.div_rem(&mut quotient);
            assert_eq!((quotient, rest), (digits(u / d), limb(u % d)), "{u} by {d}");
            assert_eq!(divisor.rem(&dividend), rest);
        }
    }
}

/// From eight limbs on a dividend is divided as two halves.
#[test]
fn long_dividends_by_one_limb_of_small_bases() {
    for len in [7, 8, 9, 12] {
        all_of_one_limb::<Toy<1>>(len, 1);
    }
    all_of_one_limb::<Toy<2>>(8, 1);
    all_of_one_limb::<Toy<3>>(8, 997);
    all_of_one_limb::<Toy<3>>(9, 10_007);
    all_of_one_limb::<Toy<4>>(8, 655_211);
    all_of_one_limb::<Toy<7>>(8, (1 << 44) - 17);
}
