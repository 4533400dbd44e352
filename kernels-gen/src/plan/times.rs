//! Measured times by expression, product and width.

use std::collections::HashMap;
use std::sync::OnceLock;

use limbforge_algos::block::mul_tensor::TILE_WORDS;
use limbforge_limb::IntType;
use serde::Deserialize;

use super::measurement::{Key, Measurement, MeasurementError};
use crate::spec::{LimbKind, Product, ProductMapping};
use crate::{invariant::broken_invariant, ntt::ProductPlan};

/// The integers of a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Case {
    pub(super) bits: u32,
    limb: LimbKind,
    /// Words of 32 bits of an instance.
    pub(super) words: u32,
}

/// A measured time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Row {
    pub(super) case: Case,
    /// None for the planned mapping. Others count at their widths alone.
    mapping: Option<ProductMapping>,
    /// Milliseconds for a batch of 2^32 bits.
    pub(super) ms: f64,
}

/// Times of many expressions, those of each by ascending width.
#[derive(Clone, Debug, Default)]
pub(super) struct Times {
    rows: HashMap<Key, Vec<Row>>,
    pub(super) sources: Vec<String>,
}

/// The file of shipped times.
#[derive(Deserialize)]
struct File {
    sources: Vec<Source>,
}

#[derive(Deserialize)]
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
    let mut times = Times::default();
    for Source { file, device, date, commit, measurements } in serde_json::from_str::<File>(text)?.sources {
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

impl Row {
    /// Milliseconds for integers of as many words but other bits, of which a batch has more or fewer.
    fn ms_of(&self, case: Case) -> f64 {
        self.ms * (f64::from(self.case.bits) / f64::from(case.bits))
    }
}

impl Times {
    /// Adds a measurement, in place of an earlier one of the same case.
    pub(super) fn add(&mut self, measurement: &Measurement) -> Result<(), MeasurementError> {
        let key = Key::new(&measurement.check()?, measurement.product);
        let case = Case::new(IntType::unsigned(measurement.bits.into())?, measurement.limb);
        let row = Row { case, mapping: measurement.mapping, ms: measurement.ms };
        let rows = self.rows.entry(key).or_default();
        rows.retain(|other| (other.case, other.mapping) != (case, row.mapping));
        rows.push(row);
        rows.sort_by_key(|row| (row.case.words, row.case.bits));
        Ok(())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    fn all(&self, key: &Key) -> &[Row] {
        self.rows.get(key).map_or(&[], |rows| rows)
    }

    /// The times with planned mappings.
    pub(super) fn rows<'t>(&'t self, key: &Key) -> impl Iterator<Item = &'t Row> + Clone {
        self.all(key).iter().filter(|row| row.mapping.is_none())
    }

    /// Milliseconds of all mappings but the planned one at as many words, preferably the same limb and bits.
    pub(super) fn mapped(&self, key: &Key, case: Case) -> Vec<(ProductMapping, f64)> {
        let all = self.all(key).iter().filter_map(|row| Some((row.mapping?, row)));
        let Some(nearest) = nearest(all.clone().map(|(_, row)| row), case) else { return vec![] };
        let alike = all.filter(|(_, row)| row.case == nearest.case);
        alike.map(|(mapping, row)| (mapping, row.ms_of(case))).collect()
    }

    /// The fastest of these, unless the planned mapping was faster at this width.
    pub(super) fn fastest_mapping(&self, key: &Key, case: Case) -> Option<(ProductMapping, f64)> {
        let fastest = self.mapped(key, case).into_iter().min_by(|a, b| a.1.total_cmp(&b.1))?;
        let planned = self.milliseconds(key, case).filter(|(_, is_measured)| *is_measured);
        planned.is_none_or(|(ms, _)| fastest.1 < ms).then_some(fastest)
    }

    /// Milliseconds, and whether they were measured at this width; None if unmeasured, or without a kernel.
    pub(super) fn milliseconds(&self, key: &Key, case: Case) -> Option<(f64, bool)> {
        if let Some(row) = nearest(self.rows(key), case) {
            return Some((row.ms_of(case), true));
        }
        let bits = |case: Case| f64::from(case.bits);
        let computed = |case: Case| computed_words(key.product, case.words);
        let words = computed(case)?;
        // Widths that are padded to the same one: an instance takes as long but for its memory traffic.
        let alike = self.rows(key).filter(|row| computed(row.case) == Some(words));
        let instances = alike.map(|row| (f64::from(row.case.words), row.ms * bits(row.case)));
        if let Some(ms) = on_line(instances, f64::from(case.words), false) {
            return Some((ms / bits(case), false));
        }
        // Other widths, as if none of their words were padding; of those that are padded alike, the widest.
        let full = self.rows(key).filter_map(|row| {
            let words = f64::from(computed(row.case)?);
            Some((words, row.ms * bits(row.case) / (32.0 * words)))
        });
        let at = f64::from(words);
        Some((on_line(full, at, true)? * 32.0 * at / bits(case), false))
    }
}

/// The row of as many words with this limb, and then with the nearest bits, before others.
fn nearest<'r>(rows: impl Iterator<Item = &'r Row>, case: Case) -> Option<&'r Row> {
    let rows = rows.filter(|row| row.case.words == case.words);
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
        Product::Classical | Product::Rns | Product::RnsWarps | Product::Fold | Product::Auto => Some(words),
    }
}

/// The value at `x` on the line through points of ascending x, of which the last one of equal x counts.
/// Before the first point it is constant; beyond the last one too, or proportional to x. None without points.
pub(super) fn on_line(
    points: impl Iterator<Item = (f64, f64)>,
    x: f64,
    is_proportional: bool,
) -> Option<f64> {
    let mut line: Vec<(f64, f64)> = vec![];
    for point in points {
        line.pop_if(|last| last.0 == point.0);
        line.push(point);
    }
    let (first, last) = (line.first()?, line.last()?);
    Some(match line.iter().position(|point| point.0 >= x) {
        Some(0) => first.1,
        Some(above) => {
            let (below, above) = (line[above - 1], line[above]);
            below.1 + (above.1 - below.1) * (x - below.0) / (above.0 - below.0)
        }
        None if is_proportional => last.1 * x / last.0,
        None => last.1,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use limbforge_algos::expr::Expr;

    impl Times {
        /// Removes the times of widths of so many words.
        pub(in crate::plan) fn forget(&mut self, words: u32) {
            self.rows.values_mut().for_each(|rows| rows.retain(|row| row.case.words != words));
        }
    }

    fn key(text: &str, product: Product) -> Key {
        Key::new(&Expr::parse(text).unwrap().to_dag(), product)
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
            let rows: Vec<_> = times.rows(&key(text, product)).collect();
            assert!(rows.len() >= 8, "{text} {product:?}: {rows:?}");
            assert!(rows.iter().all(|row| (0.3..200.0).contains(&row.ms)), "{text} {product:?}: {rows:?}");
        }
        assert!(!times.sources.is_empty());
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
            let rows = times.rows.get_mut(&key("a*b", product)).unwrap();
            let measured =
                nearest(rows.iter().filter(|row| row.case.bits == bits), case(bits.into())).unwrap().ms;
            rows.retain(|row| row.case.words != case(bits.into()).words);
            let (estimate, is_measured) =
                times.milliseconds(&key("a*b", product), case(bits.into())).unwrap();
            assert!(!is_measured);
            let off = (estimate / measured - 1.0).abs();
            assert!(off < most, "{bits} {product:?}: {estimate} for {measured}");
        }
    }

    /// Of widths that are padded to the same one, the nearest counts more.
    #[test]
    fn padded_alike() {
        let of = |bits: u64| shipped().milliseconds(&key("a*b", Product::Ntt), case(bits)).unwrap().0;
        let instance = |bits: u64| of(bits) * bits as f64;
        assert!((instance(10_016) / instance(10_000) - 1.0).abs() < 0.01);
        assert!(instance(10_000) < instance(13_000) && instance(13_000) < instance(16_384));
    }

    #[test]
    fn what_was_measured_is_itself() {
        let (ms, is_measured) = shipped().milliseconds(&key("x*y", Product::Tensor), case(4096)).unwrap();
        assert!(is_measured && (0.3..1.0).contains(&ms), "{ms}");
        // 31 bits more of padding: as long for each instance.
        let padded = shipped().milliseconds(&key("x*y", Product::Tensor), case(4065)).unwrap();
        assert!(padded.1 && (padded.0 / ms - 4096.0 / 4065.0).abs() < 1e-9);
        assert_eq!(shipped().milliseconds(&key("a ^ b", Product::Tensor), case(4096)), None);
    }

    #[test]
    fn values_lie_between_their_neighbours() {
        let line = [(16.0, 7.0), (16.0, 1.0), (32.0, 2.0), (64.0, 6.0)];
        for (x, expected) in
            [(1.0, 1.0), (16.0, 1.0), (24.0, 1.5), (32.0, 2.0), (48.0, 4.0), (64.0, 6.0), (128.0, 12.0)]
        {
            assert!((on_line(line.into_iter(), x, true).unwrap() - expected).abs() < 1e-9, "{x}");
        }
        assert_eq!(on_line(line.into_iter(), 128.0, false), Some(6.0));
        assert_eq!(on_line([].into_iter(), 1.0, true), None);
    }
}
