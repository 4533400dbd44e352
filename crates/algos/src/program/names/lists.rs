//! Lists: their names, and how many values a row has.

use super::{Checked, Names, short};
use crate::expr::nearest;
use crate::program::text::syntax::{Expression, List, Name, Span};
use crate::program::text::{ProgramError, ProgramErrorKind};

impl<'t> Names<'t> {
    pub(super) fn list(&mut self, list: &'t List) -> Checked {
        self.ty(&list.ty)?;
        self.expression(&list.most)?;
        self.is_new_result(&list.name)?;
        self.lists.insert(&list.name.text, list);
        Ok(())
    }

    /// A result or a list may not have the name of another one.
    pub(super) fn is_new_result(&self, name: &Name) -> Checked {
        let word = &*name.text;
        let (before, what) = match (self.results.get(word), self.lists.get(word)) {
            (Some(before), _) => (*before, "a result"),
            (_, Some(list)) => (list.name.span, "a list"),
            _ => return Ok(()),
        };
        let error = self.error(name.span, ProgramErrorKind::Results, "another name of a result", word);
        Err(error.with_help(format!("line {} has {what} of this name", self.line(before))))
    }

    /// `emit list(values) where condition`, whose place is `span`.
    pub(super) fn emit(
        &mut self,
        name: &'t Name,
        values: &'t [Expression],
        condition: Option<&'t Expression>,
        span: Span,
    ) -> Checked {
        let Some(list) = self.lists.get(&*name.text) else { return Err(self.unknown_list(name)) };
        let (expected, found) = (list.columns().len(), values.len());
        if expected != found {
            let plural = if expected == 1 { "" } else { "s" };
            let expected = format!("{expected} value{plural} of a row of `{}`", short(&name.text));
            let error = ProgramError::new(ProgramErrorKind::Operands, span, expected, found.to_string());
            return Err(error.with_help(format!("list {}: {}", short(&name.text), list.ty)));
        }
        let outside = core::mem::replace(&mut self.in_emit, true);
        self.expressions(values)?;
        condition.map_or(Ok(()), |condition| self.expression(condition))?;
        self.in_emit = outside;
        Ok(())
    }

    #[cold]
    fn unknown_list(&self, name: &Name) -> ProgramError {
        let error = self.error(name.span, ProgramErrorKind::Name, "a list", &name.text);
        let mut known: Vec<&str> = self.lists.keys().copied().collect();
        known.sort_unstable();
        error.with_help(match nearest(&name.text, known.into_iter()) {
            Some(near) => format!("did you mean `{}`?", short(near)),
            None => format!("`list {}: (u64, u64) at most 1000` declares it", short(&name.text)),
        })
    }
}
