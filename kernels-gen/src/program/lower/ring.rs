//! Moduli, and what all residues are made with.

use limbforge_algos::op::Why;
use limbforge_algos::program::ModulusId;

use super::{Lowerer, Style};
use crate::program::tape::code::{Class, Extra, Instr, Var, What};

/// A modulus in the current segment.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ring {
    pub(super) modulus: Var,
    one: Var,
    /// R^2 mod n, once something has been converted.
    square: Option<Var>,
}

impl Lowerer<'_> {
    /// An operation modulo n: with several moduli it says which.
    pub(super) fn modular(&self, id: ModulusId, instr: Instr) -> Instr {
        if self.program.moduli().len() == 1 {
            return instr;
        }
        let modulus = self.rings[id.index()].map(|ring| Extra::At(ring.modulus));
        Instr { high: modulus.unwrap_or(instr.high), ..instr }
    }

    pub(super) fn ring(&mut self, id: ModulusId) -> Ring {
        if let Some(ring) = self.rings[id.index()] {
            return ring;
        }
        let raised = self.b.raise(true);
        let modulus = self.as_number(self.program.modulus(id).value);
        let ring = Ring { modulus, one: modulus, square: None };
        self.rings[id.index()] = Some(ring);
        let mut one = self.modular(id, Instr::new(What::One));
        if self.program.moduli().len() == 1 {
            // All residues come from the first one, and so behind the modulus.
            one = one.y(self.b.top_effect(Instr::new(What::Modulus).x(modulus), Class::Scalar));
        }
        let one = self.b.number(one);
        let ring = Ring { one, ..ring };
        self.rings[id.index()] = Some(ring);
        self.b.raise(raised);
        ring
    }

    /// An instance fails where the modulus is 0, negative or even, at its first use.
    pub(super) fn check_modulus(&mut self, id: ModulusId) {
        let modulus = *self.program.modulus(id);
        let raised = self.b.raise(true);
        let n = self.as_number(modulus.value);
        self.b.raise(raised);
        let check = Instr::new(What::CheckModulus).x(n);
        let check = if modulus.ty.is_signed() { check.y(n) } else { check };
        if self.b.is_first(check) {
            let (zero, even) = (
                self.place(modulus.span, &[Why::ZeroModulus]),
                self.place(modulus.span, &[Why::EvenModulus]),
            );
            self.b.effect(check.low(zero).high(even));
        }
    }

    pub(super) fn product(&mut self, id: ModulusId, x: Var, y: Option<Var>) -> Var {
        self.ring(id);
        let mul = Instr { y, ..Instr::new(What::Mul).x(x) };
        let mul = self.modular(id, mul);
        self.b.number(mul)
    }

    pub(super) fn sum(&mut self, id: ModulusId, x: Var, y: Var) -> Var {
        self.ring(id);
        let add = self.modular(id, Instr::new(What::Add).x(x).y(y));
        self.b.number(add)
    }

    pub(super) fn negative(&mut self, id: ModulusId, x: Var) -> Var {
        self.ring(id);
        let neg = self.modular(id, Instr::new(What::Neg).x(x));
        self.b.number(neg)
    }

    /// A number in Montgomery form.
    pub(super) fn converted(&mut self, id: ModulusId, number: Var) -> Var {
        let square = self.square(id);
        self.product(id, number, Some(square))
    }

    /// R^2 mod n: 2^(32 PADDED) in Montgomery form, by squares and doublings of 2.
    pub(super) fn square(&mut self, id: ModulusId) -> Var {
        let ring = self.ring(id);
        if let Some(square) = ring.square {
            return square;
        }
        if self.style == (Style::Straight { is_plain: true }) {
            return ring.one;
        }
        let var = self.fixed_power_of_two(id, 32 * self.padded);
        self.rings[id.index()] = Some(Ring { square: Some(var), ..ring });
        var
    }

    /// 2^exponent mod n, by squares and doublings of 2, before all loops; the exponent is not 0.
    pub(super) fn fixed_power_of_two(&mut self, id: ModulusId, exponent: u32) -> Var {
        let ring = self.ring(id);
        let raised = self.b.raise(true);
        let mut var = self.sum(id, ring.one, ring.one);
        for bit in (0..exponent.ilog2()).rev() {
            var = self.product(id, var, Some(var));
            if exponent >> bit & 1 == 1 {
                var = self.sum(id, var, var);
            }
        }
        self.b.raise(raised);
        var
    }

    /// The number of a residue.
    pub(super) fn plain(&mut self, id: ModulusId, x: Var) -> Var {
        self.product(id, x, None)
    }

    pub(super) fn modulus_number(&mut self, id: ModulusId) -> Var {
        self.ring(id).modulus
    }

    pub(super) fn one(&mut self, id: ModulusId) -> Var {
        self.ring(id).one
    }

    pub(super) fn square_of(&mut self, id: ModulusId, x: Var) -> Var {
        self.product(id, x, Some(x))
    }

    pub(super) fn product_of(&mut self, id: ModulusId, x: Var, y: Var) -> Var {
        self.product(id, x, Some(y))
    }

    pub(super) fn select(&mut self, condition: Var, x: Var, y: Var) -> Var {
        if x == y {
            return x;
        }
        let instr = Instr::new(What::Select).x(x).y(y).third(condition);
        self.b.pure(instr, Class::Number)
    }
}
