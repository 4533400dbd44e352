//! The output of a benchmark: each row as soon as it is measured, or one document at the end.

use std::io::{self, ErrorKind, IsTerminal, Write};

use limbforge_cli::{error::CliError, output};
use serde_json::{Value, json};

use super::arguments::BenchArguments;
use super::what::What;
use crate::{error::LabError, operations::Group, paper::GU32OPS, report, setting::Setting};

/// Results of each benchmark on the CPU that are compared with num-bigint: all structured ones, some random
/// ones.
pub(super) const CHECKED: usize = 128;

/// A measurement as a line of a table and as JSON.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) cells: Vec<Cell>,
    /// Printed behind the columns of a table.
    pub(super) remark: Option<String>,
    pub(super) json: Value,
}

/// A value and its column, whose width is fixed before the later lines are known.
#[derive(Debug)]
pub(super) struct Cell {
    column: &'static str,
    least_width: usize,
    is_word: bool,
    /// Empty where it does not apply.
    value: String,
}

/// A cell aligned to the left.
pub(super) fn word(column: &'static str, least_width: usize, value: &str) -> Cell {
    Cell { column, least_width, is_word: true, value: value.to_owned() }
}

/// A cell aligned to the right.
#[expect(clippy::needless_pass_by_value, reason = "numbers and strings alike")]
pub(super) fn number(column: &'static str, least_width: usize, value: impl ToString) -> Cell {
    Cell { column, least_width, is_word: false, value: value.to_string() }
}

/// Rows so far, and where they go.
#[derive(Debug)]
pub(super) struct Report<'a> {
    arguments: &'a BenchArguments,
    setting: Setting,
    rows: Vec<Value>,
    /// The columns that were named last.
    columns: Vec<&'static str>,
    /// Lines for a file, which gets its name when they are complete.
    kept: String,
}

impl<'a> Report<'a> {
    /// Prints the lines above the rows.
    pub(super) fn begin(arguments: &'a BenchArguments, setting: Setting) -> Result<Self, LabError> {
        let mut report = Self { arguments, setting, rows: vec![], columns: vec![], kept: String::new() };
        if !arguments.csv {
            report.print(&report.head())?;
        }
        Ok(report)
    }

    pub(super) fn add(&mut self, row: Row) -> Result<(), LabError> {
        let columns: Vec<_> = row.cells.iter().map(|cell| cell.column).collect();
        if self.columns != columns {
            let above = if self.columns.is_empty() && self.arguments.csv { "" } else { "\n" };
            self.print(&format!("{above}{}", self.line(&row.cells, |cell| cell.column, None)))?;
            self.columns = columns;
        }
        self.print(&self.line(&row.cells, |cell| &cell.value, row.remark))?;
        self.rows.push(row.json);
        Ok(())
    }

    /// Writes the page, the document or the file.
    pub(super) fn finish(self) -> Result<(), LabError> {
        let (json, out) = (self.to_json(), self.arguments.out.as_deref());
        if let Some(path) = &self.arguments.html {
            output::write(Some(path), report::page_of(&json).map_err(LabError::report(path))?)?;
        }
        let text = if self.arguments.json {
            format!("{json:#}\n")
        } else if self.is_paper_tables() {
            let path = out.unwrap_or("-".as_ref());
            report::paper_tables_of(&json).map_err(LabError::report(path))?
        } else if out.is_some() {
            self.kept
        } else {
            return Ok(());
        };
        Ok(output::write(out, text)?)
    }

    fn is_paper_tables(&self) -> bool {
        !self.arguments.csv && self.arguments.what == What::Group(Group::PaperTables)
    }

    /// The columns' names or values; no value has a comma in it.
    fn line(&self, cells: &[Cell], text: fn(&Cell) -> &str, remark: Option<String>) -> String {
        if self.arguments.csv {
            return cells.iter().map(text).collect::<Vec<_>>().join(",") + "\n";
        }
        let cells = cells.iter().map(|cell| {
            let (text, width) = (text(cell), cell.least_width);
            if cell.is_word { format!("{text:<width$}") } else { format!("{text:>width$}") }
        });
        cells.chain(remark).collect::<Vec<_>>().join("  ").trim_end().to_owned() + "\n"
    }

    /// Prints to standard output, or where that is for a document, to a person who waits for it.
    fn print(&mut self, text: &str) -> Result<(), LabError> {
        let BenchArguments { json, out, .. } = self.arguments;
        if out.is_some() {
            self.kept += text;
        }
        if out.is_none() && !json && !self.is_paper_tables() {
            let mut stream = io::stdout().lock();
            return match stream.write_all(text.as_bytes()).and_then(|()| stream.flush()) {
                Err(error) if error.kind() == ErrorKind::BrokenPipe => Err(LabError::ReaderLeft),
                written => Ok(written.map_err(CliError::file("standard output".as_ref(), "write"))?),
            };
        }
        if io::stderr().is_terminal() {
            eprint!("{text}");
        }
        Ok(())
    }

    fn to_json(&self) -> Value {
        let mut report = json!(self.setting);
        report["batch_bits"] = json!(self.arguments.batch_bits());
        report["repeats"] = json!(self.arguments.repeats());
        report["rows"] = json!(self.rows);
        report
    }

    /// The lines above a table.
    fn head(&self) -> String {
        let Setting { date, commit, device, driver, nvrtc, threads } = &self.setting;
        let (batch_bits, repeats) = (self.arguments.batch_bits(), self.arguments.repeats());
        let commit = commit.as_deref().unwrap_or("not given");
        let (with, checked) = match (driver, nvrtc) {
            (Some(driver), Some(nvrtc)) => {
                (format!("driver {driver}, nvrtc {nvrtc}"), "every result validated".to_owned())
            }
            _ => (
                format!("CPU backend, {} threads", threads.unwrap_or(1)),
                format!("the first {CHECKED} results of each compared with num-bigint"),
            ),
        };
        format!(
            "{device}; {with}; {date}, commit {commit}\n\
             {batch_bits} bits per operand, median of {repeats} runs; {checked}\n\
             ms: of the batch; GB/s: of operands and results, each once; M inst/s: 10^6 instances; T mac/s: 10^12 \
             products of words\n{GU32OPS}\n"
        )
    }
}

#[cfg(test)]
mod tests;
