//! What planners choose.

use limbforge_algos::expr::Expr;
use limbforge_kernels_gen::{
    Basis, Candidate, InputSpec, LimbKind, Limits, Measurement, Multiprocessor, Planner, Product, Program,
    ProgramSpec, Target,
};
use limbforge_limb::{IntType, Layout};
use proptest::prelude::*;

const POLY: &str = "(a*a + b)*(b*b + b) + a*b";
const PRODUCTS: [Product; 3] = [Product::Classical, Product::Tensor, Product::Ntt];

fn spec(text: &str, bits: u32) -> ProgramSpec {
    let dag = Expr::parse(text).unwrap().to_dag();
    let layout = Layout::InstanceMajor;
    let inputs = dag.inputs().map(|name| InputSpec::integers(name, layout, false)).collect();
    let (ty, limb) = (IntType::unsigned(bits.into()).unwrap(), LimbKind::of::<u32>());
    ProgramSpec { dag, ty, limb, inputs, output: layout, product: Product::Auto, target: Target::Cuda }
}

fn candidates(text: &str, bits: u32, limits: &Limits, planner: &Planner) -> Vec<Candidate> {
    Program::candidates(&spec(text, bits), limits, planner).unwrap()
}

/// What is chosen, which is what a program of [`Product::Auto`] is.
fn chosen(text: &str, bits: u32, limits: &Limits, planner: &Planner) -> Candidate {
    let all = candidates(text, bits, limits, planner);
    let mut chosen = all.into_iter().filter(|candidate| candidate.is_chosen);
    let only = chosen.next().unwrap();
    assert!(chosen.next().is_none(), "{text} {bits}");
    let program = Program::planned(&spec(text, bits), limits, planner);
    assert_eq!(program, only.program, "{text} {bits}");
    only
}

fn measured(text: &str, bits: u32, product: Product, ms: f64) -> Measurement {
    let limb = LimbKind::of::<u32>();
    Measurement { expression: text.to_owned(), bits, limb, product, mapping: None, ms }
}

#[test]
fn the_shipped_choice_is_the_fastest_measured() {
    let planner = Planner::default();
    for text in ["a*b", "a*a", "mul_wide(a, b)", "mulhi(a, b)", POLY] {
        for bits in [512, 1000, 1024, 2048, 4096, 5000, 8192, 16_384, 32_768, 65_536, 1 << 17, 1 << 18] {
            let all = candidates(text, bits, &Limits::SM_90, &planner);
            let best = all.iter().filter_map(Candidate::milliseconds).fold(f64::MAX, f64::min);
            let chosen = chosen(text, bits, &Limits::SM_90, &planner);
            let ms = chosen.milliseconds().unwrap();
            assert!(ms <= best, "{text} {bits}: {:?} of {ms} ms for {best}", chosen.product);
            assert_eq!(chosen.shipped_estimate, chosen.estimate);
        }
    }
}

#[test]
fn what_was_tuned_is_chosen() {
    let shipped = Planner::default();
    let (text, bits) = ("a*b", 4096);
    assert_eq!(chosen(text, bits, &Limits::SM_90, &shipped).product, Product::Tensor);
    // On this made-up GPU transforms are the fastest; names do not matter.
    let times = [(Product::Classical, 3.0), (Product::Tensor, 2.0), (Product::Ntt, 1.0)];
    let tuned = times.map(|(product, ms)| measured("x * y", bits, product, ms));
    let planner = Planner::default().with_measurements(&tuned).unwrap();
    assert!(planner.is_tuned() && !shipped.is_tuned());
    for (candidate, (product, ms)) in
        candidates(text, bits, &Limits::SM_90, &planner).iter().zip([times[2], times[1], times[0]])
    {
        assert_eq!(candidate.product, product);
        assert_eq!(candidate.estimate.map(|e| (e.milliseconds, e.basis)), Some((ms, Basis::Measured)));
        assert_ne!(candidate.shipped_estimate, candidate.estimate);
    }
    assert_eq!(chosen(text, bits, &Limits::SM_90, &planner).product, Product::Ntt);
    // Of the same case the last one counts.
    let again = [measured("a*b", bits, Product::Ntt, 9.0)];
    let planner = planner.with_measurements(&again).unwrap();
    assert_eq!(chosen(text, bits, &Limits::SM_90, &planner).product, Product::Tensor);
}

#[test]
fn what_was_tuned_counts_between_and_in_other_expressions() {
    let plain = Planner::default();
    let twice: Vec<Measurement> = [2048, 8192]
        .into_iter()
        .map(|bits| {
            let all = candidates("a*b", bits, &Limits::SM_90, &plain);
            let tensor = all.iter().find(|candidate| candidate.product == Product::Tensor).unwrap();
            measured("a*b", bits, Product::Tensor, 2.0 * tensor.milliseconds().unwrap())
        })
        .collect();
    let planner = Planner::default().with_measurements(&twice).unwrap();
    for bits in [1024, 2048, 3000, 4096, 8192, 50_000] {
        let all = candidates("a*b", bits, &Limits::SM_90, &planner);
        let tensor = all.iter().find(|candidate| candidate.product == Product::Tensor).unwrap();
        let ratio = tensor.milliseconds().unwrap() / tensor.shipped_estimate.unwrap().milliseconds;
        assert!((ratio - 2.0).abs() < 1e-9, "{bits}: {ratio}");
    }
    // A sum of two products was never measured: it is twice the product and what stands between.
    let of = |planner: &Planner, text: &str| {
        let all = candidates(text, 4096, &Limits::SM_90, planner);
        all.iter().find(|candidate| candidate.product == Product::Tensor).unwrap().estimate.unwrap()
    };
    let more = of(&planner, "a*b - c*d").milliseconds - of(&plain, "a*b - c*d").milliseconds;
    let product = of(&plain, "a*b").milliseconds;
    assert!((more - 2.0 * product).abs() < 1e-9, "{more} for 2 * {product}");
    assert_eq!(of(&plain, "a*b - c*d").basis, Basis::Composed);
}

#[test]
fn other_architectures_are_predicted() {
    for &number in Multiprocessor::KNOWN {
        let limits = Multiprocessor::of(number).unwrap().limits;
        let planner = Planner::new(number);
        for (text, bits) in [("a*b", 1024), ("a*b", 16_384), ("a*b", 1 << 17), (POLY, 4096)] {
            let chosen = chosen(text, bits, &limits, &planner);
            let estimate = chosen.estimate.unwrap();
            assert_eq!(estimate.basis == Basis::Predicted, number != 90, "{number} {text} {bits}");
            // Nothing is faster than its memory.
            let floor = planner.device().memory_milliseconds(3.0);
            assert!(estimate.milliseconds >= 0.99 * floor, "{number} {text} {bits}: {estimate:?}");
        }
        assert_eq!(chosen("a*b", 8192, &limits, &planner).product, Product::Tensor, "{number}");
    }
}

#[test]
fn what_cannot_be_is_refused() {
    let bad = [measured("a*b", 512, Product::Auto, 1.0)];
    assert!(Planner::default().with_measurements(&bad).is_err());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Whatever was measured at a width: the fastest of it is chosen there, and the estimates are the
    /// measurements.
    #[test]
    fn at_tuned_widths_the_fastest_is_chosen(
        bits in 300..40_000_u32,
        times in prop::array::uniform3(0.1..50.0_f64),
        others in prop::collection::vec((300..40_000_u32, 0..3_usize, 0.1..50.0_f64), 0..6),
        text in prop::sample::select(vec!["a*b", "a*a", "mul_wide(a, b)", "a*b + c"]),
    ) {
        let mut tuned: Vec<Measurement> =
            others.into_iter().map(|(bits, at, ms)| measured(text, bits, PRODUCTS[at], ms)).collect();
        tuned.extend(PRODUCTS.into_iter().zip(times).map(|(product, ms)| measured(text, bits, product, ms)));
        let planner = Planner::default().with_measurements(&tuned).unwrap();
        let all = candidates(text, bits, &Limits::SM_90, &planner);
        for candidate in all.iter().filter(|candidate| candidate.program.is_ok()) {
            let at = PRODUCTS.iter().position(|product| *product == candidate.product).unwrap();
            prop_assert_eq!(candidate.milliseconds(), Some(times[at]));
        }
        let best = all.iter().filter_map(Candidate::milliseconds).fold(f64::MAX, f64::min);
        prop_assert_eq!(chosen(text, bits, &Limits::SM_90, &planner).milliseconds(), Some(best));
    }
}
