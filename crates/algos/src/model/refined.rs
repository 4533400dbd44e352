//! A refinement of the paper's machine, beside its bound and from its measures.
//!
//! Theorem 1 charges a kernel of more threads than a multiprocessor has lanes like one of a single thread,
//! charges no launch, and charges the latency of a word to every round of blocks, though a device has other
//! blocks to run meanwhile. So it prefers the largest s for divisions and gcds, where an H200 is a fifth
//! slower than with its best. The refined time is
//!
//! `L launch + S' wait + (S ceil(l / lanes) + W / (P lanes)) operation + (O / U) l word`:
//!
//! L launches; a wait in each of the dependent operations S'; the operations of the slowest chain, a block of
//! l threads taking turns on the lanes, and those of all threads on all lanes (Brent's bound); and all words
//! that all threads move. It is linear in four times, which [`Refinement::fitted`] finds. S' is S of the
//! division and the gcd, whose steps each end at a barrier; none of the sort, whose threads have independent
//! operations to go on with; and of the product half of S, as a multiplication and its addition are one
//! operation to wait for.
//!
//! A product may have fewer blocks than there are multiprocessors, or a few more, so that some have one block
//! more than others. In place of `S ceil(l / lanes) + W / (P lanes)` it takes, launch by launch, `ceil(N / P)
//! ceil(l / lanes)` times the operations of a thread, with the blocks N that are launched.

pub use super::refinement::{Counts, Refinement};

use super::machine::Machine;
use super::measures::Measures;
use super::multiplication;

impl Counts {
    /// From the measures, with so many waits and operations for each of the paper's.
    pub(super) fn of_chain(
        measures: &Measures,
        threads: u64,
        machine: &Machine,
        [waits, operations]: [f64; 2],
    ) -> Self {
        let turns = turns(threads, machine);
        let all_lanes = f64::from(machine.multiprocessors()) * machine.refinement().lanes as f64;
        Self {
            launches: measures.path,
            waits: waits * measures.span,
            operations: operations * (measures.span * turns + measures.work / all_lanes),
            words: measures.transfers * threads as f64,
        }
    }

    /// From the blocks that are launched.
    pub(super) fn of_product(n: u64, m: u64, s: u64, threads: u64, machine: &Machine) -> Self {
        let turns = turns(threads, machine);
        let mut all = Self { launches: 0.0, waits: 0.0, operations: 0.0, words: 0.0 };
        for launch in multiplication::launches(n, m, s, threads) {
            let (operations, words) = (launch.operations as f64, (launch.words * threads) as f64);
            all.launches += 1.0;
            all.waits += 0.5 * operations;
            let rounds = launch.blocks.div_ceil(machine.multiprocessors().into());
            all.operations += rounds as f64 * turns * operations;
            all.words += launch.blocks as f64 * words;
        }
        all
    }
}

/// Turns that a block's threads take on the lanes of a multiprocessor.
fn turns(threads: u64, machine: &Machine) -> f64 {
    threads.div_ceil(machine.refinement().lanes) as f64
}
