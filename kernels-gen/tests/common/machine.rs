//! Programs on the emulator, chunk by chunk.

use limbforge_emulate::{Compiler, Emulated, Schedule};
use limbforge_kernels_gen::{Limits, Program, Sink};

use super::launch::{bytes_written, read};

/// A program with its kernels built for the emulator.
pub(crate) struct Machine<'p> {
    program: &'p Program,
    kernels: Vec<Emulated>,
    tables: Vec<Vec<u32>>,
}

impl<'p> Machine<'p> {
    pub(crate) fn new(compiler: &Compiler, program: &'p Program) -> Self {
        let kernels = program.render(&Limits::SM_90).unwrap();
        let build = |kernel| Emulated::build(compiler, kernel).unwrap();
        let tables = (0..program.tables.len()).map(|table| program.table_words(table)).collect();
        Self { program, kernels: kernels.iter().map(build).collect(), tables }
    }

    /// The result of the instances, as a GPU computes it: uniform launches, then chunk after chunk of so many instances. Launch i of
    /// a chunk runs in the order `schedule(i)`.
    pub(crate) fn run(
        &self,
        inputs: &[&[u32]],
        instances: usize,
        chunk: usize,
        schedule: impl Fn(usize) -> Schedule,
    ) -> Vec<u32> {
        let program = self.program;
        let mut memory = [vec![vec![]; program.buffers.len()], vec![vec![]; program.uniforms.len()]];
        let mut result = vec![];
        self.launch(inputs, &mut memory, &mut result, (true, 1), &schedule);
        for first in (0..instances).step_by(chunk) {
            let count = chunk.min(instances - first);
            let part = |(input, &words): (&&'_ [u32], &u64)| match words as usize {
                0 => input.to_vec(),
                words => input[first * words..][..count * words].to_vec(),
            };
            let parts: Vec<Vec<u32>> = inputs.iter().zip(&program.input_words).map(part).collect();
            let parts: Vec<&[u32]> = parts.iter().map(|part| &**part).collect();
            self.launch(&parts, &mut memory, &mut result, (false, count), &schedule);
        }
        result
    }

    fn launch(
        &self,
        inputs: &[&[u32]],
        [buffers, uniforms]: &mut [Vec<Vec<u32>>; 2],
        result: &mut Vec<u32>,
        (uniform, instances): (bool, usize),
        schedule: &impl Fn(usize) -> Schedule,
    ) {
        let launches = self.program.launches.iter().enumerate();
        for (i, launch) in launches.filter(|(_, launch)| launch.is_uniform() == uniform) {
            let read = read(launch, instances, |i| inputs[i], [buffers, uniforms, &self.tables]);
            let (bytes, count) = (
                bytes_written(self.program, launch, instances),
                instances as u64 * u64::from(launch.repeats),
            );
            let written = self.kernels[launch.kernel].run(&read, bytes, count, schedule(i)).unwrap();
            let words = written.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().unwrap()));
            match launch.output {
                Sink::Result => result.extend(words),
                Sink::Buffer(i) => buffers[i] = words.collect(),
                Sink::Uniform(i) => uniforms[i] = words.collect(),
            }
        }
    }
}
