//! Each function as an expression of its own.

use std::ffi::OsString;
use std::fs;

use serde_json::Value;

use super::{Outcome, Start};

/// Operands that are numbers in the expression, and no variables.
const CONSTANTS: [&str; 4] = ["exponent", "start", "length", "k"];

/// Measures the functions of these names, all if there are none.
pub(super) fn measure(start: &Start, names: &[OsString]) -> Outcome {
    fs::write(start.path("one"), "1019\n")?;
    let functions: Vec<Value> = serde_json::from_slice(&start.output(&["functions", "--json"])?)?;
    let is_wanted = |name: &Value| names.is_empty() || names.iter().any(|one| one.to_str() == name.as_str());
    for function in functions.iter().filter(|function| is_wanted(&function["name"])) {
        let (expression, variables) = expression(function)?;
        let mut arguments =
            vec!["eval".to_owned(), expression.clone(), "--bits".to_owned(), start.bits.clone()];
        let fixed = ["--backend", "gpu", "--on-error", "mark", "--out", "results"];
        arguments.extend(fixed.map(str::to_owned));
        arguments.extend(variables.iter().flat_map(|name| ["--in".to_owned(), format!("{name}=one")]));
        start.measure(&expression, &arguments.into_iter().map(OsString::from).collect::<Vec<_>>())?;
    }
    Ok(())
}

/// A function as an expression, and its variables.
fn expression(function: &Value) -> Outcome<(String, Vec<String>)> {
    let text = function["signature"].as_str().ok_or("a function has a signature")?;
    // Fixed distances, and masks, which have no other operand.
    let is_fixed =
        ["a << n", "a >> n", "rotl(a, n)", "rotr(a, n)", "mask(n)", "mask_high(n)"].contains(&text);
    let names = function["operands"].as_array().ok_or("a function has operands")?;
    let names = names.iter().filter_map(Value::as_str);
    let is_constant = |name: &str| {
        let is_power = name == "exponent" && text != "a ** exponent";
        (CONSTANTS.contains(&name) && !is_power) || (is_fixed && name == "n")
    };
    let (constants, variables): (Vec<&str>, Vec<&str>) = names.partition(|name| is_constant(name));
    let words = text.split_inclusive(|c: char| !c.is_alphanumeric() && c != '_');
    let expression = words.map(|word| {
        let name = word.trim_end_matches(|c: char| !c.is_alphanumeric() && c != '_');
        if constants.contains(&name) { word.replacen(name, "7", 1) } else { word.to_owned() }
    });
    Ok((expression.collect(), variables.into_iter().map(str::to_owned).collect()))
}
