//! Expressions as values: a node, shared where it is used more than once.

use core::fmt;
use core::mem;
use std::sync::Arc;

use num_bigint::{BigInt, Sign};

use super::{Dag, Op, Operation, constant};
use crate::invariant::broken_invariant;
use crate::op::Flag;

/// An expression: a node of a directed acyclic graph, shared where it is used more than once.
///
/// Cloning is cheap. Equal subexpressions are computed once, whether they were shared or written twice.
///
/// ```
/// use limbforge_algos::expr::Expr;
/// let (a, b) = (Expr::input("a"), Expr::input("b"));
/// let poly = (a.sqr() + &b) * (b.sqr() + &b) + a * b;
/// assert_eq!(poly.to_dag(), Expr::parse("(a*a + b)*(b*b + b) + a*b")?.to_dag());
/// # Ok::<(), limbforge_algos::expr::ParseExprError>(())
/// ```
#[derive(Clone)]
pub struct Expr(pub(super) Arc<Node>);

pub(super) struct Node {
    pub(super) op: Op,
    pub(super) args: Vec<Expr>,
}

impl Drop for Node {
    /// Takes a long chain apart link by link; the derived drop would recurse once per link.
    fn drop(&mut self) {
        let mut pending = mem::take(&mut self.args);
        while let Some(Expr(node)) = pending.pop() {
            if let Some(mut node) = Arc::into_inner(node) {
                pending.append(&mut node.args);
            }
        }
    }
}

impl Expr {
    /// The operation of a row on these operands.
    pub(super) fn of_row(row: &Operation, mut operands: Vec<Self>) -> Self {
        let Some(op) = &row.op else { broken_invariant("only powers have no operation of their own") };
        if row.has(Flag::Swapped) {
            operands.reverse();
        }
        Self::operation(op.clone(), operands)
    }

    /// An operation on these operands. Constant [amounts](super::Amount) are folded into it.
    ///
    /// # Panics
    /// If the operands are not [`Op::arity`] many.
    #[must_use]
    pub fn operation(op: Op, args: Vec<Self>) -> Self {
        assert_eq!(args.len(), op.arity(), "operands of {op}");
        let (op, args) = constant::fold(op, args);
        Self(Arc::new(Node { op, args }))
    }

    /// The operand of this name. A name that the parser can read starts with a letter or `_` and goes on with
    /// letters, digits and `_`.
    #[must_use]
    pub fn input(name: &str) -> Self {
        Self::operation(Op::Input(name.into()), vec![])
    }

    /// A constant. It must fit the type that the expression is evaluated in
    /// ([`TypeError`](super::TypeError)), from `-2^(N-1)` to `2^(N-1) - 1` in a signed type. A negative one
    /// is its absolute value negated, and so fits an unsigned type too, modulo `2^N`.
    ///
    /// ```
    /// # use limbforge_algos::expr::Expr;
    /// let below = Expr::input("a").cmp_lt(&Expr::literal(-128));
    /// assert_eq!(below.to_dag(), Expr::parse("a < -128")?.to_dag());
    /// assert!(below.to_dag().result_type("i8".parse().unwrap()).is_ok());
    /// # Ok::<(), limbforge_algos::expr::ParseExprError>(())
    /// ```
    #[must_use]
    pub fn literal(value: impl Into<BigInt>) -> Self {
        let (sign, magnitude) = value.into().into_parts();
        let magnitude = Self::operation(Op::Literal(magnitude), vec![]);
        if sign == Sign::Minus { -magnitude } else { magnitude }
    }

    /// The graph of this expression, in order of computation, with equal subexpressions merged.
    #[must_use]
    pub fn to_dag(&self) -> Dag {
        Dag::new(self)
    }
}

impl From<u64> for Expr {
    fn from(value: u64) -> Self {
        Self::literal(value)
    }
}

impl fmt::Debug for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Expr({})", self.to_dag())
    }
}
