//! Files of integers: one integer per line, or binary records. Chunks allow files larger than memory.
//!
//! Reading has two steps. [`RecordReader`] splits the stream into [`Records`], in bounded memory whatever the
//! file contains. `Records` are then parsed one by one, on any number of threads.

mod format;
mod reader;
mod records;

pub use format::{NumberFormat, ParseNumberFormatError, ReadError, RecordError};
pub use reader::RecordReader;
pub use records::Records;

use std::io::{self, Write};

use crate::slice::{bits, cmp, sub};
use crate::{base::Base, batch::Batch, convert, int_type::IntType, text};

/// Bytes collected before a write.
const BUFFER: usize = 1 << 20;

/// Appends one integer of M limbs as a line or record of the format.
pub fn write_instance<B: Base>(limbs: &[B], ty: IntType, format: NumberFormat, out: &mut Vec<u8>) {
    match format {
        NumberFormat::Bin => {
            let start = out.len();
            out.resize(start + ty.bytes(), 0);
            convert::to_le_bytes(limbs, &mut out[start..]);
            let used = ty.bits() % 8;
            if used != 0
                && ty.is_signed()
                && cmp::is_negative(limbs, ty.bits())
                && let Some(top) = out.last_mut()
            {
                *top |= u8::MAX << used;
            }
        }
        NumberFormat::Hex | NumberFormat::Dec => {
            let write: fn(&[B], &mut Vec<u8>) =
                if format == NumberFormat::Dec { text::write_dec } else { text::write_hex };
            if ty.is_signed() && cmp::is_negative(limbs, ty.bits()) {
                let mut magnitude = limbs.to_vec();
                sub::neg_assign(&mut magnitude);
                bits::truncate(&mut magnitude, ty.bits());
                out.push(b'-');
                write(&magnitude, out);
            } else {
                write(limbs, out);
            }
            out.push(b'\n');
        }
    }
}

/// Writes all integers of the batch, in order.
///
/// # Errors
/// Errors of the stream.
pub fn write_batch<B: Base>(batch: &Batch<B>, format: NumberFormat, sink: &mut impl Write) -> io::Result<()> {
    let mut text = Vec::new();
    let mut limbs = vec![B::ZERO; batch.limbs_per_instance()];
    for i in 0..batch.instances() {
        batch.read_instances(i, &mut limbs);
        write_instance(&limbs, batch.ty(), format, &mut text);
        if text.len() >= BUFFER {
            sink.write_all(&text)?;
            text.clear();
        }
    }
    sink.write_all(&text)
}
