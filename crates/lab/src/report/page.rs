//! The page: HTML with its style and its charts inside, no scripts, no other files.

use minijinja::{Environment, Value, context};

use super::figures::{Figure, figures};
use super::others;
use super::results::{Results, Source};
use crate::paper::GU32OPS;

/// Names that end so have their values escaped.
const NAME: &str = "report.html";

/// # Errors
/// A chart that cannot be drawn.
pub(super) fn html(results: &Results) -> Result<String, String> {
    let mut devices: Vec<&str> = results.sources.iter().map(|source| &*source.device).collect();
    devices.dedup();
    let figures = figures(results).iter().map(figure).collect::<Result<Vec<Value>, String>>()?;
    let page = context! {
        title => format!("limbforge on {}", devices.join(", ")),
        gu32ops => GU32OPS,
        sources => sources(&results.sources),
        figures,
        others => others::sources(),
    };
    let environment = Environment::new();
    let text = environment.render_named_str(NAME, include_str!("../../templates/report.html"), page);
    // The engine takes the end of the last line away, and escapes slashes, which HTML does not ask for.
    text.map(|text| text.replace("&#x2f;", "/") + "\n").map_err(|error| format!("{error:#}"))
}

fn figure(Figure { chart, table, rates }: &Figure) -> Result<Value, String> {
    let svg = chart.to_svg().map_err(|error| error.to_string())?;
    Ok(context! { title => &*chart.title, svg, table => table.clone(), rates => rates.clone() })
}

pub(super) fn sources(sources: &[Source]) -> Vec<Vec<String>> {
    let head = ["report", "date", "commit", "driver", "nvrtc", "bits per operand", "runs"];
    let lines = sources.iter().map(|source| {
        let Source { name, driver, nvrtc, date, commit, batch_bits, repeats, .. } = source;
        let texts = [name, date, commit, driver, nvrtc].map(Clone::clone);
        texts.into_iter().chain([batch_bits.to_string(), repeats.to_string()]).collect()
    });
    [head.map(str::to_owned).to_vec()].into_iter().chain(lines).collect()
}
