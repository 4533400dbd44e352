//! What loops carry: variables of the text, which a round assigns.

use super::values::{After, Values, listed, names};
use super::{ProgramBuilder, Value};

impl ProgramBuilder {
    /// A loop whose index the rounds take.
    pub(super) fn for_each<V: Values>(
        &self,
        over: &str,
        after: After,
        carried: &V,
        round: impl FnOnce(Value, V) -> V,
    ) -> V {
        let index = self.value(&self.writer.new_name());
        let after = if after.0 == 0 { String::new() } else { format!(" after {}", after.0) };
        let head = format!("for {} in {over}{after}", index.written);
        self.carry(&head, carried, |values| round(index, values))
    }

    pub(super) fn carry<V: Values>(&self, head: &str, carried: &V, round: impl FnOnce(V) -> V) -> V {
        let values = self.variables(carried);
        self.writer.block(head, || {
            let next = round(self.same(&values));
            self.assign(&values, &next);
        });
        values
    }

    /// Variables with these values at first.
    pub(super) fn variables<V: Values>(&self, values: &V) -> V {
        let variables = names(values, &self.writer);
        if !values.members().is_empty() {
            let [pattern, first] = [&variables, values].map(|values| listed(values, &self.writer));
            self.writer.line(&format!("var {pattern} = {first}"));
        }
        variables
    }

    pub(super) fn assign<V: Values>(&self, variables: &V, values: &V) {
        if variables.members().len() != values.members().len() {
            self.writer.mistake("as many values as the loop carries", "another number of values");
        }
        if !variables.members().is_empty() {
            let [place, value] = [variables, values].map(|values| listed(values, &self.writer));
            self.writer.line(&format!("{place} = {value}"));
        }
    }

    /// The same values once more.
    pub(super) fn same<V: Values>(&self, values: &V) -> V {
        let mut members = values.members().into_iter();
        values.with_members(&mut || members.next().unwrap_or_else(|| self.value("_")))
    }
}
