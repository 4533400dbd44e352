//! Integers as lines or records.

use core::ops::Range;
use std::io::{self, Write};

use super::{NumberFormat, binary};
use crate::slice::{bits, cmp, sub};
use crate::{base::Base, batch::Batch, batch::Layout, int_type::IntType, text};

/// Bytes collected before a write.
const BUFFER: usize = 1 << 20;
/// Limbs of an interleaved batch that are gathered at a time: they stay in the first-level cache.
const GATHERED: usize = 1 << 11;

/// Appends one integer of M limbs as a line or record of the format.
///
/// ```
/// use limbforge_limb::{IntType, io};
/// let mut text = vec![];
/// io::write_instance(&[0xfe_u32], IntType::signed(8)?, io::NumberFormat::Dec, &mut text);
/// assert_eq!(text, b"-2\n");
/// # Ok::<(), limbforge_limb::WidthError>(())
/// ```
///
/// # Panics
/// Unless `limbs` are M, without bits above the width.
pub fn write_instance<B: Base>(limbs: &[B], ty: IntType, format: NumberFormat, out: &mut Vec<u8>) {
    assert_eq!(limbs.len(), ty.limbs::<B>(), "an integer has M limbs");
    write_all(limbs, ty, format, out, &mut vec![]);
}

/// Appends instances of a batch as lines or records of the format, in order.
///
/// Memory is reserved once, for the longest numbers of the type: threads can write parts of a batch each.
///
/// ```
/// use limbforge_limb::{Batch, IntType, Layout, io};
/// let batch = Batch::<u64>::from_u64s(IntType::unsigned(64)?, Layout::InstanceMajor, &[7, 80, 9])?;
/// let mut text = vec![];
/// io::write_instances(&batch, 1..3, io::NumberFormat::Hex, &mut text);
/// assert_eq!(text, b"50\n9\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Panics
/// If the range reaches past the batch.
pub fn write_instances<B: Base>(
    batch: &Batch<B>,
    range: Range<usize>,
    format: NumberFormat,
    out: &mut Vec<u8>,
) {
    let (ty, m) = (batch.ty(), batch.limbs_per_instance());
    out.reserve(range.len().saturating_mul(max_record(format, ty)));
    let mut magnitude = vec![];
    match batch.layout() {
        Layout::InstanceMajor => {
            let limbs = &batch.limbs()[range.start * m..range.end * m];
            write_all(limbs, ty, format, out, &mut magnitude);
        }
        Layout::Interleaved => {
            let step = (GATHERED / m).max(1);
            let mut limbs = vec![B::ZERO; step.min(range.len()) * m];
            for first in range.clone().step_by(step) {
                let limbs = &mut limbs[..step.min(range.end - first) * m];
                batch.read_instances(first, limbs);
                write_all(limbs, ty, format, out, &mut magnitude);
            }
        }
    }
}

/// Writes all integers of the batch, in order.
///
/// # Errors
/// Errors of the stream.
pub fn write_batch<B: Base>(batch: &Batch<B>, format: NumberFormat, sink: &mut impl Write) -> io::Result<()> {
    let step = (BUFFER / max_record(format, batch.ty())).max(1);
    let mut text = Vec::new();
    for first in (0..batch.instances()).step_by(step) {
        write_instances(batch, first..batch.instances().min(first + step), format, &mut text);
        sink.write_all(&text)?;
        text.clear();
    }
    Ok(())
}

/// Bytes of the longest record, with its sign and the end of its line.
const fn max_record(format: NumberFormat, ty: IntType) -> usize {
    match format {
        NumberFormat::Bin => ty.bytes(),
        NumberFormat::Hex | NumberFormat::Dec => format.max_digits(ty) + 1 + ty.is_signed() as usize,
    }
}

/// Appends instances, instance-major. `magnitude` is room for the absolute values of negative ones.
fn write_all<B: Base>(
    limbs: &[B],
    ty: IntType,
    format: NumberFormat,
    out: &mut Vec<u8>,
    magnitude: &mut Vec<B>,
) {
    let write: fn(&[B], &mut Vec<u8>) = match format {
        NumberFormat::Bin => return binary::write(limbs, ty, out),
        NumberFormat::Hex => text::write_hex,
        NumberFormat::Dec => text::write_dec,
    };
    for limbs in limbs.chunks_exact(ty.limbs::<B>()) {
        if ty.is_signed() && cmp::is_negative(limbs, ty.bits()) {
            magnitude.clear();
            magnitude.extend_from_slice(limbs);
            sub::neg_assign(magnitude);
            bits::truncate(magnitude, ty.bits());
            out.push(b'-');
            write(magnitude, out);
        } else {
            write(limbs, out);
        }
        out.push(b'\n');
    }
}
