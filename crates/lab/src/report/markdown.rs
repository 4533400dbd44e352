//! Tables of measurements in a page written by hand.

use std::collections::BTreeSet;

use super::figures::{Figure, figures};
use super::results::{Results, Transform};
use super::table::{Table, fixed, table, width};
use super::{cpu_peers, model, others, products};

const BEGIN: &str = "<!-- table: ";
const END: &str = "<!-- end -->";

/// The page with the lines between each `<!-- table: NAME -->` and `<!-- end -->` replaced by the table of
/// that name. The error is an unknown name, or a table without an end.
pub(super) fn rewritten(page: &str, results: &Results) -> Result<String, String> {
    let figures = figures(results);
    let mut text = String::new();
    let mut lines = page.lines().enumerate();
    while let Some((number, line)) = lines.next() {
        text += line;
        text.push('\n');
        let Some(name) = line.strip_prefix(BEGIN) else { continue };
        let name = name.strip_suffix(" -->").unwrap_or(name);
        let here = |why: &str| format!("line {}: {why}", number + 1);
        let table = named(name, &figures, results).ok_or_else(|| {
            let titles: Vec<&str> = figures.iter().map(|figure| &*figure.chart.title).collect();
            let expected = format!(
                "expected sources, transforms, `Rates: TITLE`, CPU products, `beside FLINT and GMP on DEVICE: OPERATION`, peers, \
                 `peers: UNIT`, model sources, products, gcds, divisions, sorts or one of {}",
                titles.join("; ")
            );
            here(&format!("no table `{name}`: {expected}"))
        })?;
        text += &markdown(&table);
        if !lines.any(|(_, line)| line == END) {
            return Err(here(&format!("expected a line `{END}` after the table")));
        }
        text += END;
        text.push('\n');
    }
    Ok(text)
}

fn named(name: &str, figures: &[Figure], results: &Results) -> Option<Table> {
    let figure = |title: &str| figures.iter().find(|figure| figure.chart.title == title);
    if let Some(operation) = name.strip_prefix("beside FLINT and GMP on ") {
        return cpu_peers::named(operation, &results.cpu_peers);
    }
    match (name, name.strip_prefix("Rates: ")) {
        ("sources", _) => Some(results.sources()),
        ("CPU products", _) => Some(products::of_cpu(results.cpu.as_ref()?)),
        ("transforms", _) => Some(transforms(&results.transforms)),
        (_, Some(title)) => Some(figure(title)?.rates.clone()),
        _ => {
            let of_others = others::named(name).or_else(|| model::named(name, &results.models));
            of_others.or_else(|| Some(figure(name)?.table.clone()))
        }
    }
}

/// 10^9 butterflies per second of forward transforms, by prime and points.
fn transforms(all: &[Transform]) -> Table {
    let forward = || all.iter().filter(|transform| transform.kind == "forward");
    let points: BTreeSet<u32> = forward().map(|transform| transform.points).collect();
    let primes: BTreeSet<u64> = forward().map(|transform| transform.prime).collect();
    let head = ["prime".to_owned()].into_iter().chain(points.iter().map(|&points| width(points)));
    let lines = primes.into_iter().map(|prime| {
        let of = |points: u32| forward().find(|other| (other.prime, other.points) == (prime, points));
        let cells = points.iter().map(|&points| fixed(of(points).map(|found| found.giga_butterflies), 0));
        [prime.to_string()].into_iter().chain(cells).collect()
    });
    table(head, lines)
}

fn markdown(lines: &[Vec<String>]) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let Some((head, rows)) = lines.split_first() else { return String::new() };
    let rule: Vec<String> = head.iter().map(|_| "---".to_owned()).collect();
    let is_width = head.first().is_some_and(|name| name == "bits");
    let rows = rows.iter().map(|cells| {
        let mut cells = cells.clone();
        if let Some(first) = cells.first_mut().filter(|_| is_width)
            && let Ok(bits) = first.parse()
        {
            *first = width(bits);
        }
        line(&cells)
    });
    line(head) + &line(&rule) + &rows.collect::<String>()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn results() -> Results {
        let of = |prime, points| Transform {
            prime,
            kind: "forward".to_owned(),
            points,
            median_ms: 0.5,
            giga_butterflies: 2400.4,
            peers: [Some(485.0), None],
        };
        Results { transforms: vec![of(97, 16), of(193, 16), of(97, 48)], ..Results::default() }
    }

    #[test]
    fn tables_are_replaced_and_prose_is_not() {
        let page = "a\n<!-- table: transforms -->\nold\nolder\n<!-- end -->\nb\n";
        let expected = "a\n<!-- table: transforms -->\n| prime | 2^4 | 48 |\n| --- | --- | --- |\n| 97 | 2400 | 2400 |\n\
                        | 193 | 2400 |  |\n<!-- end -->\nb\n";
        let once = rewritten(page, &results()).unwrap();
        assert_eq!(once, expected);
        assert_eq!(rewritten(&once, &results()).unwrap(), once);
        assert_eq!(rewritten("no tables\n", &results()).unwrap(), "no tables\n");
    }

    #[test]
    fn what_is_wrong_has_a_line() {
        let error = |page: &str| rewritten(page, &results()).unwrap_err();
        assert!(
            error("a\n<!-- table: Cubes -->\n<!-- end -->\n")
                .starts_with("line 2: no table `Cubes`: expected ")
        );
        assert!(
            error("<!-- table: transforms -->\n| a |\n")
                .starts_with("line 1: expected a line `<!-- end -->`")
        );
    }
}
