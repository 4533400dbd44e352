//! The many-core machine model: the predicted cost of a kernel, and its best program parameter.
//!
//! The model is that of Haque, Moreno Maza and Xie, "A Many-core Machine Model for Designing Algorithms with
//! Minimum Parallelism Overheads" (2014). Numbers in parentheses are its equations. A machine has
//! multiprocessors with a local memory of Z words and moves a word between local and global memory in U local
//! operations. A program is a graph of kernels, a kernel a number of thread blocks. A program has a work W
//! (local operations), a span S (those of the longest chain of threads) and an overhead O (time in which
//! blocks move words). Its graph has N blocks, L kernels on the longest path and K blocks that may run at
//! once. With C, the time of the slowest block, [`Measures`] bounds the time.
//!
//! | module | contents |
//! | --- | --- |
//! | [`machine`] | the machine: given, from a device's figures, or fitted to measured times |
//! | [`measures`] | W, S, O, N, L, K and C, and the bounds of Theorem 1 and Corollary 1 |
//! | [`dag`] | the same from a graph of kernels |
//! | [`division`], [`gcd`], [`multiplication`], [`radix_sort`] | the formulas of the four applications |
//! | [`refined`] | a refined time that also counts lanes, launches, waits and bandwidth |
//! | [`application`] | one interface to the four: the parameters that fit, and the best one |
//!
//! Formulas are the paper's, without rounding up of blocks, in terms n and m of the polynomials. Where the
//! paper contradicts itself, the page of the application states the derived version (`docs/model.md`).

pub mod application;
pub mod dag;
pub mod division;
mod error;
pub mod gcd;
pub mod machine;
pub mod measures;
pub mod multiplication;
pub mod radix_sort;
pub mod refined;

pub use application::{Application, Choice};
pub use dag::{Kernel, KernelDag};
pub use error::ModelError;
pub use machine::Machine;
pub use measures::Measures;
pub use refined::Refinement;
