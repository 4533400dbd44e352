//! Kernels of chains of products, and the instances of kernels.

use minijinja::context;

use super::render::{joining, kernel};
use super::{Shape, System};
use crate::invariant::broken_invariant;
use crate::kernel::Kernel;
use crate::spec::{Limits, SpecError, Target};

pub(super) const CHAIN: &str = include_str!("../../../templates/modmul_rns_chain.cu.j2");

/// The instances of a kernel.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Instances {
    /// Words of 32 bits of an integer.
    pub(crate) words: u32,
    /// Columns of residues: one, or two of a Lucas sequence.
    pub(crate) columns: u32,
    /// Whether a last operand is a dense list of them.
    pub(crate) is_dense: bool,
}

impl Instances {
    /// Those of powers.
    pub(crate) const fn of_batch(words: u32) -> Self {
        Self { words, columns: 1, is_dense: false }
    }

    /// The names of operands, with that of the list.
    pub(super) fn operands<'n>(&self, names: &[&'n str]) -> Vec<&'n str> {
        names.iter().copied().chain(self.is_dense.then_some("list")).collect()
    }

    /// As a kernel's canonical text has them.
    pub(super) fn text(&self) -> String {
        let columns = if self.columns == 1 { String::new() } else { format!(" columns={}", self.columns) };
        format!("words={}{columns}{}", self.words, if self.is_dense { " dense" } else { "" })
    }
}

/// The residues in base 2 of a chain of products of each instance of a dense list, along the bits of its exponent: a
/// power of 2, or two numbers of a Lucas sequence. Then the third result is what products have subtracted.
pub(crate) fn chain(
    system: &System,
    shape: &Shape,
    instances: Instances,
    (target, limits): (Target, &Limits),
) -> Result<Kernel, SpecError> {
    let Shape { residues, tiles, team_warps, teams, stages, .. } = *shape;
    if shape.warpgroups {
        broken_invariant("a chain of products is by warps");
    }
    let (bits, columns) = (system.plan().bits, instances.columns);
    let values = context! {
        spec => format!(
            "modmul_rns chain bits={bits} {} tiles={tiles} team={team_warps} teams={teams} stages={stages} \
             target={target}",
            instances.text()
        ),
        residues,
        joining => joining(shape),
        tiles,
        columns,
        team_warps,
        teams,
        stages,
        words => instances.words,
    };
    let [threads, of_block, shared_bytes] = shape.geometry();
    let geometry = [threads, of_block / columns, shared_bytes];
    let operands = instances.operands(&["state", "moduli", "e", "constants", "rows"]);
    let kernel = kernel(CHAIN, values, &operands, geometry, target, limits)?;
    Ok(kernel.with_outputs(if columns == 2 { 3 } else { 1 }))
}
