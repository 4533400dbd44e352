//! What reads, evaluates and writes side by side ends as it should, and in bounded memory.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use flate2::Compression;
use flate2::write::GzEncoder;
use limbforge_needs::needs;

use crate::{Folder, PROGRAM, fails, piped, text};

/// Fails instead of waiting for ever.
fn ends(child: &mut Child) -> Option<i32> {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status.code();
        }
        assert!(start.elapsed() < Duration::from_secs(120), "the run does not end");
        thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn the_first_results_come_while_the_input_goes_on_and_the_run_ends_with_its_reader() {
    let folder = Folder::new(&[]);
    for format in ["hex", "dec", "bin"] {
        let mut child = piped(&mut folder.command(&format!("eval a*a --bits 64 --format {format} --in a=-")));
        let (mut input, mut output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        // Without end, for as long as somebody reads.
        let writer = thread::spawn(move || {
            let numbers = if format == "bin" { 3_u64.to_le_bytes().repeat(512) } else { b"3\n".repeat(2048) };
            (0..u64::MAX).try_for_each(|_| input.write_all(&numbers)).unwrap_err().kind()
        });
        let mut first = [0; 2];
        output.read_exact(&mut first).unwrap();
        assert_eq!(first, if format == "bin" { [9, 0] } else { *b"9\n" });
        drop(output);
        assert_eq!(ends(&mut child), Some(0), "{format}");
        assert_eq!(writer.join().unwrap(), std::io::ErrorKind::BrokenPipe);
        let mut error = String::new();
        child.stderr.take().unwrap().read_to_string(&mut error).unwrap();
        assert_eq!(error, "");
    }
}

#[test]
fn head_ends_a_run_over_files_at_once() {
    let folder = Folder::new(&[]);
    // 2^40 zeros, which take no room: to read all of them would take minutes.
    File::create(folder.path("a")).unwrap().set_len(1 << 40).unwrap();
    let script = r#"{ "$0" eval 'a + 1' --bits 64 --format bin --in a=a --backend cpu; echo $? > status; } | head -c 8"#;
    let mut command = Command::new("sh");
    command.args(["-c", script, PROGRAM]).current_dir(folder.path("")).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    assert_eq!(ends(&mut child), Some(0));
    let mut first = vec![];
    child.stdout.take().unwrap().read_to_end(&mut first).unwrap();
    assert_eq!((first, folder.text("status").as_str()), (1_u64.to_le_bytes().to_vec(), "0\n"));
}

/// Whatever the chunks, standard output ends before the line of the error.
#[test]
fn results_before_an_error_are_there() {
    let lines = |count: u64| (0..count).map(|i| format!("{:x}\n", i % 1000)).collect::<String>();
    for bad in [1, 2, 77_777, 199_999] {
        let numbers = format!("{}zz\n{}", lines(bad - 1), lines(200_000 - bad));
        let zeros: String = (1..=200_000).map(|i| if i == bad { "0\n" } else { "1\n" }).collect();
        let folder = Folder::new(&[("a", numbers.as_bytes()), ("b", zeros.as_bytes())]);
        let arguments = ["a --in a=a", "a/b --in a=b --in b=b", "a*b --in a=b --in b=a"];
        let firsts = [("a", "column 1"), ("b", "division by zero"), ("a", "column 1")];
        for (arguments, (file, why)) in arguments.into_iter().zip(firsts) {
            let output = folder.run(&format!("eval --bits 64 {arguments}"));
            let error = text(&output.stderr);
            assert!(error.starts_with(&format!("error: {file}:{bad}: {why}")), "{error}");
            assert_eq!(output.status.code(), Some(1));
            let found = text(&output.stdout);
            let expected = if file == "a" { lines(bad - 1) } else { "1\n".repeat(bad as usize - 1) };
            let expected = if arguments.contains("a*b") { lines(bad - 1) } else { expected };
            assert!(found == expected, "{arguments}, line {bad}: {} lines", found.lines().count());
        }
    }
}

#[test]
fn a_file_that_cannot_be_read_to_its_end_ends_the_run() {
    let numbers: String =
        (0..300_000_u64).map(|i| format!("{:x}\n", i.wrapping_mul(0x9e37_79b9_7f4a_7c15))).collect();
    let mut encoder = GzEncoder::new(vec![], Compression::fast());
    encoder.write_all(numbers.as_bytes()).unwrap();
    let packed = encoder.finish().unwrap();
    let folder = Folder::new(&[("a.gz", &packed[..packed.len() / 2]), ("b", numbers.as_bytes())]);
    let why = "a.gz: cannot read: its gzip data end too early: the file is not complete";
    assert_eq!(folder.fails("eval a --bits 64 --in a=a.gz --out out", 1), why);
    let output = folder.run("eval b^a --bits 64 --in b=b --in a=a.gz");
    assert_eq!(text(&output.stderr), format!("error: {why}\n"));
    let found = text(&output.stdout);
    assert!(found.lines().count() > 50_000 && found.lines().all(|line| line == "0"));
}

#[test]
fn a_destination_that_takes_no_more_ends_the_run() {
    let folder = Folder::new(&[]);
    File::create(folder.path("a")).unwrap().set_len(64 << 20).unwrap();
    for format in ["bin", "hex"] {
        let input = if format == "bin" { "a" } else { "b" };
        fs::write(folder.path("b"), "0\n".repeat(1 << 20)).unwrap();
        let arguments = format!("eval x+1 --bits 64 --format {format} --in x={input}");
        let full = "cannot write: No space left on device (os error 28)";
        assert_eq!(folder.fails(&format!("{arguments} --out /dev/full"), 1), format!("/dev/full: {full}"));
        let command = &mut folder.shell("exec >/dev/full", &arguments);
        assert_eq!(fails(command, 1), format!("standard output: {full}"));
        let command = &mut folder.shell("ulimit -f 2000", &format!("{arguments} --out out"));
        assert_eq!(fails(command, 1), "out: cannot write: File too large (os error 27)");
    }
}

/// A GPU that is not there comes before what is wrong with files, though these are read meanwhile.
#[needs(nvrtc)]
#[test]
fn a_missing_gpu_is_the_first_error() {
    let folder = Folder::new(&[("bad", b"zz\n")]);
    for files in ["--in a=nofile", "--in a=bad", "--in a=bad --out no/such/out"] {
        let mut command = Command::new(PROGRAM);
        let arguments = format!("eval a --bits 8 --backend gpu {files}");
        command.args(arguments.split_whitespace()).current_dir(folder.path(""));
        let error = fails(command.env("CUDA_VISIBLE_DEVICES", ""), 1);
        assert!(error.starts_with("NVIDIA's driver "), "{files}: {error}");
    }
}

/// The most memory that a run had, in kilobytes.
fn peak(child: &mut Child) -> u64 {
    let mut peak = 0;
    while child.try_wait().unwrap().is_none() {
        let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let now = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse().ok());
        peak = peak.max(now.unwrap_or(0));
        thread::sleep(Duration::from_millis(1));
    }
    peak
}

#[test]
fn memory_does_not_grow_with_the_files() {
    let folder = Folder::new(&[]);
    File::create(folder.path("zeros")).unwrap().set_len(400 << 20).unwrap();
    let mut lines = std::io::BufWriter::new(File::create(folder.path("lines")).unwrap());
    (0..50_000).try_for_each(|_| writeln!(lines, "{:0>2048}", 7)).unwrap();
    drop(lines);
    for (arguments, bytes) in [
        ("a+b --format bin --in a=zeros --in b=zeros", 400 << 20),
        ("mul_wide(a,b) --in a=lines --in b=lines", 50_000 * 3),
        ("~a --in a=lines", 50_000 * 2049),
    ] {
        let mut child =
            folder.command(&format!("eval --bits 8192 {arguments}")).stdout(Stdio::piped()).spawn().unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let reader = thread::spawn(move || {
            let mut bytes = 0;
            loop {
                let count = output.fill_buf().unwrap().len();
                if count == 0 {
                    return bytes;
                }
                bytes += count;
                output.consume(count);
            }
        });
        let peak = peak(&mut child);
        assert_eq!((child.wait().unwrap().code(), reader.join().unwrap()), (Some(0), bytes), "{arguments}");
        assert!((10_000..300_000).contains(&peak), "{arguments}: {peak} kB");
        println!("{arguments}: {peak} kB");
    }
}
