//! Compressed files: gzip and zstd.

mod decode;
mod encode;

use std::fmt;
use std::path::Path;

pub(crate) use self::decode::decoder;
pub(crate) use self::encode::Encoder;

/// How a file is compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Compression {
    Gzip,
    Zstd,
}

impl Compression {
    /// By the end of a file's name, `.gz` or `.zst`.
    pub(crate) fn of_name(path: &Path) -> Option<Self> {
        let extension = path.extension()?;
        [(Self::Gzip, "gz"), (Self::Zstd, "zst")]
            .into_iter()
            .find_map(|(compression, name)| extension.eq_ignore_ascii_case(name).then_some(compression))
    }

    /// By the first bytes of a file, with which no text of numbers begins.
    pub(crate) const fn of_head(head: &[u8]) -> Option<Self> {
        match head {
            [0x1f, 0x8b, ..] => Some(Self::Gzip),
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Some(Self::Zstd),
            // A frame that decoders skip may come first.
            [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Some(Self::Zstd),
            _ => None,
        }
    }
}

impl fmt::Display for Compression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Gzip => "gzip",
            Self::Zstd => "zstd",
        })
    }
}
