//! A kernel as a program of this machine.

mod kept;

use std::sync::Mutex;

use limbforge_emulate::{Check, Compiler, Emulated, Schedule};
use limbforge_kernels_gen::program::{TapeInput, TapeKernel, TapeSpec, render};
use limbforge_kernels_gen::{LimbKind, Limits, SpecError, Target};

use super::launches::{Launch, larger};
use super::open::Warps;
use super::*;

/// A kernel as a program of this machine.
pub(super) struct OnEmulator {
    pub(super) tape: TapeKernel,
    emulated: Emulated,
    pub(super) program: TypedProgram,
    inputs: Vec<Vec<u64>>,
    state: Vec<u32>,
    results: Vec<Vec<u64>>,
    marks: Vec<u32>,
    /// The state that the last launch has read.
    before: Vec<u32>,
    rooms: Vec<u64>,
    /// Words of all lists at most.
    pub(super) most_words: u64,
    /// Warps of the device; a few instances have one, whatever the kernel says.
    pub(super) warps: Warps,
    /// Launches over lists, and the threads of all launches of rounds.
    pub(super) lists_and_threads: Arc<Mutex<(usize, usize)>>,
    rows: Vec<u32>,
    counters: Vec<u64>,
    /// How often it was asked for rounds of loops, how often all of their moduli had a system, and how often they were
    /// folded.
    pub(super) asked: Arc<Mutex<[usize; 3]>>,
}

fn words<W: bytemuck::Pod>(bytes: &[u8]) -> Vec<W> {
    bytes.chunks_exact(size_of::<W>()).map(bytemuck::pod_read_unaligned).collect()
}

impl OnEmulator {
    pub(super) fn new(program: &TypedProgram, inputs: &[Batch<u64>], instances: usize) -> Self {
        Self::of(Self::kernel(program, inputs, instances).unwrap(), program, inputs.len())
    }

    /// The kernel of one warp, or why there is none.
    pub(super) fn kernel(
        program: &TypedProgram,
        inputs: &[Batch<u64>],
        instances: usize,
    ) -> Result<TapeKernel, SpecError> {
        let (limb, layout) = (LimbKind::of::<u64>(), Layout::InstanceMajor);
        let one_for_all = check_inputs(program, inputs, instances).unwrap();
        let forms = one_for_all.iter().map(|&one_for_all| TapeInput { limb, layout, one_for_all }).collect();
        let target = Target::Emulator;
        let spec = |instances| TapeSpec {
            program,
            inputs: vec![],
            limb,
            output: layout,
            instances,
            target,
            emission: None,
        };
        render(&TapeSpec { inputs: forms, ..spec(Some(32 / spec(None).lanes()?)) }, &Limits::SM_90)
    }

    /// A kernel of the program.
    pub(super) fn of(tape: TapeKernel, program: &TypedProgram, inputs: usize) -> Self {
        let compiler = Compiler::find().unwrap();
        let emulated = Emulated::build_with(&compiler, &tape.kernel, Check::Memory).unwrap();
        let (inputs, program) = (vec![vec![]; inputs], program.clone());
        let rooms = vec![1; tape.lists.len()];
        let (state, results, marks, before) = <_>::default();
        let (rows, counters, most_words) = (vec![], vec![], 1 << 20);
        Self {
            tape,
            emulated,
            program,
            inputs,
            state,
            results,
            marks,
            before,
            rooms,
            most_words,
            warps: Warps { at_once: 1, instances: 2 },
            lists_and_threads: <_>::default(),
            rows,
            counters,
            asked: Arc::default(),
        }
    }

    fn list_words(&self, rooms: &[u64]) -> u64 {
        self.tape.lists.iter().zip(rooms).map(|(list, room)| u64::from(list.row) * room).sum()
    }
}

impl Launches for OnEmulator {
    fn tape(&self) -> &TapeKernel {
        &self.tape
    }

    fn set_input(&mut self, input: usize, limbs: &[u64]) -> Result<(), EngineError> {
        self.inputs[input] = limbs.to_vec();
        Ok(())
    }

    fn warps(&self) -> Warps {
        self.warps
    }

    fn set_state(&mut self, words: &[u32]) -> Result<(), EngineError> {
        (self.state, self.before) = (words.to_vec(), words.to_vec());
        Ok(())
    }

    fn launch(&mut self, launch: &Launch<'_>) -> Result<(), EngineError> {
        let Launch { entry: (entry, from, to), ref instances, open, continues } = *launch;
        let (first, count) = (instances.start as u64, instances.len());
        let control = self.tape.control_with_lists(entry, (from, to), first, &self.rooms).unwrap();
        let control = self.tape.control_over(control, open).unwrap();
        let inputs = self.inputs.iter().map(|limbs| bytemuck::cast_slice::<u64, u8>(limbs));
        let state = if continues { &self.before } else { &self.state };
        let behind = [bytemuck::cast_slice(state), bytemuck::cast_slice(&control)];
        let inputs: Vec<&[u8]> = inputs.chain(behind).collect();
        let last = self.tape.states.len() - 1;
        let stage = match entry {
            Entry::Nodes(stage) | Entry::Rounds(stage) if stage < last => Some(stage),
            _ => None,
        };
        let next = stage.map_or(0, |stage| self.tape.state_words(stage));
        let sizes = self
            .program
            .results()
            .iter()
            .map(|result| 8 * count * result.elements as usize * result.ty.limbs::<u64>());
        let mut sizes: Vec<usize> = sizes.chain([4 * count * next as usize]).collect();
        if !self.rooms.is_empty() {
            sizes.extend([4 * self.list_words(&self.rooms) as usize, 8 * self.rooms.len()]);
        }
        let threads = if open.is_empty() { count } else { open.len() };
        self.note(entry, open, threads);
        let grid = (count as u64, threads as u64);
        let ran = self.emulated.run_grid(&inputs, &sizes, grid, Schedule::Random(1));
        let (mut outs, mut marks) =
            ran.unwrap_or_else(|error| panic!("{entry:?} from {from} to {to}: {error}"));
        if !self.rooms.is_empty() {
            self.counters = words(&outs.pop().unwrap());
            self.rows = words(&outs.pop().unwrap());
        }
        let mut state = words(&outs.pop().unwrap());
        let mut results: Vec<Vec<u64>> = outs.iter().map(|bytes| words(bytes)).collect();
        if !open.is_empty() {
            let others: Vec<usize> = (0..count).filter(|&i| !open.contains(&(i as u32))).collect();
            let were = if continues { &self.state } else { &self.before };
            self.keep_state(stage, &others, were, &mut state);
            self.keep_results(&others, &mut results);
        }
        if continues {
            marks.iter_mut().zip(&self.marks).for_each(|(mark, was)| *mark |= was);
            self.state = state;
        } else {
            self.before = core::mem::replace(&mut self.state, state);
        }
        (self.results, self.marks) = (results, marks);
        Ok(())
    }

    fn rounds(
        &mut self,
        stage: usize,
        operands: &[Vec<u32>],
        instances: usize,
    ) -> Result<Option<Vec<Vec<u32>>>, EngineError> {
        Ok(self.rounds_of_sequence(stage, operands, instances))
    }

    fn state(&self, words: &mut [u32]) -> Result<(), EngineError> {
        words.copy_from_slice(&self.state);
        Ok(())
    }

    fn marks(&self, marks: &mut [u32]) -> Result<(), EngineError> {
        marks.copy_from_slice(&self.marks);
        Ok(())
    }

    fn result(&self, result: usize, limbs: &mut [u64]) -> Result<(), EngineError> {
        limbs.copy_from_slice(&self.results[result]);
        Ok(())
    }

    fn rooms(&self) -> &[u64] {
        &self.rooms
    }

    fn make_room(&mut self, rows: &[u64]) -> Result<bool, EngineError> {
        let rooms = larger(&self.rooms, rows, self.most_words, |rooms| self.list_words(rooms));
        self.rooms = rooms.clone().unwrap_or_else(|| self.rooms.clone());
        Ok(rooms.is_some())
    }

    fn counters(&self) -> Result<Vec<u64>, EngineError> {
        Ok(self.counters.clone())
    }

    fn rows(&self, list: usize, words: &mut [u32]) -> Result<(), EngineError> {
        let first = self.list_words(&self.rooms[..list]) as usize;
        words.copy_from_slice(&self.rows[first..first + words.len()]);
        Ok(())
    }

    fn undo(&mut self) {
        core::mem::swap(&mut self.state, &mut self.before);
    }
}
