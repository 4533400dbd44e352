//! Binary records: little-endian bytes, which for most types are the limbs in memory.

use super::RecordError;
use crate::slice::{bits, cmp};
use crate::{base::Base, convert, error::RangeError, int_type::IntType};

/// The memory of limbs as binary records, if a record of the type is M limbs as they lie in memory: a file is
/// then read into a batch without a copy. [`check_records`] must follow.
///
/// ```
/// # #[cfg(target_endian = "little")] {
/// use limbforge_limb::{Batch, IntType, Layout, io};
/// use std::io::Read;
///
/// let mut file = &b"\x01\0\0\0\0\0\0\0\xff\0\0\0\0\0\0\x80"[..];
/// let ty = IntType::unsigned(62)?;
/// let mut batch = Batch::<u64>::zeros(ty, Layout::InstanceMajor, 2)?;
/// if let Some(memory) = io::records_mut(ty, batch.limbs_mut()) {
///     file.read_exact(memory)?;
/// }
/// let failed = io::check_records(ty, batch.limbs_mut());
/// assert_eq!(failed[0].0, 1);
/// assert!(failed[0].1.to_string().starts_with("the number does not fit u62: it needs 64 bits"));
/// assert_eq!(batch.to_u64s()?, [1, 0]);
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn records_mut<B: Base>(ty: IntType, limbs: &mut [B]) -> Option<&mut [u8]> {
    if are_limbs::<B>(ty) { convert::as_le_bytes_mut(limbs) } else { None }
}

/// Whether a record has as many bytes as M limbs.
pub(super) const fn are_limbs<B: Base>(ty: IntType) -> bool {
    ty.bytes() == ty.limbs::<B>() * B::BYTES
}

/// Turns instances, as [`records_mut`] reads them, into residues modulo `2^bits`. Returns those that are not
/// integers of the type, in order, with their errors; their limbs become zero. Types of whole bytes have none,
/// and cost nothing.
///
/// # Panics
/// Unless `limbs` are whole instances of a type that [`records_mut`] accepts.
pub fn check_records<B: Base>(ty: IntType, limbs: &mut [B]) -> Vec<(usize, RecordError)> {
    assert!(are_limbs::<B>(ty), "records of {ty} are limbs in memory");
    let m = ty.limbs::<B>();
    assert_eq!(limbs.len() % m, 0, "an integer has M limbs");
    let mut failed = vec![];
    if ty.bits().is_multiple_of(8) {
        return failed;
    }
    let mask = bits::top_mask::<B>(ty.bits());
    for (i, limbs) in limbs.chunks_exact_mut(m).enumerate() {
        let above = if ty.is_signed() && cmp::is_negative(limbs, ty.bits()) { !mask } else { B::ZERO };
        if limbs[m - 1] & !mask == above {
            limbs[m - 1] = limbs[m - 1] & mask;
        } else {
            let mut record = vec![0; ty.bytes()];
            convert::to_le_bytes(limbs, &mut record);
            failed.push((i, range_error(&record, ty)));
            limbs.fill(B::ZERO);
        }
    }
    failed
}

/// `out =` the number of the record, as its residue modulo `2^bits`.
pub(super) fn parse<B: Base>(record: &[u8], ty: IntType, out: &mut [B]) -> Result<(), RecordError> {
    if record.len() != ty.bytes() {
        return Err(RecordError::Truncated { expected: ty.bytes(), found: record.len() });
    }
    Ok(convert::from_le_record(record, ty, out)?)
}

#[cold]
fn range_error(record: &[u8], ty: IntType) -> RecordError {
    RangeError { ty, needed: convert::width_of_bytes(record, ty.is_signed()) }.into()
}

/// Appends records of instances of the type, instance-major.
pub(super) fn write<B: Base>(limbs: &[B], ty: IntType, out: &mut Vec<u8>) {
    let (start, size, m) = (out.len(), ty.bytes(), ty.limbs::<B>());
    let instances = limbs.chunks_exact(m);
    match convert::as_le_bytes(limbs) {
        Some(image) if are_limbs::<B>(ty) => out.extend_from_slice(image),
        Some(image) => {
            for image in image.chunks_exact(m * B::BYTES) {
                out.extend_from_slice(&image[..size]);
            }
        }
        None => {
            out.resize(start + instances.len() * size, 0);
            let records = out[start..].chunks_exact_mut(size);
            instances.clone().zip(records).for_each(|(limbs, record)| convert::to_le_bytes(limbs, record));
        }
    }
    let used = ty.bits() % 8;
    if ty.is_signed() && used != 0 {
        for (limbs, record) in instances.zip(out[start..].chunks_exact_mut(size)) {
            if cmp::is_negative(limbs, ty.bits())
                && let Some(top) = record.last_mut()
            {
                *top |= u8::MAX << used;
            }
        }
    }
}
