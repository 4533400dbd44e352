//! Candidates of the same product: how many words, tiles or points threads and warps take.

use core::fmt;
use std::str::FromStr;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{LaunchKernel, Product, Program};
use crate::error::SpecError;

/// The numbers that are left open once a product is chosen. [`Program::mapping`] says what is planned,
/// [`Program::mappings`] what else fits, and [`Program::with_mapping`] takes one.
///
/// As text `words=16 instances=8`, `together=8 team=1 warps=4` or `threads=256 instances=1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ProductMapping {
    /// Of the kernel of an expression: products by columns, or none.
    Columns {
        /// Q in words of 32 bits: words of a thread; four divide those of a product.
        words: u32,
        /// IPB: instances of a block.
        instances: u32,
    },
    /// Of products on tensor cores.
    Tiles {
        /// Tiles that a warp computes together, at most: groups have about as many tiles.
        together: u32,
        /// Warps that compute an instance together: 1, 2, 4 or 8.
        team: u32,
        /// Warps of a block; those of the team if that has several.
        warps: u32,
    },
    /// Of products by transforms.
    Points {
        /// Threads of a transform, a power of two.
        threads: u32,
        /// IPB: transforms of a block.
        instances: u32,
    },
}

/// Words of a thread that are tried; those of products are multiples of four.
const WORDS: [u32; 6] = [4, 8, 12, 16, 24, 32];

/// Threads of a block that are tried, at least.
const BLOCKS: [u32; 4] = [64, 128, 256, 512];

/// Tiles together that are tried; teams and, of teams of one warp, warps of a block.
const TOGETHER: [u32; 8] = [1, 2, 3, 4, 6, 8, 12, 16];
const TEAMS: [u32; 3] = [1, 2, 4];
const WARPS: [u32; 4] = [1, 2, 4, 8];

impl ProductMapping {
    /// The product that it is of.
    #[must_use]
    pub const fn product(self) -> Product {
        match self {
            Self::Columns { .. } => Product::Classical,
            Self::Tiles { .. } => Product::Tensor,
            Self::Points { .. } => Product::Ntt,
        }
    }

    /// Whether another one differs in the size of blocks alone.
    #[must_use]
    pub const fn is_alike(self, other: Self) -> bool {
        match (self, other) {
            (Self::Columns { words, .. }, Self::Columns { words: others, .. }) => words == others,
            (Self::Tiles { together, team, .. }, Self::Tiles { together: others, team: other_team, .. }) => {
                together == others && team == other_team
            }
            (Self::Points { threads, .. }, Self::Points { threads: others, .. }) => threads == others,
            _ => false,
        }
    }

    /// Whether the numbers are those of any kernel; those that name what does not fit are checked where they are used.
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
    fn of(kernel: &LaunchKernel) -> Option<Self> {
        match kernel {
            LaunchKernel::Expression(spec) => spec.is_mapped().then(|| {
                let mapping = &spec.mapping;
                Self::Columns { words: mapping.run_words * mapping.runs, instances: mapping.instances }
            }),
            LaunchKernel::MulTensor(spec) => {
                let plan = &spec.plan;
                Some(Self::Tiles { together: plan.together, team: plan.team, warps: plan.warps })
            }
            LaunchKernel::MulNtt(spec) => {
                Some(Self::Points { threads: spec.plan.threads, instances: spec.plan.instances })
            }
            LaunchKernel::DivNewton(_) | LaunchKernel::Rendered(_) => None,
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
                let blocks = |team| if team == 1 { WARPS.to_vec() } else { vec![team] };
                let teams =
                    TEAMS.into_iter().flat_map(|team| blocks(team).into_iter().map(move |w| (team, w)));
                let all = teams
                    .flat_map(|(team, warps)| TOGETHER.map(|together| Self::Tiles { together, team, warps }));
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
        let mut products = self.launched().filter(|kernel| !matches!(kernel, LaunchKernel::Expression(_)));
        products.next().or_else(|| self.launched().next()).and_then(ProductMapping::of)
    }
}

impl fmt::Display for ProductMapping {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Columns { words, instances } => write!(f, "words={words} instances={instances}"),
            Self::Tiles { together, team, warps } => {
                write!(f, "together={together} team={team} warps={warps}")
            }
            Self::Points { threads, instances } => write!(f, "threads={threads} instances={instances}"),
        }
    }
}

/// A text that is no mapping.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{found}`: expected a mapping, words=W instances=I, together=T team=W warps=W or threads=T instances=I, as in `words=16 instances=8`"
)]
pub struct ParseMappingError {
    /// The text.
    pub found: String,
}

impl FromStr for ProductMapping {
    type Err = ParseMappingError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let pair = |item: &'_ str| -> Option<(String, u32)> {
            let (key, number) = item.split_once('=')?;
            Some((key.to_owned(), number.parse().ok()?))
        };
        let pairs: Option<Vec<(String, u32)>> = text.split_whitespace().map(pair).collect();
        let pairs = pairs.unwrap_or_default();
        let pairs: Vec<(&str, u32)> = pairs.iter().map(|(key, number)| (&**key, *number)).collect();
        match pairs[..] {
            [("words", words), ("instances", instances)] => Ok(Self::Columns { words, instances }),
            [("together", together), ("team", team), ("warps", warps)] => {
                Ok(Self::Tiles { together, team, warps })
            }
            [("threads", threads), ("instances", instances)] => Ok(Self::Points { threads, instances }),
            _ => Err(ParseMappingError { found: text.to_owned() }),
        }
    }
}

/// As its text.
impl Serialize for ProductMapping {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// From its text.
impl<'de> Deserialize<'de> for ProductMapping {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_text_and_back() {
        let all = [
            (ProductMapping::Columns { words: 16, instances: 8 }, "words=16 instances=8"),
            (ProductMapping::Tiles { together: 8, team: 1, warps: 4 }, "together=8 team=1 warps=4"),
            (ProductMapping::Points { threads: 256, instances: 1 }, "threads=256 instances=1"),
        ];
        for (mapping, text) in all {
            assert_eq!((mapping.to_string(), text.parse()), (text.to_owned(), Ok(mapping)));
        }
        for wrong in
            ["", "words=16", "words=x instances=8", "instances=8 words=16", "team=1 warps=4", "words"]
        {
            let error = wrong.parse::<ProductMapping>().unwrap_err().to_string();
            assert!(error.starts_with(&format!("`{wrong}`: expected a mapping")), "{error}");
        }
    }
}
