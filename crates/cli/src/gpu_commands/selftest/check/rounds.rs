//! Many batches of one kernel at a time: operands and expected results of some are computed while the GPU runs others.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// Runs all rounds on so many threads, each round on one of them, until one is wrong or fails. What `round` says of the first
/// such round: every round before it was right.
///
/// # Errors
/// That of `round`.
pub(super) fn first_wrong<E: Send>(
    rounds: u64,
    threads: usize,
    round: impl Fn(u64) -> Result<Option<String>, E> + Sync,
) -> Result<Option<String>, E> {
    let next = AtomicU64::new(0);
    let first = Mutex::new(None);
    let work = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= rounds {
                break;
            }
            let Some(found) = round(number).transpose() else { continue };
            // Rounds are taken in their order: those before this one have been taken.
            next.store(rounds, Ordering::Relaxed);
            let mut first = first.lock().unwrap_or_else(PoisonError::into_inner);
            if first.as_ref().is_none_or(|(other, _)| number < *other) {
                *first = Some((number, found));
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..rounds.min(threads.max(1) as u64) {
            scope.spawn(work);
        }
    });
    match first.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some((_, found)) => found.map(Some),
        None => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_wrong_round_is_named() {
        let of = |rounds, threads, wrong: &[u64]| {
            first_wrong(rounds, threads, |round| match round {
                _ if round == 77 => Err(round),
                _ if wrong.contains(&round) => Ok(Some(round.to_string())),
                _ => Ok(None),
            })
        };
        for threads in [0, 1, 7] {
            assert_eq!(of(0, threads, &[0]), Ok(None));
            assert_eq!(of(50, threads, &[50, 60]), Ok(None));
            assert_eq!(of(50, threads, &[40, 9, 41]), Ok(Some("9".to_owned())));
            assert_eq!(of(100, threads, &[78]), Err(77));
        }
    }

    #[test]
    fn every_round_runs_once() {
        let seen = Mutex::new(vec![]);
        let round = |round| {
            seen.lock().unwrap().push(round);
            Ok::<_, ()>(None)
        };
        assert_eq!(first_wrong(100, 5, round), Ok(None));
        let mut seen = seen.into_inner().unwrap();
        seen.sort_unstable();
        assert_eq!(seen, (0..100).collect::<Vec<_>>());
    }
}
