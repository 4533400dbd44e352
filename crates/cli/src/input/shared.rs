//! Two inputs that would take each a part of one stream.

use std::fs::{self, FileType};
use std::path::{Path, PathBuf};

/// Links that may lead from a name to standard input.
const MOST_LINKS: usize = 40;

/// Refuses inputs that read one stream together: standard input under any of its names, or one pipe. `inputs`
/// are arguments as they are written, as in `--in a=-`, with their files.
///
/// # Errors
/// The reason, which names both.
pub fn refuse_shared<'i>(inputs: impl IntoIterator<Item = (String, &'i Path)>) -> Result<(), String> {
    let mut streams: Vec<(String, Stream)> = vec![];
    for (argument, path) in inputs {
        let Some(stream) = Stream::of(path) else { continue };
        if let Some((first, _)) = streams.iter().find(|(_, other)| stream.is(other)) {
            let name = if stream.is_stdin { "standard input" } else { "one pipe" };
            return Err(format!(
                "`{first}` and `{argument}` both read {name}: expected at most one input from it, and the other in a file"
            ));
        }
        streams.push((argument, stream));
    }
    Ok(())
}

/// What can be read once.
struct Stream {
    is_stdin: bool,
    /// Device and number of a pipe or socket.
    pipe: Option<(u64, u64)>,
}

impl Stream {
    fn of(path: &Path) -> Option<Self> {
        let is_stdin = is_stdin(path);
        let pipe = if is_stdin { pipe(Path::new("/dev/stdin")) } else { pipe(path) };
        (is_stdin || pipe.is_some()).then_some(Self { is_stdin, pipe })
    }

    fn is(&self, other: &Self) -> bool {
        self.is_stdin && other.is_stdin || self.pipe.is_some() && self.pipe == other.pipe
    }
}

/// Whether the path, or a link that it is, is one of the names of standard input.
fn is_stdin(path: &Path) -> bool {
    let own = PathBuf::from(format!("/proc/{}/fd/0", std::process::id()));
    let names =
        [Path::new("-"), Path::new("/dev/stdin"), Path::new("/dev/fd/0"), Path::new("/proc/self/fd/0"), &own];
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        if names.contains(&path.as_path()) {
            return true;
        }
        let Ok(target) = fs::read_link(&path) else { return false };
        path = path.parent().unwrap_or(Path::new("")).join(target);
    }
    false
}

#[cfg(unix)]
fn pipe(path: &Path) -> Option<(u64, u64)> {
    use std::os::unix::fs::{FileTypeExt, MetadataExt};
    let metadata = fs::metadata(path).ok()?;
    let is_pipe = |file: FileType| file.is_fifo() || file.is_socket();
    is_pipe(metadata.file_type()).then(|| (metadata.dev(), metadata.ino()))
}

#[cfg(not(unix))]
fn pipe(_: &Path) -> Option<(u64, u64)> {
    None
}
