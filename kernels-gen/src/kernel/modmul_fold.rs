//! Kernels of powers and of sequences of products modulo one number for all instances, by folds: `docs/modmul_fold.md`.

mod sequence;
mod shape;

use minijinja::context;

use crate::kernel::{Geometry, Kernel};
use crate::pipeline::rendered;
use crate::spec::{Limits, SpecError, Target};
use crate::template::{Instructions, Template, Templates, render_source};
pub(crate) use sequence::{constant_words, sequence, step_words};
pub(crate) use shape::Shape;

const POWER: &str = include_str!("../../templates/modmul_fold.cu.j2");
const ROWS: &str = include_str!("../../templates/modmul_fold_rows.cu.j2");

/// Threads of a block that makes rows.
const ROW_THREADS: u32 = 32;

/// From the modulus of all instances to the rows, and for sequences the multiple behind them.
pub(crate) fn rows(shape: &Shape, (target, limits): (Target, &Limits)) -> Result<Kernel, SpecError> {
    let Shape { words, upper, .. } = *shape;
    let unit = shape.unit_bits();
    let values = context! {
        spec => format!("modmul_fold rows words={words} folded={upper} unit={unit} target={target}"),
        words,
        upper,
        unit,
        threads => ROW_THREADS,
        templates => Template::DigitRows.text(),
    };
    let geometry = Geometry { threads: ROW_THREADS, instances: 1, planes: 1, shared_bytes: 0 };
    let kernel = rendered(render_source(ROWS, values)?, &["n"], geometry, limits)?;
    let threads = 16 * shape.chunks() + u32::from(unit > 0);
    Ok(kernel.with_planes(threads.div_ceil(ROW_THREADS)))
}

fn instructions(words: u32, target: Target) -> Result<String, SpecError> {
    let of_products = Instructions::ThreadProducts(words + 1);
    let all = [Instructions::Matrices, Instructions::Residues, Instructions::Multiples, of_products];
    Instructions::text(&all, target)
}

/// From bases, exponents and rows to numbers that are the powers modulo N; the second result is the table of powers. Bases
/// and exponents may be one for all.
pub(crate) fn power(
    shape: &Shape,
    [base, exponent]: [bool; 2],
    (target, limits): (Target, &Limits),
) -> Result<Kernel, SpecError> {
    if !limits.matrices {
        return Err(SpecError::Matrices);
    }
    let Shape { words, warps, .. } = *shape;
    let stride = |is_broadcast: bool| if is_broadcast { 0 } else { words };
    let values = context! {
        spec => format!("modmul_fold power words={words} broadcast={base},{exponent} warps={warps} target={target}"),
        words,
        warps,
        window => shape.window(),
        base_stride => stride(base),
        exponent_stride => stride(exponent),
        instructions => instructions(words, target)?,
        templates => Templates::of([Template::ModmulFold]).texts(),
    };
    let kernel = rendered(render_source(POWER, values)?, &["x", "e", "rows"], shape.geometry(), limits)?;
    Ok(kernel.with_outputs(2))
}
