//! Axes of charts, and the values that have a line.

use std::ops::{Range, RangeInclusive};

use plotters::coord::ranged1d::{DefaultFormatting, KeyPointHint, Ranged};

/// The vertical axis.
#[derive(Clone, Debug)]
pub struct Axis {
    least: f64,
    most: f64,
    is_logarithmic: bool,
    /// The values that have a line.
    pub(super) lines: Vec<f64>,
    pub(super) label: fn(f64) -> String,
}

impl Axis {
    /// From 0, with a line every `step`.
    pub fn linear(most: u32, step: u32) -> Self {
        let lines = (0..=most).step_by(step as usize).map(f64::from).collect();
        Self { least: 0.0, most: most.into(), is_logarithmic: false, lines, label: |y| y.to_string() }
    }

    /// Between two positive numbers, with lines at 1, 2 and 5 in every decade.
    pub fn logarithmic(range: (f64, f64)) -> Self {
        Self::decades(range, &[1.0, 2.0, 5.0], |y| y.to_string())
    }

    /// Between two times in nanoseconds, with a line every power of ten.
    pub fn time(range: (f64, f64)) -> Self {
        Self::decades(range, &[1.0], |y| {
            let mut units = [(1e6, "ms"), (1e3, "µs")].into_iter();
            let (scale, unit) = units.find(|(scale, _)| y >= *scale).unwrap_or((1.0, "ns"));
            format!("{} {unit}", y / scale)
        })
    }

    fn decades((least, most): (f64, f64), in_decade: &[f64], label: fn(f64) -> String) -> Self {
        let exponents = least.log10().floor() as i32..=most.log10().ceil() as i32;
        let power = |e: i32| if e < 0 { 1.0 / 10_f64.powi(-e) } else { 10_f64.powi(e) };
        let lines = exponents.map(power).flat_map(|decade| in_decade.iter().map(move |line| line * decade));
        let lines = lines.filter(|line| (least..=most).contains(line)).collect();
        Self { least, most, is_logarithmic: true, lines, label }
    }

    /// The place of a value, 0 at the bottom and 1 at the top.
    fn place(&self, y: f64) -> f64 {
        let Self { least, most, .. } = self;
        if self.is_logarithmic { (y / least).ln() / (most / least).ln() } else { y / most }
    }
}

impl Ranged for Axis {
    type FormatOption = DefaultFormatting;
    type ValueType = f64;

    fn map(&self, y: &f64, limits: (i32, i32)) -> i32 {
        at(self.place(*y), limits)
    }

    fn key_points<H: KeyPointHint>(&self, _: H) -> Vec<f64> {
        self.lines.clone()
    }

    fn range(&self) -> Range<f64> {
        self.least..self.most
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_axes() {
        assert_eq!(Axis::linear(20, 8).lines, [0.0, 8.0, 16.0]);
        let lines = Axis::logarithmic((0.3, 30.0)).lines;
        assert_eq!(lines.len(), 6, "{lines:?}");
        assert!((lines[0] - 0.5).abs() < 1e-9 && (lines[5] - 20.0).abs() < 1e-9);
        let times = Axis::time((0.03, 3e6));
        let labels: Vec<String> = times.lines.iter().map(|&line| (times.label)(line)).collect();
        assert_eq!(labels, ["0.1 ns", "1 ns", "10 ns", "100 ns", "1 µs", "10 µs", "100 µs", "1 ms"]);
        let axis = Axis::logarithmic((0.1, 10.0));
        assert!((axis.place(1.0) - 0.5).abs() < 1e-12);
    }
}
