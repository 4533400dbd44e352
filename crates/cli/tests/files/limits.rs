//! Bounded memory, threads and time, whatever comes.

use std::io::Write;
use std::num::NonZero;
use std::process::Command;
use std::thread;

use crate::{Folder, fails, piped, text};

/// Address space in KiB; threads take some of it.
const MEMORY: &str = "ulimit -v 1000000";

fn bounded(folder: &Folder, arguments: &str) -> Command {
    let mut command = folder.shell(MEMORY, arguments);
    command.env("RAYON_NUM_THREADS", "2");
    command
}

const EVAL_LIMIT: &str = "the line is longer than 4160 bytes; an integer of type u64 has at most 16 digits";
const POLY_LIMIT: &str = "the line is longer than 67108864 bytes, the limit of a polynomial";

#[cfg(target_os = "linux")]
#[test]
fn a_file_that_never_ends_is_refused_in_bounded_memory_and_time() {
    let folder = Folder::new(&[("p", b"1\n"), ("a", b"1\n2\n")]);
    for (arguments, why) in [
        ("eval a --bits 64 --in a=/dev/zero", EVAL_LIMIT),
        ("eval a --bits 64 --in a=/dev/zero --lenient", EVAL_LIMIT),
        ("eval a+b --bits 64 --in b=a --in a=/dev/zero", EVAL_LIMIT),
        ("poly mul --prime 97 --in /dev/zero --in p", POLY_LIMIT),
        ("poly mul --prime 97 --in p --in /dev/zero --lenient", POLY_LIMIT),
    ] {
        assert_eq!(fails(&mut bounded(&folder, arguments), 1), format!("/dev/zero:1: {why}"), "{arguments}");
    }
    let why = "the line is longer than 4176 bytes; an integer of type u64 has at most 20 digits";
    let error = fails(&mut bounded(&folder, "eval a --bits 64 --in a=/dev/zero --format dec"), 1);
    assert_eq!(error, format!("/dev/zero:1: {why}"));
}

/// Digits without a line's end through a pipe, for as long as anybody reads them.
#[test]
fn a_line_that_never_ends_is_refused_in_bounded_memory_and_time() {
    let folder = Folder::new(&[("p", b"1\n")]);
    for (arguments, why) in
        [("eval a --bits 64 --in a=-", EVAL_LIMIT), ("poly mul --prime 97 --in - --in p", POLY_LIMIT)]
    {
        let mut child = piped(&mut bounded(&folder, arguments));
        let mut input = child.stdin.take().unwrap();
        let writer = thread::spawn(move || {
            let digits = [b'7'; 1 << 16];
            // More than any limit, and than what a machine has.
            (0..u64::MAX).try_for_each(|_| input.write_all(&digits)).unwrap_err()
        });
        let output = child.wait_with_output().unwrap();
        assert_eq!(writer.join().unwrap().kind(), std::io::ErrorKind::BrokenPipe);
        assert_eq!((output.status.code(), text(&output.stderr)), (Some(1), format!("error: -:1: {why}\n")));
    }
}

/// A marked line is skipped to its end, in bounded memory too.
#[test]
fn a_long_line_is_marked() {
    let long = [&b"1\n"[..], &vec![b'7'; 10_000_000], b"\n3\n"].concat();
    let folder = Folder::new(&[("a", &long), ("single", &long[2..long.len() - 2])]);
    let output = folder.run("eval a+1 --bits 64 --in a=a --on-error mark");
    assert_eq!(text(&output.stdout), "2\n!RANGE\n4\n");
    let report = format!("bad input lines marked: 1; the first is a:2: {EVAL_LIMIT}\n");
    assert_eq!(text(&output.stderr), report);
    let output = folder.run("eval a+1 --bits 64 --in a=single --on-error mark");
    assert_eq!(text(&output.stdout), "!RANGE\n");
}

#[test]
fn threads_are_capped() {
    let folder = Folder::new(&[]);
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    let most = 256.max(4 * cores);
    let mut command = folder.command("eval a+1 --bits 64 --in a=-");
    let mut child = piped(command.env("RAYON_NUM_THREADS", "999999"));
    #[cfg(target_os = "linux")]
    {
        // All are there before anything is read, beside the first and a few of the program's own.
        let count = || std::fs::read_dir(format!("/proc/{}/task", child.id())).unwrap().count();
        crate::wait_until("the threads", || count() > most);
        assert!(count() < most + 8, "{}", count());
    }
    child.stdin.take().unwrap().write_all(b"1\n").unwrap();
    let output = child.wait_with_output().unwrap();
    let warning = format!(
        "warning: RAYON_NUM_THREADS=999999: {most} threads are started, the most that limbforge starts on {cores} cores\n"
    );
    assert_eq!((output.status.code(), text(&output.stdout)), (Some(0), "2\n".to_owned()));
    assert_eq!(text(&output.stderr), warning);
    for threads in ["1", "3", "", "many"] {
        let mut command = folder.command("eval 1+1 --bits 64");
        assert_eq!(crate::ok(command.env("RAYON_NUM_THREADS", threads)), "2\n", "{threads}");
    }
}
