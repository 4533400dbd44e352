//! Input files and standard input, compressed or not.

use std::fs::{self, File};
use std::io::{self, BufReader, Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::compress::{Compression, decoder};
use crate::error::CliError;
use crate::links::links;

/// Bytes that are requested from the file system, or from a decoder, at once.
const READ_BYTES: usize = 256 << 10;

/// Added to the error of a line that `--lenient` would skip.
pub const LENIENT_HINT: &str = "; --lenient skips empty lines and # comments";

/// The content of a file.
pub type Content = BufReader<Box<dyn Read + Send>>;

/// The content that is expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Text does not begin as compressed data do.
    Text,
    /// Any bytes may be numbers: only the name marks a file as compressed.
    Binary,
}

/// Bytes of a file that were read so far.
pub type Count = Arc<AtomicU64>;

/// Opens a file, or standard input for `-`. Its name and its first bytes decide whether it is decompressed.
pub fn open(path: &Path, kind: Kind) -> Result<Content, CliError> {
    open_counted(path, kind, Count::default())
}

/// The same, and counts the bytes of the file, compressed or not.
pub fn open_counted(path: &Path, kind: Kind, count: Count) -> Result<Content, CliError> {
    let mut source: Box<dyn Read + Send> = if path.as_os_str() == "-" {
        Box::new(Counted { source: io::stdin(), count })
    } else {
        Box::new(Counted { source: File::open(path).map_err(CliError::file(path, "open"))?, count })
    };
    let failed = CliError::file(path, "read");
    let mut head = Vec::new();
    source.by_ref().take(4).read_to_end(&mut head).map_err(&failed)?;
    let compression = compression(path, kind, &head).map_err(&failed)?;
    let whole = Cursor::new(head).chain(source);
    let content: Box<dyn Read + Send> = match compression {
        Some(compression) => decoder(compression, BufReader::with_capacity(READ_BYTES, whole)),
        None => Box::new(whole),
    };
    Ok(BufReader::with_capacity(READ_BYTES, content))
}

/// Opens a file of binary records that is read as it is and at any position, with its size in bytes. None for
/// standard input, a pipe, a device, and a compressed or empty file, which [`open`] takes.
#[cfg(unix)]
pub fn open_ranges(path: &Path) -> Result<Option<(File, u64)>, CliError> {
    let is_file = fs::metadata(path).is_ok_and(|metadata| metadata.is_file());
    if path.as_os_str() == "-" || !is_file || Compression::of_name(path).is_some() {
        return Ok(None);
    }
    let file = File::open(path).map_err(CliError::file(path, "open"))?;
    let bytes = file.metadata().map_err(CliError::file(path, "read"))?.len();
    // Files of the system's state are empty by their metadata.
    Ok((bytes > 0).then_some((file, bytes)))
}

#[cfg(not(unix))]
pub fn open_ranges(_: &Path) -> Result<Option<(File, u64)>, CliError> {
    Ok(None)
}

struct Counted<R> {
    source: R,
    count: Count,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.source.read(bytes)?;
        self.count.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}

fn compression(path: &Path, kind: Kind, head: &[u8]) -> io::Result<Option<Compression>> {
    let found = Compression::of_head(head);
    match Compression::of_name(path) {
        Some(named) if found.is_none() => {
            let (named, found) = (named.name(), if head.is_empty() { "an empty file" } else { "other data" });
            Err(io::Error::other(format!("expected {named} data, as its name says, found {found}")))
        }
        None if kind == Kind::Binary => Ok(None),
        _ => Ok(found),
    }
}

/// Refuses inputs that read one stream together: standard input under any of its names, or one pipe. `inputs`
/// are arguments as they are written, as in `--in a=-`, with their files.
pub fn refuse_shared<'i>(inputs: impl IntoIterator<Item = (String, &'i Path)>) -> Result<(), String> {
    let mut others: Vec<(String, bool, Option<PipeId>)> = vec![];
    for (argument, path) in inputs {
        let is_stdin = is_stdin(path);
        let pipe = pipe(if is_stdin { Path::new("/dev/stdin") } else { path });
        let mut shared = others.iter().filter(|(_, is_other_stdin, other)| {
            is_stdin && *is_other_stdin || pipe.is_some() && pipe == *other
        });
        if let Some((first, ..)) = shared.next() {
            let name = if is_stdin { "standard input" } else { "one pipe" };
            return Err(format!(
                "`{first}` and `{argument}` both read {name}: expected at most one input from it, and the other in a file"
            ));
        }
        others.push((argument, is_stdin, pipe));
    }
    Ok(())
}

/// Standard input has several names, and links may lead to them.
fn is_stdin(path: &Path) -> bool {
    let own = PathBuf::from(format!("/proc/{}/fd/0", std::process::id()));
    let names =
        [Path::new("-"), Path::new("/dev/stdin"), Path::new("/dev/fd/0"), Path::new("/proc/self/fd/0"), &own];
    links(path).any(|path| names.contains(&path.as_path()))
}

/// Device and number of a pipe or socket.
type PipeId = (u64, u64);

#[cfg(unix)]
fn pipe(path: &Path) -> Option<PipeId> {
    use std::os::unix::fs::{FileTypeExt, MetadataExt};
    let metadata = fs::metadata(path).ok()?;
    let file = metadata.file_type();
    (file.is_fifo() || file.is_socket()).then(|| (metadata.dev(), metadata.ino()))
}

#[cfg(not(unix))]
fn pipe(_: &Path) -> Option<PipeId> {
    None
}
