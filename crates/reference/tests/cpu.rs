//! Random programs on the CPU against the oracle: types, results, failures and their places.

use limbforge_algos::cpu::program::Runner;
use limbforge_algos::program::Program;
use limbforge_limb::{Batch, Layout};
use limbforge_reference::program::{Expected, Output, Reading, Stopped};
use limbforge_reference::sample;
use limbforge_reference::samples::SAMPLES;
use limbforge_testing::program::{Case, Input, seeded};

/// Programs that are drawn; all of `LIMBFORGE_LONG` are more.
const PROGRAMS: u64 = 1000;

/// The results of the CPU.
fn on_cpu(program: &Program, case: &Case) -> Expected {
    let typed =
        program.typed(&case.types()).unwrap_or_else(|error| panic!("{}", error.report(program.text())));
    let batch = |input: &Input| {
        let batch = Batch::from_bigints(input.ty, Layout::InstanceMajor, &input.values);
        batch.unwrap_or_else(|error| panic!("{}: {error}", input.name))
    };
    let inputs = case.inputs.iter().map(batch).collect();
    let mut run = Runner::new(&typed, inputs, case.instances).unwrap_or_else(|error| panic!("{error}"));
    while !run.is_done() {
        run.advance(u64::MAX);
    }
    let (results, failures) = run.finish();
    let results = typed.results().iter().zip(results);
    let results = results.map(|(output, batch)| {
        assert_eq!(output.ty, batch.ty());
        Output { name: output.name.clone(), ty: output.ty, values: batch.to_bigints() }
    });
    let failures = failures.into_iter();
    let failures =
        failures.map(|failure| (failure.instance, Stopped { mark: failure.why.mark(), place: failure.span }));
    Expected { results: results.collect(), failures: failures.collect() }
}

fn check(seed: u64, case: &Case) {
    let _shown = Shown(seed, &case.text);
    let program = Program::parse(&case.text).unwrap_or_else(|error| panic!("{error}"));
    let expected =
        Reading::new(program.tree(), &case.types()).batch(case.instances, |instance| case.instance(instance));
    assert_eq!(on_cpu(&program, case), expected);
}

/// A program that is shown where a test panics.
struct Shown<'c>(u64, &'c str);

impl Drop for Shown<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("LIMBFORGE_SEED={}:\n{}", self.0, self.1);
        }
    }
}

#[test]
fn random_programs() {
    let programs = if sample::is_long() { 20 * PROGRAMS } else { PROGRAMS };
    for seed in sample::seed()..sample::seed() + programs {
        check(seed, &seeded(seed, 5));
    }
}

#[test]
fn samples() {
    for sample in SAMPLES {
        for case in (sample.cases)() {
            let inputs = case.inputs.into_iter().map(|input| Input {
                name: input.name,
                ty: input.ty,
                elements: input.elements,
                values: input.values,
            });
            let (text, instances) = (sample.text.to_owned(), case.instances);
            check(0, &Case { text, instances, inputs: inputs.collect() });
        }
    }
}
