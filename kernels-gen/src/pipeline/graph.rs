//! A program as data: kernels, launches, buffers.

use super::kernel::ProgramKernel;
use crate::kernel::Kernel;
use crate::ntt::{ProductPlan, product_tables};
use crate::spec::{Limits, SpecError};

/// Launches over buffers. Sizes are words of 32 bits of one instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The kernels, each of which may be launched many times.
    pub kernels: Vec<ProgramKernel>,
    /// The launches in the order in which they run.
    pub launches: Vec<Launch>,
    /// The constants that kernels read.
    pub tables: Vec<Table>,
    /// The buffers between launches.
    pub buffers: Vec<u64>,
    /// The uniform buffers, of one instance each, for values that are the same for all instances. The
    /// launches with [`Sink::Uniform`] fill them once, before the first chunk.
    pub uniforms: Vec<u64>,
    /// Instances that pass through all launches before the next ones do, so that the buffers stay small: a
    /// multiple of 4, which cuts all batches at multiples of 16 bytes. `u64::MAX` if a batch must not be cut.
    pub chunk: u64,
    /// Buffers have room for whole groups of so many instances, which kernels may fill.
    pub group: u64,
    /// The operands; 0 for one that is the same for all instances.
    pub input_words: Vec<u64>,
    /// The results.
    pub result_words: Vec<u64>,
}

/// A launch of one of the kernels.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Launch {
    /// The kernel, an index of [`Program::kernels`].
    pub kernel: usize,
    /// The sources of its parameters, in their order.
    pub inputs: Vec<Source>,
    /// The places of its results.
    pub outputs: Vec<Sink>,
    /// Instances of the kernel for each instance of the program.
    pub repeats: u32,
}

/// The source of a kernel's parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// An operand of the program.
    Input(usize),
    /// A buffer that an earlier launch has filled.
    Buffer(usize),
    /// A plane of a buffer that holds several, each with all instances.
    Plane {
        /// The buffer.
        buffer: usize,
        /// Words of 32 bits per instance of the planes before it, a multiple of 4: for N instances it begins
        /// at word `first * N`.
        first: u64,
        /// Words of 32 bits per instance of this one.
        words: u64,
    },
    /// A uniform buffer ([`Program::uniforms`]), from a word on.
    Uniform {
        /// The buffer.
        buffer: usize,
        /// Words of 32 bits before the ones that are read, a multiple of 4.
        first: u64,
        /// Words of 32 bits that are read.
        words: u64,
    },
    /// Constants ([`Program::tables`]).
    Table(usize),
}

/// The place of one of a launch's results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sink {
    /// A result of the program.
    Result(usize),
    /// A buffer.
    Buffer(usize),
    /// A uniform buffer ([`Program::uniforms`]): the kernel is launched once, for one instance. It reads
    /// uniform buffers, tables, and operands that are the same for all instances.
    Uniform(usize),
}

/// Constants, the same for all instances.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Table {
    /// The factors of an integer product's transforms.
    Product(Box<ProductPlan>),
    /// The words themselves.
    Words(Vec<u32>),
}

impl Source {
    /// A plane of a buffer: `words` words per instance after the first ones.
    pub(super) const fn plane(self, first: u64, words: u64) -> Self {
        match self {
            Self::Buffer(buffer) => Self::Plane { buffer, first, words },
            Self::Uniform { buffer, .. } => Self::Uniform { buffer, first, words },
            other => other,
        }
    }
}

impl Launch {
    /// Whether it runs once, for one instance, before the first chunk.
    #[must_use]
    pub fn is_uniform(&self) -> bool {
        self.outputs.iter().any(|output| matches!(output, Sink::Uniform(_)))
    }
}

impl Program {
    /// Most results of a program: a word of 32 bits says which of them an instance lacks.
    pub const MOST_RESULTS: usize = 32;

    /// The kernel of a launch.
    #[must_use]
    pub fn kernel(&self, launch: &Launch) -> &ProgramKernel {
        &self.kernels[launch.kernel]
    }

    /// The kernels of the launches, in the order in which they run.
    pub fn launched(&self) -> impl Iterator<Item = &ProgramKernel> {
        self.launches.iter().map(|launch| self.kernel(launch))
    }

    /// Whether a device with these limits runs the kernels.
    ///
    /// # Errors
    /// [`SpecError`] if one of them does not fit it.
    pub fn check(&self, limits: &Limits) -> Result<(), SpecError> {
        self.kernels.iter().try_for_each(|kernel| kernel.block(limits).map(|_| ()))
    }

    /// The [`kernels`](Self::kernels) as CUDA C++, for a device with these limits.
    ///
    /// # Errors
    /// [`SpecError`] if one of them does not fit the device.
    pub fn render(&self, limits: &Limits) -> Result<Vec<Kernel>, SpecError> {
        self.kernels.iter().map(|kernel| kernel.render(limits)).collect()
    }

    /// The words of a table.
    #[must_use]
    pub fn table_words(&self, table: usize) -> Vec<u32> {
        match &self.tables[table] {
            Table::Product(plan) => product_tables(plan),
            Table::Words(words) => words.clone(),
        }
    }

    /// Words of 32 bits per instance that a launch writes to one of its places.
    #[must_use]
    pub fn words_written(&self, output: Sink) -> u64 {
        match output {
            Sink::Result(i) => self.result_words[i],
            Sink::Buffer(i) => self.buffers[i],
            Sink::Uniform(i) => self.uniforms[i],
        }
    }

    /// Words of 32 bits per instance that the buffers between launches take.
    #[must_use]
    pub fn buffer_words(&self) -> u64 {
        self.buffers.iter().sum()
    }
}
