//! What a benchmark prints.

use std::fmt;
use std::time::{SystemTime, UNIX_EPOCH};

use limbforge_gpu::Timings;
use serde_json::{Value, json};

use super::operations::{Peers, multiply_accumulates};

/// The vector addition beside which a width is measured.
#[derive(Clone, Debug)]
pub(super) struct Floor {
    pub(super) bytes: u64,
    pub(super) timings: Timings,
}

/// A kernel and its times.
#[derive(Clone, Debug)]
pub(super) struct Measured {
    pub(super) registers: u32,
    pub(super) local_bytes: u32,
    pub(super) occupancy: f64,
    /// Bytes that a run reads and writes at least.
    pub(super) bytes: u64,
    pub(super) median_ms: f64,
    pub(super) min_ms: f64,
    pub(super) floor: Floor,
}

/// An operation at a width.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub(super) operation: &'static str,
    pub(super) limb: &'static str,
    pub(super) bits: u32,
    pub(super) instances: u64,
    pub(super) mapping: String,
    pub(super) peers: Peers,
    /// Or why there is no kernel.
    pub(super) outcome: Result<Measured, String>,
}

/// All rows, and what they were measured with.
#[derive(Debug)]
pub(super) struct Report {
    pub(super) date: String,
    pub(super) commit: Option<String>,
    pub(super) device: String,
    pub(super) driver: String,
    pub(super) nvrtc: String,
    pub(super) batch_bits: u64,
    pub(super) repeats: u32,
    pub(super) rows: Vec<Row>,
}

impl Measured {
    fn gigabytes_per_second(&self) -> f64 {
        self.bytes as f64 / self.median_ms / 1e6
    }

    /// Milliseconds in which the vector addition moves as many bytes.
    fn floor_ms(&self) -> f64 {
        self.floor.timings.median_ms * self.bytes as f64 / self.floor.bytes as f64
    }

    fn ratio(&self) -> f64 {
        self.median_ms / self.floor_ms()
    }
}

impl Row {
    /// 10^12 products of 32-bit words per second, of products.
    fn tera_products(&self, measured: &Measured) -> Option<f64> {
        let products = multiply_accumulates(self.bits) * self.instances as f64;
        self.operation.starts_with("mul").then(|| products / measured.median_ms / 1e9)
    }

    /// The values of a row's columns; those that do not apply are empty.
    fn columns(&self) -> [String; 14] {
        let optional = |value: Option<f64>| value.map(|value| value.to_string()).unwrap_or_default();
        let Self { operation, limb, bits, instances, mapping, peers, .. } = self;
        let mut columns = [
            (*operation).to_owned(),
            (*limb).to_owned(),
            bits.to_string(),
            instances.to_string(),
            mapping.clone(),
            String::new(),
            String::new(),
            String::new(),
            String::new(),
            String::new(),
            String::new(),
            String::new(),
            optional(peers.paper),
            optional(peers.cgbn),
        ];
        if let Ok(measured) = &self.outcome {
            columns[5] = measured.registers.to_string();
            columns[6] = format!("{:.4}", measured.median_ms);
            columns[7] = format!("{:.4}", measured.min_ms);
            columns[8] = format!("{:.0}", measured.gigabytes_per_second());
            columns[9] = format!("{:.4}", measured.floor_ms());
            columns[10] = format!("{:.3}", measured.ratio());
            columns[11] = self.tera_products(measured).map(|value| format!("{value:.2}")).unwrap_or_default();
        }
        columns
    }

    fn to_json(&self) -> Value {
        let measured = self.outcome.as_ref().ok();
        json!({
            "operation": self.operation,
            "limb": self.limb,
            "bits": self.bits,
            "instances": self.instances,
            "mapping": self.mapping,
            "error": self.outcome.as_ref().err(),
            "registers": measured.map(|m| m.registers),
            "local_bytes": measured.map(|m| m.local_bytes),
            "occupancy": measured.map(|m| m.occupancy),
            "bytes": measured.map(|m| m.bytes),
            "median_ms": measured.map(|m| m.median_ms),
            "min_ms": measured.map(|m| m.min_ms),
            "gigabytes_per_second": measured.map(Measured::gigabytes_per_second),
            "vector_add_median_ms": measured.map(|m| m.floor.timings.median_ms),
            "vector_add_bytes": measured.map(|m| m.floor.bytes),
            "floor_ms": measured.map(Measured::floor_ms),
            "ratio_to_floor": measured.map(Measured::ratio),
            "tera_products_per_second": measured.and_then(|m| self.tera_products(m)),
            "paper_ms": self.peers.paper,
            "cgbn_ms": self.peers.cgbn,
        })
    }
}

const NAMES: [&str; 14] = [
    "operation",
    "limb",
    "bits",
    "instances",
    "mapping",
    "registers",
    "ms",
    "min ms",
    "GB/s",
    "floor ms",
    "ratio",
    "T mac/s",
    "paper ms",
    "CGBN ms",
];

impl Report {
    /// Keys as in the help, and those of [`Row::to_json`].
    pub(super) fn to_json(&self) -> Value {
        json!({
            "date": self.date,
            "commit": self.commit,
            "device": self.device,
            "driver": self.driver,
            "nvrtc": self.nvrtc,
            "batch_bits": self.batch_bits,
            "repeats": self.repeats,
            "rows": self.rows.iter().map(Row::to_json).collect::<Vec<_>>(),
        })
    }

    /// A line of names, and a line for each row. No value has a comma in it.
    pub(super) fn to_csv(&self) -> String {
        let lines = self.rows.iter().map(|row| row.columns().join(",") + "\n");
        NAMES.join(",") + "\n" + &lines.collect::<String>()
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { date, device, driver, nvrtc, batch_bits, repeats, .. } = self;
        let commit = self.commit.as_deref().unwrap_or("not given");
        writeln!(f, "{device}; driver {driver}, nvrtc {nvrtc}; {date}, commit {commit}")?;
        writeln!(f, "{batch_bits} bits per operand, median of {repeats} runs; every result validated\n")?;
        let rows: Vec<_> = self.rows.iter().map(Row::columns).collect();
        let lines: Vec<_> = [NAMES.map(str::to_owned)].into_iter().chain(rows).collect();
        let widths: [usize; 14] =
            std::array::from_fn(|i| lines.iter().map(|line| line[i].len()).max().unwrap_or(0));
        let errors = self.rows.iter().map(|row| row.outcome.as_ref().err());
        for (line, error) in lines.iter().zip([None].into_iter().chain(errors)) {
            let cell = |(i, text): (usize, &String)| {
                let width = widths[i];
                if [0, 1, 4].contains(&i) { format!("{text:<width$}") } else { format!("{text:>width$}") }
            };
            let cells: Vec<_> = line.iter().enumerate().map(cell).collect();
            write!(f, "{}", cells.join("  ").trim_end())?;
            match error {
                Some(error) => writeln!(f, "  no kernel: {error}")?,
                None => writeln!(f)?,
            }
        }
        Ok(())
    }
}

/// The day, in Greenwich, as in 2026-01-31.
pub(super) fn today() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    date(seconds / 86_400)
}

/// The date of a number of days after 1970-01-01 (Hinnant, "chrono-compatible low-level date algorithms").
fn date(days: u64) -> String {
    let days = days + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = year_of_era + 400 * era + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests;
