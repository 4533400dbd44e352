//! A ring expression split into phases.

use std::collections::HashMap;

use limbforge_algos::block::mul_tensor::MAX_DIGITS;
use limbforge_algos::expr::{Dag, DagNode, Op};
use num_bigint::BigInt;

use super::phases::{MAX_COEFFICIENT, Phase, Phases, Value};

/// The most summands of a phase, for the same reason as [`MAX_COEFFICIENT`].
const MAX_TERMS: usize = 64;

impl Phases {
    /// The phases of an expression of values of `digits` bytes, where `input` is the index of a named
    /// operand. None without products, with other operations, or with factors that are not small.
    #[must_use]
    pub fn of(
        dag: &Dag,
        digits: usize,
        inputs: usize,
        input: impl Fn(&str) -> Option<usize>,
    ) -> Option<Self> {
        let nodes = dag.nodes();
        let mut uses = vec![0_usize; nodes.len()];
        nodes.iter().flat_map(|node| &node.args).for_each(|arg| uses[arg.index()] += 1);
        let most_products = (MAX_DIGITS / digits.max(1)).max(1);
        let mut split = Split { most_products, forms: vec![], values: HashMap::new(), phases: vec![] };
        for (node, operation) in nodes.iter().enumerate() {
            let form = split.form(operation, &input)?;
            split.forms.push(form);
            if uses[node] > 1 && !split.forms[node].products.is_empty() {
                split.value(node)?;
            }
        }
        let result = split.forms.pop()?;
        split.phases.push(result);
        let phases = Self { inputs, phases: split.phases };
        (phases.most_products() > 0).then_some(phases)
    }
}

/// The phases so far.
struct Split {
    most_products: usize,
    /// The form of each node.
    forms: Vec<Phase>,
    /// Nodes that phases read.
    values: HashMap<usize, Value>,
    phases: Vec<Phase>,
}

impl Split {
    fn form(&mut self, node: &DagNode, input: &impl Fn(&str) -> Option<usize>) -> Option<Phase> {
        let args: Vec<usize> = node.args.iter().map(|arg| arg.index()).collect();
        match &node.op {
            Op::Input(name) => Some(Phase::from(Value::Input(input(name)?))),
            Op::Literal(value) => Some(Phase { constant: value.clone().into(), ..Phase::default() }),
            Op::Neg => self.scaled(args[0], -1),
            Op::Add | Op::Sub => {
                let first = self.scaled(args[0], 1)?;
                let second = self.scaled(args[1], if node.op == Op::Add { 1 } else { -1 })?;
                self.sum(first, second)
            }
            Op::Sqr => Some(Phase::from(vec![[self.value(args[0])?; 2]])),
            Op::Mul => match (self.literal(args[0]), self.literal(args[1])) {
                (None, None) => Some(Phase::from(vec![[self.value(args[0])?, self.value(args[1])?]])),
                (Some(factor), _) => self.scaled(args[1], small(&factor)?),
                (_, Some(factor)) => self.scaled(args[0], small(&factor)?),
            },
            _ => None,
        }
    }

    /// The value of a constant node.
    fn literal(&self, node: usize) -> Option<BigInt> {
        let form = &self.forms[node];
        (form.products.is_empty() && form.terms.is_empty()).then(|| form.constant.clone())
    }

    /// A node times a factor. Products are added as they are: a factor makes them a phase of their own first.
    fn scaled(&mut self, node: usize, factor: i64) -> Option<Phase> {
        if factor != 1 && !self.forms[node].products.is_empty() {
            self.value(node)?;
        }
        let form = match self.values.get(&node) {
            Some(&value) => Phase::from(value),
            None => self.forms[node].clone(),
        };
        let mut terms = form.terms;
        for term in &mut terms {
            term.1 = bounded(term.1.checked_mul(factor)?)?;
        }
        terms.retain(|term| term.1 != 0);
        Some(Phase { products: form.products, terms, constant: form.constant * factor })
    }

    fn sum(&mut self, mut sum: Phase, second: Phase) -> Option<Phase> {
        sum.products.extend(second.products);
        sum.products.sort_by_key(|pair| pair[0] != pair[1]);
        sum.constant += second.constant;
        for (value, factor) in second.terms {
            match sum.terms.iter_mut().find(|term| term.0 == value) {
                Some(term) => term.1 = bounded(term.1 + factor)?,
                None => sum.terms.push((value, factor)),
            }
        }
        sum.terms.retain(|term| term.1 != 0);
        // More products than coefficients hold are a phase of their own.
        while sum.products.len() > self.most_products {
            let products: Vec<_> = sum.products.drain(..self.most_products).collect();
            sum.terms.push((self.phase(Phase::from(products)), 1));
        }
        (sum.terms.len() <= MAX_TERMS).then_some(sum)
    }

    /// A node as a value: it becomes a phase, unless it is an operand.
    fn value(&mut self, node: usize) -> Option<Value> {
        if let Some(&value) = self.values.get(&node) {
            return Some(value);
        }
        // A constant as a factor has no words in shared memory.
        if self.literal(node).is_some() {
            return None;
        }
        let form = self.forms[node].clone();
        let value = match &*form.terms {
            &[(value, 1)] if form.products.is_empty() && form.constant == BigInt::ZERO => value,
            _ => self.phase(form),
        };
        self.values.insert(node, value);
        Some(value)
    }

    fn phase(&mut self, phase: Phase) -> Value {
        self.phases.push(phase);
        Value::Phase(self.phases.len() - 1)
    }
}

impl From<Value> for Phase {
    fn from(value: Value) -> Self {
        Self { terms: vec![(value, 1)], ..Self::default() }
    }
}

impl From<Vec<[Value; 2]>> for Phase {
    fn from(products: Vec<[Value; 2]>) -> Self {
        Self { products, ..Self::default() }
    }
}

fn bounded(factor: i64) -> Option<i64> {
    (factor.abs() <= MAX_COEFFICIENT).then_some(factor)
}

fn small(factor: &BigInt) -> Option<i64> {
    bounded(i64::try_from(factor).ok()?)
}
