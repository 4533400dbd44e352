//! What a user of `limbforge eval` times: files in, files out, from the start of the program to its end.
//!
//! `cargo run --release -p limbforge-benches --bin files -- target/release/limbforge /dev/shm/files` writes random
//! files to a new folder in memory (3 GiB at most at once), and prints a line of JSON for each goal: medians of
//! 5 runs in milliseconds, and the most memory that a run had. Results are compared with the CPU backend's,
//! and some of these with `num-bigint`'s.

mod program;

use std::error::Error;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use num_bigint::BigUint;
use serde_json::json;

use self::program::Program;

type Outcome<T = ()> = Result<T, Box<dyn Error>>;

/// Bits of the integers, bytes of a binary file, and bytes of limbs of a file of text of 128 MiB.
const BITS: usize = 8192;
const BINARY: usize = 512 << 20;
const TEXT: usize = 64 << 20;

/// One of so many results is computed by `num-bigint`.
const CHECKED: usize = 997;

/// A command, what it must take at most in milliseconds, and whether its results go to a file.
struct Goal {
    name: &'static str,
    arguments: &'static str,
    most: Option<f64>,
    out: &'static str,
    reference: Option<&'static str>,
}

const fn goal(
    name: &'static str,
    arguments: &'static str,
    most: Option<f64>,
    out: &'static str,
    reference: Option<&'static str>,
) -> Goal {
    Goal { name, arguments, most, out, reference }
}

const GOALS: [Goal; 6] = [
    goal("binary a*b", "a*b --format bin --in a=a.bin --in b=b.bin", Some(650.0), "out", Some("product.bin")),
    goal(
        "binary a*b, discarded",
        "a*b --format bin --in a=a.bin --in b=b.bin",
        Some(480.0),
        "/dev/null",
        None,
    ),
    goal("hex a*b", "a*b --in a=a.hex --in b=b.hex", Some(400.0), "out", Some("product.hex")),
    goal(
        "binary a+b on the CPU",
        "a+b --backend cpu --format bin --in a=a.bin --in b=b.bin",
        Some(400.0),
        "out",
        Some("sum.bin"),
    ),
    goal("binary ~a of 2 GiB", "~a --format bin --in a=zeros.bin", None, "/dev/null", None),
    goal(
        "binary ~a of 2 GiB on the CPU",
        "~a --backend cpu --format bin --in a=zeros.bin",
        None,
        "/dev/null",
        None,
    ),
];

fn main() -> Outcome {
    let mut arguments = std::env::args_os().skip(1).map(PathBuf::from);
    let (Some(program), Some(folder)) = (arguments.next(), arguments.next()) else {
        return Err("expected the program limbforge, and a new folder in memory".into());
    };
    fs::create_dir(&folder)?;
    let program = Program::new(fs::canonicalize(program)?, fs::canonicalize(&folder)?, BITS);
    let measured = measure(&program, &folder);
    fs::remove_dir_all(&folder)?;
    measured
}

fn measure(program: &Program, folder: &Path) -> Outcome {
    for (seed, name) in [(1, "a"), (2, "b")] {
        write_binary(&folder.join(format!("{name}.bin")), seed)?;
        write_hex(&folder.join(format!("{name}.bin")), &folder.join(format!("{name}.hex")))?;
    }
    File::create(folder.join("zeros.bin"))?.set_len(2 << 30)?;
    for (text, name) in [("a*b", "product"), ("a+b", "sum")] {
        let out = format!("{name}.bin");
        program.run(&format!("{text} --backend cpu --format bin --in a=a.bin --in b=b.bin"), &out)?;
        check(folder, &out, text)?;
    }
    write_hex(&folder.join("product.bin"), &folder.join("product.hex"))?;
    for Goal { name, arguments, most, out, reference } in GOALS {
        let measured = program.measure(arguments, out)?;
        if let Some(reference) = reference
            && !program::is_same(&folder.join(out), &folder.join(reference))?
        {
            return Err(format!("{name}: the results are not those of the CPU backend").into());
        }
        println!("{}", json!({ "name": name, "goal_ms": most, "measured": measured }));
    }
    for arguments in
        ["powmod(a, b, a | 1) --format bin --in a=a.bin --in b=b.bin", "a + b --in a=a.hex --in b=b.hex"]
    {
        println!("{}", json!({ "name": "first results", "measured": program.first_results(arguments)? }));
    }
    Ok(())
}

/// Words that look random, as records.
fn write_binary(path: &Path, seed: u64) -> Outcome {
    let mut file = BufWriter::with_capacity(1 << 20, File::create(path)?);
    for i in 0..BINARY as u64 / 8 {
        let word = (i + seed).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        file.write_all(&(word ^ (word >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9).to_le_bytes())?;
    }
    Ok(file.flush()?)
}

/// The first records of a binary file as lines.
fn write_hex(binary: &Path, path: &Path) -> Outcome {
    let (bytes, mut file) = (fs::read(binary)?, BufWriter::with_capacity(1 << 20, File::create(path)?));
    for record in bytes[..TEXT].chunks(BITS / 8) {
        writeln!(file, "{:x}", BigUint::from_bytes_le(record))?;
    }
    Ok(file.flush()?)
}

/// Computes some of the results again.
fn check(folder: &Path, out: &str, text: &str) -> Outcome {
    let [a, b, found] = ["a.bin", "b.bin", out].map(|name| fs::read(folder.join(name)));
    let (a, b, found) = (a?, b?, found?);
    if found.len() != a.len() {
        return Err(format!("{text}: {} bytes in place of {}", found.len(), a.len()).into());
    }
    let size = BITS / 8;
    for at in (0..a.len() / size).step_by(CHECKED).map(|i| i * size) {
        let number = |bytes: &[u8]| BigUint::from_bytes_le(&bytes[at..at + size]);
        let (x, y) = (number(&a), number(&b));
        let expected = if text == "a*b" { x * y } else { x + y } % (BigUint::from(1_u8) << BITS);
        if number(&found) != expected {
            return Err(format!("{text}: the result at byte {at} is wrong").into());
        }
    }
    Ok(())
}
