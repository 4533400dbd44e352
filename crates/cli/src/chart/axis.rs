//! The values upwards, and which of them have a line.

use std::ops::{Range, RangeInclusive};

use plotters::coord::ranged1d::{DefaultFormatting, KeyPointHint, Ranged};

/// Where a logarithmic axis has lines in every decade.
const DECADE: [f64; 3] = [1.0, 2.0, 5.0];

/// The values upwards.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Axis {
    /// From 0, with a line every `step`.
    Linear { most: u32, step: u32 },
    /// Between two positive numbers.
    Logarithmic { least: f64, most: f64 },
    /// Between two times in nanoseconds, with a line every power of ten.
    Time { least: f64, most: f64 },
}

impl Axis {
    /// Where a value lies, 0 at the bottom and 1 at the top.
    pub(super) fn place(self, y: f64) -> f64 {
        match self {
            Self::Linear { most, .. } => y / f64::from(most),
            Self::Logarithmic { least, most } | Self::Time { least, most } => {
                (y / least).ln() / (most / least).ln()
            }
        }
    }

    /// A value with its unit.
    pub(super) fn label(self, y: f64) -> String {
        let Self::Time { .. } = self else { return y.to_string() };
        let (scale, unit) =
            [(1e6, "ms"), (1e3, "µs")].into_iter().find(|(scale, _)| y >= *scale).unwrap_or((1.0, "ns"));
        format!("{} {unit}", y / scale)
    }

    /// The values that have a line.
    pub(super) fn lines(self) -> Vec<f64> {
        match self {
            Self::Linear { most, step } => (0..=most).step_by(step as usize).map(f64::from).collect(),
            Self::Logarithmic { least, most } => {
                let lines = decades(least, most).flat_map(|decade| DECADE.map(|line| line * decade));
                lines.filter(|line| (least..=most).contains(line)).collect()
            }
            Self::Time { least, most } => {
                decades(least, most).filter(|line| (least..=most).contains(line)).collect()
            }
        }
    }
}

impl Ranged for Axis {
    type FormatOption = DefaultFormatting;
    type ValueType = f64;

    fn map(&self, y: &f64, limits: (i32, i32)) -> i32 {
        at(self.place(*y), limits)
    }

    fn key_points<H: KeyPointHint>(&self, _: H) -> Vec<f64> {
        self.lines()
    }

    fn range(&self) -> Range<f64> {
        match *self {
            Self::Linear { most, .. } => 0.0..most.into(),
            Self::Logarithmic { least, most } | Self::Time { least, most } => least..most,
        }
    }
}

/// Exponents of 2, every other one with a label.
pub(super) struct Powers(pub(super) RangeInclusive<u32>);

impl Ranged for Powers {
    type FormatOption = DefaultFormatting;
    type ValueType = f64;

    fn map(&self, x: &f64, limits: (i32, i32)) -> i32 {
        let Range { start, end } = self.range();
        at((x - start) / (end - start), limits)
    }

    fn key_points<H: KeyPointHint>(&self, _: H) -> Vec<f64> {
        self.0.clone().step_by(2).map(f64::from).collect()
    }

    fn range(&self) -> Range<f64> {
        f64::from(*self.0.start())..f64::from(*self.0.end())
    }
}

/// The pixel at a part of the way.
fn at(part: f64, (first, last): (i32, i32)) -> i32 {
    first + (f64::from(last - first) * part).floor() as i32
}

/// The powers of ten from below one number to above another.
fn decades(least: f64, most: f64) -> impl Iterator<Item = f64> {
    let exponents = least.log10().floor() as i32..=most.log10().ceil() as i32;
    exponents.map(|exponent| if exponent < 0 { 1.0 / 10_f64.powi(-exponent) } else { 10_f64.powi(exponent) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_axes() {
        assert_eq!(Axis::Linear { most: 20, step: 8 }.lines(), [0.0, 8.0, 16.0]);
        let lines = Axis::Logarithmic { least: 0.3, most: 30.0 }.lines();
        assert_eq!(lines.len(), 6, "{lines:?}");
        assert!((lines[0] - 0.5).abs() < 1e-9 && (lines[5] - 20.0).abs() < 1e-9);
        let times = Axis::Time { least: 0.03, most: 3e6 };
        let labels: Vec<String> = times.lines().into_iter().map(|line| times.label(line)).collect();
        assert_eq!(labels, ["0.1 ns", "1 ns", "10 ns", "100 ns", "1 µs", "10 µs", "100 µs", "1 ms"]);
        let axis = Axis::Logarithmic { least: 0.1, most: 10.0 };
        assert!((axis.place(1.0) - 0.5).abs() < 1e-12);
    }
}
