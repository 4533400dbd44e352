//! Greatest common divisors: monic, and 0 only for two zero polynomials.
//!
//! The optimised algorithm does s division steps at a time (Algorithm 10 of the model's paper). Coefficients
//! are counted from the leading one down, in both polynomials. A step subtracts a multiple of one from the
//! other, leading term upon leading term, so it only meets coefficients at the same distance from the leading
//! ones. s coefficients of each, the heads, determine steps that lower the degrees by s in all; these steps
//! change s further coefficients depending on 2s of both, so blocks are independent.

use super::{PolyError, PolyRing};
use crate::transform::context::Context;

/// Most coefficients of a block, for words of 64 bits in the fastest cache.
const BLOCK: usize = 1024;

/// One step: `factor` times one polynomial is subtracted from the other.
struct Step<E> {
    /// Index of the polynomial that is reduced.
    target: usize,
    factor: E,
    /// How far the leading coefficients of both have moved down since the heads were taken.
    at: [usize; 2],
}

impl<C: Context> PolyRing<C> {
    /// The monic greatest common divisor; 0 for two zero polynomials. Each step removes the leading term of
    /// the polynomial of higher degree by a multiple of the other (Algorithm 8). The caches of a CPU hold
    /// thousands of terms, so [`gcd_optimised`](Self::gcd_optimised) saves nothing there.
    #[must_use]
    pub fn gcd(&self, a: &[C::Element], b: &[C::Element]) -> Vec<C::Element> {
        let [mut a, mut b] = [a, b].map(|a| self.trimmed(a).to_vec());
        while let (Some(&a_leading), Some(&b_leading)) = (a.last(), b.last()) {
            if a.len() >= b.len() {
                let factor = self.field.mul(a_leading, self.field.inverse(b_leading));
                let shift = a.len() - b.len();
                self.sub_scaled(&mut a[shift..], &b, factor);
                a = self.trim(a);
            } else {
                core::mem::swap(&mut a, &mut b);
            }
        }
        self.monic(if a.is_empty() { &b } else { &a })
    }

    /// `[g, s, t]` with the monic greatest common divisor `g = s a + t b`, by Euclid's algorithm; t follows
    /// from s by one division. The degree of s is below that of `b / g`, and that of t below that of `a / g`,
    /// unless one operand is 0 or divides the other.
    ///
    /// # Errors
    /// [`PolyError::BothZero`] if a and b are 0.
    pub fn xgcd(&self, a: &[C::Element], b: &[C::Element]) -> Result<[Vec<C::Element>; 3], PolyError> {
        let (a, b) = (self.trimmed(a), self.trimmed(b));
        let (mut r, mut next) = (a.to_vec(), b.to_vec());
        let (mut s, mut next_s) = (vec![self.field.element(1)], Vec::new());
        while !next.is_empty() {
            let (quotient, rest) = self.div_rem(&r, &next)?;
            (r, next) = (next, rest);
            let combined = self.sub(&s, &self.mul(&quotient, &next_s));
            (s, next_s) = (next_s, combined);
        }
        let inverse = self.field.inverse(*r.last().ok_or(PolyError::BothZero)?);
        let (g, s) = (self.scale(&r, inverse), self.scale(&s, inverse));
        let t = match b {
            [] => Vec::new(),
            _ => self.div_rem(&self.sub(&g, &self.mul(&s, a)), b)?.0,
        };
        Ok([g, s, t])
    }

    /// The monic greatest common divisor with `s` steps at a time, which kernels follow; 0 counts as 1.
    #[must_use]
    pub fn gcd_optimised(&self, a: &[C::Element], b: &[C::Element], s: usize) -> Vec<C::Element> {
        let s = s.max(1);
        // From the leading coefficient down.
        let mut both = [a, b].map(|a| self.trimmed(a).iter().rev().copied().collect::<Vec<_>>());
        while both.iter().all(|a| !a.is_empty()) {
            if both.iter().any(|a| a.len() == 1) {
                return vec![self.field.element(1)];
            }
            let (steps, moved) = self.steps_of_heads(&both, s);
            both = self.apply(&both, &steps, moved, s).map(|a| self.from_leading(a));
        }
        let mut last = both.concat();
        last.reverse();
        self.monic(&last)
    }

    /// Without leading zeros.
    fn from_leading(self, mut a: Vec<C::Element>) -> Vec<C::Element> {
        let zeros = a.iter().position(|&x| x != self.field.zero()).unwrap_or(a.len());
        a.drain(..zeros);
        a
    }

    /// The steps that s coefficients of each determine, and how far the leading coefficients have moved.
    fn steps_of_heads(self, both: &[Vec<C::Element>; 2], s: usize) -> (Vec<Step<C::Element>>, [usize; 2]) {
        let (field, len) = (self.field, [both[0].len(), both[1].len()]);
        let mut heads = both.each_ref().map(|a| self.window(a, 0, s));
        let (mut steps, mut at) = (Vec::new(), [0, 0]);
        // Known coefficients of both, from the leading ones on.
        let mut known = s;
        while known > 0 && at[0] < len[0] && at[1] < len[1] {
            let target = usize::from(len[0] - at[0] < len[1] - at[1]);
            let factor =
                field.mul(heads[target][at[target]], field.inverse(heads[1 - target][at[1 - target]]));
            let step = Step { target, factor, at };
            self.take_off(&mut heads, &step);
            steps.push(step);
            while known > 0 && heads[target][at[target]] == field.zero() {
                at[target] += 1;
                known -= 1;
            }
        }
        (steps, at)
    }

    /// Both polynomials after the steps, from the new leading coefficients on, block by block.
    fn apply(
        self,
        both: &[Vec<C::Element>; 2],
        steps: &[Step<C::Element>],
        moved: [usize; 2],
        s: usize,
    ) -> [Vec<C::Element>; 2] {
        let block = s.max(BLOCK);
        let mut results = [0, 1].map(|i| vec![self.field.zero(); both[i].len().saturating_sub(moved[i])]);
        for start in (0..results[0].len().max(results[1].len())).step_by(block) {
            // The steps move up at most s coefficients from below the block.
            let mut windows = both.each_ref().map(|a| self.window(a, start, block + s));
            steps.iter().for_each(|step| self.take_off(&mut windows, step));
            for i in [0, 1] {
                let result = results[i].get_mut(start..).unwrap_or_default();
                let len = result.len().min(block);
                result[..len].copy_from_slice(&windows[i][moved[i]..][..len]);
            }
        }
        results
    }

    /// `len` coefficients from `start` on, with zeros after the last.
    fn window(self, a: &[C::Element], start: usize, len: usize) -> Vec<C::Element> {
        let rest = a.get(start..).unwrap_or_default();
        let mut window = rest[..rest.len().min(len)].to_vec();
        window.resize(len, self.field.zero());
        window
    }

    /// One step within two windows. In the first windows the coefficients before the leading ones are 0.
    fn take_off(self, [first, second]: &mut [Vec<C::Element>; 2], step: &Step<C::Element>) {
        let (target, other) = if step.target == 0 { (first, second) } else { (second, first) };
        let (to, from) = (step.at[step.target], step.at[1 - step.target]);
        let common = to.min(from);
        self.sub_scaled(&mut target[to - common..], &other[from - common..], step.factor);
    }
}

#[cfg(test)]
mod tests {
    use limbforge_field::DynField;

    use super::*;

    /// The blocks of one launch agree with steps over whole polynomials.
    #[test]
    fn blocks_are_independent() -> Result<(), limbforge_field::FieldError> {
        let ring = PolyRing::new(DynField::new(97)?);
        let values = |len: usize, seed: u64| -> Vec<_> {
            (0..len as u64).map(|i| ring.field.element((i * i * seed + 7 * i + 1) % 97)).collect()
        };
        for (n, m, s) in [(3000, 2900, 5), (2500, 1100, 64), (40, 39, 64), (1030, 1025, 1)] {
            let both = [ring.from_leading(values(n, 3)), ring.from_leading(values(m, 5))];
            let (steps, moved) = ring.steps_of_heads(&both, s);
            let mut whole = both.each_ref().map(|a| [a.clone(), vec![ring.field.zero(); n + m]].concat());
            steps.iter().for_each(|step| ring.take_off(&mut whole, step));
            let found = ring.apply(&both, &steps, moved, s);
            for i in [0, 1] {
                assert!(whole[i][..moved[i]].iter().all(|x| x.is_zero()));
                assert_eq!(ring.trim(whole[i][moved[i]..].to_vec()), ring.trim(found[i].clone()));
            }
        }
        Ok(())
    }
}
