//! Mappings of a product's kernels, ranked by the many-core model.

use serde::Serialize;

use super::many_core::ManyCore;
use super::measurement::shape;
use super::planner::Planner;
use super::times::Case;
use crate::pipeline::{Program, ProgramSpec};
use crate::spec::{Limits, Product, ProductMapping, SpecError};

/// A mapping that fits, and its estimated time.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RankedMapping {
    /// The mapping.
    pub mapping: ProductMapping,
    /// Whether it is the planned one: taken unless another one was measured to be faster.
    #[serde(rename = "planned")]
    pub is_planned: bool,
    /// The kernels.
    #[serde(skip)]
    pub program: Program,
    /// The many-core model's measures.
    #[serde(rename = "model_ms", serialize_with = "ManyCore::serialize_milliseconds")]
    pub model: ManyCore,
    /// Milliseconds measured on the user's own device, for a batch of 2^32 bits of each operand.
    pub tuned_ms: Option<f64>,
}

impl Planner {
    /// The mappings of a specification's kernels by this product that fit a device with these limits, the
    /// fastest by the many-core model first; none of kernels that have nothing to choose, such as divisions.
    ///
    /// # Errors
    /// [`SpecError`] if there are no kernels by this product.
    pub fn mappings(
        &self,
        spec: &ProgramSpec,
        product: Product,
        limits: &Limits,
    ) -> Result<Vec<RankedMapping>, SpecError> {
        let (shape, case) = (shape(&spec.dag), Case::new(spec.ty, spec.limb));
        let tuned = self.tuned.mapped(&shape, product, case);
        let planned = self.tuned.milliseconds(&shape, product, case).filter(|time| time.1);
        let mut ranked = vec![];
        for (i, (mapping, program)) in Program::mappings(spec, limits, product)?.into_iter().enumerate() {
            let is_planned = i == 0;
            let model = self.many_core(spec, &program, limits)?;
            let mapped = || tuned.iter().find(|(known, _)| *known == mapping).map(|(_, ms)| *ms);
            let tuned_ms = if is_planned { planned.map(|time| time.0) } else { mapped() };
            ranked.push(RankedMapping { mapping, is_planned, program, model, tuned_ms });
        }
        ranked.sort_by(|a, b| a.model.milliseconds().total_cmp(&b.model.milliseconds()));
        Ok(ranked)
    }
}
