//! The table of finds: a file, standard output, or the file of a hunt's folder, which has a known length at each
//! state.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use limbforge_hunts::HuntError;
use rayon::prelude::*;

/// Rows whose text a thread makes at a time.
const ROWS: usize = 1 << 12;

/// How the finds are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// A line each, columns separated by blanks.
    #[default]
    Lines,
    /// A line with names, then comma-separated values.
    Csv,
    /// The same with tabs.
    Tsv,
}

impl Format {
    const fn separator(self) -> &'static str {
        match self {
            Self::Lines => " ",
            Self::Csv => ",",
            Self::Tsv => "\t",
        }
    }
}

/// An open table.
#[derive(Debug)]
pub(crate) struct Table {
    file: Option<(File, PathBuf)>,
    format: Format,
    bytes: u64,
}

impl Table {
    /// A table on standard output.
    pub(crate) const fn standard(format: Format) -> Self {
        Self { file: None, format, bytes: 0 }
    }

    /// A table in a file, of which the first `bytes` bytes stay.
    pub(crate) fn in_file(path: &Path, bytes: u64, format: Format) -> Result<Self, HuntError> {
        let open = || {
            let file = OpenOptions::new().append(true).create(true).open(path)?;
            let length = file.metadata()?.len();
            file.set_len(bytes.min(length))?;
            Ok((file, length))
        };
        let (file, length) = open().map_err(HuntError::file(path))?;
        if length < bytes {
            let why = format!("expected at least {bytes} bytes as in the state, found {length}");
            return Err(HuntError::State { path: path.to_owned(), why });
        }
        Ok(Self { file: Some((file, path.to_owned())), format, bytes })
    }

    /// Writes the names of columns at the beginning.
    pub(crate) fn head(&mut self, columns: &[&str]) -> Result<(), HuntError> {
        if self.bytes > 0 || self.format == Format::Lines {
            return Ok(());
        }
        self.append(&[columns.iter().map(|&name| name.to_owned()).collect()])
    }

    /// Writes rows. Those of a file are on the disk when this returns.
    pub(crate) fn append(&mut self, rows: &[Vec<String>]) -> Result<(), HuntError> {
        let separator = self.format.separator();
        let lines = |rows: &[Vec<String>]| {
            let mut text = String::new();
            for row in rows {
                text += &row.join(separator);
                text.push('\n');
            }
            text
        };
        let text = rows.par_chunks(ROWS).map(lines).collect::<Vec<String>>().concat();
        self.bytes += text.len() as u64;
        match &mut self.file {
            _ if text.is_empty() => Ok(()),
            Some((file, path)) => {
                let written = file.write_all(text.as_bytes()).and_then(|()| file.sync_data());
                written.map_err(HuntError::file(path))
            }
            None => {
                let mut out = io::stdout().lock();
                out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(HuntError::Output)
            }
        }
    }

    /// The bytes that were written.
    pub(crate) const fn bytes(&self) -> u64 {
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn what_is_behind_the_state_is_cut() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("t.csv");
        let row = |text: &str| vec![vec![text.to_owned(), "x".to_owned()]];
        let mut table = Table::in_file(&path, 0, Format::Csv).unwrap();
        table.head(&["n", "m"]).unwrap();
        table.append(&row("3")).unwrap();
        let bytes = table.bytes();
        table.append(&row("5")).unwrap();
        let mut table = Table::in_file(&path, bytes, Format::Csv).unwrap();
        table.head(&["n", "m"]).unwrap();
        table.append(&row("7")).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "n,m\n3,x\n7,x\n");
        assert!(matches!(Table::in_file(&path, 1000, Format::Csv), Err(HuntError::State { .. })));
    }
}
