//! Walks on an engine.

use limbforge::num_bigint::BigUint;
use limbforge::prelude::{
    Batch, Engine, EngineError, IntType, Layout, Program, ProgramList, ProgramRun, Session,
};

use crate::curve::Curve;
use crate::error::{EcdlpError, broken_invariant};
use crate::program::{starts_text, walk_text};
use crate::replay::Table;
use crate::row::{Origin, Row};
use crate::setting::{Setting, Sizes};

/// The multiples 2^i G that numbers of walks need.
const WALK_BITS: u64 = 32;

/// Where all walks of a worker are.
#[derive(Clone, Debug, PartialEq)]
pub struct Points {
    /// The x of each walk.
    pub x: Batch<u64>,
    /// The y of each walk.
    pub y: Batch<u64>,
}

/// The distinguished points that walks have met, as the device has left them.
#[derive(Clone, Debug)]
pub struct Found {
    list: ProgramList<u64>,
    epoch: u32,
    /// The steps before.
    steps: u64,
}

/// The walks of a worker.
#[derive(Debug)]
pub struct Walks {
    curve: Curve,
    setting: Setting,
    /// How many there are.
    pub sizes: Sizes,
    worker: u32,
    table: Table,
    ty: IntType,
    u: Batch<u64>,
    v: Batch<u64>,
    walk: Program,
    starts: Program,
}

fn batch<'n>(ty: IntType, numbers: impl IntoIterator<Item = &'n BigUint>) -> Result<Batch<u64>, EcdlpError> {
    let numbers: Vec<BigUint> = numbers.into_iter().cloned().collect();
    Ok(Batch::from_biguints(ty, Layout::InstanceMajor, &numbers)?)
}

fn unsigned(bits: u32) -> IntType {
    IntType::unsigned(bits.into()).unwrap_or_else(|_| broken_invariant("a curve without bits"))
}

fn words(values: &[u64]) -> Result<Batch<u64>, EcdlpError> {
    Ok(Batch::from_u64s(unsigned(32), Layout::InstanceMajor, values)?)
}

impl Walks {
    /// The walks of a worker of a store.
    ///
    /// # Errors
    /// [`EcdlpError::Engine`] if the programs have no types.
    pub fn new(curve: &Curve, setting: &Setting, sizes: Sizes, worker: u32) -> Result<Self, EcdlpError> {
        let table = Table::new(curve, setting);
        let ty = unsigned(curve.bits());
        let (u, v) =
            (table.rows.iter().map(|(point, _)| &point.0), table.rows.iter().map(|(point, _)| &point.1));
        let (u, v) = (batch(ty, u)?, batch(ty, v)?);
        let parsed = |text: String| Program::parse(&text).map_err(EngineError::from);
        let walk = parsed(walk_text(curve, setting, &sizes))?;
        let starts = parsed(starts_text(curve, &sizes))?;
        let (curve, setting) = (curve.clone(), *setting);
        Ok(Self { curve, setting, sizes, worker, table, ty, u, v, walk, starts })
    }

    /// The instances that an engine's GPUs compute at once; None for CPUs.
    ///
    /// # Errors
    /// [`EcdlpError::Engine`] if there is no kernel.
    pub fn at_once(curve: &Curve, setting: &Setting, engine: &Engine) -> Result<Option<u64>, EcdlpError> {
        let sizes = Sizes { points: 32, instances: 2, rounds: 1, life: 1 };
        let walks = Self::new(curve, setting, sizes, 0)?;
        let any = Batch::zeros(walks.ty, Layout::InstanceMajor, sizes.walks() as usize)?;
        let at = Points { x: any.clone(), y: any };
        Ok(walks.started(engine, &at, 1)?.instances_at_once())
    }

    fn started(&self, engine: &Engine, at: &Points, rounds: u32) -> Result<Session<u64>, EcdlpError> {
        let rounds = words(&[rounds.into()])?;
        let inputs = [("x0", &at.x), ("y0", &at.y), ("u", &self.u), ("v", &self.v), ("rounds", &rounds)];
        Ok(engine.start(&self.walk, &inputs)?)
    }

    /// The table of the walks.
    #[must_use]
    pub const fn table(&self) -> &Table {
        &self.table
    }

    /// Where all walks of a life start.
    ///
    /// # Errors
    /// [`EcdlpError::Engine`] if the device fails.
    pub fn starts(&self, engine: &Engine, epoch: u32) -> Result<Points, EcdlpError> {
        let (points, instances) = (self.sizes.points as usize, self.sizes.instances);
        let [start, step] = self.table.start(&self.curve, &self.setting, self.worker, epoch);
        let bits = u64::from(64 - (self.sizes.walks() - 1).leading_zeros());
        let mut powers = vec![];
        let mut power = step.point(&self.curve);
        for _ in 0..WALK_BITS {
            powers.push(power.clone());
            power = self.curve.double(&power);
        }
        let infinite = start.point(&self.curve).is_none() || powers.iter().any(Option::is_none);
        let (Some((sx, sy)), false) = (start.point(&self.curve), infinite) else {
            return self.by_group_law(epoch, (0..self.sizes.walks()).map(|walk| walk as u32));
        };
        let powers: Vec<_> = powers.into_iter().flatten().collect();
        let first: Vec<u64> = (0..u64::from(instances)).map(|i| i * points as u64).collect();
        let inputs = [
            ("first", &words(&first)?),
            ("bits", &words(&[bits])?),
            ("sx", &batch(self.ty, [&sx])?),
            ("sy", &batch(self.ty, [&sy])?),
            ("gx", &batch(self.ty, powers.iter().map(|(x, _)| x))?),
            ("gy", &batch(self.ty, powers.iter().map(|(_, y)| y))?),
        ];
        let run = engine.run(&self.starts, &inputs)?;
        let mut found = points_of(&run);
        // Sums that are doubles or infinity: common for small groups only.
        for failure in run.failures() {
            let first = failure.instance * points;
            let exact = self.by_group_law(epoch, (first..first + points).map(|walk| walk as u32))?;
            for i in 0..points {
                found.x.set_instance(first + i, &exact.x.instance(i));
                found.y.set_instance(first + i, &exact.y.instance(i));
            }
        }
        Ok(found)
    }

    fn by_group_law(&self, epoch: u32, walks: impl Iterator<Item = u32>) -> Result<Points, EcdlpError> {
        let start = |walk| {
            let origin = Origin { worker: self.worker, epoch, walk, steps: 0 };
            self.table.start_of(&self.curve, &self.setting, origin).point
        };
        let points: Vec<_> = walks.map(start).collect();
        let (x, y) = (points.iter().map(|(x, _)| x), points.iter().map(|(_, y)| y));
        Ok(Points { x: batch(self.ty, x)?, y: batch(self.ty, y)? })
    }

    /// The walks after so many more rounds, and the distinguished points that they have met.
    ///
    /// # Errors
    /// [`EcdlpError::Engine`] if the device fails.
    pub fn advance(
        &self,
        engine: &Engine,
        at: &Points,
        before: (u32, u64),
        rounds: u32,
    ) -> Result<(Points, Vec<Row>), EcdlpError> {
        let (next, found) = self.walk(engine, at, before, rounds)?;
        Ok((next, self.rows(&found)))
    }

    /// The same without making rows of the points, so that the device need not wait for it.
    ///
    /// # Errors
    /// [`EcdlpError::Engine`] if the device fails.
    pub fn walk(
        &self,
        engine: &Engine,
        at: &Points,
        (epoch, steps): (u32, u64),
        rounds: u32,
    ) -> Result<(Points, Found), EcdlpError> {
        let run = self.started(engine, at, rounds)?.finish()?;
        if let Some(failure) = run.failures().first() {
            let walk = failure.instance as u64 * u64::from(self.sizes.points);
            return Err(EcdlpError::Walk { walk, why: format!("{failure:?}") });
        }
        let Some(list) = run.list("found") else { broken_invariant("a walk without its list") };
        Ok((points_of(&run), Found { list: list.clone(), epoch, steps }))
    }

    /// The rows of distinguished points.
    #[must_use]
    pub fn rows(&self, Found { list: found, epoch, steps }: &Found) -> Vec<Row> {
        let [points, step, x] = found.columns() else { broken_invariant("a list of other columns") };
        let bytes = (self.curve.bits() as usize).div_ceil(8);
        let row = |i: usize| {
            let walk = found.instances()[i] as u32 * self.sizes.points + points.limb(i, 0) as u32;
            let mut key = vec![];
            for limb in x.instance(i).iter().rev() {
                key.extend(limb.to_be_bytes());
            }
            key.drain(..key.len() - bytes);
            let steps = steps + step.limb(i, 0) + 1;
            Row { x: key, origin: Origin { worker: self.worker, epoch: *epoch, walk, steps } }
        };
        (0..found.len()).map(row).collect()
    }
}

fn points_of(run: &ProgramRun<u64>) -> Points {
    match (run.result("x"), run.result("y")) {
        (Some(x), Some(y)) => Points { x: x.clone(), y: y.clone() },
        _ => broken_invariant("a program without its results"),
    }
}
