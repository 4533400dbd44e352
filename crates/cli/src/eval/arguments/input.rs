//! A variable of the expression, with its file.

use std::path::{Path, PathBuf};

use limbforge::algos::expr::operation;

use crate::eval::columns::{Place, split};

/// A variable and its file.
#[derive(Clone, Debug)]
pub(crate) struct InputArgument {
    pub(crate) name: String,
    pub(crate) path: PathBuf,
    /// None for lines or records.
    pub(in crate::eval) place: Option<Place>,
}

impl InputArgument {
    /// The column of the variable: the one that is named, else that of its own name.
    #[cfg(feature = "columns")]
    pub(in crate::eval) fn column<'a>(&'a self, place: &'a Place) -> &'a str {
        place.column.as_deref().unwrap_or(&self.name)
    }

    /// The file, and the column if one is named, as they are written in errors.
    pub(crate) fn shown(&self) -> PathBuf {
        match self.place.as_ref().and_then(|place| place.column.as_ref()) {
            Some(column) => {
                let mut shown = self.path.clone().into_os_string();
                shown.push(format!(":{column}"));
                shown.into()
            }
            None => self.path.clone(),
        }
    }

    /// `NAME=FILE`
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let (name, path) = text.split_once('=').ok_or("expected NAME=FILE, as in a=numbers.txt")?;
        if !is_name(name) {
            return Err(
                "expected a name of letters, digits and _ before the =, as in a=numbers.txt".to_owned()
            );
        }
        if operation(name).is_some() {
            return Err(format!("`{name}` is a function: expected another name"));
        }
        if path.is_empty() {
            return Err("expected a file after the =, as in a=numbers.txt".to_owned());
        }
        let (path, place) = split(Path::new(path));
        if place.as_ref().is_some_and(|place| place.column.as_deref() == Some("")) {
            return Err("expected a column after the :, as in a=numbers.parquet:a".to_owned());
        }
        Ok(Self { name: name.to_owned(), path, place })
    }
}

/// Whether a text is a name of the expression language.
pub(in crate::eval) fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}
