//! What a kernel takes of a device, before it is compiled.

use limbforge_algos::expr::{Dag, Op};

use super::shared::{SharedWords, limbs30};
use crate::emit::Templates;
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
    pub(crate) fn of(spec: &KernelSpec, templates: Templates, shared: &SharedWords, limits: &Limits) -> Self {
        let mapping = &spec.mapping;
        let (threads, value_registers) = (mapping.threads(), live_registers(&spec.dag, mapping, |_| true));
        let blocks_wanted = if templates.is_number_theory() {
            // Three numbers of the expression live meanwhile, or are no more than what the steps take. Constants are in instructions.
            let numbers = live_registers(&spec.dag, mapping, |op| !matches!(op, Op::Literal(_)));
            let beside = numbers.saturating_sub(3 * (mapping.run_words + 1));
            let registers = number_theory_registers(spec, templates).saturating_add(beside);
            limits.blocks((limits.registers / (threads * registers)).clamp(1, 32), threads, 0)
        } else if templates.mul_classical {
            1
        } else {
            // Two thousand threads take 32 registers each. A shift has all words of its result on the way at once;
            // staging over several warps takes addresses of its own. Warps get registers by fours.
            let shifted = if templates.shift { mapping.runs.saturating_mul(mapping.run_words) } else { 0 };
            let staging = if spec.is_staged() && mapping.warps > 1 { 8 } else { 0 };
            // What reaches beyond each run.
            let digit_sums = if templates.crt { 12 + 3 * mapping.runs } else { 0 };
            let other = shifted.saturating_add(OTHER_REGISTERS + staging + digit_sums);
            let registers = match value_registers.saturating_add(other) {
                _ if templates.div => division_registers(mapping),
                // The columns of a digit sum do not live beside much else; two blocks of 512 threads hide more of the
                // memory's latency than one.
                registers @ ..=80 if templates.crt => registers.clamp(56, 64),
                registers => registers.max(32),
            };
            // The shared memory of blocks of quotients leaves them more registers.
            let shared_bytes = if templates.div_blocks { shared.bytes() } else { 0 };
            let taken = threads.div_ceil(4 * WARP).saturating_mul(4 * WARP).saturating_mul(registers);
            limits.blocks((limits.registers / taken).clamp(1, 32), threads, shared_bytes)
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
        if self.threads > limits.threads {
            return Err(SpecError::Threads { needed: self.threads, limit: limits.threads });
        }
        if self.shared_bytes > limits.shared_bytes {
            let (needed, limit) = (self.shared_bytes, limits.shared_bytes);
            return Err(SpecError::SharedMemory { needed, limit });
        }
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

/// Registers of an operation of number theory: as compiled, rounded up.
fn number_theory_registers(spec: &KernelSpec, templates: Templates) -> u32 {
    let (run_words, limbs) = (spec.mapping.run_words, limbs30(spec) / spec.mapping.lanes);
    let gcd = if templates.gcd { run_words + 2 * limbs + 60 } else { 0 };
    let isqrt = if templates.roots.isqrt { 2 * run_words + 64 } else { 0 };
    let lcm = if templates.lcm { gcd + 2 * run_words } else { 0 };
    let wide = if templates.div_wide { 4 * run_words + 60 } else { 0 };
    // Four warps to a scheduler where lanes have 16 words, although powers then spill some outside of their steps: three take longer for
    // the same than two or four do.
    let products = templates.powmod || templates.modinv2k || templates.mont_form;
    let products = if products { 4 * run_words + 60 } else { 0 };
    let modinv = if templates.modinv || templates.xgcd { 4 * limbs + 90 } else { 0 };
    let jacobi = if templates.jacobi { run_words + 2 * limbs + 60 } else { 0 };
    let is_prime = if templates.roots.is_prime { 4 * run_words + 60 } else { 0 };
    let root = if templates.roots.root { 7 * run_words + 70 } else { 0 };
    // What is asked between the roots of different degrees.
    let root = if templates.roots.is_perfect_power { root + run_words + 10 } else { root };
    [gcd, lcm, isqrt, modinv, wide, products, jacobi, is_prime, root].into_iter().fold(0, u32::max)
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
