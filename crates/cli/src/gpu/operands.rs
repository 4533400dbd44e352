//! Integers that are likely to break arithmetic, the same in every run.

use limbforge::limb::{BatchError, slice};
use limbforge::{algos::cpu, prelude::*};

/// The layouts of a kernel's batches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Places {
    pub inputs: Layout,
    pub output: Layout,
    /// Whether all instances share the last of several operands.
    pub broadcast_last: bool,
}

/// The structure of an integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    Ones,
    Uniform,
    /// Runs of zeros and of ones.
    Runs,
    One,
    /// `2^k - 1`, `2^k`, `2^k + 1`.
    NearPower,
    /// Limbs at which carries are decided.
    Edges,
    Zero,
}

/// In the order in which instances take them.
const SHAPES: [Shape; 7] =
    [Shape::Ones, Shape::Uniform, Shape::Runs, Shape::One, Shape::NearPower, Shape::Edges, Shape::Zero];

/// A deterministic source of operands.
#[derive(Clone, Debug)]
pub struct Operands {
    state: u64,
}

impl Operands {
    pub const fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// Batches for an expression of `count` operands. The first instances combine every shape with every
    /// relation: independent, equal, complement, negative and its neighbours, so that carries ripple.
    pub fn batches<B: Base>(
        &mut self,
        ty: IntType,
        count: usize,
        instances: usize,
        places: Places,
    ) -> Result<Vec<Batch<B>>, BatchError> {
        let is_single = |i| places.broadcast_last && count > 1 && i + 1 == count;
        let zeros = |i| Batch::zeros(ty, places.inputs, if is_single(i) { 1 } else { instances });
        let mut batches = (0..count).map(zeros).collect::<Result<Vec<Batch<B>>, _>>()?;
        let m = ty.limbs::<B>();
        let (mut first, mut other) = (vec![B::ZERO; m], vec![B::ZERO; m]);
        // Batches start with different shapes.
        let offset = self.below(SHAPES.len());
        for i in 0..instances {
            self.integer(SHAPES[(i + offset) % SHAPES.len()], &mut first);
            for (j, batch) in batches.iter_mut().enumerate().filter(|(_, batch)| i < batch.instances()) {
                if j > 0 {
                    self.related(i / SHAPES.len() + j, &first, &mut other);
                }
                batch.set_instance(i, if j == 0 { &first } else { &other });
            }
        }
        Ok(batches)
    }

    /// Makes every other pair of the first two operands a hard division: a divisor of any length, and a
    /// dividend at either end of a quotient's interval or within it, or all ones.
    pub fn divisions<B: Base>(&mut self, batches: &mut [Batch<B>]) {
        let [first, second, ..] = batches else { return };
        let whole = first.ty().bits() as usize / B::BITS as usize;
        if whole < 2 || first.instances() != second.instances() {
            return;
        }
        let mut product = cpu::Product::default();
        for i in (1..first.instances()).step_by(2) {
            let (mut u, mut v) = (first.instance(i), second.instance(i));
            let length = 1 + self.below(whole - 1);
            v.fill(B::ZERO);
            self.any(&mut v[..length]);
            let mut quotient = vec![B::ZERO; whole];
            self.any(&mut quotient[..whole - length]);
            u.fill(B::ZERO);
            // The product has `whole` limbs.
            let factors = slice::mul::Factors::Pair(&quotient, &v[..whole]);
            product.low(&mut u[..whole], factors);
            match self.below(5) {
                0 => {}
                1 => nudge(&mut u[..whole], -1),
                2 => {
                    slice::add::add_assign(&mut u[..whole], &v[..length], false);
                    nudge(&mut u[..whole], -1);
                }
                3 => nudge(&mut u[..whole], 1),
                _ => u[..whole].fill(B::HIGHEST),
            }
            first.set_instance(i, &u);
            second.set_instance(i, &v);
        }
    }

    /// Makes the instances from this one on uniform.
    pub fn uniform<B: Base>(&mut self, batch: &mut Batch<B>, first: usize) {
        let mut limbs = vec![B::ZERO; batch.limbs_per_instance()];
        for i in first..batch.instances() {
            self.integer(Shape::Uniform, &mut limbs);
            batch.set_instance(i, &limbs);
        }
    }

    /// An integer beside `first`, in the relation of this number.
    fn related<B: Base>(&mut self, relation: usize, first: &[B], out: &mut [B]) {
        match relation % 8 {
            0 => out.copy_from_slice(first),
            3 => slice::bits::not(out, first),
            5 => drop(slice::sub::neg(out, first)),
            7 => {
                slice::bits::not(out, first);
                nudge(out, self.below(3) as i8 - 1);
            }
            _ => self.any(out),
        }
    }

    fn any<B: Base>(&mut self, out: &mut [B]) {
        let shape = SHAPES[self.below(SHAPES.len())];
        self.integer(shape, out);
    }

    fn integer<B: Base>(&mut self, shape: Shape, out: &mut [B]) {
        let bits = out.len() * B::BITS as usize;
        out.fill(if shape == Shape::Ones { B::HIGHEST } else { B::ZERO });
        match shape {
            Shape::Zero | Shape::Ones => {}
            Shape::One => nudge(out, 1),
            Shape::Uniform => out.fill_with(|| self.limb()),
            Shape::NearPower => {
                let at = self.below(bits);
                out[at / B::BITS as usize] = B::ONE << (at % B::BITS as usize);
                nudge(out, self.below(3) as i8 - 1);
            }
            Shape::Runs => self.runs(bits, out),
            Shape::Edges => {
                let half = B::ONE << (B::BITS as usize - 1);
                let edges = [B::ZERO, B::ONE, half - B::ONE, half, B::HIGHEST - B::ONE, B::HIGHEST];
                out.fill_with(|| edges[self.below(edges.len())]);
            }
        }
    }

    /// Runs of zeros and of ones, each up to half of the integer long.
    fn runs<B: Base>(&mut self, bits: usize, out: &mut [B]) {
        let width = B::BITS as usize;
        let (mut at, mut ones) = (0, self.below(2) == 0);
        while at < bits {
            let end = (at + 1 + self.below(bits.div_ceil(2))).min(bits);
            while ones && at < end {
                let (limb, low) = (at / width, at % width);
                let count = (width - low).min(end - at);
                out[limb] = out[limb] | (B::HIGHEST >> (width - count)) << low;
                at += count;
            }
            (at, ones) = (end, !ones);
        }
    }

    fn limb<B: Base>(&mut self) -> B {
        let (low, high) = (self.next(), if B::BYTES > 8 { self.next() } else { 0 });
        B::from_le_bytes(&(u128::from(high) << 64 | u128::from(low)).to_le_bytes())
    }

    /// A number below `limit`, not exactly uniform.
    const fn below(&mut self, limit: usize) -> usize {
        (self.next() >> 16) as usize % limit
    }

    /// The generator `SplitMix64`.
    const fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let word = (self.state ^ (self.state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ (word >> 31)
    }
}

fn nudge<B: Base>(limbs: &mut [B], delta: i8) {
    match delta {
        1 => slice::add::increment(limbs, true),
        -1 => slice::sub::decrement(limbs, true),
        _ => false,
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    fn batches<B: Base>(bits: u64, instances: usize, places: Places) -> Vec<Batch<B>> {
        Operands::new(5).batches(IntType::unsigned(bits).unwrap(), 3, instances, places).unwrap()
    }

    #[test]
    fn every_shape_and_relation_is_there() {
        let all = batches::<u32>(131, 64, Places::default());
        assert_eq!(all, batches::<u32>(131, 64, Places::default()));
        let top = slice::bits::top_mask::<u32>(131);
        let ones = [u32::MAX, u32::MAX, u32::MAX, u32::MAX, top];
        let of = |instance: &[u32]| (0..64).filter(|&i| all[0].instance(i) == instance).count();
        assert!([&ones[..], &[0; 5], &[1, 0, 0, 0, 0]].iter().all(|instance| of(instance) >= 8));
        let pairs = || (0..64).map(|i| (all[0].instance(i), all[1].instance(i)));
        let complements = pairs().filter(|(a, b)| a[..4].iter().zip(b).all(|(a, b)| *a == !b)).count();
        let equal = pairs().filter(|(a, b)| a == b).count();
        assert!(complements >= 7 && equal >= 7, "{complements} complements, {equal} equal pairs");
    }

    #[test]
    fn divisors_have_every_length() {
        let mut operands = Operands::new(3);
        let ty = IntType::unsigned(1000).unwrap();
        let mut all: Vec<Batch<u64>> = operands.batches(ty, 2, 2000, Places::default()).unwrap();
        operands.divisions(&mut all);
        let lengths: std::collections::BTreeSet<usize> =
            (0..2000).map(|i| slice::bits::significant(&all[1].instance(i)).len()).collect();
        assert_eq!(lengths, (0..=16).collect());
        let values: Vec<Vec<num_bigint::BigUint>> = all.iter().map(Batch::to_biguints).collect();
        let exact = (0..2000).filter(|&i| {
            let [u, v] = [&values[0][i], &values[1][i]];
            v.bits() > 64 && u >= v && u % v == num_bigint::BigUint::ZERO
        });
        assert!(exact.take(20).count() == 20);
    }

    #[test]
    fn batches_are_whole_and_in_their_layout() {
        let places =
            Places { inputs: Layout::Interleaved, output: Layout::InstanceMajor, broadcast_last: true };
        let all = batches::<u128>(1000, 33, places);
        let shapes: Vec<_> = all.iter().map(|batch| (batch.instances(), batch.layout())).collect();
        assert_eq!(shapes, [33, 33, 1].map(|n| (n, Layout::Interleaved)));
        for batch in all {
            let (ty, layout) = (batch.ty(), batch.layout());
            assert!(Batch::from_limbs(ty, layout, batch.into_limbs()).is_ok());
        }
    }

    #[test]
    fn runs_reach_the_top() {
        let mut operands = Operands::new(1);
        let mut limbs = [0_u64; 4];
        let mut seen = [false; 2];
        for _ in 0..50 {
            operands.integer(Shape::Runs, &mut limbs);
            seen[(limbs[3] >> 63) as usize] = true;
        }
        assert_eq!(seen, [true, true]);
    }
}
