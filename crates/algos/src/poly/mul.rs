//! Products: schoolbook, by transforms over the field, or by one product of integers.

use super::PolyRing;
use crate::transform::context::Context;
use crate::transform::mul_ntt;
use crate::transform::ntt::{NttPlan, Transform, Wrap};

/// Terms of the shorter factor from which on transforms are faster than the schoolbook product, for words of
/// 32 and 64 bits.
const TRANSFORM: usize = 64;

/// Terms of the shorter factor from which on the product of integers is faster than the schoolbook product,
/// where integers are multiplied in vectors.
const INTEGERS: usize = 112;

/// [`INTEGERS`] without vectors, estimated from the steps of Karatsuba's product.
const INTEGERS_BY_WORDS: usize = 256;

impl<C: Context> PolyRing<C> {
    /// `a * b`, by the fastest algorithm. A much longer factor is multiplied piece by piece.
    ///
    /// ```
    /// use limbforge_algos::poly::PolyRing;
    /// use limbforge_field::DynField;
    ///
    /// let ring = PolyRing::new(DynField::new(7)?);
    /// let product = ring.mul(&ring.from_integers(&[1, 2]), &ring.from_integers(&[3, 4]));
    /// assert_eq!(ring.to_integers(&product), [3, 3, 1]);
    /// # Ok::<(), limbforge_field::FieldError>(())
    /// ```
    #[must_use]
    pub fn mul(&self, a: &[C::Element], b: &[C::Element]) -> Vec<C::Element> {
        let (a, b) = (self.trimmed(a), self.trimmed(b));
        let (long, short) = if a.len() < b.len() { (b, a) } else { (a, b) };
        if short.len() < TRANSFORM {
            return self.mul_schoolbook(long, short);
        }
        if long.len() >= 3 * short.len() {
            return self.mul_by_pieces(long, short);
        }
        let integers = if mul_ntt::is_fast() { INTEGERS } else { INTEGERS_BY_WORDS };
        self.mul_by_transform(long, short).unwrap_or_else(|| match short.len() < integers {
            true => self.mul_schoolbook(long, short),
            false => self.mul_by_integers(long, short),
        })
    }

    /// Pieces of the longer factor by the shorter one, added up: no transform is longer than necessary.
    fn mul_by_pieces(self, long: &[C::Element], short: &[C::Element]) -> Vec<C::Element> {
        let mut sums = vec![self.field.zero(); long.len() + short.len()];
        for (i, piece) in long.chunks(2 * short.len()).enumerate() {
            let at = 2 * short.len() * i;
            for (sum, &x) in sums[at..].iter_mut().zip(&self.mul(piece, short)) {
                *sum = self.field.add(*sum, x);
            }
        }
        self.trim(sums)
    }

    /// `a * b` in n * m steps.
    #[must_use]
    pub fn mul_schoolbook(&self, a: &[C::Element], b: &[C::Element]) -> Vec<C::Element> {
        let (field, a, b) = (self.field, self.trimmed(a), self.trimmed(b));
        let mut sums = vec![field.zero(); a.len() + b.len()];
        for (i, &x) in a.iter().enumerate() {
            for (sum, &y) in sums[i..].iter_mut().zip(b) {
                *sum = field.add(*sum, field.mul(x, y));
            }
        }
        self.trim(sums)
    }

    /// `a * b` by a cyclic convolution of at least as many points as the product has terms, or `None` if the
    /// field has no root of unity for one.
    #[must_use]
    pub fn mul_by_transform(&self, a: &[C::Element], b: &[C::Element]) -> Option<Vec<C::Element>> {
        let (a, b) = (self.trimmed(a), self.trimmed(b));
        if a.is_empty() || b.is_empty() {
            return Some(Vec::new());
        }
        let terms = a.len() + b.len() - 1;
        let (two, three) = (terms.next_power_of_two(), 3 * terms.div_ceil(3).next_power_of_two());
        let transform = [two.min(three), two.max(three)].into_iter().find_map(|points| {
            let plan = NttPlan::new(points, Wrap::Cyclic).ok()?;
            Transform::over(self.field, plan).ok()
        })?;
        let [mut a, mut b] = [a, b].map(<[_]>::to_vec);
        a.resize(transform.plan().points(), self.field.zero());
        b.resize(transform.plan().points(), self.field.zero());
        let mut product = transform.convolve_owned(a, b).ok()?;
        product.truncate(terms);
        Some(self.trim(product))
    }
}
