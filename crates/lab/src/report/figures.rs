//! Charts and tables of the rows that belong together.

use std::{array, collections::BTreeSet};

use limbforge_cli::chart::{Axis, Chart, Line, Stroke, extent, powers};

use super::results::{Results, TRANSFORM_PEERS, Time, Transform};
use super::table::{Table, fixed, table, three_digits, without_columns_of};
use crate::operations::{self, figure_of};
use crate::paper::gu32ops;
use crate::peers::GPU_PEERS;

/// The order of the algorithms in a figure.
const ALGORITHMS: [&str; 4] = ["classical", "tensor", "ntt", "auto"];

/// A chart with its numbers.
pub(super) struct Figure {
    pub(super) chart: Chart,
    pub(super) table: Table,
    /// The fastest of each width in other units; empty for transforms.
    pub(super) rates: Table,
}

/// An algorithm and a limb.
type Name<'a> = (&'a str, &'a str);

fn name(time: &Time) -> Name<'_> {
    (figure_of(&time.operation).1, &time.limb)
}

/// All figures that have a line.
pub(super) fn figures(results: &Results) -> Vec<Figure> {
    let known = operations::figures();
    let measured = results.times.iter().map(|time| figure_of(&time.operation).0);
    let others: BTreeSet<&str> = measured.filter(|what| known.iter().all(|(name, _)| name != what)).collect();
    let titles = known.iter().map(|(name, title)| (&**name, &**title));
    let all = titles.chain(others.into_iter().map(|name| (name, name)));
    all.filter_map(|(what, title)| times(what, title, results))
        .chain(transforms(&results.transforms))
        .collect()
}

fn times(what: &str, title: &str, results: &Results) -> Option<Figure> {
    let times: Vec<&Time> =
        results.times.iter().filter(|time| figure_of(&time.operation).0 == what).collect();
    let mut names: Vec<Name<'_>> = vec![];
    for name in times.iter().map(|time| name(time)) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let place = |how: &str| ALGORITHMS.iter().position(|algorithm| *algorithm == how);
    names.sort_by_key(|&(how, limb)| (place(how), limb.len(), limb));
    let chosen = most_complete(&names, |one| times.iter().filter(|time| name(time) == one).count());
    let mut lines: Vec<Line> = chosen
        .into_iter()
        .map(|one| {
            let points = times.iter().filter(|time| name(time) == one);
            let points = points.map(|time| (time.bits, time.median_ms));
            line(format!("{} {}", one.0, one.1), Stroke::Solid, points)
        })
        .collect();
    let floors = widths(&times).into_iter().filter_map(|bits| Some((bits, floor(&times, bits)?)));
    lines.push(line("memory floor".to_owned(), Stroke::Reference, floors));
    lines.extend(GPU_PEERS.iter().enumerate().map(|(i, peer)| {
        let points = times.iter().filter_map(|time| Some((time.bits, time.peers[i]?)));
        line((*peer).to_owned(), Stroke::Reference, points)
    }));
    lines.retain(|line| !line.points.is_empty());
    let chart = Chart {
        title: title.to_owned(),
        x_label: "bits of a number".to_owned(),
        y_label: "ms for the whole batch".to_owned(),
        x: powers(&lines)?,
        y: Axis::logarithmic(extent(&lines, 1.3)),
        lines,
    };
    Some(Figure { chart, table: table_of_times(&names, &times), rates: rates(&times) })
}

/// For each algorithm the limb with the most rows, the first of equals.
fn most_complete<'n>(names: &[Name<'n>], rows: impl Fn(Name<'_>) -> usize) -> Vec<Name<'n>> {
    let mut chosen: Vec<Name<'n>> = vec![];
    for &name in names {
        match chosen.iter_mut().find(|other| other.0 == name.0) {
            Some(other) if rows(name) > rows(*other) => *other = name,
            Some(_) => {}
            None => chosen.push(name),
        }
    }
    chosen
}

fn widths(times: &[&Time]) -> BTreeSet<u32> {
    times.iter().map(|time| time.bits).collect()
}

/// The largest memory floor at this width: a shared operand moves less.
fn floor(times: &[&Time], bits: u32) -> Option<f64> {
    times.iter().filter(|time| time.bits == bits).filter_map(|time| time.floor_ms).reduce(f64::max)
}

fn table_of_times(names: &[Name<'_>], times: &[&Time]) -> Table {
    let columns = names.iter().map(|(how, limb)| format!("{how} {limb}"));
    let others = ["memory floor"].into_iter().chain(GPU_PEERS).chain(["fastest of others : ours"]);
    let head = ["bits".to_owned()].into_iter().chain(columns).chain(others.map(str::to_owned));
    let lines = widths(times).into_iter().map(|bits| {
        let here: Vec<&Time> = times.iter().filter(|time| time.bits == bits).copied().collect();
        let mut line = vec![bits.to_string()];
        line.extend(names.iter().map(|one| {
            let time = here.iter().find(|time| name(time) == *one);
            fixed(time.map(|time| time.median_ms), 3)
        }));
        let peers: [Option<f64>; 3] =
            array::from_fn(|i| here.iter().filter_map(|time| time.peers[i]).reduce(f64::min));
        let compared = here.iter().filter(|time| time.peers.iter().any(Option::is_some));
        let ours = compared.map(|time| time.median_ms).reduce(f64::min);
        let ratio = peers.into_iter().flatten().reduce(f64::min).zip(ours).map(|(other, ours)| other / ours);
        line.push(fixed(floor(times, bits), 3));
        line.extend(peers.map(|ms| fixed(ms, 3)));
        line.push(fixed(ratio, 2));
        line
    });
    without_columns_of("", table(head, lines))
}

/// The fastest at each width, in other units than milliseconds.
fn rates(times: &[&Time]) -> Table {
    let lines = widths(times).into_iter().filter_map(|bits| {
        let here = times.iter().filter(|time| time.bits == bits);
        let fastest = here.min_by(|a, b| a.median_ms.total_cmp(&b.median_ms))?;
        let (instances, ms) = (fastest.instances, fastest.median_ms);
        let whole = |value: Option<f64>| value.map(|value| decimals(value, 0)).unwrap_or_default();
        Some(vec![
            bits.to_string(),
            format!("{} {}", name(fastest).0, fastest.limb),
            format!("{ms:.3}"),
            decimals(instances / ms / 1e3, 1),
            whole(fastest.gigabytes_per_second),
            whole(gu32ops(&fastest.operation, bits, instances, ms)),
        ])
    });
    let head = ["bits", "fastest", "ms per batch", "10^6 instances/s", "GB/s", "Gu32ops/s"];
    without_columns_of("", table(head, lines))
}

/// A number to this many decimals, or to three digits below 10.
fn decimals(value: f64, fewest: usize) -> String {
    if value > 0.0 && value < 10.0 { three_digits(value) } else { format!("{value:.fewest$}") }
}

/// The forward transforms as a chart, all of them as a table.
fn transforms(transforms: &[Transform]) -> Option<Figure> {
    let forward = || transforms.iter().filter(|transform| transform.kind == "forward");
    let primes: BTreeSet<u64> = forward().map(|transform| transform.prime).collect();
    let of_prime = primes.into_iter().map(|prime| {
        let points = forward().filter(|transform| transform.prime == prime);
        let points = points.map(|transform| (transform.points, transform.giga_butterflies));
        line(prime.to_string(), Stroke::Solid, points)
    });
    let of_words = [("GPU-NTT, 32 bits", false), ("GPU-NTT, 64 bits", true)].map(|(name, is_wide)| {
        let points = forward().filter(|transform| (transform.prime >> 32 != 0) == is_wide);
        let points = points.filter_map(|transform| Some((transform.points, transform.peers[0]?)));
        line(name.to_owned(), Stroke::Reference, points)
    });
    let lines = of_prime.chain(of_words).filter(|line| !line.points.is_empty()).collect::<Vec<_>>();
    let chart = Chart {
        title: "Forward transforms over prime fields".to_owned(),
        x_label: "points".to_owned(),
        y_label: "10^9 butterflies per second".to_owned(),
        x: powers(&lines)?,
        y: Axis::linear(3000, 500),
        lines,
    };
    let head = ["prime", "kind", "points", "ms", "10^9 butterflies / s"].into_iter().chain(TRANSFORM_PEERS);
    let rows = transforms.iter().map(|transform| {
        let Transform { prime, kind, points, median_ms, giga_butterflies, peers } = transform;
        let [gpu_ntt, sppark] = peers.map(|peer| fixed(peer, 0));
        let numbers = [format!("{median_ms:.3}"), format!("{giga_butterflies:.0}"), gpu_ntt, sppark];
        [prime.to_string(), kind.clone(), points.to_string()].into_iter().chain(numbers).collect()
    });
    Some(Figure { chart, table: table(head, rows), rates: vec![] })
}

/// A line whose points are sorted, one for each width.
fn line(name: String, stroke: Stroke, points: impl Iterator<Item = (u32, f64)>) -> Line {
    let mut points: Vec<(u32, f64)> = points.collect();
    points.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
    points.dedup_by_key(|point| point.0);
    let points = points.into_iter().map(|(width, value)| (f64::from(width).log2(), value)).collect();
    Line { name, points, stroke }
}

#[cfg(test)]
mod tests;
