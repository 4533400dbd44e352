//! A mapping that suits an expression.

use limbforge_algos::expr::{Dag, Op};
use limbforge_limb::{IntType, Layout};

use super::blocks;
use crate::lower::lowerings;
use crate::spec::{InputForm, InputSpec, LimbKind, Mapping, SpecError, WARP, multiplies, within_warp};

/// Idle lanes up to which vectors are faster than staging.
const MAX_IDLE_PERCENT: u32 = 10;

impl Mapping {
    /// The mapping of one instance to `ceil(M / Q)` threads of Q limbs each, IPB instances to a block. The threads are
    /// rounded up to a power of two within a warp, to whole warps above; products round the words of a thread up to
    /// four.
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
        let run_words = q.saturating_mul(limb.words());
        let run_words = if multiplies(dag) || within_warp(dag) {
            run_words.div_ceil(4).saturating_mul(4)
        } else {
            run_words
        };
        let words = limb.instance_words(ty);
        let mut mapping = if within_warp(dag) {
            Self::over_lanes(words, run_words)
        } else {
            Self::over_threads(words, run_words, 1)
        };
        mapping.instances = ipb;
        mapping.check()?;
        Ok(mapping)
    }

    /// A mapping that suits the expression, the width and the layouts of its operands.
    ///
    /// Four words per thread make 16-byte accesses that coalesce as they lie. Where instances are not aligned to that, or
    /// too many lanes would idle, batches go through shared memory, and an odd number of words keeps lanes in different
    /// banks. Products take eight or sixteen words, as many chunks of columns from either end; of wide ones of up to 32 words, eight are
    /// faster, as each chunk has a partner in the upper half, or twelve where fewer lanes idle. Interleaved batches of up to 16 words take
    /// a thread per instance.
    #[must_use]
    pub fn plan(dag: &Dag, ty: IntType, limb: LimbKind, layouts: &[Layout]) -> Self {
        let words = limb.instance_words(ty);
        if within_warp(dag) {
            return Self::plan_within_warp(words, dag);
        }
        if multiplies(dag) {
            let run_words = match words {
                ..=4 => 4,
                5..=8 => 8,
                9..=32 if dag.is_wide() => {
                    let twelve_are_fewer = Self::over_threads(words, 12, 1).padded_words()
                        < Self::over_threads(words, 8, 1).padded_words();
                    if twelve_are_fewer { 12 } else { 8 }
                }
                9..=512 => 16,
                _ => 8,
            };
            return Self::over_threads(words, run_words, 1).with_full_blocks().for_products(dag);
        }
        if words <= 16 && layouts.contains(&Layout::Interleaved) {
            return Self::over_threads(words, words, 1).with_full_blocks();
        }
        let vectors = Self::over_threads(words, 4, 1);
        if words.is_multiple_of(4) && vectors.idle_percent(words) <= MAX_IDLE_PERCENT {
            // More than 512 threads leave a multiprocessor too few blocks to hide their barriers.
            let runs = vectors.warps.div_ceil(16).next_power_of_two();
            return Self::over_threads(words, 4, runs).with_full_blocks();
        }
        let staged = |run_words| Self::over_threads(words, run_words, 1);
        let fewest_idle = (1..=9).step_by(2).map(staged).filter(|mapping| mapping.warps <= WARP);
        fewest_idle
            .min_by_key(|mapping| {
                // Measured best: five words in a warp, seven where warps wait for each other.
                let best = if mapping.warps > 1 { 7 } else { 5 };
                // Barriers of a block cost more than a third of idle lanes.
                let waits = if mapping.warps > 1 { 32 } else { 0 };
                ((mapping.idle_percent(words) + waits) / 4, mapping.run_words.abs_diff(best))
            })
            .unwrap_or(vectors)
            .with_full_blocks()
    }

    /// Many words per lane: what lanes tell each other costs each step as much as a dozen words.
    /// Powers and inverses have less of that, and four or five numbers in registers. Divisions by blocks take whole warps.
    fn plan_within_warp(words: u32, dag: &Dag) -> Self {
        let dividend = match dag {
            dag if only_divides(dag, Op::is_division) => words,
            dag if only_divides(dag, Op::is_wide_division) => 2 * words,
            _ => 0,
        };
        let by_blocks = blocks::suit(dividend);
        let run_words = match words {
            _ if by_blocks => words.div_ceil(WARP),
            17..=512 if lowerings(dag).any(|row| row.short_lanes) => 16,
            ..=32 => words.div_ceil(4) * 4,
            33..=1024 => 32,
            _ => 64,
        };
        let mapping = Self::over_lanes(words, run_words).with_full_blocks();
        if by_blocks { blocks::placed(mapping, dividend) } else { mapping }
    }

    /// This many words to a thread of an expression's kernel, and IPB instances to a block. Without products, threads of whole warps
    /// hold them in runs of four, which coalesce.
    pub(crate) fn with_words(dag: &Dag, instance_words: u32, words: u32, instances: u32) -> Self {
        let several_warps = instance_words.div_ceil(4) > WARP;
        let mapping = if !multiplies(dag) && several_warps && words.is_multiple_of(4) {
            Self::over_threads(instance_words, 4, words / 4)
        } else {
            Self::over_threads(instance_words, words, 1)
        };
        Self { instances, ..mapping }
    }

    /// For operations within a warp: this many words to a lane, or a few more.
    fn over_lanes(words: u32, run_words: u32) -> Self {
        let four = Self::over_threads(words, run_words.div_ceil(4).saturating_mul(4), 1);
        let step = four.words_within_warp();
        Self::over_threads(words, run_words.div_ceil(step).saturating_mul(step), 1)
    }

    /// A mapping for these operands and this layout of the result.
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

    /// Four digit sums to a run, which are read as one vector of residues for each prime; two if that leaves fewer lanes
    /// idle.
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

    /// Words of the threads of an instance that hold padding, in percent.
    const fn idle_percent(&self, words: u32) -> u32 {
        100 - 100 * words / self.padded_words()
    }

    /// Threads with an instance each and several products one after the other are faster in blocks of one warp: 0.93 for 0.99 ms for
    /// Poly of 512 bits on an H200.
    fn for_products(mut self, dag: &Dag) -> Self {
        let products = dag.nodes().iter().filter(|node| node.op.is_product()).count();
        if self.lanes == 1 && products > 1 {
            self.instances = WARP;
        }
        self
    }
}

/// Whether all operations within a warp are divisions of this kind.
fn only_divides(dag: &Dag, is: fn(&Op) -> bool) -> bool {
    dag.nodes().iter().all(|node| is(&node.op) || !node.op.is_within_warp())
}
