//! The results of a run: expressions with their files.

use std::fmt;
use std::path::{Path, PathBuf};

use limbforge::algos::expr::Assignment;
use limbforge::prelude::*;

use super::arguments::{EvalArguments, is_name};
use super::columns::{Place, split};
use super::usage;
use crate::error::CliError;
use crate::expression;
use crate::output::identity;

/// A result, and its file.
#[derive(Clone, Debug)]
pub(super) struct Target {
    pub(super) expr: Expr,
    /// Whether it uses each of the inputs.
    pub(super) uses: Vec<bool>,
    pub(super) out: Out,
}

impl Target {
    /// How many times as many bits as an operand it has.
    pub(super) fn width(&self) -> usize {
        if self.expr.to_dag().is_wide() { 2 } else { 1 }
    }
}

/// A file of results.
#[derive(Clone, Debug, Default)]
pub(super) struct Out {
    /// The name of a result, as in NAME=FILE.
    name: Option<String>,
    /// The file without the name of a column; None for standard output.
    pub(super) path: Option<PathBuf>,
    /// The column, if it has some.
    pub(super) table: Option<Place>,
    /// The argument as it is written, but for the option.
    written: PathBuf,
}

/// The option as it is written.
impl fmt::Display for Out {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "--out {}", self.written.display())
    }
}

/// The files of `--out`; one without a name, which is standard output, if there are none.
pub(super) fn outs(arguments: &EvalArguments) -> Result<Vec<Out>, CliError> {
    let are_named = Expr::has_assignments(&arguments.expression);
    let outs: Vec<Out> = arguments.out.iter().map(|written| Out::new(written, are_named)).collect();
    if let [first, second, ..] = &outs[..]
        && !are_named
    {
        let expected = "expected one file, or names, as in 'q = a / b; r = a % b' with --out q=q.txt";
        return Err(usage(format!("`{first}` and `{second}` for one expression: {expected}")));
    }
    if let Some(out) = outs.iter().find(|out| out.name.is_some() && out.path == Some(PathBuf::new())) {
        return Err(usage(format!("`{out}`: expected a file after the =, as in q=q.txt")));
    }
    let path = |out: &Out| Some(identity(out.path.as_deref()?));
    for (i, out) in outs.iter().enumerate() {
        if let Some(other) = outs[..i].iter().find(|other| path(other) == path(out)) {
            return Err(usage(format!(
                "`{other}` and `{out}` are one file: expected a file for each result"
            )));
        }
    }
    Ok(if outs.is_empty() { vec![Out::default()] } else { outs })
}

impl Out {
    fn new(written: &Path, is_named: bool) -> Self {
        let named = written.to_str().filter(|_| is_named).and_then(|text| text.split_once('='));
        let named = named.filter(|(name, _)| is_name(name));
        let (name, path) = named.map_or((None, written), |(name, path)| (Some(name), Path::new(path)));
        let (path, table) = split(path);
        Self { name: name.map(str::to_owned), path: Some(path), table, written: written.to_owned() }
    }
}

/// Parses the expression, or the assignments, for operands of this type, and finds the result of each file.
pub(super) fn targets(
    arguments: &EvalArguments,
    outs: Vec<Out>,
    inputs: &[&str],
    ty: IntType,
) -> Result<Vec<Target>, CliError> {
    let text = &arguments.expression;
    let target = |expr: Expr, out: Out| {
        let dag = expr.to_dag();
        let uses = inputs.iter().map(|input| dag.inputs().any(|used| used == *input)).collect();
        Target { expr, uses, out }
    };
    if !Expr::has_assignments(text) {
        let expr = expression::parse(text, Some(inputs), ty)?;
        return Ok(outs.into_iter().map(|out| target(expr.clone(), out)).collect());
    }
    let parsed = expression::parse_all(text, inputs)?;
    let assignments = &parsed.assignments;
    if let Some(name) = inputs.iter().find(|input| assignments.iter().any(|one| one.name == **input)) {
        return Err(usage(format!("`--in {name}=...`: the text assigns `{name}`: expected another name")));
    }
    let found: Vec<&Assignment> =
        outs.iter().map(|out| result_of(out, &outs, assignments)).collect::<Result<_, _>>()?;
    let is_out = |one: &Assignment| found.iter().any(|result| result.name == one.name);
    if let Some(Assignment { name, .. }) = assignments.iter().find(|one| !one.is_used && !is_out(one)) {
        let expected = format!("expected --out {name}=FILE, or an assignment that uses `{name}`");
        return Err(usage(format!("nothing uses `{name}`: {expected}")));
    }
    expression::check_all(&parsed, text, &found, ty)?;
    let pairs = found.into_iter().zip(outs).map(|(one, mut out)| {
        if let Some(place) = &mut out.table {
            place.column.get_or_insert_with(|| one.name.clone());
        }
        target(one.expr.clone(), out)
    });
    Ok(pairs.collect())
}

/// The assignment whose value goes to a file: that of its name, or the only one that nothing uses.
fn result_of<'a>(out: &Out, outs: &[Out], assignments: &'a [Assignment]) -> Result<&'a Assignment, CliError> {
    let names = |all: &[&Assignment]| all.iter().map(|one| &*one.name).collect::<Vec<_>>().join(", ");
    if let Some(name) = &out.name {
        let found = assignments.iter().find(|one| one.name == *name);
        return found.ok_or_else(|| {
            let all = names(&assignments.iter().collect::<Vec<_>>());
            usage(format!("`{out}`: nothing is assigned to `{name}`; the names are {all}"))
        });
    }
    let results: Vec<&Assignment> = assignments.iter().filter(|one| !one.is_used).collect();
    match &results[..] {
        [result] if outs.len() == 1 => Ok(result),
        results => {
            let why = match out.path {
                Some(_) => format!("`{out}` names none of several results"),
                None => format!("there are several results, {}", names(results)),
            };
            Err(usage(format!("{why}: expected --out NAME=FILE for each, or NAME=- for standard output")))
        }
    }
}
