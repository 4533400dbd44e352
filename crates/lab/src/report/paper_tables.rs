//! Tables 1 and 2 of Oancea and Watt, "GPU Implementations for Midsize Integer Addition and Multiplication", in their layout and
//! units, section 6.1.

use limbforge_cli::table::aligned;

use super::results::{Results, Time};
use crate::paper::{WIDTHS, gigabytes, operations};

/// What stands for a value that there is not; a column of these is left out.
const NOTHING: &str = "----";

/// A table: what it says above, and its columns.
struct Table {
    title: &'static str,
    groups: &'static [Group],
}

/// Columns of one program.
struct Group {
    /// What the paper calls it.
    name: &'static str,
    /// What `limbforge-lab bench` calls it, with the name of each column: the first one's rows have the others' times.
    ours: &'static [(&'static str, &'static str)],
    /// Of the time in milliseconds and the bits of a number and of the batch.
    value: fn(f64, u32, u64) -> f64,
}

const TABLES: [Table; 2] = [
    Table {
        title: "Table 1. Addition in GB/s: 3 * NumInsts * NumBits / 8 bytes in the time",
        groups: &[
            Group { name: "1-Add", ours: &[("add1", "limbforge")], value: gigabytes },
            Group { name: "6-Add", ours: &[("add6", "limbforge")], value: gigabytes },
        ],
    },
    Table {
        title: "Table 2. Multiplication in Gu32ops/s: 300 * NumInsts * m * log2(m) operations in the time, m = NumBits / 32; four \
                times as many for Poly, (a*a + b)*(b*b + b) + a*b",
        groups: &[
            Group {
                name: "1-Mul",
                ours: &[("mul-classical", "classical"), ("mul-tensor", "tensor"), ("mul-ntt", "ntt")],
                value: operations,
            },
            Group {
                name: "Poly",
                ours: &[("poly-tensor", "tensor"), ("poly-ntt", "ntt")],
                value: |ms, bits, batch_bits| 4.0 * operations(ms, bits, batch_bits),
            },
        ],
    },
];

/// Both tables of the results with one batch size, that of the first report.
pub(super) fn text(results: &Results) -> String {
    let batch_bits = results.sources.first().map_or(0, |source| source.batch_bits);
    let device = results.sources.first().map_or("", |source| &*source.device);
    let mut text = format!("{device}; batches of {batch_bits} bits per operand\n");
    for table in &TABLES {
        text += &format!("\n{}\n\n", table.title);
        for line in aligned(&lines(table, &results.times, batch_bits), &[]) {
            text += &line;
            text.push('\n');
        }
    }
    text
}

fn lines(table: &Table, times: &[Time], batch_bits: u64) -> Vec<Vec<String>> {
    let mut head = vec!["NumBits".to_owned(), "NumInsts".to_owned()];
    for group in table.groups {
        let names = ["CGBN", "Oancea-Watt"].into_iter().chain(group.ours.iter().map(|ours| ours.1));
        head.extend(names.map(|name| format!("{} {name}", group.name)));
    }
    let lines = WIDTHS.rev().map(|exponent| {
        let bits = 1_u32 << exponent;
        let mut line = vec![format!("2^{exponent}"), (batch_bits / u64::from(bits)).to_string()];
        for group in table.groups {
            let least = |operation: &str, ms: fn(&Time) -> Option<f64>| {
                let here = times.iter().filter(|time| time.bits == bits && time.operation == operation);
                here.filter_map(ms).reduce(f64::min)
            };
            let cell = |ms: Option<f64>| {
                ms.map_or_else(
                    || NOTHING.to_owned(),
                    |ms| format!("{:.0}", (group.value)(ms, bits, batch_bits)),
                )
            };
            let measured_beside = group.ours[0].0;
            line.push(cell(least(measured_beside, |time| time.peers[2])));
            line.push(cell(least(measured_beside, |time| time.peers[0])));
            line.extend(group.ours.iter().map(|ours| cell(least(ours.0, |time| Some(time.median_ms)))));
        }
        line
    });
    let mut lines: Vec<Vec<String>> = [head].into_iter().chain(lines).collect();
    for column in (2..lines[0].len()).rev() {
        if lines[1..].iter().all(|line| line[column] == NOTHING) {
            lines.iter_mut().for_each(|line| drop(line.remove(column)));
        }
    }
    lines
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
        let lines = lines(&TABLES[0], &times, 1 << 32);
        assert_eq!(lines[0], ["NumBits", "NumInsts", "1-Add Oancea-Watt", "1-Add limbforge"]);
        assert_eq!(lines[1], ["2^18", "16384", "1611", "4027"]);
        assert_eq!(lines[8], ["2^11", "2097152", NOTHING, NOTHING]);
    }
}
