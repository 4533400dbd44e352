//! Compiles many kernels, and measures what each takes.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use limbforge_gpu::Nvrtc;
use limbforge_kernels_gen::Limits;
use limbforge_limb::Layout;

use crate::common::{LIMBS, unsigned};
use crate::rendered::{Rendered, faults};

/// Held by tests that compile on all cores, so that none is measured beside another.
pub(crate) static ALONE: Mutex<()> = Mutex::new(());

/// What the smallest kernel takes where the limits above were set, an Intel Xeon of the Sapphire Rapids
/// class.
const REFERENCE: Duration = Duration::from_millis(40);

/// How many times slower than there this machine is; 1 if it is faster.
pub(crate) fn slower_than_reference(nvrtc: &Nvrtc) -> f64 {
    let smallest = Rendered::expression(&unsigned("a", 32, LIMBS[0], Layout::InstanceMajor), &Limits::SM_90);
    (best_of_three(nvrtc, &smallest, "sm_90").as_secs_f64() / REFERENCE.as_secs_f64()).max(1.0)
}

/// What is wrong with a kernel that seemed slow beside others: it is measured again, alone, beside the speed of this
/// moment.
pub(crate) fn too_slow(nvrtc: &Nvrtc, kernel: &Rendered, arch: &str) -> Option<String> {
    let longest = kernel.longest.mul_f64(slower_than_reference(nvrtc));
    let taken = best_of_three(nvrtc, kernel, arch);
    (taken > longest)
        .then(|| format!("{} for {arch} took {taken:.2?}; expected at most {longest:.2?}", kernel.name))
}

fn best_of_three(nvrtc: &Nvrtc, kernel: &Rendered, arch: &str) -> Duration {
    (0..3).map(|_| timed(|| kernel.compile(nvrtc, arch)).1).min().unwrap()
}

/// How long `work` takes with a core of its own: what this thread was given of one if the system tells, so
/// that a busy machine does not count, else the time that went by.
pub(crate) fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let busy = || {
        let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
        text.split_whitespace().next()?.parse().map(Duration::from_nanos).ok()
    };
    let (before, begin) = (busy(), Instant::now());
    let made = work();
    let gone = begin.elapsed();
    (made, before.zip(busy()).and_then(|(before, after)| after.checked_sub(before)).unwrap_or(gone))
}

/// The faults that `work` finds in the items, on all cores.
pub(crate) fn in_parallel<'t, T: Sync>(
    items: &'t [T],
    work: impl Fn(&'t T) -> Option<String> + Sync,
) -> Vec<String> {
    let (next, found) = (AtomicUsize::new(0), Mutex::new(vec![]));
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(|| {
                while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let fault = work(item);
                    found.lock().unwrap().extend(fault);
                }
            });
        }
    });
    found.into_inner().unwrap()
}

/// Compiles all for an architecture each; what is wrong with any, or takes too long.
fn faults_of_all(nvrtc: &Nvrtc, kernels: &[(Rendered, &str)]) -> Vec<String> {
    let _alone = ALONE.lock();
    let slower = slower_than_reference(nvrtc);
    let begin = Instant::now();
    let slow = Mutex::new(vec![]);
    let mut faults = in_parallel(kernels, |kernel| {
        let (compiled, taken) = timed(|| kernel.0.compile(nvrtc, kernel.1));
        if taken > kernel.0.longest.mul_f64(slower) {
            slow.lock().unwrap().push(kernel);
        }
        faults(&kernel.0, kernel.1, &compiled)
    });
    eprintln!("{} kernels in {:.1?}; speed 1 / {slower:.2}", kernels.len(), begin.elapsed());
    let slow = slow.into_inner().unwrap();
    faults.extend(slow.into_iter().filter_map(|(kernel, arch)| too_slow(nvrtc, kernel, arch)));
    faults
}

/// Compiles all for an architecture each, and fails if anything is wrong with one of them.
pub(crate) fn check_all(nvrtc: &Nvrtc, kernels: &[(Rendered, &str)]) {
    let faults = faults_of_all(nvrtc, kernels);
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}
