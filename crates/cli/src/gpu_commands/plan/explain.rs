//! Why a plan is what it is, as text.

use limbforge_kernels_gen::{
    Candidate, Estimate, KernelSpec, LaunchKernel, LaunchMeasures, Limits, ManyCore, Planner, ProductMapping,
    Program, ProgramSpec, RankedMapping,
};

use super::{many_core, tuned_ms};

/// Mappings that are shown.
const SHOWN: usize = 5;

/// Where times come from, then each candidate: its time, what that rests on, how it compares with the chosen one, and its kernels.
pub(super) fn explanation(
    spec: &ProgramSpec,
    planner: &Planner,
    limits: &Limits,
    candidates: &[Candidate],
) -> String {
    let mut text = format!("\n{}", provenance(planner));
    let chosen = candidates.iter().find(|candidate| candidate.is_chosen).and_then(Candidate::milliseconds);
    for candidate in candidates {
        text += &format!("\n{}: {}\n", candidate.product, judgement(candidate, chosen));
        let widths = planner.tuned_widths(&spec.dag, candidate.product);
        if !widths.is_empty() {
            let widths: Vec<String> = widths.iter().map(ToString::to_string).collect();
            text += &format!("  measured on this GPU at {} bits\n", widths.join(", "));
        }
        if let Some(model) = many_core(candidate, spec, planner, limits) {
            text += &model_text(&model, candidate.milliseconds());
        }
        match &candidate.program {
            Ok(program) => {
                text += &kernels(program, limits);
                let ranked = planner.mappings(spec, candidate.product, limits).unwrap_or_default();
                text += &ranking(&ranked, program.mapping());
            }
            Err(error) => text += &format!("  no kernel: {error}\n"),
        }
    }
    text
}

/// What the many-core model says, as a whole and of each launch, beside the time that is known.
fn model_text(model: &ManyCore, known: Option<f64>) -> String {
    let ms = model.milliseconds();
    let beside = known.map(|known| format!(", {:.2} times the time above", ms / known)).unwrap_or_default();
    let mut text = format!("  many-core model: {ms:.3} ms{beside}\n");
    for (number, launch) in (1..).zip(&model.launches) {
        let LaunchMeasures { work, span, words, blocks, threads, busy, warps, waits, milliseconds } = launch;
        text += &format!(
            "    {number}. W = {work:.3e} operations, S = {span:.1}, O/U = {:.3e} words in N = {blocks} blocks of {threads} threads; {:.0} % of the lanes busy, {warps} warps a multiprocessor, {waits:.0} waits: {milliseconds:.3} ms\n",
            words / f64::from(*threads),
            100.0 * busy,
        );
    }
    text
}

/// The best mappings by the model, the planned one and the one that is taken.
fn ranking(ranked: &[RankedMapping], taken: Option<ProductMapping>) -> String {
    if ranked.len() < 2 {
        return String::new();
    }
    let mut text = format!("  mappings, {} that fit, by the model:\n", ranked.len());
    for (place, RankedMapping { mapping, is_planned, model, tuned_ms, .. }) in (1..).zip(ranked) {
        let is_taken = taken == Some(*mapping);
        if place > SHOWN && !is_planned && !is_taken && tuned_ms.is_none() {
            continue;
        }
        let mark = if is_taken { "->" } else { "  " };
        let planned = if *is_planned { ", planned" } else { "" };
        let tuned = tuned_ms.map(|ms| format!(", measured {ms:.3} ms")).unwrap_or_default();
        text += &format!("  {mark} {place}. {mapping}: {:.3} ms{tuned}{planned}\n", model.milliseconds());
    }
    text
}

/// Each kernel in words and with its whole specification, and the buffers between.
fn kernels(program: &Program, limits: &Limits) -> String {
    let mut text = String::new();
    for (number, launch) in (1..).zip(&program.launches) {
        let block = launch.kernel.render(limits).map(|kernel| kernel.geometry).map_or_else(
            |error| format!("no kernel: {error}"),
            |geometry| {
                let (threads, bytes) = (geometry.threads, geometry.shared_bytes);
                format!(
                    "IPB = {} instances a block of {threads} threads, {bytes} bytes of shared memory",
                    geometry.instances
                )
            },
        );
        text += &format!("  {number}. {}; {block}\n     {}\n", layout(&launch.kernel), launch.kernel);
    }
    if program.buffer_words() > 0 {
        let (bytes, chunk) = (4 * program.buffer_words(), program.chunk);
        let chunk = if chunk == u64::MAX { "all".to_owned() } else { chunk.to_string() };
        text += &format!("  buffers between kernels: {bytes} bytes an instance, {chunk} instances at once\n");
    }
    text
}

/// Which thread holds what of an instance.
fn layout(kernel: &LaunchKernel) -> String {
    match kernel {
        LaunchKernel::Expression(spec) => {
            let KernelSpec { mapping, limb, .. } = &**spec;
            let words = limb.words();
            let (limbs, held) = (spec.words().div_ceil(words), mapping.run_words * mapping.runs);
            format!("expression: M = {limbs} limbs, {held} words of 32 bits a thread")
        }
        LaunchKernel::MulNtt(spec) => {
            let plan = &spec.plan;
            format!(
                "transforms: {} digits of 64 bits, {} points, {} primes, {} threads a transform",
                plan.digits,
                plan.points(),
                plan.primes.primes().len(),
                plan.threads
            )
        }
        LaunchKernel::DivNewton(spec) => {
            format!("division, {}: blocks of {} words of the quotient", spec.stage.name(), spec.half)
        }
        LaunchKernel::MulTensor(spec) => {
            let plan = &spec.plan;
            let shared = if plan.paired { ", two instances to one" } else { "" };
            let by = if plan.warpgroup { " by warpgroups" } else { "" };
            format!(
                "tensor cores{by}: {} tiles of 128 digits of 8 bits{shared}, {} together, warps an instance: {}",
                plan.tiles, plan.together, plan.team
            )
        }
    }
}

fn provenance(planner: &Planner) -> String {
    let device = planner.device();
    let mut text = "Times are for 2^32 bits of each operand. Measured:\n".to_owned();
    for source in planner.sources() {
        text += &format!("  {source}\n");
    }
    if !device.is_measured() {
        text += &format!(
            "Predicted from these for an {} by its multiprocessors and clock ({} at {} MHz), memory ({} GB/s) and matrix products{}: {}\n",
            device.name,
            device.multiprocessors,
            device.clock_mhz,
            device.memory_gb_per_s,
            device
                .int8_tera_ops
                .map_or_else(|| " (none)".to_owned(), |rate| format!(" ({rate} Tops/s of bytes)")),
            device.source,
        );
    }
    text
}

fn judgement(candidate: &Candidate, chosen: Option<f64>) -> String {
    let time = |Estimate { milliseconds, basis }: Estimate| format!("{milliseconds:.3} ms, {basis}");
    let mut text = candidate.estimate.map_or_else(|| "no time is known".to_owned(), time);
    if tuned_ms(candidate).is_some() {
        text += " on this GPU";
        if let Some(shipped) = candidate.shipped {
            text += &format!(" (shipped: {})", time(shipped));
        }
    }
    match (candidate.is_chosen, candidate.milliseconds().zip(chosen)) {
        (true, _) => text + ": chosen",
        (false, Some((ours, chosen))) => text + &format!(": {:.2} times the chosen one", ours / chosen),
        (false, None) => text,
    }
}
