//! The page: HTML with its style and its charts inside, no scripts, no other files.

use super::figures::{Figure, figures};
use super::paper_tables::GU32OPS;
use super::peers;
use super::results::{Results, Source};
use crate::chart::escaped;

const STYLE: &str = "\
body { font-family: sans-serif; max-width: 60em; margin: 2em auto; padding: 0 1em; color: #222; background: #fff }
table { border-collapse: collapse; margin: 1em 0; font-size: 90%; font-variant-numeric: tabular-nums }
th, td { padding: 0.25em 0.7em; text-align: right; border-bottom: 1px solid #ddd }
th { border-bottom: 2px solid #888 }
td:first-child, th:first-child { text-align: left }
@media (prefers-color-scheme: dark) {
body { color: #e6edf3; background: #0d1117 }
th, td { border-color: #30363d }
}
svg { max-width: 100%; height: auto }
.wide { overflow-x: auto }
";

pub(super) fn html(results: &Results) -> String {
    let mut devices: Vec<&str> = results.sources.iter().map(|source| &*source.device).collect();
    devices.dedup();
    let title = format!("limbforge on {}", devices.join(", "));
    let title = escaped(&title);
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>{title}</title>\n\
         <style>\n{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n\
         <p>Medians of event timings after warm-up. Every result was compared with the CPU backend before it was timed. \
         The memory floor is a vector addition that moves as many bytes; dashed lines are what others reach with a batch of the same \
         size on the same GPU (the last table says which of their functions, in which version).</p>\n<p>Units: ms for the whole batch; instances/s, each of one operation on integers of so many bits; GB/s of \
         operands and results, each once; {}.</p>\n",
        escaped(GU32OPS)
    );
    page += &table(&sources(&results.sources));
    for figure in figures(results) {
        page += &section(&figure);
    }
    page += "<h2 id=\"others\">What others were measured with</h2>\n";
    page += &table(&peers::sources());
    page + "</body>\n</html>\n"
}

fn section(Figure { chart, table: lines, rates }: &Figure) -> String {
    let rates = if rates.is_empty() { String::new() } else { table(rates) };
    format!("<h2>{}</h2>\n{}{}{rates}", escaped(&chart.title), chart.to_svg(), table(lines))
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

fn table(lines: &[Vec<String>]) -> String {
    let line = |(i, cells): (usize, &Vec<String>)| {
        let tag = if i == 0 { "th" } else { "td" };
        let cells = cells.iter().map(|cell| format!("<{tag}>{}</{tag}>", escaped(cell)));
        format!("<tr>{}</tr>\n", cells.collect::<String>())
    };
    let lines: String = lines.iter().enumerate().map(line).collect();
    format!("<div class=\"wide\"><table>\n{lines}</table></div>\n")
}
