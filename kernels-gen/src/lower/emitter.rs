//! The statements of a kernel as they are written.
//!
//! A value is a number (`Num`), a sum with deferred carries (`Sum`), a truth value, or a wide product (`Wide`). Additions
//! and products leave sums; a sum is resolved when an operation needs its words: once, however often it is used. A wide
//! product is stored as it is.

use std::collections::{HashMap, HashSet};

use limbforge_algos::expr::{DagNode, NodeId};
use num_bigint::BigUint;

use crate::invariant::broken_invariant;
use crate::spec::KernelSpec;
use crate::template::{Template, Templates};

/// How a node's value is held.
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

/// The kernel's statements, and what they need.
#[derive(Debug, Default)]
pub(crate) struct Statements {
    pub(crate) lines: Vec<String>,
    /// Templates of the operations that are called.
    pub(crate) templates: Templates,
    /// Types with the constants of the operands.
    pub(crate) types: Vec<String>,
}

/// Writes statements, and knows what they have computed.
pub(crate) struct Emitter<'s> {
    pub(super) spec: &'s KernelSpec,
    pub(super) out: Statements,
    /// How operands are held, by node.
    pub(super) operands: HashMap<usize, Held>,
    forms: Vec<Held>,
    /// For a node that is a sum or a truth value: whether its number `r{i}` has been written.
    pub(super) resolved: Vec<bool>,
    pub(super) shared: Shared,
}

/// What operations with the same operands share.
#[derive(Default)]
pub(super) struct Shared {
    /// The numbers of divisions by their operands: quotient and remainder come together.
    pub(super) divisions: HashMap<(String, String), usize>,
    /// The numbers of extended greatest common divisors by their operands: both coefficients come together.
    pub(super) coefficients: HashMap<[NodeId; 2], usize>,
    /// The names of square roots by their operands.
    pub(super) square_roots: HashMap<String, String>,
    /// Operands whose amounts have been written, by name.
    pub(super) amounts: HashSet<String>,
}

impl<'s> Emitter<'s> {
    pub(super) fn new(spec: &'s KernelSpec) -> Self {
        let (out, operands, forms, resolved, shared) = <_>::default();
        Self { spec, out, operands, forms, resolved, shared }
    }

    pub(super) fn line(&mut self, line: String) {
        self.out.lines.push(line);
    }

    /// Statements call a template.
    pub(super) const fn calls(&mut self, template: Template) {
        self.out.templates.include(template);
    }

    /// The next node's value is held so.
    pub(super) fn hold(&mut self, form: Held) {
        self.forms.push(form);
        self.resolved.push(false);
    }

    pub(super) fn form(&self, node: NodeId) -> Held {
        self.form_at(node.index())
    }

    pub(super) fn form_at(&self, i: usize) -> Held {
        self.forms[i]
    }

    /// An operand, which is loaded before anything is computed.
    pub(super) fn loaded(&self, i: usize) -> Held {
        *self.operands.get(&i).unwrap_or_else(|| broken_invariant("operands are loaded first"))
    }

    pub(super) const fn signed(&self) -> bool {
        self.spec.ty.is_signed()
    }

    /// The words of a constant, under this name.
    pub(super) fn constant(&mut self, name: &str, value: &BigUint) {
        let mut words = value.to_u32_digits();
        words.resize(words.len().max(1), 0);
        let words: Vec<String> = words.iter().map(|word| format!("{word:#x}u")).collect();
        self.line(format!("static const unsigned {name}[] = {{{}}};", words.join(", ")));
    }

    pub(super) fn num(&mut self, i: usize, value: &str) -> Held {
        self.line(format!("const Num x{i} = {value};"));
        Held::Num
    }

    pub(super) fn truth(&mut self, i: usize, value: &str) -> Held {
        self.line(format!("const bool x{i} = {value};"));
        Held::Truth
    }

    /// Instances for which this holds have no result.
    pub(super) fn mark(&mut self, fails: &str) {
        self.line(format!("mark(marks, {fails}, at);"));
    }

    /// The number that a function of the templates makes of these operands; instances that have none are marked.
    pub(super) fn num_or_mark(&mut self, i: usize, function: &str, operands: &str) -> Held {
        self.line(format!("bool fails{i};"));
        let form = self.num(i, &format!("{function}({operands}, fails{i}, slot, exchange, at)"));
        self.mark(&format!("fails{i}"));
        form
    }

    pub(super) fn two(&mut self, node: &DagNode) -> (String, String) {
        (self.number(node.args[0]), self.number(node.args[1]))
    }

    /// All operands, as a function takes them.
    pub(super) fn all(&mut self, node: &DagNode) -> String {
        node.args.iter().map(|&arg| self.number(arg)).collect::<Vec<_>>().join(", ")
    }

    pub(super) fn order(&mut self, x: &str, y: &str) -> String {
        self.calls(Template::Cmp);
        format!("order<{}>({x}, {y}, exchange, at)", self.signed())
    }
}

/// A function some of whose operands have no result.
pub(super) fn partial_function(e: &mut Emitter<'_>, i: usize, node: &DagNode) -> Held {
    let (operands, signed) = (e.all(node), e.signed());
    e.num_or_mark(i, &format!("{}<{signed}>", node.op), &operands)
}

/// A function that is a truth value.
pub(super) fn test(e: &mut Emitter<'_>, i: usize, node: &DagNode) -> Held {
    let (operands, signed) = (e.all(node), e.signed());
    e.truth(i, &format!("{}<{signed}>({operands}, slot, exchange, at)", node.op))
}
