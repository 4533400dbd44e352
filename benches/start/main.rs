//! The first result of every operation, or of every sample program, from the start of the program to its end, on
//! a machine that has compiled nothing before.
//!
//! `cargo run --release -p limbforge-benches --bin start -- target/release/limbforge FOLDER 2048` evaluates each
//! function of `limbforge functions` on a GPU, for one instance of that many bits, with empty caches of limbforge
//! and of the driver, in a new folder. It prints a line of JSON for each: milliseconds of 3 runs, their median, and
//! the median of 3 more runs that find their kernels in the cache. Names after the bits (`2048 powmod lcm`) are
//! the only functions that are measured. `FOLDER 512 programs` runs `examples/programs` in place of functions.

mod functions;
mod programs;

use std::error::Error;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Instant;
use std::{env, fs};

use serde_json::json;

type Outcome<T = ()> = Result<T, Box<dyn Error>>;

const RUNS: usize = 3;

fn main() -> Outcome {
    let arguments: Vec<_> = env::args_os().skip(1).collect();
    let [program, folder, bits, names @ ..] = &arguments[..] else {
        return Err("expected the program limbforge, a new folder, and a number of bits".into());
    };
    let folder = PathBuf::from(folder);
    fs::create_dir(&folder)?;
    let start = Start {
        program: fs::canonicalize(program)?,
        folder: fs::canonicalize(&folder)?,
        bits: bits.to_str().unwrap_or_default().to_owned(),
    };
    let measured = match names {
        [only] if only == "programs" => programs::measure(&start),
        names => functions::measure(&start, names),
    };
    fs::remove_dir_all(&folder)?;
    measured
}

/// What all runs share.
struct Start {
    program: PathBuf,
    /// Where the caches and the results lie.
    folder: PathBuf,
    bits: String,
}

impl Start {
    /// Prints the times of a command of the program.
    fn measure(&self, name: &str, arguments: &[OsString]) -> Outcome {
        let caches = ["ours", "drivers"].map(|name| self.folder.join(name));
        let run = |is_cold: bool| -> Outcome<f64> {
            if is_cold {
                caches.iter().filter(|cache| cache.exists()).try_for_each(fs::remove_dir_all)?;
            }
            let mut command = Command::new(&self.program);
            command.current_dir(&self.folder).args(arguments).stdout(Stdio::null());
            command.env("LIMBFORGE_CACHE", &caches[0]).env("CUDA_CACHE_PATH", &caches[1]);
            let start = Instant::now();
            let status = command.status()?;
            let time = start.elapsed().as_secs_f64() * 1e3;
            if status.success() { Ok(time.round()) } else { Err(format!("`{name}` fails").into()) }
        };
        let mut cold = (0..RUNS).map(|_| run(true)).collect::<Outcome<Vec<_>>>()?;
        let mut cached = (0..RUNS).map(|_| run(false)).collect::<Outcome<Vec<_>>>()?;
        cold.sort_by(f64::total_cmp);
        cached.sort_by(f64::total_cmp);
        let line = json!({
            "expression": name, "bits": self.bits, "median_ms": cold[RUNS / 2], "runs_ms": cold,
            "cached_ms": cached[RUNS / 2],
        });
        println!("{line}");
        Ok(())
    }

    /// The output of the program for these arguments.
    fn output(&self, arguments: &[&str]) -> Outcome<Vec<u8>> {
        Ok(Command::new(&self.program).args(arguments).output()?.stdout)
    }

    /// A file of the folder.
    fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }
}
