//! Batches on one thread beside FLINT and GMP, in turn, with results that are compared.
//!
//! ```text
//! CFLAGS='-O3 -march=native' cargo build --release -p limbforge-benches --features flint --bin peers
//! taskset -c 1 target/release/peers > benches/results/cpu/peers.json
//! LIMBFORGE_VECTORS=doubles taskset -c 1 target/release/peers > benches/results/cpu/peers-without-ifma.json
//! ```
//!
//! Times are those of the thread's processor, the least of all turns. Arguments select operations by parts of
//! their names; `--widths 9..12` and `--patience 0.1`, a factor of the time of a case, make a shorter run.

mod calls;
mod operation;
mod turns;

use std::{env, fs};

use limbforge_benches::use_one_thread;
use serde_json::{Value, json};

use crate::calls::Library;
use crate::operation::{Kind, Operation};

pub(crate) type Failure = limbforge_benches::Failure;

/// What is measured.
#[derive(Debug)]
pub(crate) struct Options {
    names: Vec<String>,
    widths: [u32; 2],
    pub(crate) patience: f64,
}

impl Options {
    fn of_arguments() -> Result<Self, Failure> {
        let mut options = Self { names: vec![], widths: [0, u32::MAX], patience: 1.0 };
        let mut arguments = env::args().skip(1);
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().ok_or(format!("{argument} needs a value"));
            match &*argument {
                "--patience" => options.patience = value()?.parse()?,
                "--widths" => {
                    let text = value()?;
                    let (first, last) = text.split_once("..").ok_or("expected --widths FIRST..LAST")?;
                    options.widths = [first.parse()?, last.parse()?];
                }
                _ => options.names.push(argument),
            }
        }
        Ok(options)
    }

    fn has(&self, operation: Operation) -> bool {
        self.names.is_empty() || self.names.iter().any(|name| operation.name().contains(name.as_str()))
    }
}

fn main() -> Result<(), Failure> {
    let options = Options::of_arguments()?;
    use_one_thread()?;
    let mut rows = vec![];
    for operation in Operation::ALL.into_iter().filter(|&operation| options.has(operation)) {
        let [first, last] = options.widths;
        for width in operation.widths().filter(|width| (first..=last).contains(width)) {
            for kind in Kind::ALL {
                let row = turns::measure(operation, kind, width, &options)?;
                eprintln!("{row}");
                rows.push(row);
            }
        }
    }
    println!("{}", report(&rows));
    Ok(())
}

/// The setting and the rows, one on a line.
fn report(rows: &[Value]) -> String {
    let known = |key: &str| {
        let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix(key)?.split_once(':'));
        line.map(|(_, value)| value.trim().to_owned())
    };
    let versions: serde_json::Map<String, Value> =
        Library::ALL.iter().map(|library| (library.name().to_owned(), library.version().into())).collect();
    let variable = |name: &str| env::var(name).ok();
    let setting = json!({
        "kind": "peers on a CPU", "commit": variable("LIMBFORGE_COMMIT"), "device": known("model name"),
        "megahertz": known("cpu MHz"), "threads": 1, "versions": versions, "unit": "ns an instance",
        "vectors": variable("LIMBFORGE_VECTORS"), "rows_of_products": variable("LIMBFORGE_ROWS"),
        "transforms": variable("LIMBFORGE_TRANSFORMS"),
    });
    let head = format!("{setting:#}");
    let rows: Vec<String> = rows.iter().map(Value::to_string).collect();
    format!("{},\n  \"rows\": [\n    {}\n  ]\n}}", head.trim_end_matches("\n}"), rows.join(",\n    "))
}
