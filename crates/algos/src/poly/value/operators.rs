//! Operators of polynomials.

use core::ops::{Add, Mul, Neg, Sub};

use limbforge_field::TwoAdicField;
use num_traits::{One, Zero};

use super::Poly;

macro_rules! operators {
    ($($trait:ident :: $method:ident),+) => {$(
        impl<F: TwoAdicField> $trait<&Poly<F>> for &Poly<F> {
            type Output = Poly<F>;

            fn $method(self, b: &Poly<F>) -> Poly<F> {
                Poly { coefficients: Poly::<F>::RING.$method(&self.coefficients, &b.coefficients) }
            }
        }

        impl<F: TwoAdicField> $trait for Poly<F> {
            type Output = Self;

            fn $method(self, b: Self) -> Self {
                (&self).$method(&b)
            }
        }
    )+};
}

operators!(Add::add, Sub::sub, Mul::mul);

impl<F: TwoAdicField> Neg for &Poly<F> {
    type Output = Poly<F>;

    fn neg(self) -> Poly<F> {
        Poly { coefficients: self.coefficients.iter().map(|&x| -x).collect() }
    }
}

impl<F: TwoAdicField> Neg for Poly<F> {
    type Output = Self;

    fn neg(self) -> Self {
        -&self
    }
}

impl<F: TwoAdicField> Zero for Poly<F> {
    fn zero() -> Self {
        Self { coefficients: Vec::new() }
    }

    fn is_zero(&self) -> bool {
        self.coefficients.is_empty()
    }
}

impl<F: TwoAdicField> One for Poly<F> {
    fn one() -> Self {
        Self { coefficients: vec![F::ONE] }
    }
}
