//! Templates are rendered with values.

use minijinja::syntax::SyntaxConfig;
use minijinja::{Environment, UndefinedBehavior, Value};

use crate::spec::SpecError;

/// Name of every kernel's entry point.
pub(crate) const ENTRY: &str = "limbforge_kernel";

/// What renders templates: what they name must be there.
fn environment() -> Result<Environment<'static>, minijinja::Error> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    let syntax =
        SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).keep_trailing_newline(true).build()?;
    environment.set_syntax(syntax);
    Ok(environment)
}

/// A template with these values.
///
/// # Errors
/// [`SpecError::Template`].
pub(crate) fn render_source(template: &str, values: Value) -> Result<String, SpecError> {
    let failed = |error: minijinja::Error| SpecError::Template(format!("{error:#}"));
    environment().map_err(failed)?.render_str(template, values).map_err(failed)
}
