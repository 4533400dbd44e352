//! Division by an inverse over digits of any base, in whole numbers: the method that `lower` implements on limbs.
//!
//! Limbs have bases 2^BITS by their definition: they wrap, shift and complement. The proofs of `docs/div.md` are for any base, and
//! where one is wrong, bases 2, 3, 5 and 6 show it first, and columns that are left out in bases so small that limbs keep all. In
//! bases that both have, this and the limbs give the same inverses (`any_base`).

use num_bigint::{BigInt, BigUint};
use num_traits::{One, ToPrimitive, Zero};

/// Numbers in a base.
pub(crate) struct Digits {
    pub(crate) base: u32,
    /// Whether products leave out columns, as `lower` does from 2^16 on.
    pub(crate) short: bool,
}

impl Digits {
    pub(crate) fn power(&self, n: usize) -> BigUint {
        BigUint::from(self.base).pow(n as u32)
    }

    /// The number of digits.
    pub(crate) fn len(&self, x: &BigUint) -> usize {
        self.split(x).len()
    }

    fn split(&self, x: &BigUint) -> Vec<u64> {
        if self.base <= 256 {
            let digits = x.to_radix_le(self.base);
            let len = if x.is_zero() { 0 } else { digits.len() };
            return digits[..len].iter().copied().map(u64::from).collect();
        }
        let (mut x, mut digits) = (x.clone(), vec![]);
        while !x.is_zero() {
            digits.extend((&x % self.base).to_u64());
            x /= self.base;
        }
        digits
    }

    /// `floor(x B^n)`.
    fn shifted(&self, x: &BigUint, n: isize) -> BigUint {
        let power = self.power(n.unsigned_abs());
        if n < 0 { x / power } else { x * power }
    }

    /// The products of digits i of x and j of y with `i + j >= from`, in units of `B^from`.
    fn columns(&self, x: &BigUint, y: &BigUint, from: usize) -> BigUint {
        if !self.short {
            return x * y / self.power(from);
        }
        let (x, y) = (self.split(x), self.split(y));
        let column = |c: usize| -> u64 {
            let rows = (c + 1).saturating_sub(y.len())..x.len().min(c + 1);
            rows.map(|i| x[i] * y[c - i]).sum()
        };
        (from..x.len() + y.len()).rev().fold(BigUint::zero(), |sum, c| sum * self.base + column(c))
    }

    /// Guard digits g: `B^(g-1) >= 4 (1 + 2/B)`.
    pub(crate) fn guard(&self) -> usize {
        match self.base {
            2 => 5,
            3..=5 => 3,
            _ => 2,
        }
    }

    /// The fixed point c of `c^2 B^(1-g) + 1 + 2/B`, with `(t + 4)/B` more where columns are left out, in millionths,
    /// rounded up.
    pub(crate) fn bound(&self, t: usize) -> u64 {
        let base = f64::from(self.base);
        let error = 1.0 + 2.0 / base + if self.short { (t + 4) as f64 / base } else { 0.0 };
        let rest = 1.0 - 4.0 * base.powi(1 - self.guard() as i32) * error;
        assert!(rest >= 0.0, "no bound in base {} to {t} digits", self.base);
        (2e6 * error / (1.0 + rest.sqrt())) as u64 + 1
    }

    /// w of t digits with `0 <= B^(k+t)/v - w < c` for v of k + 1 digits that is no power of B.
    pub(crate) fn inverse(&self, v: &BigUint, precision: usize) -> BigUint {
        let (mut t, mut steps) = (precision, vec![]);
        while t > self.guard() + 1 {
            steps.push(t);
            t = (t + self.guard()).div_ceil(2);
        }
        let k = self.len(v) - 1;
        let prefix = |t: usize| (self.shifted(v, t as isize + 1 - k as isize), u32::from(k > t + 1));
        let (top, dropped) = prefix(t);
        let seed = self.power(2 * t + 1) / (top + dropped);
        steps.into_iter().rev().fold((seed, t), |(w, t), next| (self.step(&w, t, prefix(next), next), next)).0
    }

    /// From t digits to `next`, with the `next + 2` top digits of v and 1 if digits were dropped.
    fn step(&self, w: &BigUint, t: usize, (prefix, dropped): (BigUint, u32), next: usize) -> BigUint {
        // The difference is below c B^(next + 2); in base 2, c is more than 2.
        let len = next + 3 + usize::from(self.base == 2);
        let from = if self.short { t - 2 } else { 0 };
        let product = self.columns(&prefix, w, from) + dropped * self.shifted(w, -(from as isize));
        let modulus = self.power(len - from);
        let difference = (&modulus - product % &modulus) % &modulus / self.power(t - from);
        let is_above = self.short && !difference.is_zero();
        let difference = difference - u32::from(is_above);
        let from = if self.short { t - 1 } else { 0 };
        self.shifted(w, (next - t) as isize) + self.columns(w, &difference, from) / self.power(t + 1 - from)
    }

    /// Digits of an inverse for quotients of n digits.
    pub(crate) fn precision(&self, n: usize) -> usize {
        if self.base == 2 { n + 3 } else { n + 1 }
    }

    /// Quotient, remainder, and whether the estimate was one too small, for `v <= u` and the inverse of v to t digits, as many as
    /// [`precision`](Self::precision) asks for.
    pub(crate) fn divide(
        &self,
        u: &BigUint,
        v: &BigUint,
        (w, t): (&BigUint, usize),
    ) -> (BigUint, BigUint, bool) {
        let k = self.len(v) - 1;
        let skip = k.saturating_sub(if self.base > 3 { 1 } else { 2 });
        let unit = k + t - skip;
        let from = if self.short { unit.saturating_sub(2) } else { 0 };
        let upper = self.shifted(u, -(skip as isize));
        let quotient = self.columns(&upper, w, from) / self.power(unit - from);
        let rest = BigInt::from(u.clone()) - BigInt::from(&quotient * v);
        let rest = rest.to_biguint().expect("an estimate that is not too large");
        if rest < *v { (quotient, rest, false) } else { (quotient + 1_u32, rest - v, true) }
    }

    /// `floor(B^h / v) + {-1, 0, 1}` by Watt's refinement, for v of k + 1 digits, k <= h, that is no power of B.
    pub(crate) fn shifted_inverse(&self, v: &BigUint, h: usize) -> BigUint {
        if v * 2_u32 > self.power(h) {
            return BigUint::from(u32::from(*v <= self.power(h)));
        }
        let scale = 3_usize.saturating_sub(self.len(v));
        let (v, h) = (self.shifted(v, scale as isize), h + scale);
        let (k, mut l) = (self.len(&v) - 1, 2);
        let mut w = self.power(4) / self.shifted(&v, 2 - k as isize);
        if h - k <= l {
            return self.shifted(&w, h as isize - k as isize - 2);
        }
        w = self.shifted(&w, 2);
        while h - k > l {
            let m = (h - k + 1 - l).min(l);
            let dropped = (k + 1).saturating_sub(2 * l + 2);
            let prefix = self.shifted(&v, -(dropped as isize));
            w = self.shifted(&self.watt_step(&prefix, &w, k + l + m - dropped + 2, m, l), -1);
            l = l + m - 1;
        }
        self.shifted(&w, -2)
    }

    /// `w B^m + floor(w (B^(h-m) - v w) B^(2m-h))`, with the difference from the product's low digits.
    fn watt_step(&self, v: &BigUint, w: &BigUint, h: usize, m: usize, l: usize) -> BigUint {
        let len = self.len(v) + self.len(w) + 3 - l;
        let low = v * w % self.power(len);
        let difference = if len >= h - m {
            BigInt::from(self.power(h - m)) - BigInt::from(v * w)
        } else if low < self.power(len - 1) {
            -BigInt::from(low)
        } else {
            BigInt::from(self.power(len) - low)
        };
        let correction = BigInt::from(w.clone()) * difference * BigInt::from(self.power(2 * m));
        let unit = BigInt::from(self.power(h));
        let floor = &correction / &unit - u32::from((&correction % &unit) < BigInt::zero());
        (BigInt::from(self.shifted(w, m as isize)) + floor).to_biguint().expect("an inverse")
    }

    pub(crate) fn is_power(&self, v: &BigUint) -> bool {
        let mut digits = self.split(v);
        digits.pop().is_some_and(|top| top.is_one()) && digits.iter().all(|&digit| digit == 0)
    }
}
