//! Random expressions of every operation, for tests and self-tests.
//!
//! A tree is drawn from a source of choices: the same choices give the same tree, and choices of 0 give the
//! smallest one. A test harness that shrinks a list of choices therefore shrinks the tree. [`SplitMix64`]
//! draws choices from a seed.

mod tree;

use limbforge_limb::IntType;

use super::Expr;
use tree::Tree;
pub use tree::operations;

/// The variables of random expressions.
pub const VARIABLES: [&str; 3] = ["a", "b", "c"];

/// Bounds of a random expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Operations on the longest path from a variable to the result, not counting adjustments of operands.
    pub depth: u32,
    /// Operations in all, not counting adjustments.
    pub operations: u32,
    /// Operations whose work grows with the cube of the width or faster: powers, and tests of primality and
    /// for powers.
    pub slow: u32,
}

/// Trees of depth 4 with up to 10 operations, one of which may be slow.
impl Default for Size {
    fn default() -> Self {
        Self { depth: 4, operations: 10, slow: 1 }
    }
}

/// Draws an expression over [`VARIABLES`] for operands of type `ty`.
///
/// All operations are equally likely, with literals, shared subexpressions, and numbers of bits that are
/// literals or values. Most operands are adjusted so that most instances have results: moduli of Jacobi
/// symbols become odd, for example. One result in five is a wide product, if a type has twice the bits of
/// `ty`. `choose(n)` returns a number below n.
///
/// ```
/// use limbforge_algos::expr::random::{Size, SplitMix64, expression};
/// let ty = "u256".parse().unwrap();
/// let mut seeded = SplitMix64::new(7);
/// let expr = expression(ty, Size::default(), &mut |n| seeded.below(n));
/// assert!(expr.to_dag().result_type(ty).is_ok());
/// let smallest = expression(ty, Size::default(), &mut |_| 0);
/// assert_eq!(smallest.to_dag().to_string(), "%0 = input a");
/// ```
pub fn expression(ty: IntType, size: Size, choose: &mut dyn FnMut(u32) -> u32) -> Expr {
    let mut tree = Tree { ty, left: size.operations, slow: size.slow, choose, values: vec![] };
    if tree.below(5) == 4 && 2 * ty.bits() <= IntType::MAX_BITS {
        tree.wide(size.depth)
    } else {
        tree.value(size.depth)
    }
}

/// The generator `SplitMix64` of Steele, Lea and Flood (2014): small, and the same on every machine. Not for
/// secrets.
///
/// ```
/// use limbforge_algos::expr::random::SplitMix64;
/// let mut dice = SplitMix64::new(7);
/// assert!((0..100).all(|_| dice.below(6) < 6));
/// // The published sequence of seed 0.
/// assert_eq!(SplitMix64::new(0).next_u64(), 0xe220_a839_7b1d_cdaf);
/// ```
#[derive(Clone, Debug)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    /// The sequence of this seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 bits.
    pub const fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below n, with a bias below `n / 2^64`; 0 if n is 0.
    pub fn below(&mut self, n: u32) -> u32 {
        ((u128::from(self.next_u64()) * u128::from(n)) >> 64) as u32
    }
}

#[cfg(test)]
mod tests;
