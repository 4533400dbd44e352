//! The loops of programs for which residue number systems are faster: `docs/modmul_rns.md`.

use super::planner::Planner;
use super::powers::{Gains, MEASURED, gain};

/// Not measured yet: `limbforge-lab bench programs --product rns`.
const LOOPS: Gains = &[];

impl Planner {
    /// The rate of loops over residues of so many bits in residue number systems over that of programs'
    /// kernels, if it was measured at widths on both sides and on this architecture.
    ///
    /// ```
    /// use limbforge_kernels_gen::Planner;
    /// assert_eq!(Planner::new(90).residue_loops(2048), None); // not measured yet
    /// ```
    #[must_use]
    pub fn residue_loops(&self, bits: u32) -> Option<f64> {
        gain(LOOPS, bits).filter(|_| self.device().arch == MEASURED)
    }
}
