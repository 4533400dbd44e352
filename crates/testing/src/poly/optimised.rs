//! Division and gcd with s steps at a time: Algorithms 3 and 10 of Haque, Moreno Maza and Xie, "A Many-core
//! Machine Model for Designing Algorithms with Minimum Parallelism Overheads" (2014), as kernels compute
//! them.
//!
//! Coefficients of a gcd are counted from the leading one down, in both polynomials. A step subtracts a
//! multiple of one from the other, leading term upon leading term, so it only meets coefficients at the same
//! distance from the leading ones. s coefficients of each, the heads, determine steps that lower the degrees
//! by s in all; these steps change s further coefficients depending on 2s of both, so blocks are independent.

use limbforge_algos::poly::{Division, PolyError, PolyRing};
use limbforge_algos::transform::context::Context;

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

/// A ring that computes with s steps at a time.
#[derive(Clone, Copy, Debug)]
pub struct Optimised<C> {
    field: C,
    ring: PolyRing<C>,
    /// s, at least 1.
    s: usize,
}

impl<C: Context> Optimised<C> {
    /// The ring with s steps at a time; 0 counts as 1.
    pub fn new(ring: &PolyRing<C>, s: usize) -> Self {
        Self { field: ring.field(), ring: *ring, s: s.max(1) }
    }

    fn trim(self, a: &[C::Element]) -> Vec<C::Element> {
        self.ring.trimmed(a).to_vec()
    }

    /// `a -= factor * b` up to the length of the shorter one.
    fn sub_scaled(self, a: &mut [C::Element], b: &[C::Element], factor: C::Element) {
        for (x, &y) in a.iter_mut().zip(b) {
            *x = self.field.sub(*x, self.field.mul(y, factor));
        }
    }

    /// `(q, r)`, s terms of the quotient at a time from the highest terms of a and b; then their multiples of
    /// b are subtracted from one block of 2s coefficients of a after another (Algorithm 3).
    ///
    /// # Errors
    /// [`PolyError::ZeroDivisor`] if b is 0.
    pub fn div_rem(self, a: &[C::Element], b: &[C::Element]) -> Division<C::Element> {
        let (mut a, b) = (self.trim(a), self.ring.trimmed(b));
        let inverse = self.field.inverse(*b.last().ok_or(PolyError::ZeroDivisor)?);
        let mut quotient = vec![self.field.zero(); (a.len() + 1).saturating_sub(b.len())];
        let mut left = quotient.len();
        while left > 0 {
            let steps = self.s.min(left);
            left -= steps;
            let factors = &mut quotient[left..left + steps];
            let (low, head) = a[..left + steps + b.len() - 1].split_at_mut(left + b.len() - 1);
            self.head_steps(head, b, factors, inverse);
            self.update(low, b, factors, left, 2 * self.s);
        }
        a.truncate(b.len() - 1);
        Ok((quotient, self.trim(&a)))
    }

    /// The terms of the quotient, highest first, from the head of a: the terms that these steps remove.
    fn head_steps(
        self,
        head: &mut [C::Element],
        b: &[C::Element],
        factors: &mut [C::Element],
        inverse: C::Element,
    ) {
        for k in (0..head.len()).rev() {
            factors[k] = self.field.mul(head[k], inverse);
            // Term k vanishes; those below it meet the terms of b below its leading one.
            let reach = k.min(b.len() - 1);
            self.sub_scaled(&mut head[k - reach..k], &b[b.len() - 1 - reach..b.len() - 1], factors[k]);
        }
    }

    /// `low -= factors[k] * x^(first + k) * b` for all k, block by block.
    fn update(
        self,
        low: &mut [C::Element],
        b: &[C::Element],
        factors: &[C::Element],
        first: usize,
        block: usize,
    ) {
        let start = first.min(low.len());
        for (i, terms) in low[start..].chunks_mut(block).enumerate() {
            let at = start + i * block;
            for (k, &factor) in factors.iter().enumerate().filter(|&(_, &factor)| factor != self.field.zero())
            {
                // Term j of the block is term at + j of a, which meets term at + j - first - k of b.
                let (skip, from) = ((first + k).saturating_sub(at), at.saturating_sub(first + k));
                if skip < terms.len() && from < b.len() {
                    self.sub_scaled(&mut terms[skip..], &b[from..], factor);
                }
            }
        }
    }

    /// The monic greatest common divisor.
    pub fn gcd(self, a: &[C::Element], b: &[C::Element]) -> Vec<C::Element> {
        // From the leading coefficient down.
        let mut both = [a, b].map(|a| self.ring.trimmed(a).iter().rev().copied().collect::<Vec<_>>());
        while both.iter().all(|a| !a.is_empty()) {
            if both.iter().any(|a| a.len() == 1) {
                return vec![self.field.element(1)];
            }
            let (steps, moved) = self.steps_of_heads(&both);
            both = self.apply(&both, &steps, moved).map(|a| self.without_leading_zeros(a));
        }
        let mut last = both.concat();
        last.reverse();
        self.ring.monic(&last)
    }

    /// Without leading zeros.
    fn without_leading_zeros(self, mut a: Vec<C::Element>) -> Vec<C::Element> {
        let zeros = a.iter().position(|&x| x != self.field.zero()).unwrap_or(a.len());
        a.drain(..zeros);
        a
    }

    /// The steps that s coefficients of each determine, and how far the leading coefficients have moved.
    fn steps_of_heads(self, both: &[Vec<C::Element>; 2]) -> (Vec<Step<C::Element>>, [usize; 2]) {
        let (field, len) = (self.field, [both[0].len(), both[1].len()]);
        let mut heads = both.each_ref().map(|a| self.window(a, 0, self.s));
        let (mut steps, mut at) = (Vec::new(), [0, 0]);
        // Known coefficients of both, from the leading ones on.
        let mut known = self.s;
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
    ) -> [Vec<C::Element>; 2] {
        let block = self.s.max(BLOCK);
        let mut results = [0, 1].map(|i| vec![self.field.zero(); both[i].len().saturating_sub(moved[i])]);
        for start in (0..results[0].len().max(results[1].len())).step_by(block) {
            // The steps move up at most s coefficients from below the block.
            let mut windows = both.each_ref().map(|a| self.window(a, start, block + self.s));
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
        let field = DynField::new(97)?;
        let values = |len: usize, seed: u64| -> Vec<_> {
            (0..len as u64).map(|i| field.element((i * i * seed + 7 * i + 1) % 97)).collect()
        };
        for (n, m, s) in [(3000, 2900, 5), (2500, 1100, 64), (40, 39, 64), (1030, 1025, 1)] {
            let ring = Optimised::new(&PolyRing::new(field), s);
            let both = [ring.without_leading_zeros(values(n, 3)), ring.without_leading_zeros(values(m, 5))];
            let (steps, moved) = ring.steps_of_heads(&both);
            let mut whole = both.each_ref().map(|a| [a.clone(), vec![field.zero(); n + m]].concat());
            steps.iter().for_each(|step| ring.take_off(&mut whole, step));
            let found = ring.apply(&both, &steps, moved);
            for i in [0, 1] {
                assert!(whole[i][..moved[i]].iter().all(|x| x.is_zero()));
                assert_eq!(ring.trim(&whole[i][moved[i]..]), ring.trim(&found[i]));
            }
        }
        Ok(())
    }
}
