//! The cache's folder: who may write to it, and how entries get into it and out of it.

use std::fs::{self, DirBuilder, File};
use std::io::{self, ErrorKind, Read, Write};
use std::path::Path;

use super::entry::{self, Decoded};
use super::{CacheKey, CacheWarning};
use crate::nvrtc::Image;

/// The content of a folder for a key.
pub(super) enum Stored {
    Image(Image),
    /// Nothing, or an entry that another version of limbforge has written.
    Nothing,
    /// A file that is not an entry of this key.
    Wrong,
}

/// Creates a folder that only its user may use, unless it exists.
///
/// # Errors
/// The file system's error.
pub(crate) fn create(folder: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// Refuses a folder in which others could put machine code for this user to run. A folder that does not exist
/// yet is none.
///
/// # Errors
/// [`CacheWarning::Untrusted`].
pub(super) fn check(folder: &Path) -> Result<(), CacheWarning> {
    match fs::metadata(folder) {
        Ok(metadata) => trust(&metadata)
            .map_err(|why| CacheWarning::Untrusted { folder: folder.to_owned(), why: why.to_owned() }),
        // Reading and writing it say more.
        Err(_) => Ok(()),
    }
}

/// Reads the entry of a key.
pub(super) fn read(folder: &Path, key: &CacheKey) -> Stored {
    let Ok(mut file) = File::open(folder.join(key.file_name())) else { return Stored::Nothing };
    let mut bytes = vec![];
    let is_read = file.metadata().is_ok_and(|metadata| trust(&metadata).is_ok())
        && file.read_to_end(&mut bytes).is_ok();
    if !is_read {
        return Stored::Wrong;
    }
    match entry::decode(key, &bytes) {
        Decoded::Image(image) => Stored::Image(image),
        Decoded::OtherFormat => Stored::Nothing,
        Decoded::Wrong => Stored::Wrong,
    }
}

/// Writes an entry so that others see it complete or not at all.
///
/// # Errors
/// The file system's error.
pub(super) fn write(folder: &Path, key: &CacheKey, image: &Image) -> io::Result<()> {
    create(folder)?;
    // Only the user may read and write it.
    let mut file = tempfile::Builder::new().prefix(".new-").tempfile_in(folder)?;
    file.write_all(&entry::encode(key, image))?;
    match file.persist(folder.join(key.file_name())) {
        // On Windows an entry that another process has open cannot be replaced; it is the same entry.
        Err(error) if cfg!(windows) && error.error.kind() == ErrorKind::PermissionDenied => Ok(()),
        persisted => Ok(persisted.map(drop)?),
    }
}

#[cfg(unix)]
fn trust(metadata: &fs::Metadata) -> Result<(), &'static str> {
    use std::os::unix::fs::MetadataExt;
    trust_of(metadata.uid(), metadata.mode(), rustix::process::geteuid().as_raw())
}

/// On Windows the user's cache folder is in a profile that others cannot write to.
#[cfg(not(unix))]
fn trust(_: &fs::Metadata) -> Result<(), &'static str> {
    Ok(())
}

/// Refuses an owner and a mode that let others than `user` change a file. The administrator can change
/// everything.
#[cfg(unix)]
const fn trust_of(owner: u32, mode: u32, user: u32) -> Result<(), &'static str> {
    const ADMINISTRATOR: u32 = 0;
    if owner != user && owner != ADMINISTRATOR {
        return Err("belongs to another user");
    }
    if mode & 0o022 != 0 {
        return Err("can be written by other users");
    }
    Ok(())
}

#[cfg(all(test, unix))]
mod tests {
    use super::trust_of;

    #[test]
    fn only_the_user_and_the_administrator_may_write() {
        for (owner, mode, user, trusted) in [
            (1000, 0o40700, 1000, true),
            (1000, 0o40755, 1000, true),
            (0, 0o40755, 1000, true),
            (0, 0o40700, 0, true),
            (1001, 0o40700, 1000, false),
            (1000, 0o40700, 0, false),
            (1000, 0o40775, 1000, false),
            (1000, 0o40757, 1000, false),
            (0, 0o41777, 1000, false),
        ] {
            assert_eq!(trust_of(owner, mode, user).is_ok(), trusted, "{owner} {mode:o} {user}");
        }
    }
}
