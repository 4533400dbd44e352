use limbforge::Engine;
use num_bigint::BigUint;

use super::*;

#[test]
fn chunks_take_the_time_they_should() {
    let (million, every) = (1_000_000, Duration::from_secs(3));
    assert_eq!(next_target(million, every, every), 1_000_000);
    assert_eq!(next_target(million, 2 * every, every), 500_000);
    assert_eq!(next_target(million, Duration::ZERO, every), 4_000_000);
    assert_eq!(next_target(0, every, every), CANDIDATES.0);
    assert_eq!(next_target(1 << 24, Duration::ZERO, every), CANDIDATES.1);
}

/// Chunks of several engines come in order, each once, as those of one do.
#[test]
fn engines_take_chunks_in_turn() {
    let first = BigUint::from(10_u8).pow(30);
    let family = Family::range(&first, &(&first + 300_000_u32), &[0]).unwrap();
    let sieve = Sieve::new(&family, 50).unwrap();
    let (ready, signals) = (OnceLock::from(()), Signals::default());
    let finds = |engines: usize, next: u64| {
        let testers = vec![Tester::new(Engine::cpu()); engines];
        let (test, every) = (Test::Fermat, Duration::from_millis(20));
        let (testers, ready) = (&testers[..], &ready);
        let hunt = Hunt { family: &family, sieve: &sieve, testers, ready, test, verify: false, every };
        let (mut all, mut end, mut chunks) = (vec![], next, 0);
        let done = hunt.run(next, &signals, |found| {
            assert_eq!(found.first, end);
            (end, chunks) = (found.end, chunks + 1);
            all.extend(found.indices);
            Ok(())
        });
        assert!(done.unwrap() && end == family.count() && chunks > 4, "{chunks} chunks");
        all
    };
    let all = finds(1, 0);
    assert!(all.len() > 3000 && all.is_sorted(), "{}", all.len());
    assert_eq!(finds(3, 0), all);
    assert_eq!(finds(2, 70_001), all.split_at(all.partition_point(|&i| i < 70_001)).1);
}

/// An error of the one who takes the chunks ends all threads.
#[test]
fn an_error_ends_the_hunt() {
    let first = BigUint::from(10_u8).pow(30);
    let family = Family::range(&first, &(&first + 300_000_u32), &[0]).unwrap();
    let sieve = Sieve::new(&family, 50).unwrap();
    let testers = vec![Tester::new(Engine::cpu()); 2];
    let every = Duration::from_millis(20);
    let ready = OnceLock::from(());
    let (sieve, testers, ready) = (&sieve, &testers[..], &ready);
    let hunt = Hunt { family: &family, sieve, testers, ready, test: Test::Fermat, verify: false, every };
    let stop = |_| Err(HuntError::argument("full"));
    assert_eq!(hunt.run(0, &Signals::default(), stop).unwrap_err().to_string(), "full");
}
