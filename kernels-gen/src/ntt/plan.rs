//! How a transform is computed, as data: launches and passes.

use limbforge_algos::transform::ntt::{Direction, Wrap};

use super::launch::{TransformLaunch, TransformPass, suits};
use super::{TransformSpec, bounds::TransformReductions, class::ResidueClass};
use crate::spec::{Limits, SpecError};

/// The launches of a transform.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TransformPlan {
    /// The transform.
    pub spec: TransformSpec,
    /// How residues are held.
    pub class: ResidueClass,
    /// The launches in their order: whole transforms, or columns and then rows.
    pub launches: Vec<TransformLaunch>,
}

impl TransformPlan {
    /// The plan: one launch up to 2^15 or 3 2^13 points of 32-bit words, 2^13 or 3 2^11 of 64-bit words; else
    /// two.
    ///
    /// # Errors
    /// [`SpecError::ResidueClass`] if no ranges are proved.
    pub fn new(spec: TransformSpec) -> Result<Self, SpecError> {
        let (log2, three) = (spec.points().trailing_zeros(), spec.points().is_multiple_of(3));
        let class = ResidueClass::of(spec.modulus());
        let whole = log2 <= suits(class).log2_whole[usize::from(three)];
        // Columns of 3 2^k points and rows of 2^k.
        let columns = if whole { 0 } else { (log2 - u32::from(three)) / 2 };
        Self::with_columns(spec, class, columns)
    }

    /// As [`new`](Self::new), for a device with these limits: where a block would need more shared memory
    /// than it gets, two launches with columns of a length that fits. If none fits, this is the plan of
    /// `new`, which [`render_transform`](super::render_transform) refuses with the reason.
    ///
    /// # Errors
    /// [`SpecError::ResidueClass`] if no ranges are proved.
    pub fn for_limits(spec: TransformSpec, limits: &Limits) -> Result<Self, SpecError> {
        let plan = Self::new(spec)?;
        let fits = |plan: &Self| u64::from(plan.shared_bytes()) <= limits.shared_bytes;
        if fits(&plan) {
            return Ok(plan);
        }
        let columns = 1..spec.points().trailing_zeros();
        let others = columns.filter_map(|columns| Self::with_columns(spec, plan.class, columns).ok());
        Ok(others.filter(fits).min_by_key(Self::shared_bytes).unwrap_or(plan))
    }

    /// Shared memory of the largest block, in bytes.
    fn shared_bytes(&self) -> u32 {
        self.launches.iter().map(|launch| launch.geometry(self.class).shared_bytes).max().unwrap_or(0)
    }

    /// The plan with this class and with columns of `2^log2_columns` points, three times as many for 3 2^k
    /// points, or with one launch for 0.
    ///
    /// # Errors
    /// [`SpecError::ResidueClass`] if the class is not proved for p, [`SpecError::Columns`] if rows or
    /// columns have fewer than 2^4 points or more than a block takes.
    pub fn with_columns(
        spec: TransformSpec,
        class: ResidueClass,
        log2_columns: u32,
    ) -> Result<Self, SpecError> {
        if class.word_bits() != 32 * spec.point_words() {
            return Err(SpecError::ResidueClass { p: spec.modulus(), class: format!("{class:?}") });
        }
        let launch = |pass, is_last| TransformLaunch::new(&spec, class, pass, is_last);
        let launches = if log2_columns == 0 {
            vec![launch(TransformPass::Whole, true)?]
        } else {
            let top = if spec.points().is_multiple_of(3) { 3 } else { 1 };
            let rows = if log2_columns < 32 - 2 { top << log2_columns } else { 0 };
            let columns = spec.points().checked_div(rows).unwrap_or(0);
            if rows < 16 || columns < 16 {
                return Err(SpecError::Columns { points: spec.points(), log2_columns });
            }
            vec![
                launch(TransformPass::Columns { stride: columns }, false)?,
                launch(TransformPass::Rows { stride: rows }, true)?,
            ]
        };
        let plan = Self { spec, class, launches };
        plan.reductions()?;
        Ok(plan)
    }

    /// Where each launch reduces residues.
    ///
    /// # Errors
    /// [`SpecError::ResidueClass`] if the class's ranges are not proved for p and these radices.
    pub fn reductions(&self) -> Result<Vec<TransformReductions>, SpecError> {
        let radices: Vec<[u32; 3]> = self.launches.iter().map(|launch| launch.radices).collect();
        TransformReductions::prove(self.class, self.spec.modulus(), &radices, !self.spec.splits_plus())
    }

    /// The factors of a launch's results, as `templates/ntt_tile.cuh` names them: none, 1 / n, or psi^-i / n.
    pub(super) const fn finish(&self, launch: &TransformLaunch) -> &'static str {
        match (self.spec.direction(), self.spec.wrap()) {
            (Direction::Inverse, Wrap::Cyclic) if launch.is_last => "SCALE",
            (Direction::Inverse, Wrap::Negacyclic) if launch.is_last => "TWIST",
            _ => "NOTHING",
        }
    }
}
