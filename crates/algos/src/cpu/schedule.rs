//! The order of the operations, and the buffers of their values.

use num_bigint::BigUint;

use crate::expr::{Dag, NodeId, Op};
use crate::invariant::broken_invariant;

/// The place of an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// The input of this index in [`Schedule::inputs`].
    Input(usize),
    /// The constant of this index in [`Schedule::literals`].
    Literal(usize),
    /// The buffer of this index, below [`Schedule::buffers`].
    Buffer(usize),
}

/// One operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The operation.
    pub op: Op,
    /// Its node of the graph.
    pub node: NodeId,
    /// The operands.
    pub args: Vec<Source>,
    /// The buffer that takes the result; never one of the operands. `None` is the result of the whole.
    pub into: Option<usize>,
}

/// A graph as steps over as few buffers as its order of computation allows: a value's buffer is free again
/// after its last use.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Schedule {
    /// The operations in order. Empty if the expression is a variable or a constant.
    pub steps: Vec<Step>,
    /// The names of the variables.
    pub inputs: Vec<String>,
    /// The constants.
    pub literals: Vec<BigUint>,
    /// Number of buffers, each for one integer per instance.
    pub buffers: usize,
    /// The place of the result when there are no steps.
    pub result: Source,
}

impl Schedule {
    /// The schedule of `dag`.
    #[must_use]
    pub fn new(dag: &Dag) -> Self {
        let last_uses = last_uses(dag);
        let (mut steps, mut inputs, mut literals, mut buffers) = (vec![], vec![], vec![], 0);
        let mut sources: Vec<Source> = Vec::with_capacity(dag.nodes().len());
        let mut free = vec![];
        for (i, node) in dag.nodes().iter().enumerate() {
            sources.push(match &node.op {
                Op::Input(name) => {
                    inputs.push(name.to_string());
                    Source::Input(inputs.len() - 1)
                }
                Op::Literal(value) => {
                    literals.push(value.clone());
                    Source::Literal(literals.len() - 1)
                }
                op => {
                    let args: Vec<Source> = node.args.iter().map(|arg| sources[arg.index()]).collect();
                    let into = (i + 1 < dag.nodes().len()).then(|| {
                        free.pop().unwrap_or_else(|| {
                            buffers += 1;
                            buffers - 1
                        })
                    });
                    steps.push(Step { op: op.clone(), node: NodeId::new(i), args, into });
                    Source::Buffer(into.unwrap_or(usize::MAX))
                }
            });
            free.extend(last_uses[i].iter().filter_map(|node| match sources[node.index()] {
                Source::Buffer(buffer) => Some(buffer),
                Source::Input(_) | Source::Literal(_) => None,
            }));
        }
        let result = sources.last().copied().unwrap_or_else(|| broken_invariant("a graph has a node"));
        Self { steps, inputs, literals, buffers, result }
    }
}

/// For each node, the operands that are used there for the last time.
fn last_uses(dag: &Dag) -> Vec<Vec<NodeId>> {
    let mut seen = vec![false; dag.nodes().len()];
    let mut last_uses: Vec<Vec<NodeId>> = vec![vec![]; dag.nodes().len()];
    for (node, last_uses) in dag.nodes().iter().zip(&mut last_uses).rev() {
        let last = |arg: &&NodeId| !core::mem::replace(&mut seen[arg.index()], true);
        last_uses.extend(node.args.iter().filter(last));
    }
    last_uses
}
