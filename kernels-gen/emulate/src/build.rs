//! From a kernel's text to a program.

use core::fmt::Write as _;
use std::path::PathBuf;
use std::time::Duration;

use limbforge_kernels_gen::Kernel;

use crate::cache::write;
use crate::compiler::Compiler;
use crate::error::EmulateError;
use crate::toolkit::{self, Check};

/// Bytes behind the dynamic shared memory that must stay untouched.
const SHARED_GUARD: u32 = 1024;

/// Dynamic shared memory of a block on the largest GPUs.
const MAX_SHARED: u32 = 227 << 10;

/// Most inputs, a limit of the harness.
const MAX_INPUTS: usize = 62;

/// A kernel as a program of this machine.
#[derive(Clone, Debug)]
pub struct Emulated {
    pub(crate) kernel: Kernel,
    pub(crate) program: PathBuf,
    pub(crate) time_limit: Duration,
    /// Its cache may be a temporary one.
    _compiler: Compiler,
}

impl Emulated {
    /// The program of a kernel, with [`Check::Guards`]. Compiles only what was not compiled before.
    ///
    /// # Errors
    /// As [`build_with`](Self::build_with).
    pub fn build(compiler: &Compiler, kernel: &Kernel) -> Result<Self, EmulateError> {
        Self::build_with(compiler, kernel, Check::Guards)
    }

    /// The program of a kernel, with the checks of the caller's choice.
    ///
    /// # Errors
    /// [`EmulateError::Compile`] with what the compiler said about which line; [`EmulateError::Entry`] and
    /// [`EmulateError::Limit`] for a kernel that no GPU launches; [`EmulateError::Io`].
    pub fn build_with(compiler: &Compiler, kernel: &Kernel, check: Check) -> Result<Self, EmulateError> {
        validate(kernel)?;
        let toolkit = toolkit::prepare(compiler, check)?;
        let main = main_source(kernel);
        let toolkit_path = toolkit.to_string_lossy();
        let include = format!("-I{toolkit_path}");
        let harness = format!("{toolkit_path}/harness.o");
        let mut flags = toolkit::flags(compiler, check);
        flags.extend([
            // Short compilations count more than fast programs.
            "-Og",
            // Limbs are read as vectors of words.
            "-fno-strict-aliasing",
            "-Wall",
            "-Wno-unknown-pragmas",
            "-Werror=return-type",
            "-Werror=uninitialized",
            &include,
            "main.cpp",
            &harness,
            "-o",
            "program",
        ]);
        let name = toolkit::hash([kernel.source.as_str(), &main].into_iter().chain(flags.iter().copied()));
        let program = compiler.cache().get_or_make(&format!("kernel-{name}"), |scratch| {
            write(&scratch.join("kernel.cu"), &kernel.source)?;
            write(&scratch.join("main.cpp"), &main)?;
            toolkit::compile(compiler, scratch, &flags, &kernel.entry, &kernel.source)?;
            Ok(scratch.join("program"))
        })?;
        Ok(Self {
            kernel: kernel.clone(),
            program,
            time_limit: Duration::from_secs(60),
            _compiler: compiler.clone(),
        })
    }

    /// Ends runs after `limit` instead of a minute.
    #[must_use]
    pub const fn with_time_limit(mut self, limit: Duration) -> Self {
        self.time_limit = limit;
        self
    }

    /// The kernel that it was built from.
    #[must_use]
    pub const fn kernel(&self) -> &Kernel {
        &self.kernel
    }
}

fn validate(kernel: &Kernel) -> Result<(), EmulateError> {
    let named = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let entry = &kernel.entry;
    if entry.is_empty() || entry.starts_with(|c: char| c.is_ascii_digit()) || !entry.chars().all(named) {
        return Err(EmulateError::Entry { entry: entry.clone() });
    }
    let limit = |ok: bool, what: &'static str, found: u64, expected: &'static str| {
        if ok { Ok(()) } else { Err(EmulateError::Limit { entry: entry.clone(), what, expected, found }) }
    };
    let geometry = &kernel.geometry;
    let threads = geometry.threads;
    let whole = threads > 0 && threads <= 1024 && threads.is_multiple_of(32);
    limit(whole, "threads of a block", threads.into(), "a multiple of 32 from 32 to 1024")?;
    limit(geometry.instances > 0, "instances of a block", geometry.instances.into(), "at least 1")?;
    let shared = geometry.shared_bytes;
    limit(shared <= MAX_SHARED, "bytes of shared memory", shared.into(), "at most 232448")?;
    let buffers = kernel.inputs.len() + kernel.outputs.saturating_sub(1);
    limit(buffers <= MAX_INPUTS, "inputs and further results", buffers as u64, "at most 62")?;
    limit(kernel.outputs > 0, "results", 0, "at least 1")
}

/// The file that joins the kernel and the harness.
fn main_source(kernel: &Kernel) -> String {
    let mut names = String::new();
    let mut arguments = String::new();
    for (i, name) in kernel.inputs.iter().enumerate() {
        // Only for reports.
        let plain = name.replace(|c: char| !c.is_ascii_alphanumeric() && c != '_', "_");
        // Writing to a string does not fail.
        let _ = write!(names, "\"{plain}\", ");
        let _ = write!(arguments, "static_cast<const unsigned*>(buffers[{i}]), ");
    }
    let (entry, shared) = (&kernel.entry, kernel.geometry.shared_bytes);
    let outputs = (0..kernel.outputs).map(|i| if i == 0 { "out".to_owned() } else { format!("out{i}") });
    let written: Vec<String> = outputs.chain(kernel.marks.then(|| "marks".to_owned())).collect();
    for (i, name) in written.iter().enumerate() {
        let buffer = kernel.inputs.len() + i;
        let comma = if i == 0 { "" } else { ", " };
        let _ = write!(names, "{comma}\"{name}\"");
        let _ = write!(arguments, "{comma}static_cast<unsigned*>(buffers[{buffer}])");
    }
    let buffers = kernel.inputs.len() + written.len();
    let vectors = (shared + SHARED_GUARD).div_ceil(16);
    format!(
        r#"#include "include/emulate.h"
#include "kernel.cu"
#include "harness/program.h"

thread_local uint4 limbforge_shared[{vectors}];

namespace limbforge_emulate {{
static const char* const names[] = {{{names}}};
static void enter(void* const* buffers, unsigned long long instances) {{
  {entry}({arguments}, instances);
}}
static unsigned char* shared() {{ return reinterpret_cast<unsigned char*>(limbforge_shared); }}
const Program program = {{names, {buffers}, enter, shared, {shared}, {SHARED_GUARD}}};
}}  // namespace limbforge_emulate
"#
    )
}
