//! Residues of integers.

use limbforge_algos::op::Op;
use limbforge_algos::program::{Element, ModulusId, ValueId};
use num_bigint::{BigInt, Sign};

use super::Lowerer;
use super::values::{Held, bits_of, is_scalar};
use crate::program::tape::code::Var;
use crate::spec::SpecError;

/// Constants up to this are sums, as products are not faster.
const MOST_ADDED: u32 = 15;

impl Lowerer<'_> {
    /// The unsigned word that a residue was made of, as its integer.
    pub(super) fn word_of(&self, value: ValueId) -> Option<Held> {
        self.made_of
            .get(&value)
            .filter(|(_, element)| bits_of(*element).0 <= 32 && !bits_of(*element).1)
            .map(|(held, _)| held.clone())
    }

    pub(super) fn of(&mut self, result: ValueId, x: ValueId, id: ModulusId) -> Result<(), SpecError> {
        if let Some(constant) = self.as_constant(x) {
            if *constant.magnitude() <= MOST_ADDED.into() {
                self.small.insert(result, constant.clone());
            }
            if constant.sign() != Sign::Minus && constant.bits() <= 32 {
                let word = Element::Bool;
                self.made_of.insert(result, (Held::Constant(constant.clone()), word));
            }
            let var = self.constant_residue(id, &constant);
            self.set(result, Held::Var(var));
            return Ok(());
        }
        let (held, element) = (self.held(x), self.element(x));
        if is_scalar(element) {
            let var = self.var_of(&held, element);
            self.made_of.insert(result, (Held::Var(var), element));
        }
        if let Some(var) = self.table_entry(x, id) {
            self.set(result, Held::Var(var));
            return Ok(());
        }
        let (number, negative) = self.magnitude(x);
        let mut var = self.converted(id, number);
        if let Some(negative) = negative {
            let minus = self.negative(id, var);
            var = self.select(negative, minus, var);
        }
        self.set(result, Held::Var(var));
        Ok(())
    }

    /// The absolute value of an integer as a number, and for signed types whether it is negative.
    pub(super) fn magnitude(&mut self, x: ValueId) -> (Var, Option<Var>) {
        let element = self.element(x);
        let number = self.as_number(x);
        if !bits_of(element).1 {
            return (number, None);
        }
        let zero = self.number_constant(&BigInt::from(0));
        let negative = self.integer_case(&Op::Lt, true, &[number, zero], None);
        let minus = self.integer_case(&Op::Neg, true, &[number], None);
        (self.select(negative, minus, number), Some(negative))
    }

    pub(super) fn constant_residue(&mut self, id: ModulusId, constant: &BigInt) -> Var {
        let one = self.one(id);
        if *constant.magnitude() <= MOST_ADDED.into() {
            return self.multiple(id, one, constant);
        }
        let magnitude = BigInt::from(constant.magnitude().clone());
        let number = self.number_constant(&magnitude);
        let var = self.converted(id, number);
        if constant.sign() == Sign::Minus { self.negative(id, var) } else { var }
    }
}
