//! Values of a program as they are held: variables, constants, integers in memory.

use std::rc::Rc;

use limbforge_algos::program::{Element, Ty, ValueId};
use limbforge_limb::IntType;
use num_bigint::{BigInt, Sign};

use super::Lowerer;
use super::memory::Block;
use crate::invariant::broken_invariant;
use crate::program::tape::code::{Instr, Var, What};

/// A value.
#[derive(Clone, Debug)]
pub(super) enum Held {
    Var(Var),
    Constant(BigInt),
    /// An integer of an input's batch.
    Input {
        input: u32,
        element: u32,
    },
    /// The elements of an array.
    Array(Rc<[Self]>),
    /// An array in local memory.
    Block(Block),
}

/// Whether values of the type are scalars.
pub(super) const fn is_scalar(element: Element) -> bool {
    match element {
        Element::Bool => true,
        Element::Int(ty) => ty.bits() <= 64,
        Element::Residue(_) => false,
    }
}

/// Bits and sign of a `bool` or an integer of the type.
pub(super) fn bits_of(element: Element) -> (u32, bool) {
    match element {
        Element::Bool => (1, false),
        Element::Int(ty) => (ty.bits(), ty.is_signed()),
        Element::Residue(_) => broken_invariant("a residue has no bits of its own"),
    }
}

impl Lowerer<'_> {
    pub(super) fn ty(&self, value: ValueId) -> Ty {
        self.program.ty(value)
    }

    pub(super) fn element(&self, value: ValueId) -> Element {
        self.program.ty(value).element
    }

    /// The integer type of a value.
    pub(super) fn int(&self, value: ValueId) -> IntType {
        match self.element(value) {
            Element::Int(ty) => ty,
            _ => broken_invariant("an operand of integers is an integer"),
        }
    }

    pub(super) fn held(&self, value: ValueId) -> Held {
        let held = self.env[value.index()].clone();
        held.unwrap_or_else(|| broken_invariant("a value of a program comes before its uses"))
    }

    pub(super) fn set(&mut self, value: ValueId, held: Held) {
        self.env[value.index()] = Some(held);
    }

    /// The constant that a value is.
    pub(super) fn as_constant(&self, value: ValueId) -> Option<BigInt> {
        match &self.env[value.index()] {
            Some(Held::Constant(constant)) => Some(constant.clone()),
            _ => None,
        }
    }

    /// The variable of a value that is no array.
    pub(super) fn var(&mut self, value: ValueId) -> Var {
        let (held, element) = (self.held(value), self.element(value));
        self.var_of(&held, element)
    }

    pub(super) fn var_of(&mut self, held: &Held, element: Element) -> Var {
        match *held {
            Held::Var(var) => var,
            Held::Constant(ref constant) if is_scalar(element) => self.b.constant(low64(constant)),
            Held::Constant(ref constant) => self.number_constant(constant),
            Held::Input { input, element: index } if is_scalar(element) => {
                self.uses.insert(What::ScalarLoad);
                let (bits, signed) = bits_of(element);
                self.b.scalar(Instr::new(What::ScalarLoad).low(input | index << 16), bits, signed)
            }
            Held::Input { input, element: index } => {
                let instr = Instr::new(What::Load).low(input).high(index);
                self.b.number(instr)
            }
            Held::Array(_) | Held::Block(_) => broken_invariant("an array is taken by its elements"),
        }
    }

    /// A constant number: its words of two's complement.
    pub(super) fn number_constant(&mut self, constant: &BigInt) -> Var {
        let mut words = constant.magnitude().to_u32_digits();
        if constant.sign() == Sign::Minus {
            let modulus = BigInt::from(1) << (32 * self.padded);
            words = (modulus + constant).magnitude().to_u32_digits();
        }
        let found = self.constants.windows(words.len().max(1)).position(|window| window == &*words);
        let at = found.unwrap_or_else(|| {
            self.constants.extend(&words);
            self.constants.len() - words.len()
        });
        self.b.number(Instr::new(What::Number).low(at as u32).high(words.len() as u32))
    }

    /// The variable of an integer or a `bool` as a number.
    pub(super) fn as_number(&mut self, value: ValueId) -> Var {
        let element = self.element(value);
        if let Some(constant) = self.as_constant(value) {
            return self.number_constant(&constant);
        }
        let var = self.var(value);
        self.widened(var, element)
    }

    pub(super) fn widened(&mut self, var: Var, element: Element) -> Var {
        if !is_scalar(element) {
            return var;
        }
        let signed = bits_of(element).1;
        self.b.number(Instr::new(What::Widen).y(var).low(signed.into()))
    }

    /// A number modulo 2^bits, with its sign. No operation where numbers have no more bits.
    pub(super) fn wrapped(&mut self, var: Var, ty: IntType) -> Var {
        if ty.bits() >= 32 * self.padded {
            return var;
        }
        self.b.number(Instr::new(What::Wrap).x(var).low(ty.bits()).high(ty.is_signed().into()))
    }
}

/// A constant modulo 2^64.
pub(super) fn low64(constant: &BigInt) -> u64 {
    let low = constant.magnitude().to_u64_digits().first().copied().unwrap_or(0);
    if constant.sign() == Sign::Minus { low.wrapping_neg() } else { low }
}
