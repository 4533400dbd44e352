//! What a kernel takes of a device, before it is compiled.

use limbforge_algos::expr::{Dag, Op};

use super::shared::SharedWords;
use crate::lower::lowerings;
use crate::template::{Template, Templates};

use crate::spec::{KernelSpec, Limits, Mapping, SpecError, WARP};

/// What a kernel takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resources {
    /// Threads of a block.
    pub threads: u32,
    /// Registers of a thread that hold values, estimated from the values alive at once.
    pub value_registers: u32,
    /// Blocks that a multiprocessor should hold, which is what the compiler is asked to save registers for: memory is kept
    /// busy by many threads, multipliers by few with many registers.
    pub blocks_wanted: u32,
    /// Dynamic shared memory of a block in bytes.
    pub shared_bytes: u64,
}

/// Registers beside the values: addresses, the place of the thread, temporaries of one operation.
const OTHER_REGISTERS: u32 = 24;

impl Resources {
    pub(super) fn of(spec: &KernelSpec, templates: Templates, shared: &SharedWords, limits: &Limits) -> Self {
        let threads = spec.mapping.threads();
        let value_registers = live_registers(&spec.dag, &spec.mapping, |_| true);
        let blocks_wanted = match number_theory_registers(spec) {
            Some(registers) => {
                limits.blocks((limits.registers / (threads * registers)).clamp(1, 32), threads, 0)
            }
            None if templates.has(Template::MulClassical) => 1,
            None => {
                let registers = linear_registers(spec, templates, value_registers);
                // The shared memory of blocks of quotients leaves them more registers.
                let shared_bytes = if templates.has(Template::DivBlocks) { shared.bytes() } else { 0 };
                let taken = threads.div_ceil(4 * WARP).saturating_mul(4 * WARP).saturating_mul(registers);
                limits.blocks((limits.registers / taken).clamp(1, 32), threads, shared_bytes)
            }
        };
        Self { threads, value_registers, blocks_wanted, shared_bytes: shared.bytes() }
    }

    /// Registers of a thread, estimated: values and what is beside them.
    pub(crate) const fn registers(&self) -> u32 {
        self.value_registers.saturating_add(OTHER_REGISTERS)
    }

    /// Whether a device with these limits can run the kernel.
    ///
    /// # Errors
    /// [`SpecError`] that names the resource.
    pub fn check(&self, limits: &Limits) -> Result<(), SpecError> {
        limits.check_threads(self.threads)?;
        limits.check_shared(self.shared_bytes)?;
        let needed = self.registers();
        let limit = limits.thread_registers.min(limits.registers / self.threads);
        if needed > limit {
            return Err(SpecError::Registers { needed, limit });
        }
        Ok(())
    }
}

/// Registers of a division: a window and a divisor, and what estimates take. Its operands lie in shared memory meanwhile. With whole
/// warps to an instance, or as many words as a lane may hold, some more.
fn division_registers(mapping: &Mapping) -> u32 {
    let more = if mapping.lanes == WARP || mapping.run_words > 32 { 24 } else { 0 };
    (2 * mapping.run_words + 40 + more).max(80)
}

/// Registers of operations that take so long that registers for the blocks that hide latency matter; None without any.
fn number_theory_registers(spec: &KernelSpec) -> Option<u32> {
    let longest =
        lowerings(&spec.dag).filter_map(|row| row.registers).map(|registers| registers(spec)).max()?;
    // Three numbers of the expression live meanwhile, or are no more than what the steps take. Constants are in instructions.
    let numbers = live_registers(&spec.dag, &spec.mapping, |op| !matches!(op, Op::Literal(_)));
    Some(longest.saturating_add(numbers.saturating_sub(3 * (spec.mapping.run_words + 1))))
}

/// Registers of a thread without products: two thousand threads take 32 registers each. A shift has all words of its result on the way at
/// once; staging over several warps takes addresses of its own. Warps get registers by fours.
fn linear_registers(spec: &KernelSpec, templates: Templates, value_registers: u32) -> u32 {
    let mapping = &spec.mapping;
    if templates.has(Template::Div) {
        return division_registers(mapping);
    }
    let shifts = templates.has(Template::Shift);
    let shifted = if shifts { mapping.runs.saturating_mul(mapping.run_words) } else { 0 };
    let staging = if spec.is_staged() && mapping.warps > 1 { 8 } else { 0 };
    // What reaches beyond each run.
    let coefficients = if templates.has(Template::Crt) { 12 + 3 * mapping.runs } else { 0 };
    let other = shifted.saturating_add(OTHER_REGISTERS + staging + coefficients);
    match value_registers.saturating_add(other) {
        // The columns of a coefficient do not live beside much else; two blocks of 512 threads hide more of the
        // memory's latency than one.
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
    // Born at node i, a value is alive before the nodes after it up to its last use, in whose result's registers it dies.
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
