//! Splitting of blocks of bytes into records, without a copy.

use core::ops::Range;

use memchr::{memchr, memrchr};

use super::{NumberFormat, Records, places::Places};
use crate::int_type::IntType;

/// Splits blocks of a file of integers, which several threads may have read, into [`Records`].
///
/// A block that was cut from a file anywhere has a whole part, and an unfinished record on either side:
///
/// ```
/// use limbforge_limb::io::{NumberFormat, Splitter};
/// use limbforge_limb::{IntType, Layout};
///
/// let splitter = Splitter::new(NumberFormat::Dec, IntType::unsigned(64)?);
/// let block = b"5\n21\n33\n4";
/// let whole = splitter.whole(block);
/// assert_eq!(&block[whole.clone()], b"21\n33\n");
///
/// // The first line of the block is line 7 of the file.
/// let records = splitter.split(&block[whole]).starting_at(8);
/// assert_eq!((records.len(), records.lines(), records.number(1)), (2, 2, 9));
/// assert_eq!(records.to_batch::<u64>(Layout::InstanceMajor)?.limbs(), [21, 33]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Splitter {
    pub(super) format: NumberFormat,
    pub(super) ty: IntType,
    pub(super) is_lenient: bool,
}

impl Splitter {
    /// A splitter of files of this format with integers of type `ty`.
    #[must_use]
    pub const fn new(format: NumberFormat, ty: IntType) -> Self {
        Self { format, ty, is_lenient: false }
    }

    /// Skips empty lines, and text from a `#` to the end of its line, which are errors by default. Line
    /// numbers count the skipped lines. No effect on binary records.
    #[must_use]
    pub fn lenient(mut self, is_lenient: bool) -> Self {
        self.is_lenient = is_lenient && self.format != NumberFormat::Bin;
        self
    }

    /// The format of the files.
    #[must_use]
    pub const fn format(&self) -> NumberFormat {
        self.format
    }

    /// The type of the integers.
    #[must_use]
    pub const fn ty(&self) -> IntType {
        self.ty
    }

    /// The lines after the first end of a line in the block, up to the last one; empty if the block has fewer
    /// than two ends. What is outside completes the lines of the neighbouring blocks.
    ///
    /// Binary records do not show where they begin: the block begins with one, and the part has all that fit.
    #[must_use]
    pub fn whole(&self, block: &[u8]) -> Range<usize> {
        if self.format == NumberFormat::Bin {
            return 0..block.len() - block.len() % self.ty.bytes();
        }
        let start = memchr(b'\n', block).map_or(block.len(), |end| end + 1);
        start..memrchr(b'\n', &block[start..]).map_or(start, |end| start + end + 1)
    }

    /// The records of a block that begins with one: line or record 1, unless
    /// [`starting_at`](Records::starting_at) tells another number. The last line need not have an end.
    ///
    /// The block may be a vector, a slice, or mapped memory: `as_ref` must always return the same bytes.
    #[must_use]
    pub fn split<T: AsRef<[u8]>>(&self, block: T) -> Records<T> {
        let bytes = block.as_ref();
        let (places, lines) = match self.format {
            NumberFormat::Bin => {
                let places = Places::Equal { size: self.ty.bytes(), len: bytes.len() };
                let records = places.len() as u64;
                (places, records)
            }
            NumberFormat::Hex | NumberFormat::Dec => Places::of_lines(bytes, self.is_lenient),
        };
        Records { format: self.format, ty: self.ty, first: 1, lines, block, places, is_cut: false }
    }
}
