//! Programs of polynomials on a device.

use limbforge_kernels_gen::poly::{PolyProgram, PolySink, PolySource};

use crate::buffer::DeviceBuffer;
use crate::compiler::Compiler;
use crate::device::Device;
use crate::error::GpuError;
use crate::launch;
use crate::module::{Footprint, LoadedKernel};

/// A program of polynomials whose kernels are compiled, loaded and ready to run on one device.
#[derive(Debug)]
pub struct LoadedPoly {
    program: PolyProgram,
    kernels: Vec<LoadedKernel>,
    tables: Vec<DeviceBuffer>,
}

/// The buffers between a program's launches, for a number of instances.
#[derive(Debug)]
pub struct PolyScratch {
    buffers: Vec<DeviceBuffer>,
}

/// Bytes of words of 32 bits.
const fn bytes(words: u64) -> u64 {
    4 * words
}

impl Device {
    /// Compiles and loads a program's kernels, each once however often it is launched and several at a time, as
    /// [`load`](Self::load) does, and uploads its tables.
    ///
    /// # Errors
    /// Those of [`load`](Self::load) and [`upload`](Self::upload).
    pub fn load_poly(&self, compiler: &Compiler, program: &PolyProgram) -> Result<LoadedPoly, GpuError> {
        self.compile_ahead(compiler, &program.kernels);
        let kernels = program.kernels.iter().map(|kernel| {
            // Launches are checked as a whole, by the program's sizes.
            let footprint = Footprint { inputs: vec![0; kernel.inputs.len()], output: 0 };
            self.load(compiler, kernel, &footprint)
        });
        let kernels = kernels.collect::<Result<_, _>>()?;
        let tables = program.tables.iter().map(|table| self.upload(table)).collect::<Result<_, _>>()?;
        Ok(LoadedPoly { program: program.clone(), kernels, tables })
    }

    /// The buffers between a program's launches on N instances.
    ///
    /// # Errors
    /// [`GpuError::OutOfMemory`] and [`GpuError::Driver`].
    pub fn poly_scratch(&self, poly: &LoadedPoly, instances: u64) -> Result<PolyScratch, GpuError> {
        let buffers = poly.program.buffers.iter();
        let buffers = buffers.map(|&words| self.alloc(bytes(words).saturating_mul(instances)));
        Ok(PolyScratch { buffers: buffers.collect::<Result<_, _>>()? })
    }

    /// Starts a program's launches on N instances, as [`run`](Self::run) starts one. After an error some may have been
    /// started.
    ///
    /// # Errors
    /// Those of [`run`](Self::run), and [`GpuError::Size`] if the scratch is for fewer instances or another program.
    pub fn run_poly(
        &self,
        poly: &LoadedPoly,
        inputs: &[&DeviceBuffer],
        scratch: &PolyScratch,
        output: &mut DeviceBuffer,
        instances: u64,
    ) -> Result<(), GpuError> {
        let program = &poly.program;
        poly.check(self, inputs.len())?;
        for (i, (buffer, &words)) in inputs.iter().zip(&program.input_words).enumerate() {
            self.check_buffer(buffer, &format!("input {i}"), bytes(words), instances)?;
        }
        for (i, &words) in program.buffers.iter().enumerate() {
            let what = format!("buffer {i} between kernels");
            let Some(buffer) = scratch.buffers.get(i) else {
                return Err(GpuError::Size { what, expected: bytes(words), found: 0 });
            };
            self.check_buffer(buffer, &what, bytes(words), instances)?;
        }
        self.check_buffer(output, "the result's buffer", bytes(program.result_words), instances)?;
        for launch in &program.launches {
            let address = |source: &PolySource| match *source {
                PolySource::Input(i) => inputs[i].address(),
                PolySource::Buffer(i) => scratch.buffers[i].address(),
                PolySource::Table(i) => poly.tables[i].address(),
            };
            let read: Vec<u64> = launch.inputs.iter().map(address).collect();
            let written = match launch.output {
                PolySink::Result => output.address(),
                PolySink::Buffer(i) => scratch.buffers[i].address(),
            };
            let count = instances.saturating_mul(launch.repeats.into());
            launch::start(self.queue(), &poly.kernels[launch.kernel], &read, written, None, count)?;
        }
        Ok(())
    }
}

impl LoadedPoly {
    /// What runs.
    #[must_use]
    pub const fn program(&self) -> &PolyProgram {
        &self.program
    }

    /// The kernels, each of which may be launched many times.
    pub fn kernels(&self) -> impl Iterator<Item = &LoadedKernel> {
        self.kernels.iter()
    }

    /// Errors unless every kernel is on this device, and the program has this many operands.
    fn check(&self, device: &Device, found: usize) -> Result<(), GpuError> {
        if let Some(kernel) = self.kernels().find(|kernel| !kernel.is_on(device)) {
            return Err(GpuError::OtherDevice { what: format!("kernel {}", kernel.entry()) });
        }
        match self.program.input_words.len() {
            expected if expected == found => Ok(()),
            expected => Err(GpuError::Inputs { entry: "of the program".to_owned(), expected, found }),
        }
    }
}
