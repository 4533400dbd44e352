//! Transforms of machine words over a field that is known at run time.

use limbforge_field::{DynField, Word};
use num_traits::NumCast;
use rayon::prelude::*;

use super::{Direction, DynNtt, NttError, NttPlan};
use crate::invariant::broken_invariant;

impl DynNtt {
    /// The transform of this plan over this field.
    ///
    /// ```
    /// use limbforge_algos::transform::ntt::{Direction, DynNtt, NttPlan, Wrap};
    /// use limbforge_field::DynField;
    ///
    /// let ntt = DynNtt::new(DynField::new(97)?, NttPlan::new(4, Wrap::Cyclic)?)?;
    /// let mut values = [1_u32, 0, 0, 0, 5, 6, 7, 8];
    /// ntt.run_residues(Direction::Forward, &mut values)?;
    /// assert_eq!(values[..4], [1, 1, 1, 1]);
    /// ntt.run_residues(Direction::Inverse, &mut values)?;
    /// assert_eq!(values, [1, 0, 0, 0, 5, 6, 7, 8]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`NttError::NoRoot`] if the field lacks the root of unity.
    pub fn new(field: DynField, plan: NttPlan) -> Result<Self, NttError> {
        Self::over(field, plan)
    }

    /// Transforms every n words, residues in `0..p`, in place and in natural order, on all cores.
    ///
    /// # Errors
    /// Those of [`NttPlan::check_residues`]; then no word is changed.
    pub fn run_residues<W: Word>(&self, direction: Direction, values: &mut [W]) -> Result<(), NttError> {
        let (field, points) = (*self.field(), self.plan().points());
        self.plan().check_residues(&field, values)?;
        values.par_chunks_exact_mut(points).for_each_init(
            || (vec![field.zero(); points], vec![field.zero(); points]),
            |(elements, room), values| {
                for (element, value) in elements.iter_mut().zip(&*values) {
                    *element = field.element(wide(*value));
                }
                self.run_ordered(direction, elements, room);
                for (value, element) in values.iter_mut().zip(&*elements) {
                    *value = <W as NumCast>::from(field.value(*element))
                        .unwrap_or_else(|| broken_invariant("residues fit the word"));
                }
            },
        );
        Ok(())
    }
}

impl NttPlan {
    /// Checks that the field has the roots of this plan, and that the words are a batch of its residues: a
    /// multiple of n, all in `0..p`.
    ///
    /// # Errors
    /// [`NttError::NoRoot`], [`NttError::Values`], [`NttError::WordTooNarrow`], or [`NttError::Residue`] for
    /// the first word that is p or more.
    pub fn check_residues<W: Word>(&self, field: &DynField, values: &[W]) -> Result<(), NttError> {
        let (modulus, points, found) = (field.modulus(), self.points(), values.len());
        if field.root_of_unity(self.order()).is_none() {
            return Err(NttError::NoRoot { order: self.order(), modulus, adicity: field.adicity() });
        }
        if !found.is_multiple_of(points) {
            return Err(NttError::Values { points, found });
        }
        if modulus - 1 > wide(W::HIGHEST) {
            return Err(NttError::WordTooNarrow { modulus, bits: W::BITS });
        }
        let wrong = values.par_iter().position_first(|&value| wide(value) >= modulus);
        wrong.map_or(Ok(()), |at| Err(NttError::Residue { at, found: wide(values[at]), modulus }))
    }
}

/// The word as 64 bits; words of fields have no more.
fn wide<W: Word>(value: W) -> u64 {
    value.to_u64().unwrap_or(u64::MAX)
}
