//! Decoders of others, which may panic on damaged files.

use std::any::Any;
use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Once;

use crate::error::CliError;

thread_local! {
    /// Whether this thread decodes, so that its panics are errors of a file.
    static DECODES: Cell<bool> = const { Cell::new(false) };
}

/// Decodes with a panic as the error of the file. The decoder is not used after it.
pub(super) fn decode<T>(path: &Path, work: impl FnOnce() -> Result<T, CliError>) -> Result<T, CliError> {
    static SILENT: Once = Once::new();
    SILENT.call_once(|| {
        let other = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            if !DECODES.get() {
                other(panic);
            }
        }));
    });
    let before = DECODES.replace(true);
    let decoded = catch_unwind(AssertUnwindSafe(work));
    DECODES.set(before);
    decoded.unwrap_or_else(|panic| {
        let why = format!("expected intact data, found damaged ones: {}", text(&*panic));
        Err(CliError::Columns { path: path.to_owned(), why })
    })
}

/// The first line of what a panic says.
fn text(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or_default();
    text.lines().next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_an_error_of_the_file() {
        let error = decode(Path::new("n.arrow"), || -> Result<(), _> { panic!("no such buffer\nat all") });
        let why = "n.arrow: expected intact data, found damaged ones: no such buffer";
        assert_eq!(error.unwrap_err().to_string(), why);
        assert_eq!(decode(Path::new("n.arrow"), || Ok(7)).unwrap(), 7);
    }
}
