//! The times that plans go by: the file that limbforge is built with.

use serde_json::json;

use super::results::{Results, Source, Time};
use crate::bench::product_of;

/// Products with a named algorithm, by report, a line for each. Times are rounded to 0.1 microseconds.
pub(super) fn text(results: &Results) -> String {
    let sources = results.sources.iter().enumerate().filter_map(|(i, source)| {
        let lines: Vec<String> =
            results.times.iter().filter(|time| time.source == i).filter_map(line).collect();
        let Source { name, device, date, commit, .. } = source;
        let [name, device, date, commit] = [name, device, date, commit].map(|text| json!(text).to_string());
        (!lines.is_empty()).then(|| {
            format!(
                "  {{\"file\": {name}, \"device\": {device}, \"date\": {date}, \"commit\": {commit}, \
                 \"measurements\": [\n{}\n  ]}}",
                lines.join(",\n")
            )
        })
    });
    format!("{{\n \"sources\": [\n{}\n ]\n}}\n", sources.collect::<Vec<_>>().join(",\n"))
}

fn line(time: &Time) -> Option<String> {
    let (expression, product) = product_of(&time.operation)?;
    let ms = (time.median_ms * 1e4).round() / 1e4;
    let [expression, limb] = [json!(expression), json!(time.limb)];
    let bits = time.bits;
    Some(format!(
        "   {{\"expression\":{expression},\"bits\":{bits},\"limb\":{limb},\"product\":\"{product}\",\"ms\":{ms}}}"
    ))
}
