//! What a benchmark prints.

mod row;

use std::env;
use std::fmt;

use serde_json::{Value, json};

pub(super) use self::row::{Floor, Measured, Row};
use super::arguments::{BenchArguments, What};
use crate::date;
use crate::error::CliError;
use crate::kernels::Gpu;
use crate::output::Output;
use crate::report;
use crate::report::paper_tables::GU32OPS;
use crate::table::aligned;

/// A line of a report.
pub(super) trait Line {
    /// What the columns are called.
    const NAMES: &'static [&'static str];
    /// The columns of words, which begin below each other; numbers end below each other.
    const WORDS: &'static [usize];

    /// The values of the columns; those that do not apply are empty.
    fn columns(&self) -> Vec<String>;

    fn to_json(&self) -> Value;

    /// What stands behind the columns of a table.
    fn remark(&self) -> Option<String> {
        None
    }
}

/// What rows were measured with.
#[derive(Debug)]
pub(super) struct Setting {
    pub(super) date: String,
    pub(super) commit: Option<String>,
    pub(super) device: String,
    pub(super) driver: String,
    pub(super) nvrtc: String,
    pub(super) batch_bits: u64,
    pub(super) repeats: u32,
}

impl Setting {
    pub(super) fn new(arguments: &BenchArguments, gpu: &Gpu) -> Self {
        let info = gpu.device.info();
        Self {
            date: date::today(),
            commit: arguments.commit.clone().or_else(|| env::var("LIMBFORGE_COMMIT").ok()),
            device: info.name.clone(),
            driver: info.driver.to_string(),
            nvrtc: gpu.compiler.nvrtc().version().to_string(),
            batch_bits: arguments.batch_bits,
            repeats: arguments.repeats,
        }
    }
}

/// Rows of one kind.
#[derive(Debug)]
pub(super) struct Section {
    /// What the columns are called, then the values of each row.
    lines: Vec<Vec<String>>,
    /// The columns of words.
    words: &'static [usize],
    /// What stands behind the lines.
    remarks: Vec<Option<String>>,
    json: Vec<Value>,
}

impl Section {
    pub(super) fn of<R: Line>(rows: &[R]) -> Self {
        let names = R::NAMES.iter().map(|&name| name.to_owned()).collect();
        Self {
            lines: [names].into_iter().chain(rows.iter().map(R::columns)).collect(),
            words: R::WORDS,
            remarks: [None].into_iter().chain(rows.iter().map(R::remark)).collect(),
            json: rows.iter().map(R::to_json).collect(),
        }
    }
}

/// All rows, and what they were measured with.
#[derive(Debug)]
pub(super) struct Report {
    pub(super) setting: Setting,
    pub(super) sections: Vec<Section>,
}

impl Report {
    /// Writes the report, and the page if one is asked for.
    pub(super) fn write(&self, arguments: &BenchArguments) -> Result<(), CliError> {
        if let Some(path) = &arguments.html {
            let refused = |why| CliError::Report { path: path.clone(), why };
            let page = report::page_of(&self.to_json()).map_err(refused)?;
            let mut output = Output::create(Some(path))?;
            output.write(page.as_bytes())?;
            output.finish()?;
        }
        let mut output = Output::create(arguments.out.as_deref())?;
        output.write(self.text(arguments)?.as_bytes())?;
        output.finish()
    }

    /// The text that is asked for.
    fn text(&self, arguments: &BenchArguments) -> Result<String, CliError> {
        Ok(match (arguments.json, arguments.csv) {
            (true, _) => format!("{:#}\n", self.to_json()),
            (_, true) => self.to_csv(),
            _ if arguments.what == What::PaperTables => {
                let path = arguments.out.clone().unwrap_or_else(|| "-".into());
                let refused = |why| CliError::Report { path, why };
                report::paper_tables_of(&self.to_json()).map_err(refused)?
            }
            _ => self.to_string(),
        })
    }

    /// Keys as in the help, and those of [`Line::to_json`].
    fn to_json(&self) -> Value {
        let Setting { date, commit, device, driver, nvrtc, batch_bits, repeats } = &self.setting;
        json!({
            "date": date,
            "commit": commit,
            "device": device,
            "driver": driver,
            "nvrtc": nvrtc,
            "batch_bits": batch_bits,
            "repeats": repeats,
            "rows": self.sections.iter().flat_map(|section| &section.json).collect::<Vec<_>>(),
        })
    }

    /// For each kind of rows a line of names, and a line for each row; an empty line between. No value has a comma in it.
    fn to_csv(&self) -> String {
        let line = |cells: &Vec<String>| cells.join(",") + "\n";
        let sections = self.sections.iter().map(|section| section.lines.iter().map(line).collect::<String>());
        sections.collect::<Vec<_>>().join("\n")
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Setting { date, device, driver, nvrtc, batch_bits, repeats, .. } = &self.setting;
        let commit = self.setting.commit.as_deref().unwrap_or("not given");
        writeln!(f, "{device}; driver {driver}, nvrtc {nvrtc}; {date}, commit {commit}")?;
        writeln!(f, "{batch_bits} bits per operand, median of {repeats} runs; every result validated")?;
        writeln!(
            f,
            "ms: of the batch; GB/s: of operands and results, each once; M inst/s: 10^6 instances; T mac/s: 10^12 products of words"
        )?;
        writeln!(f, "{GU32OPS}")?;
        for Section { lines, words, remarks, .. } in &self.sections {
            writeln!(f)?;
            for (line, remark) in aligned(lines, words).iter().zip(remarks) {
                match remark {
                    Some(remark) => writeln!(f, "{line}  {remark}")?,
                    None => writeln!(f, "{line}")?,
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
