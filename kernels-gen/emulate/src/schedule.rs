//! The order in which the threads of a block run.

use core::fmt;

/// Which of the threads that can run is next, at every point where threads meet.
///
/// A kernel without races computes the same under each of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Schedule {
    /// The thread with the lowest index: early threads run as far ahead as they can.
    #[default]
    Ascending,
    /// The thread with the highest index.
    Descending,
    /// Any, drawn again at every switch from a generator with this seed.
    Random(u64),
}

impl Schedule {
    /// The schedules of [`run_all`](crate::Emulated::run_all): both extremes and two in between.
    pub const SAMPLE: [Self; 4] = [Self::Ascending, Self::Descending, Self::Random(1), Self::Random(2)];

    /// The two words of a job's header.
    pub(crate) const fn words(self) -> [u64; 2] {
        match self {
            Self::Ascending => [0, 0],
            Self::Descending => [1, 0],
            Self::Random(seed) => [2, seed],
        }
    }
}

impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ascending => f.write_str("ascending"),
            Self::Descending => f.write_str("descending"),
            Self::Random(seed) => write!(f, "random with seed {seed}"),
        }
    }
}
