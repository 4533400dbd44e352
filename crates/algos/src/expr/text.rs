//! Values of a graph as text, in the expression language.

use core::fmt::Write;

use num_bigint::BigInt;

use super::{Amount, Dag, NodeId, Op, Operation, Syntax};
use crate::invariant::broken_invariant;

/// Replaces an operand for which there is no room.
const LEFT_OUT: &str = "...";

/// Most characters of a text, and most levels of operations. Values may be used more than once, so that a
/// full text may be much longer than the graph.
const LENGTH: usize = 64;
const DEPTH: usize = 8;

/// Most bits of an amount that is written in full.
const AMOUNT_BITS: u64 = 256;

/// An operand: a value, or an amount within the operation.
enum Operand {
    Value(NodeId),
    Amount(BigInt),
}

fn operands(op: &Op, args: &[NodeId]) -> Vec<Operand> {
    let amounts = match op {
        Op::Shl(bits) | Op::Shr(bits) => vec![Amount::Constant((*bits).into())],
        op => op.amounts().into_iter().cloned().collect(),
    };
    // Values come before all amounts.
    let values = args.len() - amounts.iter().filter(|amount| **amount == Amount::Operand).count();
    let mut args = args.iter().copied();
    let mut operands: Vec<Operand> = args.by_ref().take(values).map(Operand::Value).collect();
    operands.extend(amounts.into_iter().filter_map(|amount| match amount {
        Amount::Constant(bits) => Some(Operand::Amount(bits)),
        Amount::Operand => args.next().map(Operand::Value),
    }));
    operands
}

/// The least precedence of an operator's operands: it associates to the left, but comparisons do not chain
/// and shifts take no operators.
const fn operands_of(precedence: u8) -> [u8; 2] {
    match precedence {
        Operation::COMPARISON => [Operation::COMPARISON + 1; 2],
        Operation::SHIFT => [Operation::PREFIX; 2],
        precedence => [precedence, precedence + 1],
    }
}

/// A text under construction.
struct Text<'d> {
    dag: &'d Dag,
    out: String,
    /// Most characters of use.
    limit: usize,
}

impl Text<'_> {
    /// Writes a value of at most so many levels of operations, in parentheses if it does not bind as tightly
    /// as `least`.
    fn value(&mut self, node: NodeId, least: u8, depth: usize) {
        let node = &self.dag.nodes()[node.index()];
        match &node.op {
            _ if self.out.len() > self.limit => {}
            Op::Input(name) => self.out.push_str(name),
            Op::Literal(value) if value.bits() <= 64 => drop(write!(self.out, "{value}")),
            Op::Literal(value) if value.bits() <= 128 => drop(write!(self.out, "{value:#x}")),
            Op::Literal(value) => drop(write!(self.out, "{:.10}{LEFT_OUT}", format!("{value:#x}"))),
            _ if depth == 0 => self.out.push_str(LEFT_OUT),
            op => self.operation(op, &operands(op, &node.args), least, depth - 1),
        }
    }

    fn operation(&mut self, op: &Op, operands: &[Operand], least: u8, depth: usize) {
        let Some(row) = op.row() else { broken_invariant("a variable or a constant is no operation") };
        let binds = row.precedence;
        // Functions bind most tightly.
        if binds < least {
            self.out.push('(');
        }
        match (row.syntax, operands) {
            (Syntax::Infix, [a, b]) => {
                let [left, right] = operands_of(binds);
                self.operand(a, left, depth);
                self.out.extend([" ", row.name, " "]);
                self.operand(b, right, depth);
            }
            (Syntax::Prefix, [a]) => {
                self.out.push_str(row.name);
                self.operand(a, binds, depth);
            }
            (_, operands) => {
                self.out.extend([row.name, "("]);
                for (i, operand) in operands.iter().enumerate() {
                    self.out.push_str(if i == 0 { "" } else { ", " });
                    self.operand(operand, Operation::COMPARISON, depth);
                }
                self.out.push(')');
            }
        }
        if binds < least {
            self.out.push(')');
        }
    }

    fn operand(&mut self, operand: &Operand, least: u8, depth: usize) {
        match operand {
            Operand::Value(node) => self.value(*node, least, depth),
            Operand::Amount(bits) if bits.bits() <= AMOUNT_BITS => drop(write!(self.out, "{bits}")),
            Operand::Amount(bits) => drop(write!(self.out, "{:.12}{LEFT_OUT}", format!("{bits:#x}"))),
        }
    }
}

impl Dag {
    /// The value of a node as an expression, such as `a - 5`, with `...` for nested operands of long ones.
    /// Equal values are merged, so that it may differ from the parsed text: `a * a` becomes `sqr(a)`.
    ///
    /// ```
    /// # use limbforge_algos::expr::Expr;
    /// let dag = Expr::parse("-5 * (b - a * a)")?.to_dag();
    /// let texts: Vec<String> = dag.ids().map(|node| dag.describe(node)).collect();
    /// assert_eq!(texts, ["5", "-5", "b", "a", "sqr(a)", "b - sqr(a)", "-5 * (b - sqr(a))"]);
    /// # Ok::<(), limbforge_algos::expr::ParseExprError>(())
    /// ```
    ///
    /// # Panics
    /// If the node is not in this graph, as indexing does.
    #[must_use]
    pub fn describe(&self, node: NodeId) -> String {
        let text = |depth, limit| {
            let mut text = Text { dag: self, out: String::new(), limit };
            text.value(node, Operation::COMPARISON, depth);
            text.out
        };
        let whole = (1..=DEPTH).rev().map(|depth| text(depth, LENGTH)).find(|text| text.len() <= LENGTH);
        whole.unwrap_or_else(|| text(1, usize::MAX))
    }
}
