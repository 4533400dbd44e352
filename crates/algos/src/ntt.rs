//! Number-theoretic transforms on the CPU, over any prime field.
//!
//! Forward, `X_j = sum of x_i w^(ij)` with w of order n: the values of a polynomial at the powers of w, so that pointwise
//! products are cyclic convolutions. Negacyclic, `X_j = sum of x_i psi^(i(2j + 1))` with `psi^2 = w`: the values at the odd
//! powers of psi, for products modulo `x^n + 1`. w and psi are
//! [`root_of_unity(n)`](TwoAdicField::root_of_unity) and `root_of_unity(2n)`.
//!
//! A transform is data first: an [`NttPlan`] lists the passes, and can be looked at and tested without a field. [`Ntt`]
//! executes it in place. Decimation in frequency forward, in time backward (Gentleman and Sande 1966; Cooley and Tukey
//! 1965): between the two, values are in [`NttPlan::position`] order, and a product never reorders them.

use limbforge_field::TwoAdicField;

mod butterfly;
mod error;
pub mod naive;
mod plan;

pub use error::NttError;
pub use plan::{Direction, NttPlan, Pass, Radix, Wrap};

/// A plan with the field's roots: what executes it.
#[derive(Clone, Debug)]
pub struct Ntt<F> {
    plan: NttPlan,
    /// `w^i` for i < n.
    roots: Vec<F>,
    /// `psi^i` for i < n, for a negacyclic transform.
    twists: Vec<F>,
    /// 1 / n.
    scale: F,
}

impl<F: TwoAdicField> Ntt<F> {
    /// The transform of `points` points, `2^k` or `3 * 2^k`.
    ///
    /// ```
    /// use limbforge_algos::ntt::{Ntt, Wrap};
    /// use limbforge_field::presets::BabyBear;
    ///
    /// // (1 + 2x)(3 + x) = 3 + 7x + 2x^2, and x^2 = -1.
    /// let ntt = Ntt::<BabyBear>::new(2, Wrap::Negacyclic)?;
    /// let product = ntt.convolve(&[1, 2].map(BabyBear::from), &[3, 1].map(BabyBear::from))?;
    /// assert_eq!(product, [1, 7].map(BabyBear::from));
    /// # Ok::<(), limbforge_algos::ntt::NttError>(())
    /// ```
    ///
    /// # Errors
    /// [`NttError::Points`] for another number of points, [`NttError::NoRoot`] if the field has no root of unity for it.
    pub fn new(points: usize, wrap: Wrap) -> Result<Self, NttError> {
        Self::with_plan(NttPlan::new(points, wrap)?)
    }

    /// The transform of this plan.
    ///
    /// # Errors
    /// [`NttError::NoRoot`].
    pub fn with_plan(plan: NttPlan) -> Result<Self, NttError> {
        let points = plan.points();
        let root = |order: u64| {
            let no_root = NttError::NoRoot { order, modulus: F::MODULUS, adicity: F::ADICITY };
            F::root_of_unity(order).ok_or(no_root)
        };
        let powers = |base: F| -> Vec<F> {
            core::iter::successors(Some(F::ONE), |&power| Some(power * base)).take(points).collect()
        };
        let roots = powers(root(points as u64)?);
        let twists = match plan.wrap() {
            Wrap::Cyclic => Vec::new(),
            Wrap::Negacyclic => powers(root(2 * points as u64)?),
        };
        let scale = F::ONE / F::from(points as u64);
        Ok(Self { plan, roots, twists, scale })
    }

    /// What is executed.
    #[must_use]
    pub const fn plan(&self) -> &NttPlan {
        &self.plan
    }

    /// Transforms every n values, in place and in natural order: `values[j]` is `X_j` afterwards, or `x_j` for the inverse.
    ///
    /// # Errors
    /// [`NttError::Values`] if the values are no multiple of n.
    pub fn run(&self, direction: Direction, values: &mut [F]) -> Result<(), NttError> {
        self.check(values.len())?;
        let mut room = vec![F::ZERO; self.plan.points()];
        for values in values.chunks_exact_mut(self.plan.points()) {
            match direction {
                Direction::Forward => {
                    self.run_one(direction, values);
                    room.copy_from_slice(values);
                    (0..room.len()).for_each(|j| values[j] = room[self.plan.position(j)]);
                }
                Direction::Inverse => {
                    (0..room.len()).for_each(|j| room[self.plan.position(j)] = values[j]);
                    values.copy_from_slice(&room);
                    self.run_one(direction, values);
                }
            }
        }
        Ok(())
    }

    /// As [`run`](Self::run), with `X_j` at [`position(j)`](NttPlan::position): for pointwise work between the two
    /// directions, which spares the reordering.
    ///
    /// # Errors
    /// [`NttError::Values`].
    pub fn run_unordered(&self, direction: Direction, values: &mut [F]) -> Result<(), NttError> {
        self.check(values.len())?;
        values.chunks_exact_mut(self.plan.points()).for_each(|values| self.run_one(direction, values));
        Ok(())
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

    fn check(&self, found: usize) -> Result<(), NttError> {
        let points = self.plan.points();
        if found.is_multiple_of(points) { Ok(()) } else { Err(NttError::Values { points, found }) }
    }

    fn run_one(&self, direction: Direction, values: &mut [F]) {
        match direction {
            Direction::Forward => {
                for (value, &twist) in values.iter_mut().zip(&self.twists) {
                    *value *= twist;
                }
                for pass in self.plan.passes(direction) {
                    butterfly::forward(values, pass, &self.roots);
                }
            }
            Direction::Inverse => {
                for pass in self.plan.passes(direction) {
                    butterfly::inverse(values, pass, &self.roots);
                }
                self.scale(values);
            }
        }
    }

    /// Takes off the factor n of the passes, and the twist: `psi^-i = -psi^(n - i)`.
    fn scale(&self, values: &mut [F]) {
        for value in &mut *values {
            *value *= self.scale;
        }
        for (value, &twist) in values.iter_mut().skip(1).zip(self.twists.iter().skip(1).rev()) {
            *value *= -twist;
        }
    }
}
