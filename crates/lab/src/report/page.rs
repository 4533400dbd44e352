//! The page: one HTML file with its style and its charts, without scripts.

use minijinja::{Environment, Value, context};

use super::figures::{Figure, figures};
use super::others;
use super::results::Results;
use crate::paper::GU32OPS;

/// The ending makes the engine escape values.
const NAME: &str = "report.html";

pub(super) fn html(results: &Results) -> Result<String, String> {
    let mut devices: Vec<&str> = results.sources.iter().map(|source| &*source.device).collect();
    devices.dedup();
    let figures = figures(results).iter().map(figure).collect::<Result<Vec<Value>, String>>()?;
    let page = context! {
        title => format!("limbforge on {}", devices.join(", ")),
        gu32ops => GU32OPS,
        sources => results.sources(),
        figures,
        others => others::sources(),
    };
    let environment = Environment::new();
    let text = environment.render_named_str(NAME, include_str!("../../templates/report.html"), page);
    // The engine removes the last line end, and escapes slashes, which HTML does not ask for.
    text.map(|text| text.replace("&#x2f;", "/") + "\n").map_err(|error| format!("{error:#}"))
}

fn figure(Figure { chart, table, rates }: &Figure) -> Result<Value, String> {
    let svg = chart.to_svg().map_err(|error| error.to_string())?;
    Ok(context! { title => &*chart.title, svg, table => table.clone(), rates => rates.clone() })
}
