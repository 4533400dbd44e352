//! Standard output, a device or a pipe, whose reader has results as soon as they are known.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

/// Bytes that wait for others; more are written at once.
const BUFFER_BYTES: usize = 64 << 10;

/// A stream. One with a path is opened when there is something to write: a pipe waits for its reader.
pub(super) struct Stream {
    path: Option<PathBuf>,
    sink: Option<BufWriter<Box<dyn Write + Send>>>,
}

impl Stream {
    /// The stream of this name, or standard output.
    pub(super) const fn new(path: Option<PathBuf>) -> Self {
        Self { path, sink: None }
    }

    pub(super) fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        let sink = match &mut self.sink {
            Some(sink) => sink,
            None => {
                let sink = BufWriter::with_capacity(BUFFER_BYTES, self.open()?);
                self.sink.insert(sink)
            }
        };
        sink.write_all(bytes)
    }

    pub(super) fn flush(&mut self) -> io::Result<()> {
        self.sink.as_mut().map_or(Ok(()), Write::flush)
    }

    fn open(&self) -> io::Result<Box<dyn Write + Send>> {
        match &self.path {
            Some(path) => Ok(Box::new(File::options().write(true).open(path)?)),
            None => Ok(stdout()?),
        }
    }
}

/// Standard output without the buffer for lines, which would look for their ends in all results.
#[cfg(unix)]
fn stdout() -> io::Result<Box<File>> {
    use std::os::fd::AsFd;
    Ok(Box::new(io::stdout().as_fd().try_clone_to_owned()?.into()))
}

#[cfg(not(unix))]
fn stdout() -> io::Result<Box<io::Stdout>> {
    Ok(Box::new(io::stdout()))
}
