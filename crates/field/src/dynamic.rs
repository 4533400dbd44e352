//! The field of p elements, where p is known at run time.

use core::fmt;

use crate::check::{self, FieldError};
use crate::reduction::{Arithmetic, Montgomery, Reduction};
use crate::shoup::ShoupConstant;
use crate::text::{ParseElementError, parse_residue};

mod operations;

/// The field of p elements for an odd prime p below 2^64 known at run time. It uses the code of
/// [`Zmod`](crate::Zmod) with [`Montgomery<u64>`].
///
/// The field is the context and its elements are bare words: `field.mul(a, b)`. Use an element only with the
/// field that made it: another field takes its word for some other element.
///
/// ```
/// use limbforge_field::DynField;
///
/// let field = DynField::new(4_179_340_454_199_820_289)?;
/// let a = field.element(12);
/// let inverse = field.inverse(a).expect("12 is not 0");
/// assert_eq!(field.value(field.mul(a, inverse)), 1);
/// assert_eq!(DynField::new(15).unwrap_err().to_string(), "modulus 15 is composite: expected a prime");
/// # Ok::<(), limbforge_field::FieldError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DynField {
    reduction: Montgomery<u64>,
    root: DynElement,
    root_value: u64,
}

/// An element of a [`DynField`]; [`DynField::value`] gives its value. Equal elements of a field are equal
/// words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct DynElement {
    raw: u64,
}

impl DynElement {
    /// 0, in every field.
    pub const ZERO: Self = Self { raw: 0 };

    /// Whether the element is 0.
    #[inline]
    #[must_use]
    pub const fn is_zero(self) -> bool {
        self.raw == 0
    }

    /// The raw form.
    #[inline]
    #[must_use]
    pub const fn raw(self) -> u64 {
        self.raw
    }
}

impl DynField {
    /// The field of p elements, with the root of [`check::two_adic_root`].
    ///
    /// # Errors
    /// [`FieldError`] if p is below 3 or composite.
    pub const fn new(p: u64) -> Result<Self, FieldError> {
        match check::check_prime(p) {
            Ok(()) => Ok(Self::proved(p, check::two_adic_root(p))),
            Err(error) => Err(error),
        }
    }

    /// The field of p elements with a root of order 2^n for `p = k * 2^n + 1`, k odd.
    ///
    /// # Errors
    /// [`FieldError`] if p is below 3 or composite, or the root has another order.
    pub const fn with_root(p: u64, root: u64) -> Result<Self, FieldError> {
        if let Err(error) = check::check_prime(p) {
            return Err(error);
        }
        match check::check_root(p, root) {
            Ok(()) => Ok(Self::proved(p, root)),
            Err(error) => Err(error),
        }
    }

    /// The field of `p = k * 2^n + 1` elements, with a root of order 2^n.
    ///
    /// # Errors
    /// [`FieldError`] if k is even, n is 0, p is 2^64 or more or composite, or the root has another order.
    pub const fn from_parts(k: u64, n: u32, root: u64) -> Result<Self, FieldError> {
        match check::join(k, n, u64::BITS) {
            Ok(p) => Self::with_root(p, root),
            Err(error) => Err(error),
        }
    }

    const fn proved(p: u64, root_value: u64) -> Self {
        let reduction = Montgomery::<u64>::new(p);
        Self { reduction, root: DynElement { raw: reduction.raw(root_value) }, root_value }
    }

    /// p.
    #[must_use]
    pub fn modulus(&self) -> u64 {
        self.reduction.modulus()
    }

    /// The odd k in `p = k * 2^n + 1`.
    #[must_use]
    pub fn k(&self) -> u64 {
        check::split(self.modulus()).0
    }

    /// n in `p = k * 2^n + 1`.
    #[must_use]
    pub fn adicity(&self) -> u32 {
        check::split(self.modulus()).1
    }

    /// The reduction modulo p.
    #[must_use]
    pub const fn reduction(&self) -> &Montgomery<u64> {
        &self.reduction
    }

    /// The element of order exactly 2^n.
    #[must_use]
    pub const fn root(&self) -> DynElement {
        self.root
    }

    /// An element of order exactly `2^bits`, or `None` if `bits > n`. Its square is the element for
    /// `bits - 1`.
    #[must_use]
    pub fn two_adic_generator(&self, bits: u32) -> Option<DynElement> {
        let squarings = self.adicity().checked_sub(bits)?;
        Some((0..squarings).fold(self.root, |root, _| self.square(root)))
    }

    /// An element of order exactly `order`, or `None` unless `order` is `2^bits` or `3 * 2^bits` and divides
    /// p - 1, as [`TwoAdicField::root_of_unity`](crate::TwoAdicField::root_of_unity).
    #[must_use]
    pub fn root_of_unity(&self, order: u64) -> Option<DynElement> {
        let root = check::root_of_unity(self.modulus(), self.root_value, order)?;
        Some(self.element(root))
    }

    /// Parses a residue in `0..p`, in decimal, or in hexadecimal after `0x`.
    ///
    /// # Errors
    /// [`ParseElementError`] if the text is not such a residue.
    pub fn parse(&self, text: &str) -> Result<DynElement, ParseElementError> {
        parse_residue(text, self.modulus()).map(|value| self.element(value))
    }

    /// A constant factor prepared for [`mul_shoup`](Self::mul_shoup).
    #[must_use]
    pub fn shoup(&self, constant: DynElement) -> ShoupConstant<u64> {
        self.reduction.shoup(constant.raw)
    }

    /// The product with a constant of this field made by [`shoup`](Self::shoup).
    #[inline]
    #[must_use]
    pub fn mul_shoup(&self, a: DynElement, constant: &ShoupConstant<u64>) -> DynElement {
        DynElement { raw: constant.mul(a.raw, self.modulus()) }
    }

    /// Replaces every element by its inverse and keeps zeros.
    pub fn batch_inverse(&self, elements: &mut [DynElement]) {
        self.reduction.batch_inverse(elements, |element| &mut element.raw);
    }
}

/// `F_p`, as in `F_998244353`.
impl fmt::Display for DynField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "F_{}", self.modulus())
    }
}
