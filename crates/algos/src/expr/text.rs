//! Values of a graph as text, in the expression language.

use core::fmt::Write;
use core::mem::discriminant;

use num_bigint::BigInt;

use super::operations::{LEVELS, SHIFT_LEVEL, functions};
use super::{Amount, Dag, NodeId, Op};
use crate::invariant::broken_invariant;

/// What stands for an operand for which there is no room.
const LEFT_OUT: &str = "...";

/// Characters of a text, and levels of operations in it, from which on operands are left out: values may be
/// used more than once, and their text be much longer than the graph.
const LENGTH: usize = 64;
const DEPTH: usize = 8;

/// Bits up to which an amount is written as a whole.
const AMOUNT_BITS: u64 = 256;

/// How tightly parts bind: of a comparison least, of an operator by its place in [`LEVELS`], with shifts
/// between.
const COMPARISON: usize = 0;
const SHIFT: usize = level(SHIFT_LEVEL) - 1;
const UNARY: usize = level(LEVELS.len());

const fn level(place: usize) -> usize {
    2 * place + 2
}

/// How an operation is written.
enum Form {
    Prefix(&'static str),
    /// The operator, how tightly it binds, and how tightly its operands must.
    Infix(&'static str, usize, [usize; 2]),
    Function(&'static str),
}

impl Form {
    fn of(op: &Op) -> Self {
        let compared = |sign| Self::Infix(sign, COMPARISON, [COMPARISON + 1; 2]);
        match op {
            Op::Neg => Self::Prefix("-"),
            Op::Not => Self::Prefix("~"),
            Op::Eq => compared("=="),
            Op::Ne => compared("!="),
            Op::Lt => compared("<"),
            Op::Le => compared("<="),
            Op::Shl(_) | Op::ShlBy => Self::Infix("<<", SHIFT, [UNARY; 2]),
            Op::Shr(_) | Op::ShrBy => Self::Infix(">>", SHIFT, [UNARY; 2]),
            _ => Self::of_table(op),
        }
    }

    fn of_table(op: &Op) -> Self {
        let mut operators = (0..)
            .zip(LEVELS)
            .flat_map(|(place, level)| level.iter().map(move |(sign, op)| (place, sign, op)));
        if let Some((place, sign, _)) = operators.find(|(.., operator)| *operator == op) {
            return Self::Infix(sign, level(place), [level(place), level(place) + 1]);
        }
        // Functions of amounts are the same ones for all.
        let is = |function: &Op| discriminant(function) == discriminant(op);
        let function = functions().find(|row| row.op.as_ref().is_some_and(is));
        let row = function.unwrap_or_else(|| broken_invariant("an operation is in a table of the language"));
        Self::Function(row.name)
    }
}

/// An operand: a value, or an amount that the operation has in itself.
enum Operand {
    Value(NodeId),
    Amount(BigInt),
}

fn operands(op: &Op, args: &[NodeId]) -> Vec<Operand> {
    let amounts = match op {
        Op::Shl(bits) | Op::Shr(bits) => vec![Amount::Constant((*bits).into())],
        Op::Rotl(amount) | Op::Rotr(amount) | Op::Mask(amount) | Op::MaskHigh(amount) => vec![amount.clone()],
        Op::Extract { start, length } | Op::Insert { start, length } => vec![start.clone(), length.clone()],
        _ => vec![],
    };
    // Values come before all amounts.
    let values = args.len() - amounts.iter().map(Amount::operands).sum::<usize>();
    let mut args = args.iter().copied();
    let mut operands: Vec<Operand> = args.by_ref().take(values).map(Operand::Value).collect();
    operands.extend(amounts.into_iter().filter_map(|amount| match amount {
        Amount::Constant(bits) => Some(Operand::Amount(bits)),
        Amount::Operand => args.next().map(Operand::Value),
    }));
    operands
}

/// A text as it is written.
struct Text<'d> {
    dag: &'d Dag,
    out: String,
    /// From how many characters on it is of no use.
    limit: usize,
}

impl Text<'_> {
    /// Writes a value of at most so many levels of operations, in parentheses if it does not bind as tightly
    /// as `least`.
    fn value(&mut self, node: NodeId, least: usize, depth: usize) {
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

    fn operation(&mut self, op: &Op, operands: &[Operand], least: usize, depth: usize) {
        let form = Form::of(op);
        let binds = match form {
            Form::Prefix(_) => UNARY,
            Form::Infix(_, level, _) => level,
            Form::Function(_) => usize::MAX,
        };
        if binds < least {
            self.out.push('(');
        }
        match (form, operands) {
            (Form::Infix(sign, _, [left, right]), [a, b]) => {
                self.operand(a, left, depth);
                self.out.extend([" ", sign, " "]);
                self.operand(b, right, depth);
            }
            (Form::Prefix(sign), [a]) => {
                self.out.push_str(sign);
                self.operand(a, UNARY, depth);
            }
            (Form::Function(name) | Form::Prefix(name) | Form::Infix(name, ..), operands) => {
                self.out.extend([name, "("]);
                for (i, operand) in operands.iter().enumerate() {
                    self.out.push_str(if i == 0 { "" } else { ", " });
                    self.operand(operand, COMPARISON, depth);
                }
                self.out.push(')');
            }
        }
        if binds < least {
            self.out.push(')');
        }
    }

    fn operand(&mut self, operand: &Operand, least: usize, depth: usize) {
        match operand {
            Operand::Value(node) => self.value(*node, least, depth),
            Operand::Amount(bits) if bits.bits() <= AMOUNT_BITS => drop(write!(self.out, "{bits}")),
            Operand::Amount(bits) => drop(write!(self.out, "{:.12}{LEFT_OUT}", format!("{bits:#x}"))),
        }
    }
}

impl Dag {
    /// What a person calls the value of a node: its expression, as in `a - 5`, with `...` for operands of
    /// operands where that would be long. Equal values are one, so that it need not be what was parsed, as
    /// `sqr(a)` for `a * a`.
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
    /// If the node is none of this graph, as indexing does.
    #[must_use]
    pub fn describe(&self, node: NodeId) -> String {
        let text = |depth, limit| {
            let mut text = Text { dag: self, out: String::new(), limit };
            text.value(node, COMPARISON, depth);
            text.out
        };
        let whole = (1..=DEPTH).rev().map(|depth| text(depth, LENGTH)).find(|text| text.len() <= LENGTH);
        whole.unwrap_or_else(|| text(1, usize::MAX))
    }
}
