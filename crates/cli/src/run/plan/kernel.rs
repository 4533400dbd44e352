//! The kernel of a program on a GPU.

use limbforge::algos::program::TypedProgram;
use limbforge::prelude::*;
use limbforge_kernels_gen::program::{Emission, TapeInput, TapeKernel, TapeSpec, render};
use limbforge_kernels_gen::{LimbKind, Limits, SpecError, Target};
use serde_json::{Value, json};

use super::residues;

/// A device by its name, and the kernel for it or the reason why there is none.
pub(super) struct OnDevice {
    pub(super) name: String,
    kernel: Result<TapeKernel, SpecError>,
    /// A line for each loop over residues.
    loops: Vec<String>,
}

impl OnDevice {
    /// With 64-bit limbs, and an integer of each input for each instance.
    pub(super) fn new(program: &TypedProgram, (name, limits): (String, &Limits)) -> Self {
        let (limb, output) = (LimbKind::of::<u64>(), Layout::InstanceMajor);
        let input = TapeInput { limb, layout: output, one_for_all: false };
        let inputs = vec![input; program.inputs().len()];
        let spec =
            TapeSpec { program, inputs, limb, output, instances: None, target: Target::Cuda, emission: None };
        Self { name, kernel: render(&spec, limits), loops: residues::lines(program) }
    }

    /// Why there is no kernel.
    pub(super) fn refused(self) -> Option<SpecError> {
        self.kernel.err()
    }

    /// Bytes of an instance in each state: its integers as words, and its status.
    fn state_bytes(kernel: &TapeKernel) -> Vec<u32> {
        (0..kernel.states.len() - 1).map(|stage| 4 * kernel.state_words(stage)).collect()
    }

    pub(super) fn text(&self) -> String {
        let Ok(kernel) = &self.kernel else { return String::new() };
        self.emission(kernel) + &compaction(kernel)
    }

    fn emission(&self, kernel: &TapeKernel) -> String {
        let (mapping, geometry) = (&kernel.mapping, &kernel.kernel.geometry);
        let states: Vec<String> = Self::state_bytes(kernel).iter().map(u32::to_string).collect();
        let states = if states.is_empty() { "0".to_owned() } else { states.join(", ") };
        let operations = format!(
            "{} operations, {} numbers at once, {} bytes of local memory, states of {states} bytes\n",
            kernel.operations, kernel.slots, kernel.local_bytes
        );
        if kernel.emission == Emission::Straight {
            return format!(
                "\nkernel on {}: straight, {} words in registers; blocks of {} instances\n{operations}",
                self.name, mapping.run_words, geometry.instances,
            );
        }
        let why = kernel.not_straight.as_ref().map(|why| format!("a tape, as {why}"));
        let why: String = why.iter().chain(&self.loops).map(|line| format!("{line}\n")).collect();
        format!(
            "\nkernel on {}: lanes of {} words, {} for an instance; blocks of {} threads with {} instances and {} \
             bytes of shared memory\n{} operations, {} slots in shared memory, {} bytes of local memory, states \
             of {states} bytes\n{why}",
            self.name,
            mapping.run_words,
            mapping.lanes,
            geometry.threads,
            geometry.instances,
            geometry.shared_bytes,
            kernel.operations,
            kernel.slots,
            kernel.local_bytes,
        )
    }

    pub(super) fn object(&self) -> Value {
        match &self.kernel {
            Err(error) => json!({ "refused": error.to_string() }),
            Ok(kernel) => json!({
                "emission": if kernel.emission == Emission::Straight { "straight" } else { "tape" },
                "residue_loops": self.loops,
                "not_straight": kernel.not_straight.as_ref().map(ToString::to_string),
                "words": kernel.mapping.run_words,
                "lanes": kernel.mapping.lanes,
                "threads": kernel.kernel.geometry.threads,
                "instances": kernel.kernel.geometry.instances,
                "shared_bytes": kernel.kernel.geometry.shared_bytes,
                "slots": kernel.slots,
                "operations": kernel.operations,
                "local_bytes": kernel.local_bytes,
                "state_bytes": Self::state_bytes(kernel),
                "compacted_loops": compacted(kernel),
            }),
        }
    }
}

/// The loops, from 1, whose finished instances leave their places between slices.
fn compacted(kernel: &TapeKernel) -> Vec<usize> {
    kernel.differing.iter().enumerate().filter(|(_, differs)| **differs).map(|(i, _)| i + 1).collect()
}

fn compaction(kernel: &TapeKernel) -> String {
    let loops: Vec<String> = compacted(kernel).iter().map(usize::to_string).collect();
    let what = match &loops[..] {
        [] => return String::new(),
        [one] => format!("loop {one}"),
        several => format!("loops {}", several.join(", ")),
    };
    format!("instances that have finished leave their places between slices of {what}\n")
}
