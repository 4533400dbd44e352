//! The loops of programs for which residue number systems are faster: `docs/modmul_rns.md`.

use super::planner::Planner;
use super::powers::{Gains, MEASURED, gain};

/// Rounds of products alone, those of `vdf.lf`, with a modulus of each instance: `benches/results/h200/programs-rns.jsonl`.
const PRODUCTS: Gains = &[(2048, 1.61), (3072, 1.96), (4096, 2.07), (8192, 1.53)];

/// Rounds of products of sums, those of `ecm.lf`. At 1024, 2048 and 8192 bits the programs' kernels are faster.
const SUMS: Gains = &[(3072, 1.05), (4096, 1.10)];

impl Planner {
    /// The rate of loops over residues of so many bits in residue number systems over that of programs'
    /// kernels, if it was measured at widths on both sides and on this architecture, and they are faster.
    ///
    /// ```
    /// use limbforge_kernels_gen::Planner;
    /// let [with_sums, products_alone] = [true, false].map(|sums| Planner::new(90).residue_loops(2048, sums));
    /// assert_eq!((with_sums, products_alone), (None, Some(1.61)));
    /// ```
    #[must_use]
    pub fn residue_loops(&self, bits: u32, has_sums: bool) -> Option<f64> {
        let gains = if has_sums { SUMS } else { PRODUCTS };
        gain(gains, bits).filter(|_| self.device().arch == MEASURED)
    }
}
