//! Memory that a batch and a column share.

use std::marker::PhantomData;
use std::sync::Arc;

use arrow_buffer::Buffer;
use limbforge_limb::{Base, Batch, SharedLimbs};

/// The bytes of a column, as limbs.
struct Limbs<B> {
    buffer: Buffer,
    limb: PhantomData<B>,
}

impl<B: Base> AsRef<[B]> for Limbs<B> {
    fn as_ref(&self) -> &[B] {
        bytemuck::cast_slice(&self.buffer)
    }
}

/// The limbs of a column that lies as they do; none if it begins or ends within a limb.
pub(crate) fn limbs_of<B: Base>(buffer: Buffer) -> Option<SharedLimbs<B>> {
    bytemuck::try_cast_slice::<u8, B>(&buffer)
        .is_ok()
        .then(|| Arc::new(Limbs::<B> { buffer, limb: PhantomData }) as _)
}

/// The memory of a batch, as bytes.
struct BytesOf<B>(Batch<B>);

impl<B: Base> AsRef<[u8]> for BytesOf<B> {
    fn as_ref(&self) -> &[u8] {
        bytemuck::cast_slice(self.0.limbs())
    }
}

/// The bytes of a batch, which the buffer keeps.
pub(crate) fn buffer_of<B: Base>(batch: Batch<B>) -> Buffer {
    bytes::Bytes::from_owner(BytesOf(batch)).into()
}
