//! Rows of lists.

use limbforge_algos::program::{Element, Node, TypedProgram, ValueId};

use super::Lowerer;
use super::arrays::is_true;
use super::builder::Kind;
use super::values::{Held, is_scalar};
use crate::program::tape::code::{Class, Instr, Item, What};

/// Words of 32 bits of the number of the instance, with which a row begins.
const INSTANCE_WORDS: u32 = 2;

/// Words of the integers of a list's columns, and of a whole row.
pub(in crate::program) fn row_words(program: &TypedProgram, list: usize) -> (Vec<u32>, u32) {
    let columns = program.lists()[list].columns.iter();
    let words: Vec<u32> = columns.map(|&column| program.column(column).bits().div_ceil(32)).collect();
    let row = words.iter().sum::<u32>() + INSTANCE_WORDS;
    (words, row)
}

impl Lowerer<'_> {
    /// A row for each element, where the guard holds: only there the numbers of residues are computed.
    pub(super) fn emit(&mut self, node: &Node, list: u32, guarded: bool) {
        let length = node.args.iter().find_map(|&arg| self.ty(arg).length);
        let (guard, columns) = node.args.split_at(usize::from(guarded));
        for e in 0..length.unwrap_or(1) as usize {
            let Some(&guard) = guard.first() else {
                self.row(list, columns, e);
                continue;
            };
            match self.value_at(guard, e) {
                Held::Constant(constant) => {
                    if is_true(&constant) {
                        self.row(list, columns, e);
                    }
                }
                held => {
                    let condition = self.var_of(&held, Element::Bool);
                    self.b.open(Kind::Arm);
                    self.row(list, columns, e);
                    let then = self.b.close();
                    self.b.item(Item::If { condition, then, otherwise: vec![] });
                }
            }
        }
    }

    /// Element e of a value, or a value that is no array.
    fn value_at(&mut self, value: ValueId, e: usize) -> Held {
        match self.held(value) {
            Held::Array(elements) => elements[e].clone(),
            Held::Block(block) => {
                let index = self.b.constant(e as u64);
                Held::Var(self.block_read(block, index))
            }
            held => held,
        }
    }

    fn row(&mut self, list: u32, columns: &[ValueId], e: usize) {
        let (words, row) = row_words(self.program, list as usize);
        // Before the row is taken: what is computed for it may be shared.
        let mut stores = vec![];
        let mut first = INSTANCE_WORDS;
        for (&column, words) in columns.iter().zip(words) {
            let (held, element) = (self.value_at(column, e), self.element(column));
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
    }
}
