//! `limbforge model`: what the many-core model predicts for each parameter of the four applications.

mod arguments;
mod json;
mod measure;
mod paper;
mod plot;
pub(crate) mod programs;
mod report;

use std::env;

use limbforge::algos::model::{Application, Choice, Machine, ModelError, Refinement};
use limbforge_field::DynField;

use self::arguments::ApplicationArgument;
pub(crate) use self::arguments::ModelArguments;
use self::measure::Measurement;
use crate::date;
use crate::error::CliError;
use crate::kernels::Gpu;
use crate::output::Output;

/// An application with its parameters.
struct Prediction {
    application: Application,
    choices: Vec<Choice>,
    /// The parameter with the least bound.
    best: u64,
    /// The parameter with the least refined time: the one to use.
    best_refined: u64,
    /// Milliseconds of the paper.
    paper: paper::Times,
    /// What a GPU took, if one is there.
    measured: Option<Measured>,
}

impl Prediction {
    /// The measured time of the refined choice as a multiple of the best measured one.
    fn ratio_to_best(&self) -> Option<f64> {
        let measured = self.measured.as_ref()?;
        let (_, best) = measured.best(&self.choices)?;
        let at = self.choices.iter().position(|choice| choice.s == self.best_refined)?;
        Some(measured.choices[at]? / best)
    }
}

/// Measured milliseconds.
struct Measured {
    /// Of each choice that has a kernel.
    choices: Vec<Option<f64>>,
    /// Of the program by transforms: the product's, and the division's by Newton's inverse.
    transforms: Option<f64>,
    /// The machine whose bounds explain them best, and the parameter that it prefers.
    fitted: Result<(Machine, u64), ModelError>,
    /// The refinement that explains them best, and the parameter that it prefers.
    refinement: Result<(Refinement, u64), ModelError>,
}

impl Measured {
    /// The parameter that takes the least time, with its milliseconds.
    fn best(&self, choices: &[Choice]) -> Option<(u64, f64)> {
        let times = choices.iter().zip(&self.choices).filter_map(|(choice, ms)| Some((choice.s, (*ms)?)));
        times.min_by(|a, b| a.1.total_cmp(&b.1))
    }
}

/// What was measured with what.
struct Setting {
    date: String,
    commit: Option<String>,
    device: String,
    driver: String,
    nvrtc: String,
}

impl Setting {
    fn new(arguments: &ModelArguments, gpu: &Gpu) -> Self {
        let info = gpu.device.info();
        Self {
            date: date::today(),
            commit: arguments.commit.clone().or_else(|| env::var("LIMBFORGE_COMMIT").ok()),
            device: info.name.clone(),
            driver: info.driver.to_string(),
            nvrtc: gpu.compiler.nvrtc().version().to_string(),
        }
    }
}

pub(crate) fn run(arguments: &ModelArguments) -> Result<(), CliError> {
    let field = arguments.machine.field()?;
    let gpu = arguments.machine.device.map(Gpu::open).transpose()?;
    let machine = arguments.machine.machine(gpu.as_ref().map(|gpu| &gpu.device))?;
    let mut predictions = predictions(arguments, &machine)
        .map_err(|error| CliError::Usage { command: "model", why: error.to_string() })?;
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
        let setting = gpu.as_ref().map(|gpu| Setting::new(arguments, gpu));
        json::to_json(&predictions, &machine, setting.as_ref())
    } else {
        report::to_text(&predictions, &machine)
    };
    let mut output = Output::create(arguments.out.as_deref())?;
    output.write(text.as_bytes())?;
    output.finish()
}

/// Terms of the dividends and divisors of tables, for which the paper has none.
const DIVISIONS: [(u64, u64); 6] =
    [(500, 250), (1000, 500), (2000, 1000), (5000, 2500), (10_000, 5000), (20_000, 10_000)];

/// What is asked for.
fn predictions(arguments: &ModelArguments, machine: &Machine) -> Result<Vec<Prediction>, ModelError> {
    let threads = arguments.threads;
    if arguments.paper_tables {
        let divisions = DIVISIONS.map(|(n, m)| Application::Division { n, m });
        let others = divisions.into_iter().chain([Application::RadixSort { n: 1 << 27, bits: 32 }]);
        let rows = paper::rows().into_iter().chain(others.map(|application| (application, Vec::new())));
        return rows.map(|(application, paper)| table_row(application, paper, threads, machine)).collect();
    }
    let chosen = match arguments.application {
        Some(application) => vec![application],
        None => ApplicationArgument::ALL.to_vec(),
    };
    let prediction = |chosen| {
        let application = arguments.application(chosen);
        let choices: Result<Vec<Choice>, ModelError> = if arguments.s.is_empty() {
            application.choices(application.parameters(), threads, machine)
        } else {
            arguments.s.iter().map(|&s| application.choice(s, threads, machine)).collect()
        };
        predict(application, choices?, Vec::new(), threads, machine)
    };
    chosen.into_iter().map(prediction).collect()
}

/// A row with the parameters of the paper's table, of gcds with all that fit.
fn table_row(
    application: Application,
    paper: paper::Times,
    threads: u64,
    machine: &Machine,
) -> Result<Prediction, ModelError> {
    let choices = match application {
        Application::Multiplication { .. } => {
            application.choices(paper::PRODUCT_PARAMETERS, threads, machine)
        }
        _ => application.choices(application.parameters(), threads, machine),
    };
    predict(application, choices?, paper, threads, machine)
}

fn predict(
    application: Application,
    choices: Vec<Choice>,
    paper: paper::Times,
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
) -> Result<(), CliError> {
    let Prediction { application, choices, .. } = prediction;
    let Some(measurement) = Measurement::new(gpu, field, *application)? else { return Ok(()) };
    let times = measurement.milliseconds(choices)?;
    let measured: Vec<(Choice, f64)> =
        choices.iter().zip(&times).filter_map(|(&choice, time)| Some((choice, (*time)?))).collect();
    prediction.measured = Some(Measured {
        transforms: measurement.transforms_milliseconds()?,
        fitted: measure::fitted(machine, application, &measured),
        refinement: measure::fitted_refinement(machine, application, &measured),
        choices: times,
    });
    Ok(())
}
