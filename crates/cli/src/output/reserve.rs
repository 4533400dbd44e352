//! Room in the file system for results that are still to be computed.

use std::fs::File;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};

/// Bytes that are asked for at once. A write to the file waits as long for one of them.
const STEP: u64 = 16 << 20;

/// A thread that asks for room. To find pages for 512 MiB takes Linux 0.2 s, in which it can read the inputs.
pub(super) struct Reservation {
    stop: Arc<AtomicBool>,
    thread: JoinHandle<()>,
}

impl Reservation {
    /// Reserves room for a file of so many bytes. Where the system refuses, writes find it, or the reason.
    pub(super) fn start(file: &File, bytes: u64) -> io::Result<Self> {
        let (file, stop) = (file.try_clone()?, Arc::new(AtomicBool::new(false)));
        let is_stopped = stop.clone();
        let work = move || {
            for at in (0..bytes).step_by(STEP as usize) {
                let is_done =
                    is_stopped.load(Ordering::Relaxed) || !allocate(&file, at, STEP.min(bytes - at));
                if is_done {
                    break;
                }
            }
        };
        let thread = thread::Builder::new().name("room".to_owned()).spawn(work)?;
        Ok(Self { stop, thread })
    }

    /// Ends the thread, and the file at the position of its last write.
    pub(super) fn end(self, file: &mut File) -> io::Result<()> {
        self.stop.store(true, Ordering::Relaxed);
        let _ = self.thread.join();
        let written = io::Seek::stream_position(file)?;
        file.set_len(written)
    }
}

#[cfg(target_os = "linux")]
fn allocate(file: &File, at: u64, bytes: u64) -> bool {
    rustix::fs::fallocate(file, rustix::fs::FallocateFlags::empty(), at, bytes).is_ok()
}

#[cfg(not(target_os = "linux"))]
fn allocate(_: &File, _: u64, _: u64) -> bool {
    false
}
