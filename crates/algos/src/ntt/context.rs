//! What transforms compute with: a field that the type knows, or one that is known at run time.

use core::fmt::Debug;
use core::marker::PhantomData;

use limbforge_field::{DynElement, DynField, TwoAdicField};

/// A field as a value, so that one code serves both.
pub(super) trait Context: Copy + Debug + Send + Sync {
    type Element: Copy + Debug + Send + Sync;

    fn modulus(self) -> u64;
    fn adicity(self) -> u32;
    fn element(self, value: u64) -> Self::Element;
    fn add(self, a: Self::Element, b: Self::Element) -> Self::Element;
    fn sub(self, a: Self::Element, b: Self::Element) -> Self::Element;
    fn neg(self, a: Self::Element) -> Self::Element;
    fn mul(self, a: Self::Element, b: Self::Element) -> Self::Element;
    /// 1 / a, or 0 for 0, which is no number of points.
    fn inverse(self, a: Self::Element) -> Self::Element;
    fn root_of_unity(self, order: u64) -> Option<Self::Element>;
}

/// The field F.
#[derive(Debug)]
pub(super) struct Fixed<F>(pub(super) PhantomData<F>);

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

    fn element(self, value: u64) -> F {
        F::from(value)
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

    fn element(self, value: u64) -> DynElement {
        Self::element(&self, value)
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
