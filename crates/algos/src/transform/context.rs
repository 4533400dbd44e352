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
    /// `1 / a`; 0 for 0.
    fn inverse(self, a: Self::Element) -> Self::Element;
    /// An element of order exactly `order`, which is `2^k` or `3 * 2^k`, or `None`.
    fn root_of_unity(self, order: u64) -> Option<Self::Element>;
}

/// The field F of a type, as a value of size 0.
#[derive(Clone, Copy, Debug, Default)]
pub struct Fixed<F>(PhantomData<F>);

impl<F> Fixed<F> {
    /// The field.
    #[must_use]
    pub const fn new() -> Self {
        Self(PhantomData)
    }
}

macro_rules! impl_context {
    ($self:ident: $Field:ty $(, $F:ident: $Bound:ident)?; $Element:ty;
     $($method:ident($($operand:ident: $Type:ty),*) -> $Result:ty = $value:expr;)*) => {
        impl$(<$F: $Bound>)? Context for $Field {
            type Element = $Element;
            $(
                #[inline(always)]
                fn $method($self, $($operand: $Type),*) -> $Result {
                    $value
                }
            )*
        }
    };
}

impl_context! {
    self: Fixed<F>, F: TwoAdicField; F;
    modulus() -> u64 = F::MODULUS;
    zero() -> F = F::ZERO;
    element(value: u64) -> F = F::from(value);
    value(a: F) -> u64 = a.value().low_word();
    add(a: F, b: F) -> F = a + b;
    sub(a: F, b: F) -> F = a - b;
    neg(a: F) -> F = -a;
    mul(a: F, b: F) -> F = a * b;
    inverse(a: F) -> F = a.inverse().unwrap_or(F::ZERO);
    root_of_unity(order: u64) -> Option<F> = F::root_of_unity(order);
}

impl_context! {
    self: DynField; DynElement;
    modulus() -> u64 = Self::modulus(&self);
    zero() -> DynElement = Self::zero(&self);
    element(value: u64) -> DynElement = Self::element(&self, value);
    value(a: DynElement) -> u64 = Self::value(&self, a);
    add(a: DynElement, b: DynElement) -> DynElement = Self::add(&self, a, b);
    sub(a: DynElement, b: DynElement) -> DynElement = Self::sub(&self, a, b);
    neg(a: DynElement) -> DynElement = Self::neg(&self, a);
    mul(a: DynElement, b: DynElement) -> DynElement = Self::mul(&self, a, b);
    inverse(a: DynElement) -> DynElement = Self::inverse(&self, a).unwrap_or(DynElement::ZERO);
    root_of_unity(order: u64) -> Option<DynElement> = Self::root_of_unity(&self, order);
}
