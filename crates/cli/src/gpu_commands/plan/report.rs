//! Candidates as JSON, as a table, and in words.

use limbforge_kernels_gen::{Candidate, ManyCore, Program, ProgramKernel};
use serde_json::{Value, json};

use super::Plan;
use crate::table::aligned;
use limbforge_cli::gpu::kernels::threads;

impl Plan {
    pub(super) fn json(&self, expression: &str) -> String {
        let value = json!({
            "expression": expression,
            "bits": self.spec.ty.bits(),
            "arch": self.arch.to_string(),
            "gpu": self.gpu,
            "candidates": self.candidates.iter().map(|candidate| self.value(candidate)).collect::<Vec<_>>(),
        });
        format!("{value:#}\n")
    }

    fn value(&self, candidate: &Candidate) -> Value {
        let Self { spec, limits, planner, .. } = self;
        let (program, refused) = (candidate.program.as_ref().ok(), candidate.program.as_ref().err());
        let specs: Vec<String> =
            program.map(|program| program.launched().map(ToString::to_string).collect()).unwrap_or_default();
        let model = program.and_then(|program| planner.many_core(spec, program, limits).ok());
        json!({
            "product": self.has_products().then_some(candidate.product),
            "chosen": candidate.is_chosen,
            "estimated_ms": candidate.shipped_estimate.map(|estimate| estimate.milliseconds),
            "tuned_ms": candidate.tuned_ms(),
            "basis": candidate.estimate.map(|estimate| estimate.basis.to_string()),
            "model_ms": model.as_ref().map(ManyCore::milliseconds),
            "model": model.map(|model| model.launches),
            "mapping": program.and_then(Program::mapping),
            "mappings": planner.mappings(spec, candidate.product, limits).unwrap_or_default(),
            "kernels": specs.len(),
            "threads": program.map(threads),
            "specs": specs,
            "refused": refused.map(ToString::to_string),
        })
    }

    fn has_products(&self) -> bool {
        self.candidates.len() > 1
    }

    /// A line for each candidate.
    pub(super) fn table(&self) -> String {
        let is_tuned = self.candidates.iter().any(|candidate| candidate.tuned_ms().is_some());
        let head = ["", "product", "estimated ms", "tuned ms", "kernels", "threads", "mapping"];
        let lines = self.candidates.iter().map(|candidate| self.line(candidate));
        let shown = |line: [String; 7]| -> Vec<String> {
            let cells = line.into_iter().enumerate().filter(|(i, _)| is_tuned || *i != 3);
            cells.map(|(_, cell)| cell).collect()
        };
        let lines: Vec<_> = [head.map(str::to_owned)].into_iter().chain(lines).map(shown).collect();
        aligned(&lines, &[0, 1, lines[0].len() - 1]).join("\n") + "\n"
    }

    fn line(&self, candidate: &Candidate) -> [String; 7] {
        let ms = |ms: Option<f64>| ms.map_or_else(|| "-".to_owned(), |ms| format!("{ms:.2}"));
        let mark = if candidate.is_chosen { "->" } else { "" }.to_owned();
        let product = if self.has_products() { candidate.product.to_string() } else { "none".to_owned() };
        let estimate = ms(candidate.shipped_estimate.map(|estimate| estimate.milliseconds));
        let [kernels, block_threads, mapping] = match &candidate.program {
            Ok(program) => {
                [program.launches.len().to_string(), self.block_threads(program), threads(program)]
            }
            Err(error) => ["-".to_owned(), "-".to_owned(), format!("no kernel: {error}")],
        };
        [mark, product, estimate, ms(candidate.tuned_ms()), kernels, block_threads, mapping]
    }

    /// Threads of a block of each kernel.
    fn block_threads(&self, program: &Program) -> String {
        let threads = |kernel: &ProgramKernel| match kernel.render(&self.limits) {
            Ok(kernel) => kernel.geometry.threads.to_string(),
            Err(_) => "-".to_owned(),
        };
        program.launched().map(threads).collect::<Vec<_>>().join(" ")
    }

    /// The sources of times, then each candidate in words.
    pub(super) fn explanation(&self) -> String {
        let Self { spec, limits, planner, candidates, .. } = self;
        let chosen = candidates.iter().find(|candidate| candidate.is_chosen);
        let ms = chosen.and_then(Candidate::milliseconds);
        let words = |candidate| format!("\n{}", planner.explain(spec, limits, candidate, ms));
        format!("\n{}", planner.provenance()) + &candidates.iter().map(words).collect::<String>()
    }
}
