//! How many instances pass through all launches of a program before the next ones do.

use limbforge_limb::Layout;

use super::ProgramSpec;
use super::graph::{Program, Sink};
use super::kernel::ProgramKernel;

/// Words of the buffers between launches of a chunk: many times what a GPU computes at once, so that the last
/// blocks of a kernel, beside which others wait, do not count; few beside the memory of a GPU.
const CHUNK_WORDS: u64 = (512 << 20) / 4;

/// The same of wide divisions, of which 512 MiB are one to three thousand instances: fewer blocks than a GPU
/// holds of kernels with several instances to a block (`docs/div_newton.md`).
const DIVISION_CHUNK_WORDS: u64 = 4 * CHUNK_WORDS;

/// Blocks of the largest grid.
const MOST_BLOCKS: u64 = (1 << 31) - 1;

/// The chunk of an expression. An interleaved batch is not cut.
pub(super) fn of_expression(program: &Program, spec: &ProgramSpec) -> u64 {
    let mut layouts = spec.inputs.iter().map(|input| input.layout).chain([spec.output]);
    if program.buffer_words() == 0 || layouts.any(|layout| layout == Layout::Interleaved) {
        return u64::MAX;
    }
    let divides = program.kernels.iter().any(|kernel| matches!(kernel, ProgramKernel::DivNewton(_)));
    whole(if divides { DIVISION_CHUNK_WORDS } else { CHUNK_WORDS } / program.buffer_words())
}

impl Program {
    /// The output of the last launch becomes the result.
    pub(crate) fn finished(mut self) -> Self {
        if let Some(last) = self.launches.last_mut() {
            last.output = Sink::Result;
        }
        if self.launches.len() < 2 {
            self.buffers.clear();
        }
        self.chunk = of_any_batches(&self);
        self
    }
}

/// The chunk of a program whose batches lie instance by instance. Kernels that take many blocks for an
/// instance are also limited by the largest grid.
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
