//! Trial division by all odd numbers up to the root.

/// Whether n is prime, by its definition.
#[must_use]
pub fn is_prime(n: u64) -> bool {
    n == 2 || n > 2 && n % 2 == 1 && !(3..=n.isqrt()).step_by(2).any(|d| n.is_multiple_of(d))
}
