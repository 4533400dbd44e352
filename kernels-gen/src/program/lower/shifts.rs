//! Shifts, bits and lengths.

use limbforge_algos::op::Op;
use limbforge_algos::program::{Node, ValueId};
use num_bigint::BigInt;

use super::Lowerer;
use super::values::{Held, bits_of, is_scalar};
use crate::program::tape::code::{Class, Instr, Var, What};
use crate::spec::SpecError;

impl Lowerer<'_> {
    /// `a << n`, `a >> n`, with amounts of any type.
    pub(super) fn shift(&mut self, node: &Node, left: bool) -> Result<(), SpecError> {
        let (x, n, result) = (node.args[0], node.args[1], node.results[0]);
        let (element, (n_bits, n_signed)) = (self.element(x), bits_of(self.element(n)));
        // Amounts of more than 63 bits are clamped where numbers are, in all their bits.
        let scalar = is_scalar(element) && is_scalar(self.element(n)) && (n_bits < 64 || n_signed);
        if scalar {
            let (bits, signed) = bits_of(element);
            let what = if left { What::ScalarShl } else { What::ScalarShr };
            let (x, n) = (self.var(x), self.var(n));
            let var = self.b.scalar(Instr::new(what).x(x).y(n), bits, signed);
            self.set(result, Held::Var(var));
            return Ok(());
        }
        let signed = bits_of(element).1;
        let (fits, n_signed) = (self.ty_fits_amount(n, signed), self.is_signed_amount(n));
        let (x, n) = (self.as_number(x), self.as_number(n));
        let var = match (fits, n_signed) {
            (true, _) => self.number_shift(left, signed, x, n),
            (false, true) => self.unsigned_by_signed(left, x, n),
            (false, false) => {
                // Farther than all words, and no sign.
                let far = self.number_constant(&BigInt::from(32 * self.padded));
                let n = self.integer_case(&Op::Min, false, &[n, far], None);
                self.number_shift(left, signed, x, n)
            }
        };
        self.set_number(result, var);
        Ok(())
    }

    fn number_shift(&mut self, left: bool, signed: bool, x: Var, n: Var) -> Var {
        let op = if left { Op::ShlBy } else { Op::ShrBy };
        self.integer_case(&op, signed, &[x, n], None)
    }

    /// A shift of a number without a sign, the other way by a negative amount.
    fn unsigned_by_signed(&mut self, left: bool, x: Var, n: Var) -> Var {
        let zero = self.number_constant(&BigInt::from(0));
        let negative = self.integer_case(&Op::Lt, true, &[n, zero], None);
        let back = self.integer_case(&Op::Neg, false, &[n], None);
        let (there, back) = (self.number_shift(left, false, x, n), self.number_shift(!left, false, x, back));
        self.select(negative, back, there)
    }

    fn is_signed_amount(&self, n: ValueId) -> bool {
        match self.as_constant(n) {
            Some(constant) => constant < BigInt::from(0),
            None => bits_of(self.element(n)).1,
        }
    }

    /// Whether an amount is the same number in the signed or unsigned type of all padded words.
    fn ty_fits_amount(&self, n: ValueId, signed: bool) -> bool {
        let (bits, n_signed) = bits_of(self.element(n));
        if let Some(constant) = self.as_constant(n) {
            return signed || constant >= BigInt::from(0);
        }
        n_signed == signed || !n_signed && bits < 32 * self.padded
    }

    /// Bit i of an integer.
    pub(super) fn bit(&mut self, node: &Node) -> Result<(), SpecError> {
        let (x, i) = (node.args[0], node.args[1]);
        let (held, element) = (self.held(x), self.element(x));
        if !is_scalar(self.element(i)) {
            let what = format!("a bit at an index of {}", self.ty(i));
            return Err(self.refused(node, what, "an index of up to 64 bits".to_owned()));
        }
        let at = self.var(i);
        // A digit far above all bits is 0, or the sign of a negative number.
        let (limit, last) =
            if is_scalar(element) { (64, 63) } else { (32 * self.padded, 32 * self.padded - 1) };
        let (limit, last) = (self.b.constant(limit.into()), self.b.constant(last.into()));
        let inside = self.b.scalar(Instr::new(What::ScalarLess).x(at).y(limit), 1, false);
        let near = self.scalar_select(inside, at, last);
        let var = self.var_of(&held, element);
        let bit = self.digit(&Held::Var(var), element, 1, near);
        let zero = self.b.constant(0);
        let negative = self.b.scalar(Instr::new(What::ScalarLessSigned).x(at).y(zero), 1, false);
        let (_, index_signed) = bits_of(self.element(i));
        let bit = match (bits_of(element).1, index_signed) {
            (true, true) => self.scalar_select(negative, zero, bit),
            (true, false) => bit,
            (false, _) => self.scalar_select(inside, bit, zero),
        };
        self.set(node.results[0], Held::Var(bit));
        Ok(())
    }

    /// The bits of the absolute value.
    pub(super) fn bit_length(&mut self, x: ValueId) -> Var {
        let (held, element) = (self.held(x), self.element(x));
        let (_, signed) = bits_of(element);
        if is_scalar(element) {
            let x = self.var_of(&held, element);
            let instr = Instr::new(What::ScalarLength).x(x).high(64 | u32::from(signed) << 8);
            return self.b.pure(instr, Class::Scalar);
        }
        let (number, _) = self.magnitude(x);
        self.uses.insert(What::NumberLength);
        self.b.scalar(Instr::new(What::NumberLength).x(number), 64, false)
    }
}
