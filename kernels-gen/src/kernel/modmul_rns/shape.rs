//! How the warps of a block share instances and rows of the matrices.

use limbforge_algos::modmul_rns::Joining;

use super::System;
use crate::spec::{Limits, SpecError};

/// Bytes of a word.
const WORD: u64 = 4;

impl System {
    /// The shape of powers by a modulus of each instance, or by one for all: of warpgroups where these are faster. Other
    /// kernels have [`Shape::new`].
    pub(crate) fn power_shape(&self, one_modulus: bool, limits: &Limits) -> Result<Shape, SpecError> {
        let (residues, plan) = (self.residues(), self.plan());
        let joining = if one_modulus { plan.row_limits().joining } else { plan.bounds.joining };
        match Shape::of_warpgroups((residues, joining, one_modulus), limits) {
            Some(shape) => Ok(shape),
            None => Shape::fitting((residues, joining, one_modulus), limits),
        }
    }
}

/// Tiles of columns, warps of a team, teams and places of rows of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    /// k, residues of a base: a multiple of 4.
    pub(crate) residues: u32,
    /// How digit sums are joined.
    pub(crate) joining: Joining,
    /// Tiles of 8 instances of a team.
    pub(crate) tiles: u32,
    /// Warps that share the units of residues of a team's instances.
    pub(crate) team_warps: u32,
    /// Whether they are a warpgroup that multiplies by `wgmma`, all of them in each unit.
    pub(crate) warpgroups: bool,
    /// Teams of a block.
    pub(crate) teams: u32,
    /// Rounds of rows in shared memory, or 0 if it holds all rows of both matrices.
    pub(crate) stages: u32,
    /// Rounds of a unit of warpgroups. Of warps a round has a unit of each of a team.
    pub(crate) parts: u32,
    /// Whether one modulus of all instances is part of the rows.
    pub(crate) one_modulus: bool,
}

/// (largest k, tiles, warps of a team, most teams): measured on an H200 at 20, 36, 68, 100, 136 and 268 residues
/// (`docs/modmul_rns.md`), with a modulus of each instance and with one. Between them and above, columns, sums and
/// about 65 words of a thread must fit its registers.
const MEASURED: [(u32, u32, u32, u32); 8] = [
    (20, 2, 1, 24),
    (44, 2, 1, 16),
    (84, 4, 3, 4),
    (116, 3, 2, 6),
    (156, 4, 2, 4),
    (216, 3, 2, 4),
    (340, 2, 1, 4),
    (u32::MAX, 1, 1, 4),
];

/// Residues of a base for which warpgroups are faster: measured on an H200 at 36, 68, 100, 136 and 268 residues.
const OF_WARPGROUPS: core::ops::RangeInclusive<u32> = 56..=280;
/// (tiles, teams, rounds of a unit) of warpgroups, the most instances first. More tiles would not leave a thread its
/// registers.
const WARPGROUPS: [(u32, u32, u32); 5] = [(12, 3, 1), (12, 2, 1), (8, 2, 1), (6, 2, 2), (4, 2, 2)];

impl Shape {
    /// The shape of warpgroups with the most instances, where these are faster.
    fn of_warpgroups(
        (residues, joining, one_modulus): (u32, Joining, bool),
        limits: &Limits,
    ) -> Option<Self> {
        if !limits.warpgroups || !OF_WARPGROUPS.contains(&residues) {
            return None;
        }
        let (team_warps, warpgroups, stages) = (4, true, 2);
        let shapes = WARPGROUPS.map(|(tiles, teams, parts)| Self {
            residues,
            joining,
            tiles,
            team_warps,
            warpgroups,
            teams,
            stages,
            parts,
            one_modulus,
        });
        shapes.into_iter().find(|shape| shape.shared_bytes() <= limits.shared_bytes)
    }

    /// The shape for so many residues of a base and a modulus of each instance that fits a device with these
    /// limits.
    pub(crate) fn new(residues: u32, joining: Joining, limits: &Limits) -> Result<Self, SpecError> {
        Self::fitting((residues, joining, false), limits)
    }

    fn fitting(
        (residues, joining, one_modulus): (u32, Joining, bool),
        limits: &Limits,
    ) -> Result<Self, SpecError> {
        let row = MEASURED.iter().find(|&&(largest, ..)| residues <= largest);
        let &(_, tiles, team_warps, most) = row.unwrap_or(&MEASURED[MEASURED.len() - 1]);
        let with = |tiles, team_warps| Self {
            residues,
            joining,
            tiles,
            team_warps,
            warpgroups: false,
            teams: 1,
            stages: 2,
            parts: 1,
            one_modulus,
        };
        // A warp to a team has the shortest rounds, and one tile the fewest numbers.
        let shapes = [(tiles, team_warps), (tiles.min(2), 1), (1, 1)];
        let mut found =
            shapes.into_iter().filter_map(|(tiles, warps)| with(tiles, warps).largest(most, limits));
        let needed = with(1, 1).shared_bytes();
        found.next().ok_or(SpecError::SharedMemory { needed, limit: limits.shared_bytes })
    }

    /// The shape with as many teams as fit, at most so many, and with all rows or a ring.
    fn largest(self, most: u32, limits: &Limits) -> Option<Self> {
        let with = |teams, stages| Self { teams, stages, ..self };
        let fits = |shape: &Self| shape.shared_bytes() <= limits.shared_bytes;
        let largest = |stages| (1..=most).rev().map(|teams| with(teams, stages)).find(fits);
        // All rows, unless that leaves less than two thirds of the instances; else the ring of more places.
        if let Some(shape) = largest(0).filter(|shape| 3 * shape.teams >= 2 * most) {
            return Some(shape);
        }
        // Of as many teams the ring of three, which is the last one.
        let rings = [largest(2), largest(3)].into_iter().flatten();
        rings.max_by_key(|shape| shape.teams).or_else(|| largest(0))
    }

    /// Residues of a unit: those of a warp, or of four.
    pub(crate) const fn unit_residues(&self) -> u32 {
        if self.warpgroups { 16 } else { 8 }
    }

    /// Units of residues of a base.
    pub(crate) const fn units(&self) -> u32 {
        self.residues.div_ceil(self.unit_residues())
    }

    /// Residues of a base with those of the rest of the last unit.
    pub(crate) const fn padded(&self) -> u32 {
        self.unit_residues() * self.units()
    }

    /// Words of 32 bits of the constants of an instance's modulus: one of a residue of each base.
    pub(crate) const fn modulus_words(&self) -> u32 {
        2 * self.padded()
    }

    /// Vectors of four words of a lane for the rows of a unit of 8 residues.
    pub(crate) const fn fragments(&self) -> u32 {
        2 * (self.residues / 8) + self.residues / 4 % 2
    }

    /// Steps of 32 bytes of the numbers of warpgroups.
    pub(crate) const fn steps(&self) -> u32 {
        self.residues.div_ceil(8).next_multiple_of(self.parts)
    }

    /// Words of 32 bits of the rows of a unit.
    pub(crate) const fn unit_words(&self) -> u32 {
        if self.warpgroups { 512 * self.steps() } else { 128 * self.fragments() }
    }

    /// Units that the warps of a team compute at the same time.
    const fn round_units(&self) -> u32 {
        if self.warpgroups { 1 } else { self.team_warps }
    }

    /// Units of a base whose rows lie in global memory: whole rounds if there is a ring.
    pub(crate) const fn packed_units(&self) -> u32 {
        if self.stages == 0 { self.units() } else { self.units().next_multiple_of(self.round_units()) }
    }

    /// Words of 32 bits of constants: four of a residue of each base, and the residues of 1 in both.
    pub(crate) const fn constant_words(&self) -> u32 {
        10 * self.padded()
    }

    /// Those in shared memory: residues of 1 in base 2 only for a modulus of each instance.
    const fn shared_constant_words(&self) -> u32 {
        self.padded() * if self.one_modulus { 8 } else { 9 }
    }

    /// Words of 32 bits of the rows of both matrices.
    pub(crate) const fn row_words(&self) -> u32 {
        2 * self.packed_units() * self.unit_words()
    }

    /// Instances of a team.
    pub(crate) const fn team_instances(&self) -> u32 {
        8 * self.tiles
    }

    /// Instances of a block.
    pub(crate) const fn instances(&self) -> u32 {
        self.team_instances() * self.teams
    }

    /// Threads of a block.
    pub(crate) const fn threads(&self) -> u32 {
        32 * self.team_warps * self.teams
    }

    /// Threads, instances and bytes of shared memory of a block. Shapes have at most as much as a device.
    pub(crate) fn geometry(&self) -> [u32; 3] {
        [self.threads(), self.instances(), u32::try_from(self.shared_bytes()).unwrap_or(u32::MAX)]
    }

    /// Words of 32 bits between the numbers of instances: vectors of neighbours lie in different banks.
    const fn pitch(&self) -> u32 {
        if self.residues % 8 == 4 { self.residues } else { self.residues + 4 }
    }

    /// Words of 32 bits of the numbers of a team, in one base.
    fn area(&self) -> u64 {
        let instances = u64::from(self.team_instances());
        let whole = self.padded().max(8 * self.steps());
        let columns = u64::from(if self.warpgroups { whole } else { self.pitch() });
        // Lanes of a last half unit read 4 more.
        instances * columns + if self.warpgroups { 0 } else { 8 }
    }

    /// Bytes of shared memory of a block.
    pub(crate) fn shared_bytes(&self) -> u64 {
        let unit = u64::from(self.unit_words());
        let rows = match self.stages {
            0 => 2 * u64::from(self.units()) * unit,
            // And four words of a place, for its barrier and the number of its readers.
            stages => u64::from(stages) * (u64::from(self.round_units()) * unit / u64::from(self.parts) + 4),
        };
        let words = rows + u64::from(self.shared_constant_words()) + 2 * u64::from(self.teams) * self.area();
        // Sums of the upper halves of residues, of this product and the next one.
        let sums = if self.warpgroups { 2 * self.instances() } else { 0 };
        // The longest exponent and the bits and number of its digits, in a vector, and where each thread is.
        let positions = if self.stages == 0 { self.threads() } else { 0 };
        WORD * (words + 4 + u64::from(sums + positions))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_measured_shapes_on_an_h200() {
        let shape = |residues| {
            let shape = Shape::new(residues, Joining::Halves, &Limits::SM_90).unwrap();
            [shape.tiles, shape.team_warps, shape.teams, shape.stages]
        };
        assert_eq!(shape(20), [2, 1, 24, 0]);
        assert_eq!(shape(36), [2, 1, 16, 0]);
        assert_eq!(shape(68), [4, 3, 4, 0]);
        assert_eq!(shape(100), [3, 2, 6, 3]);
        assert_eq!(shape(136), [4, 2, 4, 2]);
        assert_eq!(shape(268), [2, 1, 4, 2]);
    }

    #[test]
    fn the_measured_shapes_of_warpgroups() {
        let shape = |residues, limits| {
            let of = (residues, Joining::Carried, false);
            Shape::of_warpgroups(of, limits).map(|shape| [shape.tiles, shape.teams, shape.parts])
        };
        let h200 = |residues| shape(residues, &Limits::SM_90A);
        assert_eq!([56, 68, 80].map(h200), [Some([12, 3, 1]); 3]);
        assert_eq!([84, 100, 104].map(h200), [Some([12, 2, 1]); 3]);
        assert_eq!([108, 136, 144].map(h200), [Some([8, 2, 1]); 3]);
        assert_eq!([148, 164, 208].map(h200), [Some([6, 2, 2]); 3]);
        assert_eq!([212, 268, 280].map(h200), [Some([4, 2, 2]); 3]);
        assert!([52, 284].map(h200).iter().all(Option::is_none) && shape(68, &Limits::SM_90).is_none());
    }

    #[test]
    fn every_number_of_residues_fits_all_devices_with_matrices_from_8_0_on() {
        let most = [(Limits::SM_80, 468), (Limits::SM_86, 284), (Limits::SM_90, 532), (Limits::SM_100, 532)];
        for (limits, most) in most {
            for residues in (4..=most).step_by(4) {
                let shape = Shape::new(residues, Joining::Separate, &limits).unwrap();
                assert!(shape.shared_bytes() <= limits.shared_bytes && shape.threads() <= 1024, "{shape:?}");
                assert!(shape.team_warps == 1 || shape.teams < 16, "a barrier for each team: {shape:?}");
                assert!(shape.stages != 1, "{shape:?}");
            }
        }
    }
}
