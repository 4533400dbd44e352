//! The macro that names prime fields.

/// Names prime fields, `p = k * 2^n + 1` with k odd, one on each line:
///
/// ```
/// use limbforge_field::{PrimeField, TwoAdicField, prime_field};
///
/// prime_field! {
///     /// The prime of my application.
///     pub type MyField: u64 = 29 * 2^57 + 1, root 21;
///     /// The macro finds an element of order 2^n if none is given.
///     type Small: u32 = 119 * 2^23 + 1;
///     /// For comparison: the same prime as `MyField`, reduced by `%`.
///     type Slow: u64 = 29 * 2^57 + 1, root 21, reduction Remainder;
/// }
///
/// assert_eq!((MyField::from(-1) * MyField::from(3)).to_string(), "4179340454199820286");
/// assert_eq!((Small::MODULUS, Small::ADICITY), (998_244_353, 23));
/// ```
///
/// The word is `u32` or `u64`. The reduction is `Montgomery` by default; `Proth` (u64, n >= 32), `Goldilocks`
/// (u64, for that prime only) and `Remainder` may be named, see [`reduction`](crate::reduction). `root` is an
/// element of order exactly 2^n.
///
/// Wrong parameters do not compile. A composite modulus (here 29 * 2^56 + 1):
///
/// ```compile_fail,E0080
/// limbforge_field::prime_field! { type Composite: u64 = 29 * 2^56 + 1, root 21; }
/// ```
///
/// An even k (n is not the adicity):
///
/// ```compile_fail,E0080
/// limbforge_field::prime_field! { type Even: u64 = 58 * 2^56 + 1, root 21; }
/// ```
///
/// A root of another order (here 21^2, of order 2^56):
///
/// ```compile_fail,E0080
/// limbforge_field::prime_field! { type WrongRoot: u64 = 29 * 2^57 + 1, root 441; }
/// ```
#[macro_export]
macro_rules! prime_field {
    ($(
        $(#[$attribute:meta])*
        $visibility:vis type $Name:ident: $word:ident =
            $k:literal * 2 ^ $n:literal + 1 $(, root $root:literal)? $(, reduction $reduction:ident)?
    );+ $(;)?) => {$(
        $(#[$attribute])*
        $visibility type $Name = $crate::Zmod<
            $crate::Prime<
                $crate::prime_field!(@reduction $word $($reduction)?),
                $k,
                $n,
                { $crate::prime_field!(@root $k, $n $(, $root)?) },
            >,
        >;

        const _: () = <$Name>::CHECKED;
    )+};
    (@reduction $word:ident) => { $crate::reduction::Montgomery<$word> };
    (@reduction $word:ident Montgomery) => { $crate::reduction::Montgomery<$word> };
    (@reduction $word:ident Remainder) => { $crate::reduction::Remainder<$word> };
    (@reduction u64 Proth) => { $crate::reduction::Proth };
    (@reduction u64 Goldilocks) => { $crate::reduction::Goldilocks };
    (@root $k:literal, $n:literal, $root:literal) => { $root };
    (@root $k:literal, $n:literal) => { $crate::modulus::root_of($k, $n) };
}
