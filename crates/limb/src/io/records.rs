//! Unparsed records.

use core::ops::Range;

use super::{NumberFormat, ReadError, RecordError, binary, line, places::Places};
use crate::batch::{Batch, Layout};
use crate::{base::Base, int_type::IntType};

/// Parses one record, a line without its end for text, into the M limbs of `out`, as its residue modulo
/// `2^bits`.
///
/// ```
/// use limbforge_limb::io::{NumberFormat, parse_record};
/// let mut limbs = [0_u64];
/// parse_record(b"-0x10", NumberFormat::Hex, "i5".parse()?, &mut limbs)?;
/// assert_eq!(limbs, [0b10000]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`RecordError`] if it is not an integer of the type; `out` is then unspecified.
///
/// # Panics
/// Unless `out` has M limbs.
pub fn parse_record<B: Base>(
    record: &[u8],
    format: NumberFormat,
    ty: IntType,
    out: &mut [B],
) -> Result<(), RecordError> {
    assert_eq!(out.len(), ty.limbs::<B>(), "an integer has M limbs");
    match format {
        NumberFormat::Bin => binary::parse(record, ty, out),
        NumberFormat::Hex | NumberFormat::Dec => line::parse(record, format, ty, out),
    }
}

/// Consecutive records of a file, unparsed, in a block of memory.
#[derive(Clone, Debug)]
pub struct Records<T = Vec<u8>> {
    pub(super) format: NumberFormat,
    pub(super) ty: IntType,
    pub(super) first: u64,
    pub(super) lines: u64,
    pub(super) block: T,
    pub(super) places: Places,
    pub(super) is_cut: bool,
}

impl<T: AsRef<[u8]>> Records<T> {
    /// The same records, the first line or record of whose block has this number in the file.
    #[must_use]
    pub fn starting_at(self, first: u64) -> Self {
        Self { first, ..self }
    }

    /// Whether the last record is a line that was cut because it is too long.
    #[must_use]
    pub const fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// Number of records.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether there are no records.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Lines of the block, with the skipped ones; records of a binary file. The block that follows in the
    /// file starts at the number of this one plus its lines.
    #[must_use]
    pub const fn lines(&self) -> u64 {
        self.lines
    }

    /// Bytes of the block.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.block.as_ref().len()
    }

    /// The block, for reuse of its memory.
    #[must_use]
    pub fn into_block(self) -> T {
        self.block
    }

    /// Line (or record) number of record `i` in the file, from 1.
    #[must_use]
    pub fn number(&self, i: usize) -> u64 {
        self.first + i as u64 + self.places.skipped(i)
    }

    /// Parses record `i` into the M limbs of `out`, as its residue modulo `2^bits`.
    ///
    /// # Errors
    /// [`RecordError`] if it is not an integer of the type; `out` is then unspecified.
    ///
    /// # Panics
    /// If there is no record `i`, or `out` does not have M limbs.
    pub fn parse<B: Base>(&self, i: usize, out: &mut [B]) -> Result<(), RecordError> {
        parse_record(&self.block.as_ref()[self.places.range(i)], self.format, self.ty, out)
    }

    /// Parses records to the limbs of as many instances, instance-major. Returns the records that are not
    /// integers of the type, in order, with their errors; their limbs are zero.
    ///
    /// ```
    /// use limbforge_limb::io::{NumberFormat, Splitter};
    /// use limbforge_limb::IntType;
    ///
    /// let records = Splitter::new(NumberFormat::Hex, IntType::unsigned(128)?).split("1\nx\n100000000\n");
    /// let mut limbs = [7_u32; 8];
    /// let failed = records.parse_range(1..3, &mut limbs);
    /// assert_eq!(limbs, [0, 0, 0, 0, 0, 1, 0, 0]);
    /// assert_eq!((failed.len(), failed[0].0), (1, 1));
    /// assert_eq!(failed[0].1.to_string(), "column 1: expected a digit in base 16, found `x`");
    /// # Ok::<(), limbforge_limb::WidthError>(())
    /// ```
    ///
    /// # Panics
    /// If there are no such records, or `out` does not have M limbs for each.
    pub fn parse_range<B: Base>(&self, range: Range<usize>, out: &mut [B]) -> Vec<(usize, RecordError)> {
        let m = self.ty.limbs::<B>();
        assert_eq!(out.len(), range.len() * m, "an integer has M limbs");
        // Records that lie as limbs are copied at once.
        if self.format == NumberFormat::Bin
            && let Some(memory) = binary::records_mut(self.ty, out)
            && let Some(last) = range.clone().last()
            && let bytes =
                &self.block.as_ref()[self.places.range(range.start).start..self.places.range(last).end]
            && bytes.len() == memory.len()
        {
            memory.copy_from_slice(bytes);
            let failed = binary::check_records(self.ty, out);
            return failed.into_iter().map(|(i, error)| (range.start + i, error)).collect();
        }
        let mut failed = vec![];
        for (i, out) in range.zip(out.chunks_exact_mut(m)) {
            if let Err(error) = self.parse(i, out) {
                out.fill(B::ZERO);
                failed.push((i, error));
            }
        }
        failed
    }

    /// All records as a batch.
    ///
    /// # Errors
    /// [`ReadError`] for the first record that is not an integer of the type.
    pub fn to_batch<B: Base>(&self, layout: Layout) -> Result<Batch<B>, ReadError> {
        let mut limbs = vec![B::ZERO; self.len() * self.ty.limbs::<B>()];
        match self.parse_range(0..self.len(), &mut limbs).first() {
            Some(&(i, source)) => Err(ReadError { number: self.number(i), source }),
            None => Ok(Batch::from_residues(self.ty, limbs).into_layout(layout)),
        }
    }
}
