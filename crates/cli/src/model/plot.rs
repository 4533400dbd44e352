//! The predicted times against the parameter.

use limbforge::algos::model::Machine;

use super::Prediction;
use crate::chart::{Axis, Chart, Line, Stroke};

pub(super) fn svg(predictions: &[Prediction], machine: &Machine) -> String {
    let lines: Vec<Line> = predictions.iter().map(line).collect();
    let points = || lines.iter().flat_map(|line| &line.points);
    let (least, most) =
        points().fold((f64::MAX, f64::MIN_POSITIVE), |(least, most), &(_, y)| (least.min(y), most.max(y)));
    let last = points().map(|&(x, _)| x).fold(1.0, f64::max).ceil() as u32;
    Chart {
        title: format!(
            "Predicted times, {} multiprocessors, U = {:.1}",
            machine.multiprocessors(),
            machine.transfer()
        ),
        x_label: "program parameter s".to_owned(),
        y_label: "milliseconds".to_owned(),
        x: 0..=last,
        // With room above and below.
        y: Axis::Logarithmic { least: least / 2.0, most: most * 2.0 },
        lines,
    }
    .to_svg()
}

fn line(prediction: &Prediction) -> Line {
    let point = |s: u64, seconds: f64| ((s as f64).log2(), 1e3 * seconds);
    let points = prediction.choices.iter().map(|choice| point(choice.s, choice.seconds)).collect();
    Line { name: prediction.application.to_string(), points, stroke: Stroke::Solid }
}
