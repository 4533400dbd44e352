//! A program as stages: straight nodes, then a loop that can be cut, and so on.
//!
//! A run can be interrupted between two rounds of a loop of the top region: then it is described by the
//! stage, the rounds that are done, and the values that are still needed. This holds for any backend, so that
//! one can go on where another one stopped ([`State`](super::State)).

use core::ops::Range;
use std::collections::BTreeSet;

use super::region::{Kind, Node, TypedProgram};
use super::ty::ValueId;

/// A part of the top region: nodes that run at once, then a loop that can be cut before each of its rounds.
///
/// ```text
/// stage 0   nodes 0..3   loop 3      from its head on: rounds 0, 1, 2, ...
/// stage 1   nodes 4..9   loop 9
/// stage 2   nodes 10..12             the end
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stage {
    /// The straight nodes: indices of nodes of the top region.
    pub nodes: Range<usize>,
    /// The loop behind them, a `For` or a `While`; `None` for the last stage.
    pub cut: Option<usize>,
    /// The values that are needed behind the straight nodes, in order: by the loop, by all that follows, or
    /// as results, with the moduli of the residues among them. Values that the loop carries are not among
    /// them (they are alive under the names of the loop's results), nor inputs nor constants, which are
    /// always at hand.
    pub alive: Vec<ValueId>,
}

impl Stage {
    /// The loop.
    #[must_use]
    pub fn cut_loop<'p>(&self, program: &'p TypedProgram) -> Option<&'p Node> {
        self.cut.map(|node| &program.body().nodes[node])
    }

    /// The values of a state within this stage: the alive ones, and what the loop carries, under the names of
    /// its results.
    #[must_use]
    pub fn held(&self, program: &TypedProgram) -> Vec<ValueId> {
        let carried = self.cut_loop(program).into_iter().flat_map(|node| &node.results);
        self.alive.iter().chain(carried).copied().collect()
    }
}

/// The stages of a program: one for each loop of the top region, and one for what is behind the last.
#[must_use]
pub fn stages(program: &TypedProgram) -> Vec<Stage> {
    let nodes = &program.body().nodes;
    let loops: Vec<usize> = (0..nodes.len()).filter(|&node| nodes[node].is_loop()).collect();
    let starts = core::iter::once(0).chain(loops.iter().map(|node| node + 1));
    let mut stages: Vec<Stage> = starts
        .zip(loops.iter().copied().map(Some).chain([None]))
        .map(|(start, cut)| Stage { nodes: start..cut.unwrap_or(nodes.len()), cut, alive: vec![] })
        .collect();
    // From the end backwards: what is needed from each stage's head on.
    let mut needed = Needed { program, values: BTreeSet::new() };
    for part in program.results().iter().flat_map(|result| &result.parts) {
        needed.add(part.value);
    }
    let mut from = nodes.len();
    for stage in stages.iter_mut().rev() {
        if let Some(cut) = stage.cut {
            nodes[cut + 1..from].iter().for_each(|node| needed.add_node(node));
            needed.add_loop(&nodes[cut]);
            // A loop is needed as a whole in the stages before it.
            from = cut + 1;
        }
        stage.alive = needed.before(stage.nodes.end);
    }
    stages
}

/// The values that are needed from some node on.
struct Needed<'p> {
    program: &'p TypedProgram,
    values: BTreeSet<ValueId>,
}

impl Needed<'_> {
    fn add(&mut self, value: ValueId) {
        self.values.insert(value);
        self.program.use_modulus(value, &mut |modulus| _ = self.values.insert(modulus));
    }

    fn add_node(&mut self, node: &Node) {
        let Self { program, values } = self;
        program.uses(node, &mut |value| _ = values.insert(value));
    }

    /// What a loop needs from its head on, but for the carried values as they begin.
    fn add_loop(&mut self, node: &Node) {
        let over = &node.args[..node.args.len() - node.results.len()];
        over.iter().for_each(|&value| self.add(value));
        node.results
            .iter()
            .for_each(|&value| self.program.use_modulus(value, &mut |n| _ = self.values.insert(n)));
        let Self { program, values } = self;
        for region in node.kind.regions() {
            program.uses_of_region(region, &mut |value| _ = values.insert(value));
        }
    }

    /// Those that the first nodes of the top region compute, but for constants.
    fn before(&self, nodes: usize) -> Vec<ValueId> {
        let computed = self.program.body().nodes[..nodes].iter();
        let computed = computed.filter(|node| !matches!(node.kind, Kind::Constant(_)));
        let all = computed.flat_map(|node| &node.results).copied();
        let needed: BTreeSet<ValueId> = all.filter(|value| self.values.contains(value)).collect();
        needed.into_iter().collect()
    }
}
