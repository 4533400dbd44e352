//! Graphs of several expressions, and parts of them.

use super::{Dag, DagNode, NodeId, Numbering};
use crate::expr::Expr;

/// Several expressions over the same operands: one graph of all, in which what they share is one node, and
/// the graph of each.
///
/// ```
/// use limbforge_algos::expr::{Dags, Expr};
/// let exprs = [Expr::parse("b - a")?, Expr::parse("(a + b) / (b - a)")?];
/// let dags = Dags::new(&exprs);
/// assert_eq!(dags.all().nodes().len(), 5);
/// assert_eq!(dags.parts()[1].dag(), &exprs[1].to_dag());
/// # Ok::<(), limbforge_algos::expr::ParseExprError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dags {
    all: Dag,
    parts: Vec<Part>,
}

/// One of several expressions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    dag: Dag,
    /// The node of the whole graph for each node of this one.
    nodes: Vec<NodeId>,
    root: usize,
}

impl Dags {
    /// The graphs of these expressions.
    #[must_use]
    pub fn new(exprs: &[Expr]) -> Self {
        let (mut whole, mut parts, mut roots) = (Numbering::default(), vec![], vec![]);
        for expr in exprs {
            let root = whole.add(expr);
            let place = roots.iter().position(|&other| other == root).unwrap_or_else(|| {
                roots.push(root);
                roots.len() - 1
            });
            let mut own = Numbering::default();
            let own_root = own.add(expr);
            let mut nodes = vec![root; own.nodes.len()];
            for (node, id) in &own.of_node {
                nodes[id.index()] = whole.of_node[node];
            }
            let dag = Dag { nodes: own.nodes, roots: vec![own_root] };
            parts.push(Part { dag, nodes, root: place });
        }
        Self { all: Dag { nodes: whole.nodes, roots }, parts }
    }

    /// The graph of all.
    #[must_use]
    pub const fn all(&self) -> &Dag {
        &self.all
    }

    /// The expressions in their order.
    #[must_use]
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }
}

/// A graph that is already made, with one expression for each of its roots.
impl From<&Dag> for Dags {
    fn from(all: &Dag) -> Self {
        let part = |(place, &root): (usize, &NodeId)| {
            let (dag, nodes) = all.restrict(&[root]);
            Part { dag, nodes, root: place }
        };
        Self { all: all.clone(), parts: all.roots.iter().enumerate().map(part).collect() }
    }
}

impl Part {
    /// The graph of this expression alone.
    #[must_use]
    pub const fn dag(&self) -> &Dag {
        &self.dag
    }

    /// For each node of [`dag`](Self::dag), that of the graph of all.
    #[must_use]
    pub fn nodes(&self) -> &[NodeId] {
        &self.nodes
    }

    /// The index of its result in the [roots](Dag::roots) of the graph of all. Equal expressions have one.
    #[must_use]
    pub const fn root(&self) -> usize {
        self.root
    }
}

impl Dag {
    /// For each node, whether this one is computed from it or is the node itself.
    #[must_use]
    pub fn needed_for(&self, root: NodeId) -> Vec<bool> {
        let mut needed = vec![false; self.nodes.len()];
        needed[root.index()] = true;
        for i in (0..=root.index()).rev() {
            if needed[i] {
                self.nodes[i].args.iter().for_each(|arg| needed[arg.index()] = true);
            }
        }
        needed
    }

    /// The graph of some nodes as roots, and for each of its nodes the node of this one.
    #[must_use]
    pub fn restrict(&self, roots: &[NodeId]) -> (Self, Vec<NodeId>) {
        let mut needed = vec![false; self.nodes.len()];
        for &root in roots {
            needed.iter_mut().zip(self.needed_for(root)).for_each(|(all, one)| *all |= one);
        }
        let kept: Vec<NodeId> = self.ids().filter(|id| needed[id.index()]).collect();
        let mut of = vec![NodeId::new(0); self.nodes.len()];
        kept.iter().enumerate().for_each(|(new, old)| of[old.index()] = NodeId::new(new));
        let renumbered = |old: &NodeId| {
            let DagNode { op, args } = &self.nodes[old.index()];
            DagNode { op: op.clone(), args: args.iter().map(|arg| of[arg.index()]).collect() }
        };
        let nodes = kept.iter().map(renumbered).collect();
        (Self { nodes, roots: roots.iter().map(|root| of[root.index()]).collect() }, kept)
    }
}
