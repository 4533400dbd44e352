//! The measured times that plans use: the file that limbforge is built with.

use serde_json::json;

use super::results::{Results, Source, Time};
use crate::operations::product_of;

/// Products with a named algorithm, by report, a line for each. Times are rounded to 0.1 microseconds.
pub(super) fn text(results: &Results) -> String {
    let sources = results.sources.iter().enumerate().filter_map(|(i, source)| {
        let lines: Vec<String> =
            results.times.iter().filter(|time| time.source == i).filter_map(line).collect();
        let Source { name, device, date, commit, .. } = source;
        let [name, device, date, commit] = [name, device, date, commit].map(|text| json!(text).to_string());
        (!lines.is_empty()).then(|| {
            format!(
                "  {{\"file\": {name}, \"device\": {device}, \"date\": {date}, \"commit\": {commit}, \
                 \"measurements\": [\n{}\n  ]}}",
                lines.join(",\n")
            )
        })
    });
    format!("{{\n \"sources\": [\n{}\n ]\n}}\n", sources.collect::<Vec<_>>().join(",\n"))
}

fn line(time: &Time) -> Option<String> {
    let (expression, product) = product_of(&time.operation)?;
    let ms = (time.median_ms * 1e4).round() / 1e4;
    let [expression, limb] = [json!(expression), json!(time.limb)];
    let bits = time.bits;
    Some(format!(
        "   {{\"expression\":{expression},\"bits\":{bits},\"limb\":{limb},\"product\":\"{product}\",\"ms\":{ms}}}"
    ))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::fs;
    use std::path::Path;

    use clap::ValueEnum;
    use limbforge::algos::expr::Expr;
    use limbforge::limb::IntType;
    use limbforge_cli::args::LimbArgument;
    use limbforge_cli::gpu::kernels::program_spec;
    use limbforge_kernels_gen::{Limits, Planner, Product, Program};
    use serde_json::Value;

    use super::*;

    fn kept() -> Results {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../benches/results/h200");
        let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        paths.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
        paths.sort();
        let mut results = Results::default();
        for path in paths {
            let report: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
            results.add(&path.display().to_string(), &report).unwrap();
        }
        results
    }

    /// If several products were measured, the plan's choice takes at most 5 % more than the best. A choice
    /// that was not measured is estimated to take no more than the best measured one.
    #[test]
    fn the_choice_is_near_the_best_measured() {
        let mut cases: BTreeMap<_, Vec<(Product, f64)>> = BTreeMap::new();
        for time in kept().times {
            if let Some((expression, product)) = product_of(&time.operation) {
                cases.entry((expression, time.bits, time.limb)).or_default().push((product, time.median_ms));
            }
        }
        let (mut compared, mut widths) = (0, vec![]);
        for ((expression, bits, limb), times) in cases {
            if times.iter().all(|(product, _)| *product == times[0].0) {
                continue;
            }
            let case = format!("{expression} of {bits} bits, {limb}: {times:?}");
            let ty = IntType::unsigned(bits.into()).unwrap();
            let dag = Expr::parse(expression).unwrap().to_dag();
            let spec = program_spec(dag, Product::Auto, ty, LimbArgument::from_str(&limb, true).unwrap());
            let candidates = Program::candidates(&spec, &Limits::SM_90, &Planner::new(90)).unwrap();
            let chosen = candidates.iter().find(|candidate| candidate.is_chosen).unwrap();
            let of_choice = times.iter().filter(|(product, _)| *product == chosen.product);
            let measured = of_choice.map(|(_, ms)| *ms).reduce(f64::max);
            let ms = measured.or(chosen.milliseconds()).unwrap();
            let limit = if measured.is_some() { 1.05 } else { 1.0 };
            let best = times.iter().map(|(_, ms)| *ms).fold(f64::MAX, f64::min);
            assert!(ms <= limit * best, "{case}: {} takes {ms}", chosen.product);
            compared += 1;
            widths.push((expression, bits));
        }
        assert!(compared > 80, "{compared}");
        for case in [
            ("(a*a + b)*(b*b + b) + a*b", 1024),
            ("a * a", 65_536),
            ("mul_wide(a, b)", 512),
            ("mulhi(a, b)", 4096),
        ] {
            assert!(widths.contains(&case), "{case:?}");
        }
    }
}
