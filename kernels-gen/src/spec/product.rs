//! Algorithms of products, and the free parameters of each.

use core::fmt;
use std::str::FromStr;

use limbforge_algos::expr::Op;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

/// The algorithm of products.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Product {
    /// The fastest one for the width and the device: [`Planner`](crate::Planner).
    #[default]
    Auto,
    /// `mul_classical`.
    Classical,
    /// `mul_ntt`.
    Ntt,
    /// `mul_tensor`.
    Tensor,
    /// Powers modulo unsigned numbers and tests of primality by `modmul_rns`; all else as by `mul_classical`. The
    /// planner does not choose it.
    Rns,
    /// As `Rns`, by warps where warpgroups are faster, too: fewer instances fill a GPU.
    RnsWarps,
    /// Powers modulo one unsigned number for all instances by `modmul_fold`; all else as by `mul_classical`.
    Fold,
}

impl Product {
    /// Whether powers run in residue number systems.
    #[must_use]
    pub const fn is_rns(self) -> bool {
        matches!(self, Self::Rns | Self::RnsWarps)
    }
}

/// `classical`, `ntt`, `tensor`, `rns`, `rns-warps`, `fold`, or `auto`.
impl fmt::Display for Product {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Auto => "auto",
            Self::Classical => "classical",
            Self::Ntt => "ntt",
            Self::Tensor => "tensor",
            Self::Rns => "rns",
            Self::RnsWarps => "rns-warps",
            Self::Fold => "fold",
        })
    }
}

/// The coefficients of a product that are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ProductForm {
    /// Those of the product mod B^M.
    Low,
    /// All.
    Wide,
    /// Those of the product mod B^(2L) - 1 for L points, which wrap around in a transform half as long.
    Cyclic,
}

impl ProductForm {
    /// The coefficients that the operation needs.
    #[must_use]
    pub const fn of(op: &Op) -> Self {
        match op {
            Op::Mul | Op::Sqr => Self::Low,
            _ => Self::Wide,
        }
    }
}

/// The free parameters of a product's algorithm. [`Program::mapping`](crate::Program::mapping) returns the
/// planned ones, [`Planner::mappings`](crate::Planner::mappings) all that fit.
///
/// As text `words=16 instances=8`, `together=8 team=1 warps=4` or `threads=256 instances=1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ProductMapping {
    /// An expression's kernel: products by columns, or none.
    Columns {
        /// Q in words of 32 bits: words of a thread; four divide those of a product.
        words: u32,
        /// IPB: instances of a block.
        instances: u32,
    },
    /// Products on tensor cores.
    Tiles {
        /// Tiles that a warp computes together, at most: groups are of about equal size.
        tiles_per_pass: u32,
        /// Warps that compute an instance together: 1, 2, 4 or 8.
        warps_per_instance: u32,
        /// Warps of a block; those of an instance if that has several.
        warps: u32,
    },
    /// Products by transforms.
    Points {
        /// Threads of a transform, a power of two.
        threads: u32,
        /// IPB: transforms of a block.
        instances: u32,
    },
}

impl ProductMapping {
    /// The algorithm.
    #[must_use]
    pub const fn product(self) -> Product {
        match self {
            Self::Columns { .. } => Product::Classical,
            Self::Tiles { .. } => Product::Tensor,
            Self::Points { .. } => Product::Ntt,
        }
    }

    /// Whether both differ in the size of blocks alone.
    #[must_use]
    pub fn is_alike(self, other: Self) -> bool {
        let group = |mapping| match mapping {
            Self::Columns { words, .. } => (Product::Classical, words, 0),
            Self::Tiles { tiles_per_pass, warps_per_instance, .. } => {
                (Product::Tensor, tiles_per_pass, warps_per_instance)
            }
            Self::Points { threads, .. } => (Product::Ntt, threads, 0),
        };
        group(self) == group(other)
    }
}

impl fmt::Display for ProductMapping {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Columns { words, instances } => write!(f, "words={words} instances={instances}"),
            Self::Tiles { tiles_per_pass, warps_per_instance, warps } => {
                write!(f, "together={tiles_per_pass} team={warps_per_instance} warps={warps}")
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
        fn pair(item: &str) -> Option<(&str, u32)> {
            let (key, number) = item.split_once('=')?;
            Some((key, number.parse().ok()?))
        }
        let pairs: Option<Vec<_>> = text.split_whitespace().map(pair).collect();
        match pairs.unwrap_or_default()[..] {
            [("words", words), ("instances", instances)] => Ok(Self::Columns { words, instances }),
            [("together", tiles_per_pass), ("team", warps_per_instance), ("warps", warps)] => {
                Ok(Self::Tiles { tiles_per_pass, warps_per_instance, warps })
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
            (
                ProductMapping::Tiles { tiles_per_pass: 8, warps_per_instance: 1, warps: 4 },
                "together=8 team=1 warps=4",
            ),
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
