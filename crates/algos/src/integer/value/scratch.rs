//! The memory that methods of numbers compute in: one for each thread.

use core::cell::Cell;

use crate::integer::{div, gcd, isqrt, jacobi, modinv, modulus, powmod, primality, root, xgcd};

/// The memory of all algorithms. It grows to the needs of the largest number.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    pub(crate) division: div::Scratch,
    pub(crate) gcd: gcd::Scratch,
    pub(crate) xgcd: xgcd::Scratch,
    pub(crate) inverse: modinv::Scratch,
    pub(crate) power: powmod::Scratch,
    pub(crate) residues: modulus::Scratch,
    pub(crate) isqrt: isqrt::Scratch,
    pub(crate) root: root::Scratch,
    pub(crate) primality: primality::Scratch,
    pub(crate) jacobi: jacobi::Scratch,
}

thread_local! {
    static SCRATCH: Cell<Option<Box<Scratch>>> = const { Cell::new(None) };
}

/// Runs an operation in this thread's memory; one within another, as work that is stolen meanwhile, in new
/// one.
pub(crate) fn with_scratch<T>(operation: impl FnOnce(&mut Scratch) -> T) -> T {
    SCRATCH.with(|shared| {
        let mut scratch = shared.take().unwrap_or_default();
        let result = operation(&mut scratch);
        shared.set(Some(scratch));
        result
    })
}
