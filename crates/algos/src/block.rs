//! The algorithms of a CUDA thread block, const-generic over the limb B, M limbs, Q limbs per thread and IPB
//! instances per block: the executable specification of the kernels.
//!
//! | module | contents |
//! | --- | --- |
//! | [`Add`], [`MulClassical`], [`MulWide`], [`Div`], [`MulNtt`] | algorithms as types, each with one kernel: [`BlockAlgorithm`] |
//! | [`Block`], [`Registers`], [`warp`] | the model of a thread block: instances, threads, warps, shared memory |
//! | [`add`], [`sub`] | addition by scan, by ballots, with deferred carries; subtraction and negation |
//! | [`cmp`](mod@cmp) | comparison, unsigned and two's complement |
//! | [`shift`] | shifts and rotations by one count for all instances, or one count each |
//! | [`bits`] | bitwise operations, selection, minimum and maximum, bit counts |
//! | [`mul_classical`] | the classical product with the balanced partition |
//! | [`mul_tensor`] | the product by small matrices of bytes, as tensor cores compute it |
//! | [`div`] | division by Newton's inverse from below and by Watt's shifted inverse |
//! | [`sort_radix`] | radix sort by digits of s bits |

pub mod add;
mod algorithm;
mod batch;
pub mod bits;
pub mod cmp;
pub mod div;
pub mod mul_classical;
mod mul_ntt;
pub mod mul_tensor;
mod operations;
pub mod shift;
pub mod sort_radix;
pub mod sub;
mod thread_block;
pub mod warp;

pub use algorithm::{BlockAlgorithm, BlockOperation, Blocked};
pub use batch::{LengthError, map_batch, reduce_batch};
pub use mul_ntt::MulNtt;
pub use operations::{Add, Div, LowProduct, MulClassical, MulWide, Quotient, Sum, WideProduct};
pub use thread_block::{Block, Registers, Thread};
