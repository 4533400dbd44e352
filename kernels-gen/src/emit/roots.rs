//! Roots, tests for powers and tests of primality.

use limbforge_algos::expr::{DagNode, Op};

use super::{Emitter, Form};

/// Their templates.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct RootTemplates {
    pub(crate) isqrt: bool,
    isqrt_rem: bool,
    is_square: bool,
    strong: bool,
    pub(crate) is_prime: bool,
    pub(crate) root: bool,
    pub(crate) is_perfect_power: bool,
}

impl RootTemplates {
    /// The texts, in the order of their dependence. They need those of divisions, products, and powers if any is asked for.
    pub(crate) fn texts(self) -> impl Iterator<Item = &'static str> {
        [
            (self.isqrt, include_str!("../../templates/isqrt.cuh")),
            (self.isqrt_rem || self.is_square, include_str!("../../templates/isqrt_rem.cuh")),
            (self.is_square, include_str!("../../templates/is_square.cuh")),
            (self.strong, include_str!("../../templates/primality_strong.cuh")),
            (self.is_prime || self.is_perfect_power, include_str!("../../templates/word_residue.cuh")),
            (self.is_prime, include_str!("../../templates/primality_small.cuh")),
            (self.is_prime, include_str!("../../templates/primality_lucas.cuh")),
            (self.is_prime, include_str!("../../templates/primality.cuh")),
            (self.root, include_str!("../../templates/root_start.cuh")),
            (self.root, include_str!("../../templates/root.cuh")),
            (self.is_perfect_power, include_str!("../../templates/perfect_power.cuh")),
        ]
        .into_iter()
        .filter_map(|(needed, text)| needed.then_some(text))
    }

    /// Whether residues in Montgomery's form are multiplied.
    pub(crate) const fn tests_primes(self) -> bool {
        self.strong || self.is_prime
    }
}

impl Emitter<'_> {
    /// `isqrt(a)` or `isqrt_rem(a)`, which share the root; negative numbers have none.
    pub(super) fn isqrt(&mut self, i: usize, node: &DagNode) -> Form {
        let x = self.number(node.args[0]);
        let templates = &mut self.out.templates;
        (templates.div, templates.cmp, templates.roots.isqrt) = (true, true, true);
        let signed = self.spec.ty.is_signed();
        let root = match self.square_roots.get(&x) {
            Some(root) => root.clone(),
            None => {
                let root = if node.op == Op::Isqrt { format!("x{i}") } else { format!("root{i}") };
                self.line(format!("bool fails{i};"));
                self.line(format!("const Num {root} = isqrt<{signed}>({x}, fails{i}, slot, at);"));
                if signed {
                    self.line(format!("mark(marks, fails{i}, at);"));
                }
                self.square_roots.insert(x.clone(), root.clone());
                root
            }
        };
        if node.op == Op::IsqrtRem {
            self.out.templates.mul_classical = true;
            self.out.templates.roots.isqrt_rem = true;
            return self.num(i, &format!("isqrt_rem({x}, {root}, slot, exchange, at)"));
        }
        if root == format!("x{i}") { Form::Num } else { self.num(i, &root) }
    }

    /// `root(a, k)`; some operands have none.
    pub(super) fn root(&mut self, i: usize, node: &DagNode) -> Form {
        let (x, k) = self.two(node);
        self.need_roots();
        let signed = self.spec.ty.is_signed();
        self.num_or_mark(i, &format!("root<{signed}>"), &format!("{x}, {k}"))
    }

    fn need_roots(&mut self) {
        let templates = &mut self.out.templates;
        (templates.div, templates.cmp, templates.roots.root) = (true, true, true);
        (templates.mul_classical, templates.mul_wide) = (true, true);
    }

    /// A truth value: `is_square(a)`, `is_perfect_power(a)`, `is_prime(a)` or `is_strong_probable_prime(a, b)`.
    pub(super) fn test(&mut self, i: usize, node: &DagNode) -> Form {
        let operands: Vec<String> = node.args.iter().map(|&arg| self.number(arg)).collect();
        let templates = &mut self.out.templates;
        (templates.div, templates.cmp) = (true, true);
        match node.op {
            Op::IsPerfectPower => {
                templates.roots.is_perfect_power = true;
                self.need_roots();
            }
            Op::IsStrongProbablePrime => {
                (templates.roots.strong, templates.powmod, templates.bits.mask) = (true, true, true);
            }
            Op::IsPrime => (templates.roots.is_prime, templates.bits.mask) = (true, true),
            _ => {
                (templates.roots.isqrt, templates.roots.is_square) = (true, true);
                templates.mul_classical = true;
            }
        }
        let (function, signed, operands) = (&node.op, self.spec.ty.is_signed(), operands.join(", "));
        self.line(format!("const bool x{i} = {function}<{signed}>({operands}, slot, exchange, at);"));
        Form::Truth
    }
}
