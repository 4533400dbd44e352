//! The passes of a transform.

use super::NttError;

/// The modulus of polynomials: `x^n - 1` or `x^n + 1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Wrap {
    /// `x^n = 1`.
    Cyclic,
    /// `x^n = -1`.
    Negacyclic,
}

/// The direction of a transform.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// From coefficients to values.
    Forward,
    /// From values to coefficients; divides by n.
    Inverse,
}

/// Points of a butterfly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Radix {
    /// Two points.
    Two = 2,
    /// Three points.
    Three = 3,
    /// Four points: two levels of two.
    Four = 4,
}

/// Butterflies of one radix on all blocks of one length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pass {
    /// Points of the butterflies.
    pub radix: Radix,
    /// Points of a block, a multiple of the radix; a butterfly's points are `block / radix` apart.
    pub block: usize,
}

/// Points, wrap and passes of a transform.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct NttPlan {
    points: usize,
    wrap: Wrap,
    /// In the order of the forward transform, from the longest block to the shortest.
    passes: Vec<Pass>,
}

impl NttPlan {
    /// The plan for `2^k` or `3 * 2^k` points: a pass of radix 3, passes of radix 4, and one of radix 2 if k
    /// is odd.
    ///
    /// # Errors
    /// [`NttError::Points`] for another number, or for 2^48 and more.
    pub fn new(points: usize, wrap: Wrap) -> Result<Self, NttError> {
        let odd = points.checked_shr(points.trailing_zeros()).unwrap_or(0);
        if ![1, 3].contains(&odd) || points as u64 >= 1 << 48 {
            return Err(NttError::Points { found: points });
        }
        let mut passes = Vec::new();
        let mut block = points;
        while block > 1 {
            let radix = match block {
                block if block % 3 == 0 => Radix::Three,
                block if block % 4 == 0 => Radix::Four,
                _ => Radix::Two,
            };
            passes.push(Pass { radix, block });
            block /= radix as usize;
        }
        Ok(Self { points, wrap, passes })
    }

    /// n.
    #[must_use]
    pub const fn points(&self) -> usize {
        self.points
    }

    /// The modulus of polynomials.
    #[must_use]
    pub const fn wrap(&self) -> Wrap {
        self.wrap
    }

    /// The order of the required root of unity: n for w, or 2n for psi.
    #[must_use]
    pub const fn order(&self) -> u64 {
        self.points as u64 * if matches!(self.wrap, Wrap::Negacyclic) { 2 } else { 1 }
    }

    /// The passes in the order of a direction.
    pub fn passes(&self, direction: Direction) -> impl Iterator<Item = Pass> + '_ {
        let count = self.passes.len();
        (0..count).map(move |i| match direction {
            Direction::Forward => self.passes[i],
            Direction::Inverse => self.passes[count - 1 - i],
        })
    }

    /// The index of `X_j` between the two directions, for j < n: the digits of j in the radices of the
    /// passes, reversed.
    #[must_use]
    pub fn position(&self, j: usize) -> usize {
        let (mut rest, mut position) = (j, 0);
        for pass in &self.passes {
            let radix = pass.radix as usize;
            position += rest % radix * (pass.block / radix);
            rest /= radix;
        }
        position
    }
}
