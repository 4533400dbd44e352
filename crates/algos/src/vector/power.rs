//! Powers of eight numbers modulo odd numbers, each with its own exponent.
//!
//! A fixed window over the longest exponent: each step multiplies every lane by its own entry of the table,
//! which is copied word by word. A lane whose exponent is shorter multiplies by 1 first. Not constant time.

use core::mem::{swap, take};

use limbforge_limb::slice::bits;

use super::constants::Constants;
use super::lanes::{WIDTH, Words};
use super::montgomery::Moduli;
use super::path::{PathOfPowers, with_ring};
use super::ring::Ring;
use super::window::{field, pick, window_bits};
use crate::integer::{Scratch, div::divide};

/// A power: `base^exponent mod modulus`, in words.
#[derive(Clone, Debug, Default)]
struct Power {
    base: Vec<u64>,
    exponent: Vec<u64>,
    modulus: Vec<u64>,
}

/// Up to eight powers that are computed together, with their memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct Powers {
    /// Those beyond the number of powers are 0^0 mod 1.
    powers: [Power; WIDTH],
    count: usize,
    constants: Constants,
    room: Room,
}

/// Digits of eight numbers each.
#[derive(Clone, Debug, Default)]
struct Room {
    moduli: Vec<Words>,
    power: Vec<Words>,
    factor: Vec<Words>,
    /// The next power, which then takes the place of the power.
    next: Vec<Words>,
    /// The powers of the bases with the exponents `0..2^window`.
    table: Vec<Words>,
    quotient: Vec<Words>,
    columns: Vec<Words>,
}

impl Powers {
    /// Takes a power, unless there are eight already. The modulus is odd.
    pub(crate) fn push(&mut self, base: &[u64], exponent: &[u64], modulus: &[u64]) {
        if let Some(power) = self.powers.get_mut(self.count) {
            let parts = [&mut power.base, &mut power.exponent, &mut power.modulus];
            for (to, from) in parts.into_iter().zip([base, exponent, modulus]) {
                to.clear();
                to.extend_from_slice(bits::significant(from));
            }
            self.count += 1;
        }
    }

    /// Computes the powers that it took, and gives each with its modulus, of as many words.
    pub(crate) fn compute(
        &mut self,
        path: PathOfPowers,
        scratch: &mut Scratch,
    ) -> impl Iterator<Item = (&[u64], &[u64])> {
        let Self { powers, count, constants, room } = self;
        for power in &mut powers[*count..] {
            *power = Power { base: vec![], exponent: vec![], modulus: vec![1] };
        }
        with_ring!(path, ring => room.run(ring.of_lanes(*count), powers, constants, scratch));
        let count = take(count);
        powers[..count].iter().map(|power| (&power.base[..], &power.modulus[..]))
    }
}

impl Room {
    /// Replaces the bases by the powers.
    fn run<R: Ring>(
        &mut self,
        ring: R,
        powers: &mut [Power; WIDTH],
        constants: &mut Constants,
        scratch: &mut Scratch,
    ) {
        let bits = powers.iter().map(|power| bits::bit_len(&power.modulus)).max().unwrap_or(0);
        let n = R::digits(bits);
        let bits_of_r = n as u32 * R::DIGIT_BITS;
        constants.prepare(bits_of_r, powers.each_ref().map(|power| &power.modulus[..]), scratch);
        for Power { base, modulus, .. } in &mut *powers {
            // Others are below R, as the first factor of a Montgomery product may be.
            if bits::bit_len(base) > bits_of_r {
                *base = divide(base, modulus, scratch).1;
            }
        }
        self.compute(ring, n, powers, constants);
    }

    /// The same of bases below R, for n digits.
    fn compute<R: Ring>(&mut self, ring: R, n: usize, powers: &mut [Power; WIDTH], constants: &Constants) {
        let len = powers.iter().map(|power| bits::bit_len(&power.exponent)).max().unwrap_or(0);
        let window = window_bits(len);
        for digits in
            [&mut self.moduli, &mut self.power, &mut self.factor, &mut self.next, &mut self.quotient]
        {
            digits.resize(n, Words::ZERO);
        }
        ring.enter(&mut self.moduli, powers.each_ref().map(|power| &power.modulus[..]), &mut self.columns);
        let negated_inverses = constants.negated_inverses(R::digit);
        self.tabulate(ring, window, powers, constants, negated_inverses);
        let digit = |step: u32| powers.each_ref().map(|power| field(&power.exponent, step * window, window));
        let Self { moduli, power, factor, next, table, quotient, columns } = self;
        let moduli = Moduli { digits: moduli, negated_inverses };
        let top = len.div_ceil(window).saturating_sub(1);
        pick(power, table, digit(top));
        for step in (0..top).rev() {
            for _ in 0..window {
                ring.square(next, power, moduli, quotient);
                swap(power, next);
            }
            let digits = digit(step);
            if digits != [0; WIDTH] {
                pick(factor, table, digits);
                ring.mul(next, [power, factor], moduli, quotient);
                swap(power, next);
            }
        }
        ring.set_one(factor);
        ring.mul(next, [power, factor], moduli, quotient);
        for power in &mut *powers {
            power.base.resize(power.modulus.len(), 0);
        }
        ring.leave(powers.each_mut().map(|power| &mut power.base[..]), next, columns);
        for Power { base, modulus, .. } in powers {
            // At most the modulus.
            if base == modulus {
                base.fill(0);
            }
        }
    }

    /// Fills the table of powers in Montgomery form: `a^i R mod m`, below 2m.
    fn tabulate<R: Ring>(
        &mut self,
        ring: R,
        window: u32,
        powers: &[Power; WIDTH],
        constants: &Constants,
        negated_inverses: Words,
    ) {
        let Self { moduli, power, factor, table, quotient, columns, .. } = self;
        let (moduli, n) = (Moduli { digits: moduli, negated_inverses }, moduli.len());
        table.resize(n << window, Words::ZERO);
        ring.enter(factor, constants.squares(), columns);
        ring.set_one(power);
        ring.mul(&mut table[..n], [power, factor], moduli, quotient);
        ring.enter(power, powers.each_ref().map(|power| &power.base[..]), columns);
        ring.mul(&mut table[n..2 * n], [power, factor], moduli, quotient);
        for i in 2..1 << window {
            let (below, next) = table.split_at_mut(i * n);
            let (next, entry) = (&mut next[..n], |i: usize| &below[i * n..][..n]);
            if i % 2 == 0 {
                ring.square(next, entry(i / 2), moduli, quotient);
            } else {
                ring.mul(next, [entry(i - 1), entry(1)], moduli, quotient);
            }
        }
    }
}
