//! The table of curves that known factors need.

use super::Census;

impl Census {
    /// Curves needed for each expected one; None if no curve has found the factor.
    #[must_use]
    pub fn ratio(&self) -> Option<f64> {
        self.found.as_ref().map(|(curves, _)| *curves as f64 / self.expected as f64)
    }

    /// Digits, expected curves, needed curves, their ratio, the factor, the curve, the source, with tabs between them.
    #[must_use]
    pub fn text(&self) -> String {
        let Self { known, expected, found, most } = self;
        let start = format!("{}\t{expected}", known.digits());
        let (needed, how) = match (found, self.ratio()) {
            (Some((curves, how)), Some(ratio)) => (format!("{curves}\t{ratio:.2}"), how.as_str()),
            _ => (format!("> {most}\t> {:.2}", *most as f64 / *expected as f64), "not found"),
        };
        format!("{start}\t{needed}\t{}\t{how}\t{}", known.factor, known.source)
    }
}

/// The names of the columns of [`Census::text`].
pub const COLUMNS: &str = "digits\texpected\tcurves\tratio\tfactor\tfound by\tof";

/// How many of all were found within their expected number of curves, and within three times as many. By chance it is 63
/// and 95 of 100.
#[must_use]
pub fn summary(all: &[Census]) -> String {
    let within =
        |times: f64| all.iter().filter(|one| one.ratio().is_some_and(|ratio| ratio <= times)).count();
    format!(
        "{} factors: {} within the expected number of curves, {} within three times as many (63 % and 95 % by chance)",
        all.len(),
        within(1.0),
        within(3.0)
    )
}
