//! A limb made of a primitive word.

mod limb;
mod numbers;
mod operators;

/// Defines a limb: a `#[repr(transparent)]` struct over `u8`, `u16`, `u32`, `u64` or `u128` that implements
/// [`Base`](crate::Base) and its supertraits.
///
/// The operators are those of the word, as are `Display`, `LowerHex`, the order and the layout in memory.
/// `From` converts both ways. Attributes are kept: with `#[derive(serde::Serialize)]`, batches of the limb
/// serialize, too.
///
/// ```
/// use limbforge_limb::{Base, UintM, limb_newtype};
///
/// limb_newtype! {
///     /// Half of a machine word.
///     pub struct Short(pub u16);
/// }
///
/// assert_eq!(Short(7).carrying_mul_add(Short(u16::MAX), Short(1), Short(2)), (Short(65532), Short(6)));
/// let number: UintM<Short, 5> = "0x123456789abcdef".parse()?;
/// assert_eq!((&number * &number).to_string(), "1164890894129196686288161");
/// # Ok::<(), limbforge_limb::text::ParseError>(())
/// ```
///
/// The macro contains unsafe code, the implementation of `bytemuck::Pod`: it compiles under
/// `#![deny(unsafe_code)]`, not under `forbid`.
#[macro_export]
macro_rules! limb_newtype {
    ($(#[$attribute:meta])* $vis:vis struct $Name:ident($field:vis $word:ident $(,)?);) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(transparent)]
        $vis struct $Name($field $word);

        $crate::__limb_newtype_operators!($Name, $word);
        $crate::__limb_newtype_numbers!($Name, $word);
        $crate::__limb_newtype_base!($Name, $word);
    };
}
