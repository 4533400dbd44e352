//! Modular arithmetic of one instance: sums, differences and products modulo any number, inverses modulo powers of two,
//! coefficients of greatest common divisors, Jacobi symbols.

use limbforge_limb::slice::{bits, sub, words};
use limbforge_limb::{Base, IntType};

use super::Why;
use super::division::{absolute, with_sign};
use super::kernels::sized;
use crate::expr::Op;
use crate::integer::div::{self, Words, div_rem};
use crate::integer::gcd::trim;
use crate::integer::modulus::{self, Barrett, residues};
use crate::integer::{jacobi, modinv2k, xgcd};
use crate::invariant::broken_invariant;

/// A thread's memory for these.
#[derive(Clone, Debug, Default)]
pub(super) struct Modular<B> {
    modulus: Repeated,
    jacobi: jacobi::Scratch,
    xgcd: xgcd::Scratch,
    products: Words,
    absolute: [Vec<B>; 3],
    coefficients: [Vec<B>; 3],
}

impl<B: Base> Modular<B> {
    /// `out = op of the operands`, residues modulo `2^bits` of M limbs each; bits above are then to be cut off.
    pub(super) fn apply(
        &mut self,
        op: &Op,
        ty: IntType,
        out: &mut [B],
        operands: &[&[B]],
    ) -> Result<(), Why> {
        let Self { modulus, jacobi, xgcd, products, absolute: rooms, coefficients } = self;
        let mut magnitudes: [(&[B], bool); 3] = [(&[], false); 3];
        for ((magnitude, room), operand) in magnitudes.iter_mut().zip(rooms).zip(operands) {
            *magnitude = absolute(sized(room, out.len()), operand, ty);
        }
        let [(a, a_negative), (b, b_negative), (c, _)] = magnitudes;
        match op {
            Op::ModInv2k => {
                modinv2k::modinv2k(out, operands[0], products).map_err(|_| Why::EvenNumber)?;
            }
            Op::XgcdX | Op::XgcdY => {
                let [divisor, x, y] = coefficients.each_mut().map(|room| sized(room, out.len()));
                let signs = xgcd::xgcd(divisor, x, y, a, b, xgcd);
                match op {
                    Op::XgcdX => with_sign(out, x, signs.x != a_negative),
                    _ => with_sign(out, y, signs.y != b_negative),
                }
            }
            Op::Jacobi => {
                let symbol = jacobi::jacobi(a, b, jacobi).map_err(|_| Why::EvenModulus)?;
                // (-1 / n) = -1 for n = 3 mod 4.
                let flips = a_negative && bits::bit(b, 0) && bits::bit(b, 1);
                out.fill(B::ZERO);
                out[0] = if symbol == 0 { B::ZERO } else { B::ONE };
                if (symbol < 0) != flips {
                    sub::neg_assign(out);
                }
            }
            _ => modulus.apply(op, out, (a, a_negative), (b, b_negative), c)?,
        }
        Ok(())
    }
}

/// A modulus that is prepared when it comes twice in a row: one for a whole batch.
#[derive(Clone, Debug, Default)]
struct Repeated {
    words: Vec<u64>,
    prepared: Option<Barrett<u64>>,
    residues: modulus::Scratch,
    division: div::Scratch,
}

impl Repeated {
    /// The sum, difference or product of two numbers with signs, modulo m.
    fn apply<B: Base>(
        &mut self,
        op: &Op,
        out: &mut [B],
        (a, a_negative): (&[B], bool),
        (b, b_negative): (&[B], bool),
        m: &[B],
    ) -> Result<(), Why> {
        let [a, b, m] = [a, b, m].map(|limbs| {
            let mut packed = vec![0; words::words_for::<B>(limbs.len())];
            words::pack(&mut packed, limbs);
            trim(&mut packed);
            packed
        });
        if m.is_empty() {
            return Err(Why::ZeroModulus);
        }
        if self.words == m {
            if self.prepared.is_none() {
                self.prepared = Barrett::new(&m).ok();
            }
        } else {
            self.words.clone_from(&m);
            self.prepared = None;
        }
        let (a, b) = (self.residue(&a), self.residue(&b));
        let mut result = vec![0; m.len()];
        match op {
            Op::MulMod => {
                let product = self.residues.product(&a, &b);
                result = self.residue(&product);
                negate_if(a_negative != b_negative, &mut result, &m);
            }
            _ => {
                let [mut a, mut b] = [a, b];
                negate_if(a_negative, &mut a, &m);
                negate_if(b_negative, &mut b, &m);
                match op {
                    Op::AddMod => residues::sum(&mut result, &a, &b, &m),
                    _ => residues::difference(&mut result, &a, &b, &m),
                }
            }
        }
        result.resize(words::words_for::<B>(out.len()), 0);
        words::unpack(out, &result);
        Ok(())
    }

    /// x mod m, in the words of the modulus.
    fn residue(&mut self, x: &[u64]) -> Vec<u64> {
        if let Some(prepared) = &self.prepared {
            return prepared.residue(x, &mut self.residues);
        }
        let x = bits::significant(x);
        let mut rest = vec![0; self.words.len()];
        if x.len() < rest.len() {
            rest[..x.len()].copy_from_slice(x);
        } else {
            div_rem(&mut vec![0; x.len()], &mut rest, x, &self.words, &mut self.division)
                .unwrap_or_else(|_| broken_invariant("the modulus is not zero"));
        }
        rest
    }
}

/// `residue = -residue mod m` if so.
fn negate_if(negative: bool, residue: &mut [u64], modulus: &[u64]) {
    if negative && residue.iter().any(|&word| word != 0) {
        sub::sub_from(residue, modulus);
    }
}
