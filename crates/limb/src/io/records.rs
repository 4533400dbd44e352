//! Unparsed records, and their parser.

use super::{NumberFormat, ReadError, RecordError};
use crate::batch::{Batch, Layout};
use crate::slice::{bits, cmp, sub};
use crate::text::{self, ParseError};
use crate::{base::Base, convert, error::RangeError, int_type::IntType};

/// Consecutive records of a file, unparsed.
#[derive(Clone, Debug)]
pub struct Records {
    format: NumberFormat,
    ty: IntType,
    first: u64,
    pub(super) bytes: Vec<u8>,
    ends: Vec<usize>,
    /// (record i, number of lines skipped before record i and each later one up to the next entry).
    skipped: Vec<(usize, u64)>,
    pub(super) is_cut: bool,
}

impl Records {
    pub(super) const fn new(format: NumberFormat, ty: IntType, first: u64) -> Self {
        Self { format, ty, first, bytes: Vec::new(), ends: Vec::new(), skipped: Vec::new(), is_cut: false }
    }

    /// Ends the record, which is on line `number`.
    pub(super) fn end_record(&mut self, number: u64) {
        let i = self.len();
        if self.number(i) != number {
            self.skipped.push((i, number - self.first - i as u64));
        }
        self.ends.push(self.bytes.len());
    }

    /// Whether the last record is a line that was cut because it is too long.
    #[must_use]
    pub const fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// Number of records.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are no records.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Bytes of all records together.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.bytes.len()
    }

    /// Line (or record) number of record `i` in the file, from 1.
    #[must_use]
    pub fn number(&self, i: usize) -> u64 {
        let at = self.skipped.partition_point(|&(record, _)| record <= i);
        let skipped = if at == 0 { 0 } else { self.skipped[at - 1].1 };
        self.first + i as u64 + skipped
    }

    /// Parses record `i` into the M limbs of `out`, as its residue modulo `2^bits`.
    ///
    /// # Errors
    /// [`RecordError`] if it is not an integer of the type; `out` is then unspecified.
    ///
    /// # Panics
    /// If there is no record `i`, or `out` does not have M limbs.
    pub fn parse<B: Base>(&self, i: usize, out: &mut [B]) -> Result<(), RecordError> {
        assert_eq!(out.len(), self.ty.limbs::<B>(), "an integer has M limbs");
        let record = &self.bytes[if i == 0 { 0 } else { self.ends[i - 1] }..self.ends[i]];
        match self.format {
            NumberFormat::Bin => parse_binary(record, self.ty, out),
            NumberFormat::Hex | NumberFormat::Dec => parse_line(record, self.format, self.ty, out),
        }
    }

    /// All records as a batch.
    ///
    /// # Errors
    /// [`ReadError`] for the first record that is not an integer of the type.
    pub fn to_batch<B: Base>(&self, layout: Layout) -> Result<Batch<B>, ReadError> {
        let mut limbs = vec![B::ZERO; self.len() * self.ty.limbs::<B>()];
        for (i, out) in limbs.chunks_exact_mut(self.ty.limbs::<B>()).enumerate() {
            self.parse(i, out).map_err(|source| ReadError { number: self.number(i), source })?;
        }
        Ok(Batch::from_residues(self.ty, limbs).into_layout(layout))
    }
}

fn parse_line<B: Base>(
    line: &[u8],
    format: NumberFormat,
    ty: IntType,
    out: &mut [B],
) -> Result<(), RecordError> {
    if line.len() > format.max_line(ty) {
        let (limit, digits) = (format.max_line(ty), format.max_digits(ty));
        return Err(RecordError::TooLong { limit, ty, digits });
    }
    let radix = if format == NumberFormat::Dec { 10 } else { 16 };
    let number = line.trim_ascii();
    if number.is_empty() {
        return Err(RecordError::Empty);
    }
    let unsigned = number.strip_prefix(b"-").unwrap_or(number);
    let negative = unsigned.len() < number.len();
    let is_prefixed = radix == 16 && matches!(unsigned, [b'0', b'x' | b'X', ..]);
    let digits = &unsigned[if is_prefixed { 2 } else { 0 }..];
    let before = line.len() - line.trim_ascii_start().len() + number.len() - digits.len();

    text::parse_radix(digits, radix, out).map_err(|error| match error {
        ParseError::Digit { position, found, radix } => {
            RecordError::Digit { column: before + position + 1, found, radix }
        }
        ParseError::TooWide { needed, .. } => {
            RangeError { ty, needed: needed + u64::from(ty.is_signed()) }.into()
        }
        ParseError::Range(error) => error.into(),
        ParseError::Empty | ParseError::Radix { .. } => RecordError::NoDigits { column: before + 1, radix },
    })?;
    apply_sign(negative, ty, out)
}

/// Replaces the magnitude in `out` by the residue of the signed number, if that fits the type.
fn apply_sign<B: Base>(negative: bool, ty: IntType, out: &mut [B]) -> Result<(), RecordError> {
    let zero = cmp::is_zero(out);
    if negative && !ty.is_signed() && !zero {
        return Err(RecordError::Negative { ty });
    }
    let bits = bits::bit_len(out);
    // -2^(bits-1) is the one number whose magnitude may reach the sign bit.
    let power = negative && bits == ty.bits() && bits::trailing_zeros(out) + 1 == bits;
    let needed = bits + u32::from(ty.is_signed() && !power);
    if needed > ty.bits() && !zero {
        return Err(RangeError { ty, needed: needed.into() }.into());
    }
    if negative {
        sub::neg_assign(out);
        bits::truncate(out, ty.bits());
    }
    Ok(())
}

fn parse_binary<B: Base>(record: &[u8], ty: IntType, out: &mut [B]) -> Result<(), RecordError> {
    if record.len() < ty.bytes() {
        return Err(RecordError::Truncated { expected: ty.bytes(), found: record.len() });
    }
    // Bits above the limbs are above the width, too: this check covers them.
    let needed = convert::width_of_bytes(record, ty.is_signed());
    if needed > ty.bits().into() {
        return Err(RangeError { ty, needed }.into());
    }
    let _ = convert::from_le_bytes(record, out);
    bits::truncate(out, ty.bits());
    Ok(())
}
