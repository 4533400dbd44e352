//! Random expressions of every operation, for tests and self-tests.
//!
//! A tree is drawn from a source of choices: the same choices give the same tree, and choices of 0 give the
//! smallest one. A test harness that shrinks a list of choices therefore shrinks the tree. [`SplitMix64`]
//! draws choices from a seed.

mod literal;
mod operation;
mod source;

use limbforge_limb::IntType;

pub use self::operation::operations;
pub use self::source::SplitMix64;
use super::Expr;

/// The variables of random expressions.
pub const VARIABLES: [&str; 3] = ["a", "b", "c"];

/// Bounds of a random expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Operations on the longest way from a variable to the result, before operands are adjusted so that
    /// operations have results.
    pub depth: u32,
    /// Operations in all, before the same.
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
/// All operations are drawn alike, with literals, shared subexpressions, and numbers of bits that are written
/// or are values. Most operands are adjusted so that most instances have results: moduli of Jacobi symbols
/// are made odd, for example. One result in five is a wide product, if `ty` has a type of twice the bits.
/// `choose(n)` returns a number below n.
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

/// A tree that is being drawn.
struct Tree<'c> {
    ty: IntType,
    /// Operations that may still be drawn, and slow ones among them.
    left: u32,
    slow: u32,
    choose: &'c mut dyn FnMut(u32) -> u32,
    /// The values of the operations so far, which may be used again.
    values: Vec<Expr>,
}

impl Tree<'_> {
    /// A number below n. A source that gives more is reduced.
    fn below(&mut self, n: u32) -> u32 {
        (self.choose)(n) % n
    }

    /// One of some.
    fn one_of<T: Clone>(&mut self, some: &[T]) -> T {
        let index = self.below(some.len() as u32);
        some[index as usize].clone()
    }

    /// A value of up to so many levels of operations.
    fn value(&mut self, depth: u32) -> Expr {
        if depth == 0 || self.left == 0 {
            return self.leaf();
        }
        match self.below(8) {
            0 => self.leaf(),
            1 if !self.values.is_empty() => {
                let index = self.below(self.values.len() as u32);
                self.values[index as usize].clone()
            }
            _ => {
                let value = self.operation(depth - 1);
                self.values.push(value.clone());
                value
            }
        }
    }

    fn leaf(&mut self) -> Expr {
        if self.below(5) == 4 { self.literal() } else { Expr::input(self.one_of(&VARIABLES)) }
    }

    /// A wide product, the last operation of a tree.
    fn wide(&mut self, depth: u32) -> Expr {
        let depth = depth.saturating_sub(1);
        self.left = self.left.saturating_sub(1);
        let x = self.value(depth);
        match self.below(4) {
            0 => x.sqr_wide(),
            1 => x.mul_wide(&x),
            _ => x.mul_wide(&self.value(depth)),
        }
    }
}

#[cfg(test)]
mod tests;
