//! What the kernel of a plan has to hold.

use super::areas::Areas;
use super::phases::Phases;
use super::plan::Slots;

/// Tiles that are computed together, at most: of a product, and where upper halves, squares in sums or several phases take registers, too.
pub(super) const MOST_TOGETHER: u32 = 16;
pub(super) const MOST_TOGETHER_FEWER: u32 = 8;

/// What a kernel holds in shared memory.
#[derive(Clone, Copy, Debug)]
pub(super) struct Needs {
    pub(super) areas: [u32; 2],
    /// Operands that are loaded into it.
    pub(super) inputs: u32,
    /// Whether it has more than one phase.
    pub(super) intermediate: bool,
    /// Whether it has squares.
    pub(super) squares: bool,
    /// Whether it has one product, a square whose factor is nothing else.
    pub(super) lone_square: bool,
}

impl Needs {
    /// Of one product.
    pub(super) const PRODUCT: Self = Self {
        areas: Slots::ONE_PRODUCT,
        inputs: 2,
        intermediate: false,
        squares: false,
        lone_square: false,
    };

    pub(super) fn of(phases: &Phases) -> Self {
        let areas = Areas::of(phases);
        let placed = areas.inputs.iter().filter(|forms| **forms != [None, None]).count();
        Self {
            areas: areas.counts,
            inputs: placed.max(2) as u32,
            intermediate: phases.phases().len() > 1,
            squares: phases.has_squares(),
            lone_square: phases.is_lone_square(),
        }
    }

    /// Whether there is more than one low product.
    pub(super) fn are_more(&self) -> bool {
        self.areas != Slots::ONE_PRODUCT
    }

    /// Whether squares or phases take registers beside those of a product of so many tiles, which a lone square by its lower half does not.
    pub(super) const fn takes_registers(&self, tiles: u32) -> bool {
        self.intermediate || self.squares && !(self.lone_square && tiles <= MOST_TOGETHER)
    }
}
