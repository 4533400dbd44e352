//! Integers on the CPU, exact on slices of limbs of any length: division, gcd, roots, powers, primality.
//!
//! Sums, shifts, products and schoolbook division of slices are in [`limbforge_limb::slice`].
//!
//! | module | contents |
//! | --- | --- |
//! | [`value`](mod@value) | number theory as methods of `Uint` and `Int`: [`NumberTheory`](value::NumberTheory) |
//! | [`div`] | division: schoolbook, Newton's inverse from below, Watt's shifted inverse |
//! | [`gcd`](mod@gcd), [`xgcd`](mod@xgcd) | the greatest common divisor by Lehmer's steps; its Bezout coefficients |
//! | [`jacobi`](mod@jacobi) | the Jacobi symbol |
//! | [`isqrt`], [`root`](mod@root), [`perfect_power`] | square root and k-th root with remainder; squares and perfect powers |
//! | [`primality`] | strong, strong Lucas and Baillie-PSW tests |
//! | [`modulus`](mod@modulus) | moduli with their precomputed constants, for numbers and for slices |
//! | [`barrett`](mod@barrett), [`montgomery`](mod@montgomery) | reduction modulo any number, and modulo an odd number |
//! | [`modinv`](mod@modinv), [`modinv2k`](mod@modinv2k) | the inverse modulo any number, and modulo a power of two |
//! | [`powmod`](mod@powmod) | powers modulo any number |
//! | [`Products`], [`Scratch`] | ways to multiply; the memory of all these, one per thread |

pub mod barrett;
pub mod div;
pub mod gcd;
pub mod isqrt;
pub mod jacobi;
pub mod modinv;
pub mod modinv2k;
pub mod modulus;
pub mod montgomery;
pub(crate) mod packed;
pub mod perfect_power;
pub mod powmod;
pub mod primality;
pub(crate) mod products;
pub mod root;
pub(crate) mod scratch;
pub mod value;
pub mod xgcd;

pub use products::{Product, Products, Schoolbook, TransformsFrom, transforms_from};
pub use scratch::Scratch;
