//! The fields of transforms and polynomials: the field of a type, or one that is known at run time.

use core::fmt::Debug;
use core::marker::PhantomData;

use limbforge_field::word::Base;
use limbforge_field::{DynElement, DynField, TwoAdicField};

/// A field as a value, so that one code serves both: [`Fixed`] and [`DynField`] are such fields.
pub trait Context: Copy + Debug + Send + Sync {
    /// Its elements. Equal elements of one field are equal values.
    type Element: Copy + Debug + PartialEq + Send + Sync;

    /// p, an odd prime.
    fn modulus(self) -> u64;
    /// n in `p = k * 2^n + 1`, k odd.
    fn adicity(self) -> u32;
    /// 0.
    fn zero(self) -> Self::Element;
    /// `value mod p` as an element.
    fn element(self, value: u64) -> Self::Element;
    /// The residue in `0..p`.
    fn value(self, a: Self::Element) -> u64;
    /// `a + b`.
    fn add(self, a: Self::Element, b: Self::Element) -> Self::Element;
    /// `a - b`.
    fn sub(self, a: Self::Element, b: Self::Element) -> Self::Element;
    /// `-a`.
    fn neg(self, a: Self::Element) -> Self::Element;
    /// `a * b`.
    fn mul(self, a: Self::Element, b: Self::Element) -> Self::Element;
    /// `1 / a`, or 0 for 0, so that callers decide what 0 means.
    fn inverse(self, a: Self::Element) -> Self::Element;
    /// An element of order exactly `order`, which is `2^k` or `3 * 2^k`, or `None`.
    fn root_of_unity(self, order: u64) -> Option<Self::Element>;
}

/// The field F, which the type knows: a value of no size.
#[derive(Debug)]
pub struct Fixed<F>(PhantomData<F>);

impl<F> Fixed<F> {
    /// The field.
    #[must_use]
    pub const fn new() -> Self {
        Self(PhantomData)
    }
}

impl<F> Default for Fixed<F> {
    fn default() -> Self {
        Self::new()
    }
}

impl<F> Clone for Fixed<F> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<F> Copy for Fixed<F> {}

impl<F: TwoAdicField> Context for Fixed<F> {
    type Element = F;

    fn modulus(self) -> u64 {
        F::MODULUS
    }

    fn adicity(self) -> u32 {
        F::ADICITY
    }

    #[inline(always)]
    fn zero(self) -> F {
        F::ZERO
    }

    fn element(self, value: u64) -> F {
        F::from(value)
    }

    fn value(self, a: F) -> u64 {
        a.value().low_word()
    }

    #[inline(always)]
    fn add(self, a: F, b: F) -> F {
        a + b
    }

    #[inline(always)]
    fn sub(self, a: F, b: F) -> F {
        a - b
    }

    #[inline(always)]
    fn neg(self, a: F) -> F {
        -a
    }

    #[inline(always)]
    fn mul(self, a: F, b: F) -> F {
        a * b
    }

    fn inverse(self, a: F) -> F {
        a.inverse().unwrap_or(F::ZERO)
    }

    fn root_of_unity(self, order: u64) -> Option<F> {
        F::root_of_unity(order)
    }
}

impl Context for DynField {
    type Element = DynElement;

    fn modulus(self) -> u64 {
        Self::modulus(&self)
    }

    fn adicity(self) -> u32 {
        Self::adicity(&self)
    }

    #[inline(always)]
    fn zero(self) -> DynElement {
        DynElement::ZERO
    }

    fn element(self, value: u64) -> DynElement {
        Self::element(&self, value)
    }

    fn value(self, a: DynElement) -> u64 {
        Self::value(&self, a)
    }

    #[inline(always)]
    fn add(self, a: DynElement, b: DynElement) -> DynElement {
        Self::add(&self, a, b)
    }

    #[inline(always)]
    fn sub(self, a: DynElement, b: DynElement) -> DynElement {
        Self::sub(&self, a, b)
    }

    #[inline(always)]
    fn neg(self, a: DynElement) -> DynElement {
        Self::neg(&self, a)
    }

    #[inline(always)]
    fn mul(self, a: DynElement, b: DynElement) -> DynElement {
        Self::mul(&self, a, b)
    }

    fn inverse(self, a: DynElement) -> DynElement {
        Self::inverse(&self, a).unwrap_or(DynElement::ZERO)
    }

    fn root_of_unity(self, order: u64) -> Option<DynElement> {
        Self::root_of_unity(&self, order)
    }
}
