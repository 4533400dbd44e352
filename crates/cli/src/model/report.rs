//! Predictions as text and as JSON.

use limbforge::algos::model::{Application, Machine};
use serde_json::{Value, json};

use super::{Measured, Prediction};
use crate::table::aligned;

const HEADER: [&str; 11] = ["", "s", "threads", "words", "W", "S", "O", "N", "L", "C", "ms"];
const MEASURED: [&str; 2] = ["measured ms", "ratio"];

pub(super) fn to_text(predictions: &[Prediction], machine: &Machine) -> String {
    let mut text = format!(
        "U = {}, Z = {} words, {} multiprocessors, {:.3} ns an operation\n",
        number(machine.transfer()),
        machine.local_words(),
        machine.multiprocessors(),
        machine.seconds(1e9)
    );
    for Prediction { application, choices, best, measured } in predictions {
        let mut lines = vec![HEADER.map(str::to_owned).to_vec()];
        if measured.is_some() {
            lines[0].extend(MEASURED.map(str::to_owned));
        }
        lines.extend(choices.iter().enumerate().map(|(i, choice)| {
            let (measures, transfer) = (&choice.measures, machine.transfer());
            let mut cells = vec![if choice.s == *best { "->" } else { "" }.to_owned()];
            cells.extend([choice.s, choice.threads, choice.local_words].map(|cell| cell.to_string()));
            let values = [
                measures.work,
                measures.span,
                measures.overhead(transfer),
                measures.blocks,
                measures.path,
                measures.slowest_block(transfer),
                1e3 * choice.seconds,
            ];
            cells.extend(values.map(number));
            if let Some(measured) = measured {
                let none = || "-".to_owned();
                let time = measured.choices[i];
                cells.push(time.map_or_else(none, number));
                cells.push(time.map_or_else(none, |ms| number(ms / (1e3 * choice.seconds))));
            }
            cells
        }));
        text += &format!("\n{application}\n\n{}\n", aligned(&lines, &[0]).join("\n"));
        text += &measured.as_ref().map_or_else(String::new, more_text);
    }
    text
}

/// What is measured besides, and what follows.
fn more_text(measured: &Measured) -> String {
    let mut text = String::new();
    if let Some(ms) = measured.transforms {
        text += &format!("\nmeasured by transforms: {} ms\n", number(ms));
    }
    if let Some((machine, best)) = &measured.fitted {
        text += &format!(
            "\nfitted to the measured times: U = {}, {:.3} ns an operation; best s = {best}\n",
            number(machine.transfer()),
            machine.seconds(1e9)
        );
    }
    text
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

pub(super) fn to_json(predictions: &[Prediction], machine: &Machine) -> String {
    let applications: Vec<Value> =
        predictions.iter().map(|prediction| prediction_json(prediction, machine)).collect();
    let value = json!({
        "machine": {
            "transfer": machine.transfer(),
            "local_words": machine.local_words(),
            "multiprocessors": machine.multiprocessors(),
            "block_threads": machine.block_threads(),
            "operation_seconds": machine.seconds(1.0),
        },
        "applications": applications,
    });
    format!("{value:#}\n")
}

fn prediction_json(prediction: &Prediction, machine: &Machine) -> Value {
    let sizes = match prediction.application {
        Application::Multiplication { n, m } | Application::Division { n, m } | Application::Gcd { n, m } => {
            json!({ "n": n, "m": m })
        }
        Application::RadixSort { n, bits } => json!({ "n": n, "bits": bits }),
    };
    let choices: Vec<Value> = prediction
        .choices
        .iter()
        .enumerate()
        .map(|(i, choice)| {
            let (measures, transfer) = (&choice.measures, machine.transfer());
            json!({
                "s": choice.s,
                "threads": choice.threads,
                "local_words": choice.local_words,
                "work": measures.work,
                "span": measures.span,
                "overhead": measures.overhead(transfer),
                "blocks": measures.blocks,
                "path": measures.path,
                "widest": measures.widest,
                "slowest_block": measures.slowest_block(transfer),
                "predicted_ms": 1e3 * choice.seconds,
                "measured_ms": prediction.measured.as_ref().and_then(|measured| measured.choices[i]),
            })
        })
        .collect();
    let name = prediction.application.name();
    let measured = prediction.measured.as_ref();
    let fitted = measured.and_then(|measured| measured.fitted.as_ref()).map(|(machine, best)| {
        json!({ "transfer": machine.transfer(), "operation_seconds": machine.seconds(1.0), "best": best })
    });
    json!({
        "application": name,
        "sizes": sizes,
        "best": prediction.best,
        "parameters": choices,
        "transforms_ms": measured.and_then(|measured| measured.transforms),
        "fitted": fitted,
    })
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
