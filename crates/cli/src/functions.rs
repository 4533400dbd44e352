//! `limbforge functions`: the operators and functions of expressions.

use std::fmt::Write;

use clap::Args;
use limbforge::algos::expr::{Operation, operation, operations, suggest_operation};
use limbforge::algos::op::Domain;
use serde_json::{Value, json};

use crate::error::CliError;
use crate::output::Output;

/// List the operators and functions of expressions, or explain one.
///
/// The list has a line on each operation, the marks of its failures, and an example. Exit status: 0, or 2 if
/// there is no operation of that name.
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  limbforge functions\n  limbforge functions powmod\n  limbforge functions '<<'"
)]
pub(crate) struct FunctionsArguments {
    /// Explain this one: a function as gcd, or an operator as '<<'
    #[arg(value_name = "NAME", allow_hyphen_values = true)]
    name: Option<String>,

    /// One JSON array, of an object for each operation: name, signature, group, summary, result, failures,
    /// examples, page
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &FunctionsArguments) -> Result<(), CliError> {
    let rows = match &arguments.name {
        None => operations().collect(),
        Some(name) => named(name)?,
    };
    let text = if arguments.json {
        format!("{:#}\n", Value::Array(rows.iter().map(|row| json(row)).collect()))
    } else if arguments.name.is_some() {
        rows.iter().map(|row| entry(row)).collect::<Vec<_>>().join("\n")
    } else {
        table(&rows)
    };
    let mut output = Output::create(None)?;
    output.write(text.as_bytes())?;
    output.finish()
}

/// The rows of a name: of `-` there are two.
fn named(name: &str) -> Result<Vec<&'static Operation>, CliError> {
    let name = name.trim().trim_end_matches("()");
    if operation(name).is_some() {
        return Ok(operations().filter(|row| row.name == name).collect());
    }
    let meant = suggest_operation(name).map(|meant| format!(": did you mean {meant}?")).unwrap_or_default();
    let why = format!("unknown operator or function `{name}`{meant}");
    Err(CliError::Usage { command: "functions", why })
}

/// Columns of a signature and what stands beside it.
const BESIDE: usize = 36;

fn table(rows: &[&Operation]) -> String {
    let mut text = "Operators and functions of expressions. N is the width of the type in bits; !MARK says where an instance has\n\
                    no result. `limbforge functions NAME` explains one.\n"
        .to_owned();
    let mut group = "";
    for row in rows {
        if row.group != group {
            group = row.group;
            text += &format!("\n{}{}\n", group[..1].to_uppercase(), &group[1..]);
        }
        let mut marks: Vec<String> = row.failures.iter().map(|(why, _)| format!("!{}", why.mark())).collect();
        marks.dedup();
        let marks = if marks.is_empty() { String::new() } else { format!("  {}", marks.join(" ")) };
        _ = writeln!(text, "  {:BESIDE$}{}{marks}", row.signature(), row.summary);
        _ = writeln!(text, "  {:BESIDE$}  {}", "", row.examples[0]);
    }
    text
}

fn entry(row: &Operation) -> String {
    let mut text = format!("{}\n  {}\n\n", row.signature(), row.summary);
    for (i, operands) in operands(row).iter().enumerate() {
        _ = writeln!(text, "{:10}{operands}", if i == 0 { "Operands" } else { "" });
    }
    _ = writeln!(text, "Result    {}", row.result);
    let failures = row.failures.iter().map(|(why, when)| format!("!{} where {when}", why.mark()));
    let failures: Vec<String> = failures.collect();
    let none = "never";
    _ = writeln!(
        text,
        "Fails     {}",
        if failures.is_empty() { none.to_owned() } else { failures.join(", else ") }
    );
    for (i, example) in row.examples.iter().enumerate() {
        _ = writeln!(text, "{:10}{example}", if i == 0 { "Examples" } else { "" });
    }
    _ = writeln!(text, "Page      docs/{}.md", row.page);
    text
}

/// The operands of the type, then those that are more or less than that.
fn operands(row: &Operation) -> Vec<String> {
    let kind = |domain: &Domain| match domain {
        Domain::Amount => "integers of the type, or written numbers of any size and sign",
        Domain::Exponent => "a number, or a power of numbers",
        _ => "integers of one type, uN or iN",
    };
    let mut lines: Vec<(&str, Vec<&str>)> = vec![];
    for (name, domain) in row.operands.iter().zip(row.domains) {
        match lines.last_mut() {
            Some((last, names)) if *last == kind(domain) => names.push(name),
            _ => lines.push((kind(domain), vec![name])),
        }
    }
    lines.into_iter().map(|(kind, names)| format!("{}: {kind}", names.join(", "))).collect()
}

fn json(row: &Operation) -> Value {
    let failures: Vec<Value> =
        row.failures.iter().map(|(why, when)| json!({ "mark": why.mark(), "where": when })).collect();
    let examples: Vec<Value> = row
        .examples
        .iter()
        .map(|example| json!({ "expression": example.text, "type": example.ty, "value": example.value }))
        .collect();
    json!({
        "name": row.name, "signature": row.signature(), "operands": row.operands, "group": row.group,
        "summary": row.summary, "result": row.result.to_string(), "failures": failures, "examples": examples,
        "page": format!("docs/{}.md", row.page),
    })
}
