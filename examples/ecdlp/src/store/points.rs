//! What is read of a store's points and pairs, and how pairs are settled.

use limbforge::num_bigint::BigUint;
use redb::{ReadableDatabase, ReadableTable, ReadableTableMetadata};

use super::tables::{META, PAIRS, POINTS, inner};
use super::{Pair, Store, failed, open};
use crate::error::EcdlpError;
use crate::row::{ORIGIN_BYTES, Origin, Row};

impl Store {
    /// The pairs of origins that wait to be looked into.
    ///
    /// # Errors
    /// [`EcdlpError::Store`] if the file cannot be read.
    pub fn pairs(&self) -> Result<Vec<Pair>, EcdlpError> {
        let read = || -> Result<Vec<_>, redb::Error> {
            let database = open(&self.path).map_err(inner)?;
            let transaction = database.begin_read()?;
            let points = transaction.open_table(POINTS)?;
            let mut found = vec![];
            for pair in transaction.open_table(PAIRS)?.iter()? {
                let (x, second) = pair?;
                let first: Option<[u8; ORIGIN_BYTES]> = points.get(x.value())?.map(|first| *first.value());
                if let Some(first) = first {
                    let origins = [Origin::from_bytes(first), Origin::from_bytes(*second.value())];
                    found.push((x.value().to_vec(), origins));
                }
            }
            Ok(found)
        };
        read().map_err(|error| failed(&self.path)(error))
    }

    /// Notes what pairs have given: the logarithm, or nothing.
    ///
    /// # Errors
    /// [`EcdlpError::Store`] if the file cannot be written.
    pub fn settle(&self, pairs: &[Vec<u8>], logarithm: Option<&BigUint>) -> Result<(), EcdlpError> {
        let write = || -> Result<(), redb::Error> {
            let database = open(&self.path).map_err(inner)?;
            let transaction = database.begin_write()?;
            for x in pairs {
                transaction.open_table(PAIRS)?.remove(&**x)?;
            }
            if let Some(k) = logarithm {
                transaction.open_table(META)?.insert("logarithm", &*k.to_bytes_be())?;
            }
            transaction.commit()?;
            Ok(())
        };
        write().map_err(|error| failed(&self.path)(error))
    }

    /// Calls a function with each row, in the order of x.
    ///
    /// # Errors
    /// [`EcdlpError::Store`] if the file cannot be read, and the errors of the function.
    pub fn each(&self, mut visit: impl FnMut(&Row) -> Result<(), EcdlpError>) -> Result<(), EcdlpError> {
        let fail = |error: redb::Error| failed(&self.path)(error);
        let database = open(&self.path)?;
        let transaction = database.begin_read().map_err(|error| fail(error.into()))?;
        let points = transaction.open_table(POINTS).map_err(|error| fail(error.into()))?;
        for row in points.iter().map_err(|error| fail(error.into()))? {
            let (x, origin) = row.map_err(|error| fail(error.into()))?;
            visit(&Row { x: x.value().to_vec(), origin: Origin::from_bytes(*origin.value()) })?;
        }
        Ok(())
    }

    /// The number of points.
    ///
    /// # Errors
    /// [`EcdlpError::Store`] if the file cannot be read.
    pub fn count(&self) -> Result<u64, EcdlpError> {
        let count = || -> Result<u64, redb::Error> {
            let database = open(&self.path).map_err(inner)?;
            let transaction = database.begin_read()?;
            Ok(transaction.open_table(POINTS)?.len()?)
        };
        count().map_err(|error| failed(&self.path)(error))
    }
}
