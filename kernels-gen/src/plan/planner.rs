//! The planner: shipped times, the user's measurements, and the questions that they answer.

use limbforge_algos::expr::Dag;
use serde::Serialize;

use super::measurement::{Key, Measurement, MeasurementError};
use super::times::{self, Case, Times};
use super::{device::DeviceFigures, many_core::ManyCore};
use crate::kernel::newton::DivNewton;
use crate::pipeline::{Program, ProgramSpec, build_with};
use crate::spec::{Limits, Product, ProductMapping, SpecError};

/// Chooses how products are computed, by width, expression, limb and device.
///
/// ```
/// use limbforge_algos::expr::Expr;
/// use limbforge_kernels_gen::{InputSpec, LimbKind, Limits, Planner};
/// use limbforge_kernels_gen::{Product, Program, ProgramSpec, Target};
/// use limbforge_limb::{IntType, Layout};
///
/// let dag = Expr::parse("a * b")?.to_dag();
/// let layout = Layout::InstanceMajor;
/// let inputs = dag.inputs().map(|name| InputSpec::integers(name, layout, false)).collect();
/// let (ty, limb) = (IntType::unsigned(1 << 18)?, LimbKind::of::<u64>());
/// let (product, target) = (Product::Auto, Target::Cuda);
/// let spec = ProgramSpec { dag, ty, limb, inputs, output: layout, product, target };
/// let candidates = Program::candidates(&spec, &Limits::SM_90, &Planner::new(90))?;
/// let chosen = candidates.iter().find(|candidate| candidate.is_chosen);
/// assert_eq!(chosen.map(|candidate| candidate.product), Some(Product::Ntt));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Planner {
    pub(super) device: &'static DeviceFigures,
    pub(super) shipped: &'static Times,
    pub(super) tuned: Times,
}

/// A mapping that fits, and its estimated time.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RankedMapping {
    /// The mapping.
    pub mapping: ProductMapping,
    /// Whether it is the planned one, which is taken unless another one was measured to be faster.
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
    /// The planner with the shipped times for compute capability `number`, 90 for 9.0, or the next lower one.
    #[must_use]
    pub fn new(number: u32) -> Self {
        Self { device: DeviceFigures::of(number), shipped: times::shipped(), tuned: Times::default() }
    }

    /// Adds measurements of the user's own device, which take precedence over the shipped times; the last one
    /// of the same case counts.
    ///
    /// # Errors
    /// [`MeasurementError`] if one of them is impossible; none is then taken.
    pub fn with_measurements<'m>(
        mut self,
        measurements: impl IntoIterator<Item = &'m Measurement>,
    ) -> Result<Self, MeasurementError> {
        measurements.into_iter().try_for_each(|measurement| self.tuned.add(measurement))?;
        Ok(self)
    }

    /// The GPU that the shipped times are scaled to.
    #[must_use]
    pub const fn device(&self) -> &'static DeviceFigures {
        self.device
    }

    /// Whether there are measurements of the user's own device.
    #[must_use]
    pub fn is_tuned(&self) -> bool {
        !self.tuned.is_empty()
    }

    /// The widths in bits, ascending, at which the user measured this product of an expression.
    #[must_use]
    pub fn tuned_widths(&self, dag: &Dag, product: Product) -> Vec<u32> {
        self.tuned.rows(&Key::new(dag, product)).map(|row| row.case.bits).collect()
    }

    /// The mapping of a product's kernels that was faster than the planned one on the user's own device.
    pub(super) fn fastest_mapping(&self, spec: &ProgramSpec, product: Product) -> Option<ProductMapping> {
        let (key, case) = (Key::new(&spec.dag, product), Case::new(spec.ty, spec.limb));
        self.tuned.fastest_mapping(&key, case).map(|(mapping, _)| mapping)
    }

    /// The many-core model's measures of a program for 2^32 bits of each operand, and its time on
    /// [`device`](Self::device). It needs no measured time, and is less accurate than one.
    ///
    /// # Errors
    /// [`SpecError`] if a kernel does not fit the limits.
    pub fn many_core(
        &self,
        spec: &ProgramSpec,
        program: &Program,
        limits: &Limits,
    ) -> Result<ManyCore, SpecError> {
        ManyCore::of(spec.ty, program, limits, self.device)
    }

    /// The mappings of a specification's kernels by this product that fit a device with these limits, the
    /// fastest by the many-core model first; empty for kernels without a choice, such as divisions.
    ///
    /// # Errors
    /// [`SpecError`] if there are no kernels by this product.
    pub fn mappings(
        &self,
        spec: &ProgramSpec,
        product: Product,
        limits: &Limits,
    ) -> Result<Vec<RankedMapping>, SpecError> {
        let (key, case, newton) =
            (Key::new(&spec.dag, product), Case::new(spec.ty, spec.limb), DivNewton::default());
        let program = build_with(spec, limits, product, None, newton)?;
        program.check(limits)?;
        let Some(planned) = program.mapping() else { return Ok(vec![]) };
        let mut all = vec![(planned, program)];
        for other in planned.others() {
            // Mappings that are rounded alike are the same.
            let Ok(program) = spec.mapped(limits, other, newton) else { continue };
            if program.mapping() == Some(other) && all.iter().all(|(known, _)| *known != other) {
                all.push((other, program));
            }
        }
        let mut tuned = self.tuned.mapped(&key, case);
        // No other time is of the planned mapping.
        tuned.retain(|(mapping, _)| *mapping != planned);
        tuned.extend(self.tuned.milliseconds(&key, case).filter(|time| time.1).map(|time| (planned, time.0)));
        let rank = |(mapping, program)| {
            let model = self.many_core(spec, &program, limits)?;
            let tuned_ms = tuned.iter().find(|(known, _)| *known == mapping).map(|(_, ms)| *ms);
            Ok(RankedMapping { mapping, is_planned: mapping == planned, program, model, tuned_ms })
        };
        let mut ranked = all.into_iter().map(rank).collect::<Result<Vec<_>, SpecError>>()?;
        ranked.sort_by(|a, b| a.model.milliseconds().total_cmp(&b.model.milliseconds()));
        Ok(ranked)
    }

    /// The sources of all times as text, and the figures of predictions if this GPU was not measured.
    #[must_use]
    pub fn provenance(&self) -> String {
        let device = self.device();
        let mut text = "Times are for 2^32 bits of each operand. Measured:\n".to_owned();
        text.extend(self.shipped.sources.iter().map(|source| format!("  {source}\n")));
        if !device.is_measured() {
            let DeviceFigures { name, multiprocessors, clock_mhz, memory_gb_per_s, source, .. } = device;
            let rate = |rate| format!("{rate} Tops/s of bytes");
            let rate = device.int8_tera_ops.map_or_else(|| "none".to_owned(), rate);
            text += &format!(
                "Predicted from these for an {name} by its multiprocessors and clock ({multiprocessors} at {clock_mhz} MHz), memory ({memory_gb_per_s} GB/s) and matrix products ({rate}): {source}\n"
            );
        }
        text
    }
}

/// As on an H200.
impl Default for Planner {
    fn default() -> Self {
        Self::new(90)
    }
}

#[cfg(test)]
mod tests {
    use limbforge_algos::expr::Expr;
    use limbforge_limb::{IntType, Layout};

    use super::*;
    use crate::plan::Basis;
    use crate::spec::{InputSpec, LimbKind, Target};

    fn spec(text: &str, bits: u32) -> ProgramSpec {
        let dag = Expr::parse(text).unwrap().to_dag();
        let output = Layout::InstanceMajor;
        let inputs = dag.inputs().map(|name| InputSpec::integers(name, output, false)).collect();
        let (ty, limb) = (IntType::unsigned(bits.into()).unwrap(), LimbKind::of::<u32>());
        ProgramSpec { dag, ty, limb, inputs, output, product: Product::Auto, target: Target::Cuda }
    }

    /// At every measured width as if it had not been measured: the choice by the other widths takes at most
    /// 15 % more than the best.
    #[test]
    fn the_choice_between_measured_widths_is_near_the_best() {
        let mut compared = 0;
        for text in ["a*b", "a*a", "mul_wide(a, b)", "mulhi(a, b)", "(a*a + b)*(b*b + b) + a*b", "a*b + c*d"]
        {
            for bits in (10..16).map(|log2| 1 << log2).chain([1000, 5000, 10_000]) {
                let spec = spec(text, bits);
                let known = Program::candidates(&spec, &Limits::SM_90, &Planner::default()).unwrap();
                let mut without = times::shipped().clone();
                without.forget(Case::new(spec.ty, spec.limb).words);
                let planner = Planner { shipped: Box::leak(Box::new(without)), ..Planner::default() };
                let chosen = Program::candidates(&spec, &Limits::SM_90, &planner).unwrap();
                let chosen = chosen.iter().find(|candidate| candidate.is_chosen).unwrap();
                let measured = |product| {
                    let candidate = known.iter().find(|candidate| candidate.product == product)?;
                    candidate.estimate.filter(|e| e.basis == Basis::Measured).map(|e| e.milliseconds)
                };
                let best = known.iter().filter_map(|candidate| measured(candidate.product)).reduce(f64::min);
                let (Some(ms), Some(best)) = (measured(chosen.product), best) else { continue };
                assert!(ms <= 1.15 * best, "{text} of {bits} bits: {} takes {ms} for {best}", chosen.product);
                compared += 1;
            }
        }
        assert!(compared > 40, "{compared}");
    }
}
