//! What a run finds.

use limbforge_algos::op::Why;
use limbforge_algos::program::Rows;
use limbforge_limb::num_bigint::BigInt;

/// The results of instances, and where they failed.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) results: Vec<Vec<BigInt>>,
    /// Reason and line of each instance's failure.
    pub(crate) failures: Vec<Option<(Why, u32)>>,
    /// The rows of each list, by their instances.
    pub(crate) lists: Vec<Rows>,
}

impl Found {
    /// The same results and failures.
    pub(super) fn compare(&self, found: &Self, how: &str) {
        for (i, (expected, results)) in self.results.iter().zip(&found.results).enumerate() {
            assert_eq!(results, expected, "result {i} {how}");
        }
        assert_eq!(found, self, "{how}");
    }
}
