//! Runs on emulated kernels: in one launch, in slices, in chunks, on several devices, and handed over from and
//! to the CPU.
#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

use core::ops::Range;
use std::sync::Mutex;

use limbforge_algos::program::Program;
use limbforge_emulate::{Check, Compiler, Emulated, Schedule};
use limbforge_kernels_gen::program::{TapeInput, TapeKernel, TapeSpec, render};
use limbforge_kernels_gen::{LimbKind, Limits, Target};
use limbforge_limb::{IntType, Layout};
use limbforge_needs::needs;

use super::*;

mod lists;
mod loops;
mod side_by_side;

/// A kernel as a program of this machine.
struct OnEmulator {
    tape: TapeKernel,
    emulated: Emulated,
    program: TypedProgram,
    inputs: Vec<Vec<u64>>,
    state: Vec<u32>,
    results: Vec<Vec<u64>>,
    marks: Vec<u32>,
    /// The state before the last launch.
    before: Vec<u32>,
    rooms: Vec<u64>,
    /// Words of all lists at most.
    most_words: u64,
    rows: Vec<u32>,
    counters: Vec<u64>,
    /// How often it was asked for rounds of loops, and how often all of their moduli had a system.
    asked: Arc<Mutex<[usize; 2]>>,
}

/// A run on devices, without loops in residue number systems.
fn on_devices(
    devices: Vec<Box<dyn Launches>>,
    chunk: usize,
    program: &TypedProgram,
    inputs: &[Batch<u64>],
    instances: usize,
) -> Result<OnGpu, EngineError> {
    OnGpu::of_run(devices, chunk, Run::new(program, inputs, instances)?)
}

fn words<W: bytemuck::Pod>(bytes: &[u8]) -> Vec<W> {
    bytes.chunks_exact(size_of::<W>()).map(bytemuck::pod_read_unaligned).collect()
}

impl OnEmulator {
    fn new(program: &TypedProgram, inputs: &[Batch<u64>], instances: usize) -> Self {
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
        // One warp.
        let spec = TapeSpec { inputs: forms, ..spec(Some(32 / spec(None).lanes().unwrap())) };
        let tape = render(&spec, &Limits::SM_90).unwrap();
        let compiler = Compiler::find().unwrap();
        let emulated = Emulated::build_with(&compiler, &tape.kernel, Check::Memory).unwrap();
        let (inputs, program) = (vec![vec![]; inputs.len()], program.clone());
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

    fn set_state(&mut self, words: &[u32]) -> Result<(), EngineError> {
        self.state = words.to_vec();
        Ok(())
    }

    fn launch(
        &mut self,
        (entry, from, to): (Entry, u64, u64),
        instances: Range<usize>,
    ) -> Result<(), EngineError> {
        let first = instances.start as u64;
        let control = self.tape.control_with_lists(entry, (from, to), first, &self.rooms).unwrap();
        let instances = instances.len();
        let inputs = self.inputs.iter().map(|limbs| bytemuck::cast_slice::<u64, u8>(limbs));
        let behind = [bytemuck::cast_slice(&self.state), bytemuck::cast_slice(&control)];
        let inputs: Vec<&[u8]> = inputs.chain(behind).collect();
        let last = self.tape.states.len() - 1;
        let next = match entry {
            Entry::Nodes(stage) | Entry::Rounds(stage) if stage < last => self.tape.state_words(stage),
            _ => 0,
        };
        let sizes = self
            .program
            .results()
            .iter()
            .map(|result| 8 * instances * result.elements as usize * result.ty.limbs::<u64>());
        let mut sizes: Vec<usize> = sizes.chain([4 * instances * next as usize]).collect();
        if !self.rooms.is_empty() {
            sizes.extend([4 * self.list_words(&self.rooms) as usize, 8 * self.rooms.len()]);
        }
        let ran = self.emulated.run_results(&inputs, &sizes, instances as u64, Schedule::Random(1));
        let (mut outs, marks) = ran.unwrap_or_else(|error| panic!("{entry:?} from {from} to {to}: {error}"));
        if !self.rooms.is_empty() {
            self.counters = words(&outs.pop().unwrap());
            self.rows = words(&outs.pop().unwrap());
        }
        self.before = core::mem::replace(&mut self.state, words(&outs.pop().unwrap()));
        self.results = outs.iter().map(|bytes| words(bytes)).collect();
        self.marks = marks;
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
        let rooms = launches::larger(&self.rooms, rows, self.most_words, |rooms| self.list_words(rooms));
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

fn batch(ty: &str, values: &[i64]) -> Batch<u64> {
    let values: Vec<_> = values.iter().map(|&value| value.into()).collect();
    Batch::from_bigints(ty.parse().unwrap(), Layout::InstanceMajor, &values).unwrap()
}

/// Every way of running a program in chunks of each size has the CPU's results.
fn check(text: &str, named: &[(&str, Batch<u64>)], instances: usize, is_short: bool) {
    let types: Vec<(&str, IntType)> = named.iter().map(|(name, batch)| (*name, batch.ty())).collect();
    let program = Program::parse(text).unwrap().typed(&types).unwrap();
    let inputs: Vec<Batch<u64>> = named.iter().map(|(_, batch)| batch.clone()).collect();
    let on_cpu = || Box::new(OnCpu::start(&program, &inputs, instances).unwrap());
    let expected = on_cpu().finish().unwrap();
    let compare = |run: Box<dyn Slices>, how: &str| {
        let (results, failures, lists) = run.finish().unwrap();
        assert_eq!(failures, expected.1, "{how}");
        assert_eq!(lists, expected.2, "{how}");
        assert!(results == expected.0, "{how}: {results:?}");
    };
    for (devices, chunk) in [(1, instances), (1, 3), (2, 2)] {
        let new = || {
            let device = |_| -> Box<dyn Launches> { Box::new(OnEmulator::new(&program, &inputs, instances)) };
            let devices = (0..devices).map(device).collect();
            Box::new(on_devices(devices, chunk, &program, &inputs, instances).unwrap())
        };
        let how = |what: &str| format!("{what}, chunks of {chunk} on {devices}");
        assert_eq!(new().is_short(), is_short, "{}", how("short"));
        compare(new(), &how("in one launch"));
        for rounds in [1, 7] {
            let (mut run, mut cpu) = (new(), on_cpu());
            assert_eq!((run.position().stage, run.position().round), (0, 0));
            run.advance(rounds).unwrap();
            cpu.advance(rounds).unwrap();
            if !run.is_done() {
                assert_eq!(run.position(), cpu.position(), "{}", how("position"));
            }
            let (left, of_cpu) = (run.state().unwrap(), cpu.state().unwrap());
            assert_eq!(left.failures, of_cpu.failures, "{}", how("failures of a state"));
            if !run.is_done() {
                assert_eq!(left.lists, of_cpu.lists, "{}", how("lists of a state"));
            }
            let resumed = OnCpu::resume(&program, &inputs, instances, &left).unwrap();
            compare(Box::new(resumed), &how("from the kernel to the CPU"));
            while !run.is_done() {
                run.advance(rounds).unwrap();
            }
            compare(run, &how("in slices"));
            if of_cpu.stage + 1 < stages(&program).len() {
                let mut resumed = new();
                resumed.enter(&of_cpu).unwrap();
                assert_eq!(resumed.position(), cpu.position(), "{}", how("position from the CPU"));
                compare(resumed, &how("from the CPU to the kernel"));
            }
        }
    }
}

#[needs(cxx)]
#[test]
fn two_loops_and_failures_in_each_stage() {
    let text = "in n, x, t\nlet q = x / t\nvar y = x mod n\nrepeat t + 1 { y = sqr(y) }\nlet inverse = 1 / y\n\
                var s = q\nfor i in 0 .. 9 { s = s * 3 + i\nrequire s != 53 }\nout y, inverse, s";
    let n = batch("u100", &[101, 1_000_003, 8, 9, (1 << 40) | 1, 15, 77]);
    let (x, t) = (batch("i70", &[-3, 5, 7, 3, 12, 1, 2]), batch("i70", &[10, 1, 5, 12, 0, 3, 7]));
    check(text, &[("n", n), ("x", x), ("t", t)], 7, false);
}

/// Instances have the numbers of the whole batch in every chunk, also where the CPU finds the reason of a failure.
#[needs(cxx)]
#[test]
fn random_integers_and_numbers_of_instances() {
    let text = "in n, seed\nlet k = random(u131, seed, 32 * instance)\nvar y = k mod n\nvar z = instance\n\
                repeat 9 { y = sqr(y) + instance; z = z * random(u64, 5, z + instance) }\n\
                let q = k / ((instance + 1) % 3 - 1)\nout y, z, q, r = div_exact(12, (instance + 5) % 7)";
    let n = batch("u100", &[101, 1_000_003, 9, (1 << 40) | 1, 15, 77, 1]);
    check(text, &[("n", n), ("seed", batch("u64", &[77]))], 7, true);
}

#[needs(cxx)]
#[test]
fn a_while_loop_with_one_for_all() {
    let text = "in a, b\nvar (x, y, rounds) = (a, b, 0)\nwhile y != 0 limit 6 {\n(x, y) = (y, x % y)\n\
                rounds = rounds + 1\n}\nout x, rounds";
    check(text, &[("a", batch("u90", &[144, 100, 7, 0, 89])), ("b", batch("u90", &[55]))], 5, true);
}

#[needs(cxx)]
#[test]
fn no_loop_at_all() {
    let text = "in a, b\nout q = a / b, pair = (a, b)";
    check(text, &[("a", batch("i60", &[7, -8, 9, 4])), ("b", batch("i60", &[2, 0, -3, 0]))], 4, true);
}
