//! How several devices are asked: all at once, each by a thread of its own.

use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use limbforge_kernels_gen::program::TapeKernel;
use limbforge_needs::needs;

use super::launches::Launch;
use super::open::Warps;
use super::*;

/// How often each device was asked to do something.
#[derive(Default)]
struct Log {
    asked: Mutex<[[usize; 2]; 4]>,
    more: Condvar,
}

const UPLOAD: usize = 0;
const WAIT: usize = 1;
const LAUNCH: usize = 2;
const DOWNLOAD: usize = 3;

impl Log {
    /// Notes it, and waits until the other device was asked for the same as often: what is asked for in
    /// sequence would wait for ever.
    fn meet(&self, what: usize, device: usize) {
        let mut asked = self.asked.lock().unwrap();
        asked[what][device] += 1;
        self.more.notify_all();
        let is_behind = |asked: &mut [[usize; 2]; 4]| asked[what][1 - device] < asked[what][device];
        let met = self.more.wait_timeout_while(asked, Duration::from_secs(20), is_behind).unwrap();
        assert!(!met.1.timed_out(), "device {device} is asked for {what} while the other one waits");
    }
}

/// A device that waits for the other one wherever it is asked.
struct Meeting {
    device: OnEmulator,
    number: usize,
    log: Arc<Log>,
}

impl Launches for Meeting {
    fn tape(&self) -> &TapeKernel {
        self.device.tape()
    }

    fn set_input(&mut self, input: usize, limbs: &[u64]) -> Result<(), EngineError> {
        self.log.meet(UPLOAD, self.number);
        self.device.set_input(input, limbs)
    }

    fn warps(&self) -> Warps {
        self.device.warps()
    }

    fn set_state(&mut self, words: &[u32]) -> Result<(), EngineError> {
        self.device.set_state(words)
    }

    fn launch(&mut self, launch: &Launch<'_>) -> Result<(), EngineError> {
        self.log.meet(LAUNCH, self.number);
        self.device.launch(launch)
    }

    fn rounds(
        &mut self,
        stage: usize,
        operands: &[Vec<u32>],
        instances: usize,
    ) -> Result<Option<Vec<Vec<u32>>>, EngineError> {
        self.device.rounds(stage, operands, instances)
    }

    fn state(&self, words: &mut [u32]) -> Result<(), EngineError> {
        self.log.meet(WAIT, self.number);
        self.device.state(words)
    }

    fn marks(&self, marks: &mut [u32]) -> Result<(), EngineError> {
        self.log.meet(WAIT, self.number);
        self.device.marks(marks)
    }

    fn result(&self, result: usize, limbs: &mut [u64]) -> Result<(), EngineError> {
        self.log.meet(DOWNLOAD, self.number);
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

/// Two chunks on each device, so that states leave it and come back.
#[needs(cxx)]
#[test]
fn uploads_launches_waits_and_downloads_of_two_devices_are_at_the_same_time() {
    let text = "in a, b\nvar x = a\nrepeat 3 { x = sqr(x) + b }\nout x, y = x + 1";
    let inputs = [batch("u90", &[2, 3, 5, 7, 11, 13, 17, 19]), batch("u90", &[1])];
    let program =
        Program::parse(text).unwrap().typed(&[("a", inputs[0].ty()), ("b", inputs[1].ty())]).unwrap();
    let log = Arc::<Log>::default();
    let device = |number| -> Box<dyn Launches> {
        Box::new(Meeting { device: OnEmulator::new(&program, &inputs, 8), number, log: Arc::clone(&log) })
    };
    let mut run = on_devices(vec![device(0), device(1)], 2, &program, &inputs, 8).unwrap();
    run.advance(1).unwrap();
    run.advance(2).unwrap();
    let (results, failures, _) = Box::new(run).finish().unwrap();
    let after_three = |a: u128| (0..3).fold(a, |x, _| (x * x + 1) % (1 << 90));
    let expected = [2, 3, 5, 7, 11, 13, 17, 19].map(|a| after_three(a).into());
    assert_eq!(results[0].to_bigints(), expected);
    assert!(failures.is_empty());
    let asked = *log.asked.lock().unwrap();
    // Nodes, two slices and the results, of two chunks each.
    assert_eq!((asked[LAUNCH], asked[DOWNLOAD]), ([8, 8], [4, 4]));
    assert!(
        asked[UPLOAD][0] > 2 && asked[WAIT][0] > 4 && asked.iter().all(|[one, two]| one == two),
        "{asked:?}"
    );
}
