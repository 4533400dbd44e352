//! Times of both algorithms at each length, and the threshold with the least time.

use std::time::{Duration, Instant};

use limbforge_cli::error::CliError;
use serde::Serialize;

use super::ladder::{Ladder, Room, Rung};
use crate::error::LabError;

/// What a turn takes at least: calls of an algorithm follow each other for so long.
const TURN: Duration = Duration::from_micros(100);

/// The times of a length in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(super) struct Times {
    pub(super) words: usize,
    pub(super) shorter: f64,
    pub(super) longer: f64,
}

/// What was measured of a ladder.
#[derive(Debug)]
pub(super) struct Found {
    /// Words from which the second algorithm should be taken: past all lengths, never.
    pub(super) threshold: usize,
    /// What the built-in threshold costs over all lengths, in percent.
    pub(super) loss: f64,
    pub(super) times: Vec<Times>,
}

/// Measures a ladder; the best of so many turns counts.
pub(super) fn search(ladder: &Ladder, turns: u32) -> Result<Found, LabError> {
    let (from, to, step) = ladder.lengths;
    let times = (from..=to).step_by(step).map(|words| measure(ladder, words, turns));
    let times = times.collect::<Result<Vec<_>, _>>()?;
    let (threshold, best) = best(&times);
    let loss = (cost(&times, (ladder.built_in)()) / best - 1.0) * 100.0;
    Ok(Found { threshold, loss, times })
}

/// Both algorithms in turn. Their results are compared first.
fn measure(ladder: &Ladder, words: usize, turns: u32) -> Result<Times, LabError> {
    let mut room = Room::new(words, ladder.per_word);
    let [expected, found] = ladder.rungs.map(|rung| {
        room.out.fill(u64::MAX);
        rung(&mut room);
        room.out.clone()
    });
    if expected != found {
        let spec = format!("{} of {words} words", ladder.name);
        return Err(CliError::BenchDiffers { spec, instance: 0 }.into());
    }
    let mut least = [f64::INFINITY; 2];
    for _ in 0..turns {
        for (rung, least) in ladder.rungs.iter().zip(&mut least) {
            *least = least.min(turn(*rung, &mut room));
        }
    }
    Ok(Times { words, shorter: least[0], longer: least[1] })
}

/// The nanoseconds of a call.
fn turn(rung: Rung, room: &mut Room) -> f64 {
    let (start, mut calls) = (Instant::now(), 0_u32);
    while start.elapsed() < TURN {
        rung(room);
        calls += 1;
    }
    start.elapsed().as_secs_f64() * 1e9 / f64::from(calls)
}

/// The time over all lengths with a threshold, each length in times of its faster algorithm.
fn cost(times: &[Times], threshold: usize) -> f64 {
    let of = |time: &Times| {
        let taken = if time.words < threshold { time.shorter } else { time.longer };
        taken / time.shorter.min(time.longer)
    };
    times.iter().map(of).sum()
}

/// The threshold that costs least, and what it costs.
fn best(times: &[Times]) -> (usize, f64) {
    let all = times.iter().map(|time| time.words).chain([usize::MAX]);
    let costs = all.map(|threshold| (threshold, cost(times, threshold)));
    costs.min_by(|x, y| x.1.total_cmp(&y.1)).unwrap_or((usize::MAX, 0.0))
}

#[cfg(test)]
mod tests {
    use super::super::ladder::LADDERS;
    use super::*;

    fn times(rows: &[(usize, f64, f64)]) -> Vec<Times> {
        rows.iter().map(|&(words, shorter, longer)| Times { words, shorter, longer }).collect()
    }

    #[test]
    fn one_slow_turn_moves_no_threshold() {
        let rows = [(8, 1.0, 2.0), (16, 2.0, 1.9), (24, 3.0, 3.9), (32, 5.0, 4.0), (40, 7.0, 5.0)];
        let (threshold, least) = best(&times(&rows));
        assert_eq!(threshold, 32);
        assert!((least - (4.0 + 2.0 / 1.9)).abs() < 1e-9);
        assert!(cost(&times(&rows), 8) > least && cost(&times(&rows), usize::MAX) > least);
    }

    #[test]
    fn a_ladder_may_have_no_second_rung() {
        assert_eq!(best(&times(&[(8, 1.0, 2.0), (16, 2.0, 3.0)])).0, usize::MAX);
        assert_eq!(best(&times(&[(8, 3.0, 2.0), (16, 4.0, 3.0)])).0, 8);
    }

    /// At the shortest and the longest length of each.
    #[test]
    fn both_algorithms_of_a_ladder_have_the_same_results() {
        for ladder in &LADDERS {
            for words in [ladder.lengths.0, ladder.lengths.1] {
                let times = measure(ladder, words, 1).unwrap();
                assert!(times.shorter > 0.0 && times.longer > 0.0, "{}", ladder.name);
            }
        }
    }
}
