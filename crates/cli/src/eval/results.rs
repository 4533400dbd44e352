//! The results of a chunk as text.

use limbforge::limb::io::{NumberFormat, write_instance};
use limbforge::prelude::*;
use rayon::prelude::*;

/// Instances that one thread turns into text at a time.
const INSTANCES_PER_TASK: usize = 64;

/// The results of a chunk, and the marks of the instances that failed.
pub(super) struct Results<'b, B> {
    batch: &'b Batch<B>,
    format: NumberFormat,
    marks: Vec<(usize, &'static str)>,
}

impl<'b, B: Base> Results<'b, B> {
    /// `marks` are (instance, mark).
    pub(super) fn new(
        batch: &'b Batch<B>,
        format: NumberFormat,
        mut marks: Vec<(usize, &'static str)>,
    ) -> Self {
        marks.sort_unstable();
        marks.dedup_by_key(|(instance, _)| *instance);
        Self { batch, format, marks }
    }

    /// The results as lines (or records), cut into pieces that were written on several threads.
    pub(super) fn to_pieces(&self) -> Vec<Vec<u8>> {
        let m = self.batch.limbs_per_instance();
        let write_piece = |(piece, limbs): (usize, &[B])| {
            let mut text = Vec::new();
            for (i, limbs) in limbs.chunks_exact(m).enumerate() {
                match self.mark(piece * INSTANCES_PER_TASK + i) {
                    Some(mark) => text.extend_from_slice(format!("!{mark}\n").as_bytes()),
                    None => write_instance(limbs, self.batch.ty(), self.format, &mut text),
                }
            }
            text
        };
        self.batch.limbs().par_chunks(INSTANCES_PER_TASK * m).enumerate().map(write_piece).collect()
    }

    fn mark(&self, instance: usize) -> Option<&'static str> {
        let at = self.marks.binary_search_by_key(&instance, |(instance, _)| *instance).ok()?;
        Some(self.marks[at].1)
    }
}
