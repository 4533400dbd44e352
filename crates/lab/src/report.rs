//! `limbforge-lab report`: measurements as a page with charts and tables.

mod cpu_peers;
mod fields;
mod figures;
mod markdown;
mod model;
mod others;
mod paper_tables;
mod plans;
mod products;
mod results;
mod table;

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use limbforge_cli::{error::CliError, output};
use minijinja::{Environment, context};
use serde_json::Value;

use self::figures::{Figure, figures};
use self::results::Results;
use crate::{error::LabError, paper::GU32OPS};

/// Draw what `limbforge-lab bench --json` has measured, as one HTML page without scripts or other files, or
/// in other forms.
///
/// Times against widths for each algorithm, with the memory floor, and as dashed lines what others reach with
/// the same batch on the same GPU. Exit status: 0, or 1 if a file is not a report.
#[derive(Args, Debug)]
#[command(after_help = "Example: limbforge-lab report benches/results/h200/*.json --out report.html")]
pub(crate) struct ReportArguments {
    /// Reports of `limbforge-lab bench --json` or `limbforge-lab model --device gpu --json`; of the same GPU,
    /// so that times can be compared
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,

    /// Tables 1 and 2 of Oancea and Watt, in their units, as text
    #[arg(long, conflicts_with_all = ["markdown", "plans", "product_chart"])]
    pub(crate) paper_tables: bool,

    /// This file with the tables between lines `<!-- table: NAME -->` and `<!-- end -->` made anew: by the
    /// titles of the page, and `sources`, `Rates: TITLE`, `transforms`, `CPU products`, `beside FLINT and GMP on
    /// DEVICE: OPERATION` or `DEVICE: random operands`; of others: `peers`, `peers: UNIT`; of `limbforge-lab model`: `model sources`, `products`, `gcds`, `divisions`, `sorts`
    #[arg(long, value_name = "FILE", conflicts_with_all = ["plans", "product_chart"])]
    pub(crate) markdown: Option<PathBuf>,

    /// The measured times for plans, in the form of `kernels-gen/data/plans/sm_90.json`
    #[arg(long)]
    pub(crate) plans: bool,

    /// The time of one product by its width, on a GPU, on a CPU and by other libraries, as SVG
    #[arg(long, conflicts_with = "plans")]
    pub(crate) product_chart: bool,

    /// Output file [default: standard output]
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

pub(crate) fn run(arguments: &ReportArguments) -> Result<(), LabError> {
    let mut results = Results::default();
    for path in &arguments.files {
        let refused = LabError::report(path);
        let value = serde_json::from_str(&read(path)?).map_err(|error| refused(error.to_string()))?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        results.add(&name, &value).map_err(refused)?;
    }
    let incomplete = LabError::report(&arguments.files[0]);
    let text = match &arguments.markdown {
        Some(path) => markdown::rewritten(&read(path)?, &results).map_err(LabError::report(path))?,
        None if arguments.product_chart => products::chart(&results).map_err(incomplete)?,
        None if arguments.plans => plans::text(&results),
        None if arguments.paper_tables => paper_tables::text(&results),
        None => html(&results).map_err(incomplete)?,
    };
    Ok(output::write(arguments.out.as_deref(), &text)?)
}

fn read(path: &Path) -> Result<String, LabError> {
    Ok(fs::read_to_string(path).map_err(CliError::file(path, "read"))?)
}

/// The page of a report that `limbforge-lab bench` has just made.
pub(crate) fn page_of(report: &Value) -> Result<String, String> {
    html(&results_of(report)?)
}

/// The paper's tables of such a report.
pub(crate) fn paper_tables_of(report: &Value) -> Result<String, String> {
    Ok(paper_tables::text(&results_of(report)?))
}

fn results_of(report: &Value) -> Result<Results, String> {
    let mut results = Results::default();
    results.add("this run", report)?;
    Ok(results)
}

/// The ending makes the engine escape values.
const NAME: &str = "report.html";

fn html(results: &Results) -> Result<String, String> {
    let mut devices: Vec<&str> = results.sources.iter().map(|source| &*source.device).collect();
    devices.dedup();
    let figures = figures(results).iter().map(figure).collect::<Result<Vec<_>, String>>()?;
    let page = context! {
        title => format!("limbforge on {}", devices.join(", ")),
        gu32ops => GU32OPS,
        sources => results.sources(),
        figures,
        others => others::sources(),
    };
    let environment = Environment::new();
    let text = environment.render_named_str(NAME, include_str!("../templates/report.html"), page);
    // The engine removes the last line end, and escapes slashes, which HTML does not ask for.
    text.map(|text| text.replace("&#x2f;", "/") + "\n").map_err(|error| format!("{error:#}"))
}

fn figure(Figure { chart, table, rates }: &Figure) -> Result<minijinja::Value, String> {
    let svg = chart.to_svg().map_err(|error| error.to_string())?;
    Ok(context! { title => &*chart.title, svg, table => table.clone(), rates => rates.clone() })
}
