//! Which divisions are worth computing together.

/// Shorter divisors, in words, and quotients are computed one by one.
const LEAST: usize = 2;

/// Eight divisions in vectors take as long as so many of the longest one by one.
const WORTH: usize = 3;

/// Words of the quotient and of the divisor, of numbers without zeros at the top; nothing if the division is
/// better computed alone.
pub(super) fn lengths(a: &[u64], b: &[u64]) -> Option<[usize; 2]> {
    (b.len() >= LEAST && a.len() + 1 >= b.len() + LEAST).then(|| [a.len() + 1 - b.len(), b.len()])
}

/// Whether divisions of these lengths are alike enough for vectors, which take the time of the longest for
/// each.
pub(super) fn are_alike(lengths: &(impl Iterator<Item = [usize; 2]> + Clone)) -> bool {
    let products = lengths.clone().map(|lengths| lengths.iter().product::<usize>());
    let longest = |part: usize| lengths.clone().map(|lengths| lengths[part]).max();
    products.sum::<usize>() >= WORTH * longest(0).unwrap_or(0) * longest(1).unwrap_or(0)
}
