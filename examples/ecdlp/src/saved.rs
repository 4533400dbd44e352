//! Where walks are, as files beside the store.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use limbforge::limb::IntType;
use limbforge::prelude::{Batch, Layout};

use crate::error::EcdlpError;
use crate::walks::Points;

/// Limbs that are written at a time.
const PIECE: usize = 1 << 17;

/// Writes the points to a new file beside the store, and syncs it to the disk: its name and its hash.
///
/// # Errors
/// [`EcdlpError::File`] if it cannot be written; the files of before are kept.
pub fn write(store: &Path, name: &str, points: &Points) -> Result<(String, String), EcdlpError> {
    let path = beside(store, name);
    let fail = EcdlpError::file(&path);
    let mut hash = blake3::Hasher::new();
    let mut written = || -> io::Result<()> {
        let mut file = File::create(&path)?;
        let mut bytes = vec![];
        for limbs in [&points.x, &points.y].into_iter().flat_map(|batch| batch.limbs().chunks(PIECE)) {
            bytes.resize(8 * limbs.len(), 0);
            bytes.chunks_exact_mut(8).zip(limbs).for_each(|(bytes, limb)| {
                bytes.copy_from_slice(&limb.to_le_bytes());
            });
            hash.update(&bytes);
            file.write_all(&bytes)?;
        }
        file.sync_all()?;
        File::open(folder(&path))?.sync_all()
    };
    written().map_err(|error| {
        // A part of a file is of no use, and takes room.
        let _ = fs::remove_file(&path);
        fail(error)
    })?;
    Ok((name.to_owned(), hash.finalize().to_hex().to_string()))
}

/// Reads the points of so many walks.
///
/// # Errors
/// [`EcdlpError::File`] if there is no such file, [`EcdlpError::Damaged`] if it is not the one that was written.
pub fn read(
    store: &Path,
    (name, hash): &(String, String),
    ty: IntType,
    walks: usize,
) -> Result<Points, EcdlpError> {
    let path = beside(store, name);
    let bytes = fs::read(&path).map_err(EcdlpError::file(&path))?;
    let damaged = |why: &str| EcdlpError::Damaged { path: path.clone(), why: why.to_owned() };
    let limbs = ty.limbs::<u64>() * walks;
    if blake3::hash(&bytes).to_hex().as_str() != hash || bytes.len() != 16 * limbs {
        return Err(damaged("not the points that were written there"));
    }
    let mut words = bytes
        .chunks_exact(8)
        .map(|bytes| bytes.iter().rev().fold(0, |sum, &byte| sum << 8 | u64::from(byte)));
    let mut batch = || Batch::from_limbs(ty, Layout::InstanceMajor, words.by_ref().take(limbs).collect());
    Ok(Points { x: batch()?, y: batch()? })
}

/// Removes a file that is not needed any more. That it stays is no error.
pub fn remove(store: &Path, name: &str) {
    let _ = fs::remove_file(beside(store, name));
}

/// Removes the files of a worker but one: those that a crash has left. That some stay is no error.
pub fn sweep(store: &Path, worker: u32, kept: Option<&str>) {
    let first = first_of(store, worker);
    let is_left = |name: &str| name.starts_with(&first) && name.ends_with(".points") && kept != Some(name);
    remove_all(store, is_left);
}

/// Removes the files beside a store whose names a function selects. That some stay is no error.
pub(crate) fn remove_all(store: &Path, is_left: impl Fn(&str) -> bool) {
    let Ok(files) = fs::read_dir(folder(store)) else { return };
    for name in files.flatten().map(|file| file.file_name().to_string_lossy().into_owned()) {
        if is_left(&name) {
            remove(store, &name);
        }
    }
}

/// The file of a worker's points after so many segments.
#[must_use]
pub fn name(store: &Path, worker: u32, epoch: u32, segments: u32) -> String {
    format!("{}{epoch}-{segments}.points", first_of(store, worker))
}

/// How the names of a worker's files begin.
fn first_of(store: &Path, worker: u32) -> String {
    format!("{}.worker-{worker}.", file_name(store))
}

/// The name of a store's file.
pub(crate) fn file_name(store: &Path) -> String {
    store.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

/// The folder of a file.
pub(crate) fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn beside(store: &Path, name: &str) -> PathBuf {
    store.with_file_name(name)
}
