//! Binary records that lie in memory as limbs do.

use limbforge::limb::io::{NumberFormat, check_records, records_mut};
use limbforge::prelude::*;
use rayon::prelude::*;

use super::loaded::{BadRecord, TASK_BYTES};

/// Whether records of the format lie as limbs in memory, so that files are read there.
pub(in super::super) fn is_whole<B: Base>(format: NumberFormat, ty: IntType) -> bool {
    format == NumberFormat::Bin && records_mut::<B>(ty, &mut []).is_some()
}

/// The memory of limbs as records that lie so.
pub(super) fn memory<B: Base>(ty: IntType, limbs: &mut [B]) -> &mut [u8] {
    // Files of other records have another source.
    records_mut(ty, limbs).unwrap_or_default()
}

/// Makes residues of instances that were read as records, the first of them with this number; the records that
/// are not integers.
pub(super) fn check<B: Base>(ty: IntType, limbs: &mut [B], number: u64) -> Vec<BadRecord> {
    if ty.bits().is_multiple_of(8) {
        return vec![];
    }
    let task = (TASK_BYTES / ty.bytes()).max(1);
    let checked = limbs.par_chunks_mut(task * ty.limbs::<B>()).enumerate().flat_map_iter(|(i, limbs)| {
        let bad = move |(at, error)| {
            let instance = i * task + at;
            BadRecord { instance, number: number + instance as u64, error }
        };
        check_records(ty, limbs).into_iter().map(bad)
    });
    checked.collect()
}
