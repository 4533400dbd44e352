//! The functions that a straight kernel takes from templates.

use minijinja::context;

use super::render::Plan;
use crate::spec::SpecError;
use crate::template::{Template, Templates, render_source};

const INVERSE: &str = include_str!("../../../templates/inverse_thread.cuh");

impl Plan {
    /// Their texts, none before those that it needs.
    pub(super) fn texts(&self) -> Result<Vec<String>, SpecError> {
        let mut templates =
            Templates::of([Template::ProgramWords, Template::ThreadNumbers, Template::ResidueThread]);
        templates.extend(self.templates);
        let mut texts: Vec<String> = templates.texts().into_iter().map(str::to_owned).collect();
        if let Some(special) = &self.special {
            texts.push(special.text()?);
        }
        if self.steps {
            texts.push(Template::DivstepsTable.text().to_owned());
            texts.push(render_source(INVERSE, context! { bits => 32 * self.words })?);
            texts.extend([Template::InverseThreadOdd, Template::GcdThread].map(|t| t.text().to_owned()));
            if templates.has(Template::DivideThread) {
                texts.push(Template::LcmThread.text().to_owned());
            }
        }
        Ok(texts)
    }
}
