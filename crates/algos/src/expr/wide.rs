//! Wide products, which have twice the bits of their operands: where they may stand.

use limbforge_limb::IntType;

use super::{Dag, NodeId, Op};

/// An expression whose wide product is not its result, or is wider than any type.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WideError {
    /// A wide product that another operation takes.
    #[error(
        "`{product}` has twice the bits of its operands and `{user}` takes it: expected a wide product as the result of \
         the whole expression alone; take `*` and `mulhi`, its halves, as operands"
    )]
    Operand {
        /// The product, as an expression.
        product: String,
        /// The operation that takes it, as an expression.
        user: String,
    },
    /// A result of more bits than a type has.
    #[error(
        "`{product}` of {ty} has {} bits; expected at most {}: use operands of at most half as many, or `*` and `mulhi`, \
         its halves",
        2 * ty.bits(),
        IntType::MAX_BITS
    )]
    Width {
        /// The product, as an expression.
        product: String,
        /// The type of its operands.
        ty: IntType,
    },
}

impl Op {
    /// Whether the result has twice the bits of the operands. Such an operation is the last of an expression.
    #[must_use]
    pub const fn is_wide(&self) -> bool {
        matches!(self, Self::MulWide | Self::SqrWide)
    }
}

impl Dag {
    /// Whether the result is a wide product.
    #[must_use]
    pub fn is_wide(&self) -> bool {
        self.nodes().last().is_some_and(|node| node.op.is_wide())
    }

    /// The type of the result for operands of type `ty`: the same, or that of twice the bits for a wide product.
    ///
    /// # Errors
    /// [`WideError`] if a wide product is not the result, or the result is wider than any type.
    pub fn result_type(&self, ty: IntType) -> Result<IntType, WideError> {
        for (user, node) in self.nodes().iter().enumerate() {
            if let Some(&product) = node.args.iter().find(|arg| self.nodes()[arg.index()].op.is_wide()) {
                let (product, user) = (self.describe(product), self.describe(NodeId::new(user)));
                return Err(WideError::Operand { product, user });
            }
        }
        if !self.is_wide() {
            return Ok(ty);
        }
        IntType::new(2 * u64::from(ty.bits()), ty.is_signed())
            .map_err(|_| WideError::Width { product: self.describe(NodeId::new(self.nodes().len() - 1)), ty })
    }
}
