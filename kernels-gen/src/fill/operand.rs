//! The operand of a kernel: the words that constants, counters and random integers are computed from. The
//! templates say which ones.

use limbforge_algos::fill::Fill;
use limbforge_limb::num_bigint::{BigInt, BigUint, Sign};

use super::FillSpec;

impl FillSpec<'_> {
    /// The program's operand for the integers from number `first` on, in words of 32 bits.
    #[must_use]
    pub fn operand(&self, first: u64) -> Vec<u32> {
        match self.fill {
            Fill::Constant(value) => self.padded(&self.residue(value)),
            Fill::Counter { start, step } => self.counter(&(start + step * first), step),
            Fill::Random { seed, stream } => {
                let at = u128::from(first) * u128::from(self.width_words());
                let block = at / 4;
                let [low, middle, high] = [0, 32, 64].map(|shift| (block >> shift) as u32);
                vec![*seed as u32, (seed >> 32) as u32, *stream, low, middle, high, (at % 4) as u32]
            }
        }
    }

    /// Of the step and its negative the one with fewer bits is added, to the complement of the start if that
    /// is the negative.
    fn counter(&self, start: &BigInt, step: &BigInt) -> Vec<u32> {
        let (up, down) = (self.residue(step), self.residue(&-step));
        let is_down = down < up;
        let flip = if is_down { u32::MAX } else { 0 };
        let mut starts = self.residue(start).to_u32_digits();
        starts.resize(self.width_words() as usize, 0);
        starts.iter_mut().for_each(|word| *word ^= flip);
        starts.resize(self.words() as usize, 0);
        let step = if is_down { down } else { up };
        let zone = match step.to_u32_digits().len() {
            0 => 0,
            words => starts.len().min(words + 2),
        };
        let last = zone + starts[zone..].iter().take_while(|&&word| word == u32::MAX).count();
        let mut words = vec![flip, last as u32, zone as u32, 0];
        words.extend(starts);
        words.extend([0, 0]);
        words.extend(self.padded(&step));
        words
    }

    /// The value modulo `2^bits`.
    fn residue(&self, value: &BigInt) -> BigUint {
        let modulus = BigUint::from(1_u32) << self.bits;
        let residue = value.magnitude() % &modulus;
        if value.sign() == Sign::Minus { (&modulus - residue) % modulus } else { residue }
    }

    /// The words of an instance.
    fn padded(&self, value: &BigUint) -> Vec<u32> {
        let mut words = value.to_u32_digits();
        words.resize(self.words() as usize, 0);
        words
    }
}
