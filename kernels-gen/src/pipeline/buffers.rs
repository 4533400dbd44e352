//! Buffers between kernels: one whose last reader has run makes room for a later one.

use super::{Launch, Sink, Source};

/// Gives the launches' buffers, numbered as they were made with `words` each, numbers of fewer buffers that
/// are used again; returns the words of those.
pub(super) fn share(launches: &mut [Launch], words: &[u64]) -> Vec<u64> {
    let mut last_read = vec![0; words.len()];
    for (i, launch) in launches.iter().enumerate() {
        for source in &launch.inputs {
            if let Source::Buffer(buffer) | Source::Plane { buffer, .. } = source {
                last_read[*buffer] = i;
            }
        }
    }
    let mut shared: Vec<u64> = vec![];
    let mut free: Vec<usize> = vec![];
    let mut place = vec![0; words.len()];
    for (i, launch) in launches.iter_mut().enumerate() {
        if let Sink::Buffer(buffer) = &mut launch.output {
            // The smallest that is large enough, else the largest, which grows.
            free.sort_by_key(|&slot| shared[slot]);
            let fits = free.iter().position(|&slot| shared[slot] >= words[*buffer]);
            let slot = match fits.or(free.len().checked_sub(1)) {
                Some(at) => free.remove(at),
                None => {
                    shared.push(0);
                    shared.len() - 1
                }
            };
            shared[slot] = shared[slot].max(words[*buffer]);
            place[*buffer] = slot;
            *buffer = slot;
        }
        let mut done: Vec<usize> = vec![];
        for source in &mut launch.inputs {
            if let Source::Buffer(buffer) | Source::Plane { buffer, .. } = source {
                if last_read[*buffer] == i {
                    done.push(place[*buffer]);
                }
                *buffer = place[*buffer];
            }
        }
        done.sort_unstable();
        done.dedup();
        free.extend(done);
    }
    shared
}
