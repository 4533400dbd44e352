//! `limbforge functions`: the operators and functions of expressions.

use clap::Args;
use limbforge::algos::expr::{Operation, operation, operations, suggest_operation};
use limbforge::algos::op::{Domain, Example};
use serde_json::{Value, json};

use crate::{error::CliError, output};

/// List the operators and functions of expressions, or explain one.
///
/// The list has a line on each operation, the marks of its failures, and an example. Exit status: 0, or 2 if
/// no operation has that name.
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  limbforge functions\n  limbforge functions powmod\n  limbforge functions '<<'"
)]
pub(crate) struct FunctionsArguments {
    /// The operation to explain: a function as gcd, or an operator as '<<'
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
    output::write(None, text)
}

/// The rows of a name: `-` has two.
fn named(name: &str) -> Result<Vec<&'static Operation>, CliError> {
    let name = name.trim().trim_end_matches("()");
    if operation(name).is_some() {
        return Ok(operations().filter(|row| row.name == name).collect());
    }
    let meant = suggest_operation(name).map(|meant| format!(": did you mean {meant}?")).unwrap_or_default();
    let why = format!("unknown operator or function `{name}`{meant}");
    Err(CliError::usage("functions")(why))
}

/// The column beside the signatures.
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
        text += &format!("  {:BESIDE$}{}{marks}\n", row.signature(), row.summary);
        text += &format!("  {:BESIDE$}  {}\n", "", row.examples[0]);
    }
    text
}

fn entry(row: &Operation) -> String {
    let failures: Vec<String> =
        row.failures.iter().map(|(why, when)| format!("!{} where {when}", why.mark())).collect();
    let failures = if failures.is_empty() { "never".to_owned() } else { failures.join(", else ") };
    let examples = row.examples.iter().map(ToString::to_string);
    let parts = [
        ("Operands", operands(row)),
        ("Result", vec![row.result.to_string()]),
        ("Fails", vec![failures]),
        ("Examples", examples.collect()),
        ("Page", vec![format!("docs/{}.md", row.page)]),
    ];
    let lines = parts.iter().flat_map(|(name, lines)| {
        lines
            .iter()
            .enumerate()
            .map(move |(i, line)| format!("{:10}{line}\n", if i == 0 { name } else { "" }))
    });
    format!("{}\n  {}\n\n{}", row.signature(), row.summary, lines.collect::<String>())
}

/// The operands of the type, then those that are more or less than that.
fn operands(row: &Operation) -> Vec<String> {
    let kind = |domain: &Domain| match domain {
        Domain::Amount => "integers of the type, or written numbers of any size and sign",
        Domain::Exponent => "a number, or a power of numbers",
        _ => "integers of one type, uN or iN",
    };
    let operands: Vec<_> = row.operands.iter().zip(row.domains).collect();
    let groups = operands.chunk_by(|(_, a), (_, b)| kind(a) == kind(b)).map(|group| {
        let names: Vec<&str> = group.iter().map(|(name, _)| **name).collect();
        format!("{}: {}", names.join(", "), kind(group[0].1))
    });
    groups.collect()
}

fn json(row: &Operation) -> Value {
    let failures = row.failures.iter().map(|(why, when)| json!({ "mark": why.mark(), "where": when }));
    let example = |one: &Example| json!({ "expression": one.text, "type": one.ty, "value": one.value });
    json!({
        "name": row.name, "signature": row.signature(), "operands": row.operands, "group": row.group,
        "summary": row.summary, "result": row.result.to_string(), "failures": failures.collect::<Vec<_>>(),
        "examples": row.examples.iter().map(example).collect::<Vec<_>>(), "page": format!("docs/{}.md", row.page),
    })
}
