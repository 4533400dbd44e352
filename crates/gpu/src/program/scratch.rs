//! The buffers between the launches of a program, and the marks of instances that have no result.

use super::LoadedProgram;
use crate::buffer::DeviceBuffer;
use crate::device::Device;
use crate::error::GpuError;

/// Chunks of a program on their way at once.
const LANES: u64 = crate::device::LANES as u64;

/// The buffers between the launches of a program. Two chunks of instances are on their way at once, so that
/// the first blocks of one kernel run beside the last ones of another.
#[derive(Debug)]
pub struct Scratch {
    /// The buffers of each chunk on its way.
    pub(super) lanes: Vec<Vec<DeviceBuffer>>,
    /// The same for all chunks.
    pub(super) uniforms: Vec<DeviceBuffer>,
    /// Instances of a chunk that the buffers hold.
    pub(super) chunk: u64,
    /// A word for each instance, not only of a chunk.
    pub(super) marks: Option<DeviceBuffer>,
    /// Whether a run adds to the marks: else it clears them first.
    pub(super) keeps_marks: bool,
}

/// Bytes of the mark of an instance.
pub(crate) const MARK_BYTES: u64 = 4;

impl Device {
    /// The buffers between a program's launches, and the marks of instances that have no result, for up to
    /// `instances`.
    ///
    /// # Errors
    /// [`GpuError::OutOfMemory`] and [`GpuError::Driver`].
    pub fn scratch(&self, program: &LoadedProgram, instances: u64) -> Result<Scratch, GpuError> {
        self.scratch_of(program, instances, program.lanes(instances))
    }

    /// The same for this many chunks on their way at once.
    pub(crate) fn scratch_of(
        &self,
        program: &LoadedProgram,
        instances: u64,
        lanes: u64,
    ) -> Result<Scratch, GpuError> {
        // Without buffers nothing limits a chunk.
        let chunk =
            if program.buffers.is_empty() { program.chunk } else { program.chunk.min(instances).max(1) };
        let lane = |_| {
            let buffers =
                program.buffers.iter().map(|bytes| self.alloc(bytes.saturating_mul(program.grouped(chunk))));
            buffers.collect::<Result<_, _>>()
        };
        let lanes = (0..lanes).map(lane).collect::<Result<_, _>>()?;
        let uniforms = program.uniforms.iter().map(|&bytes| self.alloc(bytes)).collect::<Result<_, _>>()?;
        let marks = program.marks.then(|| self.alloc(MARK_BYTES.saturating_mul(instances))).transpose()?;
        Ok(Scratch { lanes, uniforms, chunk, marks, keeps_marks: false })
    }

    /// The instances that the last run of a program has marked, because they have no result. It was run on
    /// `instances` instances with this scratch.
    ///
    /// # Errors
    /// [`GpuError::Size`] if the scratch is for fewer instances, [`GpuError::Driver`].
    pub fn marked(&self, scratch: &Scratch, instances: u64) -> Result<Vec<u64>, GpuError> {
        let Some(buffer) = &scratch.marks else { return Ok(vec![]) };
        self.check_buffer(Some(buffer), "the marks", MARK_BYTES, instances)?;
        let mut marks = vec![0_u32; usize::try_from(instances).unwrap_or(usize::MAX)];
        buffer.copy_to(&mut marks)?;
        Ok((0..instances).filter(|&i| marks[i as usize] != 0).collect())
    }
}

impl Scratch {
    /// The marks, for writing before a run that then adds to them; None if the program marks no instances.
    pub const fn keep_marks(&mut self) -> Option<&mut DeviceBuffer> {
        self.keeps_marks = true;
        self.marks.as_mut()
    }

    /// The marks of the last run, a word of 32 bits for each instance that is not 0 if it has no result; None
    /// if the program marks no instances.
    #[must_use]
    pub fn into_marks(self) -> Option<DeviceBuffer> {
        self.marks
    }

    pub(crate) const fn marks(&self) -> Option<&DeviceBuffer> {
        self.marks.as_ref()
    }
}

impl LoadedProgram {
    /// Bytes of the buffers between launches that a run over `instances` instances takes.
    #[must_use]
    pub fn scratch_bytes(&self, instances: u64) -> u64 {
        let sum = |bytes: &[u64]| bytes.iter().fold(0u64, |sum, &bytes| sum.saturating_add(bytes));
        let per_instance = sum(&self.buffers);
        let marks = if self.marks { MARK_BYTES.saturating_mul(instances) } else { 0 };
        let of_chunks =
            per_instance.saturating_mul(self.lanes(instances) * self.grouped(self.chunk.min(instances)));
        of_chunks.saturating_add(marks).saturating_add(sum(&self.uniforms))
    }

    /// Instances that a buffer for a chunk has room for.
    fn grouped(&self, chunk: u64) -> u64 {
        chunk.checked_next_multiple_of(self.group).unwrap_or(chunk)
    }

    /// Chunks on their way at once.
    const fn lanes(&self, instances: u64) -> u64 {
        if instances > self.chunk { LANES } else { 1 }
    }
}
