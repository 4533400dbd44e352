//! A program that is being written: its names, and the choices it is drawn by.

use limbforge_limb::IntType;
use num_bigint::{BigInt, BigUint};
use num_traits::One;

/// A type of values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Type {
    Int(IntType),
    Bool,
    /// Modulo `n`, the modulus of the program.
    Residue,
    Array(Box<Self>, usize),
    Pair(Box<Self>, Box<Self>),
    /// An index of a loop over numbers, which is only cast.
    Index,
}

/// A name that expressions may use.
#[derive(Clone, Debug)]
pub(super) struct Name {
    pub(super) text: String,
    pub(super) ty: Type,
    /// Declared by `var`, and assigned by any statement.
    pub(super) is_variable: bool,
}

/// A function and the types it is called with.
#[derive(Clone, Debug)]
pub(super) struct Function {
    pub(super) name: String,
    pub(super) parameters: Vec<Type>,
    pub(super) result: Type,
}

/// What operands are drawn for an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Number,
    Modulus,
}

/// An input as it is declared.
#[derive(Clone, Debug)]
pub(super) struct Declared {
    pub(super) name: &'static str,
    pub(super) ty: IntType,
    pub(super) elements: usize,
    pub(super) one_for_all: bool,
    pub(super) kind: Kind,
}

/// The text of a program, and its inputs.
#[derive(Clone, Debug)]
pub(super) struct Program {
    pub(super) text: String,
    pub(super) inputs: Vec<Declared>,
}

pub(super) struct Writer<'c> {
    choose: &'c mut dyn FnMut(u32) -> u32,
    pub(super) text: String,
    pub(super) indent: usize,
    pub(super) names: Vec<Name>,
    pub(super) functions: Vec<Function>,
    pub(super) inputs: Vec<Declared>,
    /// The columns of the list `rows`, if there is one.
    pub(super) list: Option<Vec<Type>>,
    /// The types of the wide and the narrow inputs.
    pub(super) wide: IntType,
    pub(super) narrow: IntType,
    /// The type of `int(x)`.
    pub(super) modulus: IntType,
    /// Operations that may still be drawn, and slow ones among them.
    pub(super) left: u32,
    pub(super) slow: u32,
    pub(super) loops: u32,
    /// The modulus is not known there; each function has a residue as parameter.
    pub(super) in_function: bool,
    fresh: u32,
}

/// An integer type.
pub(super) fn int(bits: u32, signed: bool) -> IntType {
    IntType::new(bits.into(), signed).unwrap_or_else(|error| panic!("{error}"))
}

/// Whether the first type holds all values of the second.
pub(super) const fn holds(wide: IntType, narrow: IntType) -> bool {
    if wide.is_signed() == narrow.is_signed() {
        wide.bits() >= narrow.bits()
    } else {
        wide.is_signed() && wide.bits() > narrow.bits()
    }
}

impl<'c> Writer<'c> {
    pub(super) fn new(choose: &'c mut dyn FnMut(u32) -> u32) -> Self {
        Self {
            choose,
            text: String::new(),
            indent: 0,
            names: vec![],
            functions: vec![],
            inputs: vec![],
            list: None,
            wide: int(9, false),
            narrow: int(8, false),
            modulus: int(9, false),
            left: 60,
            slow: 1,
            loops: 0,
            in_function: false,
            fresh: 0,
        }
    }

    /// A number below n.
    pub(super) fn below(&mut self, n: u32) -> u32 {
        (self.choose)(n) % n.max(1)
    }

    /// True once in n times, and never where choices are 0.
    pub(super) fn one_in(&mut self, n: u32) -> bool {
        self.below(n) == n - 1
    }

    pub(super) fn one_of<T: Clone>(&mut self, some: &[T]) -> T {
        let index = self.below(some.len() as u32);
        some[index as usize].clone()
    }

    /// A name that is not in use: `x3`.
    pub(super) fn fresh(&mut self, letter: &str) -> String {
        self.fresh += 1;
        format!("{letter}{}", self.fresh)
    }

    pub(super) fn line(&mut self, line: &str) {
        self.text.push_str(&"    ".repeat(self.indent));
        self.text.push_str(line);
        self.text.push('\n');
    }

    pub(super) fn declare(&mut self, text: &str, ty: Type, is_variable: bool) {
        self.names.push(Name { text: text.to_owned(), ty, is_variable });
    }

    /// The names that fit.
    pub(super) fn named(&self, fits: impl Fn(&Name) -> bool) -> Vec<Name> {
        self.names.iter().filter(|name| fits(name)).cloned().collect()
    }

    /// A name of a type, if there is one.
    pub(super) fn name_of(&mut self, ty: &Type) -> Option<String> {
        let found = self.named(|name| name.ty == *ty);
        if found.is_empty() { None } else { Some(self.one_of(&found).text) }
    }

    /// A type as it is written.
    pub(super) fn written(&self, ty: &Type) -> String {
        match ty {
            Type::Int(ty) => ty.to_string(),
            Type::Bool => "bool".to_owned(),
            Type::Residue => "mod n".to_owned(),
            Type::Array(element, length) => format!("[{}; {length}]", self.written(element)),
            Type::Pair(a, b) => format!("({}, {})", self.written(a), self.written(b)),
            Type::Index => "i64".to_owned(),
        }
    }

    /// A width from 9 to 700 bits, often next to a multiple of 32.
    pub(super) fn wide_bits(&mut self) -> u32 {
        match self.below(4) {
            0 => 9 + self.below(56),
            1 => 32 * (1 + self.below(20)),
            2 => 32 * (1 + self.below(20)) + 1 - 2 * self.below(2),
            _ => 9 + self.below(692),
        }
    }

    /// A number of a type, as it is written: small, or near a power of two.
    pub(super) fn literal(&mut self, ty: IntType) -> String {
        let bits = ty.bits() - u32::from(ty.is_signed());
        if bits == 0 {
            return "0".to_owned();
        }
        let most = (BigUint::one() << bits) - 1_u32;
        let value = match self.below(4) {
            0 | 1 => self.below(18).into(),
            2 => BigUint::one() << self.below(bits),
            _ => (BigUint::one() << self.below(bits + 1)) - 1_u32,
        };
        let value = BigInt::from(value.min(most));
        let negative = ty.is_signed() && self.below(4) == 3;
        if negative { format!("(-{value})") } else { value.to_string() }
    }
}
