//! The statements of a kernel: one or two per node of the expression, in order of computation.
//!
//! A value is a number (`Num`), a sum with deferred carries (`Sum`), or a truth value. Additions and products leave sums;
//! a sum is resolved when an operation needs its words: once, however often it is used. The bounds on what a run owes
//! are tracked here and are what `resolve` relies on (`docs/add.md`).

use limbforge_algos::expr::{DagNode, NodeId, Op};
use limbforge_limb::Layout;

use crate::spec::KernelSpec;

/// What a run may owe at most, either way: a count must fit one word, and a bias on top of it.
const OWED_LIMIT: i64 = 1 << 30;

/// How a node's value is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Num,
    /// With the lowest (at most 0) and the highest count that a run may owe.
    Sum {
        lowest: i64,
        highest: i64,
    },
    Truth,
}

/// The kernel's statements, and what they need.
#[derive(Debug, Default)]
pub(crate) struct Statements {
    pub(crate) lines: Vec<String>,
    /// Templates of the operations that are called.
    pub(crate) templates: Templates,
}

/// Which templates a kernel includes beside those that every kernel does.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Templates {
    pub(crate) cmp: bool,
    pub(crate) shift: bool,
    pub(crate) mul_classical: bool,
    pub(crate) mul_high: bool,
}

struct Emitter<'s> {
    spec: &'s KernelSpec,
    out: Statements,
    forms: Vec<Form>,
    /// For a node that is a sum or a truth value: whether its number `r{i}` has been written.
    resolved: Vec<bool>,
}

/// The statements that compute the specification's expression.
pub(crate) fn statements(spec: &KernelSpec) -> Statements {
    let mut emitter = Emitter { spec, out: Statements::default(), forms: vec![], resolved: vec![] };
    emitter.loads();
    for (i, node) in spec.dag.nodes().iter().enumerate() {
        let form = emitter.node(i, node);
        emitter.forms.push(form);
        emitter.resolved.push(false);
    }
    let result = emitter.number_at(spec.dag.nodes().len() - 1);
    emitter.line(match (spec.output, spec.moves_vectors()) {
        (Layout::Interleaved, _) => format!("store_interleaved(out, {result}, at, instances);"),
        (Layout::InstanceMajor, true) => format!("store_vectors(out, {result}, at);"),
        (Layout::InstanceMajor, false) => {
            format!("store_staged(out, {result}, shared, at, Stretch(instances));")
        }
    });
    emitter.out
}

impl Emitter<'_> {
    fn line(&mut self, line: String) {
        self.out.lines.push(line);
    }

    fn node(&mut self, i: usize, node: &DagNode) -> Form {
        match &node.op {
            Op::Input(_) => Form::Num,
            Op::Literal(value) => {
                let mut words = value.to_u32_digits();
                words.resize(words.len().max(1), 0);
                let words: Vec<String> = words.iter().map(|word| format!("{word:#x}u")).collect();
                self.line(format!("static const unsigned literal{i}[] = {{{}}};", words.join(", ")));
                self.num(i, &format!("constant(literal{i}, at)"))
            }
            Op::Add | Op::Sub | Op::Neg => self.sum(i, node),
            Op::Mul | Op::Sqr | Op::MulHigh => self.product(i, node),
            Op::And | Op::Or | Op::Xor => {
                let (x, y) = self.two(node);
                self.num(i, &format!("bit_{}({x}, {y})", node.op))
            }
            Op::Not => {
                let x = self.number(node.args[0]);
                self.num(i, &format!("bit_not({x}, at)"))
            }
            Op::Shl(bits) => {
                let x = self.number(node.args[0]);
                self.shift(i, "shift_left", &format!("<{}u>", bits.min(&self.spec.ty.bits())), &x)
            }
            Op::Shr(bits) => {
                let (x, ty) = (self.number(node.args[0]), self.spec.ty);
                self.shift(i, "shift_right", &format!("<{}u, {}>", bits.min(&ty.bits()), ty.is_signed()), &x)
            }
            Op::Min | Op::Max => {
                let (x, y) = self.two(node);
                let order = self.order(&x, &y);
                let less = if node.op == Op::Min { "<" } else { ">" };
                self.num(i, &format!("select({order} {less} 0, {x}, {y})"))
            }
            Op::Eq => self.truth(i, node, "== 0"),
            Op::Ne => self.truth(i, node, "!= 0"),
            Op::Lt => self.truth(i, node, "< 0"),
            Op::Le => self.truth(i, node, "<= 0"),
            Op::Select => self.select(i, node),
        }
    }

    fn num(&mut self, i: usize, value: &str) -> Form {
        self.line(format!("const Num x{i} = {value};"));
        Form::Num
    }

    /// All loads come first, so that they are under way together.
    fn loads(&mut self) {
        let spec = self.spec;
        let name = |op: &Op| if let Op::Input(name) = op { Some(name.clone()) } else { None };
        let nodes = spec.dag.nodes().iter().enumerate();
        let operands: Vec<(usize, usize)> = nodes
            .filter_map(|(i, node)| Some((i, name(&node.op)?)))
            .filter_map(|(i, name)| Some((i, spec.inputs.iter().position(|input| *input.name == *name)?)))
            .collect();
        for (i, input) in operands {
            let value = match (spec.inputs[input].broadcast, spec.inputs[input].layout) {
                (true, _) => format!("load_broadcast(in{input}, at)"),
                (_, Layout::Interleaved) => format!("load_interleaved(in{input}, at, instances)"),
                _ if spec.moves_vectors() => format!("load_vectors(in{input}, at)"),
                _ => format!("load_words(in{input}, at)"),
            };
            self.num(i, &value);
        }
    }

    /// The node's number, resolved where it is first needed.
    fn number(&mut self, node: NodeId) -> String {
        self.number_at(node.index())
    }

    fn number_at(&mut self, i: usize) -> String {
        let value = match self.forms[i] {
            Form::Num => return format!("x{i}"),
            Form::Sum { lowest, .. } => format!("resolve<{lowest}>(x{i}, exchange, at)"),
            Form::Truth => format!("truth(x{i}, at)"),
        };
        if !self.resolved[i] {
            self.resolved[i] = true;
            self.line(format!("const Num r{i} = {value};"));
        }
        format!("r{i}")
    }

    fn two(&mut self, node: &DagNode) -> (String, String) {
        (self.number(node.args[0]), self.number(node.args[1]))
    }

    /// An operand of an addition and the bounds on what it owes.
    fn addend(&mut self, node: NodeId) -> (String, i64, i64) {
        let i = node.index();
        match self.forms[i] {
            Form::Sum { lowest, highest } if !self.resolved[i] && highest.max(-lowest) < OWED_LIMIT / 4 => {
                (format!("x{i}"), lowest, highest)
            }
            _ => (self.number(node), 0, 0),
        }
    }

    fn sum(&mut self, i: usize, node: &DagNode) -> Form {
        let (call, lowest, highest) = match (&node.op, &*node.args) {
            (Op::Neg, [x]) => {
                let (x, low, high) = self.addend(*x);
                (format!("sub(Num{{}}, {x})"), -high - 1, -low)
            }
            (op, [x, y, ..]) => {
                let ((x, x_low, x_high), (y, y_low, y_high)) = (self.addend(*x), self.addend(*y));
                if *op == Op::Add {
                    (format!("add({x}, {y})"), x_low + y_low, x_high + y_high + 1)
                } else {
                    (format!("sub({x}, {y})"), x_low - y_high - 1, x_high - y_low)
                }
            }
            _ => return Form::Num,
        };
        self.line(format!("const Sum x{i} = {call};"));
        Form::Sum { lowest: lowest.min(0), highest: highest.max(0) }
    }

    fn product(&mut self, i: usize, node: &DagNode) -> Form {
        self.out.templates.mul_classical = true;
        let x = self.number(node.args[0]);
        let y = if node.op == Op::Sqr { x.clone() } else { self.number(node.args[1]) };
        let (call, lowest, highest) = match node.op {
            Op::MulHigh => {
                self.out.templates.mul_high = true;
                let signed = self.spec.ty.is_signed();
                (format!("mul_high<{signed}>({x}, {y}, slot, exchange, at)"), -2, 1)
            }
            _ => (format!("mul_low({x}, {y}, slot, at)"), 0, 1),
        };
        self.line(format!("const Sum x{i} = {call};"));
        Form::Sum { lowest, highest }
    }

    fn shift(&mut self, i: usize, function: &str, parameters: &str, x: &str) -> Form {
        self.out.templates.shift = true;
        self.num(i, &format!("{function}{parameters}({x}, slot, at)"))
    }

    fn order(&mut self, x: &str, y: &str) -> String {
        self.out.templates.cmp = true;
        format!("order<{}>({x}, {y}, exchange, at)", self.spec.ty.is_signed())
    }

    fn truth(&mut self, i: usize, node: &DagNode, is: &str) -> Form {
        let (x, y) = self.two(node);
        let order = self.order(&x, &y);
        self.line(format!("const bool x{i} = {order} {is};"));
        Form::Truth
    }

    fn select(&mut self, i: usize, node: &DagNode) -> Form {
        let condition = node.args[0];
        let chosen = if self.forms[condition.index()] == Form::Truth {
            format!("x{}", condition.index())
        } else {
            let x = self.number(condition);
            format!("{} != 0", self.order(&x, "Num{}"))
        };
        let (x, y) = (self.number(node.args[1]), self.number(node.args[2]));
        self.num(i, &format!("select({chosen}, {x}, {y})"))
    }
}
