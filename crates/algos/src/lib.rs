//! Block algorithms, expressions and the CPU backend.
//!
//! Block algorithms ([`add`], [`sub`], [`cmp`](mod@cmp), [`shift`], [`bits`], [`mul_classical`], `div::block`) run
//! in the steps of a GPU's thread block and specify the kernels. On the CPU, sums, shifts, products and
//! schoolbook division are those of [`limbforge_limb::slice`].
//!
//! | module | what it is |
//! | --- | --- |
//! | [`expr`] | expressions: operators, parser, graph with common subexpressions merged |
//! | [`op`] | operations: the table of all, and their values on the CPU |
//! | [`cpu`] | expressions over batches on all cores |
//! | [`block`] | the model of a thread block: instances, threads, warps, shared memory |
//! | [`add`] | addition: by scan, by ballots, with deferred carries |
//! | [`sub`] | subtraction and negation |
//! | [`cmp`](mod@cmp) | comparison, unsigned and two's complement |
//! | [`shift`] | shifts and rotations, by a number of bits for all instances or for each |
//! | [`bits`] | bitwise operations, selection, minimum and maximum, counts of bits |
//! | [`barrett`](mod@barrett), [`montgomery`](mod@montgomery) | reduction modulo any number, and modulo an odd one |
//! | [`value`](mod@value) | number theory as methods of `Uint` and `Int`: [`NumberTheory`] |
//! | [`modulus`](mod@modulus) | moduli with what is computed once for each, of numbers and of slices |
//! | [`div`] | division: schoolbook, Newton's inverse from below, Watt's inverse; both in block form |
//! | [`gcd`](mod@gcd) | the greatest common divisor, by Lehmer's steps |
//! | [`xgcd`](mod@xgcd) | the greatest common divisor and its coefficients |
//! | [`jacobi`](mod@jacobi) | the Jacobi symbol |
//! | [`isqrt`] | the integer square root with remainder |
//! | [`root`](mod@root), [`perfect_power`] | the k-th root; squares and perfect powers |
//! | [`primality`] | probable primes: strong, strong Lucas, and both |
//! | [`modinv`](mod@modinv) | the inverse modulo any number |
//! | [`modinv2k`](mod@modinv2k) | the inverse modulo a power of two |
//! | [`powmod`](mod@powmod) | powers modulo any number |
//! | [`mul_classical`] | the classical product with the balanced partition |
//! | [`mul_ntt`] | the product by number-theoretic transforms, on the CPU |
//! | [`mul_tensor`] | the product by small matrices of bytes, as tensor cores compute it |
//! | [`ntt`] | number-theoretic transforms over any prime field |
//! | [`poly`] | polynomials over prime fields: product, division, greatest common divisor |
//! | [`context`] | prime fields as values: of a type, or known at run time |
//! | [`sort_radix`] | radix sort by digits of s bits |
//! | [`model`] | the many-core machine model: what a kernel costs, and which parameter is best |

pub mod add;
pub mod barrett;
pub mod bits;
pub mod block;
pub mod cmp;
pub mod context;
pub mod div;
pub mod gcd;
mod invariant;
pub mod isqrt;
pub mod jacobi;
pub mod model;
pub mod modinv;
pub mod modinv2k;
pub mod modulus;
pub mod montgomery;
pub mod mul_classical;
pub mod mul_ntt;
pub mod mul_tensor;
pub mod ntt;
pub mod perfect_power;
pub mod poly;
pub mod powmod;
pub mod primality;
pub mod root;
pub mod shift;
pub mod sort_radix;
pub mod sub;
pub mod value;
pub mod xgcd;

pub mod cpu;
pub mod expr;
pub mod op;

pub use value::{NumberTheory, RootError, Xgcd};

/// The program on the page of the package is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
