//! Batches in limbs of another size.

use limbforge_algos::cpu::EvalError;
use limbforge_limb::{Base, Batch, Layout, convert};

/// The same integers in other limbs, instance by instance.
pub(super) fn in_limbs<B: Base, C: Base>(batch: &Batch<B>) -> Result<Batch<C>, EvalError> {
    let ty = batch.ty();
    let mut converted = Batch::<C>::zeros(ty, Layout::InstanceMajor, batch.instances())?;
    let mut bytes = vec![0; batch.limbs_per_instance() * B::BYTES];
    let out = converted.limbs_mut().chunks_exact_mut(ty.limbs::<C>());
    for (limbs, out) in batch.iter().zip(out) {
        convert::to_le_bytes(&limbs, &mut bytes);
        // Bytes above the width are 0, and need no limb.
        let _ = convert::from_le_bytes(&bytes, out);
    }
    Ok(converted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_stay_the_same() {
        let ty = limbforge_limb::IntType::signed(100).unwrap();
        let values: Vec<_> = [0, -1, 5, i128::MAX >> 28, i128::MIN >> 28].map(Into::into).to_vec();
        let wide = Batch::<u128>::from_bigints(ty, Layout::Interleaved, &values).unwrap();
        let narrow: Batch<u32> = in_limbs(&wide).unwrap();
        let back: Batch<u128> = in_limbs(&narrow).unwrap();
        assert_eq!((narrow.to_bigints(), back.to_bigints()), (values.clone(), values));
    }
}
