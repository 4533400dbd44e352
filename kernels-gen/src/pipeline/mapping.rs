//! Candidates of the same product: how many words, tiles or points threads and warps take.

use super::{Program, ProgramKernel};
use crate::spec::{ProductMapping, SpecError};
use crate::tensor::Schedule;

/// Words of a thread that are tried; those of products are multiples of four.
const WORDS: [u32; 6] = [4, 8, 12, 16, 24, 32];

/// Threads of a block that are tried, at least.
const BLOCKS: [u32; 4] = [64, 128, 256, 512];

/// Tiles together that are tried; teams and, of teams of one warp, warps of a block.
const TOGETHER: [u32; 8] = [1, 2, 3, 4, 6, 8, 12, 16];
const TEAMS: [u32; 3] = [1, 2, 4];
const WARPS: [u32; 4] = [1, 2, 4, 8];

impl ProductMapping {
    /// Whether the numbers are those of any kernel; those that name what does not fit are checked where they
    /// are used.
    pub(crate) fn check(self) -> Result<(), SpecError> {
        let wrong = |what, found, expected| Err(SpecError::Mapping { what, found, expected });
        match self {
            Self::Columns { words, .. } if !(1..=256).contains(&words) => {
                wrong("words of a thread", words, "1 to 256")
            }
            Self::Columns { instances, .. } | Self::Points { instances, .. }
                if !(1..=1024).contains(&instances) =>
            {
                wrong("instances per block", instances, "1 to 1024")
            }
            _ => Ok(()),
        }
    }

    /// What a kernel has; None of one that has nothing to choose.
    fn of(kernel: &ProgramKernel) -> Option<Self> {
        match kernel {
            ProgramKernel::Expression(spec) => spec.is_mapped().then(|| {
                let mapping = &spec.mapping;
                Self::Columns { words: mapping.run_words * mapping.runs, instances: mapping.instances }
            }),
            ProgramKernel::MulTensor(spec) => {
                let Schedule { tiles_per_pass, warps_per_instance, warps, .. } = spec.plan.schedule;
                Some(Self::Tiles { tiles_per_pass, warps_per_instance, warps })
            }
            ProgramKernel::MulNtt(spec) => {
                Some(Self::Points { threads: spec.plan.threads, instances: spec.plan.instances })
            }
            ProgramKernel::DivNewton(_) | ProgramKernel::Rendered(_) => None,
        }
    }

    /// Others to try, of which some do not fit.
    pub(crate) fn others(self) -> Vec<Self> {
        match self {
            Self::Columns { .. } => {
                let pairs = WORDS.into_iter().flat_map(|words| (0..8).map(move |log2| (words, 1 << log2)));
                pairs.map(|(words, instances)| Self::Columns { words, instances }).collect()
            }
            Self::Tiles { .. } => {
                let blocks = |warps_per_instance| {
                    if warps_per_instance == 1 { WARPS.to_vec() } else { vec![warps_per_instance] }
                };
                let teams = TEAMS.into_iter().flat_map(|warps_per_instance| {
                    blocks(warps_per_instance).into_iter().map(move |w| (warps_per_instance, w))
                });
                let all = teams.flat_map(|(warps_per_instance, warps)| {
                    TOGETHER.map(|tiles_per_pass| Self::Tiles { tiles_per_pass, warps_per_instance, warps })
                });
                all.collect()
            }
            Self::Points { threads, .. } => {
                let threads = [threads / 4, threads / 2, threads, 2 * threads].into_iter();
                let pairs = threads.filter(|&threads| threads > 0).flat_map(|threads| {
                    BLOCKS.into_iter().map(move |block| (threads, block / threads)).filter(|pair| pair.1 > 0)
                });
                pairs.map(|(threads, instances)| Self::Points { threads, instances }).collect()
            }
        }
    }
}

impl Program {
    /// What it has of what a product leaves open; None if that is nothing, as in a division.
    #[must_use]
    pub fn mapping(&self) -> Option<ProductMapping> {
        let mut products = self.launched().filter(|kernel| !matches!(kernel, ProgramKernel::Expression(_)));
        products.next().or_else(|| self.launched().next()).and_then(ProductMapping::of)
    }
}
