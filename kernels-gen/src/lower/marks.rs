//! Marks of instances that lack results.

use super::emitter::Emitter;
use crate::template::Template;

impl Emitter<'_> {
    /// Instances for which this holds have no result.
    pub(super) fn mark(&mut self, fails: &str) {
        if self.spec.fails.is_empty() {
            return self.line(format!("mark(marks, {fails}, at);"));
        }
        self.calls(Template::Results);
        self.line(format!("mark_results<{}u>(marks, {fails}, at);", self.fails[self.i]));
    }
}
