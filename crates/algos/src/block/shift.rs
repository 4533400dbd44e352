//! Shifts by a number of bits that is the same for all instances, and shifts and rotations by an amount for
//! each instance, through shared memory.
//!
//! Every thread writes its limbs to shared memory. After a barrier it reads, for each limb of the result, the
//! two limbs that it is made of. Limbs outside the number read as zero, or as copies of the sign. A shift by
//! `M * BITS` or more leaves only those. A rotation is two shifts of the same shared memory.

use limbforge_limb::Base;

use crate::block::batch::{batch_functions, map_limbs};
use crate::block::{Block, LengthError, Registers, Thread};

batch_functions! {
    /// `a * 2^bits mod B^M` for each of `n` instances of M limbs.
    shl(a; bits: u32) -> Vec<B>: map_limbs(|block| block.shift_all(&a, bits.into(), false));
    /// `floor(a / 2^bits)` for each of `n` unsigned instances of M limbs.
    shr(a; bits: u32) -> Vec<B>: map_limbs(|block| block.shift_all(&a, -i64::from(bits), false));
    /// `floor(a / 2^bits)` for each of `n` two's complement instances of M limbs.
    shr_signed(a; bits: u32) -> Vec<B>: map_limbs(|block| block.shift_all(&a, -i64::from(bits), true));
}

/// `floor(a * 2^amount) mod B^M`, unsigned or two's complement, for each of `n` instances of M limbs: a shift
/// to the right by a negative amount.
///
/// # Errors
/// [`LengthError`] if the operand is not `n * M` limbs, or there are not `n` amounts.
pub fn shift_by<B: Base, const M: usize, const Q: usize, const IPB: usize>(
    n: usize,
    a: &[B],
    amounts: &[i64],
    signed: bool,
) -> Result<Vec<B>, LengthError> {
    LengthError::check(n, 1, amounts.len())?;
    map_limbs::<B, 1, M, Q, IPB>(n, [a], |block, [a]| {
        block.shift_each(&a, &amounts[block.first_instance()..], signed)
    })
}

/// `a` rotated to the left by `amount mod (M * BITS)` bits, for each of `n` instances of M limbs.
///
/// # Errors
/// [`LengthError`] if the operand is not `n * M` limbs, or there are not `n` amounts.
pub fn rotate_by<B: Base, const M: usize, const Q: usize, const IPB: usize>(
    n: usize,
    a: &[B],
    amounts: &[i64],
) -> Result<Vec<B>, LengthError> {
    LengthError::check(n, 1, amounts.len())?;
    map_limbs::<B, 1, M, Q, IPB>(n, [a], |block, [a]| {
        block.rotate_each(&a, &amounts[block.first_instance()..])
    })
}

impl<const M: usize, const Q: usize, const IPB: usize> Block<M, Q, IPB> {
    /// `floor(a * 2^amount) mod B^M` of unsigned or two's complement `a` in registers.
    #[must_use]
    pub fn shift_all<B: Base>(&self, a: &[[B; Q]], amount: i64, signed: bool) -> Registers<B, Q> {
        self.shift_each(a, &vec![amount; self.instances()], signed)
    }

    /// [`shift_by`] in registers, with an amount for each instance of the block.
    #[must_use]
    pub fn shift_each<B: Base>(&self, a: &[[B; Q]], amounts: &[i64], signed: bool) -> Registers<B, Q> {
        let shared = self.scatter(a);
        // Barrier.
        self.each_limb(|thread, i| {
            let number = Self::number(&shared, thread);
            let negative = signed && number[M - 1].leading_zeros() == 0;
            shifted_limb(number, amounts[thread.instance], i, if negative { B::HIGHEST } else { B::ZERO })
        })
    }

    /// [`rotate_by`] in registers, with an amount for each instance of the block.
    #[must_use]
    pub fn rotate_each<B: Base>(&self, a: &[[B; Q]], amounts: &[i64]) -> Registers<B, Q> {
        let width = M as i64 * i64::from(B::BITS);
        let shared = self.scatter(a);
        // Barrier.
        self.each_limb(|thread, i| {
            let number = Self::number(&shared, thread);
            let left = amounts[thread.instance].rem_euclid(width);
            shifted_limb(number, left, i, B::ZERO) | shifted_limb(number, left - width, i, B::ZERO)
        })
    }

    /// The thread's number in shared memory.
    fn number<B: Base>(shared: &[B], thread: Thread) -> &[B] {
        &shared[thread.instance * Self::STRIDE..][..M]
    }
}

/// Limb `i` of `floor(number * 2^amount)`; limbs of the number from M on are `fill`.
fn shifted_limb<B: Base>(number: &[B], amount: i64, i: usize, fill: B) -> B {
    let width = number.len() as i64 * i64::from(B::BITS);
    let amount = amount.clamp(-width, width);
    let (limbs, bits) = (amount.div_euclid(B::BITS.into()), amount.rem_euclid(B::BITS.into()) as usize);
    let limb = |at: i64| usize::try_from(at).map_or(B::ZERO, |at| number.get(at).copied().unwrap_or(fill));
    let from = i as i64 - limbs;
    // A shift by BITS leaves nothing.
    let below = if bits == 0 { B::ZERO } else { limb(from - 1) >> (B::BITS as usize - bits) };
    limb(from) << bits | below
}
