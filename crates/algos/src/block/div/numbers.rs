//! Operations of a division on a block's numbers, besides sums, comparisons and products.

use limbforge_limb::Base;

use crate::block::{Block, Registers};

impl<const W: usize, const Q: usize, const IPB: usize> Block<W, Q, IPB> {
    /// Limbs without zeros at the top, of each instance's number.
    pub(super) fn lengths<B: Base>(&self, a: &[[B; Q]]) -> Vec<usize> {
        self.bit_lengths(a).into_iter().map(|bits| bits.div_ceil(B::BITS) as usize).collect()
    }

    /// 0 in every instance.
    pub(super) fn zeros<B: Base>() -> Registers<B, Q> {
        vec![[B::ZERO; Q]; Self::LANES]
    }

    /// `B^exponents[i] mod B^W` in instance i.
    pub(super) fn powers<B: Base>(&self, exponents: &[usize]) -> Registers<B, Q> {
        self.each_limb(|thread, i| if i == exponents[thread.instance] { B::ONE } else { B::ZERO })
    }

    /// 1 in the instances where `condition` holds, 0 in the others.
    pub(super) fn ones_where<B: Base>(&self, condition: &[bool]) -> Registers<B, Q> {
        self.each_limb(|thread, i| if i == 0 && condition[thread.instance] { B::ONE } else { B::ZERO })
    }

    /// The sign bit of each instance's number in two's complement.
    pub(super) fn negatives<B: Base>(&self, a: &[[B; Q]]) -> Vec<bool> {
        self.bit_lengths(a).into_iter().map(|bits| bits == W as u32 * B::BITS).collect()
    }

    /// `floor(a B^limbs[i])` in instance i.
    pub(super) fn shifted<B: Base>(
        &self,
        a: &[[B; Q]],
        limbs: impl IntoIterator<Item = isize>,
    ) -> Registers<B, Q> {
        let bits: Vec<i64> = limbs.into_iter().map(|limbs| limbs as i64 * i64::from(B::BITS)).collect();
        self.shift_each(a, &bits, false)
    }

    /// `floor(a B^limbs)` in every instance.
    pub(super) fn by_limbs<B: Base>(&self, a: &[[B; Q]], limbs: isize) -> Registers<B, Q> {
        self.shifted(a, vec![limbs; self.instances()])
    }

    /// `floor((low + high B^W) / B^limbs[i]) mod B^W` in instance i, in two's complement.
    pub(super) fn upper_limbs<B: Base>(&self, parts: [&[[B; Q]]; 2], limbs: &[usize]) -> Registers<B, Q> {
        let negative = self.negatives(parts[1]);
        let shared = parts.map(|part| self.scatter(part));
        // Barrier.
        self.each_limb(|thread, i| {
            let at = limbs[thread.instance] + i;
            let fill = if negative[thread.instance] { B::HIGHEST } else { B::ZERO };
            shared.get(at / W).map_or(fill, |part| part[thread.instance * Self::STRIDE + at % W])
        })
    }

    /// A number of a few limbs that one thread of each instance computes from the number's limbs.
    pub(super) fn by_one_thread<B: Base>(
        &self,
        a: &[[B; Q]],
        compute: impl Fn(usize, &[B]) -> Vec<B>,
    ) -> Registers<B, Q> {
        let shared = self.scatter(a);
        // Barrier. Phase: the first thread of each instance reads the number, and writes the result to shared
        // memory.
        let number = |instance: usize| &shared[instance * Self::STRIDE..][..W];
        let results = self.each_instance(|instance| compute(instance, number(instance)));
        // Barrier.
        self.each_limb(|thread, i| results[thread.instance].get(i).copied().unwrap_or(B::ZERO))
    }
}
