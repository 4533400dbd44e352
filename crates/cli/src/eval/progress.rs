//! A progress bar over the bytes of all input files, on a terminal only.

use std::fs;
use std::io::IsTerminal;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use super::arguments::InputArgument;

const BAR: &str = "{bar:40} {percent:>3}%  {bytes} of {total_bytes}  {bytes_per_sec}  {eta} left";
const SPINNER: &str = "{spinner} {bytes} read  {bytes_per_sec}";

/// A bar when all inputs are files of known size, else a counter of bytes. Hidden unless standard error is a
/// terminal.
pub(super) fn start(inputs: &[InputArgument]) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let size =
        |input: &InputArgument| fs::metadata(&input.path).ok().filter(fs::Metadata::is_file).map(|m| m.len());
    let total: Option<u64> = inputs.iter().map(size).sum();
    let (bar, template) = match total {
        Some(total) => (ProgressBar::new(total), BAR),
        None => (ProgressBar::new_spinner(), SPINNER),
    };
    bar.enable_steady_tick(Duration::from_millis(200));
    match ProgressStyle::with_template(template) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
