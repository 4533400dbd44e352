//! Which product a program uses: measured times, as data.

use limbforge_algos::expr::Op;
use limbforge_algos::mul_tensor::TILE_WORDS;

use super::products::is_product;
use super::{Launch, LaunchKernel, Product, Program, ProgramSpec};
use crate::ntt::{Form, ProductPlan};
use crate::resources::Limits;
use crate::tensor::TensorPlan;

/// Milliseconds of a low product on an H200 for 2^32 bits of each operand, by words of 32 bits.
type Times = [(f64, f64)];

/// `mul_classical`: `benches/results/h200/bench-mul-classical.json`.
const CLASSICAL: &Times = &[
    (16.0, 0.388),
    (32.0, 0.594),
    (64.0, 1.04),
    (128.0, 1.76),
    (256.0, 3.21),
    (512.0, 6.12),
    (1024.0, 10.7),
    (2048.0, 20.0),
];

/// `mul_tensor` at whole tiles: `benches/results/h200/bench-mul-tensor.json`; the last row with the plan of that width
/// alone.
const TENSOR: &Times = &[
    (16.0, 0.516),
    (32.0, 0.526),
    (64.0, 0.553),
    (96.0, 0.648),
    (128.0, 0.624),
    (192.0, 0.685),
    (256.0, 0.779),
    (384.0, 1.04),
    (512.0, 1.19),
    (768.0, 1.70),
    (1024.0, 2.14),
    (1536.0, 3.10),
    (2048.0, 3.96),
    (4096.0, 7.66),
];

/// `mul_ntt` at as many points as words: `benches/results/h200/bench-mul-ntt.json`.
const TRANSFORMS: &Times = &[
    (16.0, 2.37),
    (32.0, 3.58),
    (64.0, 2.55),
    (128.0, 3.27),
    (256.0, 2.94),
    (512.0, 3.49),
    (1024.0, 3.84),
    (2048.0, 3.95),
    (4096.0, 4.27),
    (8192.0, 4.71),
    (16384.0, 6.43),
    (32768.0, 9.81),
];

/// What several products that share transforms take of as many alone: Poly takes 3.05 products instead of 4.
const SHARED: f64 = 0.76;

/// A kernel of other operations reads and writes about three batches.
const LINEAR: f64 = 0.37;

/// Of a product of `words` words, between two rows on a line, beyond the last one in proportion to the width.
fn milliseconds(times: &Times, words: u32) -> f64 {
    let words = f64::from(words);
    let above = times.iter().position(|row| row.0 >= words);
    match above {
        Some(0) => times[0].1,
        Some(above) => {
            let (below, above) = (times[above - 1], times[above]);
            below.1 + (above.1 - below.1) * (words - below.0) / (above.0 - below.0)
        }
        None => times.last().map_or(0.0, |last| last.1 * words / last.0),
    }
}

/// An instance takes as long as one of whole tiles.
fn tensor_milliseconds(words: u32) -> f64 {
    let tile = TILE_WORDS as u32;
    let padded = if words <= tile / 2 { tile / 2 } else { words.next_multiple_of(tile) };
    milliseconds(TENSOR, padded) * f64::from(padded) / f64::from(words)
}

/// An instance takes as long as one of as many points.
fn transform_milliseconds(words: u32) -> Option<f64> {
    let points = ProductPlan::new(words, Form::Low, 1).ok()?.points();
    Some(milliseconds(TRANSFORMS, points) * f64::from(points) / f64::from(words))
}

/// Whether a product is one that was measured on tensor cores.
const fn is_low(op: &Op) -> bool {
    matches!(op, Op::Mul | Op::Sqr)
}

/// Products of an expression.
fn products(spec: &ProgramSpec) -> impl Iterator<Item = &Op> {
    spec.dag.nodes().iter().map(|node| &node.op).filter(|op| is_product(op))
}

/// Milliseconds of the products alone; None where they were not measured.
fn products_milliseconds(spec: &ProgramSpec, product: Product) -> Option<f64> {
    let words = spec.limb.instance_words(spec.ty);
    let count = products(spec).count();
    let each = match product {
        Product::Ntt => transform_milliseconds(words)? * if count > 1 { SHARED } else { 1.0 },
        Product::Tensor => tensor_milliseconds(words),
        Product::Classical | Product::Auto => milliseconds(CLASSICAL, words),
    };
    products(spec).all(is_low).then_some(each * count as f64)
}

/// Milliseconds of the kernels of other operations beside products on tensor cores.
fn linear_milliseconds(program: &Program) -> f64 {
    let linear = |launch: &&Launch| matches!(launch.kernel, LaunchKernel::Expression(_));
    LINEAR * program.launches.iter().filter(linear).count() as f64
}

/// What a program of this product takes on an H200 for 2^32 bits of each operand; None where its products were not
/// measured.
pub(super) fn estimate(spec: &ProgramSpec, product: Product, program: &Program) -> Option<f64> {
    let others = if product == Product::Tensor { linear_milliseconds(program) } else { 0.0 };
    Some(products_milliseconds(spec, product)? + others)
}

/// The product for [`Product::Auto`]; `tensor` is the program that `mul_tensor` would take.
pub(super) fn choose(
    spec: &ProgramSpec,
    limits: &Limits,
    tensor: impl FnOnce() -> Option<Program>,
) -> Product {
    let words = spec.limb.instance_words(spec.ty);
    if products(spec).next().is_none() {
        return Product::Classical;
    }
    let others = if ProductPlan::is_faster(words) { Product::Ntt } else { Product::Classical };
    if !products(spec).all(is_low) || TensorPlan::new(words, Form::Low, limits).is_err() {
        return others;
    }
    let other = products_milliseconds(spec, others).unwrap_or(f64::INFINITY);
    // What other kernels add cannot be less than nothing.
    let Some(alone) = products_milliseconds(spec, Product::Tensor).filter(|alone| *alone < other) else {
        return others;
    };
    match tensor() {
        Some(program) if alone + linear_milliseconds(&program) <= other => Product::Tensor,
        _ => others,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_between_rows_and_beyond() {
        let times: &Times = &[(16.0, 1.0), (32.0, 2.0), (64.0, 6.0)];
        for (words, expected) in
            [(1, 1.0), (16, 1.0), (24, 1.5), (32, 2.0), (48, 4.0), (64, 6.0), (128, 12.0)]
        {
            assert!((milliseconds(times, words) - expected).abs() < 1e-9, "{words}");
        }
    }

    /// What `benches/results/h200/bench-mul-tensor.json` has at widths between whole tiles.
    #[test]
    fn estimates_are_near_what_was_measured() {
        for (words, measured) in [(94, 0.694), (157, 0.719), (313, 1.07), (750, 1.82), (1563, 3.42)] {
            let ratio = tensor_milliseconds(words) / measured;
            assert!((0.85..1.15).contains(&ratio), "{words} words: {ratio}");
        }
        for (words, measured) in [(157, 4.84), (313, 5.21), (3125, 5.34)] {
            let ratio = transform_milliseconds(words).unwrap_or(0.0) / measured;
            assert!((0.8..1.2).contains(&ratio), "{words} words: {ratio}");
        }
    }
}
