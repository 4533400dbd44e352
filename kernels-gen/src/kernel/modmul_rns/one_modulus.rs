//! The kernels of one modulus for all instances: its constants, its matrices, and the way into its system.

use limbforge_algos::modmul_rns::RowLimits;
use minijinja::context;

use super::render::{CONVERTED, kernel, stride, threads_for};
use super::{Shape, System};
use crate::kernel::Kernel;
use crate::spec::{Limits, SpecError, Target};

const ONE: &str = include_str!("../../../templates/modmul_rns_one.cu.j2");
pub(super) const MATRICES: &str = include_str!("../../../templates/modmul_rns_matrices.cu.j2");
const ENTER: &str = include_str!("../../../templates/modmul_rns_enter_one.cu.j2");

/// Threads of a block that makes constants or a unit of rows.
const THREADS: u32 = 64;

impl Shape {
    /// Words of 32 bits of the factors of one modulus: four of each prime.
    pub(crate) const fn factor_words(&self) -> u32 {
        8 * self.residues
    }

    /// Units of rows of both matrices, each with a word that says whether they fit.
    pub(crate) const fn row_units(&self) -> u32 {
        2 * self.packed_units()
    }
}

/// From a modulus of so many words to the constants of its powers and to the factors of its rows.
pub(crate) fn one(
    system: &System,
    shape: &Shape,
    words: u32,
    (target, limits): (Target, &Limits),
) -> Result<Kernel, SpecError> {
    let (bits, padded) = (system.plan().bits, shape.padded());
    let values = context! {
        spec => format!("modmul_rns one bits={bits} words={words} target={target}"),
        residues => shape.residues,
        padded,
        words,
        threads => THREADS,
    };
    let kernel = kernel(ONE, values, &["n", "constants", "powers"], [THREADS, 1, 0], target, limits)?;
    Ok(kernel.with_outputs(2).with_planes((2 * padded).div_ceil(THREADS)))
}

/// From the rows of a width and the factors of a modulus to its rows; the second result is a word of each unit, 0
/// if its rows exceed these limits.
pub(crate) fn matrices(
    system: &System,
    shape: &Shape,
    row_limits: &RowLimits,
    (target, limits): (Target, &Limits),
) -> Result<Kernel, SpecError> {
    let bits = system.plan().bits;
    let RowLimits { joining, bytes } = row_limits;
    let values = context! {
        spec => format!(
            "modmul_rns matrices bits={bits} team={}{} joining={joining:?} target={target}",
            shape.team_warps,
            if shape.warpgroups { " warpgroups" } else { "" }
        ),
        warpgroups => shape.warpgroups,
        residues => shape.residues,
        unit_residues => shape.unit_residues(),
        units => shape.packed_units(),
        unit_words => shape.unit_words(),
        padded => shape.padded(),
        limits => bytes,
        threads => THREADS,
    };
    // Sums of four digits of each residue, and a flag.
    let geometry = [THREADS, 1, 16 * (shape.unit_residues() + 1)];
    let kernel = kernel(MATRICES, values, &["rows", "primes", "factors"], geometry, target, limits)?;
    Ok(kernel.with_outputs(2).with_planes(shape.row_units()))
}

/// From integers of so many words, or one for all, to their residues, and flags of instances.
pub(crate) fn enter(
    system: &System,
    shape: &Shape,
    (words, broadcast): (u32, bool),
    (target, limits): (Target, &Limits),
) -> Result<Kernel, SpecError> {
    let (bits, residues, units) = (system.plan().bits, system.residues(), shape.row_units());
    let threads = threads_for(2 * residues);
    let values = context! {
        spec => format!("modmul_rns enter one bits={bits} words={words} broadcast={broadcast} units={units} target={target}"),
        residues,
        words,
        units,
        threads,
        x_stride => stride(words, broadcast),
    };
    let geometry = [threads, CONVERTED, 16 * (words + 1)];
    let kernel = kernel(ENTER, values, &["x", "factors", "fits", "constants"], geometry, target, limits)?;
    Ok(kernel.with_outputs(2))
}
