//! A thread of the CPU that takes chunk after chunk.

use std::sync::atomic::{AtomicBool, Ordering};

use super::cursor::Cursor;
use super::job::{Job, Place};
use super::slot::Slot;
use super::station::Failure;
use crate::error::GpuError;
use crate::ring::Ring;

pub(super) struct Lane<'l, 'r, E> {
    place: &'l Place<'l>,
    job: &'l Job<'l, E>,
    cursor: &'l Cursor<'r>,
    /// Whether the GPU has failed.
    failed: &'l AtomicBool,
    slots: Vec<Slot<'r>>,
    /// After the slots, whose streams copy from it and to it until they are dropped.
    ring: Ring,
}

impl<'l, 'r, E: From<GpuError>> Lane<'l, 'r, E> {
    pub(super) fn new(
        place: &'l Place<'l>,
        job: &'l Job<'l, E>,
        cursor: &'l Cursor<'r>,
        failed: &'l AtomicBool,
    ) -> Result<Self, Failure<E>> {
        let ring = Ring::new(place.station.device).map_err(Failure::Device)?;
        Ok(Self { place, job, cursor, failed, slots: vec![], ring })
    }

    /// Computes chunks until there are none left. After an error its own chunks are left to others.
    pub(super) fn run(mut self) -> Result<(), Failure<E>> {
        let ended = self.run_chunks();
        match &ended {
            Ok(()) => {}
            Err(Failure::Device(_)) => self.failed.store(true, Ordering::Relaxed),
            Err(Failure::Caller(_)) => self.cursor.stop(),
        }
        for slot in &mut self.slots {
            if let Some(piece) = slot.abandon() {
                self.cursor.give_back(piece);
            }
        }
        ended
    }

    fn run_chunks(&mut self) -> Result<(), Failure<E>> {
        let most = self.place.plan.instances_per_chunk;
        let mut turn = 0;
        while !self.failed.load(Ordering::Relaxed) {
            let piece = match self.cursor.take(most) {
                Some(piece) => piece,
                None => {
                    self.finish_all(turn)?;
                    let Some(piece) = self.cursor.wait(most) else { break };
                    piece
                }
            };
            if (self.slots.len() as u64) < self.place.plan.slots {
                turn = self.slots.len();
                match Slot::new(self.place) {
                    Ok(slot) => self.slots.push(slot),
                    Err(error) => {
                        self.cursor.give_back(piece);
                        return Err(Failure::Device(error));
                    }
                }
            }
            let slot = &mut self.slots[turn];
            if let Err(failure) = slot.finish(self.job, self.cursor, &mut self.ring) {
                self.cursor.give_back(piece);
                return Err(failure);
            }
            slot.start(self.place, self.job, piece, &mut self.ring)?;
            turn = (turn + 1) % self.place.plan.slots as usize;
        }
        self.finish_all(turn)
    }

    /// Waits for all chunks under way, the oldest first.
    fn finish_all(&mut self, oldest: usize) -> Result<(), Failure<E>> {
        let Self { slots, job, cursor, ring, .. } = self;
        let count = slots.len();
        (0..count).try_for_each(|ahead| slots[(oldest + ahead) % count].finish(job, cursor, ring))
    }
}
