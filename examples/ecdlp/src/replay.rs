//! A walk by the group law, with its combination: the reference of the programs, and the way back from a
//! distinguished point to a P + b Q.

use limbforge::num_bigint::BigUint;

use crate::combination::{Combination, Powers};
use crate::curve::{Curve, Point};
use crate::error::broken_invariant;
use crate::row::Origin;
use crate::setting::{Setting, TABLE_BITS, WATCHED};

/// The affine points of a store's walks.
#[derive(Clone, Debug)]
pub struct Table {
    /// The points that steps add, with their combinations.
    pub rows: Vec<((BigUint, BigUint), Combination)>,
    /// The generator of starts.
    step: Combination,
}

impl Table {
    /// The table of a setting.
    #[must_use]
    pub fn new(curve: &Curve, setting: &Setting) -> Self {
        let powers = Powers::new(curve, TABLE_BITS);
        let row = |combination: Combination| match powers.point(curve, &combination) {
            Some(point) => (point, combination),
            // One of n combinations is infinity: the base is as good.
            None => (curve.base.clone(), Combination { a: 1_u32.into(), b: BigUint::ZERO }),
        };
        let rows = setting.table(curve).into_iter().map(row).collect();
        Self { rows, step: row(Combination::derived(curve, setting.seed, "step", TABLE_BITS)).1 }
    }

    /// The combination of S, where the walks of a life start, and of G, of which walk w adds w times.
    #[must_use]
    pub fn start(&self, curve: &Curve, setting: &Setting, worker: u32, epoch: u32) -> [Combination; 2] {
        let start =
            Combination::derived(curve, setting.seed, &format!("worker {worker} epoch {epoch}"), u64::MAX);
        [start, self.step.clone()]
    }

    /// Where a walk starts: at S + w G, or at the first point of the table if that is infinity.
    #[must_use]
    pub fn start_of(&self, curve: &Curve, setting: &Setting, origin: Origin) -> Walker {
        let [start, step] = self.start(curve, setting, origin.worker, origin.epoch);
        let combination = start.plus(&step.times(&origin.walk.into(), &curve.n), &curve.n);
        let point = curve.times(&origin.walk.into(), &step.point(curve));
        match curve.add(&start.point(curve), &point) {
            Some(point) => Walker::new(point, combination),
            None => Walker::new(self.rows[0].0.clone(), self.rows[0].1.clone()),
        }
    }
}

/// A walk.
#[derive(Clone, Debug)]
pub struct Walker {
    /// Where it is.
    pub point: (BigUint, BigUint),
    /// The point as a combination.
    pub combination: Combination,
    /// The cycles that it has left.
    pub cycles: u64,
    steps: u64,
    doubles: bool,
    back: BigUint,
    least: ((BigUint, BigUint), Combination),
}

impl Walker {
    /// A walk from a point.
    #[must_use]
    pub fn new(point: (BigUint, BigUint), combination: Combination) -> Self {
        let least = (point.clone(), combination.clone());
        Self { back: point.0.clone(), point, combination, steps: 0, cycles: 0, doubles: false, least }
    }

    /// A step: the point of the table is added, or the point is doubled where that is no sum of two affine points.
    ///
    /// In a cycle the walk then goes to its least point. Returns the x that the step meets.
    pub fn step(&mut self, curve: &Curve, setting: &Setting, table: &Table) -> BigUint {
        self.meet(curve, setting, table);
        let met = self.point.0.clone();
        if setting.negation {
            self.watch(curve, setting);
        }
        self.steps += 1;
        met
    }

    /// The point that a step meets.
    fn meet(&mut self, curve: &Curve, setting: &Setting, table: &Table) {
        let here: Point = Some(self.point.clone());
        let (added, combination) = &table.rows[setting.row(curve, &self.point.0)];
        let (point, combination) = if self.doubles || added.0 == self.point.0 {
            (curve.double(&here), self.combination.times(&2_u32.into(), &curve.n))
        } else {
            (curve.add(&here, &Some(added.clone())), self.combination.plus(combination, &curve.n))
        };
        let Some(point) = point else { broken_invariant("a step of a walk to infinity") };
        (self.point, self.combination, self.doubles) = (point, combination, false);
        if setting.negation {
            self.canonical(curve);
        }
    }

    /// Of a point and its negative, the one with an even key of y.
    fn canonical(&mut self, curve: &Curve) {
        if curve.key(&self.point.1).bit(0) {
            self.point.1 = &curve.p - &self.point.1;
            self.combination = self.combination.negative(&curve.n);
        }
    }

    /// Finds short cycles, as the program does.
    fn watch(&mut self, curve: &Curve, setting: &Setting) {
        let step = (self.steps % u64::from(setting.round())) as u32;
        let (first, last) = (WATCHED.0 - 1, WATCHED.1 - 1);
        if step < first || step > last {
            return;
        }
        if step == first || curve.key(&self.point.0) < curve.key(&self.least.0.0) {
            self.least = (self.point.clone(), self.combination.clone());
        }
        if step == first {
            self.back.clone_from(&self.point.0);
        }
        if step == last && self.back == self.point.0 {
            (self.point, self.combination) = self.least.clone();
            self.doubles = true;
            self.cycles += 1;
        }
    }
}

/// The point that a walk has met, and its combination. The point of a row in the middle of a cycle is the one
/// that was met, not the least one of the cycle.
#[must_use]
pub fn replay(curve: &Curve, setting: &Setting, table: &Table, origin: Origin) -> Walker {
    let mut walker = table.start_of(curve, setting, origin);
    for _ in 1..origin.steps {
        walker.step(curve, setting, table);
    }
    if origin.steps > 0 {
        walker.meet(curve, setting, table);
    }
    walker
}

/// The logarithm that two walks to one point give, verified; None if they give none.
#[must_use]
pub fn logarithm(curve: &Curve, setting: &Setting, table: &Table, pair: [Origin; 2]) -> Option<BigUint> {
    let (left, right) = std::thread::scope(|scope| {
        let left = scope.spawn(|| replay(curve, setting, table, pair[0]));
        let right = replay(curve, setting, table, pair[1]);
        (left.join(), right)
    });
    let Ok(left) = left else { broken_invariant("a replay that ended early") };
    let n = &curve.n;
    let candidates = [left.combination.logarithm(&right.combination, n), {
        let negative = right.combination.negative(n);
        left.combination.logarithm(&negative, n)
    }];
    candidates.into_iter().flatten().find(|k| curve.is_logarithm(k))
}
