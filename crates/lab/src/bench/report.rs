//! What a benchmark prints: each row as soon as it is measured, or one document at the end.

use std::io::{self, ErrorKind, IsTerminal, Write};

use limbforge_cli::error::CliError;
use limbforge_cli::output;
use serde_json::{Value, json};

use super::arguments::BenchArguments;
use super::what::{Group, What};
use crate::error::LabError;
use crate::paper::GU32OPS;
use crate::report;
use crate::setting::Setting;

/// Results of each benchmark on a CPU that are compared with num-bigint: all that are structured, and some random ones.
pub(super) const CHECKED: usize = 128;

/// A column of a report; its lines are not known when the first is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Column {
    name: &'static str,
    least_width: usize,
    /// Words begin below each other, numbers end there.
    is_word: bool,
}

pub(super) const fn word(name: &'static str, least_width: usize) -> Column {
    Column { name, least_width, is_word: true }
}

pub(super) const fn number(name: &'static str, least_width: usize) -> Column {
    Column { name, least_width, is_word: false }
}

/// A line of a report.
pub(super) trait Line {
    const COLUMNS: &'static [Column];

    /// The values of the columns; those that do not apply are empty.
    fn columns(&self) -> Vec<String>;

    fn to_json(&self) -> Value;

    /// What stands behind the columns of a table.
    fn remark(&self) -> Option<String> {
        None
    }
}

/// The document in JSON.
#[derive(Debug)]
struct Document {
    setting: Setting,
    batch_bits: u64,
    repeats: u32,
    rows: Vec<Value>,
}

/// Rows so far, and where they go.
#[derive(Debug)]
pub(super) struct Report<'a> {
    arguments: &'a BenchArguments,
    document: Document,
    /// The columns of the lines that were printed last.
    columns: &'static [Column],
    /// Lines for a file, which gets its name when they are complete.
    kept: String,
}

impl<'a> Report<'a> {
    /// With what is said before the rows.
    pub(super) fn begin(arguments: &'a BenchArguments, setting: Setting) -> Result<Self, LabError> {
        let (batch_bits, repeats) = (arguments.batch_bits(), arguments.repeats());
        let document = Document { setting, batch_bits, repeats, rows: vec![] };
        let mut report = Self { arguments, document, columns: &[], kept: String::new() };
        if !arguments.csv {
            report.print(&report.document.head())?;
        }
        Ok(report)
    }

    pub(super) fn add<L: Line>(&mut self, row: &L) -> Result<(), LabError> {
        self.document.rows.push(row.to_json());
        if self.columns != L::COLUMNS {
            let is_first = self.columns.is_empty() && self.arguments.csv;
            let names = L::COLUMNS.iter().map(|column| column.name.to_owned()).collect();
            let above = if is_first { "" } else { "\n" };
            self.print(&format!("{above}{}", self.line(L::COLUMNS, names, None)))?;
            self.columns = L::COLUMNS;
        }
        self.print(&self.line(L::COLUMNS, row.columns(), row.remark()))
    }

    /// Writes what was not printed: the page, the document or the file.
    pub(super) fn finish(self) -> Result<(), LabError> {
        let Self { arguments, document, kept, .. } = self;
        let json = document.to_json();
        if let Some(path) = &arguments.html {
            let refused = |why| LabError::Report { path: path.clone(), why };
            write(Some(path), &report::page_of(&json).map_err(refused)?)?;
        }
        let out = arguments.out.as_deref();
        if arguments.json {
            write(out, &format!("{json:#}\n"))
        } else if !arguments.csv && arguments.what == What::Group(Group::PaperTables) {
            let path = arguments.out.clone().unwrap_or_else(|| "-".into());
            let tables = report::paper_tables_of(&json);
            write(out, &tables.map_err(|why| LabError::Report { path, why })?)
        } else if out.is_some() {
            write(out, &kept)
        } else {
            Ok(())
        }
    }

    /// No value has a comma in it.
    fn line(&self, columns: &[Column], cells: Vec<String>, remark: Option<String>) -> String {
        if self.arguments.csv {
            return cells.join(",") + "\n";
        }
        let cells = columns.iter().zip(cells).map(|(column, cell)| {
            let width = column.least_width;
            if column.is_word { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
        });
        let cells = cells.chain(remark).collect::<Vec<_>>();
        cells.join("  ").trim_end().to_owned() + "\n"
    }

    /// To standard output at once, or where that is for a document, to a person who waits for it.
    fn print(&mut self, text: &str) -> Result<(), LabError> {
        let BenchArguments { json, what, out, .. } = self.arguments;
        if out.is_some() {
            self.kept += text;
        }
        if out.is_none() && !json && *what != What::Group(Group::PaperTables) {
            let mut stream = io::stdout().lock();
            return match stream.write_all(text.as_bytes()).and_then(|()| stream.flush()) {
                Err(error) if error.kind() == ErrorKind::BrokenPipe => Err(LabError::ReaderLeft),
                written => Ok(written.map_err(|source| CliError::File {
                    path: "standard output".into(),
                    action: "write",
                    source,
                })?),
            };
        }
        if io::stderr().is_terminal() {
            eprint!("{text}");
        }
        Ok(())
    }
}

impl Document {
    fn to_json(&self) -> Value {
        let Self { setting, batch_bits, repeats, rows } = self;
        let mut report = json!({ "batch_bits": batch_bits, "repeats": repeats, "rows": rows });
        setting.add_to(&mut report);
        report
    }

    /// What is said above a table.
    fn head(&self) -> String {
        let Self { setting, batch_bits, repeats, .. } = self;
        let Setting { date, commit, device, driver, nvrtc, threads } = setting;
        let commit = commit.as_deref().unwrap_or("not given");
        let (with, checked) = match (driver, nvrtc, threads) {
            (Some(driver), Some(nvrtc), _) => {
                (format!("driver {driver}, nvrtc {nvrtc}"), "every result validated".to_owned())
            }
            _ => {
                let threads = threads.unwrap_or(1);
                let checked = format!("the first {CHECKED} results of each compared with num-bigint");
                (format!("CPU backend, {threads} threads"), checked)
            }
        };
        format!(
            "{device}; {with}; {date}, commit {commit}\n\
             {batch_bits} bits per operand, median of {repeats} runs; {checked}\n\
             ms: of the batch; GB/s: of operands and results, each once; M inst/s: 10^6 instances; T mac/s: 10^12 products of \
             words\n{GU32OPS}\n"
        )
    }
}

fn write(path: Option<&std::path::Path>, text: &str) -> Result<(), LabError> {
    Ok(output::write(path, text)?)
}

#[cfg(test)]
mod tests;
