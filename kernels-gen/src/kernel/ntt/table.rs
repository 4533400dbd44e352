//! The factors of a transform's butterflies as the kernel reads them.

use limbforge_field::modular::{inv_mod_prime, mul_mod, pow_mod};
use limbforge_field::{root::Root, search::NttPrime};

use super::interpolation::{NodeFactor, Scale};
use crate::invariant::broken_invariant;

/// Shoup's pair of a factor: w in (-p/2, p/2] and round(w * 2^32 / p), halves up (`residue28.cuh`).
pub(crate) type Twiddle = [i32; 2];

/// The pair of a factor in [0, p), for a prime p below 2^31.
pub(crate) const fn twiddle(w: u64, p: u64) -> Twiddle {
    let p = p as i64;
    let w = if w as i64 > p / 2 { w as i64 - p } else { w as i64 };
    let f = ((w << 33) + p).div_euclid(2 * p);
    [w as i32, f as i32]
}

/// A prime p = 1 mod L with the powers of a root of order L.
#[derive(Debug)]
pub(crate) struct Roots {
    p: u64,
    points: usize,
    pub(super) powers: Vec<u64>,
}

impl Roots {
    /// For the prime `p` = 1 mod `points`, a power of two.
    pub(crate) fn new(p: u32, points: u32) -> Self {
        let (p, points) = (u64::from(p), points as usize);
        let root = NttPrime::new(p).and_then(|prime| Root::of(prime).of_order(points.ilog2()));
        let root = root.unwrap_or_else(|| broken_invariant("the prime has roots of this order"));
        let powers = core::iter::successors(Some(1), |&power| Some(mul_mod(power, root, p)));
        Self { p, points, powers: powers.take(points).collect() }
    }

    /// The factor of a heap node, counted from 1, of the tree that splits x^L - 1.
    fn node(&self, node: usize) -> Twiddle {
        twiddle(self.powers[self.exponent(node)], self.p)
    }

    /// The exponent of the root in a node's factor.
    fn exponent(&self, node: usize) -> usize {
        let stage = node.ilog2();
        let reversed = (node - (1 << stage)).reverse_bits().checked_shr(usize::BITS - stage).unwrap_or(0);
        reversed * (self.points >> (stage + 1))
    }

    /// The factor that joins points k of blocks of 2d points backward: the 2d-th root to the power -k.
    fn joint(&self, d: usize, k: usize) -> Twiddle {
        twiddle(self.powers[(self.points - k * (self.points / (2 * d))) % self.points], self.p)
    }

    /// Factors of a thread's `radix` points in the subtree below `root`: stage s, node b at 2^s + b.
    fn forward(&self, radix: usize, root: usize) -> Vec<Twiddle> {
        self.by_stage(radix, |nodes, b| self.node(root * nodes + b))
    }

    /// Factors of a thread's `radix` points `stride` apart, from point `offset` on.
    fn backward(&self, radix: usize, stride: usize, offset: usize) -> Vec<Twiddle> {
        self.by_stage(radix, |d, k| self.joint(stride * d, offset + stride * k))
    }

    fn by_stage(&self, radix: usize, factor: impl Fn(usize, usize) -> Twiddle) -> Vec<Twiddle> {
        let stages = (0..radix.ilog2()).map(|stage| 1 << stage);
        let of_stages = stages.flat_map(|nodes| (0..nodes).map(move |b| (nodes, b)));
        [[0; 2]].into_iter().chain(of_stages.map(|(nodes, b)| factor(nodes, b))).collect()
    }

    /// The factors that all threads share: of the outer pass forward and the inner pass backward.
    pub(crate) fn shared(&self, [outer, _, inner]: [u32; 3]) -> (Vec<Twiddle>, Vec<Twiddle>) {
        (self.forward(outer as usize, 1), self.backward(inner as usize, 1, 0))
    }

    /// Factors of the rows of column `j` of the outer pass backward, for blocks of so many rows. They remove
    /// powers of each row's root and the T and N of inverse transforms.
    fn rows(&self, outer: usize, blocks: &[u32], scale: u64, j: usize) -> Vec<Twiddle> {
        let bits = outer.ilog2();
        let of_row = |(row, &block): (usize, &u32)| {
            let reversed = row.reverse_bits() >> (usize::BITS - bits);
            let root = self.powers[(self.points - j * reversed % self.points) % self.points];
            let inverse = inv_mod_prime((self.points as u64 / outer as u64) << block, self.p);
            twiddle(mul_mod(mul_mod(root, inverse, self.p), scale, self.p), self.p)
        };
        let padding = (blocks.len() % 2 == 1).then_some([0; 2]);
        blocks.iter().enumerate().map(of_row).chain(padding).collect()
    }

    /// A factor that the columns of a truncated outer pass share.
    pub(crate) fn node_factor(&self, NodeFactor { node, scale }: NodeFactor) -> Twiddle {
        let (p, exponent) = (self.p, self.exponent(node as usize));
        let (root, inverse) = (self.powers[exponent], self.powers[(self.points - exponent) % self.points]);
        let factor = match scale {
            Scale::One => root,
            Scale::Minus => p - root,
            Scale::MinusTwo => mul_mod(p - 2, root, p),
            Scale::Inverse => inverse,
            Scale::HalfInverse => mul_mod(inverse, p.div_ceil(2), p),
        };
        twiddle(factor, p)
    }

    /// The tables of `templates/ntt_block.cuh` as words, one vector of two factors after the other.
    pub(crate) fn tables(&self, radices: [u32; 3], blocks: &[u32], scale: u64) -> Vec<u32> {
        let [outer, middle, inner] = radices.map(|radix| radix as usize);
        let rows = blocks.len();
        let mut words = vec![];
        let mut append = |radix: usize, columns: Vec<Vec<Twiddle>>| {
            for pair in 0..radix / 2 {
                for column in &columns {
                    let factors = column[2 * pair].into_iter().chain(column[2 * pair + 1]);
                    words.extend(factors.map(|word| word as u32));
                }
            }
        };
        if middle > 1 {
            append(middle, (0..rows).map(|row| self.forward(middle, outer + row)).collect());
        }
        // `inner_base` of the template.
        let last = if rows < outer { rows - outer / 2 } else { rows };
        let task = |t: usize| {
            let (t, first, rows) =
                t.checked_sub((rows - last) * middle).map_or((t, 0, outer / 2), |t| (t, rows - last, last));
            outer * middle + (first + t % rows) * middle + t / rows
        };
        append(inner, (0..rows * middle).map(|t| self.forward(inner, task(t))).collect());
        if middle > 1 {
            append(middle, (0..inner).map(|o| self.backward(middle, inner, o)).collect());
        }
        let stride = middle * inner;
        let columns = (0..stride).map(|j| self.rows(outer, blocks, scale, j)).collect();
        append(rows.next_multiple_of(2), columns);
        words
    }
}

/// The factor that turns a coefficient into the digit of the Chinese remainder theorem: 1 / cofactor * 2^96,
/// as each digit and the product come with 2^-32.
pub(crate) fn scale(p: u64, cofactor_mod_p: u64) -> u64 {
    mul_mod(inv_mod_prime(cofactor_mod_p, p), pow_mod(2, 96, p), p)
}
