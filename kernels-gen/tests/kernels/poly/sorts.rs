//! Sorting.

use limbforge_kernels_gen::sort::SortSpec;
use limbforge_kernels_gen::{Limits, SpecError};
use limbforge_needs::needs;

use super::{from_words, residues, run, to_words};

/// Few tiles and many, digits that do not divide the bits, chunks of counts that are not full, and all keys
/// equal.
#[needs(cxx)]
#[test]
fn sorts() {
    let sorted = |key_bits: u32, (n, s, threads): (u32, u32, u32), below: u64| {
        let spec = SortSpec::new(n, key_bits, s, threads).unwrap();
        // As residues modulo a number of 32 or 64 bits.
        let p = if key_bits == 32 { 1 } else { 1 << 32 };
        let mut keys = residues(3 * n as usize, below, 1);
        keys[0] = below - 1;
        let program = spec.program(&Limits::SM_90).unwrap();
        let found = from_words(&run(&program, &[&to_words(&keys, p)], 3), p);
        for (keys, found) in keys.chunks_mut(n as usize).zip(found.chunks(n as usize)) {
            keys.sort_unstable();
            assert_eq!(found, keys, "{spec}");
        }
    };
    sorted(32, (1000, 8, 32), 1 << 32);
    sorted(32, (1, 4, 32), 1 << 32);
    sorted(32, (777, 5, 64), 1 << 32);
    sorted(32, (300, 12, 32), 1);
    sorted(64, (500, 11, 32), u64::MAX);
    sorted(64, (129, 1, 32), u64::MAX);
    for (n, bits, s, threads) in
        [(0, 32, 8, 32), (1, 31, 8, 32), (1, 32, 13, 32), (1, 64, 8, 100), (1 << 30, 32, 12, 32)]
    {
        assert!(
            matches!(SortSpec::new(n, bits, s, threads), Err(SpecError::Mapping { .. })),
            "{n} {bits} {s}"
        );
    }
    let little = Limits { shared_bytes: 4 * (8192 + 8192) - 1, ..Limits::SM_75 };
    let refused = SortSpec::new(1 << 20, 64, 12, 1024).unwrap().program(&little);
    let expected = SpecError::SharedMemory { needed: 4 * (8192 + 8192), limit: little.shared_bytes };
    assert_eq!(refused, Err(expected));
}
