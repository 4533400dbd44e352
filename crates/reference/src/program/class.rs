//! Classes of numbers: their types, which a survey finds.

use std::collections::HashMap;

use limbforge_algos::program::text::syntax::{Expression, Span};
use limbforge_limb::IntType;
use num_bigint::{BigInt, BigUint};

use super::value::Value;

/// A type of integers or of residues, or an unknown one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Class {
    Int(IntType),
    Residue(Ring),
    /// The type of all numbers of this index, which is found later.
    Open(usize),
}

/// The integers modulo n.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Ring {
    /// n as it is written, or the name in a type.
    pub(super) written: Expression,
    pub(super) number: Option<BigInt>,
    /// The type of n, and of the numbers of residues.
    pub(super) ty: Box<Class>,
    /// The name of n, or another sign of the same modulus.
    pub(super) name: String,
    /// The first place in the text, where a bad modulus is reported.
    pub(super) place: Span,
}

/// A place of the text in a call of a function or an element of an array.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Key {
    pub(super) path: Vec<Span>,
    pub(super) span: Span,
    pub(super) what: String,
}

/// The types that a survey finds.
#[derive(Clone, Debug, Default)]
pub(super) struct Classes {
    /// An open class is the same as another one, or not known if it is its own.
    open: Vec<Class>,
    places: HashMap<Key, usize>,
    /// Values of branches without their numbers.
    shapes: HashMap<Key, Value>,
    /// The first place of each modulus.
    moduli: HashMap<String, Span>,
}

impl Classes {
    /// The class of numbers at a place.
    pub(super) fn at(&mut self, key: Key) -> Class {
        let next = self.open.len();
        let index = *self.places.entry(key).or_insert(next);
        if index == next {
            self.open.push(Class::Open(next));
        }
        self.known(&Class::Open(index))
    }

    /// The class that it is known to be by now.
    pub(super) fn known(&self, class: &Class) -> Class {
        match class {
            Class::Open(index) if self.open[*index] != *class => self.known(&self.open[*index]),
            class => class.clone(),
        }
    }

    /// The class of two numbers that meet. An open one becomes the other one.
    ///
    /// # Panics
    /// If no type holds the values of both.
    pub(super) fn meet(&mut self, a: &Class, b: &Class) -> Class {
        match (self.known(a), self.known(b)) {
            (Class::Open(index), other) | (other, Class::Open(index)) => {
                // The earlier class stays, so that none refers to itself.
                let (index, other) = match other {
                    Class::Open(earlier) if earlier > index => (earlier, Class::Open(index)),
                    other => (index, other),
                };
                self.open[index] = other.clone();
                other
            }
            (ring @ Class::Residue(_), _) | (_, ring @ Class::Residue(_)) => ring,
            (Class::Int(a), Class::Int(b)) if holds(a, b) => Class::Int(a),
            (Class::Int(a), Class::Int(b)) if holds(b, a) => Class::Int(b),
            (a, b) => panic!("expected a type that holds the values of both, found {a:?} and {b:?}"),
        }
    }

    /// Ends a survey: what nothing gave a type is `i64`.
    pub(super) fn settle(&mut self) {
        for index in 0..self.open.len() {
            if self.open[index] == Class::Open(index) {
                self.open[index] = Class::Int(int(64, true));
            }
        }
    }

    /// The first place of a modulus.
    pub(super) fn place_of_modulus(&mut self, name: &str, place: Span) -> Span {
        *self.moduli.entry(name.to_owned()).or_insert(place)
    }

    /// Stores the shape of a branch.
    pub(super) fn store(&mut self, key: Key, value: &Value) {
        self.shapes.insert(key, value.forget());
    }

    /// The shape of a branch that has a value.
    pub(super) fn shape(&self, key: &Key) -> Option<Value> {
        self.shapes.get(key).cloned()
    }
}

/// Whether the first type holds all values of the second.
pub(super) const fn holds(wide: IntType, narrow: IntType) -> bool {
    if wide.is_signed() == narrow.is_signed() {
        wide.bits() >= narrow.bits()
    } else {
        wide.is_signed() && wide.bits() > narrow.bits()
    }
}

/// An integer type.
pub(super) fn int(bits: u64, signed: bool) -> IntType {
    IntType::new(bits, signed).unwrap_or_else(|error| panic!("{error}"))
}

/// The least unsigned type that holds a constant modulus.
pub(super) fn least(number: &BigUint) -> IntType {
    int(number.bits().max(1), false)
}
