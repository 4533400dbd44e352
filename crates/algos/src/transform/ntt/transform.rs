//! A plan with a field's roots: what executes it.

use super::{Direction, NttError, NttPlan, Wrap, butterfly};
use crate::transform::context::Context;

#[derive(Clone, Debug)]
pub(crate) struct Transform<C: Context> {
    field: C,
    plan: NttPlan,
    /// `w^i` for i < n.
    roots: Vec<C::Element>,
    /// `psi^i` for i < n, for a negacyclic transform.
    twists: Vec<C::Element>,
    /// 1 / n.
    scale: C::Element,
}

impl<C: Context> Transform<C> {
    pub(crate) fn new(field: C, plan: NttPlan) -> Result<Self, NttError> {
        let points = plan.points();
        let root = |order: u64| {
            let no_root = NttError::NoRoot { order, modulus: field.modulus(), adicity: field.adicity() };
            field.root_of_unity(order).ok_or(no_root)
        };
        let powers = |base: C::Element| -> Vec<C::Element> {
            let next = |&power: &C::Element| Some(field.mul(power, base));
            core::iter::successors(Some(field.element(1)), next).take(points).collect()
        };
        let roots = powers(root(points as u64)?);
        let twists = match plan.wrap() {
            Wrap::Cyclic => Vec::new(),
            Wrap::Negacyclic => powers(root(2 * points as u64)?),
        };
        let scale = field.inverse(field.element(points as u64));
        Ok(Self { field, plan, roots, twists, scale })
    }

    pub(crate) const fn field(&self) -> &C {
        &self.field
    }

    pub(crate) const fn plan(&self) -> &NttPlan {
        &self.plan
    }

    pub(crate) fn check(&self, found: usize) -> Result<(), NttError> {
        let points = self.plan.points();
        if found.is_multiple_of(points) { Ok(()) } else { Err(NttError::Values { points, found }) }
    }

    /// Every n values, in natural order.
    pub(crate) fn run(&self, direction: Direction, values: &mut [C::Element]) -> Result<(), NttError> {
        self.check(values.len())?;
        let mut room = vec![self.field.element(0); self.plan.points()];
        for values in values.chunks_exact_mut(self.plan.points()) {
            self.run_ordered(direction, values, &mut room);
        }
        Ok(())
    }

    /// Every n values, with `X_j` at `position(j)`.
    pub(crate) fn run_unordered(
        &self,
        direction: Direction,
        values: &mut [C::Element],
    ) -> Result<(), NttError> {
        self.check(values.len())?;
        values.chunks_exact_mut(self.plan.points()).for_each(|values| self.run_one(direction, values));
        Ok(())
    }

    /// n values in natural order, with room for as many.
    pub(crate) fn run_ordered(
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
        match direction {
            Direction::Forward => {
                for (value, &twist) in values.iter_mut().zip(&self.twists) {
                    *value = self.field.mul(*value, twist);
                }
                for pass in self.plan.passes(direction) {
                    butterfly::forward(self.field, values, pass, &self.roots);
                }
            }
            Direction::Inverse => {
                for pass in self.plan.passes(direction) {
                    butterfly::inverse(self.field, values, pass, &self.roots);
                }
                self.scale(values);
            }
        }
    }

    /// Takes off the factor n of the passes, and the twist: `psi^-i = -psi^(n - i)`.
    fn scale(&self, values: &mut [C::Element]) {
        for value in &mut *values {
            *value = self.field.mul(*value, self.scale);
        }
        for (value, &twist) in values.iter_mut().skip(1).zip(self.twists.iter().skip(1).rev()) {
            *value = self.field.mul(*value, self.field.neg(twist));
        }
    }
}
