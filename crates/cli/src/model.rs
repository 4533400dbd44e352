//! `limbforge model`: what the many-core model predicts for each parameter of the four applications.

mod arguments;
mod measure;
mod plot;
mod report;

use limbforge::algos::model::{Application, Choice, Machine, ModelError};
use limbforge_field::DynField;

use self::arguments::ApplicationArgument;
pub(crate) use self::arguments::ModelArguments;
use self::measure::Measurement;
use crate::error::CliError;
use crate::kernels::Gpu;
use crate::output::Output;

/// An application with its parameters.
struct Prediction {
    application: Application,
    choices: Vec<Choice>,
    /// The parameter with the least bound.
    best: u64,
    /// What a GPU took, if one is there.
    measured: Option<Measured>,
}

/// Measured milliseconds.
struct Measured {
    /// Of each choice that has a kernel.
    choices: Vec<Option<f64>>,
    /// Of the product by transforms.
    transforms: Option<f64>,
    /// The machine that explains them best, and the parameter that it prefers.
    fitted: Option<(Machine, u64)>,
}

pub(crate) fn run(arguments: &ModelArguments) -> Result<(), CliError> {
    let field = arguments.machine.field()?;
    let gpu = arguments.machine.device.map(Gpu::open).transpose()?;
    let machine = arguments.machine.machine(gpu.as_ref().map(|gpu| &gpu.device))?;
    let chosen = match arguments.application {
        Some(application) => vec![application],
        None => ApplicationArgument::ALL.to_vec(),
    };
    let predictions = chosen.into_iter().map(|chosen| predict(arguments, chosen, &machine));
    let mut predictions = predictions.collect::<Result<Vec<_>, _>>()?;
    if let Some(gpu) = &gpu {
        for prediction in &mut predictions {
            measure(gpu, field, &machine, prediction)?;
        }
    }
    if let Some(path) = &arguments.svg {
        let mut picture = Output::create(Some(path))?;
        picture.write(plot::svg(&predictions, &machine).as_bytes())?;
        picture.finish()?;
    }
    let text = if arguments.json {
        report::to_json(&predictions, &machine)
    } else {
        report::to_text(&predictions, &machine)
    };
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
    Ok(Prediction { application, best: best.map_err(failed)?.s, choices, measured: None })
}

/// Runs the application with each parameter.
fn measure(
    gpu: &Gpu,
    field: DynField,
    machine: &Machine,
    prediction: &mut Prediction,
) -> Result<(), CliError> {
    let Prediction { application, choices, .. } = prediction;
    let Some(measurement) = Measurement::new(gpu, field, *application)? else { return Ok(()) };
    let times = choices.iter().map(|choice| measurement.milliseconds(choice));
    let times = times.collect::<Result<Vec<_>, _>>()?;
    let measured: Vec<(Choice, f64)> =
        choices.iter().zip(&times).filter_map(|(&choice, time)| Some((choice, (*time)?))).collect();
    prediction.measured = Some(Measured {
        transforms: measurement.transforms_milliseconds()?,
        fitted: measure::fitted(machine, application, &measured),
        choices: times,
    });
    Ok(())
}
