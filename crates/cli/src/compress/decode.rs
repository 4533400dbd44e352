//! Decompression of a stream of members or frames.

use std::error::Error;
use std::io::{self, BufRead, ErrorKind, Read};

use flate2::bufread::MultiGzDecoder;
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

use super::Compression;

/// Bytes of a decoder's window, as many as in the program zstd without `--long=28` or more.
const MAX_WINDOW: u64 = 128 << 20;

/// The content of a compressed stream. Damaged data have errors of their own; those of the stream stay.
pub(crate) fn decoder(
    compression: Compression,
    source: impl BufRead + Send + 'static,
) -> Box<dyn Read + Send> {
    match compression {
        Compression::Gzip => Box::new(Gzip(MultiGzDecoder::new(source))),
        Compression::Zstd => {
            let mut decoder = FrameDecoder::new();
            decoder.set_max_window_size(MAX_WINDOW);
            Box::new(Zstd { source, decoder, in_frame: false })
        }
    }
}

struct Gzip<R>(MultiGzDecoder<R>);

impl<R: BufRead> Read for Gzip<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        self.0.read(out).map_err(|error| match error.kind() {
            ErrorKind::UnexpectedEof => ends_early(Compression::Gzip),
            ErrorKind::InvalidInput | ErrorKind::InvalidData => damaged(Compression::Gzip, &error),
            _ => error,
        })
    }
}

struct Zstd<R> {
    source: R,
    decoder: FrameDecoder,
    in_frame: bool,
}

impl<R: BufRead> Read for Zstd<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if out.is_empty() {
            return Ok(0);
        }
        loop {
            if !self.in_frame {
                if self.source.fill_buf()?.is_empty() {
                    return Ok(0);
                }
                self.in_frame = self.begin_frame()?;
            } else if self.decoder.can_collect() > 0 {
                return self.decoder.read(out);
            } else if self.decoder.is_finished() {
                self.end_frame()?;
            } else {
                let one = BlockDecodingStrategy::UptoBlocks(1);
                self.decoder.decode_blocks(&mut self.source, one).map_err(|error| zstd_error(&error))?;
            }
        }
    }
}

impl<R: BufRead> Zstd<R> {
    /// Reads a frame's header; false after a frame to skip.
    fn begin_frame(&mut self) -> io::Result<bool> {
        match self.decoder.init(&mut self.source) {
            Ok(()) => Ok(true),
            Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                length, ..
            })) => {
                let skipped = io::copy(&mut (&mut self.source).take(length.into()), &mut io::sink())?;
                if skipped < length.into() { Err(ends_early(Compression::Zstd)) } else { Ok(false) }
            }
            Err(error) => Err(zstd_error(&error)),
        }
    }

    fn end_frame(&mut self) -> io::Result<()> {
        let expected = self.decoder.get_checksum_from_data();
        if expected.is_some() && expected != self.decoder.get_calculated_checksum() {
            return Err(damaged(Compression::Zstd, &"the checksum of its content differs"));
        }
        self.in_frame = false;
        Ok(())
    }
}

/// Unwraps errors of the stream from the decoder's own.
fn zstd_error(error: &FrameDecoderError) -> io::Error {
    let mut cause: Option<&(dyn Error + 'static)> = Some(error);
    while let Some(error) = cause {
        match error.downcast_ref::<io::Error>() {
            Some(error) if error.kind() == ErrorKind::UnexpectedEof => return ends_early(Compression::Zstd),
            Some(error) => return io::Error::new(error.kind(), error.to_string()),
            None => cause = error.source(),
        }
    }
    damaged(Compression::Zstd, error)
}

fn ends_early(compression: Compression) -> io::Error {
    let why = format!("its {} data end too early: the file is not complete", compression.name());
    io::Error::new(ErrorKind::UnexpectedEof, why)
}

fn damaged(compression: Compression, why: &dyn std::fmt::Display) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, format!("its {} data are damaged: {why}", compression.name()))
}
