//! Division: every rung against num-bigint, exhaustively in small bases, on structured operands and at every width.
//!
//! The operands are those of the executable specification of division, whose tests (left) are here (right; what is in another
//! file is so named, `kernel:` is `kernels-gen/tests/kernels/div.rs`, which runs the kernels' text):
//!
//! | specification | here |
//! | --- | --- |
//! | `special` | `special::special_cases_on_every_limb`, `block::inverse::exact_shifted_inverses`; kernel: `known` of every mapping |
//! | `inverse_deviation` | `inverse::watt_s_inverses_of_base*`, `any_base::watt_s_inverses_of_odd_bases*` |
//! | `inverse_deviation_adversarial` | `inverse::watt_s_inverses_of_long_operands*`, a seventh of its divisors |
//! | `lower_errors` | `inverse::lower_inverses_of_base*`, `any_base::lower_inverses_of_bases*` |
//! | `exhaustive_pairs` | `exhaustive::*::all_pairs*`, `any_base::all_quotients*`, `block::small`; kernel: `all_quotients_of_short_numbers`, `all_pairs_of_narrow*` |
//! | `exhaustive_monotone` | `exhaustive::*::all_quotients*`, `any_base::all_quotients*`, `block::small`; kernel: `all_quotients_of_short_numbers` |
//! | `adversarial` | `patterns::all_lengths*`, a quarter of its divisors; kernel: every mapping |
//! | `big` | `random::all_widths_are_exact`; kernels: `kernels-gen/tests/kernels/div_newton` |
//! | `short_errors` | `any_base::inverses_without_columns*`, `any_base::quotients_without_columns*`, `inverse::lower_inverses_of_*` |
//! | `wrap_checks` | `kernels-gen/src/kernel/newton/tests.rs`, `div_newton::products_by_cyclic_transforms` |
//! | `normalised` | `patterns::normalised_divisors*` (a fifth of its divisors, three dividends to each), `patterns::reciprocals*`; for the method: `kernels-gen/src/kernel/newton/tests.rs` |
//! | `modular`: `barrett` | `crates/algos/tests/all/barrett.rs`: `all_numbers_of_limbs*`, `limbs_of_a_few_bits`, `*_reductions` |
//! | `modular`: `barrett_bits` | the variant is on no path; its operands: `barrett.rs`: `all_quotients_of_moduli_of_...` |
//! | `modular`: `redc` | `montgomery.rs`: `moduli_of_*_as_long_as_r`, `chains_of_products_without_subtractions` |
//! | `modular`: `hensel_inverse` | `modinv2k.rs`: `all_numbers_of_short_limbs`, `*_inverses` |
//!
//! Limbs have bases 2^BITS only. Base 4 has three guard digits as 3 and 5 have, base 8 is the first with two; what is special to bases
//! 2, 3, 5 and 6, and to columns left out below 2^16, is in [`any_base`], on numbers. The full-length method of the specification, which
//! takes every operand whole in every step, is on no path.

mod any_base;
mod block;
mod digits;
mod exhaustive;
mod inverse;
mod patterns;
mod quotient;
mod random;
mod special;

use limbforge_algos::integer::div::lower::{self, Blocks};
use limbforge_algos::integer::div::watt;
use limbforge_algos::integer::{Products, Schoolbook};
use limbforge_limb::Base;
use limbforge_limb::slice::bits;
use limbforge_limb::slice::div::{LimbDivisor, div_rem, recursive, schoolbook, short, two};
use limbforge_testing::division::{pattern, power};
use limbforge_testing::operands::{integer, samples};
use limbforge_testing::oracle::{self, value};
use num_bigint::BigUint;

/// The limbs of a number, without zeros at the top.
fn limbs<B: Base>(number: &BigUint) -> Vec<B> {
    oracle::limbs(number, number.bits().div_ceil(B::BITS.into()) as usize)
}

/// Quotient and remainder by every rung, for `v` not zero; returns Watt's correction.
fn check_rungs<B: Base, P: Products<B>>(u: &BigUint, v: &BigUint, products: &mut P) -> i32 {
    let expected = (u / v, u % v);
    let (u_limbs, v_limbs) = (limbs::<B>(u), limbs::<B>(v));
    let (mut q, mut r) = (vec![B::HIGHEST; u_limbs.len()], vec![B::HIGHEST; v_limbs.len()]);
    let found = |q: &[B], r: &[B]| (value(q), value(r));
    let correction = watt::div_rem(&mut q, &mut r, &u_limbs, &v_limbs, products);
    assert_eq!(found(&q, &r), expected, "watt: {u:#x} by {v:#x}");
    assert!((-1..=2).contains(&correction));

    // In base 2 `lower` would take five guard digits, as four leave an error of up to four units, and two more digits of the
    // inverse: limbs have 32 bits or more, and it has no path for that (`any_base` has).
    // Longer blocks than the quotient are all the same.
    let all = (u_limbs.len() + 1).saturating_sub(v_limbs.len());
    let blocks = [1, 2, 3].into_iter().filter(|&limbs| limbs < all).chain([usize::MAX]);
    for limbs in blocks.filter(|_| B::BITS > 1) {
        // The inverse for a quotient of one limb is the first one.
        for seed in [3, 6].into_iter().take(limbs.min(all).clamp(1, 2)) {
            q.fill(B::HIGHEST);
            r.fill(B::HIGHEST);
            lower::div_rem(&mut q, &mut r, &u_limbs, &v_limbs, Blocks { limbs, seed }, &mut vec![], products);
            assert_eq!(found(&q, &r), expected, "lower, blocks of {limbs}: {u:#x} by {v:#x}");
        }
    }
    check_schoolbook(&u_limbs, &v_limbs, &expected);
    correction
}

fn check_schoolbook<B: Base>(u: &[B], v: &[B], expected: &(BigUint, BigUint)) {
    let (mut q, mut r) = (u.to_vec(), vec![B::HIGHEST; v.len()]);
    match *v {
        [limb] => {
            let divisor = LimbDivisor::new(limb).unwrap();
            r[0] = divisor.div_rem(&mut q);
            assert_eq!(divisor.rem(u), r[0]);
        }
        _ if u.len() < v.len() => return,
        _ => {
            let mut scratch = vec![B::HIGHEST; schoolbook::scratch_len(u.len(), v.len())];
            schoolbook::div_rem(&mut q, &mut r, u, bits::significant(v), &mut scratch);
        }
    }
    assert_eq!((value(&q), value(&r)), *expected, "schoolbook: {u:x?} by {v:x?}");
    if let [low, high] = *v {
        q.fill(B::HIGHEST);
        let rest = two::div_rem(&mut q, u, [low, high]);
        assert_eq!((value(&q), value(&rest)), *expected, "two limbs: {u:x?} by {v:x?}");
    }
    check_short(u, v, expected);
    check_recursive(u, v, expected);
}

/// Alone, and beside a division of the divisor by itself.
fn check_short<B: Base>(u: &[B], v: &[B], expected: &(BigUint, BigUint)) {
    let fits = (1..=short::MOST).contains(&v.len()) && u.len() >= v.len();
    let (mut q, mut r) = (vec![B::HIGHEST; u.len()], vec![B::HIGHEST; u.len()]);
    assert_eq!(short::div_rem(&mut q, &mut r, u, v), fits, "{u:x?} by {v:x?}");
    if !fits {
        return;
    }
    assert_eq!((value(&q), value(&r)), *expected, "short: {u:x?} by {v:x?}");
    r.fill(B::HIGHEST);
    assert!(short::div_rem(&mut [], &mut r, u, v));
    assert_eq!(value(&r), expected.1, "short, the remainder: {u:x?} by {v:x?}");
    let (mut one, mut zero, mut padded) = (q.clone(), r.clone(), vec![B::ZERO; u.len()]);
    padded[..v.len()].copy_from_slice(v);
    q.fill(B::HIGHEST);
    assert!(short::div_rem_pair([&mut one, &mut q], [&mut zero, &mut r], [&padded, u], [v, v]));
    assert_eq!((value(&q), value(&r)), *expected, "short, of a pair: {u:x?} by {v:x?}");
    assert_eq!((value(&one), value(&zero)), (1_u32.into(), BigUint::ZERO));
}

/// Divide and conquer down to the shortest quotients, and to some rows.
fn check_recursive<B: Base>(u: &[B], v: &[B], expected: &(BigUint, BigUint)) {
    // Products by columns have fewer limbs than B.
    if v.len() < 2 || u.len() < v.len() || B::BITS < usize::BITS && v.len() >> B::BITS != 0 {
        return;
    }
    let (mut q, mut r) = (u.to_vec(), vec![B::HIGHEST; v.len()]);
    let mut scratch = vec![B::HIGHEST; recursive::scratch_len(u.len(), v.len())];
    for threshold in [0, 7] {
        recursive::div_rem(&mut q, &mut r, u, v, threshold, &mut scratch);
        assert_eq!((value(&q), value(&r)), *expected, "recursive from {threshold}: {u:x?} by {v:x?}");
    }
}

/// Quotients and divisors long enough for products by Karatsuba's algorithm, of pieces too; divisors that
/// begin as dividends do, where an estimate is `B^k - 1`.
/// The 64-bit words of the lengths from which divide and conquer pays, in wide limbs whose top word may be zero:
/// a dividend of 80 words by a divisor of 41 in 21 limbs had no scratch for it.
#[test]
fn long_divisors_of_wide_limbs_with_a_zero_word_at_the_top() {
    let power = |words: usize| BigUint::from(1_u32) << (64 * words);
    // Some digits of a power of 3, with the top bit.
    let top = |words: usize| power(words) >> 1;
    let digits = |words: usize| BigUint::from(3_u32).pow(60 * words as u32) % top(words) + top(words);
    for n in 38..=46 {
        for m in n + 34..=n + 46 {
            for u in [digits(m), power(m) - 1_u32] {
                for v in [digits(n), power(n) - 1_u32, power(n - 1) + 1_u32] {
                    let (a, b) = (limbs::<u128>(&u), limbs::<u128>(&v));
                    let (mut q, mut r) = (vec![u128::MAX; a.len()], vec![u128::MAX; b.len()]);
                    div_rem(&mut q, &mut r, &a, &b).unwrap();
                    assert_eq!((value(&q), value(&r)), (&u / &v, &u % &v), "{m} words by {n}");
                }
            }
        }
    }
}

#[test]
fn long_recursions() {
    let lengths = [(64, 64), (70, 200), (130, 131), (200, 70), (81, 160)];
    for (index, (k, n)) in lengths.into_iter().enumerate() {
        let numbers = (pattern::<u64>(n), pattern::<u64>(k), integer::<u64>(n), integer::<u64>(k));
        for (v, q, other_v, other_q) in samples(numbers, 12 + index) {
            for (v, q) in [(v, q), (value(&other_v), value(&other_q))] {
                let v = v | power::<u64>(n - 1);
                for r in [BigUint::ZERO, &v - 1_u32] {
                    let u = &q * &v + &r;
                    check_recursive(&limbs::<u64>(&u), &limbs::<u64>(&v), &(q.clone(), r));
                }
                // The top limbs of both are equal.
                let u = (&v - 1_u32) * power::<u64>(k) + (power::<u64>(k) - 1_u32);
                check_recursive(&limbs::<u64>(&u), &limbs::<u64>(&v), &(&u / &v, &u % &v));
            }
        }
    }
}

/// All rungs with products by columns.
fn check_all<B: Base>(u: &BigUint, v: &BigUint) -> i32 {
    check_rungs::<B, _>(u, v, &mut Schoolbook)
}
