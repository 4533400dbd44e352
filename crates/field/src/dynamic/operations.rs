//! The operations of a run-time field, which its reduction provides.

use super::{DynElement, DynField};
use crate::reduction::{Arithmetic, Reduction};

macro_rules! forward {
    ($($(#[$doc:meta])* $method:ident($($operand:ident),+);)*) => {$(
        $(#[$doc])*
        #[inline]
        #[must_use]
        pub fn $method(&self, $($operand: DynElement),+) -> DynElement {
            DynElement { raw: self.reduction.$method($($operand.raw),+) }
        }
    )*};
}

macro_rules! operations {
    ($self:ident: $($(#[$doc:meta])* $method:ident($($operand:ident: $Type:ty),*) -> $Result:ty = $value:expr;)*) => {$(
        $(#[$doc])*
        #[inline]
        #[must_use]
        pub fn $method(&$self, $($operand: $Type),*) -> $Result {
            $value
        }
    )*};
}

impl DynField {
    operations! { self:
        /// `value mod p` as an element.
        element(value: u64) -> DynElement = DynElement { raw: self.reduction.encode(value) };
        /// The residue in `0..p`.
        value(a: DynElement) -> u64 = self.reduction.decode(a.raw);
        /// 1.
        one() -> DynElement = DynElement { raw: self.reduction.one() };
        /// `base^exponent`, with `0^0 = 1`.
        pow(base: DynElement, exponent: u64) -> DynElement = DynElement { raw: self.reduction.pow(base.raw, exponent) };
        /// The inverse, or `None` for 0.
        inverse(a: DynElement) -> Option<DynElement> = self.reduction.inverse(a.raw).map(|raw| DynElement { raw });
        /// `a / b`, or `None` if b is 0.
        div(a: DynElement, b: DynElement) -> Option<DynElement> = self.inverse(b).map(|inverse| self.mul(a, inverse));
        /// 0 for 0, 1 for the square of a nonzero element, -1 for any other.
        quadratic_character(a: DynElement) -> i8 = self.reduction.quadratic_character(a.raw);
    }

    /// The element with this raw form. Words of p or more are reduced mod p.
    #[inline]
    #[must_use]
    pub fn from_raw(&self, raw: u64) -> DynElement {
        let p = self.reduction.modulus();
        DynElement { raw: if raw < p { raw } else { raw % p } }
    }

    /// 0.
    #[inline]
    #[must_use]
    pub const fn zero(&self) -> DynElement {
        DynElement::ZERO
    }

    forward! {
        /// `a + b`.
        add(a, b);
        /// `a - b`.
        sub(a, b);
        /// `-a`.
        neg(a);
        /// `a * b`.
        mul(a, b);
        /// `a^2`.
        square(a);
        /// `2 * a`.
        double(a);
        /// The element whose double is `a`.
        halve(a);
    }

    /// The square root with the smaller value, or `None` if there is none.
    #[must_use]
    pub fn sqrt(&self, a: DynElement) -> Option<DynElement> {
        self.reduction.sqrt(a.raw, self.root.raw).map(|raw| DynElement { raw })
    }

    /// The sum of the elements.
    #[must_use]
    pub fn sum(&self, terms: impl IntoIterator<Item = DynElement>) -> DynElement {
        terms.into_iter().fold(self.zero(), |sum, term| self.add(sum, term))
    }

    /// The product of the elements.
    #[must_use]
    pub fn product(&self, factors: impl IntoIterator<Item = DynElement>) -> DynElement {
        factors.into_iter().fold(self.one(), |product, factor| self.mul(product, factor))
    }
}
