//! Registers of a thread and instructions of the code, as estimated.

use super::flow::is_hot_loop;
use crate::program::assemble::MOST_COLD_BYTES;
use crate::program::lower::{Segment, Shared};
use crate::program::tape::code::{Instr, Item, What};
use crate::program::tape::{allocate, flatten};
use crate::spec::{Limits, NotStraight};

/// Instructions of a program at most: what compiles in about two seconds.
const MOST_CODE: u32 = 24_000;

/// Registers that addresses, scalars and carries take beside the numbers.
const OTHERS: u32 = 32;

/// The estimated resources of all stages.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Resources {
    /// Numbers that are needed at once.
    pub(super) numbers: u32,
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
        if self.code > MOST_CODE {
            return Err(NotStraight::Code { needed: self.code, limit: MOST_CODE });
        }
        let limit = limits.thread_registers;
        if self.registers > limit {
            return Err(NotStraight::Registers { needed: self.registers, limit });
        }
        // The estimate is an upper one: the compiler may use up to a third more.
        let fitting = limits.registers / (threads * (self.registers + self.registers / 3).min(limit));
        Ok(limits.blocks(fitting.clamp(1, 8), threads, shared_bytes.into()))
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
