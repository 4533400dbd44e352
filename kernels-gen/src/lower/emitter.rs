//! The statements of a kernel as they are written.
//!
//! A value is a number (`Num`), a sum with deferred carries (`Sum`), a truth value, or a wide product
//! (`Wide`). Additions and products leave sums; a sum is resolved once, where an operation first needs its
//! words. The bounds on what a run owes are tracked here, and `resolve` relies on them (`docs/add.md`). A
//! wide product is stored as it is.

use std::collections::{HashMap, hash_map::Entry};

use limbforge_algos::expr::DagNode;
use num_bigint::BigUint;

use crate::spec::KernelSpec;
use crate::template::{Template, Templates};

/// The most that a run may owe, either way: a count must fit one word, and a bias on top of it.
const OWED_LIMIT: i64 = 1 << 30;

/// The form of a node's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Held {
    Num,
    /// With the lowest (at most 0) and the highest count that a run may owe.
    Sum {
        lowest: i64,
        highest: i64,
    },
    Truth,
    /// Twice as wide; the result.
    Wide,
}

/// The kernel's statements and the texts that they need.
#[derive(Debug, Default)]
pub(crate) struct Statements {
    pub(crate) lines: Vec<String>,
    /// Templates of the operations that are called.
    pub(crate) templates: Templates,
    /// Types with the constants of the operands.
    pub(crate) types: Vec<String>,
}

/// The writer of the statements, with the form of each value.
pub(crate) struct Emitter<'s> {
    pub(super) spec: &'s KernelSpec,
    pub(super) out: Statements,
    /// The node whose statements are written.
    pub(super) i: usize,
    pub(super) forms: Vec<Held>,
    /// For a node that is a sum or a truth value: whether its number `r{i}` has been written.
    resolved: Vec<bool>,
    /// For each node, the results of the program that fail with it, as bits.
    pub(super) fails: Vec<u32>,
    /// Whether threads may still read results from shared memory.
    pub(super) is_storing: bool,
    /// The names of values that operations with the same operands share, by their text.
    pub(super) names: HashMap<String, String>,
}

impl<'s> Emitter<'s> {
    pub(super) fn new(spec: &'s KernelSpec) -> Self {
        let nodes = spec.dag.nodes().len();
        let (out, names) = <_>::default();
        let (forms, resolved) = (vec![Held::Num; nodes], vec![false; nodes]);
        Self { spec, out, i: 0, forms, resolved, fails: fails(spec), is_storing: false, names }
    }

    pub(super) fn node(&self) -> &'s DagNode {
        &self.spec.dag.nodes()[self.i]
    }

    pub(super) const fn signed(&self) -> bool {
        self.spec.ty.is_signed()
    }

    pub(super) fn line(&mut self, line: String) {
        self.out.lines.push(line);
    }

    /// Statements call a template.
    pub(super) const fn calls(&mut self, template: Template) {
        self.out.templates.include(template);
    }

    /// The words of a constant, under this name.
    pub(super) fn constant(&mut self, name: &str, value: &BigUint) {
        let mut words = value.to_u32_digits();
        words.resize(words.len().max(1), 0);
        let words: Vec<String> = words.iter().map(|word| format!("{word:#x}u")).collect();
        self.line(format!("static const unsigned {name}[] = {{{}}};", words.join(", ")));
    }

    /// The node's value.
    pub(super) fn declare(&mut self, ty: &str, value: &str, form: Held) -> Held {
        self.line(format!("const {ty} x{} = {value};", self.i));
        form
    }

    pub(super) fn num(&mut self, value: &str) -> Held {
        self.declare("Num", value, Held::Num)
    }

    pub(super) fn truth(&mut self, value: &str) -> Held {
        self.declare("bool", value, Held::Truth)
    }

    pub(super) fn sum(&mut self, value: &str, lowest: i64, highest: i64) -> Held {
        self.declare("Sum", value, Held::Sum { lowest: lowest.min(0), highest: highest.max(0) })
    }

    /// The name of a value that operations with the same operands share, declared where it is first needed.
    pub(super) fn once(&mut self, ty: &str, name: String, value: String) -> String {
        match self.names.entry(value) {
            Entry::Occupied(known) => known.get().clone(),
            Entry::Vacant(new) => {
                self.out.lines.push(format!("const {ty} {name} = {};", new.key()));
                new.insert(name).clone()
            }
        }
    }

    /// A function's number; instances that have none are marked.
    pub(super) fn num_or_mark(&mut self, function: &str) -> Held {
        let (operands, fails) = (self.operands(), format!("fails{}", self.i));
        self.line(format!("bool {fails};"));
        let form = self.num(&format!("{function}({operands}, {fails}, slot, exchange, at)"));
        self.mark(&fails);
        form
    }

    /// The number of an operand of the node.
    pub(super) fn operand(&mut self, i: usize) -> String {
        self.number(self.node().args[i].index())
    }

    /// All operands, as a function takes them.
    pub(super) fn operands(&mut self) -> String {
        self.node().args.iter().map(|arg| self.number(arg.index())).collect::<Vec<_>>().join(", ")
    }

    pub(super) fn order(&mut self, operands: &str) -> String {
        self.calls(Template::Cmp);
        format!("order<{}>({operands}, exchange, at)", self.signed())
    }

    /// A node's number, resolved where it is first needed.
    pub(super) fn number(&mut self, i: usize) -> String {
        let value = match self.forms[i] {
            Held::Num | Held::Wide => return format!("x{i}"),
            Held::Sum { lowest, .. } => format!("resolve<{lowest}>(x{i}, exchange, at)"),
            Held::Truth => format!("truth(x{i}, at)"),
        };
        if !core::mem::replace(&mut self.resolved[i], true) {
            self.line(format!("const Num r{i} = {value};"));
        }
        format!("r{i}")
    }

    /// The name of a summand, and the lowest and highest count that it owes.
    fn summand(&mut self, i: usize) -> (String, i64, i64) {
        let node = self.node().args[i].index();
        match self.forms[node] {
            Held::Sum { lowest, highest }
                if !self.resolved[node] && highest.max(-lowest) < OWED_LIMIT / 4 =>
            {
                (format!("x{node}"), lowest, highest)
            }
            _ => (self.number(node), 0, 0),
        }
    }

    pub(super) fn addition(&mut self) -> Held {
        let (x, y) = (self.summand(0), self.summand(1));
        self.sum(&format!("add({}, {})", x.0, y.0), x.1 + y.1, x.2 + y.2 + 1)
    }

    /// A difference, or a negation.
    pub(super) fn subtraction(&mut self) -> Held {
        let is_binary = self.node().args.len() == 2;
        let x = if is_binary { self.summand(0) } else { ("Num{}".to_owned(), 0, 0) };
        let y = self.summand(usize::from(is_binary));
        self.sum(&format!("sub({}, {})", x.0, y.0), x.1 - y.2 - 1, x.2 - y.1)
    }

    /// The operation as a function that is signed or not.
    pub(super) fn function(&self) -> String {
        format!("{}<{}>", self.node().op, self.signed())
    }
}

/// For each node, the results of the program that fail with it, as bits; 0 in a program of one result.
fn fails(spec: &KernelSpec) -> Vec<u32> {
    let mut fails = vec![0; spec.dag.nodes().len()];
    for (&root, results) in spec.dag.roots().iter().zip(&spec.fails) {
        let needed = spec.dag.needed_for(root);
        let of_root = fails.iter_mut().zip(needed).filter(|(_, needed)| *needed);
        of_root.for_each(|(fails, _)| *fails |= results);
    }
    fails
}
