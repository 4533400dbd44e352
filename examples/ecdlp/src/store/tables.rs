//! The tables of the database, and what is read of them.

use std::path::Path;

use limbforge::num_bigint::BigUint;
use redb::{Database, ReadableDatabase, ReadableTable, ReadableTableMetadata, TableDefinition};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{Summary, failed};
use crate::curve::Curve;
use crate::error::{EcdlpError, broken_invariant};
use crate::file;
use crate::row::ORIGIN_BYTES;
use crate::setting::Setting;

pub(super) const META: TableDefinition<'_, &str, &[u8]> = TableDefinition::new("meta");
pub(super) const WORKERS: TableDefinition<'_, u32, &[u8]> = TableDefinition::new("workers");
pub(super) const POINTS: TableDefinition<'_, &[u8], &[u8; ORIGIN_BYTES]> = TableDefinition::new("points");
pub(super) const PAIRS: TableDefinition<'_, &[u8], &[u8; ORIGIN_BYTES]> = TableDefinition::new("pairs");

/// A value as JSON.
pub(super) fn to_json(value: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(value).unwrap_or_else(|_| broken_invariant("a record without JSON"))
}

fn from_json<T: DeserializeOwned>(path: &Path, what: &str, json: &[u8]) -> Result<T, EcdlpError> {
    let damaged = |error: serde_json::Error| damaged(path, format!("{what}: {error}"));
    serde_json::from_slice(json).map_err(damaged)
}

fn damaged(path: &Path, why: String) -> EcdlpError {
    EcdlpError::Damaged { path: path.to_owned(), why }
}

/// The database's error in that of a store.
pub(super) fn inner(error: EcdlpError) -> redb::Error {
    match error {
        EcdlpError::Store { source, .. } => *source,
        other => redb::Error::Io(std::io::Error::other(other)),
    }
}

/// The curve and the setting.
pub(super) fn head(path: &Path, database: &Database) -> Result<(Curve, Setting), EcdlpError> {
    type Head = Option<(Vec<u8>, Vec<u8>)>;
    let read = || -> Result<Head, redb::Error> {
        let meta = database.begin_read()?.open_table(META)?;
        let value = |name| Ok::<_, redb::Error>(meta.get(name)?.map(|value| value.value().to_vec()));
        Ok(value("curve")?.zip(value("setting")?))
    };
    let (curve, setting) = match read() {
        Ok(Some(head)) => head,
        Ok(None) | Err(redb::Error::TableDoesNotExist(_)) => {
            return Err(damaged(path, "expected the store of a curve, found another database".to_owned()));
        }
        Err(error) => return Err(failed(path)(error)),
    };
    let curve = file::from_text(&String::from_utf8_lossy(&curve)).map_err(|why| damaged(path, why))?;
    Ok((curve, from_json(path, "its setting", &setting)?))
}

/// The numbers of a store.
pub(super) fn summary(path: &Path, database: &Database) -> Result<Summary, EcdlpError> {
    type Read = (u64, u64, Vec<(u32, Vec<u8>)>, Option<BigUint>);
    let read = || -> Result<Read, redb::Error> {
        let transaction = database.begin_read()?;
        let mut workers = vec![];
        for worker in transaction.open_table(WORKERS)?.iter()? {
            let (number, done) = worker?;
            workers.push((number.value(), done.value().to_vec()));
        }
        let logarithm = transaction.open_table(META)?.get("logarithm")?;
        let logarithm = logarithm.map(|bytes| BigUint::from_bytes_be(bytes.value()));
        let points = transaction.open_table(POINTS)?.len()?;
        Ok((points, transaction.open_table(PAIRS)?.len()?, workers, logarithm))
    };
    let (points, pairs, workers, logarithm) = read().map_err(|error| failed(path)(error))?;
    let worker = |(number, done): (u32, Vec<u8>)| Ok((number, from_json(path, "a worker", &done)?));
    let workers = workers.into_iter().map(worker).collect::<Result<_, EcdlpError>>()?;
    Ok(Summary { points, pairs, workers, logarithm })
}
