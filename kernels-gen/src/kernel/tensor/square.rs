//! Squares in fewer steps than products of two numbers.

use limbforge_algos::block::mul_tensor::{COLUMNS, psi};

use super::needs::Needs;
use super::plan::{TILE, TensorPlan};
use crate::spec::WARP;

/// Tiles up to which the lower half has one copy.
const MOST_TILES_ONE_COPY: u32 = 2;

/// Tiles from which on other squares take half the steps.
const FEWEST_TILES_SQUARE: u32 = 9;

/// Lanes that share the slots of a row or column.
const THREADS: u32 = 4;

impl TensorPlan {
    /// Decides how squares of `words` words are computed, if there are any: by the lower half if it is a lone one whose tiles a warp computes
    /// together, else in half the steps if there are many.
    pub(super) const fn set_squares(&mut self, words: u32, needs: &Needs) {
        let tiles = words.div_ceil(TILE);
        if self.slots.copies == 1 {
            self.slots.copies = 2;
        }
        let (tiling, schedule) = (&mut self.tiling, &self.schedule);
        let one_group = tiles <= schedule.tiles_per_pass
            && schedule.warps_per_instance == 1
            && !tiling.wide
            && !tiling.paired;
        let halved = needs.lone_square && one_group;
        self.squaring.half = if halved { words.div_ceil(2).next_multiple_of(tiling.vector) } else { 0 };
        if halved && tiles <= MOST_TILES_ONE_COPY {
            self.slots.copies = 1;
        }
        // The top tiles have few steps less than they have more instructions where there are only few tiles.
        let many = tiles >= FEWEST_TILES_SQUARE && tiles.is_multiple_of(schedule.tiles_per_pass);
        self.squaring.squares =
            needs.squares && !halved && self.slots.prebuilt_fragments && !tiling.wide && many;
        if halved || self.squaring.squares {
            tiling.top_skip = 0;
        }
    }

    /// Instances of a stage, stages, warps and blocks of squares by their lower half: the fastest measured on an H200. Of one and two tiles all
    /// lanes have the same number of vectors, if twice the instances make that so.
    pub(super) const fn set_stages_of_halves(&mut self, words: u32) {
        let (tiling, schedule) = (&self.tiling, &mut self.schedule);
        (schedule.stage_instances, schedule.stages, schedule.warps, schedule.blocks) = match tiling.tiles {
            1 => (8, 8, 4, 10),
            2 => (4, 8, 4, 8),
            3 => (1, 16, 4, 7),
            4 => (1, 16, 4, 8),
            5..=8 => (1, 16, 2, 8),
            9..=12 => (1, 16, 1, 11),
            _ => (1, 8, 1, 10),
        };
        let vectors = schedule.stage_instances * words / tiling.vector;
        if tiling.tiles <= 2 && !vectors.is_multiple_of(WARP) && (2 * vectors).is_multiple_of(WARP) {
            (schedule.stage_instances, schedule.stages) = (2 * schedule.stage_instances, schedule.stages / 2);
        }
    }

    /// Words of the slots that a thread takes of a square with one copy (`THREAD_WORDS` of `templates/mul_tensor.cuh`): an odd number with
    /// which all columns have the digits of the lower half in reach. 0 of other products.
    #[must_use]
    pub const fn thread_words(&self) -> u32 {
        let slots = 4 * self.squaring.half + psi(COLUMNS - 1) as u32;
        if self.slots.copies == 1 { slots.div_ceil(4 * THREADS) | 1 } else { 0 }
    }
}
