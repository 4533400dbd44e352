//! Rows of lists: from each launch to the host. A launch that appends more rows than there is room for is taken back
//! and repeated: with more room, in halves of its rounds, or for halves of its instances.

use limbforge_algos::cpu::program::RunError;
use limbforge_algos::program::{Rows, TypedProgram};
use limbforge_kernels_gen::program::NO_INSTANCE;

use super::OnGpu;
use super::launches::Launch;
use super::member::Member;
use super::run::Context;
use crate::engine::EngineError;

impl Member {
    /// Runs a launch on the chunk that is loaded, and takes its rows.
    pub(super) fn run(&mut self, context: &Context<'_>, launch: &Launch<'_>) -> Result<(), EngineError> {
        self.device.launch(launch)?;
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
        if !launch.continues {
            self.device.undo();
        }
        if self.device.make_room(&counts)? {
            return self.run(context, launch);
        }
        let (entry, from, to) = launch.entry;
        // No instance makes more rounds than these.
        let end = to.min(context.rounds.max(from));
        if end - from < 2 {
            return self.run_halves(context, launch, &counts);
        }
        let middle = from + (end - from) / 2;
        let parts = [(entry, from, middle), (entry, middle, to)];
        parts.into_iter().try_for_each(|entry| self.run(context, &Launch { entry, ..launch.clone() }))
    }

    /// Runs a launch that was taken back, of one round at most, for one half of its instances after the other.
    fn run_halves(
        &mut self,
        context: &Context<'_>,
        launch: &Launch<'_>,
        counts: &[u64],
    ) -> Result<(), EngineError> {
        let all: Vec<u32> = match launch.open {
            [] => (0..launch.instances.len()).map_while(|i| u32::try_from(i).ok()).collect(),
            open => open.iter().copied().filter(|&instance| instance != NO_INSTANCE).collect(),
        };
        let is_split = all.len() > 1 && launch.instances.len() <= NO_INSTANCE as usize;
        if !is_split || !self.device.tape().takes_open() {
            return Err(self.no_room(&context.run.program, all.len(), counts).into());
        }
        let (first, second) = all.split_at(all.len() / 2);
        self.run(context, &Launch { open: first, ..launch.clone() })?;
        self.run(context, &Launch { open: second, continues: true, ..launch.clone() })
    }

    fn take_rows(&mut self, program: &TypedProgram, counts: &[u64]) -> Result<(), EngineError> {
        for (list, &count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
            let mut words = vec![0; count as usize * self.device.tape().lists[list].row as usize];
            self.device.rows(list, &mut words)?;
            self.lists[list].append(&self.device.tape().rows(program, list, &words));
        }
        Ok(())
    }

    fn no_room(&self, program: &TypedProgram, instances: usize, counts: &[u64]) -> RunError {
        let rooms = self.device.rooms();
        let full = counts.iter().zip(rooms).position(|(count, room)| count > room).unwrap_or(0);
        RunError::ListRoom { name: program.lists()[full].name.to_string(), rows: counts[full], instances }
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
