//! The kernels as CUDA C++.

use limbforge_algos::modmul_rns::{Joining, Windows};
use minijinja::{Value, context};

use super::chain::{CHAIN, Instances};
use super::one_modulus::MATRICES;
use super::sequence::SEQUENCE;
use super::{Shape, System};
use crate::kernel::{Geometry, Kernel};
use crate::pipeline::rendered;
use crate::spec::{Limits, SpecError, Target};
use crate::template::{Instructions, Template, Templates, render_source};

const ENTER: &str = include_str!("../../../templates/modmul_rns_enter.cu.j2");
const POWER: &str = include_str!("../../../templates/modmul_rns_power.cu.j2");
const GROUP: &str = include_str!("../../../templates/modmul_rns_group.cu.j2");
const LEAVE: &str = include_str!("../../../templates/modmul_rns_leave.cu.j2");

/// Instances of a block that converts numbers.
pub(super) const CONVERTED: u32 = 4;
/// Threads of such a block, at most.
const MOST_THREADS: u32 = 256;

/// Whole warps of threads, as many as pass over so many items in as few turns as `MOST_THREADS`.
pub(super) fn threads_for(items: u32) -> u32 {
    items.div_ceil(items.div_ceil(MOST_THREADS)).next_multiple_of(32)
}

pub(super) fn stride(words: u32, is_broadcast: bool) -> u32 {
    if is_broadcast { 0 } else { words }
}

/// From base, P^2 mod N and modulus to the state of an instance, the constants of its modulus in the order of this
/// shape of the power's kernel, and flags. Integers have `words` words; base and modulus may be one for all.
pub(crate) fn enter(
    system: &System,
    shape: &Shape,
    instances: Instances,
    [base, modulus]: [bool; 2],
    (target, limits): (Target, &Limits),
) -> Result<Kernel, SpecError> {
    let (residues, words) = (system.residues(), instances.words);
    let threads = threads_for(2 * residues);
    let bits = system.plan().bits;
    let values = context! {
        spec => format!(
            "modmul_rns enter bits={bits} {} broadcast={base},{modulus} tiles={}{} target={target}",
            instances.text(),
            shape.tiles,
            if shape.warpgroups { " warpgroups" } else { "" }
        ),
        columns => instances.columns,
        warpgroups => shape.warpgroups,
        dense => instances.is_dense,
        residues,
        tiles => shape.tiles,
        words,
        threads,
        x_stride => stride(words, base),
        n_stride => stride(words, modulus),
    };
    let shared_bytes = 16 * (3 * words + 1);
    let moduli = if shape.warpgroups { Template::ModmulRnsGroupModuli } else { Template::ModmulRnsModuli };
    let kernel = kernel_of(
        (ENTER, &[moduli]),
        values,
        &instances.operands(&["x", "square", "n", "constants"]),
        [threads, CONVERTED, shared_bytes],
        target,
        limits,
    )?;
    Ok(kernel.with_outputs(3))
}

/// From state, constants of moduli or residues of P^2 mod N for one modulus, and exponents to the residues of powers in base 2; the second result is the table
/// of powers.
pub(crate) fn power(
    system: &System,
    shape: &Shape,
    words: u32,
    exponent: bool,
    (target, limits): (Target, &Limits),
) -> Result<Kernel, SpecError> {
    let Shape { residues, tiles, team_warps, teams, stages, parts, .. } = *shape;
    let bits = system.plan().bits;
    let window = system.window();
    let values = context! {
        spec => format!(
            "modmul_rns power bits={bits} words={words} broadcast={exponent} tiles={tiles} team={team_warps} \
             teams={teams} stages={stages} parts={parts}{}{} target={target}",
            if shape.warpgroups { " warpgroups" } else { "" },
            if shape.one_modulus { " one-modulus" } else { "" }
        ),
        residues,
        joining => joining(shape),
        tiles,
        team_warps,
        teams,
        stages,
        parts,
        one_modulus => u32::from(shape.one_modulus),
        window,
        words,
        stride => stride(words, exponent),
    };
    let moduli = if shape.one_modulus { "square" } else { "moduli" };
    let inputs = ["state", moduli, "e", "constants", "rows"];
    let kernel = if shape.warpgroups {
        let columns = shape.team_instances();
        let common = context! {
            instructions => Instructions::text(&[Instructions::Residues, Instructions::Columns(columns)], target)?,
            templates => Templates::of([Template::ModmulRnsGroup]).texts(),
        };
        made(GROUP, context! { ..values, ..common }, &inputs, shape.geometry(), limits)?
    } else {
        kernel(POWER, values, &inputs, shape.geometry(), target, limits)?
    };
    Ok(kernel.with_outputs(2))
}

/// The number of the way to join digit sums.
pub(super) const fn joining(shape: &Shape) -> u32 {
    match shape.joining {
        Joining::Halves => 0,
        Joining::Carried => 1,
        Joining::Separate => 2,
    }
}

/// From residues in base 2 and modulus to an integer of [`System::value_words`] that is the number modulo N.
pub(crate) fn leave(
    system: &System,
    instances: Instances,
    modulus: bool,
    (target, limits): (Target, &Limits),
) -> Result<Kernel, SpecError> {
    let (residues, words, out_words) = (system.residues(), instances.words, system.value_words());
    let threads = threads_for(out_words);
    let bits = system.plan().bits;
    let values = context! {
        spec => format!("modmul_rns leave bits={bits} {} broadcast={modulus} target={target}", instances.text()),
        dense => instances.is_dense,
        residues,
        words,
        out_words,
        lambda => system.plan().bounds.lambda,
        threads,
        n_stride => stride(words, modulus),
    };
    let shared_bytes = 4 * CONVERTED * (residues + 4 * out_words);
    let operands = instances.operands(&["residues", "n", "constants"]);
    kernel(LEAVE, values, &operands, [threads, CONVERTED, shared_bytes], target, limits)
}

pub(super) fn kernel(
    template: &str,
    values: Value,
    inputs: &[&str],
    geometry: [u32; 3],
    target: Target,
    limits: &Limits,
) -> Result<Kernel, SpecError> {
    let texts = match template {
        POWER => &[Template::ModmulRnsPower][..],
        CHAIN => &[Template::ModmulRnsChain],
        SEQUENCE => &[Template::ModmulRnsSequence],
        MATRICES => &[Template::DigitRows, Template::ModmulRns],
        _ => &[Template::ModmulRns],
    };
    kernel_of((template, texts), values, inputs, geometry, target, limits)
}

/// A kernel that calls the functions of templates.
fn kernel_of(
    (template, texts): (&str, &[Template]),
    values: Value,
    inputs: &[&str],
    geometry: [u32; 3],
    target: Target,
    limits: &Limits,
) -> Result<Kernel, SpecError> {
    if !limits.matrices {
        return Err(SpecError::Matrices);
    }
    let common = context! {
        instructions => Instructions::text(&[Instructions::Matrices, Instructions::Residues], target)?,
        templates => Templates::of(texts.iter().copied()).texts(),
    };
    made(template, context! { ..values, ..common }, inputs, geometry, limits)
}

fn made(
    template: &str,
    values: Value,
    inputs: &[&str],
    [threads, instances, shared_bytes]: [u32; 3],
    limits: &Limits,
) -> Result<Kernel, SpecError> {
    let source = render_source(template, values)?;
    rendered(source, inputs, Geometry { threads, instances, planes: 1, shared_bytes }, limits)
}

impl System {
    /// Most bits of a digit of an exponent.
    pub(crate) fn window(&self) -> u32 {
        Windows::of_bits(self.plan().bits.into()).width
    }

    /// Words of 32 bits of an instance's state.
    pub(crate) fn state_words(&self) -> u32 {
        4 * self.residues()
    }

    /// Words of 32 bits of an instance's table.
    pub(crate) fn table_words(&self) -> u32 {
        ((1 << self.window()) + 3) * 2 * self.residues()
    }
}
