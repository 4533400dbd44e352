//! Powers and arrays that scopes know.

use super::Builder;
use crate::program::lower::cold::cold_write;
use crate::program::tape::code::{Item, Var};

impl Builder {
    pub(in crate::program::lower) fn power(&self, base: Var, exponent: u64) -> Option<Var> {
        self.scopes.iter().rev().find_map(|scope| scope.powers.get(&(base, exponent)).copied())
    }

    pub(in crate::program::lower) fn set_power(&mut self, base: Var, exponent: u64, power: Var) {
        let level = self.levels[power.index()];
        self.scopes[level].powers.insert((base, exponent), power);
    }

    /// The place of an array in local memory, if its elements have been written; else they are written, from
    /// `base` on.
    pub(in crate::program::lower) fn array(&mut self, vars: &[Var], base: u32) -> Option<u32> {
        if let Some(&known) = self.scopes.iter().rev().find_map(|scope| scope.arrays.get(vars)) {
            return Some(known);
        }
        let needed = vars.iter().map(|var| self.levels[var.index()]).max().unwrap_or(0);
        let level = self.level(needed);
        let scope = &mut self.scopes[level];
        for (&var, place) in vars.iter().zip(base..) {
            // Where it is computed, so that it takes a slot for a short time.
            let computes = |item: &Item| matches!(item, Item::Op(op) if op.z == Some(var) && !op.is_copy());
            let at = scope.items.iter().position(computes).map_or(scope.items.len(), |at| at + 1);
            scope.items.insert(at, Item::Op(cold_write(place, var)));
        }
        scope.arrays.insert(vars.to_vec(), base);
        None
    }
}
