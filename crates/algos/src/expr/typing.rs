//! The type of an expression's result, and what an expression may not hold in a type.

use core::fmt;

use limbforge_limb::IntType;
use num_bigint::BigUint;

use super::{Dag, NodeId, Op};

/// An expression that has no type for operands of this one: a wide product where none may stand or of more
/// bits than any type, or a constant that is no number of the type.
///
/// `Display` is one line. [`Parsed::report`](super::Parsed::report) shows the place in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TypeError {
    /// A wide product that another operation takes.
    WideOperand {
        /// The product, as an expression.
        product: String,
        /// The operation that takes it, as an expression.
        user: String,
    },
    /// A result of more bits than a type has.
    WideResult {
        /// The product, as an expression.
        product: String,
        /// The type of its operands.
        ty: IntType,
    },
    /// A constant that does not fit the type.
    Literal {
        /// The constant, shortened if it is long.
        literal: String,
        /// Its value.
        value: BigUint,
        /// Bits that it needs in a type of this signedness.
        needed: u64,
        /// The type.
        ty: IntType,
    },
}

impl TypeError {
    /// The error without help: one line without a full stop.
    #[must_use]
    pub fn title(&self) -> String {
        match self {
            Self::WideOperand { product, user } => {
                format!("`{product}` has twice the bits of its operands and `{user}` takes it")
            }
            Self::WideResult { product, ty } => format!("`{product}` of {ty} has {} bits", 2 * ty.bits()),
            Self::Literal { literal, needed, ty, .. } => {
                format!("the literal {literal} does not fit {ty}: it needs {needed} bits")
            }
        }
    }

    /// What was expected, and what to write instead.
    #[must_use]
    pub fn help(&self) -> String {
        match self {
            Self::WideOperand { .. } => {
                "expected a wide product as the result of the whole expression alone; take \
                                         `*` and `mulhi`, its halves, as operands"
                    .to_owned()
            }
            Self::WideResult { .. } => format!(
                "expected at most {}: use operands of at most half as many, or `*` and `mulhi`, its halves",
                IntType::MAX_BITS
            ),
            Self::Literal { needed, ty, .. } => format!(
                "expected {} to {}: use at least {needed} bits{}",
                ty.min_text(),
                ty.max_text(),
                same_bits(*ty, *needed)
            ),
        }
    }
}

impl fmt::Display for TypeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let joint = if matches!(self, Self::WideOperand { .. }) { ":" } else { ";" };
        write!(f, "{}{joint} {}", self.title(), self.help())
    }
}

impl core::error::Error for TypeError {}

/// What else fits where the constant has as many bits as a signed type, as masks have.
fn same_bits(ty: IntType, needed: u64) -> &'static str {
    let is_bit_pattern = ty.is_signed() && needed == u64::from(ty.bits()) + 1;
    if is_bit_pattern { ", or the negative number of the same bits" } else { "" }
}

impl Dag {
    /// Whether the result is a wide product.
    #[must_use]
    pub fn is_wide(&self) -> bool {
        self.nodes().last().is_some_and(|node| node.op.is_wide())
    }

    /// The type of the result for operands of type `ty`: the same, or that of twice the bits for a wide
    /// product.
    ///
    /// # Errors
    /// [`TypeError`] if a constant does not fit `ty`, a wide product is not the result, or the result is
    /// wider than any type.
    pub fn result_type(&self, ty: IntType) -> Result<IntType, TypeError> {
        self.check_literals(ty)?;
        for (user, node) in self.nodes().iter().enumerate() {
            if let Some(&product) = node.args.iter().find(|arg| self.nodes()[arg.index()].op.is_wide()) {
                let (product, user) = (self.describe(product), self.describe(NodeId::new(user)));
                return Err(TypeError::WideOperand { product, user });
            }
        }
        if !self.is_wide() {
            return Ok(ty);
        }
        IntType::new(2 * u64::from(ty.bits()), ty.is_signed()).map_err(|_| TypeError::WideResult {
            product: self.describe(NodeId::new(self.nodes().len() - 1)),
            ty,
        })
    }

    /// Constants are not negative. So that `-2^(N-1)`, the least number of a signed type, can be written, its
    /// absolute value may stand where it is negated and nowhere else: modulo `2^N` that is the number itself.
    fn check_literals(&self, ty: IntType) -> Result<(), TypeError> {
        let sign = u64::from(ty.is_signed());
        for (id, node) in self.ids().zip(self.nodes()) {
            if let Op::Literal(value) = &node.op
                && value.bits() + sign > ty.bits().into()
                && !(ty.is_signed() && is_power(value, ty.bits() - 1) && self.is_only_negated(id))
            {
                let (literal, needed) = (self.describe(id), value.bits() + sign);
                return Err(TypeError::Literal { literal, value: value.clone(), needed, ty });
            }
        }
        Ok(())
    }

    fn is_only_negated(&self, id: NodeId) -> bool {
        let mut users = self.nodes().iter().filter(|node| node.args.contains(&id)).peekable();
        users.peek().is_some() && users.all(|node| node.op == Op::Neg)
    }
}

/// Whether it is `2^exponent`.
fn is_power(value: &BigUint, exponent: u32) -> bool {
    value.bits() == u64::from(exponent) + 1 && value.trailing_zeros() == Some(exponent.into())
}
