//! The order in which devices are asked: all of them compute before one is waited for.

use std::sync::{Arc, Mutex};

use limbforge_kernels_gen::program::TapeKernel;
use limbforge_needs::needs;

use super::*;

/// What devices were asked, in order: the number of the device, and whether it was to start or to be waited for.
type Log = Arc<Mutex<Vec<(usize, &'static str)>>>;

/// A device that notes what it is asked.
struct Noted {
    device: OnEmulator,
    number: usize,
    log: Log,
}

impl Noted {
    fn note(&self, what: &'static str) {
        self.log.lock().unwrap().push((self.number, what));
    }
}

impl Launches for Noted {
    fn tape(&self) -> &TapeKernel {
        self.device.tape()
    }

    fn set_input(&mut self, input: usize, limbs: &[u64]) -> Result<(), EngineError> {
        self.device.set_input(input, limbs)
    }

    fn set_state(&mut self, words: &[u32]) -> Result<(), EngineError> {
        self.device.set_state(words)
    }

    fn launch(&mut self, entry: (Entry, u64, u64), instances: Range<usize>) -> Result<(), EngineError> {
        self.note("start");
        self.device.launch(entry, instances)
    }

    fn state(&self, words: &mut [u32]) -> Result<(), EngineError> {
        self.note("wait");
        self.device.state(words)
    }

    fn marks(&self, marks: &mut [u32]) -> Result<(), EngineError> {
        self.note("wait");
        self.device.marks(marks)
    }

    fn result(&self, result: usize, limbs: &mut [u64]) -> Result<(), EngineError> {
        self.device.result(result, limbs)
    }

    fn rooms(&self) -> &[u64] {
        self.device.rooms()
    }

    fn make_room(&mut self, rows: &[u64]) -> Result<bool, EngineError> {
        self.device.make_room(rows)
    }

    fn counters(&self) -> Result<Vec<u64>, EngineError> {
        self.device.counters()
    }

    fn rows(&self, list: usize, words: &mut [u32]) -> Result<(), EngineError> {
        self.device.rows(list, words)
    }

    fn undo(&mut self) {
        self.device.undo();
    }
}

/// The second turn has one chunk, so that the second device has nothing to do.
#[needs(cxx)]
#[test]
fn all_devices_start_before_one_is_waited_for() {
    let text = "in a\nvar x = a\nrepeat 3 { x = sqr(x) + 1 }\nout x";
    let inputs = [batch("u90", &[2, 3, 5, 7, 11])];
    let program = Program::parse(text).unwrap().typed(&[("a", inputs[0].ty())]).unwrap();
    let log = Log::default();
    let device = |number| -> Box<dyn Launches> {
        Box::new(Noted { device: OnEmulator::new(&program, &inputs, 5), number, log: Arc::clone(&log) })
    };
    let mut run = OnGpu::new(vec![device(0), device(1)], 2, &program, &inputs, 5).unwrap();
    run.begin().unwrap();
    log.lock().unwrap().clear();
    run.advance(1).unwrap();
    // The third chunk takes the place of the first one, whose state is read.
    let expected =
        [(0, "start"), (1, "start"), (0, "wait"), (1, "wait"), (0, "wait"), (0, "start"), (0, "wait")];
    let asked = core::mem::take(&mut *log.lock().unwrap());
    // Which chunk is there at the beginning decides whether a state is read first.
    assert!(asked.ends_with(&expected), "{asked:?}");
    let (results, failures, _) = Box::new(run).finish().unwrap();
    let after_three = |a: u128| (0..3).fold(a, |x, _| (x * x + 1) % (1 << 90));
    assert_eq!(results[0].to_bigints(), [2, 3, 5, 7, 11].map(|a| after_three(a).into()));
    assert!(failures.is_empty());
}
