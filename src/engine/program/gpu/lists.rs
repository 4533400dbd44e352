//! Rows of lists: from each launch to the host. A launch that appends more rows than there is room for is taken back
//! and repeated, with more room or in halves.

use limbforge_algos::cpu::program::RunError;
use limbforge_algos::program::{Rows, TypedProgram};
use limbforge_kernels_gen::program::Entry;

use super::OnGpu;
use super::member::Member;
use super::run::Context;
use crate::engine::EngineError;

impl Member {
    /// Waits for the launch of an entry on a chunk, which is loaded, and takes its rows.
    pub(super) fn settle(
        &mut self,
        context: &Context<'_>,
        chunk: usize,
        (entry, from, to): (Entry, u64, u64),
    ) -> Result<(), EngineError> {
        if self.lists.is_empty() {
            return Ok(());
        }
        let counts = self.device.counters()?;
        let so_far = self.lists.iter().zip(&context.taken).map(|(rows, taken)| rows.appended() + taken);
        let so_far = so_far.zip(&counts).map(|(so_far, count)| so_far.saturating_add(*count));
        check_most(&context.run.program, so_far)?;
        let rooms = self.device.rooms();
        if counts.iter().zip(rooms).all(|(count, room)| count <= room) {
            return self.take_rows(&context.run.program, &counts);
        }
        self.device.undo();
        if self.device.make_room(&counts)? {
            self.launch(context, chunk, (entry, from, to))?;
            return self.settle(context, chunk, (entry, from, to));
        }
        // No instance makes more rounds than these.
        let end = to.min(context.rounds.max(from));
        if end - from < 2 {
            return Err(self.no_room(&context.run.program, chunk, &counts).into());
        }
        let middle = from + (end - from) / 2;
        for part in [(entry, from, middle), (entry, middle, to)] {
            self.launch(context, chunk, part)?;
            self.settle(context, chunk, part)?;
        }
        Ok(())
    }

    fn take_rows(&mut self, program: &TypedProgram, counts: &[u64]) -> Result<(), EngineError> {
        for (list, &count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
            let mut words = vec![0; count as usize * self.device.tape().lists[list].row as usize];
            self.device.rows(list, &mut words)?;
            self.lists[list].append(&self.device.tape().rows(program, list, &words));
        }
        Ok(())
    }

    fn no_room(&self, program: &TypedProgram, chunk: usize, counts: &[u64]) -> RunError {
        let rooms = self.device.rooms();
        let full = counts.iter().zip(rooms).position(|(count, room)| count > room).unwrap_or(0);
        RunError::ListRoom {
            name: program.lists()[full].name.to_string(),
            rows: counts[full],
            instances: self.chunks[chunk].len(),
        }
    }
}

impl OnGpu {
    /// Joins the rows that GPUs have found. Those of an instance are on one GPU, in the order of its launches.
    pub(super) fn join_rows(&mut self) -> Result<(), RunError> {
        let program = &self.run.program;
        for member in self.members.iter_mut().filter(|member| !member.lists.is_empty()) {
            let found = core::mem::replace(&mut member.lists, Rows::of_all(program));
            self.lists.iter_mut().zip(&found).for_each(|(all, found)| all.append(found));
        }
        check_most(program, self.lists.iter().map(Rows::appended))
    }
}

/// An error if a list has more rows than the program says.
fn check_most(program: &TypedProgram, rows: impl Iterator<Item = u64>) -> Result<(), RunError> {
    let full = program.lists().iter().zip(rows).find(|(list, rows)| *rows > list.most);
    full.map_or(Ok(()), |(list, _)| Err(RunError::ListFull { name: list.name.to_string(), most: list.most }))
}
