//! The classical product with the balanced partition of Oancea and Watt (section 3, figures 4 to 7).
//!
//! Column k of `a * b` is the sum of all `a[i] * b[k - i]`: k + 1 terms below M, 2M - 1 - k above. In the low
//! product a thread computes columns from the first half of the number and as many mirrored ones from the
//! second half, so all threads add up the same number of terms. In the wide product it also computes the same
//! columns shifted by M, whose terms complete those of the low ones to M each.
//!
//! A chunk has `Q / 2` columns (the paper's Q); Q is the number of limbs per thread as everywhere in this
//! crate. For odd Q the lower chunk has one column more than its mirror, threads differ by up to M terms.
//!
//! | phase | step |
//! | --- | --- |
//! | 1 | operands go from registers to shared memory |
//! | 2 | every thread convolves its chunks ([`convolution`]) and packs each to width + 2 limbs |
//! | 3 | the chunks become two numbers in shared memory, low parts L and high parts H (figure 6) |
//! | 4 | `L + H` is computed by the block addition of [`add::ballot`](crate::block::add::ballot) |
//!
//! Padding to `T * Q` limbs makes the partition even; the columns past M that it adds are dropped.

use limbforge_limb::Base;

use crate::block::add::Carry;
use crate::block::batch::batch_functions;
use crate::block::{Block, Registers};
use convolution::Packed;

pub mod convolution;

pub use convolution::chunks;

batch_functions! {
    /// `a * b mod B^M` for each of `n` instances of M limbs.
    mul_low(a, b) -> Vec<B>: map_limbs(|block| block.mul_low(&a, Some(&b)));
    /// `floor(a * b / B^M)` for each of `n` instances of M limbs. All columns are computed: the low ones
    /// decide the carries.
    mul_high(a, b) -> Vec<B>: map_limbs(|block| {
        let [_, high] = block.mul_wide(&a, Some(&b));
        high
    });
    /// `a * b`, n * 2M limbs, for each of `n` instances of M limbs.
    mul_wide(a, b) -> Vec<B>: reduce_batch(|block| block.write(&block.product(&a, Some(&b), 2), 2, 2 * M));
    /// `a * a mod B^M` for each of `n` instances of M limbs, with half the limb products.
    square_low(a) -> Vec<B>: map_limbs(|block| block.mul_low(&a, None));
    /// `a * a`, n * 2M limbs, for each of `n` instances of M limbs, with half the limb products.
    square_wide(a) -> Vec<B>: reduce_batch(|block| block.write(&block.product(&a, None, 2), 2, 2 * M));
}

impl<const M: usize, const Q: usize, const IPB: usize> Block<M, Q, IPB> {
    /// The low product in registers; without `b`, the square.
    #[must_use]
    pub fn mul_low<B: Base>(&self, a: &[[B; Q]], b: Option<&[[B; Q]]>) -> Registers<B, Q> {
        let mut product = self.gather(&self.product(a, b, 1), 1, 0);
        self.clear_padding(&mut product);
        product
    }

    /// The product in registers, its lower M limbs and its upper ones; without `b`, the square.
    #[must_use]
    pub fn mul_wide<B: Base>(&self, a: &[[B; Q]], b: Option<&[[B; Q]]>) -> [Registers<B, Q>; 2] {
        let product = self.product(a, b, 2);
        // The limbs from 2M on are zero, so the upper part's padding is.
        let [mut low, high] = [0, M].map(|offset| self.gather(&product, 2, offset));
        self.clear_padding(&mut low);
        [low, high]
    }

    /// The product mod `B^(strides * STRIDE)` in shared memory; without `b`, the square. One padded length
    /// has the low product, two have the wide one.
    fn product<B: Base>(&self, a: &[[B; Q]], b: Option<&[[B; Q]]>, strides: usize) -> Vec<B> {
        let (a_shared, b_shared) = (self.scatter(a), b.map(|b| self.scatter(b)));
        // Barrier.
        let packed = self.phase(|thread| {
            if !thread.active {
                return Vec::new();
            }
            let number = thread.instance * Self::STRIDE..(thread.instance + 1) * Self::STRIDE;
            let (a, b) = (&a_shared[number.clone()], b_shared.as_ref().map(|b| &b[number]));
            let chunks = chunks::<Q>(thread.rank, Self::STRIDE, strides);
            chunks.map(|chunk| convolution::chunk(a, b, chunk)).collect()
        });
        // Barrier: the operands in shared memory are no longer needed.
        let numbers = self.publish(&packed, strides);
        // Barrier.
        self.sum(&numbers, strides)
    }

    /// The numbers that add up to the product, in shared memory: low parts L, high parts H, and, if they need
    /// a number of their own, carries.
    ///
    /// A chunk of width w puts its w low limbs into L at its columns, and its high limb and its carry into H
    /// at the two columns above it. Those belong to the next chunk's columns, whose own H starts w columns
    /// further, so nothing overlaps if chunks have two columns or more. Chunks of one column (Q <= 3) would
    /// overlap, a case that figure 6 omits: their carries go into a third number.
    fn publish<B: Base>(&self, packed: &[Vec<Packed<B>>], strides: usize) -> Vec<Vec<B>> {
        let len = strides * Self::STRIDE;
        let numbers = if Q / 2 >= 2 { 2 } else { 3 };
        let mut shared = vec![vec![B::ZERO; IPB * len]; numbers];
        for thread in self.threads().filter(|thread| thread.active) {
            for Packed { first, limbs } in &packed[thread.lane] {
                for (i, &limb) in limbs.iter().enumerate().take_while(|(i, _)| first + i < len) {
                    let number = (i + 2).saturating_sub(limbs.len() - 1).min(numbers - 1);
                    shared[number][thread.instance * len + first + i] = limb;
                }
            }
        }
        shared
    }

    /// The sum of the published numbers, mod B^len of the padded length, in shared memory.
    ///
    /// One block addition per padded length and number after the first; the carry out of the lower length
    /// enters the upper one.
    fn sum<B: Base>(&self, numbers: &[Vec<B>], strides: usize) -> Vec<B> {
        let mut out = vec![B::ZERO; IPB * strides * Self::STRIDE];
        let mut carries = vec![Vec::new(); numbers.len()];
        for part in 0..strides {
            let mut total = self.gather(&numbers[0], strides, part * Self::STRIDE);
            for (number, carries) in numbers[1..].iter().zip(&mut carries) {
                let number = self.gather(number, strides, part * Self::STRIDE);
                let left;
                (total, left) = self.combine_padded(Carry, &total, &number, carries);
                *carries = self.each_instance(|instance| left[Self::last_lane(instance)]);
            }
            // Phase: back to shared memory, each part at its place.
            for thread in self.threads().filter(|thread| thread.active) {
                let at = (thread.instance * strides + part) * Self::STRIDE + Q * thread.rank;
                out[at..at + Q].copy_from_slice(&total[thread.lane]);
            }
        }
        out
    }
}
