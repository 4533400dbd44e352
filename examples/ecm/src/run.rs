//! A run from its arguments to factors.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::time::{Duration, Instant};

use limbforge::prelude::*;
use limbforge_hunts::{Folder, HuntError, Signals};
use num_bigint::BigUint;

use crate::arguments::Arguments;
use crate::batch::Instances;
use crate::composite::Number;
use crate::plan::Level;
use crate::reference::Curve;
use crate::save::{append, line};
use crate::stage1::{Outcome, stage1};
use crate::stage2::{Continuation, stage2};
use crate::state::State;

/// Curves at once: what fills a large GPU, and a few for each core.
const BATCH: (u32, u32) = (1 << 16, 64);

/// The checkpoint of stage 1 in the folder of a run.
const CHECKPOINT: &str = "stage1";

/// Runs the search, and returns the numbers with their factors; None if a signal ended it.
///
/// # Errors
/// [`HuntError`] for arguments without a search, files and devices that fail.
pub fn run(arguments: &Arguments, signals: &Signals) -> Result<Option<Vec<Number>>, HuntError> {
    let (numbers, levels) = (arguments.all_numbers()?, arguments.levels()?);
    let hunt = format!("{numbers:?} {levels:?} {:?} {:?}", arguments.sigma, arguments.save);
    let folder = arguments.state.as_deref().map(Folder::open).transpose()?;
    let known = folder.as_ref().map(|folder| State::read(folder, &hunt)).transpose()?.flatten();
    let is_new = known.is_none();
    let state = known.unwrap_or_else(|| State {
        numbers: numbers.iter().map(Number::new).collect(),
        level: 0,
        done: 0,
        sigma: arguments.sigma.unwrap_or_else(random_sigma),
        saved: arguments.save.as_deref().and_then(|path| path.metadata().ok()).map_or(0, |file| file.len()),
    });
    let engine = arguments.backend.engine()?;
    let mut search = Search { arguments, engine, folder, hunt, state, signals, times: [Duration::ZERO; 2] };
    if is_new {
        // The length of the save file before the first curves: a run that is killed behind them cuts them off.
        search.keep()?;
    }
    while search.state.level < levels.len() && search.state.numbers.iter().any(|number| !number.is_done()) {
        let level = levels[search.state.level];
        if !search.level(&level)? {
            return Ok(None);
        }
        (search.state.level, search.state.done) = (search.state.level + 1, 0);
        search.keep()?;
    }
    Ok(Some(search.state.numbers))
}

/// A sigma that differs from run to run.
fn random_sigma() -> u32 {
    (RandomState::new().build_hasher().finish() % 4_000_000_000) as u32 + 2
}

/// A divisor of each curve that has found one, and its stage.
type Divisors = [Option<(BigUint, u8)>];

struct Search<'s> {
    arguments: &'s Arguments,
    engine: Engine,
    folder: Option<Folder>,
    hunt: String,
    state: State,
    signals: &'s Signals,
    /// Those of the last batch, stage by stage.
    times: [Duration; 2],
}

impl Search<'_> {
    /// The curves of a level that are left. False if a signal came.
    fn level(&mut self, level: &Level) -> Result<bool, HuntError> {
        let plan = Continuation::new(level.b1, level.b2)?;
        while self.state.done < level.curves {
            let of_number = |(at, number): (usize, &Number)| {
                number.composites.iter().map(|composite| (at, composite.clone())).collect::<Vec<_>>()
            };
            let live: Vec<(usize, BigUint)> =
                self.state.numbers.iter().enumerate().flat_map(of_number).collect();
            if live.is_empty() {
                break;
            }
            let usual = if self.engine.device_name() == "CPU" { BATCH.1 } else { BATCH.0 };
            let most = u64::from(self.arguments.batch.unwrap_or(usual)) / live.len() as u64;
            let curves = (level.curves - self.state.done).min(most.max(1)) as u32;
            let composites = live.iter().map(|(_, composite)| composite.clone()).collect();
            let instances = Instances::new(composites, self.state.sigma, curves)?;
            let Some(divisors) = self.batch(level, plan.as_ref(), &instances)? else { return Ok(false) };
            self.note(level, &instances, &divisors);
            self.state.done += u64::from(curves);
            self.state.sigma = self.state.sigma.checked_add(curves).unwrap_or(2);
            self.keep()?;
            let Level { digits, b1, b2, curves: all } = level;
            let rate = |time: Duration| instances.len() as f64 / time.as_secs_f64().max(1e-9);
            let [first, second] = self.times.map(rate).map(|rate| format!("{rate:.1}"));
            let second = plan.as_ref().map_or_else(String::new, |_| format!(", {second} of stage 2"));
            let done = self.state.done;
            eprintln!(
                "{digits} digits, B1={b1} B2={b2}: {done} of {all} curves; {first} curves/s of stage 1{second}"
            );
        }
        Ok(true)
    }

    /// A divisor for each curve that finds one, with its stage; None if a signal came.
    fn batch(
        &mut self,
        level: &Level,
        plan: Option<&Continuation>,
        curves: &Instances,
    ) -> Result<Option<Box<Divisors>>, HuntError> {
        let path = self.folder.as_ref().map(|folder| folder.file(CHECKPOINT));
        let kept = path.as_deref().map(|path| (path, self.arguments.interval()));
        let start = Instant::now();
        let Some(outcomes) = stage1(&self.engine, curves, level.b1, kept, self.signals)? else {
            return Ok(None);
        };
        self.times[0] = start.elapsed();
        let (mut divisors, mut left, mut x) = (vec![None; curves.len()], vec![], vec![]);
        let mut lines = String::new();
        for (i, outcome) in outcomes.into_iter().enumerate() {
            match outcome {
                Outcome::Divisor(divisor) => divisors[i] = Some((divisor, 1)),
                Outcome::Residue(residue) => {
                    lines += &line(curves.number(i), curves.sigma(i), &residue, level.b1);
                    left.push(i);
                    x.push(residue);
                }
            }
        }
        let start = Instant::now();
        if let Some(plan) = plan {
            let Some(found) = stage2(&self.engine, &curves.take(&left)?, &x, plan, self.signals)? else {
                return Ok(None);
            };
            for (i, divisor) in left.into_iter().zip(found) {
                divisors[i] = divisor.map(|divisor| (divisor, 2));
            }
        }
        self.times[1] = start.elapsed();
        if let Some(path) = &self.arguments.save {
            self.state.saved = append(path, self.state.saved, &lines)?;
        }
        Ok(Some(divisors.into()))
    }

    /// Splits the numbers by what curves have found.
    fn note(&mut self, level: &Level, curves: &Instances, divisors: &Divisors) {
        for (i, found) in divisors.iter().enumerate() {
            let Some((divisor, stage)) = found else { continue };
            let (n, sigma) = (curves.number(i), curves.sigma(i));
            let mut divisor = divisor.clone();
            if divisor == *n {
                // Stage 1 has found all factors: they come one after the other from prime to prime.
                divisor = Curve::new(n, sigma).first_factor(level.b1).unwrap_or(divisor);
            }
            let bounds = if *stage == 1 {
                format!("B1={}", level.b1)
            } else {
                format!("B1={} B2={}", level.b1, level.b2)
            };
            let how = format!("sigma 3:{sigma} {bounds}");
            for number in &mut self.state.numbers {
                if number.split(&divisor, &how) {
                    eprintln!("found {divisor} of {} by {how}, stage {stage}", number.input);
                }
            }
        }
    }

    /// Writes the state; the checkpoint of a batch that is done goes.
    fn keep(&self) -> Result<(), HuntError> {
        let Some(folder) = &self.folder else { return Ok(()) };
        folder.write_state(&self.hunt, self.state.to_json())?;
        let path = folder.file(CHECKPOINT);
        if path.exists() {
            std::fs::remove_dir_all(&path).map_err(HuntError::file(&path))?;
        }
        Ok(())
    }
}
