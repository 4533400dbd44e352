//! The many-core machine model: what a kernel costs, and which program parameter makes it cheap.
//!
//! The model is that of Haque, Moreno Maza and Xie, "A Many-core Machine Model for Designing Algorithms with
//! Minimum Parallelism Overheads" (2014). Numbers in parentheses are its equations. A machine has
//! multiprocessors with a local memory of Z words and moves a word between local and global memory in U local
//! operations. A program is a graph of kernels, a kernel a number of thread blocks. Of a program there is its
//! work W (local operations), its span S (those of the longest chain of threads) and its overhead O (time
//! that blocks move words); of its graph the blocks N, the kernels L of the longest path and the blocks K
//! that may run at once. With C, the time of the slowest block, [`Measures`] bounds the time.
//!
//! | module | what it is |
//! | --- | --- |
//! | [`machine`] | the machine: given, from a device's figures, or fitted to measured times |
//! | [`measures`] | W, S, O, N, L, K and C, and the bounds of Theorem 1 and Corollary 1 |
//! | [`dag`] | the same from a graph of kernels |
//! | [`division`], [`gcd`], [`multiplication`], [`radix_sort`] | the formulas of the four applications |
//! | [`refined`] | what the machine lacks, beside the paper's bound: lanes, launches, waits, bandwidth |
//! | [`application`] | one interface to the four: which parameters fit, which is best |
//!
//! Formulas are the paper's, without rounding up of blocks, in terms n and m of the polynomials; where the
//! paper contradicts itself the page of the application says so and which version is derived here.
//! `docs/model.md` has all of them.

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
mod refinement;

pub use application::{Application, Choice};
pub use dag::{Kernel, KernelDag};
pub use error::ModelError;
pub use machine::Machine;
pub use measures::Measures;
pub use refinement::Refinement;
