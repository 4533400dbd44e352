//! The strong Lucas test.

use limbforge_limb::slice::{add, bits};

use super::Scratch;
use crate::modulus::{OddModulus, Ring};
use crate::{jacobi, modulus, perfect_power};

/// Candidates D after which n is looked at for being a square, which has none.
const SQUARE_AFTER: i64 = 20;

/// Whether odd n, trimmed, is a strong Lucas probable prime with Selfridge's parameters.
pub(super) fn selfridge(n: &[u64], ring: &OddModulus<u64>, scratch: &mut Scratch) -> bool {
    let mut tried = 0;
    let d = loop {
        let magnitude = 2 * tried + 5;
        let d = if tried % 2 == 0 { magnitude } else { -magnitude };
        match jacobi::of_small(d, n) {
            -1 => break d,
            // A common divisor: a factor, unless D is a multiple of n.
            0 if *n != [magnitude.unsigned_abs()] && !divides(n, magnitude) => return false,
            _ => {}
        }
        tried += 1;
        if tried == SQUARE_AFTER && perfect_power::is_square(n, &mut scratch.root) {
            return false;
        }
    };
    let mut lucas = Lucas::new(ring, d, &mut scratch.residues);
    // n + 1 = k 2^s.
    let mut k = n.to_vec();
    k.push(0);
    add::increment(&mut k, true);
    let s = bits::trailing_zeros(&k);
    jacobi::shift_right(&mut k, s);
    for i in (0..bits::bit_len(&k) - 1).rev() {
        lucas.double();
        if bits::bit(&k, i) {
            lucas.next();
        }
    }
    if is_zero(&lucas.u) || is_zero(&lucas.v) {
        return true;
    }
    (1..s).any(|_| {
        lucas.double_v();
        is_zero(&lucas.v)
    })
}

/// Whether n divides a small number.
fn divides(n: &[u64], number: i64) -> bool {
    matches!(*n, [word] if number.unsigned_abs().is_multiple_of(word))
}

fn is_zero(words: &[u64]) -> bool {
    words.iter().all(|&word| word == 0)
}

/// `U_k`, `V_k` and `Q^k` as residues, from k = 1 on, for P = 1.
struct Lucas<'r> {
    ring: &'r OddModulus<u64>,
    scratch: &'r mut modulus::Scratch,
    d: Vec<u64>,
    q: Vec<u64>,
    u: Vec<u64>,
    v: Vec<u64>,
    power_of_q: Vec<u64>,
}

impl<'r> Lucas<'r> {
    /// For `D = 1 mod 4` and `Q = (1 - D) / 4`.
    fn new(ring: &'r OddModulus<u64>, d: i64, scratch: &'r mut modulus::Scratch) -> Self {
        let mut residue = |x: i64| {
            let magnitude = ring.residue(&[x.unsigned_abs()], scratch);
            if x < 0 { ring.difference(&vec![0; magnitude.len()], &magnitude) } else { magnitude }
        };
        let (d, q) = (residue(d), residue((1 - d) / 4));
        let one = ring.unit().to_vec();
        Self { ring, scratch, d, power_of_q: q.clone(), q, u: one.clone(), v: one }
    }

    /// From k to 2k: `U V`, `V^2 - 2 Q^k`, `Q^2k`.
    fn double(&mut self) {
        self.u = self.ring.product(&self.u, &self.v, self.scratch);
        self.double_v();
    }

    fn double_v(&mut self) {
        let twice = self.ring.sum(&self.power_of_q, &self.power_of_q);
        let mut room = vec![];
        self.ring.square(&mut self.v, &mut room, self.scratch);
        self.v = self.ring.difference(&self.v, &twice);
        self.ring.square(&mut self.power_of_q, &mut room, self.scratch);
    }

    /// From k to k + 1: `(U + V) / 2`, `(D U + V) / 2`, `Q^(k+1)`.
    fn next(&mut self) {
        let du = self.ring.product(&self.d, &self.u, self.scratch);
        self.u = self.half(self.ring.sum(&self.u, &self.v));
        self.v = self.half(self.ring.sum(&du, &self.v));
        self.power_of_q = self.ring.product(&self.power_of_q, &self.q, self.scratch);
    }

    /// `a / 2`: an odd residue is made even by the modulus.
    fn half(&self, mut a: Vec<u64>) -> Vec<u64> {
        let over = a[0] % 2 == 1 && add::add_assign(&mut a, self.ring.words(), false);
        let mut above = u64::from(over) << 63;
        for word in a.iter_mut().rev() {
            (*word, above) = (*word >> 1 | above, *word << 63);
        }
        a
    }
}
