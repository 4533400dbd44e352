//! Kernels of polynomials, or of sorting, with the buffers that they pass on: what a device runs.

use crate::kernel::Kernel;

use super::PolyKernel;

/// What a kernel reads. Unlike a program of integers ([`Source`](crate::Source)), one of polynomials has neither planes nor buffers of one
/// instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PolySource {
    /// An operand of the program.
    Input(usize),
    /// A buffer that an earlier launch has written.
    Buffer(usize),
    /// Words that are the same for all instances ([`PolyProgram::tables`]).
    Table(usize),
}

/// Where a kernel writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PolySink {
    /// The result of the program.
    Result,
    /// A buffer.
    Buffer(usize),
}

/// A launch of one of the kernels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PolyLaunch {
    /// Which kernel, an index of [`PolyProgram::kernels`].
    pub kernel: usize,
    /// What it reads, in the order of its parameters.
    pub inputs: Vec<PolySource>,
    /// What it writes.
    pub output: PolySink,
    /// Its instances for each instance of the program.
    pub repeats: u32,
}

/// Launches over buffers. Sizes are words of 32 bits of one instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PolyProgram {
    /// The kernels; one may be launched many times.
    pub kernels: Vec<Kernel>,
    /// In their order.
    pub launches: Vec<PolyLaunch>,
    /// What kernels read besides.
    pub tables: Vec<Vec<u32>>,
    /// The buffers between launches.
    pub buffers: Vec<u64>,
    /// The operands.
    pub input_words: Vec<u64>,
    /// The result.
    pub result_words: u64,
}

impl PolyProgram {
    /// Nothing, of operands of these sizes.
    pub(crate) const fn new(input_words: Vec<u64>) -> Self {
        Self {
            kernels: vec![],
            launches: vec![],
            tables: vec![],
            buffers: vec![],
            input_words,
            result_words: 0,
        }
    }

    /// Adds a kernel, to be launched, unless it is there.
    pub(crate) fn kernel(&mut self, kernel: Kernel) -> usize {
        place(&mut self.kernels, kernel)
    }

    /// Adds what kernels read, unless it is there.
    pub(super) fn table(&mut self, table: Vec<u32>) -> PolySource {
        PolySource::Table(place(&mut self.tables, table))
    }

    /// What the last launch wrote, or the first operand.
    pub(super) fn last(&self) -> PolySource {
        match self.launches.last().map(|launch| launch.output) {
            Some(PolySink::Buffer(i)) => PolySource::Buffer(i),
            _ => PolySource::Input(0),
        }
    }

    /// Adds a launch, which writes so many words an instance of the program. It reads what it is given and writes the
    /// buffer that the last launch did not write.
    pub(super) fn launch(&mut self, kernel: usize, inputs: Vec<PolySource>, repeats: u32, out_words: u64) {
        let output = if self.last() == PolySource::Buffer(0) { 1 } else { 0 };
        self.launch_to(output, kernel, inputs, repeats, out_words);
    }

    /// As [`launch`](Self::launch), into this buffer.
    pub(crate) fn launch_to(
        &mut self,
        output: usize,
        kernel: usize,
        inputs: Vec<PolySource>,
        repeats: u32,
        out_words: u64,
    ) {
        self.buffers.resize(self.buffers.len().max(output + 1), 0);
        self.buffers[output] = self.buffers[output].max(out_words);
        self.result_words = out_words;
        self.launches.push(PolyLaunch { kernel, inputs, output: PolySink::Buffer(output), repeats });
    }

    /// What the last launch writes is the result.
    pub(crate) fn finished(mut self) -> Self {
        if let Some(last) = self.launches.last_mut() {
            last.output = PolySink::Result;
        }
        if self.launches.len() < 2 {
            self.buffers.clear();
        }
        self
    }
}

/// Where in the list it is, at the end if it was not there.
fn place<T: PartialEq>(all: &mut Vec<T>, one: T) -> usize {
    all.iter().position(|known| *known == one).unwrap_or_else(|| {
        all.push(one);
        all.len() - 1
    })
}

/// Words of 32 bits that a kernel writes for each instance, with residues of so many words.
pub(super) const fn out_words(kernel: &PolyKernel, residue_words: u32) -> u64 {
    kernel.out_terms * residue_words as u64
}
