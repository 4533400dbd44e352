//! Measured times by expression, product and width.

use std::collections::HashMap;
use std::sync::OnceLock;

use limbforge_algos::block::mul_tensor::TILE_WORDS;
use limbforge_limb::IntType;
use serde::Deserialize;

use super::line::{Beyond, Line};
use super::measurement::{Measurement, MeasurementError, shape};
use crate::invariant::broken_invariant;
use crate::ntt::ProductPlan;
use crate::spec::{LimbKind, Product, ProductMapping};

/// Times of many expressions, by [`shape`] and product.
#[derive(Clone, Debug, Default)]
pub(super) struct Times {
    /// With planned mappings.
    rows: HashMap<(String, Product), Vec<Row>>,
    /// With others, which count at their widths alone.
    mapped: HashMap<(String, Product), Vec<(ProductMapping, Row)>>,
    sources: Vec<String>,
}

/// A measured time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Row {
    pub(super) case: Case,
    /// Milliseconds for a batch of 2^32 bits.
    pub(super) ms: f64,
}

/// The integers that a time is of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Case {
    bits: u32,
    limb: LimbKind,
    /// Words of 32 bits of an instance.
    pub(super) words: u32,
}

/// The file of shipped times.
#[derive(Debug, Deserialize)]
struct File {
    sources: Vec<Source>,
}

#[derive(Debug, Deserialize)]
struct Source {
    file: String,
    device: String,
    date: String,
    commit: String,
    measurements: Vec<Measurement>,
}

/// The times of an H200.
pub(super) fn shipped() -> &'static Times {
    static SHIPPED: OnceLock<Times> = OnceLock::new();
    SHIPPED.get_or_init(|| {
        parse(include_str!("../../data/plans/sm_90.json"))
            .unwrap_or_else(|error| broken_invariant(&format!("the shipped times can be read: {error}")))
    })
}

fn parse(text: &str) -> Result<Times, Box<dyn std::error::Error>> {
    let file: File = serde_json::from_str(text)?;
    let mut times = Times::default();
    for Source { file, device, date, commit, measurements } in file.sources {
        times.sources.push(format!("{device}, {file}, {date}, commit {commit}"));
        measurements.iter().try_for_each(|measurement| times.add(measurement))?;
    }
    Ok(times)
}

impl Case {
    pub(super) const fn new(ty: IntType, limb: LimbKind) -> Self {
        Self { bits: ty.bits(), limb, words: limb.instance_words(ty) }
    }
}

impl Times {
    /// Adds a measurement, in place of an earlier one of the same case.
    pub(super) fn add(&mut self, measurement: &Measurement) -> Result<(), MeasurementError> {
        let key = (shape(&measurement.check()?), measurement.product);
        let case = Case::new(IntType::unsigned(measurement.bits.into())?, measurement.limb);
        let row = Row { case, ms: measurement.ms };
        if let Some(mapping) = measurement.mapping {
            let rows = self.mapped.entry(key).or_default();
            rows.retain(|(other, row)| (*other, row.case) != (mapping, case));
            rows.push((mapping, row));
            return Ok(());
        }
        let rows = self.rows.entry(key).or_default();
        rows.retain(|row| row.case != case);
        rows.push(row);
        rows.sort_by_key(|row| (row.case.words, row.case.bits));
        Ok(())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.rows.is_empty() && self.mapped.is_empty()
    }

    /// Milliseconds of all mappings but the planned one that were measured with as many words, those of the
    /// same limb and bits where there are some.
    pub(super) fn mapped(&self, shape: &str, product: Product, case: Case) -> Vec<(ProductMapping, f64)> {
        let all = self.mapped.get(&(shape.to_owned(), product)).map_or(&[][..], |rows| rows);
        let Some(nearest) = nearest(all.iter().map(|(_, row)| row), case) else { return vec![] };
        let alike = all.iter().filter(|(_, row)| row.case == nearest.case);
        alike.map(|(mapping, row)| (*mapping, row.ms_of(case))).collect()
    }

    /// The fastest of these, unless the planned mapping was faster at this width.
    pub(super) fn fastest_mapping(
        &self,
        shape: &str,
        product: Product,
        case: Case,
    ) -> Option<(ProductMapping, f64)> {
        let fastest = self.mapped(shape, product, case).into_iter().min_by(|a, b| a.1.total_cmp(&b.1))?;
        let planned = self.milliseconds(shape, product, case).filter(|(_, is_measured)| *is_measured);
        planned.is_none_or(|(ms, _)| fastest.1 < ms).then_some(fastest)
    }

    /// Without the times of widths of so many words.
    #[cfg(test)]
    pub(super) fn forget(&mut self, words: u32) {
        self.rows.values_mut().for_each(|rows| rows.retain(|row| row.case.words != words));
    }

    pub(super) fn sources(&self) -> impl Iterator<Item = &str> {
        self.sources.iter().map(|source| &**source)
    }

    pub(super) fn rows(&self, shape: &str, product: Product) -> &[Row] {
        self.rows.get(&(shape.to_owned(), product)).map_or(&[], |rows| rows)
    }

    pub(super) fn widths(&self, shape: &str, product: Product) -> Vec<u32> {
        self.rows(shape, product).iter().map(|row| row.case.bits).collect()
    }

    /// Milliseconds, and whether they were measured at this width. None for an expression that was not
    /// measured, and for integers that no kernel takes.
    pub(super) fn milliseconds(&self, shape: &str, product: Product, case: Case) -> Option<(f64, bool)> {
        let rows = self.rows(shape, product);
        if let Some(row) = nearest(rows, case) {
            return Some((row.ms_of(case), true));
        }
        let computed = computed_words(product, case.words)?;
        Some((
            of_widths_padded_alike(rows, product, computed, case)
                .or_else(|| of_other_widths(rows, product, computed, case))?,
            false,
        ))
    }
}

/// From widths that are padded to the same one: an instance takes as long, but for its memory traffic, on a
/// line.
fn of_widths_padded_alike(rows: &[Row], product: Product, computed: u32, case: Case) -> Option<f64> {
    let alike = rows.iter().filter(|row| computed_words(product, row.case.words) == Some(computed));
    let instances: Line =
        alike.map(|row| (f64::from(row.case.words), row.ms * f64::from(row.case.bits))).collect();
    Some(instances.at(f64::from(case.words), Beyond::Constant)? / f64::from(case.bits))
}

/// From other widths, as if none of their words were padding; of those that are padded alike, from the
/// widest.
fn of_other_widths(rows: &[Row], product: Product, computed: u32, case: Case) -> Option<f64> {
    let full = rows.iter().filter_map(|Row { case, ms }| {
        let words = f64::from(computed_words(product, case.words)?);
        Some((words, ms * f64::from(case.bits) / (32.0 * words)))
    });
    let at = f64::from(computed);
    Some(full.collect::<Line>().at(at, Beyond::Proportional)? * 32.0 * at / f64::from(case.bits))
}

impl Row {
    /// Milliseconds of as many words per instance with other bits: an instance takes as long, but there are
    /// more of fewer bits.
    fn ms_of(&self, case: Case) -> f64 {
        self.ms * (f64::from(self.case.bits) / f64::from(case.bits))
    }
}

/// The row of as many words with this limb, and then with the nearest bits, before others.
fn nearest<'r>(rows: impl IntoIterator<Item = &'r Row>, case: Case) -> Option<&'r Row> {
    let rows = rows.into_iter().filter(|row| row.case.words == case.words);
    rows.min_by_key(|row| (row.case.limb != case.limb, row.case.bits.abs_diff(case.bits)))
}

/// Words that a kernel computes for so many; None if it cannot.
fn computed_words(product: Product, words: u32) -> Option<u32> {
    let tile = TILE_WORDS as u32;
    match product {
        Product::Tensor if words <= tile / 2 => Some(tile / 2),
        Product::Tensor => Some(words.next_multiple_of(tile)),
        // Half the points are digits of two words.
        Product::Ntt => ProductPlan::computed_points(words),
        Product::Classical | Product::Auto => Some(words),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use limbforge_algos::expr::Expr;

    fn key(text: &str) -> String {
        shape(&Expr::parse(text).unwrap().to_dag())
    }

    fn case(bits: u64) -> Case {
        Case::new(IntType::unsigned(bits).unwrap(), LimbKind::of::<u32>())
    }

    #[test]
    fn shipped_times_are_read() {
        let times = parse(include_str!("../../data/plans/sm_90.json")).unwrap();
        for (text, product) in [
            ("a*b", Product::Classical),
            ("a*b", Product::Tensor),
            ("a*b", Product::Ntt),
            ("mul_wide(a, b)", Product::Classical),
            ("mul_wide(a, b)", Product::Ntt),
            ("(a*a + b)*(b*b + b) + a*b", Product::Tensor),
        ] {
            let rows = times.rows(&key(text), product);
            assert!(rows.len() >= 8, "{text} {product:?}: {rows:?}");
            assert!(rows.iter().all(|row| (0.3..200.0).contains(&row.ms)), "{text} {product:?}: {rows:?}");
        }
        assert!(times.sources().count() > 0);
    }

    /// Each width that was measured, from the others alone: estimates between are near.
    #[test]
    fn estimates_are_near_what_was_measured() {
        for (bits, product, most) in [
            (3000, Product::Tensor, 0.15),
            (5000, Product::Tensor, 0.15),
            (10_000, Product::Tensor, 0.15),
            (24_000, Product::Tensor, 0.15),
            // Widths below and above go by warpgroups.
            (50_000, Product::Tensor, 0.2),
            (5000, Product::Ntt, 0.2),
            (10_000, Product::Ntt, 0.2),
            (100_000, Product::Ntt, 0.2),
            (8192, Product::Classical, 0.05),
        ] {
            let mut times = shipped().clone();
            let rows = times.rows.get_mut(&(key("a*b"), product)).unwrap();
            let measured =
                nearest(rows.iter().filter(|row| row.case.bits == bits), case(bits.into())).unwrap().ms;
            rows.retain(|row| row.case.words != case(bits.into()).words);
            let (estimate, is_measured) =
                times.milliseconds(&key("a*b"), product, case(bits.into())).unwrap();
            assert!(!is_measured);
            let off = (estimate / measured - 1.0).abs();
            assert!(off < most, "{bits} {product:?}: {estimate} for {measured}");
        }
    }

    /// Of widths that are padded to the same one, the nearest counts more.
    #[test]
    fn padded_alike() {
        let of = |bits: u64| shipped().milliseconds(&key("a*b"), Product::Ntt, case(bits)).unwrap().0;
        let instance = |bits: u64| of(bits) * bits as f64;
        assert!((instance(10_016) / instance(10_000) - 1.0).abs() < 0.01);
        assert!(instance(10_000) < instance(13_000) && instance(13_000) < instance(16_384));
    }

    #[test]
    fn what_was_measured_is_itself() {
        let (ms, is_measured) = shipped().milliseconds(&key("x*y"), Product::Tensor, case(4096)).unwrap();
        assert!(is_measured && (0.3..1.0).contains(&ms), "{ms}");
        // 31 bits more of padding: as long for each instance.
        let padded = shipped().milliseconds(&key("x*y"), Product::Tensor, case(4065)).unwrap();
        assert!(padded.1 && (padded.0 / ms - 4096.0 / 4065.0).abs() < 1e-9);
        assert_eq!(shipped().milliseconds(&key("a ^ b"), Product::Tensor, case(4096)), None);
    }
}
