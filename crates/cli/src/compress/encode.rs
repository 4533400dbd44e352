//! Compression on a thread of its own, beside the computation.

use std::io::{self, Read, Write};
use std::sync::mpsc::{self, Receiver, Sender, SyncSender};
use std::thread::{self, JoinHandle};

use flate2::write::GzEncoder;
use ruzstd::encoding::{CompressionLevel, FrameCompressor};

use super::Compression;

/// Pieces that may wait for the thread.
const WAITING: usize = 64;

/// Compresses what it is given into one member or frame, so that a file that is cut anywhere is known to be
/// incomplete.
pub(crate) struct Encoder {
    plain: SyncSender<Vec<u8>>,
    packed: Receiver<Vec<u8>>,
    thread: JoinHandle<io::Result<()>>,
}

impl Encoder {
    /// # Errors
    /// Those of starting a thread.
    pub(crate) fn start(compression: Compression) -> io::Result<Self> {
        let (plain, source) = mpsc::sync_channel(WAITING);
        let (drain, packed) = mpsc::channel();
        let (source, drain) = (Source { pieces: source, piece: vec![], at: 0 }, Drain(drain));
        let work = move || match compression {
            Compression::Gzip => gzip(source, drain),
            Compression::Zstd => {
                zstd(source, drain);
                Ok(())
            }
        };
        let thread = thread::Builder::new().name(compression.to_string()).spawn(work)?;
        Ok(Self { plain, packed, thread })
    }

    /// Takes the next bytes, and writes out what is compressed so far.
    pub(crate) fn push(
        &mut self,
        bytes: &[u8],
        mut write: impl FnMut(&[u8]) -> io::Result<()>,
    ) -> io::Result<()> {
        // An empty piece would be the end of a file for a reader.
        if !bytes.is_empty() {
            self.plain.send(bytes.to_vec()).map_err(|_| stopped())?;
        }
        self.packed.try_iter().try_for_each(|piece| write(&piece))
    }

    /// Writes out the rest.
    pub(crate) fn finish(self, mut write: impl FnMut(&[u8]) -> io::Result<()>) -> io::Result<()> {
        let Self { plain, packed, thread } = self;
        drop(plain);
        packed.into_iter().try_for_each(|piece| write(&piece))?;
        thread.join().map_err(|_| stopped())?
    }
}

fn stopped() -> io::Error {
    io::Error::other("the compression has stopped; please report this")
}

/// The fast level: digits have no repetitions to find, and what is to gain are their few different bytes.
fn gzip(mut source: Source, drain: Drain) -> io::Result<()> {
    let mut encoder = GzEncoder::new(drain, flate2::Compression::fast());
    io::copy(&mut source, &mut encoder)?;
    encoder.finish().map(drop)
}

fn zstd(source: Source, drain: Drain) {
    let mut encoder = FrameCompressor::new(CompressionLevel::Fastest);
    encoder.set_source(source);
    encoder.set_drain(drain);
    encoder.compress();
}

/// Reads the pieces that come until the sender is gone.
struct Source {
    pieces: Receiver<Vec<u8>>,
    piece: Vec<u8>,
    at: usize,
}

impl Read for Source {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.at == self.piece.len() {
            let Ok(piece) = self.pieces.recv() else { return Ok(0) };
            (self.piece, self.at) = (piece, 0);
        }
        let rest = &self.piece[self.at..];
        let count = rest.len().min(out.len());
        out[..count].copy_from_slice(&rest[..count]);
        self.at += count;
        Ok(count)
    }
}

struct Drain(Sender<Vec<u8>>);

impl Write for Drain {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // A receiver that is gone has failed itself, and says so.
        let _ = self.0.send(bytes.to_vec());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
