//! Registers of a thread and instructions of the code, as estimated.

use super::flow::is_hot_loop;
use crate::program::assemble::MOST_COLD_BYTES;
use crate::program::lower::{Segment, Shared};
use crate::program::tape::code::{Instr, Item, What};
use crate::program::tape::{allocate, flatten};
use crate::spec::{Limits, NotStraight, WARP};

/// Instructions of a program at most: what compiles in about two seconds.
const MOST_CODE: u32 = 24_000;

/// Registers that addresses, scalars and carries take beside the numbers.
const OTHERS: u32 = 32;

/// Threads that wait for memory: their registers are a multiple of the first, and at least the second; their blocks.
const REGISTER_UNIT: u32 = 16;
const FEWEST_REGISTERS: u32 = 64;
const BLOCKS: u32 = 2;
const MOST_THREADS: u32 = 512;

/// The estimated resources of all stages.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Resources {
    /// Numbers that are needed at once.
    pub(super) numbers: u32,
    number_words: u32,
    pub(super) operations: u32,
    /// Whether an operation takes random integers.
    pub(super) random: bool,
    registers: u32,
    code: u32,
}

impl Resources {
    /// Those of stages with numbers of so many words.
    pub(super) fn of(segments: &[Segment], words: u32) -> Self {
        let mut all = Self::default();
        for segment in segments {
            let mut code = vec![];
            flatten(&segment.items, &mut code);
            all.operations += code.len() as u32;
            all.random |= code.iter().any(|instr| matches!(instr.what, What::Random | What::ScalarRandom));
            all.code = all.code.saturating_add(written(&segment.items, words, false));
            if all.code > MOST_CODE {
                // Long before the analysis of what is alive takes time.
                return all;
            }
            let slots = allocate(&code, &segment.classes);
            // A product has its sums, a factor and the modulus beside what is alive.
            let registers = slots.numbers * words + 2 * slots.scalars + 3 * words + OTHERS;
            all.numbers = all.numbers.max(slots.numbers);
            all.number_words = all.numbers * words;
            all.registers = all.registers.max(registers);
        }
        all
    }

    /// The bytes of a thread's arrays, if they are not too many.
    pub(super) fn arrays(shared: &Shared, words: u32) -> Result<u32, NotStraight> {
        let numbers = shared.cold.saturating_mul(4 * words);
        let needed = numbers.saturating_add(shared.cold_scalars.saturating_mul(8));
        if needed > MOST_COLD_BYTES {
            return Err(NotStraight::Arrays { needed, limit: MOST_COLD_BYTES });
        }
        Ok(needed)
    }

    /// The blocks of so many threads that share a multiprocessor.
    pub(super) fn blocks(
        &self,
        threads: u32,
        shared_bytes: u32,
        limits: &Limits,
    ) -> Result<u32, NotStraight> {
        let limit = self.checked(limits)?;
        // The estimate is an upper one: the compiler may use up to a third more.
        let fitting = limits.registers / (threads * (self.registers + self.registers / 3).min(limit));
        Ok(limits.blocks(fitting.clamp(1, 8), threads, shared_bytes.into()))
    }

    /// The threads of a block, and the blocks of a multiprocessor, where threads wait for their arrays: more threads
    /// hide that, and fewer tables leave them room. Registers are then half as many again as those of the numbers
    /// that are needed at once; what is spilled costs less than waiting. On an H200 with walks of 131 bits, 80 registers in place of 114: 16.1 for 15.0 G steps a
    /// second; of 256 bits, 128 for 156: 7.0 for 6.6; modulo secp256k1's prime, 96 for 116: 10.3 for 9.4.
    pub(super) fn waiting_blocks(
        &self,
        shared_bytes: u32,
        limits: &Limits,
    ) -> Result<(u32, u32), NotStraight> {
        let limit = self.checked(limits)?;
        let registers =
            (self.number_words * 3 / 2).next_multiple_of(REGISTER_UNIT).clamp(FEWEST_REGISTERS, limit);
        let threads = (limits.registers / registers).min(limits.multiprocessor_threads);
        let blocks = limits.blocks(BLOCKS, WARP, shared_bytes.into());
        Ok(((threads / blocks / WARP * WARP).clamp(WARP, MOST_THREADS), blocks))
    }

    /// The most registers of a thread; an error if the estimates are above the limits.
    const fn checked(&self, limits: &Limits) -> Result<u32, NotStraight> {
        let limit = limits.thread_registers;
        if self.code > MOST_CODE {
            return Err(NotStraight::Code { needed: self.code, limit: MOST_CODE });
        }
        if self.registers > limit {
            return Err(NotStraight::Registers { needed: self.registers, limit });
        }
        Ok(limit)
    }
}

/// The instructions of items, about.
fn written(items: &[Item], words: u32, is_hot: bool) -> u32 {
    let of = |item: &Item| match item {
        Item::Op(instr) => instructions(instr, words, is_hot),
        Item::Loop { test, body, .. } => {
            let is_hot = is_hot || is_hot_loop(body);
            let test = test.as_ref().map_or(0, |(items, _)| written(items, words, is_hot));
            test.saturating_add(written(body, words, is_hot))
        }
        Item::If { then, otherwise, .. } | Item::Branch { then, otherwise, .. } => {
            written(then, words, is_hot).saturating_add(written(otherwise, words, is_hot))
        }
    };
    items.iter().map(of).fold(0, u32::saturating_add)
}

/// The instructions of an operation, about; outside hot loops products are calls.
fn instructions(instr: &Instr, words: u32, is_hot: bool) -> u32 {
    match instr.what {
        What::Mul if !is_hot => 6 * words,
        What::Mul if instr.y.is_some() => 3 * words * words + 8 * words,
        What::Mul => 2 * words * words + 8 * words,
        What::Word | What::One => 12 * words,
        What::Integer(_) => words * words + 8 * words,
        What::NumberDigit => 8 * words,
        What::ScalarDiv | What::ScalarRem => 150,
        What::Load | What::Store | What::StateRead | What::StateWrite => 3 * words,
        What::Random | What::ScalarRandom => 40 * words.div_ceil(4),
        What::Emit => 20,
        What::InputLength | What::InputDigit | What::ScalarLoad => 40,
        _ => 3 * words,
    }
}
