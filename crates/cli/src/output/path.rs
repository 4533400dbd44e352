//! The file that a name leads to.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// Links that lead to each other; Linux follows as many.
const MOST_LINKS: usize = 40;

/// The file that `path` names, through symbolic links, also where the last one leads to a file that is yet to
/// be created.
///
/// # Errors
/// Links in a circle, and folders that cannot be searched.
pub(super) fn follow_links(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        match fs::canonicalize(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            found => return found,
        }
        // A pipe behind /dev/stdout is there, and has no name.
        if fs::exists(&path)? {
            return Ok(path);
        }
        // Nothing is there, or a link that leads to nothing yet.
        let Ok(target) = fs::read_link(&path) else { return Ok(path) };
        path = folder(&path).join(target);
    }
    Err(io::Error::other("more than 40 symbolic links follow each other"))
}

/// The folder of a file.
pub(super) fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}
