//! How large a residue may become on its way through the stages of a transform.

use super::class::{ResidueClass, SPECIAL};
use crate::kernel::ntt::bounds::Bounds;

/// The largest residue, in magnitude if signed, on its way through the stages of a class.
#[derive(Clone, Copy, Debug)]
pub(super) struct Range {
    class: ResidueClass,
    p: u128,
    pub(super) bound: u128,
}

impl Range {
    /// Words of memory, in [0, p), if the class takes p.
    pub(super) fn new(class: ResidueClass, p: u64) -> Option<Self> {
        let range = Self { class, p: p.into(), bound: u128::from(p).checked_sub(1)? };
        let word = 1_u128 << class.word_bits();
        let fits = match class {
            // `canonical` takes (-p, 2 p) after `reduce`; the tail of a product is below 2 p anyway.
            ResidueClass::Signed28 => p >> 28 == 1 && (1 << 28) + 8 * Bounds { p }.excess() < 2 * p,
            ResidueClass::Half32 => 2 * range.p <= word,
            ResidueClass::Lazy32 => range.limit() <= word,
            ResidueClass::Wide64 | ResidueClass::Lazy64 => {
                p >> 40 > 0 && range.limit() <= word && range.is_made_canonical()
            }
            ResidueClass::Special64 => p == SPECIAL,
            ResidueClass::Full32 | ResidueClass::Full64 => range.p < word,
        };
        fits.then_some(range)
    }

    /// Residues stay below this.
    fn limit(self) -> u128 {
        match self.class {
            ResidueClass::Signed28 => 1 << 31,
            ResidueClass::Half32 => 2 * self.p,
            ResidueClass::Full32 | ResidueClass::Full64 => self.p,
            ResidueClass::Special64 => 1 << 64,
            // What `canonical` takes.
            ResidueClass::Lazy32 | ResidueClass::Wide64 | ResidueClass::Lazy64 => {
                2 * self.span() + self.slack()
            }
        }
    }

    /// Products of lazy words are below this, whatever the factor.
    fn span(self) -> u128 {
        u128::from(self.class.span()) * self.p
    }

    /// What `reduce` may leave above `span`, as it looks at the high word alone.
    const fn slack(self) -> u128 {
        if self.class.word_bits() == 64 { 1 << 32 } else { 0 }
    }

    /// One stage; `by_one` if some of its factors are known to be 1 and not multiplied with. Returns whether
    /// the points that are not multiplied need no reduction; `None` if there is no proof.
    pub(super) fn stage(&mut self, by_one: bool) -> Option<bool> {
        let limit = self.limit();
        match self.class {
            // A term that is no product, and may be above p, would have to be reduced.
            ResidueClass::Special64 if by_one && self.bound > self.p => return None,
            // Each butterfly reduces by itself.
            ResidueClass::Half32 | ResidueClass::Full32 | ResidueClass::Special64 | ResidueClass::Full64 => {
                self.bound = limit - 1;
                return Some(true);
            }
            // The second term of `butterfly_by_one` comes to at most `span`.
            ResidueClass::Wide64 | ResidueClass::Lazy64 if by_one => {
                let by_bits = self.reduce_bits() > 0 && self.reduced() <= self.span();
                if !by_bits && (self.reduce_bits() > 0 || self.bound > 2 * self.span()) {
                    return None;
                }
            }
            _ => {}
        }
        let unreduced = self.joined(self.bound, by_one);
        let reduced = self.joined(self.reduced(), by_one);
        self.bound = if unreduced < limit { unreduced } else { reduced };
        (self.bound < limit).then_some(unreduced < limit)
    }

    /// The largest product of a residue with a factor.
    pub(super) fn product(self) -> u128 {
        match self.class {
            ResidueClass::Signed28 => Bounds { p: self.p as u64 }.product(self.bound as u64).into(),
            ResidueClass::Full32 | ResidueClass::Special64 | ResidueClass::Full64 => self.p - 1,
            _ => self.span() - 1,
        }
    }

    /// The largest result of a butterfly whose other point is at most `x`.
    fn joined(self, x: u128, by_one: bool) -> u128 {
        match self.class {
            ResidueClass::Signed28 => {
                x + if by_one { self.product().max(self.bound) } else { self.product() }
            }
            // x - t + span, t >= 0.
            _ => x + self.span(),
        }
    }

    /// What `reduce` leaves.
    fn reduced(self) -> u128 {
        match (self.class, self.reduce_bits()) {
            (ResidueClass::Signed28, _) => Bounds { p: self.p as u64 }.reduced(self.bound as u64).into(),
            (_, 0) => (self.span() + self.slack() - 1).max(self.bound.saturating_sub(self.span())),
            (_, bits) => self.reduced_by_bits(bits),
        }
    }

    /// `REDUCE_BITS`: the bits of p = 1 mod 2^32 if that leaves no more than `span` of any residue.
    pub(super) fn reduce_bits(self) -> u32 {
        let bits = u128::BITS - self.p.leading_zeros();
        let lazy = matches!(self.class, ResidueClass::Wide64 | ResidueClass::Lazy64);
        let all = Self { bound: self.limit() - 1, ..self };
        if lazy && self.p as u32 == 1 && all.reduced_by_bits(bits) <= self.span() { bits } else { 0 }
    }

    /// x = q 2^bits + r goes to r + q (2^bits - p).
    const fn reduced_by_bits(self, bits: u32) -> u128 {
        (1 << bits) - 1 + (self.bound >> bits) * ((1 << bits) - self.p)
    }

    /// Whether `canonical` of `residue64_lazy.cuh` leaves less than 2 p to its last step: the quotient
    /// `x_1 c / 2^32` with c = floor(2^64 / p) lacks c / 2^32 for the low word of x, x / 2^64 for the tail of
    /// c, and less than 1 for its own.
    fn is_made_canonical(self) -> bool {
        let c = (1 << 64) / self.p;
        let (low, tail) = ((c << 32) * self.p, ((1 << 64) - c * self.p) * self.limit());
        low + tail < self.p << 64
    }
}

impl ResidueClass {
    /// The cheapest class for an odd prime p.
    #[must_use]
    pub fn of(p: u64) -> Self {
        Self::ALL.into_iter().find(|class| class.takes(p)).unwrap_or(Self::Full64)
    }

    /// Whether the class is proved for an odd prime p: its invariant range fits the word.
    #[must_use]
    pub fn takes(self, p: u64) -> bool {
        let word = (p >> 32 == 0) == (self.word_bits() == 32);
        word && Range::new(self, p).is_some()
    }

    /// `REDUCE_BITS`: the bits of p if residues are reduced by bits, or 0.
    pub(crate) fn reduce_bits(self, p: u64) -> u32 {
        Range::new(self, p).map_or(0, Range::reduce_bits)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// `floor(x y / 2^64)` as `residue64_lazy.cuh` has it for SPAN 4.
    fn cut_quotient(x: u64, y: u64) -> u64 {
        let high = |x: u64, y: u64| (x * y) >> 32;
        let (x0, x1, y0, y1) = (x & 0xffff_ffff, x >> 32, y & 0xffff_ffff, y >> 32);
        x1 * y1 + high(x1, y0) + high(x0, y1)
    }

    proptest! {
        /// The products of lazy words in wide arithmetic: congruent and below the span.
        #[test]
        fn products_stay_below_the_span(y: u64, w: u64, p in (1_u64 << 32)..(1 << 62)) {
            let w = w % p;
            let f = ((u128::from(w) << 64) / u128::from(p)) as u64;
            let product = |q: u64| u128::from(y) * u128::from(w) - u128::from(q) * u128::from(p);
            let exact = ((u128::from(y) * u128::from(f)) >> 64) as u64;
            prop_assert!(product(exact) < 2 * u128::from(p));
            prop_assert!(product(cut_quotient(y, f)) < 4 * u128::from(p));
        }

        #[test]
        fn short_products_stay_below_the_span(y: u32, w: u32, p in 3_u64..1 << 31) {
            let (y, w) = (u64::from(y), u64::from(w) % p);
            prop_assert!(y * w - ((y * ((w << 32) / p)) >> 32) * p < 2 * p);
        }

        /// Products, sums and differences of residue64_special.cuh, for any word x and any term that is at
        /// most p.
        #[test]
        fn special_sums_carry_once(x: u64, y: u64, w in 0..SPECIAL, pick in 0..4_usize) {
            let p = u128::from(SPECIAL);
            let times = |y: u64| {
                let product = u128::from(y) * u128::from(w);
                let low = product as u64;
                let (m, carry) = low.overflowing_add(low << 32);
                let multiple = (u128::from(m) * p) >> 64;
                prop_assert_eq!(multiple, u128::from(m) - (u128::from(m) >> 32) - u128::from(carry));
                let sum = ((product >> 64) as u64).checked_add((m >> 32) + u64::from(carry));
                prop_assert!(sum.is_some());
                let (difference, borrow) = sum.unwrap_or(0).overflowing_sub(m);
                Ok(if borrow { difference - 0xffff_ffff } else { difference })
            };
            for x in [x, 0, u64::MAX, SPECIAL] {
                let t = [times(x)?, times(y)?, 0, SPECIAL][pick];
                prop_assert!(t <= SPECIAL && (pick > 1 || t < SPECIAL));
                let (sum, carry) = x.overflowing_add(t);
                let sum = if carry { sum.checked_add(0xffff_ffff) } else { Some(sum) };
                prop_assert_eq!(sum.map(|sum| u128::from(sum) % p), Some((u128::from(x) + u128::from(t)) % p));
                let (difference, borrow) = x.overflowing_sub(t);
                let difference = if borrow { difference.checked_sub(0xffff_ffff) } else { Some(difference) };
                let expected = (u128::from(x) + p - u128::from(t)) % p;
                prop_assert_eq!(difference.map(|difference| u128::from(difference) % p), Some(expected));
            }
            prop_assert_eq!((u128::from(times(y)?) << 64) % p, u128::from(y) * u128::from(w) % p);
        }

        /// `reduce` and `canonical` of residue64_lazy.cuh.
        #[test]
        fn reductions_stay_in_their_ranges(x: u64, k in 1_u64 << 8..1 << 30, odd in 0_u64..1 << 32) {
            for p in [k << 32 | 1, k << 32 | odd | 1, 4_179_340_454_199_820_289] {
                for class in [ResidueClass::Wide64, ResidueClass::Lazy64] {
                    let Some(range) = Range::new(class, p) else { continue };
                    let x = (u128::from(x) % range.limit()) as u64;
                    let (high, span) = (x >> 32, range.span() as u64);
                    let reduced = match range.reduce_bits() {
                        0 => if high > span >> 32 { x - span } else { x },
                        bits => x - (x >> bits) * p,
                    };
                    prop_assert_eq!(reduced % p, x % p);
                    let all = Range { bound: range.limit() - 1, ..range };
                    prop_assert!(u128::from(reduced) <= all.reduced());
                    let rest = x - ((high * (u64::MAX / p)) >> 32) * p;
                    prop_assert!(rest < 2 * p);
                }
            }
        }
    }
}
