//! Files with columns: Apache Parquet, Arrow IPC and CSV.

#[cfg(feature = "arrow")]
mod arrow;
#[cfg(feature = "csv")]
mod csv;
#[cfg(feature = "columns")]
mod guard;
#[cfg(feature = "columns")]
mod kept;
#[cfg(feature = "parquet")]
mod parquet;
#[cfg(feature = "columns")]
mod table;
#[cfg(feature = "columns")]
mod types;
#[cfg(feature = "columns")]
mod values;

use std::path::{Path, PathBuf};

#[cfg(feature = "columns")]
pub(super) use self::{
    kept::Kept,
    table::{Batches, Rows, Table},
    types::{type_of_column, type_of_input},
    values::Values,
};

/// How a file stores its columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// The file of Arrow IPC.
    Arrow,
    /// The stream of Arrow IPC.
    Stream,
    Csv,
    Parquet,
}

/// Ends of names, with the kind of such a file and whether it may be compressed as a whole.
const ENDS: [(&str, Kind, bool); 6] = [
    ("parquet", Kind::Parquet, false),
    ("arrow", Kind::Arrow, false),
    ("feather", Kind::Arrow, false),
    ("ipc", Kind::Arrow, false),
    ("arrows", Kind::Stream, true),
    ("csv", Kind::Csv, true),
];

/// The names that files with columns have, for errors.
pub(super) const NAMES: &str = ".parquet, .arrow, .feather, .ipc, .arrows or .csv";

impl Kind {
    /// The kind of a file by its name; none if the name says nothing of columns.
    fn of_name(name: &str) -> Option<Self> {
        let end = |name: &str| Some(name.rsplit_once('.')?.1.to_ascii_lowercase());
        let packed = name.get(..name.len().saturating_sub(end(name)?.len() + 1)).unwrap_or_default();
        let is_packed = matches!(end(name)?.as_str(), "gz" | "zst");
        let plain = if is_packed { end(packed)? } else { end(name)? };
        let found = ENDS.iter().find(|(known, ..)| *known == plain)?;
        (!is_packed || found.2).then_some(found.1)
    }

    /// The feature without which the program has no such files, and whether it has it.
    const fn feature(self) -> (&'static str, bool) {
        match self {
            Self::Arrow | Self::Stream => ("arrow", cfg!(feature = "arrow")),
            Self::Csv => ("csv", cfg!(feature = "csv")),
            Self::Parquet => ("parquet", cfg!(feature = "parquet")),
        }
    }

    /// Why the program has no such files, if it has none.
    pub(super) fn missing(self) -> Option<String> {
        let (feature, is_there) = self.feature();
        let why = || {
            format!(
                "this program was built without the cargo feature `{feature}`: install it with \
                 `cargo install limbforge-cli --features {feature}`"
            )
        };
        (!is_there).then(why)
    }
}

/// The columns of a file, of which one may be named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) kind: Kind,
    pub(super) column: Option<String>,
}

/// Splits `FILE` or `FILE:COLUMN`, where the name of the file says that it has columns. Other names are whole.
pub(super) fn split(text: &Path) -> (PathBuf, Option<Place>) {
    let Some(name) = text.to_str() else { return (text.to_owned(), None) };
    for (at, _) in name.match_indices(':') {
        if let Some(kind) = Kind::of_name(&name[..at]) {
            let column = Some(name[at + 1..].to_owned());
            return (name[..at].into(), Some(Place { kind, column }));
        }
    }
    let place = Kind::of_name(name).map(|kind| Place { kind, column: None });
    (text.to_owned(), place)
}

/// Why a name of a file without columns looks as if it named a column, and is not that of a file: the part
/// before its last `:` names a file, or for an output might.
fn no_columns(path: &Path, is_output: bool) -> Option<String> {
    let (file, column) = path.to_str()?.rsplit_once(':')?;
    let is_file = |path: &str| path == "-" || Path::new(path).exists();
    let has_end = Path::new(file).extension().is_some() && !column.contains(['.', '/']);
    let is_meant = is_file(file) || is_output && has_end;
    let why = || {
        let file = if file == "-" { "standard input" } else { file };
        format!("{file} has no column `{column}`: expected a file whose name ends in {NAMES}")
    };
    (is_meant && !column.is_empty() && !path.exists()).then(why)
}

/// Why the program cannot read or write a file, by its name.
pub(super) fn refused(path: &Path, place: Option<&Place>, is_bin: bool, is_output: bool) -> Option<String> {
    match place {
        None => no_columns(path, is_output),
        Some(Place { kind, .. }) if kind.missing().is_some() => kind.missing(),
        Some(Place { kind: Kind::Csv, .. }) if is_bin => {
            Some("CSV has no binary records: expected --format hex or dec".to_owned())
        }
        Some(Place { column: Some(column), .. }) if column.is_empty() => {
            Some("expected a column after the :".to_owned())
        }
        Some(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_which_files_have_columns() {
        let found = |text: &str| {
            let (path, place) = split(Path::new(text));
            let place = place.map(|Place { kind, column }| (kind, column.unwrap_or_default()));
            (path.to_str().unwrap().to_owned(), place)
        };
        let of = |path: &str, kind, column: &str| (path.to_owned(), Some((kind, column.to_owned())));
        assert_eq!(found("keys.parquet:p"), of("keys.parquet", Kind::Parquet, "p"));
        assert_eq!(found("a:b/keys.CSV.gz:p:q"), of("a:b/keys.CSV.gz", Kind::Csv, "p:q"));
        assert_eq!(found("r.arrows.zst"), of("r.arrows.zst", Kind::Stream, ""));
        assert_eq!(found("r.feather:a.b"), of("r.feather", Kind::Arrow, "a.b"));
        for text in ["a.txt:p", "keys.parquet.gz", "csv", "a.gz", "a.txt", "-", ".", ""] {
            assert_eq!(found(text), (text.to_owned(), None));
        }
    }
}
