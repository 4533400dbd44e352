//! A tree of operations, drawn choice by choice.

use limbforge_limb::IntType;
use num_bigint::{BigInt, BigUint};
use num_traits::{Euclid, One};

use super::{Expr, VARIABLES};
use crate::op::{Domain, Flag, Op, Operation};

/// Words of 32 bits of the longest literal without structure.
const LONGEST: u32 = 64;

/// The operations below the result of random expressions: all but wide products, each once. Numbers of bits
/// are operands, which an expression folds into the operation where they are constants.
pub fn operations() -> impl Iterator<Item = Op> {
    Op::all().filter(|op| !op.is_wide())
}

/// A tree that is being drawn.
pub(super) struct Tree<'c> {
    pub(super) ty: IntType,
    /// Operations that may still be drawn, and slow ones among them.
    pub(super) left: u32,
    pub(super) slow: u32,
    pub(super) choose: &'c mut dyn FnMut(u32) -> u32,
    /// The values of the operations so far, which may be used again.
    pub(super) values: Vec<Expr>,
}

impl Tree<'_> {
    /// A number below n. A source that gives more is reduced.
    pub(super) fn below(&mut self, n: u32) -> u32 {
        (self.choose)(n) % n
    }

    /// A random element.
    fn one_of<T: Clone>(&mut self, some: &[T]) -> T {
        let index = self.below(some.len() as u32);
        some[index as usize].clone()
    }

    /// A value of up to so many levels of operations.
    pub(super) fn value(&mut self, depth: u32) -> Expr {
        if depth == 0 || self.left == 0 {
            return self.leaf();
        }
        match self.below(8) {
            0 => self.leaf(),
            1 if !self.values.is_empty() => {
                let index = self.below(self.values.len() as u32);
                self.values[index as usize].clone()
            }
            _ => {
                let value = self.operation(depth - 1);
                self.values.push(value.clone());
                value
            }
        }
    }

    fn leaf(&mut self) -> Expr {
        if self.below(5) == 4 { self.literal() } else { Expr::input(self.one_of(&VARIABLES)) }
    }

    /// A wide product, the last operation of a tree.
    pub(super) fn wide(&mut self, depth: u32) -> Expr {
        let depth = depth.saturating_sub(1);
        self.left = self.left.saturating_sub(1);
        let x = self.value(depth);
        match self.below(4) {
            0 => x.sqr_wide(),
            1 => x.mul_wide(&x),
            _ => x.mul_wide(&self.value(depth)),
        }
    }

    /// An operation on operands of up to so many levels.
    fn operation(&mut self, depth: u32) -> Expr {
        let is_slow = |row: &Operation| row.has(Flag::Slow);
        let rows = operations().filter_map(|op| op.row());
        let all: Vec<&Operation> = rows.filter(|row| self.slow > 0 || !is_slow(row)).collect();
        let row = self.one_of(&all);
        self.left -= 1;
        self.slow -= u32::from(is_slow(row));
        let mut operands: Vec<Expr> = (0..row.values()).map(|_| self.value(depth)).collect();
        if self.below(8) != 0 {
            self.adjust(row, &mut operands);
        }
        operands.extend((row.values()..row.operands.len()).map(|_| self.amount(depth)));
        Expr::of_row(row, operands)
    }

    /// Changes operands so that most instances have a result: the last one first, as others depend on it.
    fn adjust(&self, row: &Operation, operands: &mut [Expr]) {
        let ones = |bits| self.constant(&((BigInt::one() << bits) - 1));
        let odd = |x: &Expr| x | &ones(1);
        let sign = self.ty.bits() - 1;
        // The highest number of i1 is 0, its only one that is not negative.
        let not_negative = |x: &Expr| if self.ty.is_signed() { x & &ones(sign) } else { x.clone() };
        for (k, domain) in row.domains.iter().enumerate().take(operands.len()).rev() {
            let (x, last) = (&operands[k], &operands[operands.len() - 1]);
            operands[k] = match domain {
                Domain::Any | Domain::Amount | Domain::Exponent => continue,
                Domain::NonZero | Domain::Odd => odd(x),
                Domain::NotNegative => not_negative(x),
                Domain::Degree => odd(&(x & &ones(sign.min(3)))),
                Domain::Multiple => x - x % last,
                // A part of the last operand's bits without the lowest one is less than it.
                Domain::Below => (x & last) & !&ones(1),
            };
        }
    }

    /// A number of the type: a small one, one near a power of two, or one of up to [`LONGEST`] words, of
    /// either sign.
    fn literal(&mut self) -> Expr {
        let one = BigInt::one();
        let bits = self.ty.bits();
        let value = match self.below(4) {
            0 => self.below(18).into(),
            1 => one << self.below(bits),
            2 => (one << (self.below(bits) + 1)) - 1,
            _ => {
                let words = self.below(bits.div_ceil(32).min(LONGEST)) + 1;
                BigUint::new((0..words).map(|_| self.below(u32::MAX)).collect()).into()
            }
        };
        let value = if self.below(4) == 3 { -value } else { value };
        self.constant(&value)
    }

    /// `value mod 2^N` as a number of the type.
    fn constant(&self, value: &BigInt) -> Expr {
        let (bits, radix) = (self.ty.bits(), BigInt::one() << self.ty.bits());
        let residue = value.rem_euclid(&radix);
        let is_negative = self.ty.is_signed() && residue.bit(u64::from(bits) - 1);
        Expr::literal(if is_negative { residue - radix } else { residue })
    }

    /// A number of bits: a literal around the width or far beyond it, or a value, mostly a small one.
    fn amount(&mut self, depth: u32) -> Expr {
        let bits = self.ty.bits();
        let near = i64::from(bits) + 70;
        match self.below(8) {
            0..=2 => Expr::literal(i64::from(self.below(2 * near as u32 + 1)) - near),
            3 => Expr::literal(self.one_of(&[-1_i64 << 40, -1 << 32, -1, 0, 1, 1 << 31, 1 << 32, 1 << 40])),
            4 => self.value(depth),
            kind => {
                // All amounts below a power of two just above the width, if the type has it.
                let low = self.constant(&(2_u32 * bits.next_power_of_two() - 1).into());
                let small = self.value(depth) & low;
                if kind == 7 { -small } else { small }
            }
        }
    }
}
