//! Launches over lists of instances: others keep what they have.

use limbforge_kernels_gen::program::NO_INSTANCE;

use super::*;

/// What the emulator leaves where a kernel writes nothing.
const UNWRITTEN: u32 = 0xa5a5_a5a5;

impl OnEmulator {
    pub(super) fn note(&self, entry: Entry, open: &[u32], threads: usize) {
        let mut noted = self.lists_and_threads.lock().unwrap();
        if matches!(entry, Entry::Rounds(_)) {
            noted.0 += usize::from(!open.is_empty());
            noted.1 += threads;
        }
        let instances = open.iter().filter(|&&instance| instance != NO_INSTANCE);
        assert!(instances.clone().collect::<std::collections::BTreeSet<_>>().len() == instances.count());
    }

    /// Instances that a launch does not compute keep their words of the next state.
    pub(super) fn keep_state(&self, stage: Option<usize>, others: &[usize], were: &[u32], state: &mut [u32]) {
        let Some(stage) = stage else { return };
        let instances = state.len() / self.tape.state_words(stage) as usize;
        for &i in others {
            let planes = self.tape.states[stage].iter();
            let planes = planes.map(|plane| (plane.before as usize * instances, plane.words as usize));
            for (first, words) in [(0, 1)].into_iter().chain(planes) {
                let range = first + i * words..first + (i + 1) * words;
                assert!(
                    state[range.clone()].iter().all(|&word| word == UNWRITTEN),
                    "instance {i} is not in the list"
                );
                // A stage that begins in parts has no state yet.
                match were.get(range.clone()) {
                    Some(were) => state[range].copy_from_slice(were),
                    None => state[range].fill(0),
                }
            }
        }
    }

    /// And their results.
    pub(super) fn keep_results(&self, others: &[usize], results: &mut [Vec<u64>]) {
        for (k, (output, limbs)) in self.program.results().iter().zip(results).enumerate() {
            let each = output.elements as usize * output.ty.limbs::<u64>();
            for word in others.iter().flat_map(|i| i * each..(i + 1) * each) {
                assert_eq!(limbs[word] as u32, UNWRITTEN);
                limbs[word] = self.results.get(k).and_then(|limbs| limbs.get(word)).copied().unwrap_or(0);
            }
        }
    }
}
