//! `limbforge primes plot`: the widest exact digits against the length of the transform.

use std::{ops::RangeInclusive, path::PathBuf};

use clap::Args;
use limbforge_field::digits::PrimeSet;

use crate::chart::{Axis, Chart, Line, Stroke};
use crate::error::CliError;
use crate::output;

/// Draw the widest exact digits against the length of the transform, for each set of primes, as SVG.
#[derive(Args, Debug)]
pub(super) struct PlotArguments {
    /// Output file, which appears when it is complete [default: standard output]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Lengths from 2^4 to 2^24 points.
const LOG2_POINTS: RangeInclusive<u32> = 4..=24;

/// Omitted sets: their widths are those of another set, or a bit off.
const OMITTED: &str = "-popular";

pub(super) fn run(arguments: &PlotArguments) -> Result<(), CliError> {
    let sets = PrimeSet::known().into_iter().filter(|set| !set.name().ends_with(OMITTED));
    let chart = Chart {
        title: "Widest exact digits of a product by transforms".to_owned(),
        x_label: "points of the transform (operands have half as many digits)".to_owned(),
        y_label: "bits of a digit".to_owned(),
        x: LOG2_POINTS,
        y: Axis::linear(72, 8),
        lines: sets.map(|set| line(&set)).collect(),
    };
    output::write(arguments.out.as_deref(), &chart.to_svg()?)
}

/// The widest digits of operands that fill half of the points, for the lengths that the set has.
fn line(set: &PrimeSet) -> Line {
    let lengths = LOG2_POINTS.take_while(|&log2| log2 <= set.adicity());
    let width = |log2: u32| set.max_digit_bits(&(1_u64 << (log2 - 1)).into());
    let points = lengths.map(|log2| (log2.into(), width(log2).into())).collect();
    Line { name: set.name().to_owned(), points, stroke: Stroke::Layered }
}
