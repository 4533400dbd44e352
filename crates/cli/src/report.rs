//! `limbforge report`: what benchmarks have measured, as a page with charts and tables.

mod figures;
mod page;
pub(crate) mod paper_tables;
mod results;

use std::fs;
use std::path::PathBuf;

use clap::Args;
use serde_json::Value;

use self::results::Results;
use crate::error::CliError;
use crate::output::Output;

/// Draw what `limbforge bench --json` has measured, as one HTML page without scripts or other files, or as the papers' tables.
///
/// Times against widths for each algorithm, with the memory floor, and as dashed lines what others reach with the same batch on the
/// same GPU. Exit status: 0, or 1 if a file is no report.
#[derive(Args, Debug)]
#[command(after_help = "Example: limbforge report benches/results/h200/*.json --out report.html")]
pub(crate) struct ReportArguments {
    /// Reports of `limbforge bench --json`; of the same GPU, so that times can be compared
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,

    /// Tables 1 and 2 of Oancea and Watt, in their units, as text
    #[arg(long)]
    pub(crate) paper_tables: bool,

    /// Where the page goes [default: standard output]
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

pub(crate) fn run(arguments: &ReportArguments) -> Result<(), CliError> {
    let mut results = Results::default();
    for path in &arguments.files {
        let text = fs::read_to_string(path).map_err(|source| CliError::File {
            path: path.clone(),
            action: "read",
            source,
        })?;
        let refused = |why: String| CliError::Report { path: path.clone(), why };
        let value: Value = serde_json::from_str(&text).map_err(|error| refused(error.to_string()))?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        results.add(&name, &value).map_err(refused)?;
    }
    let mut output = Output::create(arguments.out.as_deref())?;
    let text = if arguments.paper_tables { paper_tables::text(&results) } else { page::html(&results) };
    output.write(text.as_bytes())?;
    output.finish()
}

/// The page of one report that `limbforge bench` has just made.
pub(crate) fn page_of(report: &Value) -> Result<String, String> {
    Ok(page::html(&results_of(report)?))
}

/// The papers' tables of it.
pub(crate) fn paper_tables_of(report: &Value) -> Result<String, String> {
    Ok(paper_tables::text(&results_of(report)?))
}

fn results_of(report: &Value) -> Result<Results, String> {
    let mut results = Results::default();
    results.add("this run", report)?;
    Ok(results)
}
