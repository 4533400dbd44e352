//! Measured times by expression, product and width.

use std::collections::HashMap;
use std::sync::OnceLock;

use limbforge_algos::block::mul_tensor::TILE_WORDS;
use limbforge_limb::IntType;
use serde::Deserialize;

use super::measurement::{Measurement, MeasurementError, shape};
use crate::invariant::broken_invariant;
use crate::ntt::ProductPlan;
use crate::pipeline::{Product, ProductMapping};
use crate::spec::LimbKind;

/// Times of many expressions.
#[derive(Clone, Debug, Default)]
pub(super) struct Times {
    /// With planned mappings.
    rows: HashMap<(String, Product), Vec<Row>>,
    /// With others. They count at their widths alone.
    mapped: HashMap<(String, Product), Vec<(ProductMapping, Row)>>,
    sources: Vec<String>,
}

/// A measured time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Row {
    /// Words of 32 bits of an instance.
    pub(super) words: u32,
    bits: u32,
    limb: LimbKind,
    /// For a batch of 2^32 bits.
    ms: f64,
}

/// A case whose time is asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Case {
    pub(super) bits: u32,
    pub(super) limb: LimbKind,
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
    for source in file.sources {
        let Source { file, device, date, commit, measurements } = source;
        times.sources.push(format!("{device}, {file}, {date}, commit {commit}"));
        for measurement in &measurements {
            times.add(measurement)?;
        }
    }
    Ok(times)
}

impl Case {
    pub(super) const fn new(ty: IntType, limb: LimbKind) -> Self {
        Self { bits: ty.bits(), limb, words: limb.instance_words(ty) }
    }
}

impl Times {
    pub(super) fn add(&mut self, measurement: &Measurement) -> Result<(), MeasurementError> {
        let dag = measurement.check()?;
        let Measurement { bits, limb, product, mapping, ms, .. } = *measurement;
        let words = limb.instance_words(IntType::unsigned(bits.into())?);
        let row = Row { words, bits, limb, ms };
        let key = (shape(&dag), product);
        if let Some(mapping) = mapping {
            let rows = self.mapped.entry(key).or_default();
            rows.retain(|(other, row)| (*other, row.bits, row.limb) != (mapping, bits, limb));
            rows.push((mapping, row));
            return Ok(());
        }
        let rows = self.rows.entry(key).or_default();
        rows.retain(|row| (row.bits, row.limb) != (bits, limb));
        rows.push(row);
        rows.sort_by_key(|row| (row.words, row.bits));
        Ok(())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.rows.is_empty() && self.mapped.is_empty()
    }

    /// Milliseconds of all mappings but the planned one that were measured with as many words, those of the same limb and bits
    /// where there are some.
    pub(super) fn mapped(&self, shape: &str, product: Product, case: Case) -> Vec<(ProductMapping, f64)> {
        let all = self.mapped.get(&(shape.to_owned(), product)).map_or(&[][..], |rows| rows);
        let rows = || all.iter().filter(|(_, row)| row.words == case.words);
        let Some(nearest) = nearest(rows().map(|(_, row)| row), case) else { return vec![] };
        let alike = rows().filter(|(_, row)| (row.bits, row.limb) == (nearest.bits, nearest.limb));
        alike.map(|(mapping, row)| (*mapping, row.ms_of_words(case))).collect()
    }

    /// The fastest of these, if the planned one was not faster at this width.
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
        self.rows.values_mut().for_each(|rows| rows.retain(|row| row.words != words));
    }

    pub(super) fn sources(&self) -> impl Iterator<Item = &str> {
        self.sources.iter().map(|source| &**source)
    }

    pub(super) fn rows(&self, shape: &str, product: Product) -> &[Row] {
        self.rows.get(&(shape.to_owned(), product)).map_or(&[], |rows| rows)
    }

    pub(super) fn widths(&self, shape: &str, product: Product) -> Vec<u32> {
        self.rows(shape, product).iter().map(|row| row.bits).collect()
    }

    /// Milliseconds and whether they were measured at this width; None where the expression was not measured at all, or no kernel
    /// is so wide.
    pub(super) fn milliseconds(&self, shape: &str, product: Product, case: Case) -> Option<(f64, bool)> {
        let rows = self.rows(shape, product);
        if let Some(row) = nearest(rows.iter().filter(|row| row.words == case.words), case) {
            return Some((row.ms_of_words(case), true));
        }
        let computed = computed_words(product, case.words)?;
        let ms = of_instances_computed_alike(rows, product, computed, case)
            .or_else(|| of_other_instances(rows, product, computed, case))?;
        Some((ms, false))
    }
}

/// From widths that are padded to the same one: an instance takes as long, but for what is read and written, on a line.
fn of_instances_computed_alike(rows: &[Row], product: Product, computed: u32, case: Case) -> Option<f64> {
    let mut known: Vec<(f64, f64)> = vec![];
    for row in rows.iter().filter(|row| computed_words(product, row.words) == Some(computed)) {
        let (words, instance) = (f64::from(row.words), row.ms * f64::from(row.bits));
        match known.last_mut() {
            Some(last) if last.0 == words => last.1 = instance,
            _ => known.push((words, instance)),
        }
    }
    Some(on_line(&known, f64::from(case.words), false)? / f64::from(case.bits))
}

/// From other widths, as if none of their words were padding: of those that are computed alike, the one that is least padded.
fn of_other_instances(rows: &[Row], product: Product, computed: u32, case: Case) -> Option<f64> {
    let mut known: Vec<(f64, f64)> = vec![];
    for row in rows {
        let Some(words) = computed_words(product, row.words) else { continue };
        let words = f64::from(words);
        let full = row.ms * f64::from(row.bits) / (32.0 * words);
        match known.last_mut() {
            Some(last) if last.0 == words => last.1 = full,
            _ => known.push((words, full)),
        }
    }
    let at = f64::from(computed);
    Some(on_line(&known, at, true)? * 32.0 * at / f64::from(case.bits))
}

impl Row {
    pub(super) const fn case(&self) -> Case {
        Case { bits: self.bits, limb: self.limb, words: self.words }
    }

    /// Milliseconds of as many words per instance with other bits: an instance takes as long, but there are more of fewer bits.
    fn ms_of_words(&self, case: Case) -> f64 {
        self.ms * (f64::from(self.bits) / f64::from(case.bits))
    }

    pub(super) const fn milliseconds(&self) -> f64 {
        self.ms
    }
}

/// The row with this limb, and then with these bits, before others.
pub(super) fn nearest<'r>(rows: impl Iterator<Item = &'r Row>, case: Case) -> Option<&'r Row> {
    rows.min_by_key(|row| (row.limb != case.limb, row.bits.abs_diff(case.bits)))
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

/// The value at `at` of the line through ascending points; before the first one its value; beyond the last one in proportion to
/// `at`, or its value. None without points.
pub(super) fn on_line(points: &[(f64, f64)], at: f64, grows: bool) -> Option<f64> {
    let (first, last) = (points.first()?, points.last()?);
    let above = points.iter().position(|point| point.0 >= at);
    Some(match above {
        Some(0) => first.1,
        Some(above) => {
            let (below, above) = (points[above - 1], points[above]);
            below.1 + (above.1 - below.1) * (at - below.0) / (above.0 - below.0)
        }
        None if grows => last.1 * at / last.0,
        None => last.1,
    })
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

    #[test]
    fn lines() {
        let points = [(16.0, 1.0), (32.0, 2.0), (64.0, 6.0)];
        for (at, expected) in
            [(1.0, 1.0), (16.0, 1.0), (24.0, 1.5), (32.0, 2.0), (48.0, 4.0), (64.0, 6.0), (128.0, 12.0)]
        {
            assert!((on_line(&points, at, true).unwrap() - expected).abs() < 1e-9, "{at}");
        }
        assert_eq!(on_line(&points, 128.0, false), Some(6.0));
        assert_eq!(on_line(&[], 1.0, true), None);
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
            let measured = nearest(rows.iter().filter(|row| row.bits == bits), case(bits.into())).unwrap().ms;
            rows.retain(|row| row.words != case(bits.into()).words);
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
