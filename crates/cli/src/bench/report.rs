//! What a benchmark prints.

mod row;

use std::fmt;

use serde_json::{Value, json};

use self::row::{COLUMNS, NAMES};
pub(super) use self::row::{Floor, Measured, Row};

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
        let widths: [usize; COLUMNS] =
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

#[cfg(test)]
mod tests;
