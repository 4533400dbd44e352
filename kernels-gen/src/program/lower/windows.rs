//! Powers by the digits of an exponent.

use limbforge_algos::program::{Element, ModulusId};
use num_bigint::BigInt;

use super::Lowerer;
use super::builder::Kind;
use super::values::Held;
use crate::program::tape::code::{Class, Instr, Item, Var, What};

impl Lowerer<'_> {
    /// x^e for a positive e: with a table of powers, or without one for a small base.
    pub(super) fn long_power(
        &mut self,
        id: ModulusId,
        x: Var,
        small: Option<&BigInt>,
        (e, ty): (&Held, Element),
    ) -> Var {
        match small {
            Some(base) if *base == BigInt::from(2) => return self.power_of_two(id, (e, ty)),
            Some(base) => {
                let one = self.one(id);
                return self.by_digits(id, (e, ty), 1, one, |lowerer, power, digit| {
                    let multiple = lowerer.multiple(id, power, base);
                    lowerer.select(digit, multiple, power)
                });
            }
            None => {}
        }
        let one = self.one(id);
        let bits = match ty {
            Element::Int(ty) if ty.bits() > 256 => 5,
            Element::Int(ty) if ty.bits() > 64 => 4,
            _ => 2,
        };
        let mut table = vec![one, x];
        while table.len() < 1 << bits {
            let next = self.product_of(id, table[table.len() - 1], x);
            table.push(next);
        }
        let base = self.cold_array(&table);
        self.by_digits(id, (e, ty), bits, one, |lowerer, power, digit| {
            let factor = lowerer.cold_read(base, 1 << bits, digit);
            lowerer.product_of(id, power, factor)
        })
    }

    /// 2^e by digits d of 4 bits: one step of a product multiplies by the word 2^(d + 2) and divides by 2^32, which
    /// is 4^16. So a round takes 4 2^k to 4 2^(16 k + d).
    fn power_of_two(&mut self, id: ModulusId, e: (&Held, Element)) -> Var {
        let one = self.one(id);
        let four = self.multiple(id, one, &BigInt::from(4));
        let factor = self.b.constant(4);
        let power = self.by_digits(id, e, 4, four, |lowerer, power, digit| {
            let word = lowerer.b.scalar(Instr::new(What::ScalarShl).x(factor).y(digit), 64, false);
            lowerer.times_word(id, power, &Held::Var(word))
        });
        self.halved(id, power, 2)
    }

    /// A loop over the digits of the exponent, of so many bits each, from the highest one: squares of the value that
    /// begins as `start`, then what `times` makes of it and the digit.
    fn by_digits(
        &mut self,
        id: ModulusId,
        (e, ty): (&Held, Element),
        bits: u32,
        start: Var,
        times: impl Fn(&mut Self, Var, Var) -> Var,
    ) -> Var {
        let length = self.length(e, ty);
        let count = self.digits_in(length, bits);
        let (power, index) = (self.b.var(Class::Number), self.b.var(Class::Scalar));
        let (zero, one) = (self.b.constant(0), self.b.constant(1));
        self.b.assign(power, start);
        self.b.assign(index, zero);
        let last = self.b.scalar(Instr::new(What::ScalarSub).x(count).y(one), 64, false);
        self.b.open(Kind::Loop);
        self.b.moved(power);
        self.b.moved(index);
        let mut next = power;
        for _ in 0..bits {
            next = self.square_of(id, next);
        }
        let i = self.b.scalar(Instr::new(What::ScalarSub).x(last).y(index), 64, false);
        let digit = self.digit(e, ty, bits, i);
        next = times(self, next, digit);
        self.b.assign(power, next);
        let body = self.b.close();
        self.b.moved(power);
        self.b.moved(index);
        self.b.item(Item::Loop { index, count, test: None, body });
        power
    }
}
