//! A program with loops on a device: one kernel of its whole tape, launched at its entries.

mod launch;
mod lists;
mod memory;

use limbforge_kernels_gen::program::{TapeKernel, TapeSpec};

pub use self::launch::TapeLaunch;
use self::lists::COUNTER_BYTES;
pub use self::memory::TapeMemory;
use crate::compiler::Compiler;
use crate::device::Device;
use crate::error::GpuError;
use crate::kernel::LoadedKernel;
use crate::program::MARK_BYTES;

/// Bytes of an instance in a list of instances, which may have a gap for each.
const LISTED_BYTES: u64 = 8;

/// The kernel of a program, compiled, loaded and ready to run on one device.
#[derive(Debug)]
pub struct LoadedTape {
    kernel: LoadedKernel,
    tape: TapeKernel,
    inputs: Vec<InputBytes>,
    /// Bytes of an instance in each result.
    results: Vec<u64>,
    /// Bytes of an instance in the largest state.
    state: u64,
    /// Bytes of a row of each list.
    lists: Vec<u64>,
}

/// The size of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct InputBytes {
    /// Of an instance, or of the one for all.
    bytes: u64,
    one_for_all: bool,
}

impl InputBytes {
    const fn of(self, instances: u64) -> u64 {
        if self.one_for_all { self.bytes } else { self.bytes.saturating_mul(instances) }
    }
}

impl Device {
    /// Compiles a program's kernel for this device, unless the compiler's cache has it, and loads it. `tape` is
    /// that of `spec`, rendered for the limits of this device: this cannot be checked.
    ///
    /// ```no_run
    /// use limbforge_gpu::{Compiler, Device};
    /// use limbforge_kernels_gen::program::{Entry, TapeSpec, render};
    /// # fn example(spec: &TapeSpec<'_>) -> Result<(), Box<dyn std::error::Error>> {
    /// let (device, compiler) = (Device::open(0)?, Compiler::from_environment()?);
    /// let loaded = device.load_tape(&compiler, spec, render(spec, &device.info().limits())?)?;
    /// let mut memory = device.tape_memory(&loaded, 1000)?;
    /// memory.set_input(0, &[5_u64; 1000])?;
    /// device.run_tape(&loaded, &mut memory, (Entry::Whole, 0, 0), 1000)?;
    /// let mut result = [0_u64; 1000];
    /// memory.result(0, &mut result)?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`GpuError::Nvrtc`] if the kernel does not compile, [`GpuError::Refused`] if the driver does not take what
    /// was compiled, [`GpuError::SharedMemory`] and [`GpuError::Threads`] if this device lacks the required
    /// resources, [`GpuError::Inputs`] and [`GpuError::Outputs`] if `tape` is that of another specification.
    pub fn load_tape(
        &self,
        compiler: &Compiler,
        spec: &TapeSpec<'_>,
        tape: TapeKernel,
    ) -> Result<LoadedTape, GpuError> {
        let (inputs, results) = (spec.program.inputs(), spec.program.results());
        let entry = || tape.kernel.entry.clone();
        // Behind the inputs are the state and the control words, behind the results the next state.
        let (expected, found) = (tape.kernel.inputs.len(), inputs.len() + 2);
        if expected != found || spec.inputs.len() != inputs.len() {
            return Err(GpuError::Inputs { entry: entry(), expected, found });
        }
        // And the rows and the counters of lists.
        let of_lists = if tape.lists.is_empty() { 0 } else { 2 };
        let (expected, found) = (tape.kernel.outputs, results.len() + 1 + of_lists);
        if expected != found {
            return Err(GpuError::Outputs { entry: entry(), expected, found });
        }
        let bytes = |words: u32, elements: u32| 4 * u64::from(words) * u64::from(elements);
        let inputs = inputs.iter().zip(&spec.inputs).map(|(input, form)| InputBytes {
            bytes: bytes(form.limb.instance_words(input.ty), input.elements),
            one_for_all: form.one_for_all,
        });
        let results =
            results.iter().map(|result| bytes(spec.limb.instance_words(result.ty), result.elements));
        // The last stage leaves results in place of a state.
        let stages = 0..tape.states.len().saturating_sub(1);
        let state = stages.map(|stage| 4 * u64::from(tape.state_words(stage))).max().unwrap_or(0);
        let (inputs, results) = (inputs.collect(), results.collect());
        let lists = tape.lists.iter().map(|list| 4 * u64::from(list.row)).collect();
        Ok(LoadedTape { kernel: self.kernel(compiler, &tape.kernel)?, tape, inputs, results, state, lists })
    }

    /// Errors unless the memory is of this device and holds so many instances of the program.
    fn check_tape(&self, tape: &LoadedTape, memory: &TapeMemory, instances: u64) -> Result<(), GpuError> {
        if !tape.kernel.is_on(self) {
            return Err(GpuError::OtherDevice { what: format!("kernel {}", tape.kernel.entry()) });
        }
        let (entry, found) = (tape.kernel.entry(), memory.inputs.len());
        if tape.inputs.len() != found {
            return Err(GpuError::Inputs { entry: entry.to_owned(), expected: tape.inputs.len(), found });
        }
        let found = memory.results.len();
        if tape.results.len() != found {
            return Err(GpuError::Outputs { entry: entry.to_owned(), expected: tape.results.len(), found });
        }
        let inputs = memory.inputs.iter().zip(&tape.inputs);
        let inputs = inputs.map(|(buffer, input)| (buffer, "an input", input.of(instances)));
        let state = tape.state.saturating_mul(instances);
        let states = memory.states.iter().map(|buffer| (buffer, "a state", state));
        let results = memory.results.iter().zip(&tape.results);
        let results = results.map(|(buffer, bytes)| (buffer, "a result", bytes.saturating_mul(instances)));
        let (expected, found) = (tape.lists.len(), memory.rooms.len());
        if expected != found {
            return Err(GpuError::Outputs { entry: entry.to_owned(), expected, found });
        }
        let lists = [
            (&memory.rows, "the rows of lists", tape.list_bytes(&memory.rooms)),
            (&memory.counters, "the counters of lists", COUNTER_BYTES * expected as u64),
        ];
        let marks = (&memory.marks, "the marks", MARK_BYTES.saturating_mul(instances));
        for (buffer, what, expected) in inputs.chain(states).chain(results).chain([marks]).chain(lists) {
            if buffer.context() != self.context() {
                return Err(GpuError::OtherDevice { what: what.to_owned() });
            }
            buffer.check(what, expected)?;
        }
        Ok(())
    }
}

impl LoadedTape {
    /// Its entries, places and states.
    #[must_use]
    pub const fn tape(&self) -> &TapeKernel {
        &self.tape
    }

    /// The kernel.
    #[must_use]
    pub const fn kernel(&self) -> &LoadedKernel {
        &self.kernel
    }

    /// Bytes of the memory that holds so many instances.
    #[must_use]
    pub fn memory_bytes(&self, instances: u64) -> u64 {
        let inputs = self.inputs.iter().map(|input| input.of(instances));
        let listed = if self.tape.takes_open() { LISTED_BYTES } else { 0 };
        let of_one = [2 * self.state, MARK_BYTES, listed].into_iter().chain(self.results.iter().copied());
        let others = of_one.map(|bytes| bytes.saturating_mul(instances));
        inputs.chain(others).fold(0, u64::saturating_add)
    }
}
