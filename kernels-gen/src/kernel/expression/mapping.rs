//! The mapping of an expression.

use limbforge_algos::expr::{Dag, Op};
use limbforge_limb::{IntType, Layout};

use super::blocks::{self, only_divides};
use crate::lower::LaneWords;
use crate::spec::{InputForm, InputSpec, LimbKind, Mapping, SpecError, WARP, multiplies, within_warp};

/// Idle lanes up to which vectors are faster than staging.
const MAX_IDLE_PERCENT: u32 = 10;

impl Mapping {
    /// The mapping of one instance to `ceil(M / Q)` threads of Q limbs each, IPB instances to a block.
    /// Threads are rounded up to a power of two within a warp, to whole warps above; products round the words
    /// of a thread up to four.
    ///
    /// # Errors
    /// [`SpecError::Mapping`] if Q or IPB is 0, [`SpecError::Threads`] if a block is too large.
    pub fn from_limbs_per_thread(
        dag: &Dag,
        ty: IntType,
        limb: LimbKind,
        q: u32,
        ipb: u32,
    ) -> Result<Self, SpecError> {
        for (what, found) in [("limbs per thread", q), ("instances per block", ipb)] {
            SpecError::require(found > 0, what, found, "1 or more")?;
        }
        let (words, run_words) = (limb.instance_words(ty), q.saturating_mul(limb.words()));
        let mapping = if within_warp(dag) {
            Self::over_lanes(words, run_words)
        } else {
            let step = if multiplies(dag) { 4 } else { 1 };
            Self::over_threads(words, run_words.div_ceil(step).saturating_mul(step), 1)
        };
        let mapping = Self { instances: ipb, ..mapping };
        mapping.check().map(|()| mapping)
    }

    /// The mapping for the expression, the width and the layouts of its operands.
    ///
    /// Four words per thread make coalesced accesses of 16 bytes. Where instances are not aligned to that, or
    /// too many lanes would idle, batches go through shared memory, and an odd number of words keeps lanes in
    /// different banks. Products take eight or sixteen words, as many chunks of columns from either end. Wide
    /// products of up to 32 words take a thread per instance, which computes row by row in its registers.
    /// Interleaved batches of up to 16 words take a thread per instance.
    #[must_use]
    pub fn plan(dag: &Dag, ty: IntType, limb: LimbKind, layouts: &[Layout]) -> Self {
        let words = limb.instance_words(ty);
        let one_run = |run_words| Self::over_threads(words, run_words, 1);
        if within_warp(dag) {
            return Self::plan_within_warp(words, dag);
        }
        if multiplies(dag) {
            let run_words = match words {
                ..=4 => 4,
                5..=8 => 8,
                9..=32 if dag.is_wide() => words.next_multiple_of(4),
                9..=512 => 16,
                _ => 8,
            };
            return one_run(run_words).with_full_blocks().for_products(dag);
        }
        if words <= 16 && layouts.contains(&Layout::Interleaved) {
            return one_run(words).with_full_blocks();
        }
        let vectors = one_run(4);
        if words.is_multiple_of(4) && vectors.idle_percent(words) <= MAX_IDLE_PERCENT {
            // More than 512 threads leave a multiprocessor too few blocks to hide their barriers.
            let runs = vectors.warps.div_ceil(16).next_power_of_two();
            return Self::over_threads(words, 4, runs).with_full_blocks();
        }
        let staged = (1..=9).step_by(2).map(one_run).filter(|mapping| mapping.warps <= WARP);
        let fewest_idle = staged.min_by_key(|mapping| {
            // Measured: five words in a warp, seven where warps wait; barriers cost more than idle lanes.
            let (best, waits) = if mapping.warps > 1 { (7, 32) } else { (5, 0) };
            ((mapping.idle_percent(words) + waits) / 4, mapping.run_words.abs_diff(best))
        });
        fewest_idle.unwrap_or(vectors).with_full_blocks()
    }

    /// The lanes of an operation within a warp, which hold as many words as [`LaneWords`] says.
    fn plan_within_warp(words: u32, dag: &Dag) -> Self {
        let dividend = match dag {
            dag if only_divides(dag, Op::is_division) => words,
            dag if only_divides(dag, Op::is_wide_division) => 2 * words,
            _ => 0,
        };
        let by_blocks = blocks::suit(dividend);
        let run_words = if by_blocks { words.div_ceil(WARP) } else { LaneWords::of(dag).of_instances(words) };
        let mapping = Self::over_lanes(words, run_words).with_full_blocks();
        if by_blocks { blocks::placed(mapping, dividend) } else { mapping }
    }

    /// This many words to a thread: of whole warps, and without products, in coalesced runs of four.
    pub(crate) fn with_words(dag: &Dag, instance_words: u32, words: u32, instances: u32) -> Self {
        let in_fours = !multiplies(dag) && instance_words.div_ceil(4) > WARP && words.is_multiple_of(4);
        let (run_words, runs) = if in_fours { (4, words / 4) } else { (words, 1) };
        Self { instances, ..Self::over_threads(instance_words, run_words, runs) }
    }

    /// For operations within a warp: at least this many words to a lane.
    fn over_lanes(words: u32, run_words: u32) -> Self {
        let four = Self::over_threads(words, run_words.div_ceil(4).saturating_mul(4), 1);
        let step = four.words_within_warp();
        Self::over_threads(words, run_words.div_ceil(step).saturating_mul(step), 1)
    }

    /// The mapping for these operands and this layout of the result.
    pub(crate) fn plan_inputs(
        dag: &Dag,
        ty: IntType,
        limb: LimbKind,
        inputs: &[InputSpec],
        output: Layout,
    ) -> Self {
        if inputs.iter().any(|input| matches!(input.form, InputForm::Residues(_))) {
            return Self::plan_residues(limb.instance_words(ty));
        }
        let layouts: Vec<Layout> = inputs.iter().map(|input| input.layout).chain([output]).collect();
        Self::plan(dag, ty, limb, &layouts)
    }

    /// Runs of four coefficients, one vector of residues for each prime, or of two if fewer lanes then idle.
    fn plan_residues(words: u32) -> Self {
        let four = Self::over_threads(words, 8, 1);
        let runs = match four.warps {
            ..=16 => 1,
            17..=64 => 2,
            warps => warps.div_ceil(32),
        };
        let two = Self::over_threads(words, 4, 1);
        if runs == 1 && two.warps <= 16 && two.padded_words() < four.padded_words() {
            return two.with_full_blocks();
        }
        Self::over_threads(words, 8, runs).with_full_blocks()
    }

    /// Padding of an instance, in percent.
    const fn idle_percent(&self, words: u32) -> u32 {
        100 - 100 * words / self.padded_words()
    }

    /// One warp for several products of one thread each: 0.93, not 0.99 ms for Poly of 512 bits on an H200.
    fn for_products(self, dag: &Dag) -> Self {
        let products = dag.nodes().iter().filter(|node| node.op.is_product()).count();
        let one_warp = self.lanes == 1 && products > 1;
        Self { instances: if one_warp { WARP } else { self.instances }, ..self }
    }
}
