//! Mappings of the same product: how many words, tiles or points threads and warps take.

use super::{Program, ProgramKernel};
use crate::spec::{ProductMapping, SpecError};
use crate::tensor::Schedule;

/// Words of a thread to try; those of products are multiples of four.
const WORDS: [u32; 6] = [4, 8, 12, 16, 24, 32];
/// Least threads of a block to try.
const BLOCKS: [u32; 4] = [64, 128, 256, 512];
/// Tiles per pass to try.
const TILES: [u32; 8] = [1, 2, 3, 4, 6, 8, 12, 16];
/// Warps of an instance and warps of a block to try.
const WARPS: [(u32, u32); 6] = [(1, 1), (1, 2), (1, 4), (1, 8), (2, 2), (4, 4)];

impl ProductMapping {
    /// Checks the numbers against those of any kernel; whether they fit is checked where they are used.
    pub(crate) fn check(self) -> Result<(), SpecError> {
        let (what, found, expected, range) = match self {
            Self::Columns { words, .. } if !(1..=256).contains(&words) => {
                ("words of a thread", words, "1 to 256", 1..=256)
            }
            Self::Columns { instances, .. } | Self::Points { instances, .. } => {
                ("instances per block", instances, "1 to 1024", 1..=1024)
            }
            Self::Tiles { .. } => return Ok(()),
        };
        if range.contains(&found) { Ok(()) } else { Err(SpecError::Mapping { what, found, expected }) }
    }

    /// The mapping of a kernel; None if it leaves nothing to choose.
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

    /// Other mappings to try, some of which do not fit.
    pub(crate) fn others(self) -> Vec<Self> {
        let mut all = vec![];
        match self {
            Self::Columns { .. } => {
                for words in WORDS {
                    all.extend((0..8).map(|log2| Self::Columns { words, instances: 1 << log2 }));
                }
            }
            Self::Tiles { .. } => {
                for (warps_per_instance, warps) in WARPS {
                    all.extend(TILES.map(|tiles_per_pass| Self::Tiles {
                        tiles_per_pass,
                        warps_per_instance,
                        warps,
                    }));
                }
            }
            Self::Points { threads, .. } => {
                for threads in [threads / 4, threads / 2, threads, 2 * threads] {
                    let instances = BLOCKS.into_iter().filter_map(|block| block.checked_div(threads));
                    let instances = instances.filter(|&instances| instances > 0);
                    all.extend(instances.map(|instances| Self::Points { threads, instances }));
                }
            }
        }
        all
    }
}

impl Program {
    /// The mapping of its product; None if the kernels leave nothing to choose, as in a division.
    #[must_use]
    pub fn mapping(&self) -> Option<ProductMapping> {
        let mut products = self.launched().filter(|kernel| !matches!(kernel, ProgramKernel::Expression(_)));
        products.next().or_else(|| self.launched().next()).and_then(ProductMapping::of)
    }
}
