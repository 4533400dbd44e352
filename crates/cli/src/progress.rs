//! Progress bars on standard error, hidden unless it is a terminal.

use std::{io::IsTerminal, time::Duration};

use indicatif::{ProgressBar, ProgressStyle};

/// A bar, or a counter where the total is unknown.
pub(crate) fn start(total: Option<u64>, template: &str) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = total.map_or_else(ProgressBar::new_spinner, ProgressBar::new);
    bar.enable_steady_tick(Duration::from_millis(200));
    bar.with_style(style(template))
}

/// The style of a template of our own, which is known to be one.
pub(crate) fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}
