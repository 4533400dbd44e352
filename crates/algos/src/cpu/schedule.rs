//! The order of the operations, and the buffers of their values.

use std::collections::HashMap;

use num_bigint::BigUint;

use crate::expr::{Dag, DagNode, NodeId, Op};

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

/// The place of a value that is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// The buffer of this index; never one of the operands.
    Buffer(usize),
    /// The result of this index in [`Dag::roots`].
    Result(usize),
}

/// A value that a step computes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// The operation.
    pub op: Op,
    /// Its node of the graph.
    pub node: NodeId,
    /// The place of the value.
    pub into: Target,
}

/// One operation, or a division with both of its results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The operation.
    pub output: Output,
    /// The remainder of the same division, if `output` is the quotient.
    pub remainder: Option<Output>,
    /// The operands.
    pub args: Vec<Source>,
}

/// A graph as steps over as few buffers as its order of computation allows: a value's buffer is free again
/// after its last use.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Schedule {
    /// The operations in order.
    pub steps: Vec<Step>,
    /// The names of the variables.
    pub inputs: Vec<String>,
    /// The constants.
    pub literals: Vec<BigUint>,
    /// Number of buffers, each for one integer per instance.
    pub buffers: usize,
    /// Results that are copied after all steps, with their places: variables, constants, and operands of
    /// other operations.
    pub copies: Vec<(usize, Source)>,
}

impl Schedule {
    /// The schedule of `dag`.
    #[must_use]
    pub fn new(dag: &Dag) -> Self {
        let mut building = Building::of(dag);
        let last_uses = building.last_uses();
        for (i, last) in last_uses.iter().enumerate() {
            building.node(i);
            let free = last.iter().filter_map(|arg| match building.sources[arg.index()] {
                Some(Source::Buffer(buffer)) => Some(buffer),
                _ => None,
            });
            building.free.extend(free);
        }
        let Building { sources, mut schedule, .. } = building;
        let place = |(result, root): (usize, &NodeId)| Some((result, sources[root.index()]?));
        schedule.copies = dag.roots().iter().enumerate().filter_map(place).collect();
        schedule
    }
}

/// A schedule that is being made.
struct Building<'d> {
    dag: &'d Dag,
    /// The places of the values that are not results alone.
    sources: Vec<Option<Source>>,
    /// Nodes that other operations take.
    is_operand: Vec<bool>,
    /// The index of each result, by its node.
    roots: HashMap<NodeId, usize>,
    /// The nodes of quotients and remainders, by operation and operands.
    divisions: HashMap<&'d DagNode, usize>,
    /// Nodes that a step of an earlier node computes.
    done: Vec<bool>,
    free: Vec<usize>,
    schedule: Schedule,
}

impl<'d> Building<'d> {
    fn of(dag: &'d Dag) -> Self {
        let (steps, inputs, literals, copies) = <_>::default();
        let schedule = Schedule { steps, inputs, literals, buffers: 0, copies };
        let (nodes, mut is_operand) = (dag.nodes(), vec![false; dag.nodes().len()]);
        nodes.iter().flat_map(|node| &node.args).for_each(|arg| is_operand[arg.index()] = true);
        let divides = |(_, node): &(usize, &DagNode)| node.op.is_division();
        Self {
            dag,
            sources: vec![None; nodes.len()],
            is_operand,
            roots: dag.roots().iter().enumerate().map(|(result, &root)| (root, result)).collect(),
            divisions: nodes.iter().enumerate().filter(divides).map(|(i, node)| (node, i)).collect(),
            done: vec![false; nodes.len()],
            free: vec![],
            schedule,
        }
    }

    fn node(&mut self, i: usize) {
        let DagNode { op, args } = &self.dag.nodes()[i];
        match op {
            _ if self.done[i] => {}
            Op::Input(name) => {
                self.schedule.inputs.push(name.to_string());
                self.sources[i] = Some(Source::Input(self.schedule.inputs.len() - 1));
            }
            Op::Literal(value) => {
                self.schedule.literals.push(value.clone());
                self.sources[i] = Some(Source::Literal(self.schedule.literals.len() - 1));
            }
            _ => {
                let args = args.iter().filter_map(|arg| self.sources[arg.index()]).collect();
                let (first, second) = self.division(i).unwrap_or((i, None));
                let output = self.output(first);
                let remainder = second.map(|second| self.output(second));
                self.schedule.steps.push(Step { output, remainder, args });
            }
        }
    }

    /// The nodes of the quotient and the remainder of a division, one of which is `i`, if the graph has both.
    fn division(&self, i: usize) -> Option<(usize, Option<usize>)> {
        let DagNode { op, args } = &self.dag.nodes()[i];
        let find = |op: &Op| self.divisions.get(&DagNode { op: op.clone(), args: args.clone() }).copied();
        let pairs = [(Op::Div, Op::Rem), (Op::DivEuclid, Op::RemEuclid), (Op::DivFloor, Op::RemFloor)];
        let (quotient, remainder) = pairs.iter().find(|(q, r)| [q, r].contains(&op))?;
        Some((find(quotient)?, Some(find(remainder)?)))
    }

    fn output(&mut self, i: usize) -> Output {
        self.done[i] = true;
        let (op, node) = (self.dag.nodes()[i].op.clone(), NodeId::new(i));
        if let Some(&result) = self.roots.get(&node).filter(|_| !self.is_operand[i]) {
            return Output { op, node, into: Target::Result(result) };
        }
        let buffer = self.free.pop().unwrap_or_else(|| {
            self.schedule.buffers += 1;
            self.schedule.buffers - 1
        });
        self.sources[i] = Some(Source::Buffer(buffer));
        Output { op, node, into: Target::Buffer(buffer) }
    }

    /// For each node, the operands that are used there for the last time; a result is used at the end.
    fn last_uses(&self) -> Vec<Vec<NodeId>> {
        let nodes = self.dag.nodes();
        let mut seen = vec![false; nodes.len()];
        self.dag.roots().iter().for_each(|root| seen[root.index()] = true);
        let mut last_uses: Vec<Vec<NodeId>> = vec![vec![]; nodes.len()];
        for (node, last_uses) in nodes.iter().zip(&mut last_uses).rev() {
            let last = |arg: &&NodeId| !core::mem::replace(&mut seen[arg.index()], true);
            last_uses.extend(node.args.iter().filter(last));
        }
        last_uses
    }
}
