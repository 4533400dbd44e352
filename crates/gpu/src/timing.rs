//! Times of work on the device itself.

use cudarc::driver::sys::CUevent_flags;
use cudarc::driver::{CudaEvent, CudaStream};

use crate::device::Device;
use crate::driver::{elapsed_ms, failed};
use crate::error::GpuError;

/// Measured times in milliseconds.
#[derive(Clone, Debug, PartialEq)]
pub struct Timings {
    /// The middle one, or the mean of the two middle ones.
    pub median_ms: f64,
    /// The shortest.
    pub min_ms: f64,
    /// All, in the order of measuring.
    pub all: Vec<f64>,
}

impl Timings {
    /// The median and minimum of these times; 0 if there are none.
    #[must_use]
    pub fn new(all: Vec<f64>) -> Self {
        let mut sorted = all.clone();
        sorted.sort_by(f64::total_cmp);
        let at = |index: usize| sorted.get(index).copied().unwrap_or(0.0);
        let middle = sorted.len() / 2;
        let median_ms = if sorted.len() % 2 == 1 {
            at(middle)
        } else {
            (at(middle.saturating_sub(1)) + at(middle)) / 2.0
        };
        Self { median_ms, min_ms: at(0), all }
    }
}

impl Device {
    /// Times on the device of the work that `work` starts with [`run_program`](Self::run_program): `warmup`
    /// runs unmeasured, then `repeats` runs (at least one).
    ///
    /// # Errors
    /// The errors of `work`, and [`GpuError::Driver`].
    pub fn time(
        &self,
        warmup: usize,
        repeats: usize,
        mut work: impl FnMut() -> Result<(), GpuError>,
    ) -> Result<Timings, GpuError> {
        for _ in 0..warmup {
            work()?;
        }
        let mut all = Vec::with_capacity(repeats.max(1));
        for _ in 0..repeats.max(1) {
            let start = event(self.queue())?;
            work()?;
            let end = event(self.queue())?;
            all.push(f64::from(elapsed_ms(&start, &end)?));
        }
        Ok(Timings::new(all))
    }
}

/// An event behind what a stream has been given so far.
pub(crate) fn event(stream: &CudaStream) -> Result<CudaEvent, GpuError> {
    let flags = Some(CUevent_flags::CU_EVENT_DEFAULT);
    let event = stream.context().new_event(flags).map_err(failed("create an event"))?;
    event.record(stream).map_err(failed("record an event"))?;
    Ok(event)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians() {
        let of = |all: &[f64]| {
            let timings = Timings::new(all.to_vec());
            (timings.median_ms, timings.min_ms)
        };
        assert_eq!(of(&[3.0, 1.0, 2.0]), (2.0, 1.0));
        assert_eq!(of(&[4.0, 1.0, 2.0, 3.0]), (2.5, 1.0));
        assert_eq!(of(&[5.0]), (5.0, 5.0));
        assert_eq!(of(&[]), (0.0, 0.0));
    }
}
