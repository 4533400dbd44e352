//! Arrays in local memory: of straight programs, where a loop takes their elements in turn.
//!
//! An array of several elements has a place in local memory, and so has each new one that an operation makes of it.
//! An update, and a loop that carries an array, take the place of the old one if nothing needs it any more.

use limbforge_algos::program::{Element, Kind as NodeKind, Node, ResidueOp, ValueId};

use super::builder::Kind;
use super::values::{Held, is_scalar};
use super::{Lowerer, Style};
use crate::invariant::broken_invariant;
use crate::program::tape::code::{Class, Instr, Item, Var, What};
use crate::spec::SpecError;

/// Elements from which on an array lies in memory.
const LEAST: u32 = 8;

/// The place of an array: numbers, or scalars.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Block {
    pub(super) base: u32,
    pub(super) length: u32,
    pub(super) class: Class,
}

impl Lowerer<'_> {
    /// Whether a value is an array in memory.
    pub(super) fn in_memory(&self, value: ValueId) -> bool {
        self.style != Style::Tape && self.ty(value).length.is_some_and(|length| length >= LEAST)
    }

    pub(super) fn new_block(&mut self, value: ValueId) -> Block {
        let scalar = is_scalar(self.element(value));
        let length = self.ty(value).length.unwrap_or(1);
        let (class, next) =
            if scalar { (Class::Scalar, &mut self.cold_scalars) } else { (Class::Number, &mut self.cold) };
        let base = *next;
        *next += length;
        Block { base, length, class }
    }

    /// The element at an index.
    pub(super) fn block_read(&mut self, block: Block, index: Var) -> Var {
        let read = Instr::new(What::ColdRead).y(index).low(block.base).high(block.length);
        self.b.fallible(read, block.class)
    }

    pub(super) fn block_write(&mut self, block: Block, index: Var, x: Var) {
        let write = Instr::new(What::ColdWrite).x(x).y(index).low(block.base).high(block.length);
        self.b.effect(write);
    }

    /// Rounds over so many elements.
    pub(super) fn each(
        &mut self,
        length: u32,
        body: impl FnOnce(&mut Self, Var) -> Result<(), SpecError>,
    ) -> Result<(), SpecError> {
        let index = self.b.var(Class::Scalar);
        let (zero, count) = (self.b.constant(0), self.b.constant(length.into()));
        self.b.assign(index, zero);
        self.b.open(Kind::Loop);
        self.b.moved(index);
        body(self, index)?;
        let body = self.b.close();
        self.b.moved(index);
        self.b.item(Item::Loop { index, count, test: None, body });
        Ok(())
    }

    /// The element of an array, wherever it lies.
    pub(super) fn element_at(
        &mut self,
        held: &Held,
        element: Element,
        index: Var,
        node: &Node,
    ) -> Result<Var, SpecError> {
        match *held {
            Held::Block(block) => Ok(self.block_read(block, index)),
            _ => self.indexed(node, held, element, index),
        }
    }

    /// The array in memory: where it is, or written there.
    pub(super) fn as_block(&mut self, value: ValueId) -> Result<Block, SpecError> {
        let (held, element) = (self.held(value), self.element(value));
        let elements = match held {
            Held::Block(block) => return Ok(block),
            Held::Array(elements) => elements,
            _ => broken_invariant("an array is one"),
        };
        let block = self.new_block(value);
        if let Some((input, first)) = super::arrays::consecutive(&elements) {
            self.each(block.length, |lowerer, index| {
                let x = lowerer.loaded(input, first, element, index);
                lowerer.block_write(block, index, x);
                Ok(())
            })?;
            return Ok(block);
        }
        for (i, held) in elements.iter().enumerate() {
            let (x, index) = (self.var_of(held, element), self.b.constant(i as u64));
            self.block_write(block, index, x);
        }
        Ok(block)
    }

    pub(super) fn copy_block(&mut self, from: Block, to: Block) -> Result<(), SpecError> {
        if from == to {
            return Ok(());
        }
        self.each(to.length, |lowerer, index| {
            let x = lowerer.block_read(from, index);
            lowerer.block_write(to, index, x);
            Ok(())
        })
    }

    /// An operation on each element of its operands that are arrays.
    pub(super) fn elementwise_in_memory(&mut self, node: &Node) -> Result<(), SpecError> {
        if let NodeKind::Residue(ResidueOp::Inverse) = node.kind {
            return self.inverses_in_memory(node);
        }
        let result = node.results[0];
        let held: Vec<(ValueId, Held)> = node.args.iter().map(|&arg| (arg, self.held(arg))).collect();
        let block = self.new_block(result);
        self.each(block.length, |lowerer, index| {
            for (arg, held) in &held {
                if lowerer.ty(*arg).length.is_some() {
                    let x = lowerer.element_at(held, lowerer.element(*arg), index, node)?;
                    lowerer.set(*arg, Held::Var(x));
                }
            }
            lowerer.simple(node)?;
            let x = lowerer.held(result);
            let x = lowerer.var_of(&x, lowerer.element(result));
            lowerer.block_write(block, index, x);
            lowerer.forget(result);
            Ok(())
        })?;
        for (arg, held) in held {
            self.set(arg, held);
        }
        self.set(result, Held::Block(block));
        Ok(())
    }

    /// `array[index] = value` of an array in memory.
    pub(super) fn update_in_memory(&mut self, node: &Node) -> Result<(), SpecError> {
        let (array, index, value, result) = (node.args[0], node.args[1], node.args[2], node.results[0]);
        let length = self.ty(array).length.unwrap_or(1) as usize;
        let index = match self.constant_index(index, length) {
            Some(i) => self.b.constant(i as u64),
            None => self.checked_index(node, index, length),
        };
        let x = self.var(value);
        // What was no block is one of its own now.
        let is_last = !matches!(self.held(array), Held::Block(_)) || self.lives.ends_at(array, node);
        let old = self.as_block(array)?;
        let new = if is_last { old } else { self.new_block(result) };
        self.copy_block(old, new)?;
        self.block_write(new, index, x);
        self.set(result, Held::Block(new));
        Ok(())
    }

    /// The block that a loop carries an array in.
    pub(super) fn carried_block(
        &mut self,
        value: ValueId,
        node: &Node,
        is_cut: bool,
    ) -> Result<Block, SpecError> {
        let is_cut = is_cut || !matches!(self.held(value), Held::Block(_));
        let first = self.as_block(value)?;
        if is_cut || self.lives.ends_at(value, node) {
            return Ok(first);
        }
        let block = self.new_block(value);
        self.copy_block(first, block)?;
        Ok(block)
    }
}
