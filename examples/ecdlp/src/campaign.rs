//! What a campaign of many GPUs takes: time, energy, rows, the cost of nodes that fail.

use crate::curve::Curve;
use crate::setting::Setting;

/// Bytes of a row in the store: 288 MB for 2.3 million points of ECCp-79.
const ROW_BYTES: f64 = 125.0;

/// What is given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Means {
    /// Steps of a GPU in a second.
    pub rate: f64,
    /// GPUs.
    pub gpus: f64,
    /// Power of a GPU with its share of the host, in watts.
    pub watts: f64,
    /// Walks on a GPU.
    pub walks: f64,
    /// Seconds between two commits of a GPU.
    pub commit: f64,
    /// Days between two failures of a GPU.
    pub failure_days: f64,
}

/// What follows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plan {
    /// Expected steps until two walks meet.
    pub steps: f64,
    /// Steps from there to the next distinguished points, of all walks.
    pub tail: f64,
    /// Expected seconds.
    pub seconds: f64,
    /// Seconds that half, and 99 of 100 campaigns take at most.
    pub quantiles: [f64; 2],
    /// Kilowatt-hours.
    pub energy: f64,
    /// Distinguished points in all.
    pub rows: f64,
    /// Those of a second.
    pub rows_a_second: f64,
    /// Bytes of the store.
    pub bytes: f64,
    /// Days from the start of a walk to its first distinguished point.
    pub first_days: f64,
    /// The share of all steps that failures lose: half the time between commits for each.
    pub lost: f64,
}

impl Plan {
    /// The plan for a curve.
    #[must_use]
    pub fn new(curve: &Curve, setting: &Setting, means: &Means) -> Self {
        let gap = 2_f64.powi(setting.distinguished_bits as i32);
        let (steps, tail) = (setting.expected(curve), means.gpus * means.walks * gap);
        let lost = means.commit / 2.0 / (means.failure_days * 86400.0);
        let rate = means.rate * means.gpus * (1.0 - lost).max(0.0);
        // The number of steps is above c times its mean with probability exp(-c^2 pi / 4).
        let quantile = |above: f64| {
            let times = (-above.ln() * 4.0 / std::f64::consts::PI).sqrt();
            (times * steps + tail) / rate
        };
        let seconds = (steps + tail) / rate;
        let rows = steps / gap;
        Self {
            steps,
            tail,
            seconds,
            quantiles: [quantile(0.5), quantile(0.01)],
            energy: seconds * means.gpus * means.watts / 3.6e6,
            rows,
            rows_a_second: rate / gap,
            bytes: rows * ROW_BYTES,
            first_days: gap * means.walks / means.rate / 86400.0,
            lost,
        }
    }
}
