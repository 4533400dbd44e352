//! Which product: the ladder of `limbforge_limb`, or transforms.

use limbforge_limb::Base;
use limbforge_limb::slice::mul::{self, Factors};

use crate::transform::mul_ntt;

/// From so many bits on, transforms are faster, where they run in vectors.
#[derive(Clone, Copy, Debug)]
struct Crossover {
    low: usize,
    wide: usize,
    square_low: usize,
    square_wide: usize,
}

/// Measured: with AVX-512 transforms win from 5000 (low, wide), 5600 (square, wide) and 8000 bits (square,
/// low) on, with AVX2 from 8000, 7000, 10000 and 12000 on. The limb makes little difference.
const CROSSOVER: Crossover = Crossover { low: 7168, wide: 6144, square_low: 10240, square_wide: 8192 };

/// Products of slices, each by whichever way is the fastest for its length, with their memory; one per
/// thread.
#[derive(Clone, Debug, Default)]
pub struct Product {
    ladder: mul::Scratch,
    transforms: mul_ntt::Scratch,
}

impl Product {
    /// `out = product of the factors mod B^M`, all of M limbs.
    ///
    /// # Panics
    /// If they have not.
    pub fn low<B: Base>(&mut self, out: &mut [B], factors: Factors<'_, B>) {
        if by_transforms(factors, CROSSOVER.low, CROSSOVER.square_low) {
            mul_ntt::low(out, factors, &mut self.transforms);
        } else {
            mul::low(out, factors, &mut self.ladder);
        }
    }

    /// `out = product of the factors`, 2M limbs for factors of M limbs.
    ///
    /// # Panics
    /// If they have not.
    pub fn wide<B: Base>(&mut self, out: &mut [B], factors: Factors<'_, B>) {
        if by_transforms(factors, CROSSOVER.wide, CROSSOVER.square_wide) {
            mul_ntt::wide(out, factors, &mut self.transforms);
        } else {
            mul::wide(out, factors, &mut self.ladder);
        }
    }
}

fn by_transforms<B: Base>(factors: Factors<'_, B>, pair: usize, square: usize) -> bool {
    let crossover = if matches!(factors, Factors::Pair(..)) { pair } else { square };
    factors.len() * B::BITS as usize >= crossover && mul_ntt::is_fast()
}
