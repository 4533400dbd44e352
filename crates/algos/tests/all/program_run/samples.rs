//! The sample programs have the results that are known from elsewhere.

use limbforge_reference::samples::SAMPLES;
use num_bigint::BigInt;

use super::{Given, at_once, in_slices, typed};

/// Rounds of a slice: so many that states take less time than rounds.
const SLICE: u64 = 301;

#[test]
fn samples_have_their_known_results() {
    for sample in SAMPLES {
        let program = sample.program();
        for case in (sample.cases)() {
            let about = format!("{}.lf, {}", sample.name, case.about);
            let given = case.inputs.iter().map(|input| (input.name, input.ty, input.values.clone()));
            let given: Vec<Given<'_>> = given.collect();
            let typed = typed(&program, &given);
            let (results, failures, lists) = at_once(&typed, &given, case.instances);
            let marks: Vec<_> =
                failures.iter().map(|failure| (failure.instance, failure.why.mark())).collect();
            assert_eq!(marks, case.failures, "{about}");
            for known in &case.results {
                let number = typed.results().iter().position(|result| *result.name == *known.name);
                let found: Vec<BigInt> = results[number.unwrap()].to_bigints();
                assert_eq!(found, known.values, "{about}: {}", known.name);
            }
            assert_eq!(
                in_slices(&typed, &given, case.instances, SLICE),
                (results, failures, lists),
                "{about}"
            );
        }
    }
}
