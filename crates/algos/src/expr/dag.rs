//! Expressions as a list of operations in order of computation.

mod several;

use core::fmt;
use std::collections::HashMap;
use std::sync::Arc;

use limbforge_limb::IntType;

pub use several::{Dags, Part};

use super::{Expr, Op, build::Node};

/// Index of a node in [`Dag::nodes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(u32);

impl NodeId {
    /// The node of this index.
    pub(crate) const fn new(index: usize) -> Self {
        Self(index as u32)
    }

    /// The index as a number.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// An operation and the nodes it takes its operands from.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct DagNode {
    /// The operation.
    pub op: Op,
    /// Its [`Op::arity`] operands, all earlier in the list.
    pub args: Vec<NodeId>,
}

/// The graph of an expression, or of several: every node once, operands before their uses, the result of a
/// single expression last.
///
/// It is in normal form: the operands of commutative operations are ordered, `a * a` is a square, and equal
/// nodes are one (value numbering). Its `Display` is that form as text, one assignment per node, followed by
/// the roots unless the last node is the only one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Dag {
    nodes: Vec<DagNode>,
    roots: Vec<NodeId>,
}

impl Dag {
    /// The graph of `expr`, in time linear in its nodes and constant stack.
    #[must_use]
    pub fn new(expr: &Expr) -> Self {
        let mut numbering = Numbering::default();
        let root = numbering.add(expr);
        Self { nodes: numbering.nodes, roots: vec![root] }
    }

    /// The graph of several expressions, in which equal nodes are one whichever expressions they belong to.
    ///
    /// ```
    /// use limbforge_algos::expr::{Dag, Expr};
    /// let dag = Dag::of_all(&[Expr::parse("a / b")?, Expr::parse("a % b")?, Expr::parse("a / b")?]);
    /// assert_eq!(dag.to_string(), "%0 = input a; %1 = input b; %2 = div %0, %1; %3 = rem %0, %1; roots %2, %3");
    /// # Ok::<(), limbforge_algos::expr::ParseExprError>(())
    /// ```
    #[must_use]
    pub fn of_all(exprs: &[Expr]) -> Self {
        let mut numbering = Numbering::default();
        let mut roots = vec![];
        for root in exprs.iter().map(|expr| numbering.add(expr)) {
            if !roots.contains(&root) {
                roots.push(root);
            }
        }
        Self { nodes: numbering.nodes, roots }
    }

    /// The nodes in order of computation.
    #[must_use]
    pub fn nodes(&self) -> &[DagNode] {
        &self.nodes
    }

    /// The different results: the last node for one expression; for several, in the order of the first
    /// expression that has each.
    #[must_use]
    pub fn roots(&self) -> &[NodeId] {
        &self.roots
    }

    /// The ids of [`nodes`](Self::nodes), in the same order.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = NodeId> {
        (0..self.nodes.len()).map(NodeId::new)
    }

    /// Whether an instance may have no result in this type.
    #[must_use]
    pub fn may_fail(&self, ty: IntType) -> bool {
        self.nodes.iter().any(|node| node.op.may_fail(ty.is_signed()))
    }

    /// The names of the operands, in order of first use.
    pub fn inputs(&self) -> impl Iterator<Item = &str> {
        self.nodes.iter().filter_map(|node| if let Op::Input(name) = &node.op { Some(&**name) } else { None })
    }
}

#[derive(Default)]
struct Numbering {
    nodes: Vec<DagNode>,
    of_node: HashMap<*const Node, NodeId>,
    of_value: HashMap<DagNode, NodeId>,
}

impl Numbering {
    /// Numbers the nodes of an expression that are not known yet; the number of the whole.
    fn add(&mut self, expr: &Expr) -> NodeId {
        // A node is visited twice: first to queue its operands, then, when they are numbered, for itself.
        let mut pending = vec![(expr, false)];
        while let Some((expr, operands_done)) = pending.pop() {
            let node = Arc::as_ptr(&expr.0);
            if self.of_node.contains_key(&node) {
                continue;
            }
            if operands_done {
                self.number(&expr.0);
            } else {
                pending.push((expr, true));
                pending.extend(expr.0.args.iter().rev().map(|arg| (arg, false)));
            }
        }
        self.of_node[&Arc::as_ptr(&expr.0)]
    }

    fn number(&mut self, node: &Arc<Node>) {
        let args = node.args.iter().map(|arg| self.of_node[&Arc::as_ptr(&arg.0)]).collect();
        let value = normal_form(node.op.clone(), args);
        let id = *self.of_value.entry(value).or_insert_with_key(|value| {
            self.nodes.push(value.clone());
            NodeId(self.nodes.len() as u32 - 1)
        });
        self.of_node.insert(Arc::as_ptr(node), id);
    }
}

fn normal_form(op: Op, mut args: Vec<NodeId>) -> DagNode {
    if op.is_commutative() {
        args.sort_unstable();
    }
    match (&op, &*args) {
        (Op::Mul, [a, b]) if a == b => DagNode { op: Op::Sqr, args: vec![*a] },
        (Op::MulWide, [a, b]) if a == b => DagNode { op: Op::SqrWide, args: vec![*a] },
        _ => DagNode { op, args },
    }
}

impl fmt::Display for Dag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let assign =
            |(i, node): (usize, &DagNode)| write!(f, "{}%{i} = {node}", if i > 0 { "; " } else { "" });
        self.nodes.iter().enumerate().try_for_each(assign)?;
        if let [root] = *self.roots
            && root.index() + 1 == self.nodes.len()
        {
            return Ok(());
        }
        f.write_str("; roots ")?;
        let root = |(k, root): (usize, &NodeId)| write!(f, "{}%{}", if k > 0 { ", " } else { "" }, root.0);
        self.roots.iter().enumerate().try_for_each(root)
    }
}

/// The operation and the numbers of its operands.
impl fmt::Display for DagNode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.op)?;
        let operand = |(k, arg): (usize, &NodeId)| write!(f, "{}%{}", if k > 0 { ", " } else { " " }, arg.0);
        self.args.iter().enumerate().try_for_each(operand)
    }
}
