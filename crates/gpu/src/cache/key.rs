//! The identity of a compiled kernel.

use std::fmt;

use crate::arch::Target;
use crate::nvrtc::all_options;
use crate::version::Version;

/// The identity of a compiled kernel: a hash of its source, of all options, and of nvrtc's version.
///
/// A comment in the first line does not count. It names the specification, with the user's names of operands,
/// and is not compiled: `a + b` and `x + y` are one kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CacheKey(pub(super) blake3::Hash);

impl CacheKey {
    /// The key of a source compiled for `target` with `options` by nvrtc `version`.
    #[must_use]
    pub fn new(source: &str, target: Target, options: &[String], version: Version) -> Self {
        let mut hasher = blake3::Hasher::new();
        let mut add = |part: &str| {
            // Each part with its length before it, so that no two lists of parts are the same bytes.
            hasher.update(&(part.len() as u64).to_le_bytes()).update(part.as_bytes());
        };
        add(&version.to_string());
        for option in all_options(target, options) {
            add(&option);
        }
        add(without_heading(source));
        Self(hasher.finalize())
    }

    pub(super) fn file_name(&self) -> String {
        format!("{self}.kernel")
    }
}

impl fmt::Display for CacheKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.to_hex())
    }
}

/// A source without the comment in its first line.
fn without_heading(source: &str) -> &str {
    match source.split_once('\n') {
        // A backslash would continue the comment in the next line.
        Some((first, rest)) if first.starts_with("//") && !first.trim_end().ends_with('\\') => rest,
        _ => source,
    }
}
