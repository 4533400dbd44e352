//! What `limbforge warm` prints.

use std::fmt;
use std::time::Duration;

use serde::Serialize;

use super::kernels::{Refused, ToCompile};

/// A kernel that is in the cache now.
#[derive(Debug, Serialize)]
pub(super) struct Warmed {
    expression: String,
    #[serde(rename = "type")]
    ty: String,
    limb: &'static str,
    arch: String,
    kernel: usize,
    of: usize,
    spec: String,
    /// Whether it was compiled now.
    compiled: bool,
    ms: f64,
}

#[derive(Debug, Serialize)]
pub(super) struct Report {
    pub(super) nvrtc: String,
    pub(super) cache: String,
    pub(super) seconds: f64,
    pub(super) kernels: Vec<Warmed>,
    pub(super) refused: Vec<Refused>,
}

impl Warmed {
    pub(super) fn new(kernel: &ToCompile, compiled: bool, taken: Duration) -> Self {
        let &ToCompile { limb, number, of, target, .. } = kernel;
        let [expression, ty, spec] = [&kernel.expression, &kernel.ty, &kernel.spec].map(Clone::clone);
        let (arch, ms) = (target.arch().to_string(), taken.as_secs_f64() * 1000.0);
        Self { expression, ty, limb, arch, kernel: number, of, spec, compiled, ms }
    }
}

impl fmt::Display for Warmed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { expression, ty, arch, kernel, of, compiled, ms, .. } = self;
        let done = if *compiled { format!("{ms:.0} ms") } else { "cached".to_owned() };
        write!(f, "{done:>9}  {arch}  {ty}  {expression}")?;
        if *of > 1 { write!(f, "  (kernel {kernel} of {of})") } else { Ok(()) }
    }
}

impl Report {
    /// The lines below those of the kernels.
    pub(super) fn summary(&self) -> String {
        let Self { nvrtc, cache, seconds, kernels, refused } = self;
        let lines = refused.iter().map(|Refused { expression, ty, arch, why }| {
            format!("{:>9}  {arch}  {ty}  {expression}: {why}\n", "none")
        });
        let (all, compiled) = (kernels.len(), kernels.iter().filter(|kernel| kernel.compiled).count());
        let cached = all - compiled;
        let rest: String = lines.collect();
        format!(
            "{rest}{all} kernels in {cache}: {compiled} compiled by nvrtc {nvrtc} in {seconds:.1} s, {cached} cached\n"
        )
    }
}
