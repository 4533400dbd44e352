//! Rows of lists: from each launch to the host. A launch that appends more rows than there is room for is taken back
//! and repeated, with more room or in halves.

use limbforge_algos::cpu::program::RunError;
use limbforge_kernels_gen::program::Entry;

use super::OnGpu;
use crate::engine::EngineError;

impl OnGpu {
    /// Waits for the launch of an entry on a chunk, which is loaded, and takes its rows.
    pub(super) fn settle(
        &mut self,
        chunk: usize,
        (entry, from, to): (Entry, u64, u64),
    ) -> Result<(), EngineError> {
        if self.lists.is_empty() {
            return Ok(());
        }
        let counts = self.member(chunk).device.counters()?;
        self.check_most(&counts)?;
        let rooms = self.member(chunk).device.rooms();
        if counts.iter().zip(rooms).all(|(count, room)| count <= room) {
            return self.take_rows(chunk, &counts);
        }
        let device = &mut self.member_mut(chunk).device;
        device.undo();
        if device.make_room(&counts)? {
            self.launch(chunk, (entry, from, to))?;
            return self.settle(chunk, (entry, from, to));
        }
        // No instance makes more rounds than these.
        let end = to.min(self.rounds.max(from));
        if end - from < 2 {
            return Err(self.no_room(chunk, &counts).into());
        }
        let middle = from + (end - from) / 2;
        for part in [(entry, from, middle), (entry, middle, to)] {
            self.launch(chunk, part)?;
            self.settle(chunk, part)?;
        }
        Ok(())
    }

    fn check_most(&self, counts: &[u64]) -> Result<(), RunError> {
        let lists = self.program.lists().iter().zip(&self.lists).zip(counts);
        for ((list, rows), count) in lists {
            if rows.appended().saturating_add(*count) > list.most {
                return Err(RunError::ListFull { name: list.name.to_string(), most: list.most });
            }
        }
        Ok(())
    }

    fn take_rows(&mut self, chunk: usize, counts: &[u64]) -> Result<(), EngineError> {
        for (list, &count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
            let device = &self.member(chunk).device;
            let mut words = vec![0; count as usize * device.tape().lists[list].row as usize];
            device.rows(list, &mut words)?;
            let rows = device.tape().rows(&self.program, list, &words);
            self.lists[list].append(&rows);
        }
        Ok(())
    }

    fn no_room(&self, chunk: usize, counts: &[u64]) -> RunError {
        let rooms = self.member(chunk).device.rooms();
        let full = counts.iter().zip(rooms).position(|(count, room)| count > room).unwrap_or(0);
        RunError::ListRoom {
            name: self.program.lists()[full].name.to_string(),
            rows: counts[full],
            instances: self.chunks[chunk].len(),
        }
    }
}
