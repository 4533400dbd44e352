//! Uniformity: which values are one for all instances, as the inputs are that are given once.

use super::region::{Kind, Node, Region, Rounds, TypedProgram};
use super::ty::{Element, ValueId};

/// The values that are one for all instances.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Uniform(Vec<bool>);

impl Uniform {
    /// Finds them, given which inputs are one for all, in order. All others count as of each instance.
    ///
    /// A value is uniform if all is that it is computed from. What a loop carries or a branch gives is so
    /// only if the number of rounds or the condition is, too.
    #[must_use]
    pub fn new(program: &TypedProgram, inputs: &[bool]) -> Self {
        let mut values = vec![false; program.types().len()];
        for (input, &uniform) in program.inputs().iter().zip(inputs) {
            input.parts.iter().for_each(|part| values[part.value.index()] = uniform);
        }
        let mut found = Finder { program, values };
        found.region(program.body());
        Self(found.values)
    }

    /// Whether a value is one for all instances.
    #[must_use]
    pub fn contains(&self, value: ValueId) -> bool {
        self.0[value.index()]
    }
}

struct Finder<'p> {
    program: &'p TypedProgram,
    values: Vec<bool>,
}

impl Finder<'_> {
    fn region(&mut self, region: &Region) {
        region.nodes.iter().for_each(|node| self.node(node));
    }

    fn node(&mut self, node: &Node) {
        match &node.kind {
            Kind::For { over, body, .. } => {
                let index = body.params.len() - node.results.len();
                let over_args = &node.args[..node.args.len() - node.results.len()];
                // A range begins at its first operand, however many rounds follow.
                let beginning = if *over == Rounds::Range { &over_args[..1] } else { over_args };
                let is_uniform = self.all(beginning);
                body.params[..index].iter().for_each(|&param| self.set(param, is_uniform));
                let rounds = self.all(over_args);
                self.carry(node, rounds, &[&body.params[index..]], |found| {
                    found.region(body);
                    found.each(&body.yields)
                });
            }
            Kind::While { condition, body, .. } => {
                self.carry(node, true, &[&condition.params, &body.params], |found| {
                    found.region(condition);
                    found.region(body);
                    let rounds = found.all(&condition.yields);
                    found.each(&body.yields).into_iter().map(|value| value && rounds).collect()
                });
            }
            Kind::If { then, otherwise } => {
                self.region(then);
                self.region(otherwise);
                let choice = self.all(&node.args);
                let arms = self.each(&then.yields).into_iter().zip(self.each(&otherwise.yields));
                for ((then, otherwise), &result) in arms.zip(&node.results) {
                    self.set(result, choice && then && otherwise);
                }
            }
            Kind::Instance => node.results.iter().for_each(|&result| self.set(result, false)),
            _ => {
                let uniform = self.all(&node.args) && node.results.iter().all(|&value| self.modulus(value));
                node.results.iter().for_each(|&result| self.set(result, uniform));
            }
        }
    }

    /// The carried values of a loop: uniform unless a round shows otherwise. `round` says which of them are
    /// after one.
    fn carry(
        &mut self,
        node: &Node,
        rounds: bool,
        params: &[&[ValueId]],
        round: impl Fn(&mut Self) -> Vec<bool>,
    ) {
        let mut carried: Vec<bool> = self.each(node.carried()).into_iter().map(|v| v && rounds).collect();
        loop {
            for params in params {
                params.iter().zip(&carried).for_each(|(&param, &uniform)| self.set(param, uniform));
            }
            let next: Vec<bool> =
                round(self).into_iter().zip(&carried).map(|(after, &before)| after && before).collect();
            if next == carried {
                break;
            }
            carried = next;
        }
        node.results.iter().zip(carried).for_each(|(&result, uniform)| self.set(result, uniform));
    }

    fn set(&mut self, value: ValueId, uniform: bool) {
        self.values[value.index()] = uniform;
    }

    fn each(&self, values: &[ValueId]) -> Vec<bool> {
        values.iter().map(|value| self.values[value.index()]).collect()
    }

    fn all(&self, values: &[ValueId]) -> bool {
        values.iter().all(|value| self.values[value.index()])
    }

    /// Whether a residue's modulus is uniform; true for what is no residue.
    fn modulus(&self, value: ValueId) -> bool {
        match self.program.ty(value).element {
            Element::Residue(modulus) => self.values[self.program.modulus(modulus).value.index()],
            _ => true,
        }
    }
}
