//! Arrays of a tape that a value indexes: numbers in local memory.

use super::Lowerer;
use crate::program::tape::code::{Class, Extra, Instr, Var, What};

impl Lowerer<'_> {
    /// Numbers in local memory: the place of the first one.
    pub(super) fn cold_array(&mut self, vars: &[Var]) -> u32 {
        let base = self.cold;
        if let Some(known) = self.b.array(vars, base) {
            return known;
        }
        self.uses.insert(What::ColdWrite);
        self.uses.insert(What::ColdRead);
        self.cold += vars.len() as u32;
        base
    }

    /// Number `index` of those from `base` on.
    pub(super) fn cold_read(&mut self, base: u32, length: u32, index: Var) -> Var {
        let instr = Instr::new(What::ColdRead).y(index).low(base).high(length);
        self.b.fallible(instr, Class::Number)
    }
}

/// A write of a number to local memory.
pub(super) fn cold_write(place: u32, var: Var) -> Instr {
    Instr { low: Extra::Word(place), ..Instr::new(What::ColdWrite).x(var) }.effect()
}
