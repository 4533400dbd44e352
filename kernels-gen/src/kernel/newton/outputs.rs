//! Where the outputs of a division go, and the instances that lack some.

use super::operands::aligned;
use super::spec::{DivNewtonSpec, Facts};
use super::stage::{DivOutput, Stage};

impl Stage {
    /// The results of the program that fail with each output.
    pub(super) fn fails(&self) -> &[u32] {
        if let Self::CorrectLow { fails, .. } = self { fails } else { &[] }
    }

    /// The names of the results' pointers.
    pub(super) fn out_names(&self) -> Vec<String> {
        match self {
            Self::CorrectLow { wanted, apart: true, .. } => {
                (0..wanted.len()).map(|i| format!("out{i}")).collect()
            }
            _ => vec!["out".to_owned()],
        }
    }
}

/// The place of each plane of the result, as an address.
pub(super) fn places(spec: &DivNewtonSpec, facts: &Facts, outs: &[String]) -> Vec<String> {
    if let Stage::CorrectLow { apart: true, .. } = spec.stage {
        return outs.to_vec();
    }
    let mut first = 0;
    let place = |&words: &u32| {
        let begin = first;
        first += aligned(words);
        format!("out + {begin} * instances")
    };
    facts.planes.iter().map(place).collect()
}

/// The statements that mark instances without a result.
pub(super) fn marking(stage: &Stage) -> Vec<String> {
    let Stage::CorrectLow { wanted, fails, .. } = stage else { return vec![] };
    if fails.is_empty() {
        let exact = if wanted.contains(&DivOutput::Exact) { " || !exact" } else { "" };
        return vec![format!("mark(marks, (about.by_zero{exact}), at);")];
    }
    let results = |fails_so: fn(DivOutput) -> bool| {
        let of = wanted.iter().zip(fails).filter(|(output, _)| fails_so(**output));
        of.fold(0, |all, (_, results)| all | results)
    };
    let by_zero = results(|output| output != DivOutput::Divisible);
    let mut lines = vec![format!("mark_results<{by_zero}u>(marks, about.by_zero, at);")];
    let inexact = results(|output| output == DivOutput::Exact);
    if inexact != 0 {
        lines.push(format!("mark_results<{inexact}u>(marks, !exact, at);"));
    }
    lines
}
