//! The results of a chunk as text.

use limbforge::limb::io::{NumberFormat, write_instance};
use limbforge::prelude::*;
use rayon::prelude::*;

use super::marks::Marks;

/// Instances that one thread turns into text at a time.
const INSTANCES_PER_TASK: usize = 64;

/// The results of a chunk, and the marks of the instances that failed.
pub(super) struct Results<'b, B> {
    batch: &'b Batch<B>,
    format: NumberFormat,
    marks: &'b Marks,
}

impl<'b, B: Base> Results<'b, B> {
    pub(super) const fn new(batch: &'b Batch<B>, format: NumberFormat, marks: &'b Marks) -> Self {
        Self { batch, format, marks }
    }

    /// The results as lines (or records), cut into pieces that were written on several threads.
    pub(super) fn to_pieces(&self) -> Vec<Vec<u8>> {
        let m = self.batch.limbs_per_instance();
        let write_piece = |(piece, limbs): (usize, &[B])| {
            let mut text = Vec::new();
            let first = piece * INSTANCES_PER_TASK;
            for (i, limbs) in (first..).zip(limbs.chunks_exact(m)) {
                match self.marks.get(i) {
                    Some(mark) => {
                        text.push(b'!');
                        text.extend_from_slice(mark.as_bytes());
                        text.push(b'\n');
                    }
                    None => write_instance(limbs, self.batch.ty(), self.format, &mut text),
                }
            }
            text
        };
        self.batch.limbs().par_chunks(INSTANCES_PER_TASK * m).enumerate().map(write_piece).collect()
    }
}
