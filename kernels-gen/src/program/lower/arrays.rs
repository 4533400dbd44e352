//! Arrays: elements in variables; indexed by a value they lie in local memory.

use limbforge_algos::op::Why;
use limbforge_algos::program::{Element, Node, ValueId};
use num_bigint::BigInt;

use super::Lowerer;
use super::shared_tables::Indexed;
use super::values::{Held, bits_of, is_scalar};
use crate::invariant::broken_invariant;
use crate::program::tape::code::{Instr, Var, What};
use crate::spec::SpecError;

impl Lowerer<'_> {
    pub(super) fn elements(&self, value: ValueId) -> Vec<Held> {
        match self.held(value) {
            Held::Array(elements) => elements.to_vec(),
            held => vec![held],
        }
    }

    /// The element of a constant index, if it is inside the array.
    pub(super) fn constant_index(&self, index: ValueId, length: usize) -> Option<usize> {
        let index = usize::try_from(self.as_constant(index)?).ok()?;
        (index < length).then_some(index)
    }

    /// `array[index]`
    pub(super) fn index_node(&mut self, node: &Node) -> Result<(), SpecError> {
        let (array, index, result) = (node.args[0], node.args[1], node.results[0]);
        let length = self.ty(array).length.unwrap_or(1) as usize;
        match (self.constant_index(index, length), self.held(array)) {
            (Some(i), Held::Block(block)) => {
                let index = self.b.constant(i as u64);
                let var = self.block_read(block, index);
                self.set(result, Held::Var(var));
                return Ok(());
            }
            (Some(i), _) => {
                let element = self.elements(array)[i].clone();
                self.set(result, element);
                return Ok(());
            }
            _ => {}
        }
        let index = self.checked_index(node, index, length);
        let (held, element) = (self.held(array), self.element(array));
        let var = self.indexed(node, &held, element, index)?;
        self.set(result, Held::Var(var));
        if let Held::Array(elements) = held
            && let Some((input, first)) = consecutive(&elements)
        {
            let length = elements.len() as u32;
            self.note_indexed(result, array, Indexed { input, first, length, index });
        }
        Ok(())
    }

    /// The index as a scalar; instances fail where it is outside the array.
    pub(super) fn checked_index(&mut self, node: &Node, index: ValueId, length: usize) -> Var {
        let (var, element) = (self.var(index), self.element(index));
        if self.digits.get(&var).is_some_and(|bits| length >> bits > 0) {
            return var;
        }
        let length = self.b.constant(length as u64);
        let (index, inside) = if is_scalar(element) {
            (var, self.b.scalar(Instr::new(What::ScalarLess).x(var).y(length), 1, false))
        } else {
            let limit = self.b.number(Instr::new(What::Widen).y(length));
            // A negative number is a large one without its sign.
            let inside = self.integer_case(&limbforge_algos::op::Op::Lt, false, &[var, limit], None);
            self.uses.insert(What::ScalarLow);
            (self.b.scalar(Instr::new(What::ScalarLow).x(var), 64, false), inside)
        };
        let outside = self.negated(inside);
        self.fail(outside, node, Why::Index);
        index
    }

    /// The element at an index that is inside the array.
    pub(super) fn indexed(
        &mut self,
        _node: &Node,
        held: &Held,
        element: Element,
        index: Var,
    ) -> Result<Var, SpecError> {
        let elements = match held {
            Held::Block(block) => return Ok(self.block_read(*block, index)),
            Held::Array(elements) => elements,
            _ => broken_invariant("an array has elements"),
        };
        if let Some((input, first)) = consecutive(elements) {
            return Ok(self.loaded(input, first, element, index));
        }
        let mut vars: Vec<Var> = elements.iter().map(|held| self.var_of(held, element)).collect();
        if is_scalar(element) {
            vars = vars.into_iter().map(|var| self.widened(var, element)).collect();
        }
        let base = self.cold_array(&vars);
        let number = self.cold_read(base, elements.len() as u32, index);
        if !is_scalar(element) {
            return Ok(number);
        }
        let (bits, signed) = bits_of(element);
        self.uses.insert(What::ScalarLow);
        Ok(self.b.scalar(Instr::new(What::ScalarLow).x(number), bits, signed))
    }

    /// An integer of an input's array.
    pub(super) fn loaded(&mut self, input: u32, first: u32, element: Element, index: Var) -> Var {
        if is_scalar(element) {
            let (bits, signed) = bits_of(element);
            self.uses.insert(What::ScalarLoad);
            let instr = Instr::new(What::ScalarLoad).low(input | first << 16).y(index);
            return self.b.scalar(instr, bits, signed);
        }
        self.b.number(Instr::new(What::Load).low(input).high(first).y(index))
    }

    /// `array[index] = value`
    pub(super) fn update(&mut self, node: &Node) -> Result<(), SpecError> {
        if self.in_memory(node.results[0]) {
            return self.update_in_memory(node);
        }
        let (array, index, value, result) = (node.args[0], node.args[1], node.args[2], node.results[0]);
        let mut elements = self.elements(array);
        if let Some(i) = self.constant_index(index, elements.len()) {
            elements[i] = self.held(value);
            self.set(result, Held::Array(elements.into()));
            return Ok(());
        }
        let index = self.checked_index(node, index, elements.len());
        let (element, value) = (self.element(array), self.var(value));
        for (i, held) in elements.iter_mut().enumerate() {
            let old = self.var_of(held, element);
            let here = self.b.constant(i as u64);
            let here = self.b.scalar(Instr::new(What::ScalarEq).x(index).y(here), 1, false);
            let new = if is_scalar(element) {
                self.scalar_select(here, value, old)
            } else {
                self.select(here, value, old)
            };
            *held = Held::Var(new);
        }
        self.set(result, Held::Array(elements.into()));
        Ok(())
    }

    /// An operation on each element of its operands that are arrays.
    pub(super) fn elementwise(&mut self, node: &Node, length: u32) -> Result<(), SpecError> {
        if self.in_memory(node.results[0]) {
            return self.elementwise_in_memory(node);
        }
        let held: Vec<(ValueId, Held)> = node.args.iter().map(|&arg| (arg, self.held(arg))).collect();
        let mut results = vec![];
        for i in 0..length as usize {
            for (arg, held) in &held {
                if let Held::Array(elements) = held {
                    self.set(*arg, elements[i].clone());
                }
            }
            self.simple(node)?;
            results.push(self.held(node.results[0]));
            // What is known of one element is not of all.
            self.forget(node.results[0]);
        }
        for (arg, held) in held {
            self.set(arg, held);
        }
        self.set(node.results[0], Held::Array(results.into()));
        Ok(())
    }
}

/// The input and the first of elements that lie one after the other.
pub(super) fn consecutive(elements: &[Held]) -> Option<(u32, u32)> {
    let Some(Held::Input { input, element: first }) = elements.first() else { return None };
    let is_next = |(i, held): (usize, &Held)| matches!(held, Held::Input { input: other, element } if other == input && *element == first + i as u32);
    elements.iter().enumerate().all(is_next).then_some((*input, *first))
}

/// Whether a constant holds.
pub(super) fn is_true(constant: &BigInt) -> bool {
    *constant != BigInt::from(0)
}
