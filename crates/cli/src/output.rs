//! The destination of results: they appear complete or not at all.

mod file;
#[cfg(unix)]
mod unix;

use std::fs::{self, File};
use std::io::{self, ErrorKind, Seek, Write};
use std::path::{Path, PathBuf};

use tempfile::SpooledTempFile;

use self::file::{Unfinished, explained};
use crate::compress::{Compression, Encoder};
use crate::error::CliError;
use crate::links::follow_links;

/// Results that wait in memory for a stream; more wait in a temporary file.
const SPOOL_BYTES: usize = 16 << 20;

/// The destination of all results. They are compressed if the name ends in `.gz` or `.zst`.
pub struct Output {
    /// Its name in errors.
    path: PathBuf,
    place: Place,
    encoder: Option<Encoder>,
}

/// Writes all results.
pub fn write(path: Option<&Path>, results: impl AsRef<[u8]>) -> Result<(), CliError> {
    let mut output = Output::create(path)?;
    output.write(results.as_ref())?;
    output.finish()
}

/// A file, or standard output, a device or a pipe, whose results wait until they are complete.
enum Place {
    File(Unfinished),
    Stream { path: Option<PathBuf>, spool: SpooledTempFile },
}

impl Output {
    /// Opens `path`, or standard output for none and for `-`. Nothing is visible until
    /// [`finish`](Self::finish).
    pub fn create(path: Option<&Path>) -> Result<Self, CliError> {
        #[cfg(unix)]
        unix::make_large_files_an_error();
        let Some(path) = path.filter(|path| path.as_os_str() != "-") else {
            let path = PathBuf::from("standard output");
            #[cfg(unix)]
            unix::check_stdout().map_err(CliError::file(&path, "write"))?;
            return Ok(Self { path, place: Place::stream(None), encoder: None });
        };
        let encoder = Compression::of_name(path).map(Encoder::start).transpose();
        let encoder = encoder.map_err(CliError::file(path, "compress"))?;
        let failed = CliError::file(path, "create");
        let target = follow_links(path).map_err(&failed)?;
        let is_stream = fs::metadata(&target).is_ok_and(|metadata| !metadata.is_file());
        let place = if is_stream {
            Place::stream(Some(target))
        } else {
            Place::File(Unfinished::create(&target).map_err(failed)?)
        };
        Ok(Self { path: path.to_owned(), place, encoder })
    }

    /// Lets `print` write text to standard output, as a help that has the colours of a terminal.
    pub fn print(print: impl FnOnce() -> io::Result<()>) -> Result<(), CliError> {
        let output = Self::create(None)?;
        unless_reader_left(print()).map_err(CliError::file(&output.path, "write"))
    }

    pub fn write(&mut self, bytes: &[u8]) -> Result<(), CliError> {
        let place = &mut self.place;
        let written = match &mut self.encoder {
            Some(encoder) => encoder.push(bytes, |packed| place.write(packed)),
            None => place.write(bytes),
        };
        written.map_err(CliError::file(&self.path, "write"))
    }

    /// Makes the results visible.
    pub fn finish(self) -> Result<(), CliError> {
        let Self { path, mut place, encoder } = self;
        let packed = encoder.map_or(Ok(()), |encoder| encoder.finish(|packed| place.write(packed)));
        packed.and_then(|()| place.finish()).map_err(CliError::file(&path, "write"))
    }
}

impl Place {
    fn stream(path: Option<PathBuf>) -> Self {
        Self::Stream { path, spool: SpooledTempFile::new(SPOOL_BYTES) }
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        match self {
            Self::File(file) => file.write_all(bytes),
            Self::Stream { spool, .. } => spool.write_all(bytes).map_err(|error| {
                let folder = std::env::temp_dir();
                let why = format!("results wait in the folder {}, which TMPDIR names", folder.display());
                explained(&error, &why)
            }),
        }
    }

    fn finish(self) -> io::Result<()> {
        match self {
            Self::File(file) => file.finish(),
            Self::Stream { path: None, spool } => copy(spool, io::stdout().lock()),
            Self::Stream { path: Some(path), spool } => {
                File::options().write(true).open(path).and_then(|stream| copy(spool, stream))
            }
        }
    }
}

/// Copies the complete results to a stream.
fn copy(mut spool: SpooledTempFile, mut stream: impl Write) -> io::Result<()> {
    spool.rewind()?;
    unless_reader_left(io::copy(&mut spool, &mut stream).and_then(|_| stream.flush()))
}

/// A reader that leaves early is not an error.
fn unless_reader_left(written: io::Result<()>) -> io::Result<()> {
    match written {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}
