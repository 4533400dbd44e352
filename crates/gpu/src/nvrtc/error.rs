//! Errors of nvrtc.

use std::fmt;
use std::path::PathBuf;

use crate::arch::Arch;
use crate::pathfinder::{SUPPORTED_MAJORS, VARIABLE};
use crate::version::Version;

/// Ways to install nvrtc, for the messages.
pub(crate) const INSTALL: &str = "install the CUDA toolkit, or `pip install nvidia-cuda-nvrtc` in a Python environment \
     that is active, or set LIMBFORGE_NVRTC to the path of libnvrtc";

/// nvrtc is missing, unsuitable, or fails.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NvrtcError {
    /// None of the usual places has nvrtc.
    #[error("nvrtc, NVIDIA's compiler library, is not in any of the {} places where it usually is: {INSTALL}", looked.len())]
    Missing {
        /// Folders, and names that the loader was asked for.
        looked: Vec<PathBuf>,
    },
    /// The user's variable names none.
    #[error("{VARIABLE} is {}, where no libnvrtc is: set it to the library or to its folder, or unset it", path.display())]
    Explicit {
        /// The variable's value.
        path: PathBuf,
    },
    /// The loader refuses the file.
    #[error("{} cannot be loaded: {reason}; {INSTALL}", path.display())]
    Open {
        /// The library.
        path: PathBuf,
        /// The loader's error.
        reason: String,
    },
    /// A function is missing in the library.
    #[error("{} has no function {symbol}, so it is not an nvrtc that limbforge can use: {INSTALL}", path.display())]
    Symbol {
        /// The library.
        path: PathBuf,
        /// The function.
        symbol: &'static str,
    },
    /// Another major version.
    #[error(
        "{} is nvrtc {found}; limbforge works with {} and {}: {INSTALL}",
        path.display(), SUPPORTED_MAJORS.start(), SUPPORTED_MAJORS.end()
    )]
    Version {
        /// The library.
        path: PathBuf,
        /// Its version.
        found: Version,
    },
    /// An unknown architecture.
    #[error(
        "nvrtc {version} does not compile for {asked}, only for {}: install a newer or older nvrtc that does",
        list(known)
    )]
    Architecture {
        /// The one asked for.
        asked: Arch,
        /// Numbers of those it knows.
        known: Vec<u32>,
        /// Its version.
        version: Version,
    },
    /// A source or an option has a NUL character, which ends a text in C.
    #[error("the {what} has a NUL character: remove it")]
    Nul {
        /// The source or an option.
        what: &'static str,
    },
    /// The source or an option is wrong.
    #[error(transparent)]
    Compile(Box<CompileError>),
    /// Any other failure.
    #[error("nvrtc failed to {action}: {reason}; if this stays, install another version of nvrtc")]
    Call {
        /// The action that failed.
        action: &'static str,
        /// Its name for the failure, and its log if there is one.
        reason: String,
    },
}

fn list(known: &[u32]) -> String {
    let names: Vec<_> = known.iter().map(|&number| Arch::from_number(number).to_string()).collect();
    names.join(", ")
}

/// A source that nvrtc does not compile. Its text is the log and the lines around the first error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompileError {
    /// nvrtc's log.
    pub log: String,
    /// The whole source.
    pub source: String,
    /// All options.
    pub options: Vec<String>,
    /// The line of the first error, from 1, if the log names one.
    pub line: Option<usize>,
}

/// Lines shown before and after the one that is wrong.
const AROUND: usize = 3;

impl CompileError {
    pub(super) fn new(log: String, source: &str, options: &[String]) -> Self {
        let line = log.lines().find_map(error_line);
        Self { log, source: source.to_owned(), options: options.to_vec(), line }
    }

    /// The numbered lines around the first error; empty if the log names no line of the source.
    #[must_use]
    pub fn excerpt(&self) -> String {
        let Some(wrong) = self.line else { return String::new() };
        let shown = |number: usize| number + AROUND >= wrong && number <= wrong + AROUND;
        let mut text = String::new();
        for (number, line) in (1..).zip(self.source.lines()).filter(|(number, _)| shown(*number)) {
            let mark = if number == wrong { '>' } else { ' ' };
            text.push_str(&format!("{mark}{number:>5} | {line}\n"));
        }
        text
    }
}

/// The line number in `kernel.cu(12): error: ...`.
fn error_line(message: &str) -> Option<usize> {
    let at = message.find("): error").or_else(|| message.find("): catastrophic error"))?;
    message[message[..at].rfind('(')? + 1..at].parse().ok()
}

impl fmt::Display for CompileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let options = self.options.join(" ");
        writeln!(f, "nvrtc does not compile this kernel (options: {options}); this is its log:")?;
        writeln!(f, "{}", self.log.trim_end())?;
        write!(f, "{}", self.excerpt())
    }
}

impl std::error::Error for CompileError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_excerpt_is_around_the_first_error() {
        let source: String = (1..=10).map(|i| format!("line {i}\n")).collect();
        let log =
            "kernel.cu(2): warning #177-D: unused\n\nkernel.cu(9): error: identifier \"x\" is undefined\n";
        let error = CompileError::new(log.to_owned(), &source, &["--std=c++17".to_owned()]);
        assert_eq!(error.line, Some(9));
        let expected =
            "     6 | line 6\n     7 | line 7\n     8 | line 8\n>    9 | line 9\n    10 | line 10\n";
        assert_eq!(error.excerpt(), expected);
        assert!(error.to_string().contains("identifier \"x\"") && error.to_string().contains(expected));
    }

    #[test]
    fn a_log_without_a_line_has_no_excerpt() {
        for log in
            ["", "nvrtc: error: invalid value", "): error", "x(y): error", "(99999999999999999999): error"]
        {
            assert_eq!(CompileError::new(log.to_owned(), "a", &[]).excerpt(), "", "{log}");
        }
    }
}
