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
                self.cursor.give_back(self.place.gpu, piece);
            }
        }
        ended
    }

    fn run_chunks(&mut self) -> Result<(), Failure<E>> {
        let (gpu, most) = (self.place.gpu, self.place.plan.instances_per_chunk);
        let mut turn = 0;
        while !self.failed.load(Ordering::Relaxed) {
            let piece = match self.cursor.take(gpu, most) {
                Some(piece) => piece,
                None if self.finish_oldest(turn)? => continue,
                None => {
                    let Some(piece) = self.cursor.wait(gpu, most) else { break };
                    piece
                }
            };
            match self.slot_after(turn) {
                Ok(found) => turn = found,
                Err(error) => {
                    self.cursor.give_back(gpu, piece);
                    return Err(Failure::Device(error));
                }
            }
            let slot = &mut self.slots[turn];
            if let Err(failure) = slot.finish((gpu, self.job), self.cursor, &mut self.ring) {
                self.cursor.give_back(gpu, piece);
                return Err(failure);
            }
            slot.start(self.place, self.job, piece, &mut self.ring)?;
            turn += 1;
        }
        while self.finish_oldest(turn)? {}
        Ok(())
    }

    /// The slot of the next chunk: the one whose turn it is if it has none under way, or a new one, or the oldest.
    fn slot_after(&mut self, turn: usize) -> Result<usize, GpuError> {
        let count = self.slots.len();
        let next = turn % count.max(1);
        let is_idle = self.slots.get(next).is_some_and(|slot| !slot.is_busy());
        if is_idle || count as u64 >= self.place.plan.slots {
            return Ok(next);
        }
        self.slots.push(Slot::new(self.place)?);
        Ok(count)
    }

    /// Waits for the oldest chunk under way; false if there is none.
    fn finish_oldest(&mut self, turn: usize) -> Result<bool, Failure<E>> {
        let Self { slots, job, cursor, ring, place, .. } = self;
        let count = slots.len();
        let oldest = (0..count).map(|ahead| (turn + ahead) % count).find(|&slot| slots[slot].is_busy());
        let Some(oldest) = oldest else { return Ok(false) };
        slots[oldest].finish((place.gpu, job), cursor, ring)?;
        Ok(true)
    }
}
