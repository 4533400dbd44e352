//! The strong Lucas test.

use core::mem;

use limbforge_limb::slice::{add, bits, cmp};

use crate::integer::packed::{add_mod, shift_right, sub_mod};
use crate::integer::{Scratch, jacobi, modulus::constants::Ring, perfect_power};

/// Number of candidates D after which n is tested for being a square, which has no such D.
const SQUARE_AFTER: i64 = 20;

/// Selfridge's D for odd n above 1, trimmed: the first of 5, -7, 9, ... with the symbol -1. `None` if n is
/// composite, which a common divisor or the lack of such a D shows.
pub(crate) fn parameter(n: &[u64], scratch: &mut Scratch) -> Option<i64> {
    let mut tried = 0;
    loop {
        let magnitude = 2 * tried + 5;
        let d = if tried % 2 == 0 { magnitude } else { -magnitude };
        match jacobi::of_small(d, n) {
            -1 => return Some(d),
            // A common divisor: a factor, unless D is a multiple of n.
            0 if *n != [magnitude.unsigned_abs()] && !divides(n, magnitude) => return None,
            _ => {}
        }
        tried += 1;
        if tried == SQUARE_AFTER && perfect_power::is_square(n, scratch) {
            return None;
        }
    }
}

/// Whether odd n, trimmed, is a strong Lucas probable prime with Selfridge's parameters.
pub(super) fn selfridge(n: &[u64], ring: &Ring, scratch: &mut Scratch) -> bool {
    let Some(d) = parameter(n, scratch) else { return false };
    let mut lucas = Lucas::new(ring, d, scratch);
    // n + 1 = k 2^s.
    let mut k = n.to_vec();
    k.push(0);
    add::increment(&mut k, true);
    let s = bits::trailing_zeros(&k);
    shift_right(&mut k, s);
    for i in (0..bits::bit_len(&k) - 1).rev() {
        lucas.double();
        if bits::bit(&k, i) {
            lucas.next();
        }
    }
    cmp::is_zero(&lucas.u)
        || cmp::is_zero(&lucas.v)
        || (1..s).any(|_| {
            lucas.double_v();
            cmp::is_zero(&lucas.v)
        })
}

/// Whether n divides a small number.
fn divides(n: &[u64], number: i64) -> bool {
    matches!(*n, [word] if number.unsigned_abs().is_multiple_of(word))
}

/// `U_k`, `V_k` and `Q^k` as residues, from k = 1 on, for P = 1.
///
/// A step from k to 2k takes three products, or two for D = 5, where Q = -1; a step to k + 1 none, as D and Q
/// are small.
struct Lucas<'r> {
    ring: &'r Ring,
    scratch: &'r mut Scratch,
    d: i64,
    q: i64,
    u: Vec<u64>,
    v: Vec<u64>,
    power_of_q: Vec<u64>,
    room: Vec<u64>,
}

impl<'r> Lucas<'r> {
    /// For `D = 1 mod 4` and `Q = (1 - D) / 4`.
    fn new(ring: &'r Ring, d: i64, scratch: &'r mut Scratch) -> Self {
        let (q, one) = ((1 - d) / 4, ring.one.clone());
        let mut lucas = Self {
            ring,
            scratch,
            d,
            q,
            u: one.clone(),
            v: one.clone(),
            power_of_q: vec![],
            room: vec![0; one.len()],
        };
        lucas.power_of_q = lucas.times(&one, q);
        lucas
    }

    /// From k to 2k: `U V`, `V^2 - 2 Q^k`, `Q^2k`.
    fn double(&mut self) {
        self.ring.mul_assign(&mut self.u, Some(&self.v), &mut self.room, self.scratch);
        self.double_v();
    }

    fn double_v(&mut self) {
        self.ring.mul_assign(&mut self.v, None, &mut self.room, self.scratch);
        for _ in 0..2 {
            sub_mod(&mut self.room, &self.v, &self.power_of_q, &self.ring.modulus);
            mem::swap(&mut self.v, &mut self.room);
        }
        if self.q == -1 {
            self.power_of_q.copy_from_slice(&self.ring.one);
        } else {
            self.ring.mul_assign(&mut self.power_of_q, None, &mut self.room, self.scratch);
        }
    }

    /// From k to k + 1: `(U + V) / 2`, `(D U + V) / 2`, `Q^(k+1)`.
    fn next(&mut self) {
        let du = self.times(&self.u, self.d);
        self.u = self.half(self.sum(&self.u, &self.v));
        self.v = self.half(self.sum(&du, &self.v));
        self.power_of_q = self.times(&self.power_of_q, self.q);
    }

    /// `a * factor` for a small factor, not 0: by doublings and sums.
    fn times(&self, a: &[u64], factor: i64) -> Vec<u64> {
        let magnitude = factor.unsigned_abs();
        let mut product = a.to_vec();
        for i in (0..magnitude.ilog2()).rev() {
            product = self.sum(&product, &product);
            if magnitude >> i & 1 == 1 {
                product = self.sum(&product, a);
            }
        }
        if factor < 0 {
            let positive = product.clone();
            sub_mod(&mut product, &vec![0; a.len()], &positive, &self.ring.modulus);
        }
        product
    }

    fn sum(&self, a: &[u64], b: &[u64]) -> Vec<u64> {
        let mut sum = vec![0; a.len()];
        add_mod(&mut sum, a, b, &self.ring.modulus);
        sum
    }

    /// `a / 2`: an odd residue is made even by the modulus.
    fn half(&self, mut a: Vec<u64>) -> Vec<u64> {
        let over = a[0] % 2 == 1 && add::add_assign(&mut a, &self.ring.modulus, false);
        let mut above = u64::from(over) << 63;
        for word in a.iter_mut().rev() {
            (*word, above) = (*word >> 1 | above, *word << 63);
        }
        a
    }
}
