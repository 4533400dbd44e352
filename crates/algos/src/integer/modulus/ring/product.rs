//! Products of residues, each with the reduction of its modulus.

use core::mem;

use limbforge_limb::slice::{
    cmp,
    mul::{Factors, rows},
};

use super::super::constants::{Reduction, Ring};
use crate::integer::montgomery::{
    fused_mul, reduce, reduce_by_kernel, reduce_by_products, reduce_by_rows, subtract_once,
};
use crate::integer::{Scratch, barrett, products::Schoolbook};
use crate::invariant::broken_invariant;

/// Below so many words, the half products of Barrett's reduction are faster by rows.
const HALVES_BY_ROWS_BELOW: usize = 100;

impl Ring {
    /// `out = product of the residues`.
    pub(crate) fn mul(&self, out: &mut [u64], factors: Factors<'_, u64>, scratch: &mut Scratch) {
        if let Some(short) = &self.short {
            return match factors {
                Factors::Pair(a, b) => short.product(out, a, b),
                Factors::Square(a) => {
                    out.copy_from_slice(a);
                    short.squares(out, 1);
                }
            };
        }
        if let Reduction::Montgomery { negated, negated_long, .. } = &self.reduction
            && negated_long.is_empty()
            && self.mul_short(out, factors, *negated, scratch)
        {
            return;
        }
        if let Reduction::Montgomery { transforms: Some(transforms), .. } = &self.reduction {
            let found = transforms.product(factors, scratch.product.transforms());
            let (found, above) = found.split_at(out.len());
            return subtract_once(out, found, !cmp::is_zero(above), &self.modulus);
        }
        let mut wide = mem::take(&mut scratch.wide);
        scratch.product.words(&mut wide, factors);
        match &self.reduction {
            Reduction::Barrett { .. } => self.reduce(out, &wide, scratch),
            Reduction::Montgomery { negated, negated_long, .. } if negated_long.is_empty() => {
                reduce(out, &mut wide, &self.modulus, *negated);
            }
            Reduction::Montgomery { negated_long, .. }
                if negated_long.len() < self.modulus.len() || negated_long.len() <= rows::MOST =>
            {
                reduce_by_rows(out, &mut wide, &self.modulus, negated_long);
            }
            Reduction::Montgomery { negated_long, .. } => {
                reduce_by_products(out, &mut wide, &self.modulus, negated_long, scratch);
            }
        }
        scratch.wide = wide;
    }

    /// [`mul`](Self::mul) by the kernel for a short modulus; returns false if there is none.
    fn mul_short(
        &self,
        out: &mut [u64],
        factors: Factors<'_, u64>,
        negated: u64,
        scratch: &mut Scratch,
    ) -> bool {
        let m = &self.modulus;
        if rows::montgomery::has_reduction(m.len()) {
            scratch.wide.resize(2 * m.len(), 0);
            rows::wide(&mut scratch.wide, factors);
            return reduce_by_kernel(out, &mut scratch.wide, m, negated);
        }
        let (a, b) = match factors {
            Factors::Pair(a, b) => (a, b),
            Factors::Square(a) => (a, a),
        };
        fused_mul(out, a, b, m, negated)
    }

    /// `out = x mod m`, for x of at most twice the words of m, by Barrett's reduction.
    pub(super) fn reduce(&self, out: &mut [u64], x: &[u64], scratch: &mut Scratch) {
        let Reduction::Barrett { reciprocal, word } = &self.reduction else {
            broken_invariant("the modulus has a reciprocal")
        };
        if let Some(word) = word {
            return out[0] = word.rem(x);
        }
        let (m, mut room) = (&self.modulus, mem::take(&mut scratch.room));
        if m.len() < HALVES_BY_ROWS_BELOW {
            barrett::reduce(out, x, m, reciprocal, &mut room, &mut Schoolbook);
        } else {
            barrett::reduce(out, x, m, reciprocal, &mut room, scratch);
        }
        scratch.room = room;
    }

    /// `a * b`.
    pub(crate) fn product(&self, a: &[u64], b: &[u64], scratch: &mut Scratch) -> Vec<u64> {
        let mut out = vec![0; a.len()];
        self.mul(&mut out, Factors::Pair(a, b), scratch);
        out
    }

    /// `a = a * b`, or `a * a` without b, by way of `room`.
    pub(crate) fn mul_assign(
        &self,
        a: &mut Vec<u64>,
        b: Option<&[u64]>,
        room: &mut Vec<u64>,
        scratch: &mut Scratch,
    ) {
        if let Some(short) = &self.short {
            return match b {
                Some(b) => short.mul(a, b),
                None => short.squares(a, 1),
            };
        }
        room.resize(a.len(), 0);
        self.mul(room, b.map_or(Factors::Square(a), |b| Factors::Pair(a, b)), scratch);
        mem::swap(a, room);
    }

    /// So many squares of a after each other, by way of `room`.
    pub(crate) fn square_times(
        &self,
        a: &mut Vec<u64>,
        times: u32,
        room: &mut Vec<u64>,
        scratch: &mut Scratch,
    ) {
        if let Some(short) = &self.short {
            return short.squares(a, times);
        }
        for _ in 0..times {
            self.mul_assign(a, None, room, scratch);
        }
    }
}
