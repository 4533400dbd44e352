//! Charts and tables: which rows go together.

use std::collections::BTreeSet;

use limbforge_cli::chart::{Axis, Chart, Line, Stroke};

use super::numbers::three_digits;
use super::results::{Results, TRANSFORM_PEERS, Time, Transform};
use crate::operations::{ALGORITHMS, FIGURES, figure_of};
use crate::paper::gu32ops;
use crate::peers::GPU_PEERS;

/// A chart with its numbers.
pub(super) struct Figure {
    pub(super) chart: Chart,
    /// A line of names, then lines of values.
    pub(super) table: Vec<Vec<String>>,
    /// The fastest of each width in other units, likewise; empty for transforms.
    pub(super) rates: Vec<Vec<String>>,
}

/// The figures of all results, those without lines left out.
pub(super) fn figures(results: &Results) -> Vec<Figure> {
    let known = |what: &str| FIGURES.iter().any(|(name, _)| *name == what);
    let measured = results.times.iter().map(|time| figure_of(&time.operation).0);
    let others: BTreeSet<&str> = measured.filter(|what| !known(what)).collect();
    let all = FIGURES.into_iter().chain(others.into_iter().map(|name| (name, name)));
    all.filter_map(|(what, title)| times(what, title, results))
        .chain(transforms(&results.transforms))
        .collect()
}

fn times(what: &str, title: &str, results: &Results) -> Option<Figure> {
    let times: Vec<&Time> =
        results.times.iter().filter(|time| figure_of(&time.operation).0 == what).collect();
    let mut names: Vec<(&str, &str)> = vec![];
    for time in &times {
        let name = (figure_of(&time.operation).1, &*time.limb);
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let place = |how: &str| ALGORITHMS.iter().position(|(algorithm, _)| *algorithm == how);
    names.sort_by_key(|&(how, limb)| (place(how), limb.len(), limb));
    let of = |name: (&str, &str)| {
        let same = move |time: &&&Time| (figure_of(&time.operation).1, &*time.limb) == name;
        times.iter().filter(same).copied().collect::<Vec<&Time>>()
    };
    let mut lines: Vec<Line> = most_complete(&names, |name| of(name).len())
        .into_iter()
        .map(|name| {
            line(format!("{} {}", name.0, name.1), of(name).into_iter().map(|t| (t.bits, t.median_ms)))
        })
        .collect();
    let floors = widths(&times).into_iter().filter_map(|bits| Some((bits, floor(&times, bits)?)));
    lines.push(Line { stroke: Stroke::Reference, ..line("memory floor".to_owned(), floors) });
    for (i, name) in GPU_PEERS.into_iter().enumerate() {
        let points = times.iter().filter_map(|time| Some((time.bits, time.peers[i]?)));
        lines.push(Line { stroke: Stroke::Reference, ..line(name.to_owned(), points) });
    }
    lines.retain(|line| !line.points.is_empty());
    let values = lines.iter().flat_map(|line| &line.points).map(|&(_, ms)| ms);
    let (least, most) = values.fold((f64::MAX, 0.0_f64), |(least, most), ms| (least.min(ms), most.max(ms)));
    let chart = Chart {
        title: title.to_owned(),
        x_label: "bits of a number".to_owned(),
        y_label: "ms for the whole batch".to_owned(),
        x: exponents(&lines)?,
        y: Axis::Logarithmic { least: least / 1.3, most: most * 1.3 },
        lines,
    };
    Some(Figure { chart, table: table_of_times(&names, &times), rates: rates(&times) })
}

/// Of each algorithm the limb with the most rows, the first of equals.
fn most_complete<'n>(
    names: &[(&'n str, &'n str)],
    rows: impl Fn((&str, &str)) -> usize,
) -> Vec<(&'n str, &'n str)> {
    let mut chosen: Vec<(&str, &str)> = vec![];
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

/// The memory floor of what moves most at this width: an operand for all instances is no more than one.
fn floor(times: &[&Time], bits: u32) -> Option<f64> {
    times.iter().filter(|time| time.bits == bits).filter_map(|time| time.floor_ms).reduce(f64::max)
}

fn table_of_times(names: &[(&str, &str)], times: &[&Time]) -> Vec<Vec<String>> {
    let mut head = vec!["bits".to_owned()];
    head.extend(names.iter().map(|(how, limb)| format!("{how} {limb}")));
    head.push("memory floor".to_owned());
    head.extend(GPU_PEERS.map(str::to_owned));
    head.push("fastest of others : ours".to_owned());
    let lines = widths(times).into_iter().map(|bits| {
        let here: Vec<&Time> = times.iter().filter(|time| time.bits == bits).copied().collect();
        let least = |values: &mut dyn Iterator<Item = f64>| values.reduce(f64::min);
        let ms = |value: Option<f64>| value.map(|ms| format!("{ms:.3}")).unwrap_or_default();
        let mut line = vec![bits.to_string()];
        line.extend(names.iter().map(|name| {
            let time = here.iter().find(|time| (figure_of(&time.operation).1, &*time.limb) == *name);
            ms(time.map(|time| time.median_ms))
        }));
        let peers: [Option<f64>; 3] =
            std::array::from_fn(|i| least(&mut here.iter().filter_map(|time| time.peers[i])));
        // Of what others were measured for.
        let measured = |time: &&&Time| time.peers.iter().any(Option::is_some);
        let ours = least(&mut here.iter().filter(measured).map(|time| time.median_ms));
        let ratio = least(&mut peers.into_iter().flatten()).zip(ours).map(|(other, ours)| other / ours);
        line.push(ms(floor(times, bits)));
        line.extend(peers.map(ms));
        line.push(ratio.map(|ratio| format!("{ratio:.2}")).unwrap_or_default());
        line
    });
    without_empty_columns([head].into_iter().chain(lines).collect())
}

fn without_empty_columns(mut table: Vec<Vec<String>>) -> Vec<Vec<String>> {
    for column in (0..table[0].len()).rev() {
        if table[1..].iter().all(|line| line[column].is_empty()) {
            table.iter_mut().for_each(|line| drop(line.remove(column)));
        }
    }
    table
}

/// The fastest at each width, in other units than milliseconds.
fn rates(times: &[&Time]) -> Vec<Vec<String>> {
    let head = ["bits", "fastest", "ms per batch", "10^6 instances/s", "GB/s", "Gu32ops/s"];
    let lines = widths(times).into_iter().filter_map(|bits| {
        let here = times.iter().filter(|time| time.bits == bits);
        let fastest = here.min_by(|a, b| a.median_ms.total_cmp(&b.median_ms))?;
        let instances = fastest.instances;
        let ms = fastest.median_ms;
        let whole = |value: Option<f64>| value.map(|value| decimals(value, 0)).unwrap_or_default();
        Some(vec![
            bits.to_string(),
            format!("{} {}", figure_of(&fastest.operation).1, fastest.limb),
            format!("{ms:.3}"),
            decimals(instances / ms / 1e3, 1),
            whole(fastest.gigabytes_per_second),
            whole(gu32ops(&fastest.operation, bits, instances, ms)),
        ])
    });
    without_empty_columns([head.map(str::to_owned).to_vec()].into_iter().chain(lines).collect())
}

/// With so many decimals, or as many as show three digits of a value below 10.
fn decimals(value: f64, fewest: usize) -> String {
    if value > 0.0 && value < 10.0 { three_digits(value) } else { format!("{value:.fewest$}") }
}

/// The forward transforms as a chart, all of them as a table.
fn transforms(transforms: &[Transform]) -> Option<Figure> {
    let forward = || transforms.iter().filter(|transform| transform.kind == "forward");
    let primes: BTreeSet<u64> = forward().map(|transform| transform.prime).collect();
    let mut lines: Vec<Line> = primes
        .into_iter()
        .map(|prime| {
            let points = forward().filter(|transform| transform.prime == prime);
            line(prime.to_string(), points.map(|transform| (transform.points, transform.giga_butterflies)))
        })
        .collect();
    for (name, is_wide) in [("GPU-NTT, 32 bits", false), ("GPU-NTT, 64 bits", true)] {
        let points = forward().filter(|transform| (transform.prime >> 32 != 0) == is_wide);
        let points = points.filter_map(|transform| Some((transform.points, transform.peers[0]?)));
        lines.push(Line { stroke: Stroke::Reference, ..line(name.to_owned(), points) });
    }
    lines.retain(|line| !line.points.is_empty());
    let chart = Chart {
        title: "Forward transforms over prime fields".to_owned(),
        x_label: "points".to_owned(),
        y_label: "10^9 butterflies per second".to_owned(),
        x: exponents(&lines)?,
        y: Axis::Linear { most: 3000, step: 500 },
        lines,
    };
    let head = ["prime", "kind", "points", "ms", "10^9 butterflies / s"].into_iter().chain(TRANSFORM_PEERS);
    let head: Vec<String> = head.map(str::to_owned).collect();
    let rows = transforms.iter().map(|transform| {
        let Transform { prime, kind, points, median_ms, giga_butterflies, peers } = transform;
        let [gpu_ntt, sppark] = peers.map(|peer| peer.map(|rate| format!("{rate:.0}")).unwrap_or_default());
        let numbers = [format!("{median_ms:.3}"), format!("{giga_butterflies:.0}"), gpu_ntt, sppark];
        [prime.to_string(), kind.clone(), points.to_string()].into_iter().chain(numbers).collect()
    });
    Some(Figure { chart, table: [head].into_iter().chain(rows).collect(), rates: vec![] })
}

/// A line whose points are sorted, one for each width.
fn line(name: String, points: impl Iterator<Item = (u32, f64)>) -> Line {
    let mut points: Vec<(u32, f64)> = points.collect();
    points.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
    points.dedup_by_key(|point| point.0);
    let points = points.into_iter().map(|(width, value)| (f64::from(width).log2(), value)).collect();
    Line { name, points, stroke: Stroke::Solid }
}

/// The exponents that all points lie between; None for no points.
fn exponents(lines: &[Line]) -> Option<std::ops::RangeInclusive<u32>> {
    let points = || lines.iter().flat_map(|line| &line.points).map(|&(exponent, _)| exponent);
    let (first, last) = (points().reduce(f64::min)?.floor() as u32, points().reduce(f64::max)?.ceil() as u32);
    Some(first..=last.max(first + 1))
}

#[cfg(test)]
mod tests;
