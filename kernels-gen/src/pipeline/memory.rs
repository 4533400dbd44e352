//! The memory of a program: buffers that later launches use again, and the instances that pass through all
//! launches before the next ones do.

use limbforge_limb::Layout;

use super::{Launch, Program, ProgramKernel, ProgramSpec, Sink, Source};

/// Words of the buffers of a chunk: many waves, so that tails do not count, but few beside a GPU's memory.
const CHUNK_WORDS: u64 = (512 << 20) / 4;
/// The same for wide divisions (`docs/div_newton.md`) and tables of powers (`docs/modmul_rns.md`), of which 512 MiB
/// would be less than a wave.
const LARGE_CHUNK_WORDS: u64 = 4 * CHUNK_WORDS;
/// Blocks of the largest grid.
const MOST_BLOCKS: u64 = (1 << 31) - 1;

/// The chunk of an expression. An interleaved batch is not cut.
pub(super) fn chunk_of_expression(program: &Program, spec: &ProgramSpec) -> u64 {
    let mut layouts = spec.inputs.iter().map(|input| input.layout).chain([spec.output]);
    if program.buffer_words() == 0 || layouts.any(|layout| layout == Layout::Interleaved) {
        return u64::MAX;
    }
    let large =
        |kernel: &ProgramKernel| matches!(kernel, ProgramKernel::DivNewton(_) | ProgramKernel::Rendered(_));
    whole(
        if program.kernels.iter().any(large) { LARGE_CHUNK_WORDS } else { CHUNK_WORDS }
            / program.buffer_words(),
    )
}

impl Program {
    /// The output of the last launch becomes the result.
    pub(crate) fn finished(mut self) -> Self {
        if let Some(last) = self.launches.last_mut() {
            last.outputs = vec![Sink::Result(0)];
        }
        if self.launches.len() < 2 {
            self.buffers.clear();
        }
        self.chunk = of_any_batches(&self);
        self
    }
}

/// The chunk of a program whose batches lie instance by instance, within memory and the largest grid.
fn of_any_batches(program: &Program) -> u64 {
    let by_grid = program.launches.iter().filter_map(|launch| match program.kernel(launch) {
        ProgramKernel::Rendered(kernel) => {
            Some(MOST_BLOCKS / (u64::from(kernel.geometry.planes) * u64::from(launch.repeats)).max(1))
        }
        _ => None,
    });
    let by_memory = CHUNK_WORDS.checked_div(program.buffer_words());
    by_grid.chain(by_memory).min().map_or(u64::MAX, whole)
}

/// Four instances of any number of words are whole vectors of 16 bytes, which kernels write.
fn whole(instances: u64) -> u64 {
    (instances / 4 * 4).max(4)
}

/// Lets the launches, whose buffers have `words` each, share fewer buffers; returns the words of those.
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
        for output in &mut launch.outputs {
            let Sink::Buffer(buffer) = output else { continue };
            // The smallest that is large enough, else the largest, which grows.
            free.sort_by_key(|&slot| shared[slot]);
            let fits = free.iter().position(|&slot| shared[slot] >= words[*buffer]);
            let slot = fits.or(free.len().checked_sub(1)).map_or(shared.len(), |at| free.remove(at));
            shared.resize(shared.len().max(slot + 1), 0);
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
