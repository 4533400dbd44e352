//! The types of the same width.

use limbforge_limb::{FixedInt, Int, Uint};

/// The unsigned type of the same width.
pub(super) type Magnitude<T> = Uint<<T as FixedInt>::Limb, <T as FixedInt>::Len>;

/// The signed type of the same width.
pub(super) type Signed<T> = Int<<T as FixedInt>::Limb, <T as FixedInt>::Len>;
