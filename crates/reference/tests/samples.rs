//! The sample programs, as the oracle reads them, have the results that are known from elsewhere.

use std::collections::BTreeSet;

use limbforge_reference::program::Reading;
use limbforge_reference::samples::{Case, SAMPLES, Sample};
use limbforge_testing::program::{integers, types};
use num_bigint::BigInt;

/// One instance: the mark of its failure, or its results.
fn check(sample: &Sample, case: &Case, instance: usize, reading: &Reading<'_>) {
    let about = format!("{}.lf, {}, instance {instance}", sample.name, case.about);
    let failure = case.failures.iter().find(|(failed, _)| *failed == instance);
    match (reading.run(&integers(&case.inputs, instance)), failure) {
        (Ok(found), None) => {
            for known in &case.results {
                let found = found.iter().find(|output| *output.name == *known.name);
                let found = found.unwrap_or_else(|| panic!("{about}: no result {}", known.name));
                assert_eq!(found.values, known.of(instance, case.instances), "{about}: {}", known.name);
            }
        }
        (Err(stopped), Some((_, mark))) => {
            assert_eq!(stopped.mark, *mark, "{about}");
            let zeros = |values: &[BigInt]| values.iter().all(|value| *value == BigInt::ZERO);
            assert!(case.results.iter().all(|known| zeros(known.of(instance, case.instances))), "{about}");
        }
        (found, failure) => panic!("{about}: expected {failure:?}, found {found:?}"),
    }
}

#[test]
fn samples_have_their_known_results() {
    let mut names = BTreeSet::new();
    for sample in SAMPLES {
        assert!(names.insert(sample.name), "two samples {}", sample.name);
        let program = sample.program();
        assert!(program.warnings().is_empty(), "{}: {:?}", sample.name, program.warnings());
        let cases = (sample.cases)();
        assert!(cases.iter().any(|case| case.failures.len() < case.instances), "{}", sample.name);
        for case in &cases {
            let reading = Reading::new(program.tree(), &types(&case.inputs));
            (0..case.instances).for_each(|instance| check(sample, case, instance, &reading));
        }
    }
}

/// A sample without a case, or a case without a sample, would be missed.
#[test]
fn every_file_is_a_sample() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/programs");
    let files = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{folder}: {error}"));
    let files: BTreeSet<String> =
        files.flatten().map(|file| file.file_name().to_string_lossy().into_owned()).collect();
    let samples: BTreeSet<String> = SAMPLES.iter().map(|sample| format!("{}.lf", sample.name)).collect();
    assert_eq!(files, samples);
}

/// The first line of a sample says what it computes.
#[test]
fn samples_begin_with_a_summary() {
    for sample in SAMPLES {
        let summary = sample.text.lines().next().unwrap_or_default();
        assert!(summary.starts_with("# ") && summary.len() > 40, "{}: {summary}", sample.name);
        assert!(sample.text.lines().all(|line| line.len() <= 110), "{}: a line is too long", sample.name);
    }
}
