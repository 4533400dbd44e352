//! Types of values, and the numbers of values and moduli.

use core::fmt;

use limbforge_limb::IntType;

/// Index of a value in [`TypedProgram::types`](super::TypedProgram::types).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ValueId(u32);

impl ValueId {
    pub(crate) const fn new(index: usize) -> Self {
        Self(index as u32)
    }

    /// The index as a number.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for ValueId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "%{}", self.0)
    }
}

/// Index of a modulus in [`TypedProgram::moduli`](super::TypedProgram::moduli).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ModulusId(u32);

impl ModulusId {
    pub(crate) const fn new(index: usize) -> Self {
        Self(index as u32)
    }

    /// The index as a number.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The type of a `bool` in a batch.
pub(crate) const BIT: IntType = match IntType::unsigned(1) {
    Ok(ty) => ty,
    Err(_) => panic!("one bit is a width"),
};

/// The type of the number of an element.
pub(crate) const INDEX: IntType = match IntType::unsigned(32) {
    Ok(ty) => ty,
    Err(_) => panic!("32 bits are a width"),
};

/// The type of the number of an instance, and of seeds and counters of random integers.
pub(crate) const WORD: IntType = match IntType::unsigned(64) {
    Ok(ty) => ty,
    Err(_) => panic!("64 bits are a width"),
};

/// The type of a value that is not an array, or of an element of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Element {
    /// `false` or `true`.
    Bool,
    /// An integer modulo 2^N.
    Int(IntType),
    /// A residue modulo a number of each instance, or of all.
    Residue(ModulusId),
}

/// The type of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ty {
    /// The type of the value or of its elements.
    pub element: Element,
    /// The number of elements of an array.
    pub length: Option<u32>,
}

impl Ty {
    /// `bool`
    pub const BOOL: Self = Self { element: Element::Bool, length: None };

    /// An integer.
    #[must_use]
    pub const fn int(ty: IntType) -> Self {
        Self { element: Element::Int(ty), length: None }
    }

    /// A residue.
    #[must_use]
    pub const fn residue(modulus: ModulusId) -> Self {
        Self { element: Element::Residue(modulus), length: None }
    }

    /// The integer type, unless it is a residue, a `bool` or an array.
    #[must_use]
    pub const fn as_int(self) -> Option<IntType> {
        match self {
            Self { element: Element::Int(ty), length: None } => Some(ty),
            _ => None,
        }
    }
}

/// `u64`, `[mod %3; 16]`.
impl fmt::Display for Ty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.length.is_some() {
            f.write_str("[")?;
        }
        match self.element {
            Element::Bool => f.write_str("bool")?,
            Element::Int(ty) => write!(f, "{ty}")?,
            Element::Residue(modulus) => write!(f, "mod #{}", modulus.0)?,
        }
        self.length.map_or(Ok(()), |length| write!(f, "; {length}]"))
    }
}
