//! The words that memory is made of.

/// A machine word that buffers are made of: every bit pattern is a value and there is no padding.
pub trait Word: bytemuck::Pod + private::Sealed {}

mod private {
    pub trait Sealed {}
}

macro_rules! words {
    ($($word:ty)*) => { $(impl private::Sealed for $word {} impl Word for $word {})* };
}

words!(u8 u16 u32 u64 u128);
