//! How a store comes into being: under another name until it is whole.
//!
//! A new database takes several writes, each synced to the disk. A process that is killed between them would leave a file
//! that no later one takes for a database.

use std::io;
use std::path::Path;

use redb::{Database, Error};
use tempfile::NamedTempFile;

use super::failed;
use super::tables::{META, PAIRS, POINTS, WORKERS, to_json};
use crate::curve::Curve;
use crate::error::EcdlpError;
use crate::setting::Setting;
use crate::{file, saved};

/// Between the name of the store and what makes the name of an unfinished one unique.
const UNFINISHED: &str = ".new-";

/// Creates a store, unless another process has done so meanwhile.
pub(super) fn create(path: &Path, curve: &Curve, setting: Setting) -> Result<(), EcdlpError> {
    let prefix = format!("{}{UNFINISHED}", saved::file_name(path));
    let new = unfinished(saved::folder(path), &prefix).map_err(EcdlpError::file(path))?;
    fill(new.path(), curve, setting).map_err(failed(path))?;
    let persisted = new.persist_noclobber(path);
    if let Err(error) = persisted
        && !path.exists()
    {
        return Err(EcdlpError::file(path)(error.error));
    }
    // What processes that were killed have left.
    saved::remove_all(path, |name| name.starts_with(&prefix));
    Ok(())
}

/// An empty file with the permissions of other new files.
fn unfinished(folder: &Path, prefix: &str) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(prefix);
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder)
}

/// Makes an empty file the database of a store without points.
fn fill(path: &Path, curve: &Curve, setting: Setting) -> Result<(), Error> {
    let database = Database::create(path)?;
    let transaction = database.begin_write()?;
    {
        let mut meta = transaction.open_table(META)?;
        meta.insert("curve", file::to_text(curve).as_bytes())?;
        meta.insert("setting", &*to_json(&setting))?;
        transaction.open_table(WORKERS)?;
        transaction.open_table(POINTS)?;
        transaction.open_table(PAIRS)?;
    }
    Ok(transaction.commit()?)
}
