//! Compressed files, gzip and zstd. Data are compressed on a thread of its own, beside the computation.

mod decode;

use std::io::{self, PipeWriter, Write};
use std::path::Path;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{self, JoinHandle};

use flate2::write::GzEncoder;
use ruzstd::encoding::{CompressionLevel, compress};

pub(crate) use self::decode::decoder;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Compression {
    Gzip,
    Zstd,
}

impl Compression {
    /// The compression of a file whose name ends in `.gz` or `.zst`.
    pub(crate) fn of_name(path: &Path) -> Option<Self> {
        let extension = path.extension()?;
        let mut known = [(Self::Gzip, "gz"), (Self::Zstd, "zst")].into_iter();
        known.find(|(_, name)| extension.eq_ignore_ascii_case(name)).map(|(compression, _)| compression)
    }

    /// The compression of a file with these first bytes, which no text of numbers has.
    pub(crate) const fn of_head(head: &[u8]) -> Option<Self> {
        match head {
            [0x1f, 0x8b, ..] => Some(Self::Gzip),
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Some(Self::Zstd),
            // A frame that decoders skip may come first.
            [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Some(Self::Zstd),
            _ => None,
        }
    }

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Gzip => "gzip",
            Self::Zstd => "zstd",
        }
    }
}

/// Compresses into one member or frame, so that a file that is cut anywhere is known to be incomplete.
pub(crate) struct Encoder {
    plain: PipeWriter,
    packed: Receiver<Vec<u8>>,
    thread: JoinHandle<io::Result<()>>,
}

impl Encoder {
    pub(crate) fn start(compression: Compression) -> io::Result<Self> {
        let (mut source, plain) = io::pipe()?;
        let (drain, packed) = mpsc::channel();
        let work = move || match compression {
            // The fast level: digits do not repeat, and the gain is from their small alphabet.
            Compression::Gzip => {
                let mut encoder = GzEncoder::new(Drain(drain), flate2::Compression::fast());
                io::copy(&mut source, &mut encoder)?;
                encoder.finish().map(drop)
            }
            Compression::Zstd => {
                compress(source, Drain(drain), CompressionLevel::Fastest);
                Ok(())
            }
        };
        let thread = thread::Builder::new().name(compression.name().to_owned()).spawn(work)?;
        Ok(Self { plain, packed, thread })
    }

    /// Takes the next bytes, and writes the compressed ones so far.
    pub(crate) fn push(
        &mut self,
        bytes: &[u8],
        mut write: impl FnMut(&[u8]) -> io::Result<()>,
    ) -> io::Result<()> {
        self.plain.write_all(bytes).map_err(|_| stopped())?;
        self.packed.try_iter().try_for_each(|piece| write(&piece))
    }

    /// Writes the rest.
    pub(crate) fn finish(self, mut write: impl FnMut(&[u8]) -> io::Result<()>) -> io::Result<()> {
        drop(self.plain);
        self.packed.into_iter().try_for_each(|piece| write(&piece))?;
        self.thread.join().map_err(|_| stopped())?
    }
}

fn stopped() -> io::Error {
    io::Error::other("the compression has stopped; please report this")
}

struct Drain(Sender<Vec<u8>>);

impl Write for Drain {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // A receiver that is gone has failed itself, and reports that.
        let _ = self.0.send(bytes.to_vec());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
