//! The benchmarks that a run measures.

use std::str::FromStr;

use clap::ValueEnum;

use crate::operations::{Benchmark, Group, benchmarks, of_operation};
use crate::paper::WIDTHS;

/// Several benchmarks, or one operation of expressions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum What {
    Group(Group),
    Operation(String),
}

impl FromStr for What {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if let Ok(group) = Group::from_str(text, false) {
            return Ok(Self::Group(group));
        }
        of_operation(text).map(|one| Self::Operation(one.name)).ok_or_else(|| {
            let names = Group::value_variants().iter().filter_map(Group::to_possible_value);
            let names: Vec<String> = names.map(|value| value.get_name().to_owned()).collect();
            format!("expected {}, or an operation of `limbforge functions`, as gcd", names.join(", "))
        })
    }
}

impl What {
    /// The paper's tables have some widths only.
    pub(crate) fn takes(&self, bits: u32) -> bool {
        *self != Self::Group(Group::PaperTables) || bits.is_power_of_two() && WIDTHS.contains(&bits.ilog2())
    }

    /// The benchmarks in the order of measuring.
    pub(crate) fn benchmarks(&self) -> Vec<Benchmark> {
        match self {
            Self::Group(group) => benchmarks().iter().filter(|one| one.is_in(*group)).cloned().collect(),
            Self::Operation(name) => of_operation(name).into_iter().collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_and_operations() {
        let what = |text: &str| text.parse::<What>().map(|what| what.benchmarks());
        let names = |text: &str| what(text).unwrap().into_iter().map(|one| one.name).collect::<Vec<String>>();
        assert_eq!(names("all").len(), 61);
        assert_eq!(names("paper-tables").len(), 7);
        assert_eq!(names("poly"), ["poly-classical", "poly-tensor", "poly-ntt", "poly-auto"]);
        assert_eq!(names("mul-classical").len(), 5);
        // Four forms of a product by three algorithms and by the chosen one.
        assert_eq!(names("mul").len(), 16);
        assert_eq!(names("fused").len(), 16);
        assert_eq!(names("add").len(), 8);
        assert_eq!(names("div"), ["divrem", "divrem-full", "divrem-limb", "divrem-shared"]);
        assert_eq!(names("modular").len(), 8);
        assert_eq!((names("gcd"), names("primality")), (vec!["gcd".to_owned()], vec!["is_prime".to_owned()]));
        assert_eq!((names("lcm"), names("ntt").len()), (vec!["lcm".to_owned()], 0));
        assert!(what("cubes").unwrap_err().starts_with("expected add, mul, "));
    }

    #[test]
    fn the_papers_have_powers_of_two() {
        let taken = |group| [512, 2048, 5000, 1 << 18, 1 << 19].map(|bits| What::Group(group).takes(bits));
        assert_eq!(taken(Group::PaperTables), [false, true, false, true, false]);
        assert_eq!(taken(Group::MulNtt), [true; 5]);
    }
}
