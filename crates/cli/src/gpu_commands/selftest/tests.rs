//! The code of the kernels of every case, compared with a kept record: a change of structure alters none.

use std::path::Path;

use limbforge_kernels_gen::{Geometry, Kernel, Limits, Planner, Program, Sink, Source};
use limbforge_reference::guard::Guard;

use super::cases::{self, Case, Task};
use super::random::RandomCase;
use crate::error::CliError;

/// Random expressions, of one seed.
const RANDOM: u64 = 400;

/// Transforms whose tables are not too long to be rendered here.
const MOST_POINTS: u32 = 1 << 17;

/// The kernels of a case, and what its launches read and write where that is not guarded elsewhere.
fn kernels(case: &Case, number: u32, limits: &Limits) -> Result<(Vec<Kernel>, String), CliError> {
    if let Task::Program(_) = case.task {
        let program = case.program(limits)?;
        return Ok((program.render(limits)?, wiring_of(&program)));
    }
    let program = match &case.task {
        Task::Random(case) => Program::planned(&case.spec(), limits, &Planner::new(number))?,
        _ => case.program(limits)?,
    };
    // The kernel of each launch.
    let kernels = program.launched().map(|kernel| Ok(kernel.render(limits)?));
    Ok((kernels.collect::<Result<_, CliError>>()?, String::new()))
}

/// The wiring of a program without planes and uniform buffers.
fn wiring_of(program: &Program) -> String {
    let source = |source: &Source| match source {
        Source::Input(i) => format!("input {i}"),
        Source::Buffer(i) => format!("buffer {i}"),
        Source::Table(i) => format!("table {i} of {} words", program.table_words(*i).len()),
        Source::Plane { .. } | Source::Uniform { .. } => format!("{source:?}"),
    };
    let launches = program.launches.iter().map(|launch| {
        let output = |output: &Sink| match *output {
            Sink::Result(0) => "result".to_owned(),
            Sink::Result(i) => format!("result {i}"),
            Sink::Buffer(i) => format!("buffer {i}"),
            Sink::Uniform(i) => format!("uniform {i}"),
        };
        let output = launch.outputs.iter().map(output).collect::<Vec<_>>().join(", ");
        let inputs: Vec<String> = launch.inputs.iter().map(source).collect();
        format!("limbforge_kernel {inputs:?} -> {output} x {}", launch.repeats)
    });
    let launches: Vec<String> = launches.collect();
    let Program { buffers, input_words, result_words, .. } = program;
    let words = if let [words] = result_words[..] { words.to_string() } else { format!("{result_words:?}") };
    format!("{launches:?} {buffers:?} {input_words:?} {words}")
}

fn compare(device: &str, number: u32, limits: Limits) {
    let mut guard = Guard::default();
    let mut cases = cases::all(false).unwrap();
    cases.extend(cases::all(true).unwrap());
    cases.extend((0..RANDOM).map(|index| RandomCase::new(20_261_123, index).map(Case::from).unwrap()));
    cases.retain(|case| !matches!(case.task, Task::Transform(transform) if transform.points > MOST_POINTS));
    for case in &cases {
        let (kernels, wiring) = kernels(case, number, &limits).unwrap_or_default();
        let sources = kernels.iter().map(|Kernel { source, entry, inputs, geometry, marks, .. }| {
            let Geometry { threads, instances, planes, shared_bytes } = geometry;
            let launch = format!("{entry} {inputs:?} {threads} {instances} {planes} {shared_bytes} {marks}");
            (launch, &**source)
        });
        guard.add(case.key[0], &format!("{} {wiring}", case.name), sources);
    }
    guard.compare(&Path::new("tests/guard").join(format!("{device}.txt")));
}

macro_rules! devices {
    ($($test:ident: $device:literal $number:literal $limits:ident;)*) => {$(
        #[test]
        fn $test() {
            compare($device, $number, Limits::$limits);
        }
    )*};
}

// Devices of compute capabilities 8.9 and 10.0 have the limits of 8.6 and 9.0; what is planned for them is
// guarded in kernels-gen.
devices! {
    guard_sm_75: "sm_75" 75 SM_75;
    guard_sm_80: "sm_80" 80 SM_80;
    guard_sm_86: "sm_86" 86 SM_86;
    guard_sm_90: "sm_90" 90 SM_90;
    guard_sm_90a: "sm_90a" 90 SM_90A;
}
