//! Candidates as a table, and in words.

use limbforge_kernels_gen::{Candidate, Limits, Program, ProgramKernel, ProgramSpec};

use super::place::Place;
use crate::table::aligned;
use limbforge_cli::gpu::kernels::threads;

/// A line for each candidate.
pub(super) fn table(title: &str, limits: &Limits, candidates: &[Candidate]) -> String {
    let is_tuned = candidates.iter().any(|candidate| candidate.tuned_ms().is_some());
    let mut lines =
        vec![["", "product", "estimated ms", "tuned ms", "kernels", "threads", "mapping"].map(str::to_owned)];
    let ms = |ms: Option<f64>| ms.map_or_else(|| "-".to_owned(), |ms| format!("{ms:.2}"));
    lines.extend(candidates.iter().map(|candidate| {
        let mark = if candidate.is_chosen { "->" } else { "" }.to_owned();
        let [kernels, threads, mapping] = match &candidate.program {
            Ok(program) => {
                [program.launches.len().to_string(), block_threads(program, limits), threads(program)]
            }
            Err(error) => ["-".to_owned(), "-".to_owned(), format!("no kernel: {error}")],
        };
        let product = if candidates.len() > 1 { candidate.product.to_string() } else { "none".to_owned() };
        let estimate = ms(candidate.shipped_estimate.map(|estimate| estimate.milliseconds));
        [mark, product, estimate, ms(candidate.tuned_ms()), kernels, threads, mapping]
    }));
    let shown = |line: [String; 7]| {
        line.into_iter().enumerate().filter(|(i, _)| is_tuned || *i != 3).map(|cell| cell.1)
    };
    let lines: Vec<Vec<String>> = lines.into_iter().map(|line| shown(line).collect()).collect();
    format!("{title}\n\n{}\n", aligned(&lines, &[0, 1, lines[0].len() - 1]).join("\n"))
}

/// Threads of a block of each kernel.
fn block_threads(program: &Program, limits: &Limits) -> String {
    let threads = |kernel: &ProgramKernel| {
        let kernel = kernel.render(limits);
        kernel.map_or_else(|_| "-".to_owned(), |kernel| kernel.geometry.threads.to_string())
    };
    program.launched().map(threads).collect::<Vec<_>>().join(" ")
}

/// The sources of times, then each candidate in words.
pub(super) fn explanation(spec: &ProgramSpec, place: &Place, candidates: &[Candidate]) -> String {
    let Place { limits, planner, .. } = place;
    let mut text = format!("\n{}", planner.provenance());
    let chosen = candidates.iter().find(|candidate| candidate.is_chosen).and_then(Candidate::milliseconds);
    for candidate in candidates {
        text += &format!("\n{}", planner.explain(spec, limits, candidate, chosen));
    }
    text
}
