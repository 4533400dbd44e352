//! `limbforge plan`.

#![cfg(feature = "gpu")]
#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

use std::process::{Command, Output};

use serde_json::Value;

fn plan(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_limbforge")).arg("plan").args(arguments).output().unwrap()
}

fn candidates(arguments: &[&str]) -> Vec<Value> {
    let output = plan(&[arguments, &["--json"]].concat());
    assert_eq!((output.status.code(), &*output.stderr), (Some(0), &b""[..]), "{arguments:?}");
    let value: Value = serde_json::from_slice(&output.stdout).unwrap();
    value["candidates"].as_array().unwrap().clone()
}

/// The chosen product, which comes first.
fn chosen(arguments: &[&str]) -> String {
    let candidates = candidates(arguments);
    assert_eq!(candidates.iter().filter(|candidate| candidate["chosen"] == true).count(), 1);
    assert_eq!(candidates[0]["chosen"], true);
    candidates[0]["product"].as_str().unwrap().to_owned()
}

#[test]
fn the_choice_depends_on_width_and_device() {
    for (bits, expected) in [("512", "classical"), ("4096", "tensor"), ("131072", "ntt")] {
        assert_eq!(chosen(&["a*b", "--bits", bits]), expected, "{bits}");
    }
    // A T4 is bound by its memory where an H200 is not yet.
    for (bits, expected) in [("1024", "classical"), ("4096", "tensor"), ("65536", "ntt")] {
        assert_eq!(chosen(&["a*b", "--bits", bits, "--arch", "sm_75"]), expected, "{bits}");
    }
}

/// The time of the shipped file.
fn shipped(expression: &str, bits: u32, limb: &str, product: &str) -> Option<f64> {
    let file: Value =
        serde_json::from_str(include_str!("../../../kernels-gen/data/plans/sm_90.json")).unwrap();
    let sources = file["sources"].as_array().unwrap().clone();
    let mut rows = sources.iter().flat_map(|source| source["measurements"].as_array().unwrap());
    let key = |row: &Value| {
        (row["expression"] == expression, row["bits"] == bits, row["limb"] == limb, row["product"] == product)
    };
    rows.rfind(|row| key(row) == (true, true, true, true))?["ms"].as_f64()
}

#[test]
fn estimates_of_measured_widths_are_the_measurements() {
    let all = candidates(&["a*b", "--bits", "4096"]);
    let time = |product: &str| {
        let candidate = all.iter().find(|candidate| candidate["product"] == product).unwrap();
        candidate["estimated_ms"].as_f64().unwrap()
    };
    for product in ["tensor", "classical", "ntt"] {
        assert_eq!(
            Some(time(product)),
            shipped("a * b", 4096, "u64", product).or(shipped("a * b", 4096, "u32", product))
        );
    }
    assert!(all.iter().all(|candidate| candidate["kernels"].as_u64() >= Some(1)));
}

#[test]
fn what_has_no_kernel_says_why() {
    let all = candidates(&["a*b", "--bits", "1048576"]);
    let classical = all.iter().find(|candidate| candidate["product"] == "classical").unwrap();
    assert!(classical["refused"].as_str().is_some_and(|why| !why.is_empty()), "{classical}");
    assert_eq!((&classical["estimated_ms"], &classical["threads"]), (&Value::Null, &Value::Null));
    let output = plan(&["a*b", "--bits", "2097152"]);
    let expected = "error: no kernel: u2097152 is too wide for kernels of this expression on this device, 1048576 bits are not: \
                    use narrower integers, or the CPU backend\n";
    assert_eq!(String::from_utf8(output.stderr).unwrap(), expected);
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn without_products_there_is_one_way() {
    let all = candidates(&["a + b", "--bits", "4096"]);
    assert_eq!((all.len(), &all[0]["product"], &all[0]["kernels"]), (1, &Value::Null, &Value::from(1)));
}

#[test]
fn an_explanation_names_sources_and_kernels() {
    let explain = |arguments: &[&str]| {
        let output = plan(&[arguments, &["--explain"]].concat());
        assert_eq!((output.status.code(), &*output.stderr), (Some(0), &b""[..]));
        String::from_utf8(output.stdout).unwrap()
    };
    let text = explain(&["a*b", "--bits", "4096"]);
    for part in [
        "Measured:\n  NVIDIA H200, bench-",
        "ms, measured: chosen",
        "times the chosen one",
        "  many-core model: ",
        "times the time above",
        "    1. W = 8.657e9 operations, S = ",
        " O/U = 3.146e6 words in N = ",
        "  1. tensor cores: 4 tiles of 128 digits of 8 bits, 4 together, warps an instance: 1; IPB = ",
        "% of the lanes busy, 28 warps a multiprocessor, 0 waits: ",
        "that fit, by the model:\n",
        "together=4 team=1 warps=8: 0.",
        "words=16 instances=16: 1.",
        "threads=8 instances=8: 3.",
        " ms, planned\n",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(!text.contains("Predicted"), "{text}");
    let text = explain(&["a*b - b*b", "--bits", "5000", "--arch", "sm_89"]);
    assert!(text.contains("Predicted from these for an NVIDIA GeForce RTX 4090"), "{text}");
    assert!(text.contains("ms, predicted: chosen") && text.contains("buffers between kernels"), "{text}");
    // An expression without products has a kernel, and no times to explain.
    let text = explain(&["a + b", "--bits", "64"]);
    assert!(text.contains("no time is known: chosen\n  many-core model: 0."), "{text}");
}

#[test]
fn mappings_are_ranked() {
    let all = candidates(&["a*b", "--bits", "16384"]);
    for candidate in &all {
        let ranked = candidate["mappings"].as_array().unwrap();
        let times: Vec<f64> = ranked.iter().map(|mapping| mapping["model_ms"].as_f64().unwrap()).collect();
        assert!(ranked.len() > 5 && times.is_sorted(), "{candidate}");
        let planned: Vec<&Value> = ranked.iter().filter(|mapping| mapping["planned"] == true).collect();
        assert_eq!((planned.len(), &planned[0]["mapping"]), (1, &candidate["mapping"]));
        assert_eq!(planned[0]["model_ms"], candidate["model_ms"]);
    }
    // What has no kernels has none.
    let all = candidates(&["a*b", "--bits", "1048576"]);
    assert!(all.iter().any(|candidate| candidate["mappings"] == serde_json::json!([])));
}

/// Each row has the threads of a block of every kernel as numbers, and then the mapping.
#[test]
fn rows_headed_threads_have_numbers_of_threads() {
    for expression in ["a*b", "(a*a + b)*(b*b + b) + a*b", "a + b", "gcd(a, b)"] {
        let output = plan(&[expression, "--bits", "4096"]);
        let text = String::from_utf8(output.stdout).unwrap();
        let mut rows = text.lines().skip(2);
        let head = rows.next().unwrap();
        let (end, kernels_end) = (
            head.find("threads").unwrap() + "threads".len(),
            head.find("kernels").unwrap() + "kernels".len(),
        );
        assert!(head.ends_with("  mapping"), "{head}");
        for row in rows {
            let kernels: usize = row[..kernels_end].split_whitespace().last().unwrap().parse().unwrap();
            let threads: Vec<u32> =
                row[kernels_end..end].split_whitespace().map(|number| number.parse().unwrap()).collect();
            assert!(threads.len() == kernels && threads.iter().all(|n| n.is_multiple_of(32)), "{row}");
        }
    }
}

/// Every `$ limbforge plan` of `docs/plans.md` prints what stands below it.
#[test]
fn the_page_of_plans_shows_what_is_printed() {
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/plans.md")).unwrap();
    let blocks = page.split("```\n$ limbforge plan ").skip(1);
    let mut count = 0;
    for block in blocks {
        let (command, expected) = block.split_once('\n').unwrap();
        let (expression, options) = command.strip_prefix('\'').unwrap().split_once("' ").unwrap();
        let arguments: Vec<&str> = [expression].into_iter().chain(options.split_whitespace()).collect();
        let printed = String::from_utf8(plan(&arguments).stdout).unwrap();
        assert_eq!(expected.split("```").next().unwrap(), printed, "docs/plans.md: {command}");
        count += 1;
    }
    assert!(count > 0);
}

#[test]
fn a_table_and_errors() {
    let output = plan(&["a*b + a", "--bits", "1000", "--signed"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.starts_with("a*b + a of 1000 bits on sm_90\n") && text.contains("\n->  "), "{text}");
    assert_eq!(text.lines().count(), 6, "{text}");
    for (arguments, status) in [(["a*", "--bits", "64"], 1), (["a", "--bits", "0"], 2)] {
        assert_eq!(plan(&arguments).status.code(), Some(status), "{arguments:?}");
    }
    let output = plan(&["a", "--bits", "64", "--arch", "sm_70"]);
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.starts_with("error: `--arch sm_70`: expected one of sm_75, "), "{error}");
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn programs_have_loops_and_states() {
    let ecm = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/programs/ecm.lf");
    let output = plan(&[ecm, "--bits", "512", "--bits", "s=144344", "--json"]);
    assert_eq!((output.status.code(), &*output.stderr), (Some(0), &b""[..]));
    let plan_of: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&plan_of["inputs"][1]["type"], &plan_of["backend"]), (&"u144344".into(), &"CPU".into()));
    let stages = plan_of["stages"].as_array().unwrap();
    // Two coordinates of two points and d, of 64 bytes each, between two bits of s.
    assert_eq!((stages.len(), &stages[0]["state_bytes"]), (2, &320.into()));
    assert_eq!(stages[0]["rounds"], "bits, after 1");
    // 8 products and squares of the ladder, and the one by d.
    assert_eq!(stages[0]["products_mod_n"], 9);
    let output = plan(&[ecm, "--bits", "N=512"]);
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.starts_with("error: expected --bits N or --bits s=N: ") && output.status.code() == Some(2));
    assert!(plan(&["a*b"]).stderr.starts_with(b"error: expected --bits N, the width of all integers"));
}

#[test]
fn a_program_without_a_kernel_has_a_plan_and_an_error() {
    let isqrt = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/programs/isqrt.lf");
    let why = "the program has values of u65537; kernels of programs take at most 65536 bits: the program \
               fits with `a` of 65536 bits; or use the CPU backend";
    for json in [false, true] {
        let mut arguments = vec![isqrt, "--bits", "65537", "--arch", "sm_90"];
        arguments.extend(json.then_some("--json"));
        let output = plan(&arguments);
        let [text, error] = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
        assert_eq!((output.status.code(), &*error), (Some(1), &*format!("error: no kernel: {why}\n")));
        if json {
            let plan_of: Value = serde_json::from_str(&text).unwrap();
            assert_eq!(plan_of["kernel"]["refused"], why, "{plan_of}");
        } else {
            assert!(text.contains("results: x u65537, rest u65537\n") && !text.contains("kernel"), "{text}");
        }
    }
}

#[test]
fn a_program_says_how_its_kernel_holds_values() {
    let vdf = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/programs/vdf.lf");
    let text_of = |bits: &str| {
        let output = plan(&[vdf, "--bits", bits, "--arch", "sm_90"]);
        assert_eq!((output.status.code(), &*output.stderr), (Some(0), &b""[..]));
        String::from_utf8(output.stdout).unwrap()
    };
    let narrow = text_of("256");
    assert!(
        narrow.contains("kernel on sm_90: straight, 8 words in registers; blocks of 128 instances\n"),
        "{narrow}"
    );
    let compacted = "instances that have finished leave their places between slices of loop 1\n";
    assert!(narrow.ends_with(compacted), "{narrow}");
    let wide = text_of("512");
    assert!(wide.contains("a tape, as its values have 512 bits; expected at most 256\n"), "{wide}");
    let output = plan(&[vdf, "--bits", "131", "--arch", "sm_90", "--json"]);
    let plan_of: Value = serde_json::from_slice(&output.stdout).unwrap();
    let kernel = &plan_of["kernel"];
    assert_eq!((&kernel["emission"], &kernel["words"]), (&"straight".into(), &5.into()), "{plan_of}");
}

/// A shift of numbers of more than 64 bits made a tape of the walks of discrete logarithms, too long for a GPU.
#[test]
fn walks_of_discrete_logarithms_are_straight() {
    for name in ["walk", "walk_negation"] {
        let path = format!("{}/../../examples/ecdlp/programs/{name}.lf", env!("CARGO_MANIFEST_DIR"));
        let output = plan(&[&path, "--arch", "sm_90"]);
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.contains("kernel on sm_90: straight, 5 words in registers"), "{text}");
        assert!(output.status.success());
    }
}

/// Powers that were measured to be faster in residue number systems say from how many instances on.
#[test]
fn powers_have_a_line_on_residue_systems() {
    let line =
        "rns: powers in residue number systems, 2.06 times as fast (measured): chosen from 62 instances";
    let text = |arguments: &[&str]| String::from_utf8(plan(arguments).stdout).unwrap();
    let found = text(&["powmod(a, e, m)", "--bits", "2048", "--arch", "sm_90", "--explain"]);
    assert!(found.contains(line), "{found}");
    for other in [
        ["powmod(a, e, m)", "--bits", "512", "--arch", "sm_90", "--explain"],
        ["powmod(a, 65537, m)", "--bits", "2048", "--arch", "sm_90", "--explain"],
        ["powmod(a, e, m)", "--bits", "2048", "--arch", "sm_80", "--explain"],
    ] {
        assert!(!text(&other).contains("rns: "), "{other:?}");
    }
}
