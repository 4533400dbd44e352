//! `limbforge model`: what the many-core model predicts for each parameter of the four applications.

mod arguments;
mod plot;

use limbforge::algos::model::{Application, Choice, Machine, ModelError};
use serde_json::{Value, json};

use self::arguments::ApplicationArgument;
pub(crate) use self::arguments::ModelArguments;
use crate::error::CliError;
use crate::output::Output;
use crate::table::aligned;

/// An application with its parameters.
struct Prediction {
    application: Application,
    choices: Vec<Choice>,
    /// The parameter with the least bound.
    best: u64,
}

pub(crate) fn run(arguments: &ModelArguments) -> Result<(), CliError> {
    let machine = arguments.machine.machine()?;
    let chosen = match arguments.application {
        Some(application) => vec![application],
        None => ApplicationArgument::ALL.to_vec(),
    };
    let predictions = chosen.into_iter().map(|chosen| predict(arguments, chosen, &machine));
    let predictions = predictions.collect::<Result<Vec<_>, _>>()?;
    if let Some(path) = &arguments.svg {
        let mut picture = Output::create(Some(path))?;
        picture.write(plot::svg(&predictions, &machine).as_bytes())?;
        picture.finish()?;
    }
    let text = if arguments.json { to_json(&predictions, &machine) } else { to_text(&predictions, &machine) };
    let mut output = Output::create(None)?;
    output.write(text.as_bytes())?;
    output.finish()
}

/// Every parameter that fits, or those that are asked for, all of which have to fit.
fn predict(
    arguments: &ModelArguments,
    chosen: ApplicationArgument,
    machine: &Machine,
) -> Result<Prediction, CliError> {
    let application = arguments.application(chosen);
    let failed = |error: ModelError| CliError::Usage { command: "model", why: error.to_string() };
    let choices: Result<Vec<Choice>, ModelError> = if arguments.s.is_empty() {
        application.choices(application.parameters(), arguments.threads, machine)
    } else {
        arguments.s.iter().map(|&s| application.choice(s, arguments.threads, machine)).collect()
    };
    let choices = choices.map_err(failed)?;
    let best = application.best(choices.iter().map(|choice| choice.s), arguments.threads, machine);
    Ok(Prediction { application, best: best.map_err(failed)?.s, choices })
}

const HEADER: [&str; 11] = ["", "s", "threads", "words", "W", "S", "O", "N", "L", "C", "ms"];

fn to_text(predictions: &[Prediction], machine: &Machine) -> String {
    let mut text = format!(
        "U = {}, Z = {} words, {} multiprocessors, {:.3} ns an operation\n",
        number(machine.transfer()),
        machine.local_words(),
        machine.multiprocessors(),
        machine.seconds(1e9)
    );
    for Prediction { application, choices, best } in predictions {
        let mut lines = vec![HEADER.map(str::to_owned).to_vec()];
        lines.extend(choices.iter().map(|choice| {
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
            cells
        }));
        text += &format!("\n{application}\n\n{}\n", aligned(&lines, &[0]).join("\n"));
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

fn to_json(predictions: &[Prediction], machine: &Machine) -> String {
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
        .map(|choice| {
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
            })
        })
        .collect();
    let name = prediction.application.name();
    json!({ "application": name, "sizes": sizes, "best": prediction.best, "parameters": choices })
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
