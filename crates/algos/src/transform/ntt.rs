//! Number-theoretic transforms on the CPU, over any prime field.
//!
//! Forward, `X_j = sum of x_i w^(ij)` with w of order n: the values of a polynomial at the powers of w, so
//! that pointwise products are cyclic convolutions. Negacyclic, `X_j = sum of x_i psi^(i(2j + 1))` with
//! `psi^2 = w`: the values at the odd powers of psi, for products modulo `x^n + 1`. w and psi are
//! [`root_of_unity(n)`](TwoAdicField::root_of_unity) and `root_of_unity(2n)`.
//!
//! A transform is data first: an [`NttPlan`] lists the passes, and can be looked at and tested without a
//! field. [`Ntt`] executes it in place, or [`DynNtt`] over a field that is known at run time. Decimation in
//! frequency forward, in time backward (Gentleman and Sande 1966; Cooley and Tukey 1965): between the two,
//! values are in [`NttPlan::position`] order, and a product never reorders them.

use limbforge_field::TwoAdicField;

mod butterfly;
mod dynamic;
mod error;
pub mod naive;
mod plan;
pub(crate) mod transform;

use crate::transform::context::Fixed;
use transform::Transform;

pub use dynamic::DynNtt;
pub use error::NttError;
pub use plan::{Direction, NttPlan, Pass, Radix, Wrap};

/// A plan with the field's roots: what executes it.
#[derive(Clone, Debug)]
pub struct Ntt<F: TwoAdicField> {
    transform: Transform<Fixed<F>>,
}

impl<F: TwoAdicField> Ntt<F> {
    /// The transform of `points` points, `2^k` or `3 * 2^k`.
    ///
    /// ```
    /// use limbforge_algos::transform::ntt::{Ntt, Wrap};
    /// use limbforge_field::presets::BabyBear;
    ///
    /// // (1 + 2x)(3 + x) = 3 + 7x + 2x^2, and x^2 = -1.
    /// let ntt = Ntt::<BabyBear>::new(2, Wrap::Negacyclic)?;
    /// let product = ntt.convolve(&[1, 2].map(BabyBear::from), &[3, 1].map(BabyBear::from))?;
    /// assert_eq!(product, [1, 7].map(BabyBear::from));
    /// # Ok::<(), limbforge_algos::transform::ntt::NttError>(())
    /// ```
    ///
    /// # Errors
    /// [`NttError::Points`] for another number of points, [`NttError::NoRoot`] if the field has no root of
    /// unity for it.
    pub fn new(points: usize, wrap: Wrap) -> Result<Self, NttError> {
        Self::with_plan(NttPlan::new(points, wrap)?)
    }

    /// The transform of this plan.
    ///
    /// # Errors
    /// [`NttError::NoRoot`].
    pub fn with_plan(plan: NttPlan) -> Result<Self, NttError> {
        Ok(Self { transform: Transform::new(Fixed::new(), plan)? })
    }

    /// The plan that is executed.
    #[must_use]
    pub const fn plan(&self) -> &NttPlan {
        self.transform.plan()
    }

    /// Transforms every n values, in place and in natural order: `values[j]` is `X_j` afterwards, or `x_j`
    /// for the inverse.
    ///
    /// # Errors
    /// [`NttError::Values`] if the values are no multiple of n.
    pub fn run(&self, direction: Direction, values: &mut [F]) -> Result<(), NttError> {
        self.transform.run(direction, values)
    }

    /// As [`run`](Self::run), with `X_j` at [`position(j)`](NttPlan::position): for pointwise work between
    /// the two directions, which spares the reordering.
    ///
    /// # Errors
    /// [`NttError::Values`].
    pub fn run_unordered(&self, direction: Direction, values: &mut [F]) -> Result<(), NttError> {
        self.transform.run_unordered(direction, values)
    }

    /// Cyclic or negacyclic convolutions of every n values.
    ///
    /// # Errors
    /// [`NttError::Values`] if the values are no multiple of n, or not as many on both sides.
    pub fn convolve(&self, a: &[F], b: &[F]) -> Result<Vec<F>, NttError> {
        if a.len() != b.len() {
            return Err(NttError::Values { points: a.len(), found: b.len() });
        }
        let (mut a, mut b) = (a.to_vec(), b.to_vec());
        self.run_unordered(Direction::Forward, &mut a)?;
        self.run_unordered(Direction::Forward, &mut b)?;
        for (a, b) in a.iter_mut().zip(b) {
            *a *= b;
        }
        self.run_unordered(Direction::Inverse, &mut a)?;
        Ok(a)
    }
}
