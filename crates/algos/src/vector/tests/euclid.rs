//! Greatest common divisors and inverses.

use core::array::from_fn;

use num_bigint::BigUint;

use super::super::lanes::WIDTH;
use super::super::path::Path;
use super::super::{Euclid, GROUPS, Pairs};
use super::{numbers, value};

/// Euclid's algorithm.
fn gcd(mut a: BigUint, mut b: BigUint) -> BigUint {
    while b != BigUint::ZERO {
        (a, b) = (b.clone(), a % b);
    }
    a
}

/// Pairs of numbers below `2^width` with an odd first one: carries at the digits' borders, long quotients,
/// common divisors, neighbours of Fibonacci's sequence, which take the most steps of Euclid's.
fn pairs(width: u32) -> Vec<[BigUint; 2]> {
    let all = numbers(width);
    let mut pairs: Vec<[BigUint; 2]> = (0..2 * all.len())
        .map(|i| {
            [
                &all[(7 * i + 3) % all.len()] | BigUint::from(1_u32),
                all[(5 * i + i / all.len()) % all.len()].clone(),
            ]
        })
        .collect();
    let half = numbers((width / 2).max(2));
    pairs.extend((0..half.len()).map(|i| {
        let [a, b, c] = [1, 3, 5].map(|k| &half[(k * i + k) % half.len()]);
        [(a | BigUint::from(1_u32)) * (c | BigUint::from(1_u32)), b * (c | BigUint::from(1_u32))]
    }));
    let (mut a, mut b) = (BigUint::from(1_u32), BigUint::from(1_u32));
    while b.bits() < width.into() {
        (a, b) = (b.clone(), a + b);
        if a.bit(0) {
            pairs.push([a.clone(), b.clone()]);
        }
        if b.bit(0) {
            pairs.push([b.clone(), a.clone()]);
        }
    }
    pairs.retain(|pair| pair.iter().all(|x| x.bits() <= width.into()));
    pairs
}

/// Runs the pairs, sixteen at a time or the first groups of fewer, and returns the results and the lanes'
/// bits.
fn run(path: Path, pairs: &[[BigUint; 2]], wants_inverses: bool) -> Vec<(BigUint, bool)> {
    let len = pairs.iter().flatten().map(BigUint::bits).max().unwrap_or(0).div_ceil(64) as usize;
    let rows: Vec<[Vec<u64>; 2]> =
        pairs.iter().map(|pair| pair.each_ref().map(BigUint::to_u64_digits)).collect();
    let mut words = vec![0; GROUPS * WIDTH * len];
    let mut room = words.chunks_exact_mut(len);
    let mut results: [[&mut [u64]; WIDTH]; GROUPS] = from_fn(|_| from_fn(|_| room.next().unwrap()));
    let operands: [Pairs<'_>; GROUPS] = from_fn(|group| {
        let row = |lane: usize, k: usize| rows.get(group * WIDTH + lane).map(|pair| &pair[k][..]);
        [from_fn(|lane| row(lane, 0).unwrap_or(&[1])), from_fn(|lane| row(lane, 1).unwrap_or(&[]))]
    });
    let groups = pairs.len().div_ceil(WIDTH);
    let (results, operands) = (&mut results[..groups], &operands[..groups]);
    let mut euclid = Euclid::default();
    let bits = if wants_inverses {
        euclid.inverses(path, results, operands)
    } else {
        euclid.divisors(path, results, operands);
        [u8::MAX; GROUPS]
    };
    let found = words.chunks_exact(len).zip(0..);
    found.take(pairs.len()).map(|(row, i)| (value(row), bits[i / WIDTH] >> (i % WIDTH) & 1 == 1)).collect()
}

#[test]
fn divisors_equal_those_of_euclid() {
    for path in Path::all() {
        for width in [2, 51, 52, 53, 64, 103, 104, 155, 156, 256, 260, 777] {
            for (i, pairs) in pairs(width).chunks(2 * WIDTH).enumerate() {
                // Groups of all sizes.
                let pairs = &pairs[..pairs.len().min(1 + (i + 15) % 16)];
                for ((found, _), [a, b]) in run(path, pairs, false).into_iter().zip(pairs) {
                    assert_eq!(found, gcd(a.clone(), b.clone()), "{} at {width} bits: {a} {b}", path.name());
                }
            }
        }
    }
}

#[test]
fn inverses_equal_those_of_num_bigint() {
    for path in Path::all() {
        for width in [2, 51, 52, 53, 64, 103, 104, 155, 156, 256, 260, 777] {
            for pairs in pairs(width).chunks(2 * WIDTH) {
                let pairs: Vec<[BigUint; 2]> = pairs.iter().map(|[m, a]| [m.clone(), a % m]).collect();
                for ((found, is_coprime), [m, a]) in run(path, &pairs, true).into_iter().zip(&pairs) {
                    let expected = a.modinv(m);
                    assert_eq!(
                        is_coprime,
                        gcd(m.clone(), a.clone()) == BigUint::from(1_u32),
                        "{a} modulo {m}"
                    );
                    if is_coprime {
                        assert_eq!(found, expected.unwrap_or_default(), "{}: {a} modulo {m}", path.name());
                    }
                }
            }
        }
    }
}

/// The most rounds: numbers of many digits, with quotients of all lengths.
#[test]
fn long_pairs() {
    let width = 2100;
    let all = pairs(width);
    for path in Path::all() {
        let pairs: Vec<[BigUint; 2]> =
            all.iter().step_by(all.len() / 30).map(|[m, a]| [m.clone(), a % m]).collect();
        for pairs in pairs.chunks(2 * WIDTH) {
            let (divisors, inverses) = (run(path, pairs, false), run(path, pairs, true));
            for (((divisor, _), (inverse, is_coprime)), [m, a]) in
                divisors.into_iter().zip(inverses).zip(pairs)
            {
                assert_eq!(divisor, gcd(m.clone(), a.clone()), "{}: {m} {a}", path.name());
                assert_eq!(is_coprime, divisor == BigUint::from(1_u32));
                if is_coprime {
                    assert_eq!(inverse, a.modinv(m).unwrap_or_default(), "{}: {a} modulo {m}", path.name());
                }
            }
        }
    }
}
