//! The statements of a kernel: one or two per node of the expression, in order of computation.
//!
//! A value is a number (`Num`), a sum with deferred carries (`Sum`), a truth value, or a wide product (`Wide`). Additions
//! and products leave sums; a sum is resolved when an operation needs its words: once, however often it is used. A wide
//! product is stored as it is.

mod bits;
mod division;
mod number_theory;
mod roots;
mod sums;
mod transfer;
mod xgcd;

use std::collections::{HashMap, HashSet};

use limbforge_algos::expr::{DagNode, NodeId, Op};
use num_bigint::BigUint;

use crate::invariant::broken_invariant;
use crate::spec::KernelSpec;

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

/// Which templates a kernel includes beside those that every kernel does.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Templates {
    pub(crate) cmp: bool,
    pub(crate) shift: bool,
    pub(crate) mul_classical: bool,
    pub(crate) mul_wide: bool,
    pub(crate) crt: bool,
    pub(crate) mul_high: bool,
    pub(crate) div: bool,
    /// Divisions of numbers of a whole warp multiply by matrices (`templates/div_blocks.cuh`).
    pub(crate) div_blocks: bool,
    pub(crate) bits: bits::BitTemplates,
    pub(crate) gcd: bool,
    pub(crate) lcm: bool,
    pub(crate) roots: roots::RootTemplates,
    pub(crate) powmod: bool,
    pub(crate) modinv: bool,
    pub(crate) modinv2k: bool,
    pub(crate) xgcd: bool,
    pub(crate) jacobi: bool,
    pub(crate) residues: bool,
    pub(crate) mulmod: bool,
    pub(crate) div_wide: bool,
    pub(crate) mont_form: bool,
    /// The result is a wide product of lanes that hold many words (`templates/lanes_wide.cuh`).
    pub(crate) lanes_wide: bool,
}

impl Templates {
    /// Whether it takes so long that registers for the blocks that hide latency matter.
    pub(crate) const fn is_number_theory(&self) -> bool {
        self.gcd
            || self.roots.isqrt
            || self.powmod
            || self.modinv
            || self.modinv2k
            || self.xgcd
            || self.jacobi
            || self.div_wide
            || self.roots.tests_primes()
            || self.roots.root
    }
}

struct Emitter<'s> {
    spec: &'s KernelSpec,
    out: Statements,
    /// How operands are held, by node.
    loaded: HashMap<usize, Form>,
    forms: Vec<Form>,
    /// For a node that is a sum or a truth value: whether its number `r{i}` has been written.
    resolved: Vec<bool>,
    /// The numbers of divisions by their operands: quotient and remainder come together.
    divisions: HashMap<(String, String), usize>,
    /// The numbers of extended greatest common divisors by their operands: both coefficients come together.
    coefficients: HashMap<[NodeId; 2], usize>,
    /// The names of square roots by their operands.
    square_roots: HashMap<String, String>,
    /// Operands whose amounts have been written, by name.
    amounts: HashSet<String>,
}

/// The statements that compute the specification's expression.
pub(crate) fn statements(spec: &KernelSpec) -> Statements {
    let out = Statements::default();
    let (loaded, divisions, coefficients, square_roots, amounts) = <_>::default();
    let (forms, resolved) = <_>::default();
    let mut emitter =
        Emitter { spec, out, loaded, forms, resolved, divisions, coefficients, square_roots, amounts };
    emitter.loads();
    for (i, node) in spec.dag.nodes().iter().enumerate() {
        let form = emitter.node(i, node);
        emitter.forms.push(form);
        emitter.resolved.push(false);
    }
    emitter.store();
    emitter.out
}

impl Emitter<'_> {
    fn line(&mut self, line: String) {
        self.out.lines.push(line);
    }

    fn node(&mut self, i: usize, node: &DagNode) -> Form {
        match &node.op {
            Op::Input(_) => {
                *self.loaded.get(&i).unwrap_or_else(|| broken_invariant("operands are loaded first"))
            }
            Op::Literal(value) => {
                self.constant(&format!("literal{i}"), value);
                self.num(i, &format!("constant(literal{i}, at)"))
            }
            Op::Add | Op::Sub | Op::Neg => self.sum(i, node),
            Op::Mul | Op::Sqr | Op::MulHigh | Op::MulWide | Op::SqrWide => self.product(i, node),
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
            Op::ShlBy
            | Op::ShrBy
            | Op::Rotl(_)
            | Op::Rotr(_)
            | Op::Popcount
            | Op::Clz
            | Op::Ctz
            | Op::Extract { .. }
            | Op::Insert { .. }
            | Op::Mask(_)
            | Op::MaskHigh(_) => self.bit_field(i, node),
            Op::Div | Op::Rem | Op::DivEuclid | Op::RemEuclid | Op::DivExact | Op::Divisible => {
                self.division(i, node)
            }
            Op::Gcd | Op::Lcm => self.gcd(i, node),
            Op::Isqrt | Op::IsqrtRem => self.isqrt(i, node),
            Op::Root => self.root(i, node),
            Op::IsSquare | Op::IsPerfectPower | Op::IsPrime | Op::IsStrongProbablePrime => self.test(i, node),
            Op::ModInv | Op::PowMod | Op::ModInv2k | Op::Jacobi => self.modular(i, node),
            Op::XgcdX | Op::XgcdY => self.xgcd(i, node),
            Op::AddMod | Op::SubMod | Op::MulMod => self.residues(i, node),
            Op::DivWide | Op::RemWide => self.wide_division(i, node),
            Op::ToMont | Op::FromMont | Op::MontMul | Op::MontReduce => self.mont_form(i, node),
        }
    }

    /// The words of a constant, under this name.
    fn constant(&mut self, name: &str, value: &BigUint) {
        let mut words = value.to_u32_digits();
        words.resize(words.len().max(1), 0);
        let words: Vec<String> = words.iter().map(|word| format!("{word:#x}u")).collect();
        self.line(format!("static const unsigned {name}[] = {{{}}};", words.join(", ")));
    }

    fn num(&mut self, i: usize, value: &str) -> Form {
        self.line(format!("const Num x{i} = {value};"));
        Form::Num
    }

    fn two(&mut self, node: &DagNode) -> (String, String) {
        (self.number(node.args[0]), self.number(node.args[1]))
    }

    fn product(&mut self, i: usize, node: &DagNode) -> Form {
        let x = self.number(node.args[0]);
        let y = node.args.get(1).map_or_else(|| x.clone(), |&y| self.number(y));
        let signed = self.spec.ty.is_signed();
        let templates = &mut self.out.templates;
        templates.mul_classical = true;
        templates.mul_high |= node.op == Op::MulHigh;
        templates.mul_wide |= templates.mul_high || node.op.is_wide();
        let (kind, call, form) = match node.op {
            Op::MulHigh => ("Sum", format!("mul_high<{signed}>"), Form::Sum { lowest: -2, highest: 2 }),
            Op::MulWide | Op::SqrWide => ("Wide", format!("mul_wide<{signed}>"), Form::Wide),
            _ => {
                self.line(format!("const Sum x{i} = mul_low({x}, {y}, slot, at);"));
                return Form::Sum { lowest: 0, highest: 1 };
            }
        };
        self.line(format!("const {kind} x{i} = {call}({x}, {y}, slot, exchange, at);"));
        form
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
