//! The store of distinguished points: a database in a file.
//!
//! | table | content |
//! | --- | --- |
//! | `meta` | the curve, the setting, and the logarithm once it is known |
//! | `workers` | what each worker has done: JSON |
//! | `points` | the first origin of each x |
//! | `pairs` | the second origin of an x, until the two have been looked into |
//!
//! A change is one transaction: after a crash or with a full disk, all that was committed is there. The file is open
//! during a transaction only, so that several processes share it.

mod tables;

use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant};

use limbforge::num_bigint::BigUint;
use redb::{Database, DatabaseError, ReadableDatabase, ReadableTable, ReadableTableMetadata};
use serde::{Deserialize, Serialize};

use self::tables::{META, PAIRS, POINTS, WORKERS};
use crate::curve::Curve;
use crate::error::EcdlpError;
use crate::file;
use crate::row::{ORIGIN_BYTES, Origin, Row};
use crate::setting::{Setting, Sizes};

/// The time to wait for another process to close the store.
const PATIENCE: Duration = Duration::from_secs(120);

/// What a worker has done.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Done {
    /// Its walks.
    pub sizes: Sizes,
    /// The life of its walks.
    pub epoch: u32,
    /// Segments of this life.
    pub segments: u32,
    /// The file of the points where its walks are, and its hash; none at the start of a life.
    pub points: Option<(String, String)>,
}

/// A store on a disk.
#[derive(Clone, Debug)]
pub struct Store {
    path: PathBuf,
    /// Its curve.
    pub curve: Curve,
    /// Its walks.
    pub setting: Setting,
}

/// An x and two of its origins.
pub type Pair = (Vec<u8>, [Origin; 2]);

/// Numbers of a store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// Distinguished points.
    pub points: u64,
    /// Pairs that wait to be looked into.
    pub pairs: u64,
    /// What each worker has done.
    pub workers: Vec<(u32, Done)>,
    /// The logarithm, once it is known.
    pub logarithm: Option<BigUint>,
}

/// The error of a store for any of the database.
fn failed<E: Into<redb::Error>>(path: &Path) -> impl Fn(E) -> EcdlpError {
    |source| EcdlpError::Store { path: path.to_owned(), source: Box::new(source.into()) }
}

/// The database, once no other process has it.
fn open(path: &Path) -> Result<Database, EcdlpError> {
    let start = Instant::now();
    loop {
        match Database::create(path) {
            Err(DatabaseError::DatabaseAlreadyOpen) if start.elapsed() < PATIENCE => {
                sleep(Duration::from_millis(10));
            }
            other => return other.map_err(failed(path)),
        }
    }
}

impl Store {
    /// Creates a store, unless there is one.
    ///
    /// # Errors
    /// [`EcdlpError::Store`] if the file cannot be written, [`EcdlpError::Damaged`] if it is the store of another
    /// curve.
    pub fn create(path: &Path, curve: &Curve, setting: Setting) -> Result<Self, EcdlpError> {
        let fail = |error: redb::Error| failed(path)(error);
        let database = open(path)?;
        let transaction = database.begin_write().map_err(|error| fail(error.into()))?;
        let is_new = {
            let mut meta = transaction.open_table(META).map_err(|error| fail(error.into()))?;
            let is_new = meta.get("curve").map_err(|error| fail(error.into()))?.is_none();
            if is_new {
                let setting = tables::to_json(&setting);
                meta.insert("curve", file::to_text(curve).as_bytes()).map_err(|error| fail(error.into()))?;
                meta.insert("setting", &*setting).map_err(|error| fail(error.into()))?;
            }
            is_new
        };
        if is_new {
            for error in [
                transaction.open_table(WORKERS).err(),
                transaction.open_table(POINTS).err(),
                transaction.open_table(PAIRS).err(),
            ] {
                error.map_or(Ok(()), |error| Err(fail(error.into())))?;
            }
            transaction.commit().map_err(|error| fail(error.into()))?;
        } else {
            transaction.abort().map_err(|error| fail(error.into()))?;
        }
        drop(database);
        let store = Self::read(path)?;
        if store.curve != *curve {
            let why = format!("expected the store of {}, found that of {}", curve.name, store.curve.name);
            return Err(EcdlpError::Damaged { path: path.to_owned(), why });
        }
        Ok(store)
    }

    /// The store of a file.
    ///
    /// # Errors
    /// [`EcdlpError::File`] if there is none, [`EcdlpError::Store`] and [`EcdlpError::Damaged`] if it is another
    /// file.
    pub fn read(path: &Path) -> Result<Self, EcdlpError> {
        std::fs::metadata(path).map_err(EcdlpError::file(path))?;
        let (curve, setting) = tables::head(path, &open(path)?)?;
        Ok(Self { path: path.to_owned(), curve, setting })
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Adds points, and what a worker has done with them. Of each x the first origin stays; others are pairs to be
    /// looked into. An origin that is there already changes nothing. Returns the number of new x.
    ///
    /// # Errors
    /// [`EcdlpError::Store`] if nothing was added.
    pub fn add(&self, rows: &mut [Row], done: Option<(u32, &Done)>) -> Result<u64, EcdlpError> {
        // In the order of the tree a transaction touches each of its pages once.
        rows.sort_unstable();
        let add = || -> Result<u64, redb::Error> {
            let database = open(&self.path).map_err(tables::inner)?;
            let transaction = database.begin_write()?;
            let mut new = 0;
            {
                let mut points = transaction.open_table(POINTS)?;
                let mut pairs = transaction.open_table(PAIRS)?;
                for row in rows.iter() {
                    let origin = row.origin.to_bytes();
                    let before = points.get(&*row.x)?.map(|known| *known.value());
                    match before {
                        None => {
                            points.insert(&*row.x, &origin)?;
                            new += 1;
                        }
                        Some(known) if known != origin => {
                            pairs.insert(&*row.x, &origin)?;
                        }
                        Some(_) => {}
                    }
                }
                if let Some((worker, done)) = done {
                    transaction.open_table(WORKERS)?.insert(worker, &*tables::to_json(done))?;
                }
            }
            transaction.commit()?;
            Ok(new)
        };
        add().map_err(|error| failed(&self.path)(error))
    }

    /// What a worker has done, if anything.
    ///
    /// # Errors
    /// [`EcdlpError::Store`] or [`EcdlpError::Damaged`] if the file cannot be read.
    pub fn done(&self, worker: u32) -> Result<Option<Done>, EcdlpError> {
        Ok(self.summary()?.workers.into_iter().find(|(number, _)| *number == worker).map(|(_, done)| done))
    }

    /// The numbers of the store.
    ///
    /// # Errors
    /// [`EcdlpError::Store`] or [`EcdlpError::Damaged`] if the file cannot be read.
    pub fn summary(&self) -> Result<Summary, EcdlpError> {
        tables::summary(&self.path, &open(&self.path)?)
    }

    /// The pairs of origins that wait to be looked into.
    ///
    /// # Errors
    /// [`EcdlpError::Store`] if the file cannot be read.
    pub fn pairs(&self) -> Result<Vec<Pair>, EcdlpError> {
        let read = || -> Result<Vec<_>, redb::Error> {
            let database = open(&self.path).map_err(tables::inner)?;
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
            let database = open(&self.path).map_err(tables::inner)?;
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
            let database = open(&self.path).map_err(tables::inner)?;
            let transaction = database.begin_read()?;
            Ok(transaction.open_table(POINTS)?.len()?)
        };
        count().map_err(|error| failed(&self.path)(error))
    }
}
