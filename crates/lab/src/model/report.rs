//! Predictions as text.

use limbforge::algos::model::{Machine, Refinement};
use limbforge_cli::table::aligned;

use super::prediction::{Measured, Prediction};

const HEADER: [&str; 12] =
    ["", "s", "threads", "words", "W", "S", "O", "N", "L", "C", "bound ms", "refined ms"];
const MEASURED: [&str; 2] = ["measured ms", "ratio"];
const PAPER: &str = "paper's ms";

pub(super) fn to_text(predictions: &[Prediction], machine: &Machine) -> String {
    let refinement = machine.refinement();
    let mut text = format!(
        "U = {}, Z = {} words, {} multiprocessors, {:.3} ns an operation\n\
         refined: {} lanes, {}\n\
         marked: -> the least refined time, + the least bound (N/P + L) C\n",
        number(machine.transfer()),
        machine.local_words(),
        machine.multiprocessors(),
        machine.seconds(1e9),
        refinement.lanes,
        costs(&refinement),
    );
    for prediction in predictions {
        let measured = prediction.measured.iter().flat_map(|_| MEASURED);
        let paper = if prediction.paper.is_empty() { None } else { Some(PAPER) };
        let head = HEADER.into_iter().chain(measured).chain(paper).map(str::to_owned).collect();
        let rows = (0..prediction.choices.len()).map(|i| cells(prediction, i, machine));
        let lines: Vec<_> = [head].into_iter().chain(rows).collect();
        text += &format!("\n{}\n\n{}\n", prediction.application, aligned(&lines, &[0]).join("\n"));
        if let Some(measured) = &prediction.measured {
            text += &more_text(prediction, measured);
        }
    }
    text
}

fn costs(refinement: &Refinement) -> String {
    format!(
        "{:.2} us a launch, {:.1} ns a wait, {:.2} ns an operation of a lane, {:.3} ps a word",
        1e6 * refinement.launch,
        1e9 * refinement.wait,
        1e9 * refinement.operation,
        1e12 * refinement.word
    )
}

/// The line of a choice.
fn cells(prediction: &Prediction, i: usize, machine: &Machine) -> Vec<String> {
    let choice = &prediction.choices[i];
    let (measures, transfer) = (&choice.measures, machine.transfer());
    let mark = match (choice.s == prediction.best_refined, choice.s == prediction.best) {
        (true, true) => "-> +",
        (true, false) => "->",
        (false, true) => "+",
        (false, false) => "",
    };
    let mut cells = vec![mark.to_owned()];
    cells.extend([choice.s, choice.threads, choice.local_words].map(|cell| cell.to_string()));
    let values = [
        measures.work,
        measures.span,
        measures.overhead(transfer),
        measures.blocks,
        measures.path,
        measures.slowest_block(transfer),
        1e3 * choice.seconds,
        1e3 * choice.refined_seconds,
    ];
    cells.extend(values.map(number));
    let or_dash = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), number);
    if let Some(measured) = &prediction.measured {
        let time = measured.choices[i];
        cells.push(or_dash(time));
        cells.push(or_dash(time.map(|ms| ms / (1e3 * choice.refined_seconds))));
    }
    if !prediction.paper.is_empty() {
        let paper = prediction.paper.iter().find(|(s, _)| *s == choice.s);
        cells.push(or_dash(paper.map(|&(_, ms)| ms)));
    }
    cells
}

/// The best measured choice, the time by transforms, and the fits.
fn more_text(prediction: &Prediction, measured: &Measured) -> String {
    let mut text = String::new();
    if let (Some((s, _)), Some(ratio)) = (measured.best(&prediction.choices), prediction.ratio_to_best()) {
        let chosen = prediction.best_refined;
        text += &format!("\nbest measured: s = {s}; s = {chosen} takes {ratio:.3} of its time\n");
    }
    if let Some(ms) = measured.transforms {
        text += &format!("\nmeasured by transforms: {} ms\n", number(ms));
    }
    let bound = match &measured.fitted {
        Ok((machine, best)) => format!(
            "U = {}, {:.3} ns an operation; best s = {best}",
            number(machine.transfer()),
            machine.seconds(1e9)
        ),
        Err(error) => format!("no machine explains them ({error})"),
    };
    let refined = match &measured.refinement {
        Ok((refinement, best)) => format!("{}; best s = {best}", costs(refinement)),
        Err(error) => format!("nothing explains them ({error})"),
    };
    text += &format!("\nbound fitted to the measured times: {bound}\n");
    text + &format!("refined fitted to the measured times: {refined}\n")
}

/// Four digits.
fn number(value: f64) -> String {
    match value.abs() {
        large if large >= 1e7 => format!("{value:.3e}"),
        large if large >= 1000.0 => format!("{value:.0}"),
        middle if middle >= 1.0 => {
            let decimals = 3 - middle.log10().floor() as usize;
            let text = format!("{value:.decimals$}");
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        }
        _ => format!("{value:.4}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_four_digits() {
        let cases =
            [(25.0, "25"), (25.126, "25.13"), (999.96, "1000"), (12345.6, "12346"), (0.00012, "0.0001")];
        for (value, text) in cases {
            assert_eq!(number(value), text);
        }
        assert_eq!(
            (number(1.5e9), number(-3.0), number(0.0)),
            ("1.500e9".into(), "-3".into(), "0.0000".into())
        );
    }
}
