//! Division of residues by powers of two, and other powers of two than those of Montgomery's form.

use limbforge_limb::slice::mul::{Factors, rows::multiple};

use super::constants::{Reduction, Ring};
use crate::integer::Scratch;
use crate::invariant::broken_invariant;

/// Bits of a step: all but one of a word.
const STEP: u32 = u64::BITS - 1;

/// From so many steps on, the power of 1/2 takes less time.
const BY_POWER: u32 = 64;

impl Ring {
    /// `x = x / 2^bits` of a residue modulo an odd number in Montgomery's form: a multiple of the modulus
    /// makes the lowest bits zero, which then are dropped.
    pub(crate) fn div_power2(&self, x: &mut [u64], bits: u32, scratch: &mut Scratch) {
        let Reduction::Montgomery { negated, .. } = self.reduction else {
            broken_invariant("the modulus is odd")
        };
        if bits > BY_POWER * STEP {
            let mut half = self.one.clone();
            self.drop_bits(&mut half, 1, negated);
            let power = self.power(&half, &[u64::from(bits)], scratch);
            let number = x.to_vec();
            return self.mul(x, Factors::Pair(&number, &power), scratch);
        }
        let mut rest = bits;
        while rest > 0 {
            let step = rest.min(STEP);
            self.drop_bits(x, step, negated);
            rest -= step;
        }
    }

    /// The number of `a 2^bits` for the residue `x` of a: Montgomery's form with another power of two.
    pub(crate) fn keep_power2(&self, x: &mut [u64], bits: u32, scratch: &mut Scratch) {
        let own = u64::BITS * x.len() as u32;
        if bits <= own {
            return self.div_power2(x, own - bits, scratch);
        }
        let two = self.enter(&[2], scratch);
        let power = self.power(&two, &[u64::from(bits - own)], scratch);
        let number = x.to_vec();
        self.mul(x, Factors::Pair(&number, &power), scratch);
    }

    /// `x = x / 2^bits`, for up to 63 bits.
    fn drop_bits(&self, x: &mut [u64], bits: u32, negated: u64) {
        let factor = x[0].wrapping_mul(negated) & ((1 << bits) - 1);
        let above = multiple::add_inline(x, &self.modulus, factor);
        let low = above << (u64::BITS - bits);
        let n = x.len();
        for i in 0..n {
            let next = if i + 1 < n { x[i + 1] << (u64::BITS - bits) } else { low };
            x[i] = x[i] >> bits | next;
        }
    }
}

#[cfg(test)]
mod tests {
    use limbforge_limb::slice::mul::Factors;

    use num_bigint::BigUint;

    use super::{BY_POWER, Ring, STEP, Scratch};

    fn biguint(words: &[u64]) -> BigUint {
        BigUint::new(words.iter().flat_map(|&word| [word as u32, (word >> 32) as u32]).collect())
    }

    #[test]
    fn products_with_the_power_give_the_number_back() {
        let scratch = &mut Scratch::default();
        let moduli: [&[u64]; 5] =
            [&[1], &[3], &[u64::MAX], &[u64::MAX, u64::MAX, u64::MAX], &[1, 0, 0, 1 << 63]];
        for modulus in moduli {
            let Some(ring) = Ring::montgomery(modulus, scratch) else { panic!("odd") };
            let two = ring.enter(&[2], scratch);
            for x in [&[0][..], &[1], &[7, 5, 3], &[u64::MAX; 9]] {
                let number = x;
                let x = ring.enter(x, scratch);
                for words in 0..4 {
                    let mut key = x.clone();
                    ring.keep_power2(&mut key, 32 * words, scratch);
                    let [number, modulus] = [number, modulus].map(biguint);
                    assert_eq!(biguint(&key), (number << (32 * words)) % modulus, "{words} words");
                }
                for bits in [0, 1, 2, 62, 63, 64, 126, 127, 128, 1000, BY_POWER * STEP, BY_POWER * STEP + 1] {
                    let mut quotient = x.clone();
                    ring.div_power2(&mut quotient, bits, scratch);
                    let power = ring.power(&two, &[u64::from(bits)], scratch);
                    let mut back = vec![0; x.len()];
                    ring.mul(&mut back, Factors::Pair(&quotient, &power), scratch);
                    assert_eq!(back, x, "{modulus:?}, {bits} bits");
                    let mut number = quotient.clone();
                    ring.mul(&mut number, Factors::Pair(&quotient, &ring.one), scratch);
                    assert_eq!(number, quotient, "below the modulus");
                }
            }
        }
    }
}
