//! The type of an expression's result, and the checks of its constants and wide products.

use core::fmt;

use limbforge_limb::IntType;
use num_bigint::BigUint;

use super::{Dag, NodeId, Op};

/// An expression that has no type for operands of this one: a wide product that is an operand or has more
/// bits than any type, or a constant that does not fit the type.
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
    /// A result of more bits than any type has.
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

    /// The expected form and the remedy.
    #[must_use]
    pub fn help(&self) -> String {
        match self {
            Self::WideOperand { .. } => {
                "expected a wide product as the result of the whole expression alone; \
                take `*` and `mulhi`, its halves, as operands"
                    .to_owned()
            }
            Self::WideResult { .. } => format!(
                "expected at most {}: use operands of at most half as many, or `*` and `mulhi`, its halves",
                IntType::MAX_BITS
            ),
            Self::Literal { needed, ty, .. } => {
                // Masks have as many bits as a signed type.
                let is_bit_pattern = ty.is_signed() && *needed == u64::from(ty.bits()) + 1;
                let or = if is_bit_pattern { ", or the negative number of the same bits" } else { "" };
                format!("expected {} to {}: use at least {needed} bits{or}", ty.min_text(), ty.max_text())
            }
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

impl Dag {
    /// Whether a result is a wide product.
    #[must_use]
    pub fn is_wide(&self) -> bool {
        self.roots().iter().any(|root| self.nodes()[root.index()].op.is_wide())
    }

    /// The type of the result for operands of type `ty`: the same, or that of twice the bits for a wide
    /// product. The type of the first one if there are several.
    ///
    /// # Errors
    /// [`TypeError`] if a constant does not fit `ty`, a wide product is not the result, or the result is
    /// wider than any type.
    pub fn result_type(&self, ty: IntType) -> Result<IntType, TypeError> {
        Ok(self.result_types(ty)?.first().copied().unwrap_or(ty))
    }

    /// The type of each of the [roots](Dag::roots).
    ///
    /// # Errors
    /// As [`result_type`](Self::result_type).
    pub fn result_types(&self, ty: IntType) -> Result<Vec<IntType>, TypeError> {
        self.check_literals(ty)?;
        for (user, node) in self.nodes().iter().enumerate() {
            if let Some(&product) = node.args.iter().find(|arg| self.nodes()[arg.index()].op.is_wide()) {
                let (product, user) = (self.describe(product), self.describe(NodeId::new(user)));
                return Err(TypeError::WideOperand { product, user });
            }
        }
        let of_root = |&root: &NodeId| {
            if !self.nodes()[root.index()].op.is_wide() {
                return Ok(ty);
            }
            let wide = IntType::new(2 * u64::from(ty.bits()), ty.is_signed());
            wide.map_err(|_| TypeError::WideResult { product: self.describe(root), ty })
        };
        self.roots().iter().map(of_root).collect()
    }

    /// Constants are not negative. `2^(N-1)` is allowed in a signed type where it is only negated, so that
    /// `-2^(N-1)`, the least number, can be written.
    fn check_literals(&self, ty: IntType) -> Result<(), TypeError> {
        let sign = u64::from(ty.is_signed());
        for (id, node) in self.ids().zip(self.nodes()) {
            let Op::Literal(value) = &node.op else { continue };
            let is_least = || {
                let top = u64::from(ty.bits()) - 1;
                ty.is_signed() && value.bits() == top + 1 && value.trailing_zeros() == Some(top)
            };
            let needed = value.bits() + sign;
            if needed > ty.bits().into() && !(is_least() && self.is_only_negated(id)) {
                return Err(TypeError::Literal {
                    literal: self.describe(id),
                    value: value.clone(),
                    needed,
                    ty,
                });
            }
        }
        Ok(())
    }

    fn is_only_negated(&self, id: NodeId) -> bool {
        let mut users = self.nodes().iter().filter(|node| node.args.contains(&id)).peekable();
        !self.roots().contains(&id) && users.peek().is_some() && users.all(|node| node.op == Op::Neg)
    }
}
