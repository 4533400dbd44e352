//! What holds for any modulus that all instances share: limits of the rows, proved before the modulus is known.
//!
//! A kernel makes the matrices of such a modulus on the device. It compares the sums of their bytes with these
//! limits, and a modulus that exceeds one takes another algorithm.

use super::bounds::prove_rows;
use super::matrix::Joining;
use super::plan::Plan;
use crate::invariant::broken_invariant;

/// Standard deviations of the sum of a row's bytes that are allowed for: none that was seen exceeds five.
const DEVIATIONS: u64 = 8;
/// The standard deviation of a byte, rounded up.
const OF_A_BYTE: u64 = 74;

/// How digit sums are joined, and the rows for which that and all other bounds are proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowLimits {
    /// How digit sums are joined.
    pub joining: Joining,
    /// The largest sum of the bytes of a row, for each of its digits.
    pub bytes: [u32; 4],
}

impl RowLimits {
    /// The largest digit sums: each byte that a row takes is 255.
    #[must_use]
    pub fn largest_sums(&self) -> [u32; 4] {
        self.bytes.map(|bytes| 255 * bytes)
    }

    /// The rows that this way of joining admits, at most those of k primes below `2^31`.
    fn of(joining: Joining, residues: u32) -> Self {
        // Digits 0 to 2 have 8 bits, and digit 3 has 7.
        let [byte, top] = [255, 127].map(|digit| 4 * residues * digit);
        let bytes = match joining {
            // s (1 + 2^8) < 2^32.
            Joining::Halves => [byte, byte, byte, top].map(|bytes| bytes.min(u32::MAX / (255 * 257))),
            // s2 + 2^8 s3 + floor(s1 / 2^8) < 2^32.
            Joining::Carried => {
                let rest = u32::MAX - 255 * byte - ((255 * byte) >> 8);
                [byte, byte, byte, top.min(rest / (255 << 8))]
            }
            Joining::Separate => [byte, byte, byte, top],
        };
        Self { joining, bytes }
    }

    /// Whether sums of random bytes are far below the limits.
    fn admits_random_rows(&self, residues: u32) -> bool {
        let k = u64::from(residues);
        let spread = DEVIATIONS * OF_A_BYTE * ((4 * k).isqrt() + 1);
        let expected = [510 * k, 510 * k, 510 * k, 254 * k].map(|mean| mean + spread);
        expected.iter().zip(self.bytes).enumerate().all(|(digit, (&sum, limit))| {
            let most = 4 * k * if digit == 3 { 127 } else { 255 };
            sum.min(most) <= limit.into()
        })
    }
}

impl Plan {
    /// The limits of the rows of one modulus for all instances, whatever it is: all bounds of this plan hold for
    /// matrices within them.
    ///
    /// ```
    /// use limbforge_algos::modmul_rns::{Joining, Plan};
    /// use num_bigint::BigUint;
    /// let limits = Plan::each(256)?.row_limits();
    /// assert_eq!(limits.joining, Joining::Halves);
    /// let one = Plan::one(256, &BigUint::from(1_000_003_u32))?;
    /// let largest = limits.largest_sums();
    /// assert!((0..4).all(|digit| one.to_second.largest_sums(0)[digit] <= largest[digit]));
    /// # Ok::<(), limbforge_algos::modmul_rns::PlanError>(())
    /// ```
    #[must_use]
    pub fn row_limits(&self) -> RowLimits {
        let residues = self.residues() as u32;
        let ways = [Joining::Halves, Joining::Carried, Joining::Separate];
        let limits = ways
            .into_iter()
            .map(|way| RowLimits::of(way, residues))
            .find(|limits| limits.admits_random_rows(residues))
            .unwrap_or_else(|| {
                broken_invariant("random rows are within the limits of sums that are joined separately")
            });
        prove_rows(&self.bases, &limits)
            .unwrap_or_else(|unproved| broken_invariant(&format!("rows of {} bits: {unproved}", self.bits)));
        limits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_the_largest_that_each_way_admits() {
        for residues in (4..=532).step_by(4) {
            for way in [Joining::Halves, Joining::Carried, Joining::Separate] {
                let limits = RowLimits::of(way, residues);
                assert!(way.fits(limits.largest_sums()), "{limits:?}");
                let all = [255, 255, 255, 127].map(|digit| 4 * residues * digit);
                let more = limits.bytes.map(|bytes| 255 * (bytes + 1));
                assert!(limits.bytes == all || !way.fits(more), "{limits:?}");
            }
        }
    }

    #[test]
    fn measured_widths_are_joined_in_these_ways() {
        let way = |bits| Plan::each(bits).unwrap().row_limits().joining;
        assert_eq!([512, 1024, 2048, 3072].map(way), [Joining::Halves; 4]);
        assert_eq!([4096, 8192].map(way), [Joining::Carried, Joining::Separate]);
    }
}
