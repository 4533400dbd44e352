//! How often loops run, and what their indices are.

use limbforge_algos::op::Op;
use limbforge_algos::program::{Element, Node, Rounds, ValueId};
use limbforge_limb::IntType;
use num_bigint::BigInt;

use super::Lowerer;
use super::values::{Held, bits_of, is_scalar};
use crate::invariant::broken_invariant;
use crate::program::tape::code::{Class, Instr, Var, What};
use crate::spec::SpecError;

/// The source of a loop's index.
pub(super) enum Source {
    None,
    From(Var, u32, bool),
    /// Bits or digits of so many bits of an integer, from the highest one.
    Digits(Held, Element, u32),
    Elements(Held),
}

impl Lowerer<'_> {
    /// The number of rounds, and what the index is.
    pub(super) fn rounds(&mut self, over: Rounds, args: &[ValueId]) -> (Var, Source) {
        if let Rounds::Elements = over {
            let length = self.ty(args[0]).length.unwrap_or(1);
            return (self.b.constant(length.into()), Source::Elements(self.held(args[0])));
        }
        let element = self.element(args[0]);
        if let Rounds::Bits | Rounds::Digits(_) = over {
            let bits = if let Rounds::Digits(bits) = over { bits } else { 1 };
            let held = self.held(args[0]);
            let length = self.length(&held, element);
            let count = self.digits_in(length, bits);
            return (count, Source::Digits(held, element, bits));
        }
        if !is_scalar(element) {
            return self.wide_rounds(over, args);
        }
        let signed = bits_of(element).1;
        let less = if signed { What::ScalarLessSigned } else { What::ScalarLess };
        let zero = self.b.constant(0);
        let first = self.var(args[0]);
        let (from, to) = if over == Rounds::Times { (zero, first) } else { (first, self.var(args[1])) };
        let some = self.b.scalar(Instr::new(less).x(from).y(to), 1, false);
        let difference = self.b.scalar(Instr::new(What::ScalarSub).x(to).y(from), 64, false);
        let count = self.scalar_select(some, difference, zero);
        let (bits, signed) = bits_of(element);
        let source = if over == Rounds::Times { Source::None } else { Source::From(from, bits, signed) };
        (count, source)
    }

    /// Rounds counted in a number: more than 2^64 - 1 are as many as that.
    fn wide_rounds(&mut self, over: Rounds, args: &[ValueId]) -> (Var, Source) {
        let (bits, signed) = bits_of(self.element(args[0]));
        let zero = self.number_constant(&BigInt::from(0));
        let first = self.as_number(args[0]);
        let (from, to) = match over {
            Rounds::Times => (zero, first),
            _ => (first, self.as_number(args[1])),
        };
        let some = self.integer_case(&Op::Lt, signed, &[from, to], None);
        let difference = self.integer_case(&Op::Sub, signed, &[to, from], None);
        self.uses.extend([What::NumberLength, What::ScalarLow]);
        // A difference of signed numbers may have a bit more than they, but is positive.
        let length = self.b.scalar(Instr::new(What::NumberLength).x(difference), 64, false);
        let low = self.b.scalar(Instr::new(What::ScalarLow).x(difference), 64, false);
        let (limit, most, none) = (self.b.constant(64), self.b.constant(u64::MAX), self.b.constant(0));
        let long = self.b.scalar(Instr::new(What::ScalarLess).x(limit).y(length), 1, false);
        let count = self.scalar_select(long, most, low);
        let count = self.scalar_select(some, count, none);
        (count, if over == Rounds::Times { Source::None } else { Source::From(from, bits, signed) })
    }

    /// The number of digits of so many bits.
    pub(super) fn digits_in(&mut self, length: Var, bits: u32) -> Var {
        if bits == 1 {
            return length;
        }
        let more = self.b.constant(u64::from(bits) - 1);
        let sum = self.b.scalar(Instr::new(What::ScalarAdd).x(length).y(more), 64, false);
        if bits.is_power_of_two() {
            let log = self.b.constant(bits.ilog2().into());
            return self.b.scalar(Instr::new(What::ScalarShr).x(sum).y(log), 64, false);
        }
        let width = self.b.constant(bits.into());
        self.uses.insert(What::ScalarDiv);
        self.b.scalar(Instr::new(What::ScalarDiv).x(sum).y(width), 64, false)
    }

    /// The number of bits of an integer; 0 for a negative one.
    pub(super) fn length(&mut self, held: &Held, element: Element) -> Var {
        let signed = bits_of(element).1;
        match *held {
            Held::Input { input, element } => {
                self.uses.insert(What::InputLength);
                self.b.scalar(Instr::new(What::InputLength).low(input | element << 16), 64, false)
            }
            Held::Constant(ref constant) => {
                self.b.constant(if constant.sign() == num_bigint::Sign::Minus { 0 } else { constant.bits() })
            }
            ref held if is_scalar(element) => {
                let x = self.var_of(held, element);
                let length = self.b.pure(
                    Instr::new(What::ScalarLength).x(x).high(64 | u32::from(signed) << 8),
                    Class::Scalar,
                );
                let zero = self.b.constant(0);
                let negative = self.b.scalar(Instr::new(What::ScalarLessSigned).x(x).y(zero), 1, false);
                if signed { self.scalar_select(negative, zero, length) } else { length }
            }
            ref held => {
                let x = self.var_of(held, element);
                self.uses.insert(What::NumberLength);
                self.b.scalar(Instr::new(What::NumberLength).x(x), 64, signed)
            }
        }
    }

    /// Digit i of so many bits, from the lowest one, of an integer.
    pub(super) fn digit(&mut self, held: &Held, element: Element, bits: u32, i: Var) -> Var {
        let digit = match *held {
            Held::Input { input, element } => {
                self.uses.insert(What::InputLength);
                self.b.scalar(Instr::new(What::InputDigit).y(i).low(input | element << 16), bits, false)
            }
            ref held if is_scalar(element) => {
                let x = self.var_of(held, element);
                self.b.scalar(Instr::new(What::ScalarDigit).x(x).y(i).low(bits), 64, false)
            }
            ref held => {
                let x = self.var_of(held, element);
                self.uses.insert(What::NumberLength);
                self.b.scalar(Instr::new(What::NumberDigit).x(x).y(i).low(bits), 64, false)
            }
        };
        self.digits.insert(digit, bits);
        digit
    }

    /// What a round's index is.
    pub(super) fn index(
        &mut self,
        node: &Node,
        source: Source,
        index: Var,
        count: Var,
    ) -> Result<Var, SpecError> {
        match source {
            Source::From(from, bits, signed) if self.b.class(from) == Class::Number => {
                let index = self.b.number(Instr::new(What::Widen).y(index));
                let sum = self.integer_case(&Op::Add, signed, &[from, index], None);
                let ty = IntType::new(bits.into(), signed);
                Ok(ty.map_or(sum, |ty| self.wrapped(sum, ty)))
            }
            Source::From(from, bits, signed) => {
                Ok(self.b.scalar(Instr::new(What::ScalarAdd).x(from).y(index), bits, signed))
            }
            Source::Digits(held, element, bits) => {
                let one = self.b.constant(1);
                let last = self.b.scalar(Instr::new(What::ScalarSub).x(count).y(one), 64, false);
                let i = self.b.scalar(Instr::new(What::ScalarSub).x(last).y(index), 64, false);
                Ok(self.digit(&held, element, bits, i))
            }
            Source::Elements(held) => self.indexed(node, &held, self.element_of(node), index),
            Source::None => broken_invariant("a loop without an index has none"),
        }
    }

    pub(super) fn element_of(&self, node: &Node) -> Element {
        self.ty(node.args[0]).element
    }
}
