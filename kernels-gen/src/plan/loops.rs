//! The loops of programs for which products of matrices are faster: in residue number systems, `docs/modmul_rns.md`, or by
//! folds, `docs/modmul_fold.md`.

use limbforge_limb::IntType;

use super::planner::Planner;
use super::powers::{Gains, MEASURED, gain};
use crate::pipeline::{Product, SequenceSpec};

/// Rounds of products alone, those of `vdf.lf`, with a modulus of each instance: `benches/results/h200/programs-rns.jsonl`.
const PRODUCTS: Gains = &[(2048, 1.61), (3072, 1.96), (4096, 2.07), (8192, 1.53)];

/// Rounds of products of sums, those of `ecm.lf`. At 1024, 2048 and 8192 bits the programs' kernels are faster.
const SUMS: Gains = &[(3072, 1.05), (4096, 1.10)];

/// Both modulo one number, by folds: `benches/results/h200/programs-fold.jsonl`.
const FOLDED_PRODUCTS: Gains = &[
    (384, 1.34),
    (512, 1.70),
    (640, 1.71),
    (768, 1.83),
    (896, 2.73),
    (1024, 2.09),
    (1152, 3.77),
    (1280, 3.23),
    (1408, 2.65),
    (1536, 2.42),
];
const FOLDED_SUMS: Gains = &[
    (512, 1.12),
    (640, 1.18),
    (768, 1.24),
    (896, 1.66),
    (1024, 1.28),
    (1152, 2.39),
    (1280, 2.00),
    (1408, 1.66),
    (1536, 1.46),
];

impl Planner {
    /// The product with which loops over residues of a type are fastest, and its rate over that of programs' kernels, if
    /// one was measured at widths on both sides and on this architecture, and is faster.
    ///
    /// ```
    /// use limbforge_kernels_gen::{Planner, Product};
    /// let (planner, ty) = (Planner::new(90), limbforge_limb::IntType::unsigned(2048).unwrap());
    /// let [with_sums, products_alone] = [true, false].map(|sums| planner.residue_loops(ty, sums, false));
    /// assert_eq!((with_sums, products_alone), (None, Some((Product::Rns, 1.61))));
    /// ```
    #[must_use]
    pub fn residue_loops(&self, ty: IntType, has_sums: bool, one_modulus: bool) -> Option<(Product, f64)> {
        let [rns, folds] = if has_sums { [SUMS, FOLDED_SUMS] } else { [PRODUCTS, FOLDED_PRODUCTS] };
        let folds = if one_modulus { folds } else { &[] };
        let measured =
            [(Product::Rns, rns), (Product::Fold, folds)].into_iter().filter_map(|(product, gains)| {
                gain(gains, ty.bits())
                    .filter(|_| SequenceSpec::exists(product, ty))
                    .map(|gain| (product, gain))
            });
        measured.filter(|_| self.device().arch == MEASURED).max_by(|a, b| a.1.total_cmp(&b.1))
    }
}
