//! Values: numbers that may be unknown, arrays and tuples of them.

use limbforge_limb::IntType;
use num_bigint::BigInt;
use num_traits::Zero;

use super::Stopped;
use super::class::{Class, Ring};

/// A value. In a survey the numbers of inputs, and all that depends on them, are unknown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Value {
    /// A number of the text, or computed from such: it has no type yet.
    Exact(BigInt),
    Bool(Option<bool>),
    /// An integer in the range of its type, or a residue in 0..n.
    Number(Class, Option<BigInt>),
    Array(Vec<Self>),
    Tuple(Vec<Self>),
}

impl Value {
    pub(super) const fn int(ty: IntType, number: Option<BigInt>) -> Self {
        Self::Number(Class::Int(ty), number)
    }

    /// The number of a value that is neither an array nor a tuple; a `bool` is 0 or 1.
    pub(super) fn number(&self) -> Option<BigInt> {
        match self {
            Self::Exact(number) => Some(number.clone()),
            Self::Bool(truth) => truth.map(BigInt::from),
            Self::Number(_, number) => number.clone(),
            Self::Array(_) | Self::Tuple(_) => panic!("expected one number, found {self:?}"),
        }
    }

    /// As a condition. Today's conditions are integers, too.
    pub(super) fn truth(&self) -> Option<bool> {
        self.number().map(|number| !number.is_zero())
    }

    /// The number of a constant.
    pub(super) fn constant(&self) -> BigInt {
        match self {
            Self::Exact(number) => number.clone(),
            _ => panic!("expected a constant, found {self:?}"),
        }
    }

    pub(super) const fn is_exact(&self) -> bool {
        matches!(self, Self::Exact(_))
    }

    /// The residue's ring.
    pub(super) const fn ring(&self) -> Option<&Ring> {
        match self {
            Self::Number(Class::Residue(ring), _) => Some(ring),
            _ => None,
        }
    }

    /// The same shape without its numbers.
    pub(super) fn forget(&self) -> Self {
        match self {
            Self::Exact(_) => self.clone(),
            Self::Bool(_) => Self::Bool(None),
            Self::Number(class, _) => Self::Number(class.clone(), None),
            Self::Array(elements) => Self::Array(elements.iter().map(Self::forget).collect()),
            Self::Tuple(members) => Self::Tuple(members.iter().map(Self::forget).collect()),
        }
    }

    /// Elements or members.
    pub(super) fn parts(&self) -> Option<&[Self]> {
        match self {
            Self::Array(parts) | Self::Tuple(parts) => Some(parts),
            _ => None,
        }
    }

    pub(super) fn elements(&self) -> &[Self] {
        match self {
            Self::Array(elements) => elements,
            _ => panic!("expected an array, found {self:?}"),
        }
    }
}

/// Applies a function to numbers, member by member of tuples and element by element of arrays; what is neither
/// is the same for all.
pub(super) fn elementwise(
    operands: &[Value],
    f: &mut dyn FnMut(&[Value]) -> Result<Value, Stopped>,
) -> Result<Value, Stopped> {
    let is_tuple = |value: &Value| matches!(value, Value::Tuple(_));
    let is_array = |value: &Value| matches!(value, Value::Array(_));
    let tuples = operands.iter().any(is_tuple);
    if !tuples && !operands.iter().any(is_array) {
        return f(operands);
    }
    let takes_part = |value: &Value| if tuples { is_tuple(value) } else { is_array(value) };
    let mut lengths =
        operands.iter().filter(|value| takes_part(value)).filter_map(Value::parts).map(<[_]>::len);
    let length = lengths.next().unwrap_or(0);
    assert!(lengths.all(|other| other == length), "expected as many elements of each, found {operands:?}");
    let parts: Result<Vec<Value>, Stopped> = (0..length)
        .map(|i| {
            let part = |value: &Value| match value.parts() {
                Some(parts) if takes_part(value) => parts[i].clone(),
                _ => value.clone(),
            };
            elementwise(&operands.iter().map(part).collect::<Vec<_>>(), f)
        })
        .collect();
    Ok(if tuples { Value::Tuple(parts?) } else { Value::Array(parts?) })
}
