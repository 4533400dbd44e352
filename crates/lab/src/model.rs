//! `limbforge-lab model`: predictions of the many-core model for each parameter of the four applications.

mod arguments;
mod measure;
mod paper;
mod plot;
mod prediction;
mod report;

use std::slice;

use clap::ValueEnum;
use limbforge::algos::model::{Application, Choice, Machine, ModelError};
use limbforge_cli::{gpu::kernels::Gpu, output};
use limbforge_field::DynField;

pub(crate) use self::arguments::ModelArguments;
use self::arguments::{ApplicationArgument, refused};
use self::measure::Measurement;
use self::paper::Times;
use self::prediction::{Measured, Prediction};
use crate::{error::LabError, setting::Setting};

pub(crate) fn run(arguments: &ModelArguments) -> Result<(), LabError> {
    let field = arguments.machine.field()?;
    let gpu = arguments.machine.device.map(Gpu::open).transpose()?;
    let machine = arguments.machine.machine(gpu.as_ref().map(|gpu| &gpu.device))?;
    let mut predictions = predictions(arguments, &machine)?;
    if let Some(gpu) = &gpu {
        for prediction in &mut predictions {
            measure(gpu, field, &machine, prediction)?;
        }
    }
    if let Some(path) = &arguments.svg {
        output::write(Some(path), plot::svg(&predictions, &machine)?)?;
    }
    let text = if arguments.json {
        let setting = gpu.as_ref().map(|gpu| Setting::of_gpu(arguments.commit.as_deref(), gpu));
        prediction::to_json(&predictions, &machine, setting.as_ref())
    } else {
        report::to_text(&predictions, &machine)
    };
    Ok(output::write(arguments.out.as_deref(), &text)?)
}

/// Terms of the dividends and divisors of tables, for which the paper has none.
const DIVISIONS: [(u64, u64); 6] =
    [(500, 250), (1000, 500), (2000, 1000), (5000, 2500), (10_000, 5000), (20_000, 10_000)];

/// The requested predictions.
fn predictions(arguments: &ModelArguments, machine: &Machine) -> Result<Vec<Prediction>, LabError> {
    let threads = arguments.threads;
    if arguments.paper_tables {
        return paper_tables(threads, machine);
    }
    let all = ApplicationArgument::value_variants();
    let chosen = arguments.application.as_ref().map_or(all, slice::from_ref);
    let prediction = |&chosen: &ApplicationArgument| {
        let application = arguments.application(chosen);
        let choices: Result<Vec<Choice>, ModelError> = if arguments.s.is_empty() {
            application.choices(application.parameters(), threads, machine)
        } else {
            arguments.s.iter().map(|&s| application.choice(s, threads, machine)).collect()
        };
        predict(application, choices?, Vec::new(), threads, machine)
    };
    chosen
        .iter()
        .map(prediction)
        .collect::<Result<_, ModelError>>()
        .map_err(|error| refused(error.to_string()))
}

/// The rows of the paper's tables, products with its parameters and the others with all that fit, then rows
/// of ours.
fn paper_tables(threads: u64, machine: &Machine) -> Result<Vec<Prediction>, LabError> {
    let divisions = DIVISIONS.map(|(n, m)| Application::Division { n, m });
    let others = divisions.into_iter().chain([Application::RadixSort { n: 1 << 27, bits: 32 }]);
    let rows = paper::rows()?.into_iter().chain(others.map(|application| (application, Vec::new())));
    let prediction = |(application, times): (Application, Times)| {
        let choices = match application {
            Application::Multiplication { .. } => {
                application.choices(times.iter().map(|&(s, _)| s), threads, machine)
            }
            _ => application.choices(application.parameters(), threads, machine),
        };
        predict(application, choices?, times, threads, machine)
    };
    rows.map(prediction).collect::<Result<_, ModelError>>().map_err(|error| refused(error.to_string()))
}

fn predict(
    application: Application,
    choices: Vec<Choice>,
    paper: Times,
    threads: u64,
    machine: &Machine,
) -> Result<Prediction, ModelError> {
    let parameters = || choices.iter().map(|choice| choice.s);
    let best = application.best(parameters(), threads, machine)?.s;
    let best_refined = application.best_refined(parameters(), threads, machine)?.s;
    Ok(Prediction { application, choices, best, best_refined, paper, measured: None })
}

/// Runs the application with each parameter.
fn measure(
    gpu: &Gpu,
    field: DynField,
    machine: &Machine,
    prediction: &mut Prediction,
) -> Result<(), LabError> {
    let Prediction { application, choices, .. } = prediction;
    let Some(measurement) = Measurement::new(gpu, field, *application)? else { return Ok(()) };
    let times = measurement.milliseconds(choices)?;
    let measured: Vec<(Choice, f64)> =
        choices.iter().zip(&times).filter_map(|(&choice, time)| Some((choice, (*time)?))).collect();
    let (fitted, refinement) = measure::fits(machine, application, &measured);
    let transforms = measurement.transforms_milliseconds()?;
    prediction.measured = Some(Measured { choices: times, transforms, fitted, refinement });
    Ok(())
}
