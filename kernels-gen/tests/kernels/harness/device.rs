//! Launches one after the other, as a GPU runs them: those of one instance first, then chunk after chunk the
//! others.

use std::collections::{BTreeMap, BTreeSet};

use limbforge_emulate::{Check, Emulated, Schedule};
use limbforge_kernels_gen::{Launch, Limits, Program, ProgramKernel, Sink, Source, SpecError};

use super::{built, built_with};

/// A program and its kernels, built.
pub(crate) struct Device {
    pub(crate) program: Program,
    kernels: Vec<Emulated>,
}

/// The words of the results, and the instances that have none.
pub(crate) struct Left {
    pub(crate) result: Vec<u32>,
    /// Of a program of several results all of them; `result` is the first one.
    pub(crate) results: Vec<Vec<u32>>,
    pub(crate) marked: BTreeSet<usize>,
    /// The results that they lack, as bits.
    pub(crate) marks: BTreeMap<usize, u32>,
}

/// Gets the kernel of each launch and the words that it has written.
pub(crate) type Seen<'s> = &'s mut dyn FnMut(&ProgramKernel, &[u32]);

impl Device {
    /// # Errors
    /// Those of the generator.
    pub(crate) fn new(program: Program) -> Result<Self, SpecError> {
        Self::for_limits(program, &Limits::SM_90)
    }

    /// # Errors
    /// Those of the generator.
    pub(crate) fn for_limits(program: Program, limits: &Limits) -> Result<Self, SpecError> {
        let kernels = program.render(limits)?.iter().map(built).collect();
        Ok(Self { program, kernels })
    }

    /// The same kernels with other checks.
    pub(crate) fn with_check(self, check: Check) -> Self {
        let kernels = self.kernels.iter().map(|kernel| built_with(kernel.kernel(), check)).collect();
        Self { kernels, ..self }
    }

    /// The instances of the largest block.
    pub(crate) fn block(&self) -> usize {
        self.kernels.iter().map(|kernel| kernel.kernel().geometry.instances as usize).max().unwrap_or(1)
    }

    /// The text of one of the kernels.
    pub(crate) fn source(&self, launch: usize) -> &str {
        &self.kernels[self.program.launches[launch].kernel].kernel().source
    }

    /// Runs all launches on chunks of so many instances. Several chunks are of instance-major batches.
    pub(crate) fn run(&self, inputs: &[Vec<u32>], chunks: &[usize], schedule: Schedule) -> Left {
        self.run_seen(inputs, chunks, schedule, &mut |_, _| ())
    }

    pub(crate) fn run_seen(
        &self,
        inputs: &[Vec<u32>],
        chunks: &[usize],
        schedule: Schedule,
        seen: Seen<'_>,
    ) -> Left {
        let program = &self.program;
        let mut memory = Memory {
            program,
            seen,
            tables: (0..program.tables.len()).map(|table| program.table_words(table)).collect(),
            uniforms: vec![vec![]; program.uniforms.len()],
            buffers: vec![vec![]; program.buffers.len()],
            left: Left {
                result: vec![],
                results: vec![vec![]; program.result_words.len()],
                marked: BTreeSet::new(),
                marks: BTreeMap::new(),
            },
        };
        let launches = || program.launches.iter().map(|launch| (launch, &self.kernels[launch.kernel]));
        let whole: Vec<&[u32]> = inputs.iter().map(|input| &**input).collect();
        for launch in launches().filter(|(launch, _)| launch.is_uniform()) {
            memory.launch(launch, &whole, 1, (0, schedule));
        }
        let mut first = 0;
        for &count in chunks {
            let read = |(input, words): (&&'_ [u32], &u64)| match *words as usize {
                words if words > 0 && chunks.len() > 1 => input[first * words..][..count * words].to_vec(),
                _ => input.to_vec(),
            };
            let read: Vec<Vec<u32>> = whole.iter().zip(&program.input_words).map(read).collect();
            let read: Vec<&[u32]> = read.iter().map(Vec::as_slice).collect();
            for launch in launches().filter(|(launch, _)| !launch.is_uniform()) {
                memory.launch(launch, &read, count, (first, schedule));
            }
            first += count;
        }
        memory.left.result.clone_from(&memory.left.results[0]);
        memory.left
    }
}

/// What launches have left on the device.
struct Memory<'p, 's> {
    program: &'p Program,
    seen: Seen<'s>,
    tables: Vec<Vec<u32>>,
    uniforms: Vec<Vec<u32>>,
    buffers: Vec<Vec<u32>>,
    left: Left,
}

impl Memory<'_, '_> {
    /// One launch for so many instances, of which `first` is the first one.
    fn launch(
        &mut self,
        (launch, kernel): (&Launch, &Emulated),
        inputs: &[&[u32]],
        instances: usize,
        (first, schedule): (usize, Schedule),
    ) {
        let read: Vec<&[u8]> = launch
            .inputs
            .iter()
            .map(|source| bytemuck::cast_slice(self.read(source, inputs, instances)))
            .collect();
        let repeated = instances as u64 * u64::from(launch.repeats);
        let room = |output: &Sink| match output {
            Sink::Buffer(_) => instances.next_multiple_of(self.program.group as usize),
            _ => instances,
        };
        let bytes = |output: &Sink| 4 * self.program.words_written(*output) as usize * room(output);
        let bytes: Vec<usize> = launch.outputs.iter().map(bytes).collect();
        let (outs, marks) = kernel
            .run_results(&read, &bytes, repeated, schedule)
            .unwrap_or_else(|error| panic!("{}: {error}", self.program.kernel(launch)));
        self.left.marked.extend((0..marks.len()).filter(|&i| marks[i] != 0).map(|i| first + i));
        for (i, &mark) in marks.iter().enumerate().filter(|(_, mark)| **mark != 0) {
            *self.left.marks.entry(first + i).or_default() |= mark;
        }
        for (output, out) in launch.outputs.iter().zip(outs) {
            let words =
                out.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]));
            let out: Vec<u32> = words.collect();
            (self.seen)(self.program.kernel(launch), &out);
            match *output {
                Sink::Result(i) => self.left.results[i].extend(out),
                Sink::Buffer(i) => self.buffers[i] = out,
                Sink::Uniform(i) => self.uniforms[i] = out,
            }
        }
    }

    fn read<'a>(&'a self, source: &Source, inputs: &[&'a [u32]], instances: usize) -> &'a [u32] {
        match *source {
            Source::Input(i) => inputs[i],
            Source::Buffer(i) => &self.buffers[i],
            Source::Plane { buffer, first, words } => {
                &self.buffers[buffer][first as usize * instances..][..words as usize * instances]
            }
            Source::Uniform { buffer, first, words } => {
                &self.uniforms[buffer][first as usize..][..words as usize]
            }
            Source::Table(i) => &self.tables[i],
        }
    }
}
