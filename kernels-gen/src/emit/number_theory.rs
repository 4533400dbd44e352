//! Greatest common divisors and what goes with them: the operations of number theory.

use limbforge_algos::expr::{DagNode, Op};

use super::{Emitter, Form};

impl Emitter<'_> {
    /// `gcd(a, b)` or `lcm(a, b)`.
    pub(super) fn gcd(&mut self, i: usize, node: &DagNode) -> Form {
        let (x, y) = self.two(node);
        let templates = &mut self.out.templates;
        (templates.div, templates.cmp, templates.gcd) = (true, true, true);
        templates.lcm |= node.op == Op::Lcm;
        let signed = self.spec.ty.is_signed();
        self.num(i, &format!("{}<{signed}>({x}, {y}, slot, exchange, at)", node.op))
    }

    /// Arithmetic in Montgomery's form, which even moduli have none of.
    pub(super) fn mont_form(&mut self, i: usize, node: &DagNode) -> Form {
        let operands: Vec<String> = node.args.iter().map(|&arg| self.number(arg)).collect();
        let templates = &mut self.out.templates;
        (templates.div, templates.cmp) = (true, true);
        (templates.div_wide, templates.residues, templates.mont_form) = (true, true, true);
        self.num_or_mark(i, &node.op.to_string(), &operands.join(", "))
    }

    /// `modinv(a, m)`, `powmod(a, e, m)`, `modinv2k(a)` or `jacobi(a, n)`; some operands have none.
    pub(super) fn modular(&mut self, i: usize, node: &DagNode) -> Form {
        let operands: Vec<String> = node.args.iter().map(|&arg| self.number(arg)).collect();
        let templates = &mut self.out.templates;
        (templates.div, templates.cmp) = (true, true);
        templates.modinv |= node.op == Op::ModInv;
        templates.powmod |= node.op == Op::PowMod;
        templates.modinv2k |= node.op == Op::ModInv2k;
        templates.jacobi |= node.op == Op::Jacobi;
        let (function, signed, operands) = (&node.op, self.spec.ty.is_signed(), operands.join(", "));
        self.num_or_mark(i, &format!("{function}<{signed}>"), &operands)
    }

    /// The number that a function of the templates makes of these operands; instances that have none are marked.
    pub(super) fn num_or_mark(&mut self, i: usize, function: &str, operands: &str) -> Form {
        self.line(format!("bool fails{i};"));
        let form = self.num(i, &format!("{function}({operands}, fails{i}, slot, exchange, at)"));
        self.line(format!("mark(marks, fails{i}, at);"));
        form
    }

    /// `addmod`, `submod` or `mulmod(a, b, m)`.
    pub(super) fn residues(&mut self, i: usize, node: &DagNode) -> Form {
        let operands: Vec<String> = node.args.iter().map(|&arg| self.number(arg)).collect();
        let templates = &mut self.out.templates;
        (templates.div, templates.cmp, templates.residues) = (true, true, true);
        let multiplies = node.op == Op::MulMod;
        templates.mulmod |= multiplies;
        templates.mul_classical |= multiplies;
        templates.mul_wide |= multiplies;
        let (signed, operands) = (self.spec.ty.is_signed(), operands.join(", "));
        self.line(format!("const Residues m{i} = residues<{signed}>({operands}, slot, exchange, at);"));
        self.line(format!("mark(marks, m{i}.by_zero, at);"));
        let slot = if multiplies { "slot, " } else { "" };
        self.num(i, &format!("{}(m{i}, {slot}exchange, at)", node.op))
    }
}
