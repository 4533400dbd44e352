//! Kernels of transforms: the product `mul_ntt`, and batched transforms over a prime field.
//!
//! A product by transforms takes two kernels: one transforms, multiplies and transforms back modulo each
//! prime ([`MulNttSpec`]); the next one, of the expression around it, puts the residues together as it loads
//! them.
//!
//! A [`TransformPlan`] (`templates/ntt_tile.cuh`) is data: residues, launches, passes. [`render_transform`]
//! makes the kernel and the table of each launch.

mod bounds;
mod class;
mod launch;
mod plan;
mod range;
mod render;
mod table;

use core::fmt;

use limbforge_algos::transform::ntt::{Direction, Wrap};
use limbforge_field::DynField;

pub use crate::kernel::ntt::{
    Addend, Destination, Factor, MulNttSpec, NttInput, NttStep, Pointwise, ProductPlan, Reductions,
    product_tables, render_mul_ntt,
};
use crate::spec::SpecError;
pub use crate::spec::{DIGIT_BITS, PrimeSet, ProductForm, Residues};
pub use bounds::TransformReductions;
pub use class::ResidueClass;
pub use launch::{TransformLaunch, TransformPass};
pub use plan::TransformPlan;
pub use render::{TransformKernel, render_transform};

/// The fewest and the most points of a transform.
pub(crate) const POINTS: core::ops::RangeInclusive<u32> = 1 << 4..=1 << 24;

/// Transforms of n points, stored one after the other, from words in [0, p) to words in [0, p), both in
/// natural order. Words have 32 bits for p below 2^32, else 64.
///
/// Forward, `X_j = sum of x_i w^(ij)`, or `X_j = sum of x_i psi^(i(2j + 1))` for [`Wrap::Negacyclic`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TransformSpec {
    p: u64,
    root: u64,
    points: u32,
    wrap: Wrap,
    direction: Direction,
}

impl TransformSpec {
    /// The transform of n = `points` points, 2^k or 3 2^k with k at least 4, up to 2^24. w is the field's
    /// [`root_of_unity`](DynField::root_of_unity) of order n, psi the one of order 2n.
    ///
    /// # Errors
    /// [`SpecError::Points`] for another number of points, or if the field has no such root.
    pub fn new(field: &DynField, points: u32, wrap: Wrap, direction: Direction) -> Result<Self, SpecError> {
        let p = field.modulus();
        let refused = SpecError::Points { points, p, adicity: (p - 1).trailing_zeros() };
        let odd = points.checked_shr(points.trailing_zeros()).unwrap_or(0);
        if ![1, 3].contains(&odd) || !POINTS.contains(&(points / odd)) || points > *POINTS.end() {
            return Err(refused);
        }
        let order = u64::from(points) * if wrap == Wrap::Negacyclic { 2 } else { 1 };
        let root = field.root_of_unity(order).ok_or(refused)?;
        Ok(Self { p, root: field.value(root), points, wrap, direction })
    }

    /// p.
    #[must_use]
    pub const fn modulus(&self) -> u64 {
        self.p
    }

    /// w, or psi for a negacyclic transform.
    #[must_use]
    pub const fn root(&self) -> u64 {
        self.root
    }

    /// n.
    #[must_use]
    pub const fn points(&self) -> u32 {
        self.points
    }

    /// The polynomial modulo which products are taken.
    #[must_use]
    pub const fn wrap(&self) -> Wrap {
        self.wrap
    }

    /// Forward or inverse.
    #[must_use]
    pub const fn direction(&self) -> Direction {
        self.direction
    }

    /// Words of 32 bits of a point.
    #[must_use]
    pub const fn point_words(&self) -> u32 {
        if self.p >> 32 == 0 { 1 } else { 2 }
    }

    /// Whether the tree of the stages splits x^n + 1. The negacyclic inverse twists a cyclic inverse instead.
    pub(crate) fn splits_plus(&self) -> bool {
        self.wrap == Wrap::Negacyclic && self.direction == Direction::Forward
    }
}

impl fmt::Display for TransformSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { p, root, points, wrap, direction } = self;
        write!(f, "ntt p={p} root={root} points={points} {wrap:?} {direction:?}")
    }
}
