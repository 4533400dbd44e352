//! Numbers of Lucas tests, and the residues and exponents of their sequences.

use limbforge_limb::slice::{add, bits};

use crate::integer::packed::{shift_right, sub_mod, word_rem};

/// A number that is tested: odd, above 2^64, trimmed.
#[derive(Clone, Debug, Default)]
pub(super) struct Number {
    pub(super) modulus: Vec<u64>,
    /// `1 / Q - 2`.
    pub(super) first: Vec<u64>,
    /// m and s.
    pub(super) half: Vec<u64>,
    pub(super) twos: u32,
}

impl Number {
    /// For a number and its D; `None` if it has a common divisor with Q.
    pub(super) fn new(n: &[u64], d: i64) -> Option<Self> {
        let inverse = inverse_of_small((1 - d) / 4, n)?;
        let (mut first, mut two) = (vec![0; n.len()], vec![0; n.len()]);
        two[0] = 2;
        sub_mod(&mut first, &inverse, &two, n);
        // n + 1 = d 2^s, and m = floor(d / 2).
        let mut half = n.to_vec();
        half.push(0);
        add::increment(&mut half, true);
        let twos = bits::trailing_zeros(&half);
        shift_right(&mut half, twos + 1);
        Some(Self { modulus: n.to_vec(), first, half, twos })
    }

    /// A lane without a number.
    pub(super) fn one() -> Self {
        Self { modulus: vec![1], first: vec![0], half: vec![], twos: 1 }
    }
}

/// `1 / q mod n` for a small q that is not 0: `(k n + 1) / |q|` with the k below |q| that makes it whole.
fn inverse_of_small(q: i64, n: &[u64]) -> Option<Vec<u64>> {
    let magnitude = q.unsigned_abs();
    let rest = u128::from(word_rem(n, magnitude));
    let k = (0..magnitude).find(|&k| (u128::from(k) * rest + 1).is_multiple_of(magnitude.into()))?;
    // k n + 1, divided word by word from the top.
    let (mut multiple, mut carry) = (Vec::with_capacity(n.len() + 1), 1_u128);
    for &word in n {
        carry += u128::from(word) * u128::from(k);
        multiple.push(carry as u64);
        carry >>= 64;
    }
    multiple.push(carry as u64);
    let mut above = 0_u128;
    for word in multiple.iter_mut().rev() {
        above = above << 64 | u128::from(*word);
        (*word, above) = ((above / u128::from(magnitude)) as u64, above % u128::from(magnitude));
    }
    multiple.truncate(n.len());
    let mut inverse = multiple.clone();
    if q < 0 {
        sub_mod(&mut inverse, &vec![0; n.len()], &multiple, n);
    }
    Some(inverse)
}

#[cfg(test)]
mod tests {
    use super::inverse_of_small;
    use num_bigint::BigInt;
    use num_traits::One;

    #[test]
    fn inverses_of_small_numbers() {
        for n in [(1_u128 << 127) - 1, (1 << 65) + 1, (1 << 100) + 277, u128::MAX] {
            let words = [n as u64, (n >> 64) as u64];
            for q in (-40_i64..=40).filter(|&q| q != 0) {
                let modulus = BigInt::from(n);
                let expected = BigInt::from(q).modinv(&modulus);
                let found = inverse_of_small(q, &words)
                    .map(|words| BigInt::from(u128::from(words[1]) << 64 | u128::from(words[0])));
                assert_eq!(found, expected, "1 / {q} mod {n}");
                assert!(found.is_none_or(|found| (found * q - BigInt::one()) % &modulus == BigInt::ZERO));
            }
        }
    }
}
