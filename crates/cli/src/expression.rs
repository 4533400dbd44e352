//! Expressions of the command line, checked against the type, with the place of an error.

use limbforge::algos::expr::{Assignment, ParseErrorKind, ParseExprError, ParsedAll};
use limbforge::prelude::*;

use crate::error::CliError;

/// Parses an expression for operands of this type, with these variables or any. Warnings go to standard
/// error.
pub(crate) fn parse(text: &str, inputs: Option<&[&str]>, ty: IntType) -> Result<Expr, CliError> {
    let parsed = Expr::parse_with_warnings(text, inputs).map_err(|error| failed(&error, text))?;
    parsed
        .expr
        .to_dag()
        .result_type(ty)
        .map_err(|error| CliError::InExpression(parsed.report(text, &error).into()))?;
    for warning in &parsed.warnings {
        eprintln!("warning: {}", warning.report(text));
    }
    Ok(parsed.expr)
}

/// Parses assignments with these variables.
pub(crate) fn parse_all(text: &str, inputs: &[&str]) -> Result<ParsedAll, CliError> {
    Expr::parse_all_with_warnings(text, Some(inputs)).map_err(|error| failed(&error, text))
}

/// Checks the values of assignments for operands of this type. Warnings go to standard error.
pub(crate) fn check_all(
    parsed: &ParsedAll,
    text: &str,
    results: &[&Assignment],
    ty: IntType,
) -> Result<(), CliError> {
    for result in results {
        let found = result.expr.to_dag().result_type(ty);
        found.map_err(|error| CliError::InExpression(parsed.report(text, result, &error).into()))?;
    }
    parsed.warnings.iter().for_each(|warning| eprintln!("warning: {}", warning.report(text)));
    Ok(())
}

fn failed(error: &ParseExprError, text: &str) -> CliError {
    let mut report = error.report(text);
    if error.kind == ParseErrorKind::UnknownFunction {
        let space = if report.hint.is_empty() { "" } else { " " };
        report.hint += &format!("{space}(`limbforge functions` lists all)");
    }
    CliError::InExpression(report.into())
}
