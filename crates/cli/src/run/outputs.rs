//! The results of a program in their files.

use std::path::Path;

use limbforge::algos::program::{ProgramFailure, TypedProgram};
use limbforge::limb::io::NumberFormat;
use limbforge::prelude::*;

use super::arguments::{OutputArgument, RunArguments};
use super::lines::{cells, lines, rows};
use super::usage;
use crate::error::CliError;
use crate::eval::OnError;
use crate::output::Output;

/// Instances whose lines are in memory at once.
const PIECE: usize = 1 << 14;

/// The files of a run, which appear when all are complete.
pub(super) struct Outputs {
    results: Vec<(String, Output)>,
    lists: Vec<(String, Output, char)>,
    table: Option<(Output, char)>,
    format: NumberFormat,
}

impl Outputs {
    /// Opens all files: who cannot write is told before anything is computed.
    pub(super) fn create(program: &TypedProgram, arguments: &RunArguments) -> Result<Self, CliError> {
        let format = arguments.format.unwrap_or_default();
        check(program, arguments, format)?;
        let (mut results, mut lists) = (vec![], vec![]);
        for OutputArgument { name, path } in &arguments.out {
            let output = Output::create(Some(path))?;
            match is_list(program, name) {
                true => lists.push((name.clone(), output, separator(Some(path)))),
                false => results.push((name.clone(), output)),
            }
        }
        let path = arguments.out_table.as_deref();
        let is_table = path.is_some() || arguments.out.is_empty() && arguments.save_ecm.is_none();
        let mut table = None;
        match (program.results(), program.lists()) {
            ([], [list]) if is_table => {
                lists.push((list.name.to_string(), Output::create(path)?, separator(path)));
            }
            _ if is_table => table = Some((Output::create(path)?, separator(path))),
            _ => {}
        }
        Ok(Self { results, lists, table, format })
    }

    /// Writes all results, with marks in place of those of instances that failed.
    pub(super) fn write(mut self, run: &ProgramRun<u64>) -> Result<(), CliError> {
        let marks = Marks::new(run.failures());
        for (name, output) in &mut self.results {
            let Some(batch) = run.result(name) else { continue };
            for first in (0..run.instances()).step_by(PIECE) {
                let last = run.instances().min(first + PIECE);
                output.write(&lines(batch, run.instances(), first..last, &marks, self.format))?;
            }
        }
        for (name, output, separator) in &mut self.lists {
            let Some(list) = run.list(name) else { continue };
            for first in (0..list.len()).step_by(PIECE) {
                let last = list.len().min(first + PIECE);
                output.write(&rows(list, first..last, self.format, *separator))?;
            }
        }
        if let Some((output, separator)) = &mut self.table {
            output.write(header(run.program(), *separator).as_bytes())?;
            for first in (0..run.instances()).step_by(PIECE) {
                let last = run.instances().min(first + PIECE);
                output.write(&cells(run, first..last, &marks, self.format, *separator))?;
            }
        }
        let lists = self.lists.into_iter().map(|(_, output, _)| output);
        let outputs = self.results.into_iter().map(|(_, output)| output).chain(lists);
        outputs.chain(self.table.map(|(output, _)| output)).try_for_each(Output::finish)
    }
}

/// The marks of instances that failed.
pub(super) struct Marks<'a>(&'a [ProgramFailure]);

impl<'a> Marks<'a> {
    const fn new(failures: &'a [ProgramFailure]) -> Self {
        Self(failures)
    }

    /// The mark of an instance, if it failed.
    pub(super) fn get(&self, instance: usize) -> Option<&'static str> {
        let at = self.0.binary_search_by_key(&instance, |failure| failure.instance).ok()?;
        Some(self.0[at].why.mark())
    }

    /// Whether no instance failed.
    pub(super) const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Refuses files that do not go together, or results that the program does not have.
fn check(program: &TypedProgram, arguments: &RunArguments, format: NumberFormat) -> Result<(), CliError> {
    let results = program.results().iter().map(|result| &*result.name);
    let names: Vec<&str> = results.chain(program.lists().iter().map(|list| &*list.name)).collect();
    let several = program.results().is_empty() && program.lists().len() > 1;
    if several && (arguments.out_table.is_some() || arguments.out.is_empty()) {
        let lists = names.join(", ");
        return Err(usage(format!(
            "a table has one list, or results: write --out NAME=FILE; the lists are {lists}"
        )));
    }
    if let Some(out) = arguments.out.iter().find(|out| !names.contains(&&*out.name)) {
        let (name, path) = (&out.name, out.path.display());
        let (expected, lists) =
            (names.join(", "), if program.lists().is_empty() { "" } else { " and lists" });
        return Err(usage(format!(
            "`--out {name}={path}`: the program has no result `{name}`; its results{lists} are {expected}"
        )));
    }
    let tables = arguments.out_table.iter().chain(&arguments.save_ecm);
    let paths: Vec<&Path> =
        arguments.out.iter().map(|out| &out.path).chain(tables).map(|path| &**path).collect();
    if let Some((_, path)) = paths.iter().enumerate().find(|(i, path)| paths[..*i].contains(path)) {
        return Err(usage(format!("two outputs go to {}: expected a file for each", path.display())));
    }
    if format == NumberFormat::Bin {
        let text = "expected --format hex or dec";
        if arguments.on_error == OnError::Mark {
            return Err(usage(format!("`--on-error mark` needs lines to mark: {text}")));
        }
        if let Some(out) = arguments.out.iter().find(|out| is_list(program, &out.name)) {
            return Err(usage(format!("the list `{}` has no binary records: {text}", out.name)));
        }
        if arguments.out_table.is_some() || paths.is_empty() {
            return Err(usage(format!("a table has no binary records: {text}, or --out NAME=FILE")));
        }
    }
    Ok(())
}

/// Whether a list of the program has this name.
fn is_list(program: &TypedProgram, name: &str) -> bool {
    program.lists().iter().any(|list| *list.name == *name)
}

fn separator(path: Option<&Path>) -> char {
    let name = path.and_then(Path::to_str).unwrap_or_default();
    let plain = name.strip_suffix(".gz").or_else(|| name.strip_suffix(".zst")).unwrap_or(name);
    if plain.ends_with(".csv") { ',' } else { '\t' }
}

/// The names of all columns: an array or a tuple of k has k.
fn header(program: &TypedProgram, separator: char) -> String {
    let names = program.results().iter().flat_map(|result| match result.elements {
        1 => vec![result.name.to_string()],
        elements => (0..elements).map(|i| format!("{}[{i}]", result.name)).collect(),
    });
    names.collect::<Vec<_>>().join(&separator.to_string()) + "\n"
}
