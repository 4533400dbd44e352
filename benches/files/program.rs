//! Runs of the program, their times and their memory.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use std::{fs, thread};

use serde_json::{Value, json};

use crate::Outcome;

/// Runs of each command; the first one fills the cache of kernels and does not count.
const RUNS: usize = 5;

/// Bytes that are compared at once.
const BLOCK: usize = 1 << 20;

pub(crate) struct Program {
    path: PathBuf,
    folder: PathBuf,
    bits: usize,
}

impl Program {
    pub(crate) const fn new(path: PathBuf, folder: PathBuf, bits: usize) -> Self {
        Self { path, folder, bits }
    }

    fn command(&self, arguments: &str) -> Command {
        let mut command = Command::new(&self.path);
        // The expression is one word, whatever its blanks.
        let (text, options) = arguments.split_once(" --").unwrap_or((arguments, ""));
        let options = format!("--{options}");
        command.args(["eval", text, "--bits", &self.bits.to_string()]).args(options.split_whitespace());
        command.current_dir(&self.folder);
        command
    }

    /// Milliseconds, and the most memory in megabytes.
    pub(crate) fn run(&self, arguments: &str, out: &str) -> Outcome<(f64, f64)> {
        if out != "/dev/null" && fs::exists(self.folder.join(out))? {
            // A new file, not one whose pages are there.
            fs::remove_file(self.folder.join(out))?;
        }
        let start = Instant::now();
        let mut child = self.command(arguments).args(["--out", out]).spawn()?;
        let (mut most, mut status) = (0.0, None);
        while status.is_none() {
            most = memory(&child).unwrap_or(0.0_f64).max(most);
            thread::sleep(Duration::from_micros(500));
            status = child.try_wait()?;
        }
        let time = start.elapsed().as_secs_f64() * 1e3;
        match status {
            Some(status) if status.success() => Ok((time, most)),
            _ => Err(format!("`{arguments}` fails").into()),
        }
    }

    pub(crate) fn measure(&self, arguments: &str, out: &str) -> Outcome<Value> {
        self.run(arguments, out)?;
        let runs = (0..RUNS).map(|_| self.run(arguments, out)).collect::<Outcome<Vec<_>>>()?;
        let most = runs.iter().map(|(_, memory)| *memory).fold(0.0, f64::max);
        let mut times: Vec<f64> = runs.iter().map(|(time, _)| time.round()).collect();
        times.sort_by(f64::total_cmp);
        let command = format!("limbforge eval {arguments} --bits {} --out {out}", self.bits);
        Ok(
            json!({ "command": command, "median_ms": times[RUNS / 2], "runs_ms": times, "max_rss_mb": most.round() }),
        )
    }

    /// The times of the first results at a pipe, and the longest wait for others in the next 5 seconds.
    pub(crate) fn first_results(&self, arguments: &str) -> Outcome<Value> {
        let start = Instant::now();
        let mut child = self.command(arguments).stdout(Stdio::piped()).spawn()?;
        let mut output = BufReader::new(child.stdout.take().ok_or("no standard output")?);
        let (mut first, mut last, mut longest) = (None, start, Duration::ZERO);
        while start.elapsed() < Duration::from_secs(5) {
            let count = output.fill_buf()?.len();
            if count == 0 {
                break;
            }
            output.consume(count);
            match first {
                None => first = Some(start.elapsed()),
                Some(_) => longest = longest.max(last.elapsed()),
            }
            last = Instant::now();
        }
        // Its reader leaves.
        drop(output);
        let status = child.wait()?;
        let milliseconds = |time: Duration| (time.as_secs_f64() * 1e3).round();
        let (first, longest) = (first.map(milliseconds), milliseconds(longest));
        Ok(
            json!({ "command": arguments, "first_ms": first, "longest_wait_ms": longest, "status": status.code() }),
        )
    }
}

/// The most memory of a process so far, in megabytes.
fn memory(child: &Child) -> Option<f64> {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix(" kB")?.parse::<f64>().ok()? / 1e3)
}

/// Whether two files have the same bytes.
pub(crate) fn is_same(one: &Path, other: &Path) -> Outcome<bool> {
    let (mut one, mut other) = (File::open(one)?, File::open(other)?);
    if one.metadata()?.len() != other.metadata()?.len() {
        return Ok(false);
    }
    let (mut left, mut right) = (vec![0; BLOCK], vec![0; BLOCK]);
    loop {
        let count = one.read(&mut left)?;
        if count == 0 {
            return Ok(true);
        }
        other.read_exact(&mut right[..count])?;
        if left[..count] != right[..count] {
            return Ok(false);
        }
    }
}
