//! One run of a program: the job goes in as a file, the result comes back as one.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, Write as _};
use std::process::{Command, ExitStatus};

use limbforge_limb::Base;

use crate::build::Emulated;
use crate::error::{EmulateError, Fault};
use crate::schedule::Schedule;

impl Emulated {
    /// Runs the kernel over N = `instances` instances and returns the `out_bytes` bytes of its result. Bytes
    /// that the kernel did not write are `0xa5`.
    ///
    /// # Errors
    /// [`EmulateError::Fault`] if the kernel did what it must not do; [`EmulateError::Inputs`] unless there
    /// is one input for each of the kernel's; [`EmulateError::Limit`] for no instances, or more than a grid
    /// has room for; [`EmulateError::Io`].
    pub fn run(
        &self,
        inputs: &[&[u8]],
        out_bytes: usize,
        instances: u64,
        schedule: Schedule,
    ) -> Result<Vec<u8>, EmulateError> {
        Ok(self.run_marked(inputs, out_bytes, instances, schedule)?.0)
    }

    /// As [`run`](Self::run), with the words that mark instances without a result; none if the kernel has no
    /// [`marks`](limbforge_kernels_gen::Kernel::marks).
    ///
    /// # Errors
    /// As [`run`](Self::run).
    pub fn run_marked(
        &self,
        inputs: &[&[u8]],
        out_bytes: usize,
        instances: u64,
        schedule: Schedule,
    ) -> Result<(Vec<u8>, Vec<u32>), EmulateError> {
        let (mut results, marks) = self.run_results(inputs, &[out_bytes], instances, schedule)?;
        Ok((results.swap_remove(0), marks))
    }

    /// As [`run_marked`](Self::run_marked), of a kernel with so many bytes of each of its results.
    ///
    /// # Errors
    /// As [`run`](Self::run), and [`EmulateError::Results`] unless there is a size for each of the kernel's
    /// results.
    pub fn run_results(
        &self,
        inputs: &[&[u8]],
        out_bytes: &[usize],
        instances: u64,
        schedule: Schedule,
    ) -> Result<(Vec<Vec<u8>>, Vec<u32>), EmulateError> {
        self.run_grid(inputs, out_bytes, (instances, instances), schedule)
    }

    /// As [`run_results`](Self::run_results), of N instances with the grid that another number of them would have.
    ///
    /// # Errors
    /// As [`run_results`](Self::run_results).
    pub fn run_grid(
        &self,
        inputs: &[&[u8]],
        out_bytes: &[usize],
        (instances, of_grid): (u64, u64),
        schedule: Schedule,
    ) -> Result<(Vec<Vec<u8>>, Vec<u32>), EmulateError> {
        self.check_call(inputs.len(), of_grid)?;
        let (expected, found) = (self.kernel.outputs, out_bytes.len());
        if expected != found {
            return Err(EmulateError::Results { entry: self.kernel.entry.clone(), expected, found });
        }
        let mark_bytes = if self.kernel.marks { 4 * instances as usize } else { 0 };
        let job = self.job(inputs, out_bytes, mark_bytes, (instances, of_grid), schedule);
        let (status, mut out, report) = self.execute(&job).map_err(|source| self.io("run", source))?;
        if !status.success() {
            let fault = Fault::of_exit_code(status.code());
            let report = String::from_utf8_lossy(&report).trim_end().to_owned();
            let report = if report.is_empty() { status.to_string() } else { report };
            return Err(EmulateError::Fault { entry: self.kernel.entry.clone(), schedule, fault, report });
        }
        if out.len() != out_bytes.iter().sum::<usize>() + mark_bytes {
            return Err(self.io("read the result of", io::ErrorKind::UnexpectedEof.into()));
        }
        let marks = out.split_off(out.len() - mark_bytes);
        let marks =
            marks.chunks_exact(4).map(|word| u32::from_ne_bytes([word[0], word[1], word[2], word[3]]));
        let mut rest = &*out;
        let mut results = vec![];
        for &bytes in out_bytes {
            let (first, others) = rest.split_at(bytes);
            results.push(first.to_vec());
            rest = others;
        }
        Ok((results, marks.collect()))
    }

    /// As [`run`](Self::run), with limbs.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    pub fn run_limbs<B: Base>(
        &self,
        inputs: &[&[B]],
        out_limbs: usize,
        instances: u64,
        schedule: Schedule,
    ) -> Result<Vec<B>, EmulateError> {
        let images: Vec<Vec<u8>> = inputs.iter().map(|limbs| to_bytes(limbs)).collect();
        let images: Vec<&[u8]> = images.iter().map(Vec::as_slice).collect();
        let out = self.run(&images, out_limbs * B::BYTES, instances, schedule)?;
        Ok(out.chunks_exact(B::BYTES).map(B::from_le_bytes).collect())
    }

    /// As [`run`](Self::run) under each schedule of [`Schedule::SAMPLE`], which must agree.
    ///
    /// # Errors
    /// As [`run`](Self::run), and [`EmulateError::Race`] if two results differ.
    pub fn run_all(
        &self,
        inputs: &[&[u8]],
        out_bytes: usize,
        instances: u64,
    ) -> Result<Vec<u8>, EmulateError> {
        let [first, others @ ..] = Schedule::SAMPLE;
        let expected = self.run(inputs, out_bytes, instances, first)?;
        for second in others {
            let found = self.run(inputs, out_bytes, instances, second)?;
            if let Some(byte) = expected.iter().zip(&found).position(|(a, b)| a != b) {
                return Err(EmulateError::Race { entry: self.kernel.entry.clone(), first, second, byte });
            }
        }
        Ok(expected)
    }

    /// As [`run_all`](Self::run_all), with limbs.
    ///
    /// # Errors
    /// As [`run_all`](Self::run_all).
    pub fn run_all_limbs<B: Base>(
        &self,
        inputs: &[&[B]],
        out_limbs: usize,
        instances: u64,
    ) -> Result<Vec<B>, EmulateError> {
        let images: Vec<Vec<u8>> = inputs.iter().map(|limbs| to_bytes(limbs)).collect();
        let images: Vec<&[u8]> = images.iter().map(Vec::as_slice).collect();
        let out = self.run_all(&images, out_limbs * B::BYTES, instances)?;
        Ok(out.chunks_exact(B::BYTES).map(B::from_le_bytes).collect())
    }

    fn check_call(&self, inputs: usize, instances: u64) -> Result<(), EmulateError> {
        let entry = &self.kernel.entry;
        let expected = self.kernel.inputs.len();
        if inputs != expected {
            return Err(EmulateError::Inputs { entry: entry.clone(), expected, found: inputs });
        }
        let blocks = self.kernel.geometry.blocks(instances);
        if blocks == 0 || blocks > i32::MAX as u64 {
            return Err(EmulateError::Limit {
                entry: entry.clone(),
                what: "N",
                expected: "1 to (2^31 - 1) * instances of a block",
                found: instances,
            });
        }
        Ok(())
    }

    /// What the harness reads: a header of words in the machine's order, then the inputs.
    fn job(
        &self,
        inputs: &[&[u8]],
        out_bytes: &[usize],
        mark_bytes: usize,
        (instances, of_grid): (u64, u64),
        schedule: Schedule,
    ) -> Vec<u8> {
        let geometry = &self.kernel.geometry;
        let [order, seed] = schedule.words();
        // A timer of zero never ends.
        let limit = u64::try_from(self.time_limit.as_millis()).unwrap_or(u64::MAX).max(1);
        let threads = geometry.threads.into();
        let (results, marked) = (self.kernel.outputs as u64, u64::from(self.kernel.marks));
        let (buffers, blocks) = (inputs.len() as u64 + results + marked, geometry.blocks(of_grid));
        let zeroed = self.kernel.zeroed as u64;
        let header = [threads, blocks, instances, order, seed, limit, buffers, results, marked, zeroed];
        let marks = self.kernel.marks.then_some(mark_bytes);
        let sizes = inputs.iter().map(|input| input.len()).chain(out_bytes.iter().copied()).chain(marks);
        let mut job: Vec<u8> =
            header.into_iter().chain(sizes.map(|size| size as u64)).flat_map(u64::to_ne_bytes).collect();
        for input in inputs {
            job.extend_from_slice(input);
        }
        job
    }

    /// Runs the program; (status, stdout, stderr). It ends itself at the time limit.
    ///
    /// All three streams are files: pipes of this size would need threads to serve them.
    fn execute(&self, job: &[u8]) -> io::Result<(ExitStatus, Vec<u8>, Vec<u8>)> {
        let (mut input, mut out, mut report) =
            (tempfile::tempfile()?, tempfile::tempfile()?, tempfile::tempfile()?);
        input.write_all(job)?;
        input.rewind()?;
        let status = Command::new(&self.program)
            .stdin(input)
            .stdout(out.try_clone()?)
            .stderr(report.try_clone()?)
            .env("ASAN_OPTIONS", "exitcode=84:detect_leaks=0")
            .env("UBSAN_OPTIONS", "exitcode=87")
            .status()?;
        Ok((status, read_back(&mut out)?, read_back(&mut report)?))
    }

    fn io(&self, action: &'static str, source: io::Error) -> EmulateError {
        EmulateError::Io { action, path: self.program.clone(), source }
    }
}

fn read_back(file: &mut File) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.rewind()?;
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn to_bytes<B: Base>(limbs: &[B]) -> Vec<u8> {
    let mut bytes = vec![0; limbs.len() * B::BYTES];
    for (limb, bytes) in limbs.iter().zip(bytes.chunks_exact_mut(B::BYTES)) {
        limb.write_le_bytes(bytes);
    }
    bytes
}
