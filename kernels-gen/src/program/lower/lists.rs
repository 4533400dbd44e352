//! Rows of lists.

use limbforge_algos::program::{Element, Node, TypedProgram, ValueId};

use super::Lowerer;
use super::arrays::is_true;
use super::builder::Kind;
use super::values::{Held, is_scalar};
use crate::program::tape::code::{Class, Instr, Item, Var, What};
use crate::spec::SpecError;

/// Words of 32 bits of the number of the instance, with which a row begins.
const INSTANCE_WORDS: u32 = 2;

/// Words of the integers of a list's columns, and of a whole row.
pub(in crate::program) fn row_words(program: &TypedProgram, list: usize) -> (Vec<u32>, u32) {
    let columns = program.lists()[list].columns.iter();
    let words: Vec<u32> = columns.map(|&column| program.column(column).bits().div_ceil(32)).collect();
    let row = words.iter().sum::<u32>() + INSTANCE_WORDS;
    (words, row)
}

/// An element of arrays: a known one, or that of a loop over arrays in memory.
#[derive(Clone, Copy)]
enum At {
    Known(usize),
    Index(Var),
}

impl Lowerer<'_> {
    /// A row for each element, where the guard holds: only there the numbers of residues are computed.
    pub(super) fn emit(&mut self, node: &Node, list: u32, guarded: bool) -> Result<(), SpecError> {
        let length = node.args.iter().find_map(|&arg| self.ty(arg).length).unwrap_or(1);
        if node.args.iter().any(|&arg| self.in_memory(arg)) {
            return self
                .each(length, |lowerer, index| lowerer.guarded_row(node, (list, guarded), At::Index(index)));
        }
        (0..length as usize).try_for_each(|e| self.guarded_row(node, (list, guarded), At::Known(e)))
    }

    fn guarded_row(&mut self, node: &Node, (list, guarded): (u32, bool), at: At) -> Result<(), SpecError> {
        if !guarded {
            return self.row(node, list, &node.args, at);
        }
        let (guard, columns) = (node.args[0], &node.args[1..]);
        match self.value_at(node, guard, at)? {
            Held::Constant(constant) if is_true(&constant) => self.row(node, list, columns, at),
            Held::Constant(_) => Ok(()),
            held => {
                let condition = self.var_of(&held, Element::Bool);
                self.b.open(Kind::Arm);
                self.row(node, list, columns, at)?;
                let then = self.b.close();
                self.b.item(Item::If { condition, then, otherwise: vec![] });
                Ok(())
            }
        }
    }

    /// An element of a value, or a value that is no array.
    fn value_at(&mut self, node: &Node, value: ValueId, at: At) -> Result<Held, SpecError> {
        Ok(match (self.held(value), at) {
            (Held::Array(elements), At::Known(e)) => elements[e].clone(),
            (held @ (Held::Array(_) | Held::Block(_)), At::Index(index)) => {
                Held::Var(self.element_at(&held, self.element(value), index, node)?)
            }
            (held, _) => held,
        })
    }

    fn row(&mut self, node: &Node, list: u32, columns: &[ValueId], at: At) -> Result<(), SpecError> {
        let (words, row) = row_words(self.program, list as usize);
        // Before the row is taken: what is computed for it may be shared.
        let mut stores = vec![];
        let mut first = INSTANCE_WORDS;
        for (&column, words) in columns.iter().zip(words) {
            let (held, element) = (self.value_at(node, column, at)?, self.element(column));
            let var = self.var_of(&held, element);
            let (what, var) = match element {
                Element::Residue(id) => (What::EmitNumber, self.plain(id, var)),
                element if is_scalar(element) => (What::EmitScalar, var),
                _ => (What::EmitNumber, var),
            };
            stores.push(Instr::new(what).x(var).low(first).high(words));
            first += words;
        }
        let place = self.b.fallible(Instr::new(What::Emit).low(list).high(row), Class::Scalar);
        stores.into_iter().for_each(|store| self.b.effect(store.y(place)));
        Ok(())
    }
}
