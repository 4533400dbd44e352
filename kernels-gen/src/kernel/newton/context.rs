//! What the template of a division's kernels reads.

use limbforge_limb::Layout;
use minijinja::value::Serde;
use minijinja::{Value, context};

use super::spec::DivNewtonSpec;
use super::stage::{DivOutput, Plane, Slice, Stage};
use super::words::aligned;
use crate::spec::{InputSpec, SkipMask};

/// Bits of the numbers that threads hold.
pub(super) fn bits(spec: &DivNewtonSpec) -> u32 {
    match &spec.stage {
        Stage::Normalise { .. } => spec.ty.bits(),
        Stage::Sum { words, .. } => 32 * words,
        // Whole vectors are dropped.
        Stage::Difference { from, to, .. } => 32 * (aligned(from - 2) + to - from + 2),
        Stage::PartialRemainder { .. } => 32 * (aligned(spec.half / 2 - 1) + spec.half / 2 + 2),
        Stage::CorrectHigh { .. } => 32 * (spec.half + 2),
        Stage::CorrectLow { .. } => 32 * (2 * spec.half + 1),
    }
}

/// Words in memory of the divisor's top; 0 where it is no operand.
pub(super) const fn factor(stage: &Stage) -> u32 {
    match stage {
        Stage::PartialRemainder { shape, .. }
        | Stage::CorrectHigh { shape }
        | Stage::CorrectLow { shape, .. } => shape.factor,
        Stage::Difference { factor, .. } => *factor,
        Stage::Normalise { .. } | Stage::Sum { .. } => 0,
    }
}

/// Whether it reads operands of one instance.
pub(super) fn is_shared(stage: &Stage) -> bool {
    let of_one =
        |(_, slice): &(usize, Slice)| slice.broadcast || slice.factor.is_some_and(|factor| factor.broadcast);
    match stage {
        Stage::Sum { slices, .. } => slices.iter().any(of_one),
        Stage::PartialRemainder { shape, .. }
        | Stage::CorrectHigh { shape }
        | Stage::CorrectLow { shape, .. } => shape.shared,
        Stage::Normalise { .. } | Stage::Difference { .. } => false,
    }
}

pub(super) fn marks(stage: &Stage) -> bool {
    matches!(stage, Stage::CorrectLow { wanted, .. } if wanted.iter().any(|wanted| *wanted != DivOutput::Divisible))
}

/// Names of the operands.
pub(super) fn inputs(stage: &Stage) -> Vec<String> {
    let names: &[&str] = match stage {
        Stage::Normalise { dividend: None, .. } => &["divisor"],
        Stage::Normalise { .. } => &["dividend", "divisor"],
        Stage::Sum { .. } => &[],
        Stage::Difference { .. } => &["prefix", "inverse", "divisor_top", "product"],
        Stage::PartialRemainder { .. } => &["top", "divisor_top", "divisor_low", "block", "multiple"],
        Stage::CorrectHigh { .. } => {
            &["info", "dividend", "top", "divisor_top", "inverse", "block", "multiple"]
        }
        Stage::CorrectLow { .. } => &[
            "info",
            "dividend",
            "top",
            "divisor_top",
            "divisor_low",
            "rest",
            "upper",
            "multiple",
            "product",
            "block",
            "last_multiple",
        ],
    };
    let summands = if let Stage::Sum { operands, .. } = stage { *operands } else { 0 };
    let flags = stage.unless().map(|_| SkipMask::NAME);
    let named = names.iter().copied().chain(flags).map(str::to_owned);
    (0..summands).map(|i| format!("x{i}")).chain(named).collect()
}

/// What the kernel does.
pub(super) fn stage(spec: &DivNewtonSpec) -> Value {
    let values = match &spec.stage {
        Stage::Normalise { dividend, divisor, .. } => {
            let operand = |input: &InputSpec| {
                context! { broadcast => input.broadcast, interleaved => input.layout == Layout::Interleaved }
            };
            let [dividend, divisor] = [dividend, divisor].map(|input| input.as_ref().map(operand));
            context! { dividend, divisor }
        }
        Stage::Sum { slices, minus, drop, .. } => {
            // What a run owes at most: a borrow, and the carry of a product.
            let owed = |(_, slice): &(usize, Slice)| match (slice.negative, slice.factor) {
                (false, _) => 0,
                (true, None) => 1,
                (true, Some(_)) => 2,
            };
            let negative: u32 = slices.iter().map(owed).sum();
            let slices: Vec<Value> =
                slices.iter().map(|(input, slice)| context! { input, ..Serde(slice) }).collect();
            context! { slices, minus, drop, negative }
        }
        Stage::Difference { from, to, .. } => context! { from, to },
        Stage::PartialRemainder { shape, .. } | Stage::CorrectHigh { shape } => Serde(shape).into(),
        Stage::CorrectLow { wanted, output, shape } => {
            let interleaved = *output == Layout::Interleaved;
            context! { wanted => Serde(wanted), interleaved, ..Serde(shape) }
        }
    };
    context! { name => spec.stage.name(), unless => spec.stage.unless().map(|unless| unless.mask), ..values }
}

/// The planes of the result: where each begins, in words per instance, and what it holds.
pub(super) fn planes(spec: &DivNewtonSpec) -> Vec<Value> {
    let mut first = 0;
    let mut planes = vec![];
    for (i, words) in spec.planes().into_iter().enumerate() {
        let part = match &spec.stage {
            Stage::Normalise { planes, .. } => i.checked_sub(1).and_then(|i| planes.get(i)),
            _ => None,
        };
        planes.push(part.map_or_else(
            || context! { first, words },
            |&Plane { of, from, count, of_inverse, .. }| {
                context! { first, words, from, count, of => Serde(of), of_inverse }
            },
        ));
        first += aligned(words);
    }
    planes
}
