//! Exact integer algorithms, expressions over batches, and the CPU backend.
//!
//! | module | contents |
//! | --- | --- |
//! | [`expr`] | expressions: operators, parser, graph with common subexpressions merged |
//! | [`op`] | operations: the table of all, and their values on the CPU |
//! | [`cpu`] | expressions and programs over batches on all cores |
//! | [`fill`] | batches of constants, counters and random integers |
//! | [`integer`] | integers on the CPU: division, gcd, roots, powers, primality, moduli; [`NumberTheory`] |
//! | [`modmul_fold`] | products and powers modulo one N for many instances, with a proof of the bounds |
//! | [`modmul_rns`] | products and powers modulo N in residue number systems, with a proof of the bounds |
//! | [`sequence`] | rounds of products of sums modulo N: what both of them run for loops of programs |
//! | [`transform`] | number-theoretic transforms on the CPU, and the integer product by them |
//! | [`poly`] | polynomials over prime fields: product, division, greatest common divisor |
//! | [`block`] | the algorithms of a CUDA thread block: the executable specification of the kernels |
//! | [`model`] | the many-core machine model: predicted cost of a kernel, and its best parameter |

pub mod cpu;
pub mod expr;
pub mod fill;
pub mod op;
pub mod program;

pub mod integer;
pub mod modmul_fold;
pub mod modmul_rns;
pub mod sequence;
pub mod transform;

pub mod poly;

pub mod block;

pub mod model;

mod vector;

mod invariant;
mod lexer;

pub use integer::value::{NumberTheory, RootError, Xgcd};

/// The program on the page of the package is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
