//! The threads, registers and shared memory of a kernel, before it is compiled.

use limbforge_algos::expr::{Dag, Op};

use super::blocks;
use crate::kernel::{Block, Geometry};
use crate::lower::{factor_words, lowerings};
use crate::spec::{KernelSpec, Limits, Mapping, SpecError, WARP};
use crate::template::{Template, Templates};

/// Registers beside the values: addresses, the place of the thread, temporaries of one operation.
const OTHER_REGISTERS: u32 = 24;

/// The resources of a block. Errors unless a device with these limits has them.
pub(super) fn block(
    spec: &KernelSpec,
    templates: Templates,
    shared: &SharedWords,
    limits: &Limits,
) -> Result<Block, SpecError> {
    let (mapping, threads, shared_bytes) = (&spec.mapping, spec.mapping.threads(), shared.bytes());
    let values = live_registers(&spec.dag, mapping, |_| true);
    let registers = values.saturating_add(OTHER_REGISTERS);
    limits.check_threads(threads)?;
    limits.check_shared(shared_bytes)?;
    let limit = limits.thread_registers.min(limits.registers / threads);
    if registers > limit {
        return Err(SpecError::Registers { needed: registers, limit });
    }
    let products = spec.dag.nodes().iter().filter(|node| node.op.is_product()).count() as u32;
    // A product's columns are sums of six words for four (mul_classical.cuh).
    let columns = if products > 0 { mapping.runs * mapping.run_words / 4 * 6 } else { 0 };
    // A product has four barriers, and each resolution of carries one.
    let barriers = if mapping.warps > 1 { 5 * products + 1 } else { 0 };
    // Many blocks keep memory busy, few with many registers multipliers.
    let blocks = |taken: u32, shared_bytes| {
        limits.blocks((limits.registers / taken).clamp(1, 32), threads, shared_bytes)
    };
    let wanted = match number_theory_registers(spec) {
        Some(registers) => blocks(threads * registers, 0),
        // Rows of 1024 bits then fit 168 registers, without a spill; signs take more.
        None if spec.has_long_rows() && !spec.ty.is_signed() => 3,
        None if templates.has(Template::MulClassical) => 1,
        None => {
            let registers = linear_registers(spec, templates, values);
            let taken = threads.div_ceil(4 * WARP).saturating_mul(4 * WARP).saturating_mul(registers);
            // The shared memory of blocks of quotients leaves them more registers.
            blocks(taken, if templates.has(Template::DivBlocks) { shared_bytes } else { 0 })
        }
    };
    let (instances, shared_bytes) = (mapping.instances, shared_bytes as u32);
    let geometry = Geometry { threads, instances, planes: 1, shared_bytes };
    Ok(Block { geometry, wanted, registers: registers + columns, barriers })
}

/// Registers of long operations, whose registers decide how many blocks hide latency; None without any.
fn number_theory_registers(spec: &KernelSpec) -> Option<u32> {
    let longest = lowerings(&spec.dag).filter_map(|row| Some((row.registers?)(spec))).max()?;
    // The steps leave room for three numbers of the expression. Constants are in instructions.
    let numbers = live_registers(&spec.dag, &spec.mapping, |op| !matches!(op, Op::Literal(_)));
    Some(longest.saturating_add(numbers.saturating_sub(3 * (spec.mapping.run_words + 1))))
}

/// Registers without products: two thousand threads take 32. A shift has all words in flight.
fn linear_registers(spec: &KernelSpec, templates: Templates, value_registers: u32) -> u32 {
    let mapping = &spec.mapping;
    if templates.has(Template::Div) {
        // A window, a divisor and estimates; more for whole warps or many words of a lane.
        let more = if mapping.lanes == WARP || mapping.run_words > 32 { 24 } else { 0 };
        return (2 * mapping.run_words + 40 + more).max(80);
    }
    let shifts = templates.has(Template::Shift);
    let shifted = if shifts { mapping.runs.saturating_mul(mapping.run_words) } else { 0 };
    let staging = if spec.is_staged() && mapping.warps > 1 { 8 } else { 0 };
    // Words beyond each run.
    let coefficients = if templates.has(Template::Crt) { 12 + 3 * mapping.runs } else { 0 };
    let other = shifted.saturating_add(OTHER_REGISTERS + staging + coefficients);
    match value_registers.saturating_add(other) {
        // Little else lives beside these columns; two blocks of 512 threads hide more latency than one.
        registers @ ..=80 if templates.has(Template::Crt) => registers.clamp(56, 64),
        registers => registers.max(32),
    }
}

/// The most registers that values of these operations take at once: each lives from its node to its last use.
fn live_registers(dag: &Dag, mapping: &Mapping, counts: impl Fn(&Op) -> bool) -> u32 {
    let mut last_use: Vec<usize> = (0..dag.nodes().len()).collect();
    for (i, node) in dag.nodes().iter().enumerate() {
        for arg in &node.args {
            last_use[arg.index()] = i;
        }
    }
    // A value is alive from the node after its own to its last use, whose result takes its registers.
    let mut change = vec![0_i64; dag.nodes().len() + 1];
    for (i, &last) in last_use.iter().enumerate().filter(|&(i, &last)| last > i && counts(&dag.nodes()[i].op))
    {
        change[i + 1] += 1;
        change[last + 1] -= 1;
    }
    let alive = change.iter().scan(0, |alive, change| {
        *alive += change;
        Some(*alive)
    });
    let most = alive.max().and_then(|most| u32::try_from(most).ok()).unwrap_or(0);
    most.saturating_mul(mapping.runs.saturating_mul(mapping.run_words + 1))
}

/// The words of a block's shared memory: a slot for each instance or the staged result, then exchanges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SharedWords {
    /// The first factor of a product in a slot; 0 without products.
    pub(super) factor: u32,
    /// An instance's slot, padded so that neighbours lie in different banks.
    pub(super) slot: u32,
    /// Slots or staged result, the larger.
    pub(super) region: u32,
    /// One word of each warp of the block, in each of two arrays.
    pub(super) exchange: u32,
    /// Three words that coefficients pass from each warp of the block to the next (crt.cuh).
    pub(super) spill: u32,
}

impl SharedWords {
    pub(super) fn of(spec: &KernelSpec, templates: Templates) -> Self {
        let mapping = &spec.mapping;
        let factor = if templates.has(Template::MulClassical) { factor_words(spec) } else { 0 };
        let slot = slot(spec, templates);
        let slots = mapping.threads() / (mapping.lanes * mapping.warps);
        // A block's words in whole vectors, of which the first may begin in the block before.
        let staged = mapping.instances.saturating_mul(spec.result_words()).saturating_add(3);
        let staged = if spec.is_staged() { staged } else { 0 };
        let region = staged.max(slots.saturating_mul(slot)).div_ceil(4).saturating_mul(4);
        let exchange = if mapping.warps > 1 { mapping.instances * mapping.warps } else { 0 };
        let spill = if templates.has(Template::Crt) { 3 * exchange } else { 0 };
        Self { factor, slot, region, exchange, spill }
    }

    /// All of it.
    pub(super) const fn bytes(&self) -> u64 {
        4 * (self.region as u64 + 2 * self.exchange as u64 + self.spill as u64)
    }
}

/// An instance's slot: for its operations one after the other, or the exchange between its lanes.
fn slot(spec: &KernelSpec, templates: Templates) -> u32 {
    let (mapping, padded) = (&spec.mapping, spec.mapping.padded_words());
    let used = lowerings(&spec.dag).map(|row| (row.slot)(spec)).max().unwrap_or(0);
    // Padding of each lane, so that neighbouring instances use different banks (lanes_transfer.cuh).
    let padding = mapping.lanes.saturating_mul(mapping.piece_words());
    let lanes = if spec.moves_by_lanes() { padded.saturating_add(padding) } else { 0 };
    // A dividend or a result of twice the words (div_wide.cuh, lanes_wide.cuh).
    let is_twice = templates.has(Template::DivWide) || templates.has(Template::LanesWide);
    let twice = if is_twice { lanes } else { 0 };
    // The areas of blocks lie behind (div_blocks.cuh).
    let behind = if templates.has(Template::DivBlocks) { blocks::area_words(spec) } else { 0 };
    let lanes = lanes.saturating_add(twice).saturating_add(behind);
    match used {
        0 if !spec.has_long_rows() => lanes,
        // Slots at a distance of 16 bytes modulo 32 lie in different banks.
        _ => used.max(lanes).div_ceil(8).saturating_mul(8).saturating_add(4),
    }
}
