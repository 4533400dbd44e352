//! The calls of `calls.c`, with lengths that are checked.
#![allow(unsafe_code, reason = "functions of C")]

use std::ffi::{CStr, c_char, c_int};
use std::marker::PhantomData;
use std::ptr::NonNull;

use crate::operation::Operation;

#[repr(C)]
struct Peers {
    _opaque: [u8; 0],
}

unsafe extern "C" {
    fn peers_new(a: *const u64, b: *const u64, c: *const u64, limbs: usize, count: usize) -> *mut Peers;
    fn peers_free(peers: *mut Peers);
    fn peers_run(peers: *mut Peers, flint: c_int, operation: c_int);
    fn peers_results(peers: *const Peers, flint: c_int, operation: c_int, out: *mut u64, limbs: usize);
    safe fn peers_seconds() -> f64;
    safe fn peers_flint_version() -> *const c_char;
    safe fn peers_gmp_version() -> *const c_char;
}

/// Another library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Library {
    Gmp,
    Flint,
}

impl Library {
    pub(crate) const ALL: [Self; 2] = [Self::Flint, Self::Gmp];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Gmp => "GMP",
            Self::Flint => "FLINT",
        }
    }

    /// The library as calls take it.
    const fn is_flint(self) -> c_int {
        matches!(self, Self::Flint) as c_int
    }

    pub(crate) fn version(self) -> String {
        let text = match self {
            Self::Gmp => peers_gmp_version(),
            Self::Flint => peers_flint_version(),
        };
        // SAFETY: both are constant strings that end in a zero.
        unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
    }
}

/// The operands of a batch as numbers of both libraries, and room for results.
#[derive(Debug)]
pub(crate) struct Batch<'a> {
    peers: NonNull<Peers>,
    limbs: usize,
    count: usize,
    operands: PhantomData<&'a [u64]>,
}

impl<'a> Batch<'a> {
    /// The operands a, b and c of `limbs` limbs each, side by side; none if memory is short.
    pub(crate) fn new(operands: [&'a [u64]; 3], limbs: usize) -> Option<Self> {
        let [a, b, c] = operands;
        assert!(limbs > 0 && !a.is_empty() && a.len().is_multiple_of(limbs), "instances of `limbs` limbs");
        assert!(a.len() == b.len() && a.len() == c.len(), "batches of one length");
        let count = a.len() / limbs;
        // SAFETY: each operand has `limbs * count` limbs, and outlives the batch.
        let peers = unsafe { peers_new(a.as_ptr(), b.as_ptr(), c.as_ptr(), limbs, count) };
        Some(Self { peers: NonNull::new(peers)?, limbs, count, operands: PhantomData })
    }

    /// Computes all instances.
    pub(crate) fn run(&mut self, library: Library, operation: Operation) {
        let peers = self.peers.as_ptr();
        // SAFETY: the batch lives and is borrowed by this call alone; the number is that of an operation.
        unsafe { peers_run(peers, library.is_flint(), operation as c_int) }
    }

    /// The results of this library's last run, side by side.
    pub(crate) fn results(&self, library: Library, operation: Operation) -> Vec<u64> {
        let limbs = operation.result_limbs(self.limbs);
        let mut out = vec![0; limbs * self.count];
        let flint = library.is_flint();
        // SAFETY: `out` has `limbs` limbs for each instance, at most as many as the results of products.
        unsafe { peers_results(self.peers.as_ptr(), flint, operation as c_int, out.as_mut_ptr(), limbs) };
        out
    }
}

impl Drop for Batch<'_> {
    fn drop(&mut self) {
        // SAFETY: nobody else has the batch.
        unsafe { peers_free(self.peers.as_ptr()) }
    }
}

/// The processor time of this thread, in seconds.
pub(crate) fn seconds() -> f64 {
    peers_seconds()
}
