//! A plan with the roots of a field, executed in place.

use limbforge_field::TwoAdicField;

use super::{Direction, Ntt, NttError, NttPlan, Wrap, butterfly};
use crate::transform::context::{Context, Fixed};

/// The transforms of a plan over a field: [`Ntt`] and [`DynNtt`](super::DynNtt).
#[derive(Clone, Debug)]
pub struct Transform<C: Context> {
    field: C,
    plan: NttPlan,
    /// `w^i` for i < n.
    roots: Vec<C::Element>,
    /// `psi^i` for i < n, for a negacyclic transform.
    twists: Vec<C::Element>,
    /// 1 / n.
    scale: C::Element,
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
    /// [`NttError::Points`] for another number of points, [`NttError::NoRoot`] if the field lacks the root of
    /// unity.
    pub fn new(points: usize, wrap: Wrap) -> Result<Self, NttError> {
        Self::over(Fixed::new(), NttPlan::new(points, wrap)?)
    }
}

impl<C: Context> Transform<C> {
    /// The transform of a plan over a field.
    ///
    /// # Errors
    /// [`NttError::NoRoot`] if the field lacks the root of unity.
    pub fn over(field: C, plan: NttPlan) -> Result<Self, NttError> {
        let points = plan.points();
        let modulus = field.modulus();
        let powers = |order: u64| -> Result<Vec<C::Element>, NttError> {
            let adicity = (modulus - 1).trailing_zeros();
            let root = field.root_of_unity(order).ok_or(NttError::NoRoot { order, modulus, adicity })?;
            let next = |&power: &C::Element| Some(field.mul(power, root));
            Ok(core::iter::successors(Some(field.element(1)), next).take(points).collect())
        };
        let roots = powers(points as u64)?;
        let twists = match plan.wrap() {
            Wrap::Cyclic => Vec::new(),
            Wrap::Negacyclic => powers(2 * points as u64)?,
        };
        let scale = field.inverse(field.element(points as u64));
        Ok(Self { field, plan, roots, twists, scale })
    }

    /// The field.
    #[must_use]
    pub const fn field(&self) -> &C {
        &self.field
    }

    /// The plan.
    #[must_use]
    pub const fn plan(&self) -> &NttPlan {
        &self.plan
    }

    /// Transforms every n values, in place and in natural order: afterwards `values[j]` is `X_j`, or `x_j`
    /// for the inverse.
    ///
    /// # Errors
    /// [`NttError::Values`] if the number of values is not a multiple of n.
    pub fn run(&self, direction: Direction, values: &mut [C::Element]) -> Result<(), NttError> {
        let mut room = vec![self.field.zero(); self.plan.points()];
        self.batch(values)?.for_each(|values| self.run_ordered(direction, values, &mut room));
        Ok(())
    }

    /// [`run`](Self::run) without reordering, with `X_j` at [`position(j)`](NttPlan::position): for pointwise
    /// work between the two directions.
    ///
    /// # Errors
    /// [`NttError::Values`].
    pub fn run_unordered(&self, direction: Direction, values: &mut [C::Element]) -> Result<(), NttError> {
        self.batch(values)?.for_each(|values| self.run_one(direction, values));
        Ok(())
    }

    /// Cyclic or negacyclic convolutions of every n values.
    ///
    /// # Errors
    /// [`NttError::Values`] if the number of values is not a multiple of n, or differs between both sides.
    pub fn convolve(&self, a: &[C::Element], b: &[C::Element]) -> Result<Vec<C::Element>, NttError> {
        self.convolve_owned(a.to_vec(), b.to_vec())
    }

    pub(crate) fn convolve_owned(
        &self,
        mut a: Vec<C::Element>,
        mut b: Vec<C::Element>,
    ) -> Result<Vec<C::Element>, NttError> {
        if a.len() != b.len() {
            return Err(NttError::Values { points: a.len(), found: b.len() });
        }
        self.run_unordered(Direction::Forward, &mut a)?;
        self.run_unordered(Direction::Forward, &mut b)?;
        a.iter_mut().zip(b).for_each(|(a, b)| *a = self.field.mul(*a, b));
        self.run_unordered(Direction::Inverse, &mut a)?;
        Ok(a)
    }

    /// Every n values.
    fn batch<'v>(
        &self,
        values: &'v mut [C::Element],
    ) -> Result<impl Iterator<Item = &'v mut [C::Element]> + use<'v, C>, NttError> {
        let (points, found) = (self.plan.points(), values.len());
        if found.is_multiple_of(points) {
            Ok(values.chunks_exact_mut(points))
        } else {
            Err(NttError::Values { points, found })
        }
    }

    /// n values in natural order, with room for as many.
    pub(super) fn run_ordered(
        &self,
        direction: Direction,
        values: &mut [C::Element],
        room: &mut [C::Element],
    ) {
        match direction {
            Direction::Forward => {
                self.run_one(direction, values);
                room.copy_from_slice(values);
                (0..room.len()).for_each(|j| values[j] = room[self.plan.position(j)]);
            }
            Direction::Inverse => {
                (0..room.len()).for_each(|j| room[self.plan.position(j)] = values[j]);
                values.copy_from_slice(room);
                self.run_one(direction, values);
            }
        }
    }

    fn run_one(&self, direction: Direction, values: &mut [C::Element]) {
        let field = self.field;
        match direction {
            Direction::Forward => {
                values
                    .iter_mut()
                    .zip(&self.twists)
                    .for_each(|(value, &twist)| *value = field.mul(*value, twist));
                for pass in self.plan.passes(direction) {
                    butterfly::run::<C, false>(field, values, pass, &self.roots);
                }
            }
            Direction::Inverse => {
                for pass in self.plan.passes(direction) {
                    butterfly::run::<C, true>(field, values, pass, &self.roots);
                }
                // The passes multiply by n. The inverse twist is psi^-i = -psi^(n - i).
                values.iter_mut().for_each(|value| *value = field.mul(*value, self.scale));
                for (value, &twist) in values.iter_mut().skip(1).zip(self.twists.iter().skip(1).rev()) {
                    *value = field.mul(*value, field.neg(twist));
                }
            }
        }
    }
}
