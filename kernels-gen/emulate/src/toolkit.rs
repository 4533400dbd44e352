//! The emulator's C++ code, compiled once for all kernels.

use std::path::{Path, PathBuf};

use crate::cache::write;
use crate::compiler::Compiler;
use crate::error::EmulateError;

macro_rules! embedded {
    ($($path:literal),* $(,)?) => { &[$(($path, include_str!(concat!("../", $path)))),*] };
}

/// (path, text) of every file.
const FILES: &[(&str, &str)] = embedded![
    "include/bits.h",
    "include/emulate.h",
    "include/memory.h",
    "include/mma.h",
    "include/types.h",
    "include/warp.h",
    "harness/asan.h",
    "harness/block.h",
    "harness/buffers.h",
    "harness/fiber.h",
    "harness/harness.cpp",
    "harness/program.h",
    "harness/report.h",
    "harness/schedule.h",
    "harness/shared.h",
    "harness/signals.h",
    "harness/waits.h",
];

/// How closely a program watches its kernel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Check {
    /// Guard zones around buffers and behind the dynamic shared memory, at no cost. Finds every write near a
    /// buffer, and reads that are at least 16 bytes past its end.
    #[default]
    Guards,
    /// `AddressSanitizer` and `UndefinedBehaviorSanitizer`: every access, exactly, and shifts, overflows,
    /// misaligned vectors and indices of arrays too. Compiles and runs a few times as long.
    Memory,
}

/// Flags of every compilation: the kernel and the harness must agree on them.
pub(crate) fn flags(compiler: &Compiler, check: Check) -> Vec<&'static str> {
    let mut flags = vec!["-std=c++17", "-pipe", "-fno-exceptions", "-fno-rtti"];
    if !compiler.is_clang() {
        // Shared memory has no constructors: spares a call at every access. clang finds that out by itself.
        flags.push("-fno-extern-tls-init");
    }
    if check == Check::Memory {
        // The size of an object with a guard behind it means nothing.
        flags.extend([
            "-g1",
            "-fsanitize=address,undefined",
            "-fno-sanitize=object-size",
            "-fno-sanitize-recover=all",
        ]);
    }
    flags
}

/// The folder with the headers and the compiled harness.
///
/// # Errors
/// [`EmulateError::Compile`], [`EmulateError::Io`].
pub(crate) fn prepare(compiler: &Compiler, check: Check) -> Result<PathBuf, EmulateError> {
    let mut flags = flags(compiler, check);
    flags.extend(["-O2", "-c", "harness/harness.cpp", "-o", "harness.o"]);
    let files = FILES.iter().flat_map(|&(path, text)| [path, text]);
    let name = hash([compiler.version()].into_iter().chain(flags.iter().copied()).chain(files));
    compiler.cache().get_or_make(&format!("harness-{name}"), |scratch| {
        let folder = scratch.join("harness");
        for (path, text) in FILES {
            write(&folder.join(path), text)?;
        }
        compile(compiler, &folder, &flags, "harness", "")?;
        Ok(folder)
    })
}

/// Runs the compiler in `folder`.
///
/// # Errors
/// [`EmulateError::Compile`] with what the compiler said, [`EmulateError::Io`].
pub(crate) fn compile(
    compiler: &Compiler,
    folder: &Path,
    arguments: &[&str],
    entry: &str,
    source: &str,
) -> Result<(), EmulateError> {
    compiler.run(folder, arguments)?.map_err(|output| EmulateError::Compile {
        entry: entry.to_owned(),
        command: compiler.command(),
        output,
        source_text: source.to_owned(),
    })
}

/// A name for everything that a file is made from.
pub(crate) fn hash<'a>(parts: impl IntoIterator<Item = &'a str>) -> String {
    let mut hasher = blake3::Hasher::new();
    for part in parts {
        // With their lengths, so that no two lists of parts run into the same text.
        hasher.update(&(part.len() as u64).to_le_bytes()).update(part.as_bytes());
    }
    hasher.finalize().to_hex()[..32].to_owned()
}
