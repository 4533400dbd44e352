//! What the kernel of a plan has to hold.

use super::super::areas::Areas;
use super::super::phases::Phases;
use super::super::rows::MOST_TOGETHER;

/// What a kernel holds in shared memory.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Needs {
    pub(in super::super) areas: [u32; 2],
    /// Operands that are loaded into it.
    pub(in super::super) inputs: u32,
    /// Whether it has more than one phase.
    pub(in super::super) intermediate: bool,
    /// Whether it has squares.
    pub(in super::super) squares: bool,
    /// Whether it has one product, a square whose factor is nothing else.
    pub(in super::super) lone_square: bool,
}

impl Needs {
    /// Of one product.
    pub(in super::super) const PRODUCT: Self =
        Self { areas: [1, 1], inputs: 2, intermediate: false, squares: false, lone_square: false };

    pub(in super::super) fn of(phases: &Phases) -> Self {
        let areas = Areas::of(phases);
        let placed = areas.inputs.iter().filter(|forms| **forms != [None, None]).count();
        let intermediate = phases.phases().len() > 1;
        Self {
            areas: areas.counts,
            inputs: placed.max(2) as u32,
            intermediate,
            squares: phases.has_squares(),
            lone_square: phases.is_lone_square(),
        }
    }

    /// Whether squares or phases take registers beside those of a product of so many tiles, which a lone square by its lower half does not.
    pub(in super::super) const fn takes_registers(&self, tiles: u32) -> bool {
        self.intermediate || self.squares && !(self.lone_square && tiles <= MOST_TOGETHER)
    }
}
