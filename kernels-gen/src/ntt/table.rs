//! The factors of a transform's butterflies as its kernels read them.

use limbforge_algos::transform::ntt::{Direction, Wrap};
use limbforge_field::modular::{inv_mod_prime, mul_mod, pow_mod};

use super::class::ResidueClass;
use super::launch::{TransformLaunch, TransformPass};
use super::plan::TransformPlan;

/// Powers of the root at the bottom of the tree.
#[derive(Debug)]
pub(super) struct Factors {
    class: ResidueClass,
    p: u64,
    points: u64,
    plus: bool,
    /// Up to the power that is -1, not included.
    powers: Vec<u64>,
    /// psi^-1, or w^-1.
    twist: u64,
}

impl Factors {
    pub(super) fn new(plan: &TransformPlan) -> Self {
        let TransformPlan { spec, class, .. } = plan;
        let (p, points, plus) = (spec.modulus(), u64::from(spec.points()), spec.splits_plus());
        let inverse = inv_mod_prime(spec.root(), p);
        let root = match (spec.direction(), spec.wrap()) {
            (Direction::Forward, _) => spec.root(),
            (Direction::Inverse, Wrap::Cyclic) => inverse,
            (Direction::Inverse, Wrap::Negacyclic) => mul_mod(inverse, inverse, p),
        };
        let count = if plus { points } else { points / 2 };
        let powers = core::iter::successors(Some(1), |&power| Some(mul_mod(power, root, p)));
        Self { class: *class, p, points, plus, powers: powers.take(count as usize).collect(), twist: inverse }
    }

    /// The factor of a node of the tree that splits x^n - 1 or x^n + 1. Nodes are counted as in a heap, from
    /// 1; where the root has three children, these are counted from 3. The children of any other node i are
    /// 2i and 2i + 1.
    fn node(&self, node: u64) -> u64 {
        let top = top(self.points);
        let first = top << (node / top).ilog2();
        let reversed = reversed(node - first, first);
        // A root of order 2 first: the indices of the points below the node are `reversed` modulo `first`.
        let exponent = if self.plus { 2 * reversed + 1 } else { reversed };
        self.powers[(exponent * (self.points / (2 * first))) as usize]
    }

    /// The `radix` factors of a thread below `root`: node b of stage s at 2^s + b, or 3 2^s + b below three.
    fn subtree(&self, radix: u32, root: u64) -> impl Iterator<Item = u64> {
        let top = top(u64::from(radix));
        let below = move |node: u64| {
            let first = top << (node / top).ilog2();
            self.node(root * first + (node - first))
        };
        (0..u64::from(radix)).map(move |node| if node < top { 0 } else { below(node) })
    }

    /// The initializer of a `Three`.
    fn three(&self) -> String {
        let p = self.p;
        let power = |exponent: u64| self.powers[exponent as usize];
        // Of x^n + 1, d is psi^(n/3) and w is its square.
        let (w, d) = match self.points / 3 {
            third if self.plus => (power(2 * third), power(third)),
            third => (power(third), 1),
        };
        let half = p.div_ceil(2);
        // (w - w^2) / 2 = w + 1/2, as 1 + w + w^2 = 0.
        let turn = (u128::from(w) + u128::from(half)) % u128::from(p);
        let factors = [1, p - half, turn as u64, d, mul_mod(d, d, p)];
        factors.map(|factor| self.class.factor_text(factor, p)).join(", ")
    }

    /// The initializer of a `Transform`.
    pub(super) fn text(&self, launch: &TransformLaunch) -> String {
        let text = |factor| self.class.factor_text(factor, self.p);
        let nested = matches!(launch.pass, TransformPass::Rows { .. });
        let outer: Vec<String> =
            if nested { vec![] } else { self.subtree(launch.radices[0], 1).map(text).collect() };
        let scale = inv_mod_prime(self.points % self.p, self.p);
        let three = if launch.radices[0].is_multiple_of(3) { self.three() } else { String::new() };
        let (prime, outer) = (self.class.prime_text(self.p), outer.join(", "));
        format!("{{{prime}, {{{outer}}}, {{{three}}}, {}}}", text(scale))
    }

    /// The tables of `templates/ntt_tile.cuh` as words.
    pub(super) fn tables(&self, launch: &TransformLaunch, finish: &str) -> Vec<u32> {
        let mut words = vec![];
        if let TransformPass::Rows { stride } = launch.pass {
            let stride = u64::from(stride);
            let mut rows = vec![0; stride as usize];
            for position in 0..stride {
                rows[reversed(position, stride) as usize] = stride + position;
            }
            for tile in rows.chunks(launch.slots as usize) {
                self.tile(launch.radices, tile, true, &mut words);
            }
        } else {
            self.tile(launch.radices, &[1], false, &mut words);
        }
        if finish == "TWIST" {
            let scale = inv_mod_prime(self.points % self.p, self.p);
            let twists = (0..self.points).map(|i| mul_mod(pow_mod(self.twist, i, self.p), scale, self.p));
            words.extend(twists.flat_map(|factor| self.class.factor(factor, self.p)));
        }
        words.resize(words.len().next_multiple_of(4), 0);
        words
    }

    /// Appends the factors of trees with these roots: middle pass, inner pass and, if `nested`, outer pass.
    fn tile(&self, [outer, middle, inner]: [u32; 3], roots: &[u64], nested: bool, words: &mut Vec<u32>) {
        let (r1, r2) = (u64::from(outer), u64::from(middle));
        let mut append = |radix: u32, tasks: u64, node: &dyn Fn(u64, u64) -> u64| {
            let threads = (0..tasks).flat_map(|task| roots.iter().map(move |&root| (task, root)));
            let columns: Vec<Vec<u64>> =
                threads.map(|(task, root)| self.subtree(radix, node(task, root)).collect()).collect();
            let per_vector = 4 / self.class.factor_words();
            for first in (0..radix as usize).step_by(per_vector) {
                for column in &columns {
                    for &factor in &column[first..first + per_vector] {
                        words.extend(self.class.factor(factor, self.p));
                    }
                }
            }
        };
        if middle > 1 {
            append(middle, r1, &|row, root| root * r1 + row);
        }
        append(inner, r1 * r2, &|task, root| (root * r1 + task % r1) * r2 + task / r1);
        if nested {
            append(outer, 1, &|_, root| root);
        }
    }
}

/// Children of the root of a tree with 3 2^k leaves: 3. With 2^k leaves the root is the first node: 1.
const fn top(leaves: u64) -> u64 {
    if leaves.is_multiple_of(3) { 3 } else { 1 }
}

/// The digits of `x` below `radix` reversed: bits, and for 3 2^t the highest digit, of base 3, as the lowest.
const fn reversed(x: u64, radix: u64) -> u64 {
    let bits = radix.trailing_zeros();
    let low = x & ((1 << bits) - 1);
    let low = if bits == 0 { 0 } else { low.reverse_bits() >> (u64::BITS - bits) };
    (x >> bits) + top(radix) * low
}
