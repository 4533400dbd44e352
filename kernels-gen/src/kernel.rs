//! The source and the launch of a kernel; the kinds of kernels.

pub(crate) mod expression;
pub(crate) mod modmul_fold;
pub(crate) mod modmul_rns;
pub mod newton;
pub(crate) mod ntt;
pub mod tensor;

use crate::template::ENTRY;

/// The launch of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Geometry {
    /// Threads of a block, a multiple of 32, at most 1024.
    pub threads: u32,
    /// IPB: instances that a block computes.
    pub instances: u32,
    /// Blocks of the same instances, such as one per prime: the grid has `ceil(N / instances) * planes`.
    pub planes: u32,
    /// Dynamic shared memory of a block in bytes.
    pub shared_bytes: u32,
}

/// The estimated resources of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Block {
    pub(crate) geometry: Geometry,
    /// Blocks of a multiprocessor for which the compiler is asked to save registers.
    pub(crate) wanted: u32,
    /// Registers of a thread, without that request.
    pub(crate) registers: u32,
    /// Barriers of a block from its start to its end.
    pub(crate) barriers: u32,
}

/// A rendered kernel.
///
/// Its source is complete: it includes nothing and needs no macro. It declares one entry point
///
/// ```text
/// extern "C" __global__ void ENTRY(const unsigned* in0, ..., const unsigned* inK, unsigned* out,
///                                  unsigned* marks, unsigned long long instances)
/// ```
///
/// with one pointer for each of [`inputs`](Kernel::inputs), then the result or one pointer for each of several
/// [`outputs`](Kernel::outputs), then, if the kernel has [`marks`](Kernel::marks), those, then N. All buffers are limbs as they lie in a batch, aligned to 16
/// bytes; N may be any number from 1 on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kernel {
    /// CUDA C++.
    pub source: String,
    /// Name of the entry point.
    pub entry: String,
    /// Names of the operands in the order of the kernel's parameters.
    pub inputs: Vec<String>,
    /// Its launch.
    pub geometry: Geometry,
    /// Whether instances may have no result, as in a division by zero: the kernel sets their words to 1, or
    /// in a program of several results the bit of each result that they lack.
    pub marks: bool,
    /// The number of results.
    pub outputs: usize,
    /// Outputs that begin as zeros, the last ones: counters.
    pub zeroed: usize,
}

impl Kernel {
    pub(crate) fn new(source: String, inputs: Vec<String>, geometry: Geometry, marks: bool) -> Self {
        Self { source, entry: ENTRY.to_owned(), inputs, geometry, marks, outputs: 1, zeroed: 0 }
    }

    /// The last of its outputs begin as zeros.
    pub(crate) fn with_zeroed(self, zeroed: usize) -> Self {
        Self { zeroed, ..self }
    }

    pub(crate) fn with_outputs(self, outputs: usize) -> Self {
        Self { outputs, ..self }
    }

    /// So many blocks of the same instances.
    pub(crate) fn with_planes(mut self, planes: u32) -> Self {
        self.geometry.planes = planes;
        self
    }
}

/// The parameters of results with these names.
pub(crate) fn out_parameters(names: &[String]) -> String {
    names.iter().map(|name| format!("unsigned* __restrict__ {name}, ")).collect()
}

impl Geometry {
    /// Blocks of the grid for N instances.
    #[must_use]
    pub const fn blocks(&self, instances: u64) -> u64 {
        instances.div_ceil(self.instances as u64) * self.planes as u64
    }
}
