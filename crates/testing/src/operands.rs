//! Integers that are likely to break arithmetic: one strategy for every test of limbforge.

use limbforge_limb::{Base, slice};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

/// So many values of the strategy, the same ones each time: for tables of operands.
///
/// # Panics
/// If the strategy has none.
pub fn samples<S: Strategy>(strategy: S, count: usize) -> impl Iterator<Item = S::Value> {
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    (0..count).map(move |_| match strategy.new_tree(&mut runner) {
        Ok(tree) => tree.current(),
        Err(reason) => panic!("no value: {reason}"),
    })
}

/// A uniformly distributed limb.
pub fn uniform_limb<B: Base>() -> impl Strategy<Value = B> + Clone {
    any::<[u64; 2]>().prop_map(|words| {
        let mut image = [0; 16];
        image[..8].copy_from_slice(&words[0].to_le_bytes());
        image[8..].copy_from_slice(&words[1].to_le_bytes());
        B::from_le_bytes(&image)
    })
}

/// A limb that is uniform, or at one of the places where carries are decided: 0, 1, B/2 - 1, B/2, B - 2, B -
/// 1.
pub fn limb<B: Base>() -> impl Strategy<Value = B> + Clone {
    let half = B::ONE << (B::BITS - 1) as usize;
    let edges = [B::ZERO, B::ONE, half - B::ONE, half, B::HIGHEST - B::ONE, B::HIGHEST];
    prop_oneof![2 => uniform_limb(), 3 => proptest::sample::select(edges.to_vec())]
}

/// Bits of a digit of the vectors in which batches are computed.
const DIGIT_BITS: u32 = 52;

/// Digits at the places where carries between them are decided.
const DIGITS: [u64; 5] = [0, 1, 1 << (DIGIT_BITS - 1), (1 << DIGIT_BITS) - 2, (1 << DIGIT_BITS) - 1];

/// M limbs: uniform, edge limbs, zero, one, all ones, powers of two and of B and their neighbours, long runs
/// of zeros and ones, and edge digits of 52 bits.
pub fn integer<B: Base>(m: usize) -> BoxedStrategy<Vec<B>> {
    let bits = (m as u32 * B::BITS).max(1);
    prop_oneof![
        4 => vec(uniform_limb(), m),
        4 => vec(limb(), m),
        1 => Just(vec![B::ZERO; m]),
        1 => Just(one(m)),
        1 => Just(vec![B::HIGHEST; m]),
        2 => (0..bits, -1..=1).prop_map(move |(k, delta)| near_power(m, k, delta)),
        2 => (0..m.max(1), -1..=1).prop_map(move |(k, delta)| near_power(m, k as u32 * B::BITS, delta)),
        3 => (any::<bool>(), vec(1..=bits, 1..8)).prop_map(move |(first, runs)| from_runs(m, first, &runs)),
        2 => vec(proptest::sample::select(&DIGITS), 1..8).prop_map(move |digits| from_digits(m, &digits)),
    ]
    .boxed()
}

/// Two integers of M limbs: independent, or equal, or so related that a sum or difference ripples a carry
/// through every limb (`b = NOT a`, `b = -a`, each plus or minus one).
pub fn integer_pair<B: Base>(m: usize) -> BoxedStrategy<(Vec<B>, Vec<B>)> {
    prop_oneof![
        5 => (integer(m), integer(m)),
        3 => (integer(m), any::<bool>(), -1..=1).prop_map(move |(a, complement, delta)| {
            let mut b = a.clone();
            if complement {
                slice::bits::not(&mut b, &a);
            }
            nudge(&mut b, delta);
            (a, b)
        }),
    ]
    .boxed()
}

fn one<B: Base>(m: usize) -> Vec<B> {
    (0..m).map(|i| if i == 0 { B::ONE } else { B::ZERO }).collect()
}

/// `2^k + delta mod B^m`.
fn near_power<B: Base>(m: usize, k: u32, delta: i32) -> Vec<B> {
    let mut power = vec![B::ZERO; m];
    slice::shift::shl(&mut power, &one(m), k);
    nudge(&mut power, delta);
    power
}

fn nudge<B: Base>(limbs: &mut [B], delta: i32) {
    match delta {
        1 => slice::add::increment(limbs, true),
        -1 => slice::sub::decrement(limbs, true),
        _ => false,
    };
}

/// Bits in runs of these lengths, repeated to the top, alternating, starting with ones if `first`.
fn from_runs<B: Base>(m: usize, first: bool, runs: &[u32]) -> Vec<B> {
    let mut limbs = vec![B::ZERO; m];
    let mut bit = 0;
    for (i, &run) in runs.iter().cycle().enumerate() {
        if bit >= m as u32 * B::BITS {
            break;
        }
        for at in bit..(bit + run).min(m as u32 * B::BITS) {
            if (i % 2 == 0) == first {
                let limb = &mut limbs[(at / B::BITS) as usize];
                *limb = *limb | B::ONE << (at % B::BITS) as usize;
            }
        }
        bit += run;
    }
    limbs
}

/// These digits of 52 bits, the lowest first, repeated to the top.
fn from_digits<B: Base>(m: usize, digits: &[u64]) -> Vec<B> {
    let mut limbs = vec![B::ZERO; m];
    let bits = m as u32 * B::BITS;
    for (at, digit) in (0..bits).step_by(DIGIT_BITS as usize).zip(digits.iter().cycle()) {
        for bit in (0..DIGIT_BITS.min(bits - at)).filter(|bit| digit >> bit & 1 == 1) {
            let limb = &mut limbs[((at + bit) / B::BITS) as usize];
            *limb = *limb | B::ONE << ((at + bit) % B::BITS) as usize;
        }
    }
    limbs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_side_by_side() {
        assert_eq!(from_digits::<u64>(2, &[1, (1 << 52) - 1]), [1 | u64::MAX << 52, (1 << 41) - 1]);
        assert_eq!(from_digits::<u32>(0, &[1]), []);
    }
}
