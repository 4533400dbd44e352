//! The memory that the algorithms work in.

use core::cell::Cell;

use limbforge_limb::slice::div;

use super::modulus::constants::Ring;
use super::products::{Product, Products};

/// The memory of all algorithms on integers, and their products of machine words. It grows to the needs of
/// the largest number and is reused; one per thread.
///
/// It keeps the last long divisor with its inverse and the last modulus of a power with its constants: one
/// that comes again is not prepared again.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    pub(crate) product: Product,
    pub(crate) schoolbook: div::Scratch,
    /// Operands and results of long divisions in words.
    pub(crate) division: Vec<u64>,
    pub(crate) divisor: Vec<u64>,
    pub(crate) inverse: Vec<u64>,
    pub(crate) euclid: [Vec<u64>; 2],
    /// Two numbers and the cofactors of one of them.
    pub(crate) cofactors: [Vec<u64>; 4],
    /// Quotient and remainder of a step of Euclid's algorithm.
    pub(crate) step: [Vec<u64>; 2],
    pub(crate) square_root: Vec<u64>,
    /// Number, root and remainder in words.
    pub(crate) packed_root: [Vec<u64>; 3],
    /// A product of residues, and the room of its reduction.
    pub(crate) wide: Vec<u64>,
    pub(crate) room: Vec<u64>,
    /// Odd powers of a residue.
    pub(crate) table: Vec<u64>,
    pub(crate) last_modulus: Option<Ring>,
}

impl Products<u64> for Scratch {
    fn columns(&mut self, out: &mut [u64], a: &[u64], b: &[u64], from: usize) {
        self.product.columns(out, a, b, from);
    }
}

thread_local! {
    static SCRATCH: Cell<Option<Box<Scratch>>> = const { Cell::new(None) };
}

/// Runs an operation in this thread's memory; one within another, such as stolen work, in memory of its own.
pub(crate) fn with_scratch<T>(operation: impl FnOnce(&mut Scratch) -> T) -> T {
    SCRATCH.with(|shared| {
        let mut scratch = shared.take().unwrap_or_default();
        let result = operation(&mut scratch);
        shared.set(Some(scratch));
        result
    })
}
