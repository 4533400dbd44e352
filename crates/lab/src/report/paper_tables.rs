//! Tables 1 and 2 of Oancea and Watt, "GPU Implementations for Midsize Integer Addition and Multiplication",
//! in their layout and units, section 6.1.

use limbforge_cli::table::aligned;

use super::results::{Results, Time};
use super::table::{Table, table, without_columns_of};
use crate::paper::{WIDTHS, gigabytes, operations};

/// A value that was not measured; a column of these is omitted.
const NOTHING: &str = "----";

/// The columns of a program: its name in the paper, our benchmarks with the names of their columns, and the
/// unit as a function of milliseconds, bits and bits of the batch. Rows of the first benchmark have the
/// others' times.
type Group = (&'static str, &'static [(&'static str, &'static str)], fn(f64, u32, u64) -> f64);

/// Titles and columns.
const TABLES: [(&str, &[Group]); 2] = [
    (
        "Table 1. Addition in GB/s: 3 * NumInsts * NumBits / 8 bytes in the time",
        &[("1-Add", &[("add1", "limbforge")], gigabytes), ("6-Add", &[("add6", "limbforge")], gigabytes)],
    ),
    (
        "Table 2. Multiplication in Gu32ops/s: 300 * NumInsts * m * log2(m) operations in the time, m = NumBits / 32; four \
         times as many for Poly, (a*a + b)*(b*b + b) + a*b",
        &[
            (
                "1-Mul",
                &[("mul-classical", "classical"), ("mul-tensor", "tensor"), ("mul-ntt", "ntt")],
                operations,
            ),
            ("Poly", &[("poly-tensor", "tensor"), ("poly-ntt", "ntt")], |ms, bits, batch_bits| {
                4.0 * operations(ms, bits, batch_bits)
            }),
        ],
    ),
];

/// Both tables of the results with one batch size, that of the first report.
pub(super) fn text(results: &Results) -> String {
    let (batch_bits, device) =
        results.sources.first().map_or((0, ""), |source| (source.batch_bits, &source.device));
    let mut text = format!("{device}; batches of {batch_bits} bits per operand\n");
    for (title, groups) in TABLES {
        let lines = aligned(&lines(groups, &results.times, batch_bits), &[]);
        text += &format!("\n{title}\n\n{}\n", lines.join("\n"));
    }
    text
}

fn lines(groups: &[Group], times: &[Time], batch_bits: u64) -> Table {
    let names = groups.iter().flat_map(|(name, ours, _)| {
        let columns = ["CGBN", "Oancea-Watt"].into_iter().chain(ours.iter().map(|ours| ours.1));
        columns.map(move |column| format!("{name} {column}"))
    });
    let head = ["NumBits", "NumInsts"].map(str::to_owned).into_iter().chain(names);
    let rows = WIDTHS.rev().map(|exponent| {
        let bits = 1_u32 << exponent;
        let mut line = vec![format!("2^{exponent}"), (batch_bits / u64::from(bits)).to_string()];
        for (_, ours, unit) in groups {
            let least = |operation: &str, ms: fn(&Time) -> Option<f64>| {
                let here = times.iter().filter(|time| time.bits == bits && time.operation == operation);
                let least = here.filter_map(ms).reduce(f64::min);
                least.map_or_else(|| NOTHING.to_owned(), |ms| format!("{:.0}", unit(ms, bits, batch_bits)))
            };
            line.push(least(ours[0].0, |time| time.peers[2]));
            line.push(least(ours[0].0, |time| time.peers[0]));
            line.extend(ours.iter().map(|ours| least(ours.0, |time| Some(time.median_ms))));
        }
        line
    });
    without_columns_of(NOTHING, table(head, rows))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_measured_is_dashes() {
        let time = |operation: &str, median_ms, paper_ms| Time {
            source: 0,
            gigabytes_per_second: None,
            operation: operation.to_owned(),
            limb: "u64".to_owned(),
            bits: 1 << 18,
            instances: f64::from(1 << 14),
            median_ms,
            floor_ms: Some(0.37),
            peers: [paper_ms, None, None],
        };
        let times = [time("add1", 0.5, Some(1.0)), time("add1", 0.4, Some(1.0))];
        let lines = lines(TABLES[0].1, &times, 1 << 32);
        assert_eq!(lines[0], ["NumBits", "NumInsts", "1-Add Oancea-Watt", "1-Add limbforge"]);
        assert_eq!(lines[1], ["2^18", "16384", "1611", "4027"]);
        assert_eq!(lines[8], ["2^11", "2097152", NOTHING, NOTHING]);
    }
}
