//! The first result of every operation, from the start of the program to its end, on a machine that has compiled
//! nothing before.
//!
//! `cargo run --release -p limbforge-benches --bin start -- target/release/limbforge FOLDER 2048` evaluates each
//! function of `limbforge functions` on a GPU, for one instance of that many bits, with empty caches of limbforge
//! and of the driver, in a new folder. It prints a line of JSON for each: milliseconds of 3 runs, their median, and
//! the median of 3 more runs that find their kernels in the cache.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;
use std::{env, fs};

use serde_json::{Value, json};

type Outcome<T = ()> = Result<T, Box<dyn Error>>;

const RUNS: usize = 3;

/// Operands that are numbers in the expression, and no variables.
const CONSTANTS: [&str; 4] = ["exponent", "start", "length", "k"];

fn main() -> Outcome {
    let arguments: Vec<_> = env::args_os().skip(1).collect();
    let [program, folder, bits] = &arguments[..] else {
        return Err("expected the program limbforge, a new folder, and a number of bits".into());
    };
    let folder = PathBuf::from(folder);
    fs::create_dir(&folder)?;
    let measured =
        measure(&fs::canonicalize(program)?, &fs::canonicalize(&folder)?, bits.to_str().unwrap_or_default());
    fs::remove_dir_all(&folder)?;
    measured
}

fn measure(program: &Path, folder: &Path, bits: &str) -> Outcome {
    fs::write(folder.join("one"), "1019\n")?;
    let functions = Command::new(program).args(["functions", "--json"]).output()?.stdout;
    let functions: Vec<Value> = serde_json::from_slice(&functions)?;
    for function in &functions {
        let (expression, variables) = expression(function)?;
        let run = |is_cold: bool| -> Outcome<f64> {
            let caches = ["ours", "drivers"].map(|name| folder.join(name));
            if is_cold {
                caches.iter().filter(|cache| cache.exists()).try_for_each(fs::remove_dir_all)?;
            }
            let mut command = Command::new(program);
            command.current_dir(folder).args(["eval", &expression, "--bits", bits, "--backend", "gpu"]);
            command.args(["--on-error", "mark", "--out", "results"]);
            command.args(variables.iter().flat_map(|name| ["--in".to_owned(), format!("{name}=one")]));
            command.env("LIMBFORGE_CACHE", &caches[0]).env("CUDA_CACHE_PATH", &caches[1]);
            let start = Instant::now();
            let status = command.status()?;
            let time = start.elapsed().as_secs_f64() * 1e3;
            if status.success() { Ok(time.round()) } else { Err(format!("`{expression}` fails").into()) }
        };
        let mut cold = (0..RUNS).map(|_| run(true)).collect::<Outcome<Vec<_>>>()?;
        let mut cached = (0..RUNS).map(|_| run(false)).collect::<Outcome<Vec<_>>>()?;
        cold.sort_by(f64::total_cmp);
        cached.sort_by(f64::total_cmp);
        let line = json!({
            "expression": expression, "bits": bits, "median_ms": cold[RUNS / 2], "runs_ms": cold,
            "cached_ms": cached[RUNS / 2],
        });
        println!("{line}");
    }
    Ok(())
}

/// A function as an expression, and its variables.
fn expression(function: &Value) -> Outcome<(String, Vec<String>)> {
    let text = function["signature"].as_str().ok_or("a function has a signature")?;
    // Fixed distances, and masks, which have no other operand.
    let is_fixed =
        ["a << n", "a >> n", "rotl(a, n)", "rotr(a, n)", "mask(n)", "mask_high(n)"].contains(&text);
    let names = function["operands"].as_array().ok_or("a function has operands")?;
    let names = names.iter().filter_map(Value::as_str);
    let is_constant = |name: &str| {
        let is_power = name == "exponent" && text != "a ** exponent";
        (CONSTANTS.contains(&name) && !is_power) || (is_fixed && name == "n")
    };
    let (constants, variables): (Vec<&str>, Vec<&str>) = names.partition(|name| is_constant(name));
    let words = text.split_inclusive(|c: char| !c.is_alphanumeric() && c != '_');
    let expression = words.map(|word| {
        let name = word.trim_end_matches(|c: char| !c.is_alphanumeric() && c != '_');
        if constants.contains(&name) { word.replacen(name, "7", 1) } else { word.to_owned() }
    });
    Ok((expression.collect(), variables.into_iter().map(str::to_owned).collect()))
}
