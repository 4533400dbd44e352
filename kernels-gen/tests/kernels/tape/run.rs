//! Runs a program's kernel by the emulator, as a whole or in slices.

use std::cell::RefCell;

use limbforge_algos::cpu::program::{Completed, Runner};
use limbforge_algos::program::{Program, Rows, TypedProgram};
use limbforge_emulate::{Check, Compiler, Emulated, Schedule};
use limbforge_kernels_gen::program::{Emission, Entry, TapeInput, TapeKernel, TapeSpec, render};
use limbforge_kernels_gen::{LimbKind, Limits, SpecError, Target};
use limbforge_limb::num_bigint::BigInt;
use limbforge_limb::{Batch, IntType, Layout};

use super::found::Found;
use super::words::{integer, words};

/// Integers of each instance, or of one for all.
pub(crate) type Batches<'a> = &'a [(&'a str, &'a str, Vec<BigInt>)];

/// A program with its batches.
pub(crate) struct Run {
    pub(super) program: TypedProgram,
    pub(super) kernel: TapeKernel,
    emulated: Emulated,
    inputs: Vec<Vec<u32>>,
    pub(super) batches: Vec<Batch<u64>>,
    pub(super) instances: usize,
    /// The straight kernel of the same program, which every check checks, too.
    pub(super) straight: Option<Box<Self>>,
    /// The rows so far of a run.
    pub(super) lists: RefCell<Vec<Rows>>,
}

/// Rows of a list for which launches have room.
const ROOM: u64 = 500;

/// The lanes of an instance of a program.
fn lanes(program: &TypedProgram) -> u32 {
    let spec = |instances| TapeSpec {
        program,
        inputs: vec![],
        limb: LimbKind::of::<u32>(),
        output: Layout::InstanceMajor,
        instances,
        target: Target::Emulator,
        emission: None,
    };
    spec(None).lanes().unwrap()
}

impl Run {
    /// Batches are of instance-major u32 limbs: names, types, and integers; those with the integers of one
    /// instance are one for all.
    pub(crate) fn new(text: &str, instances: usize, batches: Batches<'_>) -> Self {
        Self::built(text, instances, batches).unwrap_or_else(|error| panic!("{error}"))
    }

    /// As [`new`](Self::new), or the reason why the program has no kernel.
    pub(crate) fn built(text: &str, instances: usize, batches: Batches<'_>) -> Result<Self, SpecError> {
        let straight = match Self::straight(text, instances, batches) {
            Ok(straight) => Some(Box::new(straight)),
            Err(SpecError::Straight { .. }) => None,
            Err(error) => return Err(error),
        };
        let tape = Self::emitted(text, instances, batches, Emission::Tape)?;
        Ok(Self { straight, ..tape })
    }

    /// The same of a program that has a straight kernel.
    pub(crate) fn both(text: &str, instances: usize, batches: Batches<'_>) -> Self {
        let run = Self::new(text, instances, batches);
        assert!(run.straight.is_some(), "{text}: {:?}", Self::straight(text, instances, batches).err());
        run
    }

    /// The straight kernel of a program.
    pub(crate) fn straight(text: &str, instances: usize, batches: Batches<'_>) -> Result<Self, SpecError> {
        Self::emitted(text, instances, batches, Emission::Straight)
    }

    fn emitted(
        text: &str,
        instances: usize,
        batches: Batches<'_>,
        emission: Emission,
    ) -> Result<Self, SpecError> {
        let types: Vec<(&str, IntType)> =
            batches.iter().map(|(name, ty, _)| (*name, ty.parse().unwrap())).collect();
        let program = Program::parse(text).unwrap_or_else(|error| panic!("{error}"));
        let program = program.typed(&types).unwrap_or_else(|error| panic!("{error}"));
        let mut inputs = vec![];
        let (mut forms, mut all) = (vec![], vec![]);
        for input in program.inputs() {
            let (_, _, integers) = batches.iter().find(|(name, ..)| **name == *input.name).unwrap();
            let one_for_all = integers.len() == input.elements as usize && instances > 1;
            forms.push(TapeInput { limb: LimbKind::of::<u32>(), layout: Layout::InstanceMajor, one_for_all });
            all.push(Batch::from_bigints(input.ty, Layout::InstanceMajor, integers).unwrap());
            inputs.push(integers.iter().flat_map(|x| words(x, input.ty)).collect());
        }
        let spec = TapeSpec {
            program: &program,
            inputs: forms,
            limb: LimbKind::of::<u32>(),
            output: Layout::InstanceMajor,
            // One warp: the emulator runs threads without an instance, too.
            instances: Some(32 / lanes(&program)),
            target: Target::Emulator,
            emission: Some(emission),
        };
        let kernel = render(&spec, &Limits::SM_90)?;
        let emulated =
            Emulated::build_with(&Compiler::find().unwrap(), &kernel.kernel, Check::Memory).unwrap();
        let lists = RefCell::new(Rows::of_all(&program));
        Ok(Self { program, kernel, emulated, inputs, batches: all, instances, straight: None, lists })
    }

    /// The kernel's source.
    pub(crate) fn source(&self) -> &str {
        &self.kernel.kernel.source
    }

    /// One launch: results and next state in words, and the marks.
    pub(super) fn launch(
        &self,
        entry: (Entry, u64, u64),
        state: &[u32],
        next: usize,
    ) -> (Vec<Vec<u32>>, Vec<u32>) {
        self.launch_over(entry, state, next, &[])
    }

    /// The same over a list of instances.
    pub(super) fn launch_over(
        &self,
        (entry, from, to): (Entry, u64, u64),
        state: &[u32],
        next: usize,
        open: &[u32],
    ) -> (Vec<Vec<u32>>, Vec<u32>) {
        let lists = self.kernel.lists.len();
        let control = self.kernel.control_with_lists(entry, (from, to), 0, &vec![ROOM; lists]).unwrap();
        let control = self.kernel.control_over(control, open).unwrap();
        let inputs = self.inputs.iter().map(Vec::as_slice).chain([state, &control]);
        let inputs: Vec<&[u8]> = inputs.map(bytemuck::cast_slice).collect();
        let sizes =
            self.program.results().iter().map(|output| {
                4 * self.instances * (output.elements * output.ty.bits().div_ceil(32)) as usize
            });
        let mut sizes: Vec<usize> = sizes.chain([4 * self.instances * next]).collect();
        if lists > 0 {
            let words: usize = self.kernel.lists.iter().map(|list| ROOM as usize * list.row as usize).sum();
            sizes.extend([4 * words, 8 * lists]);
        }
        let threads = if open.is_empty() { self.instances } else { open.len() };
        let (outs, marks) = self
            .emulated
            .run_grid(&inputs, &sizes, (self.instances as u64, threads as u64), Schedule::Random(1))
            .unwrap_or_else(|error| panic!("{entry:?} from {from} to {to}: {error}"));
        let words = |bytes: Vec<u8>| {
            bytes.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect()
        };
        let mut outs: Vec<Vec<u32>> = outs.into_iter().map(words).collect();
        if lists > 0 {
            let (counters, rows) = (outs.pop().unwrap(), outs.pop().unwrap());
            self.append(&counters, &rows);
        }
        (outs, marks)
    }

    /// Appends the rows that a launch has left.
    fn append(&self, counters: &[u32], rows: &[u32]) {
        let mut first = 0;
        for (list, all) in self.lists.borrow_mut().iter_mut().enumerate() {
            let (count, row) = (counters[2 * list] as usize, self.kernel.lists[list].row as usize);
            assert!(counters[2 * list + 1] == 0 && count <= ROOM as usize, "{count} rows");
            all.append(&self.kernel.rows(&self.program, list, &rows[first..first + count * row]));
            first += ROOM as usize * row;
        }
    }

    pub(super) fn found(&self, outs: &[Vec<u32>], marks: &[u32]) -> Found {
        let results = self.program.results().iter().zip(outs).map(|(output, words)| {
            let size = output.ty.bits().div_ceil(32) as usize;
            words.chunks_exact(size).map(|words| integer(words, output.ty)).collect()
        });
        // Where an operation has several reasons, engines ask the CPU for the one that holds.
        let asked = std::cell::OnceCell::new();
        let failure = |(i, &mark): (usize, &u32)| {
            let place = &self.kernel.places[mark.checked_sub(1)? as usize];
            let why = match place.reasons[..] {
                [why] => why,
                _ => {
                    let known = asked.get_or_init(|| self.on_cpu().failures)[i].map(|(why, _)| why);
                    known.filter(|why| place.reasons.contains(why)).unwrap_or(place.reasons[0])
                }
            };
            Some((why, self.line(place.span.start)))
        };
        let mut lists = self.lists.replace(Rows::of_all(&self.program));
        lists.iter_mut().for_each(Rows::sort);
        Found { results: results.collect(), failures: marks.iter().enumerate().map(failure).collect(), lists }
    }

    fn line(&self, byte: u32) -> u32 {
        self.program.text()[..byte as usize].matches('\n').count() as u32 + 1
    }

    /// What the CPU finds.
    pub(crate) fn on_cpu(&self) -> Found {
        self.of_runner(Runner::new(&self.program, self.batches.clone(), self.instances).unwrap())
    }

    pub(super) fn of_runner(&self, runner: Runner) -> Found {
        let Completed { results, failures: found, lists } =
            runner.complete().unwrap_or_else(|error| panic!("{error}"));
        let mut failures = vec![None; self.instances];
        for failure in found {
            failures[failure.instance] = Some((failure.why, self.line(failure.span.start)));
        }
        Found { results: results.iter().map(Batch::to_bigints).collect(), failures, lists }
    }

    /// The kernel in one launch and in slices of these rounds gives what the CPU gives.
    pub(crate) fn check(&self, rounds: &[u64]) -> Found {
        let expected = self.on_cpu();
        expected.compare(&self.whole(), "in one launch");
        for &rounds in rounds {
            expected.compare(&self.sliced(rounds), &format!("in slices of {rounds} rounds"));
            if self.kernel.takes_open() {
                expected.compare(&self.compacted(rounds), &format!("in compacted slices of {rounds} rounds"));
            }
        }
        if let Some(straight) = &self.straight {
            straight.check(rounds);
        }
        expected
    }

    /// The whole program in one launch.
    pub(crate) fn whole(&self) -> Found {
        let (outs, marks) = self.launch((Entry::Whole, 0, 0), &[], 0);
        self.found(&outs, &marks)
    }

    /// The program in slices of so many rounds.
    pub(crate) fn sliced(&self, rounds: u64) -> Found {
        let next = self.next(0);
        let (mut outs, marks) = self.launch((Entry::Nodes(0), 0, 0), &[], next);
        if self.kernel.states.len() == 1 {
            return self.found(&outs, &marks);
        }
        self.resumed((0, 0), outs.pop().unwrap(), rounds)
    }

    /// Words of an instance in the state that a stage leaves.
    pub(super) fn next(&self, stage: usize) -> usize {
        if stage + 1 == self.kernel.states.len() { 0 } else { self.kernel.state_words(stage) as usize }
    }

    /// What is left from a state on.
    pub(super) fn resumed(
        &self,
        (mut stage, mut from): (usize, u64),
        mut state: Vec<u32>,
        rounds: u64,
    ) -> Found {
        let stages = self.kernel.states.len();
        while stage + 1 < stages {
            let (mut outs, open) =
                self.launch((Entry::Rounds(stage), from, from + rounds), &state, self.next(stage));
            (state, from) = (outs.pop().unwrap(), from + rounds);
            if open.iter().any(|&open| open != 0) {
                continue;
            }
            (stage, from) = (stage + 1, 0);
            let (mut outs, marks) = self.launch((Entry::Nodes(stage), 0, 0), &state, self.next(stage));
            if stage + 1 == stages {
                return self.found(&outs, &marks);
            }
            state = outs.pop().unwrap();
        }
        unreachable!("a state of the last stage has no rounds left")
    }
}
