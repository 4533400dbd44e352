//! `ecdlp points`.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

use ecdlp::error::EcdlpError;
use ecdlp::replay::Table;
use ecdlp::row::Row;
use ecdlp::solve::look;
use ecdlp::store::Store;

/// Rows of a transaction.
const ROWS: usize = 1 << 21;

pub(super) fn export(path: &Path) -> Result<(), EcdlpError> {
    let store = Store::read(path)?;
    let mut out = BufWriter::new(io::stdout().lock());
    let name = Path::new("standard output");
    store.each(|row| writeln!(out, "{}", row.to_line()).map_err(EcdlpError::file(name)))?;
    out.flush().map_err(EcdlpError::file(name))
}

pub(super) fn import(path: &Path, files: &[PathBuf]) -> Result<(), EcdlpError> {
    let store = Store::read(path)?;
    let (mut rows, mut all, mut new) = (vec![], 0, 0);
    let bytes = (store.curve.bits() as usize).div_ceil(8);
    for file in files {
        let fail = EcdlpError::file(file);
        let lines: Box<dyn BufRead> = if file.as_os_str() == "-" {
            Box::new(io::stdin().lock())
        } else {
            Box::new(BufReader::new(File::open(file).map_err(&fail)?))
        };
        for (i, line) in lines.lines().enumerate() {
            let line = line.map_err(&fail)?;
            let is_distinguished = |row: &Row| store.setting.is_distinguished(&store.curve, &row.number());
            let row = Row::from_line(&line, bytes).filter(is_distinguished);
            rows.push(row.ok_or_else(|| EcdlpError::Damaged {
                path: file.clone(),
                why: format!("line {}: expected a distinguished point, found `{line}`", i + 1),
            })?);
            all += 1;
            if rows.len() == ROWS {
                new += store.add(&std::mem::take(&mut rows), None)?;
            }
        }
    }
    new += store.add(&rows, None)?;
    eprintln!("{all} points, of which {new} are new");
    match look(&store, &Table::new(&store.curve, &store.setting))? {
        Some(k) => super::print(&format!("Q = k P on {}, verified: k = {k:#x}\n", store.curve.name)),
        None => Ok(()),
    }
}
