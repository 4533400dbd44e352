//! The destination of results: a file appears complete or not at all, a stream gets them as they come.

mod file;
pub mod interrupts;
mod reserve;
mod stream;
#[cfg(unix)]
mod unix;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use self::file::Unfinished;
use self::stream::Stream;
use crate::compress::{Compression, Encoder};
use crate::error::CliError;
use crate::links::{folder, follow_links};

/// The destination of all results. They are compressed if the name ends in `.gz` or `.zst`.
pub struct Output {
    /// Its name in errors.
    path: PathBuf,
    place: Place,
    encoder: Option<Encoder>,
}

/// Writes all results. A reader that leaves early is not an error.
pub fn write(path: Option<&Path>, results: impl AsRef<[u8]>) -> Result<(), CliError> {
    let mut output = Output::create(path)?;
    let written = output.write(results.as_ref()).and_then(|()| output.finish());
    unless_reader_left(written)
}

/// One path for all paths and links that lead to a file, which need not be there; `-` is standard output.
pub fn identity(path: &Path) -> PathBuf {
    let path = if path.as_os_str() == "-" { Path::new("/dev/stdout") } else { path };
    let path = follow_links(path).unwrap_or_else(|_| path.to_owned());
    let parts = fs::canonicalize(folder(&path)).ok().zip(path.file_name());
    parts.map_or_else(|| path.clone(), |(folder, name)| folder.join(name))
}

fn unless_reader_left(written: Result<(), CliError>) -> Result<(), CliError> {
    match written {
        Err(CliError::ReaderLeft) => Ok(()),
        written => written,
    }
}

/// A file, or standard output, a device or a pipe.
enum Place {
    File(Unfinished),
    Stream(Stream),
}

impl Output {
    /// Opens `path`, or standard output for none and for `-`. A file is visible after
    /// [`finish`](Self::finish).
    pub fn create(path: Option<&Path>) -> Result<Self, CliError> {
        #[cfg(unix)]
        unix::make_large_files_an_error();
        let Some(path) = path.filter(|path| path.as_os_str() != "-") else {
            let path = PathBuf::from("standard output");
            #[cfg(unix)]
            unix::check_stdout().map_err(CliError::file(&path, "write"))?;
            return Ok(Self { path, place: Place::Stream(Stream::new(None)), encoder: None });
        };
        let encoder = Compression::of_name(path).map(Encoder::start).transpose();
        let encoder = encoder.map_err(CliError::file(path, "compress"))?;
        let failed = CliError::file(path, "create");
        let target = follow_links(path).map_err(&failed)?;
        let is_stream = fs::metadata(&target).is_ok_and(|metadata| !metadata.is_file());
        let place = if is_stream {
            Place::Stream(Stream::new(Some(target)))
        } else {
            Place::File(Unfinished::create(&target).map_err(failed)?)
        };
        Ok(Self { path: path.to_owned(), place, encoder })
    }

    /// Lets `print` write text to standard output, as a help that has the colours of a terminal.
    pub fn print(print: impl FnOnce() -> io::Result<()>) -> Result<(), CliError> {
        let output = Self::create(None)?;
        unless_reader_left(print().map_err(|error| output.failed(error)))
    }

    /// Takes the next bytes.
    ///
    /// # Errors
    /// [`CliError::ReaderLeft`] if nobody reads them any more.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), CliError> {
        let place = &mut self.place;
        let written = match &mut self.encoder {
            Some(encoder) => encoder.push(bytes, |packed| place.write(packed)),
            None => place.write(bytes),
        };
        written.map_err(|error| self.failed(error))
    }

    /// Lets the reader of a stream have what was written so far.
    pub fn flush(&mut self) -> Result<(), CliError> {
        let flushed = if let Place::Stream(stream) = &mut self.place { stream.flush() } else { Ok(()) };
        flushed.map_err(|error| self.failed(error))
    }

    /// Asks the file system for the room of about so many bytes, beside all other work. The file gets the
    /// size of what is written.
    pub fn reserve(&mut self, bytes: u64) {
        if let (Place::File(file), None) = (&mut self.place, &self.encoder) {
            file.reserve(bytes);
        }
    }

    /// Writes all that waits; a file gets its name.
    pub fn finish(mut self) -> Result<(), CliError> {
        let place = &mut self.place;
        let packed =
            self.encoder.take().map_or(Ok(()), |encoder| encoder.finish(|packed| place.write(packed)));
        let path = self.path;
        let finished = packed.and_then(|()| self.place.finish());
        finished.map_err(|error| failed(&path, error))
    }

    fn failed(&self, error: io::Error) -> CliError {
        failed(&self.path, error)
    }
}

fn failed(path: &Path, error: io::Error) -> CliError {
    match error.kind() {
        io::ErrorKind::BrokenPipe => CliError::ReaderLeft,
        _ => CliError::file(path, "write")(error),
    }
}

impl Place {
    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        match self {
            Self::File(file) => file.write_all(bytes),
            Self::Stream(stream) => stream.write_all(bytes),
        }
    }

    fn finish(self) -> io::Result<()> {
        match self {
            Self::File(file) => file.finish(),
            Self::Stream(mut stream) => stream.flush(),
        }
    }
}
