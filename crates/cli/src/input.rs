//! Where numbers come from: files and standard input, compressed or not.

mod shared;

use std::fs::File;
use std::io::{self, BufReader, Cursor, Read};
use std::path::Path;

use indicatif::ProgressBar;

pub use self::shared::refuse_shared;
use crate::compress::{Compression, decoder};
use crate::error::CliError;

/// Bytes that are asked of the file system, or of a decoder, at once.
const READ_BYTES: usize = 256 << 10;

/// Added to the error of a line that `--lenient` would skip.
pub const LENIENT_HINT: &str = "; --lenient skips empty lines and # comments";

/// The content of a file.
pub type Content = BufReader<Box<dyn Read + Send>>;

/// What a file holds, as far as its first bytes say something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Text does not begin as compressed data do.
    Text,
    /// Any bytes may be numbers: only a name says that a file is compressed.
    Binary,
}

/// Opens a file, or standard input for `-`, and decompresses it if its name or its first bytes ask for that.
///
/// # Errors
/// [`CliError::File`].
pub fn open(path: &Path, kind: Kind, progress: &ProgressBar) -> Result<Content, CliError> {
    let failed = |action| move |source| CliError::File { path: path.to_owned(), action, source };
    let mut source: Box<dyn Read + Send> = if path.as_os_str() == "-" {
        Box::new(progress.wrap_read(io::stdin()))
    } else {
        Box::new(progress.wrap_read(File::open(path).map_err(failed("open"))?))
    };
    let mut head = Vec::new();
    source.by_ref().take(4).read_to_end(&mut head).map_err(failed("read"))?;
    let compression = compression(path, kind, &head).map_err(failed("read"))?;
    let whole = Cursor::new(head).chain(source);
    let content: Box<dyn Read + Send> = match compression {
        Some(compression) => decoder(compression, BufReader::with_capacity(READ_BYTES, whole)),
        None => Box::new(whole),
    };
    Ok(BufReader::with_capacity(READ_BYTES, content))
}

fn compression(path: &Path, kind: Kind, head: &[u8]) -> io::Result<Option<Compression>> {
    let found = Compression::of_head(head);
    match Compression::of_name(path) {
        Some(named) if found.is_none() => {
            let found = if head.is_empty() { "an empty file" } else { "other data" };
            Err(io::Error::other(format!("expected {named} data, as its name says, found {found}")))
        }
        None if kind == Kind::Binary => Ok(None),
        _ => Ok(found),
    }
}
