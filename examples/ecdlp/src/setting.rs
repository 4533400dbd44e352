//! What all walks of a store have in common, and how many walks a worker makes.

use limbforge::num_bigint::BigUint;
use serde::{Deserialize, Serialize};

use crate::combination::Combination;
use crate::curve::Curve;

/// Steps of a round of a walk up to sign.
pub const ROUND: u32 = 48;

/// Steps of a round after which the search for cycles begins, and after which it ends.
pub const WATCHED: (u32, u32) = (24, 36);

/// The points of a table: 2^10, or fewer for tiny primes.
const MOST_TABLE: u32 = 10;

/// Bits of the coefficients of the table's points: 128 for both make its points random enough.
pub(crate) const TABLE_BITS: u64 = 64;

/// Points of an instance: on a CPU or a GPU that is not full, and most of them.
const FEW_POINTS: u32 = 8;
const MOST_POINTS: u32 = 64;

/// Most walks on a CPU.
const MOST_ON_CPU: f64 = 2048.0;

/// A distinguished point is at most 2^30 steps from the last one, on average.
const MOST_DISTINGUISHED: u32 = 30;

fn low_word(number: &BigUint) -> u64 {
    number.iter_u64_digits().next().unwrap_or(0)
}

/// The walk function of a store: points that it leads to have the same successors on every machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Setting {
    /// The seed of all that is random.
    pub seed: u64,
    /// Whether a point and its negative are one.
    pub negation: bool,
    /// The table has 2^t points.
    pub table_bits: u32,
    /// A point is distinguished with probability 2^-d.
    pub distinguished_bits: u32,
}

impl Setting {
    /// The setting for a curve, with the distinguished points that are usual for its size or so many.
    #[must_use]
    pub fn new(curve: &Curve, seed: u64, negation: bool, distinguished_bits: Option<u32>) -> Self {
        let table_bits = MOST_TABLE.min(curve.bits() / 2);
        let most = curve.bits().saturating_sub(table_bits + 2).min(MOST_DISTINGUISHED);
        // A million points for 60 bits, ten million for 80.
        let steps = (curve.n.bits() / 2) as u32;
        let usual = if steps < 30 { steps / 4 } else { 2 * steps / 3 - 10 };
        let distinguished_bits = distinguished_bits.unwrap_or(usual).min(most);
        Self { seed, negation, table_bits, distinguished_bits }
    }

    /// The points of the table.
    #[must_use]
    pub const fn table_size(&self) -> usize {
        1 << self.table_bits
    }

    /// The combinations of the table's points.
    #[must_use]
    pub fn table(&self, curve: &Curve) -> Vec<Combination> {
        (0..self.table_size())
            .map(|j| Combination::derived(curve, self.seed, &format!("table {j}"), TABLE_BITS))
            .collect()
    }

    /// The row of the table for a point of this x.
    #[must_use]
    pub fn row(&self, curve: &Curve, x: &BigUint) -> usize {
        low_word(&curve.key(x)) as usize & (self.table_size() - 1)
    }

    /// Whether a point of this x is distinguished.
    #[must_use]
    pub fn is_distinguished(&self, curve: &Curve, x: &BigUint) -> bool {
        low_word(&curve.key(x)) & self.mask() == 0
    }

    /// The bits that are 0 in the key of a distinguished point. Those that choose a row of the table are not among them.
    #[must_use]
    pub const fn mask(&self) -> u64 {
        ((1 << self.distinguished_bits) - 1) << self.table_bits
    }

    /// Steps of a round of the program.
    #[must_use]
    pub const fn round(&self) -> u32 {
        if self.negation { ROUND } else { 1 }
    }

    /// The most steps that a walk stays in a short cycle: from one that begins as the search of a round does, to the end
    /// of the next round's.
    #[must_use]
    pub const fn cycle(&self) -> u64 {
        if self.negation { 2 * ROUND as u64 } else { 0 }
    }

    /// The expected number of steps until two walks meet: sqrt(pi n / 2), or sqrt(pi n / 4) up to sign.
    #[must_use]
    pub fn expected(&self, curve: &Curve) -> f64 {
        let n = as_f64(&curve.n);
        (std::f64::consts::PI * n / if self.negation { 4.0 } else { 2.0 }).sqrt()
    }
}

/// The nearest floating-point number, up to 2^1000.
#[must_use]
pub fn as_f64(number: &BigUint) -> f64 {
    number.iter_u64_digits().rev().fold(0.0, |sum, digit| sum * 2_f64.powi(64) + digit as f64)
}

/// The walks of a worker: some process that computes for a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Sizes {
    /// Points of an instance, which share an inversion.
    pub points: u32,
    /// Instances.
    pub instances: u32,
    /// Rounds of a segment, between two commits.
    pub rounds: u32,
    /// Segments of a walk's life: then it starts anew.
    pub life: u32,
}

impl Sizes {
    /// All walks.
    #[must_use]
    pub const fn walks(&self) -> u64 {
        self.points as u64 * self.instances as u64
    }

    /// Steps of a walk in a segment.
    #[must_use]
    pub const fn segment(&self, setting: &Setting) -> u64 {
        self.rounds as u64 * setting.round() as u64
    }

    /// Sizes for a CPU or for GPUs that compute so many instances at once, or the points, instances and rounds that are
    /// given: fewer walks where most of their points would lie behind the end. Workers that share a device share the walks.
    /// None for more walks than have numbers.
    #[must_use]
    pub fn of(
        curve: &Curve,
        setting: &Setting,
        at_once: Option<u64>,
        given: [Option<u32>; 3],
        workers: u32,
    ) -> Option<Self> {
        let gap = 2_f64.powi(setting.distinguished_bits as i32);
        let expected = setting.expected(curve);
        let full = at_once.map(|at_once| at_once.max(1) as f64);
        let most = full.map_or(MOST_ON_CPU, |full| full * f64::from(MOST_POINTS));
        let walks = ((expected / (4.0 * gap)).clamp(1.0, most) / f64::from(workers)).max(1.0);
        // Instances fill GPUs first; then more points share an inversion.
        let usual = full.map_or(FEW_POINTS, |full| ((walks / full) as u32).clamp(FEW_POINTS, MOST_POINTS));
        let points = given[0].unwrap_or(1 << usual.ilog2());
        let instances = (walks / f64::from(points.max(1))).ceil();
        let instances = full.filter(|full| instances >= *full).unwrap_or(instances);
        let instances = given[1].unwrap_or(instances as u32);
        let walks = u64::from(points) * u64::from(instances);
        if walks == 0 || walks > 1 << 32 || given[2] == Some(0) {
            return None;
        }
        // About twenty commits to the end; of long runs one in 10 to 30 seconds.
        let steps = (expected / (walks as f64 * f64::from(workers)) / 20.0)
            .clamp(1.0, if full.is_some() { 65536.0 } else { 2048.0 });
        let rounds = given[2].unwrap_or((steps / f64::from(setting.round())).ceil() as u32).max(1);
        let sizes = Self { points, instances, rounds, life: 1 };
        let life = (32.0 * gap.max(64.0) / sizes.segment(setting) as f64).ceil();
        Some(Self { life: (life as u32).max(1), ..sizes })
    }
}
