//! How much of a large space a test tries: a sample of it, or all of it where `LIMBFORGE_LONG` is set.
//!
//! Samples are drawn by `LIMBFORGE_SEED`. Continuous integration sets it to another number at each commit, so
//! that commit after commit tries all of the space; a failure prints it.

/// The seed unless `LIMBFORGE_SEED` says otherwise.
const SEED: u64 = 20_261_123;

/// The number that random choices are drawn by.
///
/// # Panics
/// If `LIMBFORGE_SEED` is set to something else than a number below 2^64.
#[must_use]
pub fn seed() -> u64 {
    std::env::var("LIMBFORGE_SEED").map_or(SEED, |seed| {
        seed.parse().unwrap_or_else(|_| panic!("LIMBFORGE_SEED={seed}: expected a number below 2^64"))
    })
}

/// The seed of a random generator.
#[must_use]
pub fn seed_bytes() -> [u8; 32] {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed().to_le_bytes());
    bytes
}

/// `LIMBFORGE_LONG` is set: tests try all that they sample otherwise.
#[must_use]
pub fn is_long() -> bool {
    std::env::var_os("LIMBFORGE_LONG").is_some_and(|value| !value.is_empty() && value != "0")
}

/// `usual`, or `long` in a long run.
#[must_use]
pub fn usual_or<T>(usual: T, long: T) -> T {
    if is_long() { long } else { usual }
}

/// So many of the items, in their order; all of them in a long run. Samples of different names are
/// independent.
pub fn sample<T>(name: &str, items: impl IntoIterator<Item = T>, count: usize) -> Vec<T> {
    let items: Vec<T> = items.into_iter().collect();
    if is_long() || items.len() <= count {
        return items;
    }
    let seed = seed();
    // Shown if the test fails.
    eprintln!("LIMBFORGE_SEED={seed}: {count} of {} for {name}; LIMBFORGE_LONG=1 tries all", items.len());
    let mut drawn: Vec<(u64, usize)> = (0..items.len()).map(|i| (key(seed, name, i), i)).collect();
    drawn.sort_unstable();
    drawn.truncate(count);
    let is_drawn = |i: usize| drawn.iter().any(|&(_, of)| of == i);
    items.into_iter().enumerate().filter(|&(i, _)| is_drawn(i)).map(|(_, item)| item).collect()
}

/// One in `step` of the items, from a place that the seed chooses; all of them in a long run.
pub fn thinned<I: IntoIterator>(items: I, step: usize) -> impl Iterator<Item = I::Item> {
    let step = usual_or(step, 1);
    items.into_iter().skip((seed() % step as u64) as usize).step_by(step)
}

/// One of the items.
///
/// # Panics
/// If there is none.
pub fn one<T>(name: &str, items: impl IntoIterator<Item = T>) -> T {
    let items: Vec<T> = items.into_iter().collect();
    let key_of = |i: &usize| key(seed(), name, *i);
    let drawn = (0..items.len()).min_by_key(key_of);
    let Some(item) = drawn.and_then(|i| items.into_iter().nth(i)) else {
        panic!("{name}: nothing to choose")
    };
    item
}

/// The items with the smallest keys are drawn.
fn key(seed: u64, name: &str, i: usize) -> u64 {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&seed.to_le_bytes()).update(&(i as u64).to_le_bytes()).update(name.as_bytes());
    let mut bytes = [0; 8];
    hasher.finalize_xof().fill(&mut bytes);
    u64::from_le_bytes(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_in_order_and_differ_by_name() {
        let drawn = |name: &str| sample(name, 0..1000, 100);
        let (a, b) = (drawn("a"), drawn("b"));
        assert!(a.is_sorted() && a == drawn("a") && a.len() == usual_or(100, 1000));
        assert_eq!(a == b, is_long());
        assert_eq!(sample("few", 0..3, 5), [0, 1, 2]);
        assert!((0..9).contains(&one("one", 0..9)));
        let thin: Vec<u32> = thinned(0..100, 7).collect();
        assert!(thin.len() == usual_or(thin.len(), 100) && thin.len() >= 14 && thin.is_sorted());
    }

    /// Over many names every item is drawn about as often as the others.
    #[test]
    fn all_items_are_drawn() {
        let names = (0..400).map(|i| i.to_string());
        let mut drawn = [0; 8];
        for name in names {
            drawn[one(&name, 0..8_usize)] += 1;
        }
        assert!(drawn.iter().all(|&times| (25..=80).contains(&times)), "{drawn:?}");
    }
}
