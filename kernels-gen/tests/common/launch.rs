//! What a launch of a program reads and writes.

use limbforge_kernels_gen::{Launch, Program, Sink, Source};

/// The words of the launch's sources, for so many instances: of operands, and of buffers, uniform buffers and tables.
pub(crate) fn read<'a>(
    launch: &Launch,
    instances: usize,
    input: impl Fn(usize) -> &'a [u32],
    [buffers, uniforms, tables]: [&'a [Vec<u32>]; 3],
) -> Vec<&'a [u8]> {
    let words = launch.inputs.iter().map(|source| match *source {
        Source::Input(i) => input(i),
        Source::Buffer(i) => &buffers[i],
        Source::Plane { buffer, first, words } => {
            &buffers[buffer][first as usize * instances..][..words as usize * instances]
        }
        Source::Uniform { buffer, first, words } => &uniforms[buffer][first as usize..][..words as usize],
        Source::Table(i) => &tables[i],
    });
    words.map(bytemuck::cast_slice).collect()
}

/// The bytes that the launch writes for so many instances.
pub(crate) fn bytes_written(program: &Program, launch: &Launch, instances: usize) -> usize {
    let words = match launch.output {
        Sink::Result => program.result_words,
        Sink::Buffer(i) => program.buffers[i],
        Sink::Uniform(i) => program.uniforms[i],
    };
    4 * words as usize * instances
}
