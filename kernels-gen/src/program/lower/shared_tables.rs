//! Tables of residues in shared memory: of straight programs, arrays of inputs that are one for all and that a value
//! indexes. A block converts each of their integers once, not a thread each one that it reads.

use limbforge_algos::program::{Element, ModulusId, ValueId};

use super::values::{Held, is_scalar};
use super::{Lowerer, Style};
use crate::program::tape::code::{Instr, Var, What};

/// Elements from which on an array is worth a table.
const LEAST: u32 = 64;

/// Words of all tables, so that three blocks share a multiprocessor of an H100.
const MOST_WORDS: u32 = 18 << 10;

/// The modulus of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TableModulus {
    /// The words of a constant.
    Constant(Vec<u32>),
    /// An integer of an input that is one for all.
    Input { input: u32, element: u32 },
}

/// Integers of an input as residues.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Table {
    pub(crate) input: u32,
    pub(crate) first: u32,
    pub(crate) length: u32,
    pub(crate) modulus: TableModulus,
}

/// An integer of an input's array at an index.
#[derive(Clone, Copy, Debug)]
pub(super) struct Indexed {
    pub(super) input: u32,
    pub(super) first: u32,
    pub(super) length: u32,
    pub(super) index: Var,
}

impl Table {
    /// Words from one entry to the next: whole vectors, or an odd number, so that lanes read different banks.
    pub(crate) const fn stride(words: u32) -> u32 {
        if words.is_multiple_of(4) { words } else { words | 1 }
    }

    /// The words of some tables.
    pub(crate) fn words(tables: &[Self], words: u32) -> u32 {
        tables.iter().map(|table| table.length).sum::<u32>() * Self::stride(words)
    }
}

impl Lowerer<'_> {
    /// Notes where an integer comes from.
    pub(super) fn note_indexed(&mut self, result: ValueId, array: ValueId, indexed: Indexed) {
        let element = self.element(result);
        let unsigned = matches!(element, Element::Int(ty) if !ty.is_signed());
        let is_table = self.style != Style::Tape && indexed.length >= LEAST && self.uniform.contains(array);
        if is_table && unsigned && !is_scalar(element) {
            self.indexed.insert(result, indexed);
        }
    }

    /// The residue of an integer, from a table if the integer is that of an array.
    pub(super) fn table_entry(&mut self, x: ValueId, id: ModulusId) -> Option<Var> {
        let Indexed { input, first, length, index } = *self.indexed.get(&x)?;
        let value = self.program.modulus(id).value;
        let modulus = match self.held(value) {
            Held::Constant(constant) => TableModulus::Constant(constant.magnitude().to_u32_digits()),
            Held::Input { input, element }
                if self.uniform.contains(value) && !is_scalar(self.element(value)) =>
            {
                TableModulus::Input { input, element }
            }
            _ => return None,
        };
        let table = Table { input, first, length, modulus };
        let before: Vec<u32> = self.tables.iter().map(|table| table.length).collect();
        let at = self.tables.iter().position(|known| *known == table);
        if at.is_none() {
            let words = Table::words(&self.tables, self.padded) + length * Table::stride(self.padded);
            if words > MOST_WORDS {
                return None;
            }
            self.tables.push(table);
        }
        let base: u32 = before[..at.unwrap_or(before.len())].iter().sum();
        Some(self.b.number(Instr::new(What::TableRead).y(index).low(base).high(length)))
    }
}
