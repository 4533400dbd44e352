//! Residues in Montgomery form.

use limbforge_algos::op::Op;
use limbforge_algos::program::{Element, ModulusId, Node, ResidueOp, ValueId};
use num_bigint::{BigInt, Sign};

use super::values::Held;
use super::{Lowerer, Style};
use crate::invariant::broken_invariant;
use crate::program::tape::code::{Instr, Var, What};
use crate::spec::SpecError;

impl Lowerer<'_> {
    pub(super) fn residue(&mut self, node: &Node, op: ResidueOp) -> Result<(), SpecError> {
        let (result, args) = (node.results[0], &node.args);
        let id = self.modulus_of(node);
        if op == ResidueOp::Of {
            self.check_modulus(id);
        }
        let var = match op {
            ResidueOp::Of => return self.of(result, args[0], id),
            ResidueOp::Int => {
                let x = self.var(args[0]);
                let var = self.product(id, x, None);
                self.set_plain(result, var);
                return Ok(());
            }
            ResidueOp::Key => {
                let x = self.var(args[0]);
                let ty = self.program.modulus(id).ty;
                let var = self.with_power(id, x, 32 * ty.bits().div_ceil(32));
                let var = self.wrapped(var, ty);
                self.set_plain(result, var);
                return Ok(());
            }
            ResidueOp::Add => self.two(id, What::Add, args),
            ResidueOp::Sub => self.two(id, What::Sub, args),
            ResidueOp::Neg => {
                let x = self.var(args[0]);
                self.negative(id, x)
            }
            ResidueOp::Mul => self.residue_product(id, args[0], args[1]),
            ResidueOp::Sqr => {
                let x = self.var(args[0]);
                self.product(id, x, Some(x))
            }
            ResidueOp::DivPower2(bits) => {
                if bits == 32
                    && let Some(word) = self.word_of(args[0])
                {
                    self.words.insert(result, word);
                }
                let x = self.var(args[0]);
                self.halved(id, x, bits)
            }
            ResidueOp::Inverse => self.inverse(id, args[0], node),
            ResidueOp::Power => self.power(id, args[0], args[1], node)?,
            ResidueOp::Eq => {
                let (x, y) = (self.var(args[0]), self.var(args[1]));
                self.integer_case(&Op::Eq, false, &[x, y], None)
            }
            ResidueOp::Jacobi => self.jacobi(id, args[0]),
        };
        self.set(result, Held::Var(var));
        Ok(())
    }

    pub(super) fn modulus_of(&self, node: &Node) -> ModulusId {
        let values = node.results.iter().chain(&node.args);
        let mut moduli = values.rev().filter_map(|&value| match self.element(value) {
            Element::Residue(id) => Some(id),
            _ => None,
        });
        moduli.next().unwrap_or_else(|| broken_invariant("a residue has a modulus"))
    }

    fn two(&mut self, id: ModulusId, what: What, args: &[ValueId]) -> Var {
        self.ring(id);
        let (x, y) = (self.var(args[0]), self.var(args[1]));
        let instr = self.modular(id, Instr::new(what).x(x).y(y));
        self.b.number(instr)
    }

    /// A product, by sums for a small constant and in one step for a word over 2^32.
    fn residue_product(&mut self, id: ModulusId, a: ValueId, b: ValueId) -> Var {
        for (x, y) in [(a, b), (b, a)] {
            if let Some(constant) = self.small.get(&y).cloned() {
                let x = self.var(x);
                return self.multiple(id, x, &constant);
            }
            if let Some(word) = self.words.get(&y).cloned() {
                let x = self.var(x);
                return self.times_word(id, x, &word);
            }
        }
        let (x, y) = (self.var(a), self.var(b));
        self.product(id, x, Some(y))
    }

    /// c x by sums.
    pub(super) fn multiple(&mut self, id: ModulusId, x: Var, constant: &BigInt) -> Var {
        let (sign, magnitude) = (constant.sign(), constant.magnitude());
        let mut var = x;
        for bit in (0..magnitude.bits().saturating_sub(1)).rev() {
            var = self.sum(id, var, var);
            if magnitude.bit(bit) {
                var = self.sum(id, var, x);
            }
        }
        match sign {
            Sign::Minus => self.negative(id, var),
            Sign::Plus => var,
            Sign::NoSign => {
                let instr = self.modular(id, Instr::new(What::Sub).x(x).y(x));
                self.b.number(instr)
            }
        }
    }

    /// x word / 2^32.
    pub(super) fn times_word(&mut self, id: ModulusId, x: Var, word: &Held) -> Var {
        self.ring(id);
        let instr = Instr::new(What::Word).x(x);
        let instr = match word {
            Held::Constant(word) => instr.low(super::values::low64(word) as u32),
            held => {
                let word = self.var_of(held, Element::Bool);
                instr.y(word)
            }
        };
        let instr = self.modular(id, instr);
        self.b.number(instr)
    }

    /// x / 2^bits, a word of the divisor at a time: x 2^(32 - b) / 2^32 = x / 2^b.
    pub(super) fn halved(&mut self, id: ModulusId, x: Var, bits: u32) -> Var {
        let mut var = x;
        let mut left = bits;
        while left > 0 {
            let step = left.min(32);
            var = self.times_word(id, var, &Held::Constant(BigInt::from(1_u64 << (32 - step))));
            left -= step;
        }
        var
    }

    /// The number of a 2^bits for a residue x of a.
    fn with_power(&mut self, id: ModulusId, x: Var, bits: u32) -> Var {
        if self.style == (Style::Straight { is_plain: true }) {
            let power = self.fixed_power_of_two(id, bits);
            return self.product(id, x, Some(power));
        }
        // Montgomery's form has all padded words.
        self.halved(id, x, 32 * self.padded - bits)
    }

    fn inverse(&mut self, id: ModulusId, x: ValueId, node: &Node) -> Var {
        let x = self.var(x);
        self.inverse_of(id, x, node)
    }

    fn jacobi(&mut self, id: ModulusId, x: ValueId) -> Var {
        let x = self.var(x);
        let x = self.product(id, x, None);
        let modulus = self.ring(id).modulus;
        let symbol = self.integer_case(&Op::Jacobi, false, &[x, modulus], None);
        self.uses.insert(What::ScalarLow);
        self.b.scalar(Instr::new(What::ScalarLow).x(symbol), 64, true)
    }
}
