//! The page of the language: its tables are those of the source, and it names every mark.
//!
//! `LIMBFORGE_UPDATE_DOCS=1 cargo test --test expressions` writes the tables into the page.

use std::fmt::Write;
use std::path::Path;

use limbforge::algos::cpu::Why;
use limbforge::algos::expr::{Operation, operations};

const PAGE: &str = include_str!("../docs/expressions.md");

fn code(text: &str) -> String {
    format!("`{}`", text.replace('|', "\\|"))
}

/// Operations by groups: how they are written, what they are, when they fail, an example.
fn operations_table() -> String {
    let (mut text, mut group) = (String::new(), "");
    for row in operations() {
        if row.group != group {
            group = row.group;
            let title = group[..1].to_uppercase() + &group[1..];
            _ = write!(
                text,
                "\n### {title}\n\n| operation | value | fails | example | page |\n| --- | --- | --- | --- | --- |\n"
            );
        }
        _ = writeln!(text, "{}", table_row(row));
    }
    text
}

fn table_row(row: &Operation) -> String {
    let failures: Vec<String> = row
        .failures
        .iter()
        .map(|(why, when)| format!("`{}`: {}", why.mark(), when.replace('|', "\\|")))
        .collect();
    let example = row.examples[0];
    let ty = if example.ty == "u64" { String::new() } else { format!(" of `{}`", example.ty) };
    format!(
        "| {} | {} | {} | {} is {}{ty} | [{page}]({page}.md) |",
        code(&row.signature()),
        row.summary.replace('|', "\\|"),
        failures.join("; "),
        code(example.text),
        example.value,
        page = row.page,
    )
}

/// All further examples.
fn edges_table() -> String {
    let mut text = "\n| expression | type | value |\n| --- | --- | --- |\n".to_owned();
    for example in operations().flat_map(|row| &row.examples[1..]) {
        let value = example
            .value
            .strip_prefix('!')
            .map_or_else(|| example.value.to_owned(), |mark| format!("`{mark}`"));
        _ = writeln!(text, "| {} | `{}` | {value} |", code(example.text), example.ty);
    }
    text
}

/// The page with the text between the marks of this name replaced.
fn with(page: &str, name: &str, table: &str) -> String {
    let [begin, end] = ["begin", "end"].map(|which| format!("<!-- {name}: {which} -->\n"));
    let (head, rest) = page.split_once(&begin).unwrap_or_else(|| panic!("no {begin}"));
    let (_, tail) = rest.split_once(&end).unwrap_or_else(|| panic!("no {end}"));
    format!("{head}{begin}{table}\n{end}{tail}")
}

#[test]
fn the_tables_are_those_of_the_source() {
    let expected = with(PAGE, "operations", &operations_table());
    let expected = with(&expected, "edges", &edges_table());
    if std::env::var_os("LIMBFORGE_UPDATE_DOCS").is_some() {
        let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/expressions.md");
        std::fs::write(page, &expected).unwrap_or_else(|error| panic!("{error}"));
    } else if PAGE != expected {
        let line = PAGE.lines().zip(expected.lines()).find(|(found, expected)| found != expected);
        panic!("docs/expressions.md: {line:?}; LIMBFORGE_UPDATE_DOCS=1 writes the tables");
    }
}

#[test]
fn every_mark_is_there() {
    let causes = [
        Why::DivisionByZero,
        Why::ZeroModulus,
        Why::NegativeExponent,
        Why::NotDivisible,
        Why::Negative,
        Why::NoInverse,
        Why::EvenNumber,
        Why::EvenModulus,
        Why::LongQuotient,
        Why::NoDegree,
    ];
    for why in causes {
        assert!(PAGE.contains(&format!("| `{}` | ", why.mark())), "{why:?}");
    }
    for row in operations() {
        assert!(PAGE.contains(&format!("| {} | ", code(&row.signature()))), "{}", row.name);
    }
}
