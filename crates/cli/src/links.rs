//! Symbolic links.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::{fs, iter};

/// Linux follows as many.
const MOST_LINKS: usize = 40;

/// The path, the target of the link that it is, and so on.
pub(crate) fn links(path: &Path) -> impl Iterator<Item = PathBuf> {
    let target = |path: &PathBuf| Some(folder(path).join(fs::read_link(path).ok()?));
    iter::successors(Some(path.to_owned()), target).take(1 + MOST_LINKS)
}

/// Follows symbolic links, also where the last one leads to a file that is yet to be created. Links in a
/// circle are an error, as are folders that cannot be searched.
pub(crate) fn follow_links(path: &Path) -> io::Result<PathBuf> {
    let mut last = path.to_owned();
    for path in links(path) {
        match fs::canonicalize(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            found => return found,
        }
        // A pipe behind /dev/stdout is there, and has no name.
        if fs::exists(&path)? {
            return Ok(path);
        }
        last = path;
    }
    Ok(last)
}

/// The folder of a file.
pub(crate) fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}
