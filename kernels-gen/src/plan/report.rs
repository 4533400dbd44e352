//! A candidate in words, for `limbforge plan --explain` and for prepared expressions.

use core::fmt;

use super::many_core::{LaunchMeasures, ManyCore};
use super::planner::{Planner, RankedMapping};
use super::{choice::Candidate, estimate::Estimate};
use crate::kernel::Geometry;
use crate::pipeline::{Program, ProgramKernel, ProgramSpec};
use crate::spec::{KernelSpec, Limits, ProductMapping};

/// Number of mappings shown.
const SHOWN: usize = 5;

/// The text of one candidate: time and basis, the many-core model, its kernels, the mappings that fit.
#[derive(Clone, Copy, Debug)]
pub struct Explanation<'p> {
    planner: &'p Planner,
    spec: &'p ProgramSpec,
    limits: &'p Limits,
    candidate: &'p Candidate,
    chosen_ms: Option<f64>,
}

impl Planner {
    /// A candidate of a specification in words, beside the time of the chosen one.
    ///
    /// ```
    /// use limbforge_algos::expr::Expr;
    /// use limbforge_kernels_gen::{InputSpec, LimbKind, Limits, Planner};
    /// use limbforge_kernels_gen::{Product, Program, ProgramSpec, Target};
    /// use limbforge_limb::{IntType, Layout};
    ///
    /// let dag = Expr::parse("a + b")?.to_dag();
    /// let output = Layout::InstanceMajor;
    /// let inputs = dag.inputs().map(|name| InputSpec::integers(name, output, false)).collect();
    /// let (ty, limb) = (IntType::unsigned(512)?, LimbKind::of::<u32>());
    /// let (product, target) = (Product::Auto, Target::Cuda);
    /// let spec = ProgramSpec { dag, ty, limb, inputs, output, product, target };
    /// let (planner, limits) = (Planner::default(), Limits::SM_90);
    /// let candidates = Program::candidates(&spec, &limits, &planner)?;
    /// let text = planner.explain(&spec, &limits, &candidates[0], None).to_string();
    /// assert!(text.contains("  1. expression: M = 16 limbs, 4 words of 32 bits a thread"), "{text}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn explain<'p>(
        &'p self,
        spec: &'p ProgramSpec,
        limits: &'p Limits,
        candidate: &'p Candidate,
        chosen_ms: Option<f64>,
    ) -> Explanation<'p> {
        Explanation { planner: self, spec, limits, candidate, chosen_ms }
    }
}

impl fmt::Display for Explanation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { planner, spec, limits, candidate, .. } = self;
        writeln!(f, "{}: {}", candidate.product, self.judgement())?;
        let widths = planner.tuned_widths(&spec.dag, candidate.product);
        if !widths.is_empty() {
            let widths: Vec<String> = widths.iter().map(ToString::to_string).collect();
            writeln!(f, "  measured on this GPU at {} bits", widths.join(", "))?;
        }
        let program = match &candidate.program {
            Ok(program) => program,
            Err(error) => return writeln!(f, "  no kernel: {error}"),
        };
        if let Ok(model) = planner.many_core(spec, program, limits) {
            model_text(f, &model, candidate.milliseconds())?;
        }
        kernels(f, program, limits)?;
        let ranked = planner.mappings(spec, candidate.product, limits).unwrap_or_default();
        ranking(f, &ranked, program.mapping())?;
        match planner.matrix_powers(spec, limits) {
            Ok(powers) if candidate.is_chosen => powers.iter().try_for_each(|powers| powers.fmt(f)),
            _ => Ok(()),
        }
    }
}

impl Explanation<'_> {
    /// The time, its basis, and how it compares with the chosen candidate's.
    fn judgement(&self) -> String {
        let candidate = self.candidate;
        let time = |Estimate { milliseconds, basis }: Estimate| format!("{milliseconds:.3} ms, {basis}");
        let mut text = candidate.estimate.map_or_else(|| "no time is known".to_owned(), time);
        if candidate.tuned_ms().is_some() {
            text += " on this GPU";
            if let Some(shipped) = candidate.shipped_estimate {
                text += &format!(" (shipped: {})", time(shipped));
            }
        }
        match (candidate.is_chosen, candidate.milliseconds().zip(self.chosen_ms)) {
            (true, _) => text + ": chosen",
            (false, Some((ours, chosen))) => text + &format!(": {:.2} times the chosen one", ours / chosen),
            (false, None) => text,
        }
    }
}

/// The many-core model's time and measures, launch by launch, beside the known time.
fn model_text(f: &mut fmt::Formatter<'_>, model: &ManyCore, known: Option<f64>) -> fmt::Result {
    let ms = model.milliseconds();
    let beside = known.map(|known| format!(", {:.2} times the time above", ms / known)).unwrap_or_default();
    writeln!(f, "  many-core model: {ms:.3} ms{beside}")?;
    for (number, launch) in (1..).zip(&model.launches) {
        let LaunchMeasures { work, span, words, blocks, threads, busy, warps, waits, milliseconds } = launch;
        writeln!(
            f,
            "    {number}. W = {work:.3e} operations, S = {span:.1}, O/U = {:.3e} words in N = {blocks} blocks of {threads} threads; {:.0} % of the lanes busy, {warps} warps a multiprocessor, {waits:.0} waits: {milliseconds:.3} ms",
            words / f64::from(*threads),
            100.0 * busy,
        )?;
    }
    Ok(())
}

/// The best mappings by the model, the planned one and the chosen one.
fn ranking(
    f: &mut fmt::Formatter<'_>,
    ranked: &[RankedMapping],
    taken: Option<ProductMapping>,
) -> fmt::Result {
    if ranked.len() < 2 {
        return Ok(());
    }
    writeln!(f, "  mappings, {} that fit, by the model:", ranked.len())?;
    for (place, RankedMapping { mapping, is_planned, model, tuned_ms, .. }) in (1..).zip(ranked) {
        let is_taken = taken == Some(*mapping);
        if place > SHOWN && !is_planned && !is_taken && tuned_ms.is_none() {
            continue;
        }
        let mark = if is_taken { "->" } else { "  " };
        let planned = if *is_planned { ", planned" } else { "" };
        let tuned = tuned_ms.map(|ms| format!(", measured {ms:.3} ms")).unwrap_or_default();
        writeln!(f, "  {mark} {place}. {mapping}: {:.3} ms{tuned}{planned}", model.milliseconds())?;
    }
    Ok(())
}

/// Writes each kernel in words and with its specification, and the buffers between.
fn kernels(f: &mut fmt::Formatter<'_>, program: &Program, limits: &Limits) -> fmt::Result {
    for (number, kernel) in (1..).zip(program.launched()) {
        write!(f, "  {number}. {}; ", layout(kernel))?;
        let block = match kernel.render(limits).map(|kernel| kernel.geometry) {
            Ok(Geometry { threads, instances, shared_bytes, .. }) => format!(
                "IPB = {instances} instances a block of {threads} threads, {shared_bytes} bytes of shared memory"
            ),
            Err(error) => format!("no kernel: {error}"),
        };
        writeln!(f, "{block}\n     {kernel}")?;
    }
    if program.buffer_words() > 0 {
        let (bytes, chunk) = (4 * program.buffer_words(), program.chunk);
        let chunk = if chunk == u64::MAX { "all".to_owned() } else { chunk.to_string() };
        writeln!(f, "  buffers between kernels: {bytes} bytes an instance, {chunk} instances at once")?;
    }
    Ok(())
}

/// The share of an instance that a thread holds.
fn layout(kernel: &ProgramKernel) -> String {
    match kernel {
        ProgramKernel::Expression(spec) => {
            let KernelSpec { mapping, limb, .. } = &**spec;
            let (limbs, held) = (spec.words().div_ceil(limb.words()), mapping.run_words * mapping.runs);
            format!("expression: M = {limbs} limbs, {held} words of 32 bits a thread")
        }
        ProgramKernel::MulNtt(spec) => {
            let plan = &spec.plan;
            let (digits, points, threads) = (plan.digits, plan.points(), plan.threads);
            let primes = plan.primes.primes().len();
            format!(
                "transforms: {digits} digits of 64 bits, {points} points, {primes} primes, {threads} threads a transform"
            )
        }
        ProgramKernel::DivNewton(spec) => {
            format!("division, {}: blocks of {} words of the quotient", spec.stage.name(), spec.half)
        }
        ProgramKernel::Rendered(kernel) => format!("{} blocks an instance", kernel.geometry.planes),
        ProgramKernel::MulTensor(spec) => {
            let plan = &spec.plan;
            let shared = if plan.tiling.paired { ", two instances to one" } else { "" };
            let by = if plan.warpgroup { " by warpgroups" } else { "" };
            let (tiles, pass, warps) =
                (plan.tiling.tiles, plan.schedule.tiles_per_pass, plan.schedule.warps_per_instance);
            format!(
                "tensor cores{by}: {tiles} tiles of 128 digits of 8 bits{shared}, {pass} together, warps an instance: {warps}"
            )
        }
    }
}
