//! What runs when, and in which buffer.

use crate::expr::{Dag, NodeId, Op};
use crate::invariant::broken_invariant;

/// Where an operand is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// The input of this index, in the order of [`Schedule::inputs`].
    Input(usize),
    /// The constant of this index, in the order of [`Schedule::literals`].
    Literal(usize),
    /// The buffer of this index, below [`Schedule::buffers`].
    Buffer(usize),
}

/// One operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// What is computed.
    pub op: Op,
    /// Which node of the graph it is.
    pub node: NodeId,
    /// The operands.
    pub args: Vec<Source>,
    /// The buffer that takes the result; never one of the operands. `None` is the result of the whole.
    pub into: Option<usize>,
}

/// A graph as steps over as few buffers as its order of computation allows: a value's buffer is free again
/// after its last use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    steps: Vec<Step>,
    inputs: Vec<String>,
    literals: Vec<num_bigint::BigUint>,
    buffers: usize,
    result: Source,
}

impl Schedule {
    /// The schedule of `dag`.
    #[must_use]
    pub fn new(dag: &Dag) -> Self {
        let last_uses = last_uses(dag);
        let mut schedule =
            Self { steps: vec![], inputs: vec![], literals: vec![], buffers: 0, result: Source::Buffer(0) };
        let mut sources: Vec<Source> = Vec::with_capacity(dag.nodes().len());
        let mut free = vec![];
        for (i, node) in dag.nodes().iter().enumerate() {
            let source = match &node.op {
                Op::Input(name) => {
                    schedule.inputs.push(name.to_string());
                    Source::Input(schedule.inputs.len() - 1)
                }
                Op::Literal(value) => {
                    schedule.literals.push(value.clone());
                    Source::Literal(schedule.literals.len() - 1)
                }
                op => {
                    let args: Vec<Source> = node.args.iter().map(|arg| sources[arg.index()]).collect();
                    let is_result = i + 1 == dag.nodes().len();
                    let into = (!is_result).then(|| free.pop().unwrap_or_else(|| schedule.new_buffer()));
                    schedule.steps.push(Step { op: op.clone(), node: NodeId::new(i), args, into });
                    Source::Buffer(into.unwrap_or(usize::MAX))
                }
            };
            sources.push(source);
            free.extend(last_uses[i].iter().filter_map(|node| match sources[node.index()] {
                Source::Buffer(buffer) => Some(buffer),
                Source::Input(_) | Source::Literal(_) => None,
            }));
        }
        schedule.result = sources.last().copied().unwrap_or_else(|| broken_invariant("a graph has a node"));
        schedule
    }

    fn new_buffer(&mut self) -> usize {
        self.buffers += 1;
        self.buffers - 1
    }

    /// The operations in order. Empty if the expression is a variable or a constant.
    #[must_use]
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// The names of the variables.
    #[must_use]
    pub fn inputs(&self) -> &[String] {
        &self.inputs
    }

    /// The constants.
    #[must_use]
    pub fn literals(&self) -> &[num_bigint::BigUint] {
        &self.literals
    }

    /// Number of buffers, each for one integer per instance.
    #[must_use]
    pub const fn buffers(&self) -> usize {
        self.buffers
    }

    /// Where the result is when there are no steps.
    #[must_use]
    pub(super) const fn result(&self) -> Source {
        self.result
    }
}

/// For each node, the operands that are used there for the last time.
fn last_uses(dag: &Dag) -> Vec<Vec<NodeId>> {
    let mut seen = vec![false; dag.nodes().len()];
    let mut last_uses: Vec<Vec<NodeId>> = vec![vec![]; dag.nodes().len()];
    for (node, last_uses) in dag.nodes().iter().zip(&mut last_uses).rev() {
        for &arg in &node.args {
            if !core::mem::replace(&mut seen[arg.index()], true) {
                last_uses.push(arg);
            }
        }
    }
    last_uses
}
