//! How the suites run: a property over a strategy, outside of proptest's macros, which know no type
//! parameters.

use proptest::strategy::Strategy;
use proptest::test_runner::{Config, TestCaseResult, TestRunner};

/// Runs the property on random values and panics on the smallest one found that breaks it.
///
/// # Panics
/// If the property fails.
#[track_caller]
pub fn check<S: Strategy>(strategy: S, property: impl Fn(S::Value) -> TestCaseResult) {
    // 256 cases unless PROPTEST_CASES says otherwise, others in each run.
    let mut runner = TestRunner::new(Config { failure_persistence: None, ..Config::default() });
    if let Err(error) = runner.run(&strategy, property) {
        panic!("{error}\n{runner}");
    }
}

/// One test per generic function of a suite, at the types in brackets.
#[doc(hidden)]
#[macro_export]
macro_rules! conformance {
    ($suite:path, $types:tt: $($test:ident)+) => {
        $($crate::conformance!(@test $suite, $test, $types);)+
    };
    (@test $suite:path, $test:ident, [$($ty:ty),+]) => {
        #[test]
        fn $test() {
            use $suite as suite;
            suite::$test::<$($ty),+>();
        }
    };
}
