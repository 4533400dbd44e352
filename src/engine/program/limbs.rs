//! Batches in limbs of another size.

use std::any::Any;

use limbforge_algos::cpu::EvalError;
use limbforge_limb::{Base, Batch, Layout, convert};
use rayon::prelude::*;

/// Instances that a thread converts at a time.
const BLOCK: usize = 1 << 12;

/// The same integers in other limbs, instance by instance. What is there in these limbs shares its memory.
pub(super) fn in_limbs<B: Base, C: Base>(batch: &Batch<B>) -> Result<Batch<C>, EvalError> {
    if let Some(same) = (batch as &dyn Any).downcast_ref::<Batch<C>>() {
        return Ok(same.clone().into_layout(Layout::InstanceMajor));
    }
    let ty = batch.ty();
    let mut converted = Batch::<C>::zeros(ty, Layout::InstanceMajor, batch.instances())?;
    let (from, to) = (batch.limbs_per_instance(), ty.limbs::<C>());
    converted.limbs_mut().par_chunks_mut(BLOCK * to).enumerate().for_each(|(block, out)| {
        let (mut limbs, mut bytes) = (vec![B::ZERO; from], vec![0; from * B::BYTES]);
        for (i, out) in out.chunks_exact_mut(to).enumerate() {
            batch.read_instances(block * BLOCK + i, &mut limbs);
            convert::to_le_bytes(&limbs, &mut bytes);
            // Bytes above the width are 0, and need no limb.
            let _ = convert::from_le_bytes(&bytes, out);
        }
    });
    Ok(converted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_stay_the_same() {
        let ty = limbforge_limb::IntType::signed(100).unwrap();
        let values: Vec<_> = [0, -1, 5, i128::MAX >> 28, i128::MIN >> 28].map(Into::into).to_vec();
        let values: Vec<_> = values.iter().cycle().take(2 * BLOCK + 3).cloned().collect();
        let wide = Batch::<u128>::from_bigints(ty, Layout::Interleaved, &values).unwrap();
        let narrow: Batch<u32> = in_limbs(&wide).unwrap();
        let back: Batch<u128> = in_limbs(&narrow).unwrap();
        assert!(narrow.to_bigints() == values && back.to_bigints() == values);
        let same: Batch<u128> = in_limbs(&wide).unwrap();
        assert!(same.to_bigints() == values && same.layout() == Layout::InstanceMajor);
        // Nothing is copied.
        let again: Batch<u128> = in_limbs(&same).unwrap();
        assert!(core::ptr::eq(again.limbs(), same.limbs()));
    }
}
