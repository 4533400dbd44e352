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

mod create;
mod order;
mod points;
mod tables;

use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant};

use limbforge::num_bigint::BigUint;
use redb::{Database, DatabaseError, ReadableTable};
use serde::{Deserialize, Serialize};

use self::tables::{PAIRS, POINTS, WORKERS};
use crate::curve::Curve;
use crate::error::EcdlpError;
use crate::row::{Origin, Row};
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

/// The database of a file, once no other process has it.
fn open(path: &Path) -> Result<Database, EcdlpError> {
    let start = Instant::now();
    loop {
        match Database::open(path) {
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
        if !path.exists() {
            create::create(path, curve, setting)?;
        }
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
    /// looked into. An origin that is there already changes nothing, and neither does a walk that comes back soon: it
    /// is in a short cycle. Returns the number of new x.
    ///
    /// # Errors
    /// [`EcdlpError::Store`] if nothing was added.
    pub fn add(&self, rows: &[Row], done: Option<(u32, &Done)>) -> Result<u64, EcdlpError> {
        // In the order of the tree a transaction touches each of its pages once.
        let order = order::indices(rows);
        let cycle = self.setting.cycle();
        let add = || -> Result<u64, redb::Error> {
            let database = open(&self.path).map_err(tables::inner)?;
            let transaction = database.begin_write()?;
            let mut new = 0;
            {
                let mut points = transaction.open_table(POINTS)?;
                let mut pairs = transaction.open_table(PAIRS)?;
                for row in order.iter().map(|&at| &rows[at]) {
                    let origin = row.origin.to_bytes();
                    let before = points.get(&*row.x)?.map(|known| *known.value());
                    match before {
                        None => {
                            points.insert(&*row.x, &origin)?;
                            new += 1;
                        }
                        Some(known) if Origin::from_bytes(known).revisits(&row.origin, cycle) => {}
                        Some(_) => {
                            pairs.insert(&*row.x, &origin)?;
                        }
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
}
