//! The predicted times against the parameter: the refined ones, and dashed the bounds of Theorem 1.

use limbforge::algos::model::{Choice, Machine};
use limbforge_cli::chart::{Axis, Chart, Line, Stroke, extent};
use limbforge_cli::error::CliError;

use super::prediction::Prediction;

pub(super) fn svg(predictions: &[Prediction], machine: &Machine) -> Result<String, CliError> {
    let refined = predictions.iter().map(|prediction| {
        line(prediction, prediction.application.to_string(), Stroke::Solid, |choice| choice.refined_seconds)
    });
    let bounds = predictions.iter().map(|prediction| {
        let name = format!("{}, Theorem 1", prediction.application.name());
        line(prediction, name, Stroke::Reference, |choice| choice.seconds)
    });
    let lines: Vec<Line> = refined.chain(bounds).collect();
    let last = lines.iter().flat_map(|line| &line.points).map(|&(x, _)| x).fold(1.0, f64::max);
    let (multiprocessors, transfer) = (machine.multiprocessors(), machine.transfer());
    Chart {
        title: format!("Predicted times, {multiprocessors} multiprocessors, U = {transfer:.1}"),
        x_label: "program parameter s".to_owned(),
        y_label: "milliseconds".to_owned(),
        x: 0..=last.ceil() as u32,
        y: Axis::logarithmic(extent(&lines, 2.0)),
        lines,
    }
    .to_svg()
}

fn line(prediction: &Prediction, name: String, stroke: Stroke, seconds: fn(&Choice) -> f64) -> Line {
    let point = |choice: &Choice| ((choice.s as f64).log2(), 1e3 * seconds(choice));
    Line { name, points: prediction.choices.iter().map(point).collect(), stroke }
}
