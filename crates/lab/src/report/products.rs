//! The time of one product by its width: a table of a CPU, and a chart of a GPU, a CPU and other libraries.

use std::{collections::BTreeMap, ops::RangeInclusive};

use limbforge_cli::chart::{Axis, Chart, Line, Stroke, extent};

use super::results::{CpuProducts, CpuRow, Results};
use super::table::{Table, table};
use crate::peers::{PEERS, Unit};

/// Widths of the chart, exponents of 2: those at which the GPU and most others were measured.
const WIDTHS: RangeInclusive<u32> = 9..=18;

/// Nanoseconds of each limb and each library.
pub(super) fn of_cpu(products: &CpuProducts) -> Table {
    let rows = products.rows.iter().map(|row| {
        let CpuRow { bits, u32, u64, u128, num_bigint, gmp } = row;
        let ratio = num_bigint / u64;
        let ratio = if ratio < 9.995 { format!("{ratio:.2}") } else { format!("{ratio:.1}") };
        let times = [u32, u64, u128, num_bigint, gmp].map(f64::to_string);
        [bits.to_string()].into_iter().chain(times).chain([ratio]).collect()
    });
    table(["bits", "u32", "u64", "u128", "num-bigint", "GMP", "num-bigint : u64"], rows)
}

/// The chart as SVG; the error names the report that is missing.
pub(super) fn chart(results: &Results) -> Result<String, String> {
    let cpu = results.cpu.as_ref().ok_or("expected a report of products on a CPU, found none")?;
    let threads = if cpu.threads == 1 { "1 thread".to_owned() } else { format!("{} threads", cpu.threads) };
    let of_cpu = |value: fn(&CpuRow) -> f64| cpu.rows.iter().map(|row| (row.bits, value(row))).collect();
    let lines = vec![
        line(format!("num-bigint, {threads}"), of_cpu(|row| row.num_bigint)),
        line(format!("limbforge, {threads}"), of_cpu(|row| row.u64)),
        line("GMP, 16 threads".to_owned(), of_peer("GMP", "mpn_mul_n")),
        line("FLINT, 16 threads".to_owned(), of_peer("FLINT", "mullow_n")),
        line("CGBN, one H200".to_owned(), of_peer("CGBN", "cgbn_mul")),
        line("limbforge, one H200".to_owned(), of_gpu(results)),
    ];
    if let Some(line) = lines.iter().find(|line| line.points.is_empty()) {
        return Err(format!("expected products of 2^9 to 2^18 bits, found none of {}", line.name));
    }
    let chart = Chart {
        title: "Time of one product in a large batch".to_owned(),
        x_label: "bits of each factor".to_owned(),
        y_label: String::new(),
        x: WIDTHS,
        y: Axis::time(extent(&lines, 1.5)),
        lines,
    };
    chart.to_svg().map_err(|error| error.to_string())
}

/// Nanoseconds of one product on the GPU, by the fastest algorithm for each width.
fn of_gpu(results: &Results) -> BTreeMap<u32, f64> {
    let mut times = BTreeMap::new();
    let products = ["mul-classical", "mul-tensor", "mul-ntt", "mul-auto"];
    for time in results.times.iter().filter(|time| products.contains(&&*time.operation)) {
        let ns = time.median_ms * 1e6 / time.instances;
        let least = times.entry(time.bits).or_insert(ns);
        *least = ns.min(*least);
    }
    times
}

/// Nanoseconds of one product by another library: its first function with this beginning.
fn of_peer(peer: &str, function: &str) -> BTreeMap<u32, f64> {
    let mut figures = PEERS.figures.iter().filter(|figure| figure.unit == Unit::Milliseconds);
    let figure = figures.find(|figure| figure.peer == peer && figure.function.starts_with(function));
    let instances = |bits: u32| PEERS.batch_bits as f64 / f64::from(bits);
    let values = figure.into_iter().flat_map(|figure| &figure.values);
    values.map(|(&bits, &ms)| (bits, ms * 1e6 / instances(bits))).collect()
}

/// The points whose widths are powers of two of the chart.
fn line(name: String, times: BTreeMap<u32, f64>) -> Line {
    let is_shown = |bits: &u32| bits.is_power_of_two() && WIDTHS.contains(&bits.ilog2());
    let points = times.into_iter().filter(|(bits, _)| is_shown(bits));
    let points = points.map(|(bits, ns)| (f64::from(bits.ilog2()), ns)).collect();
    Line { name, points, stroke: Stroke::Solid }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_others_are_those_of_one_product() {
        // 2^14 products of 2^18 bits in 485 ms; 2^23 of 512 bits in 0.456 ms.
        assert!((of_peer("FLINT", "mullow_n")[&(1 << 18)] - 485e6 / 16384.0).abs() < 1e-6);
        assert!((of_peer("CGBN", "cgbn_mul")[&512] - 0.456e6 / 8_388_608.0).abs() < 1e-9);
    }

    #[test]
    fn missing_reports_are_named() {
        assert!(chart(&Results::default()).unwrap_err().contains("on a CPU, found none"));
        let (bits, time) = (512, 50.0);
        let row = CpuRow { bits, u32: time, u64: time, u128: time, num_bigint: time, gmp: time };
        let results =
            Results { cpu: Some(CpuProducts { threads: 1, rows: vec![row] }), ..Results::default() };
        assert!(chart(&results).unwrap_err().ends_with("found none of limbforge, one H200"));
    }
}
