//! GMP-ECM takes the save files, and finds what this program has found from the same sigma.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};

use limbforge_needs::needs;

/// 842514816948433 * 1525400868019853926112265312800111675267
const N: &str = "1285172833092728036364026924061402660281976572380506611";
const P: &str = "842514816948433";

fn ours(arguments: &str) -> (String, String) {
    let all = format!("{N} --backend cpu {arguments}");
    let output = Command::new(env!("CARGO_BIN_EXE_ecm")).args(all.split(' ')).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr))
}

/// What GMP-ECM prints. It says by its status what it has found.
fn gmp_ecm(arguments: &str, input: &str) -> String {
    let mut child = Command::new("ecm")
        .args(arguments.split(' '))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("GMP-ECM, `ecm` on PATH (apt install gmp-ecm): {error}"));
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap()
}

/// Fields of a save file's line that both programs write alike.
fn fields(line: &str) -> Vec<&str> {
    let is_equal = |field: &&str| {
        ["SIGMA", "B1", "N", "X", "CHECKSUM", "PARAM"].contains(&field.split('=').next().unwrap())
    };
    line.split(';').map(str::trim).filter(is_equal).collect()
}

#[needs(gmp_ecm)]
#[test]
fn residues_of_stage_1_are_those_of_gmp_ecm() {
    let place = tempfile::tempdir().unwrap();
    let (mine, theirs) = (place.path().join("mine"), place.path().join("theirs"));
    ours(&format!("--b1 300 --b2 0 --curves 3 --sigma 1000 --save {}", mine.display()));
    for sigma in 1000..1003 {
        gmp_ecm(&format!("-param 3 -sigma 3:{sigma} -savea {} 300 0", theirs.display()), N);
    }
    let (mine, theirs) = (fs::read_to_string(mine).unwrap(), fs::read_to_string(theirs).unwrap());
    let all = |text: &'static str| text.lines().map(fields).collect::<Vec<_>>();
    let (mine, theirs) = (all(mine.leak()), all(theirs.leak()));
    assert_eq!((mine.len(), &mine), (3, &theirs));
}

#[needs(gmp_ecm)]
#[test]
fn a_save_file_goes_on_there() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("save");
    // Stage 2 of this curve finds the factor.
    let (out, _) = ours(&format!("--b1 2000 --b2 0 --curves 1 --sigma 117 --save {}", path.display()));
    assert_eq!(out, format!("{N} = ({N})\n"));
    assert_eq!(fs::read_to_string(&path).unwrap().lines().count(), 1);
    let found = gmp_ecm(&format!("-resume {} 2000 200000", path.display()), "");
    assert!(found.contains(&format!("********** Factor found in step 2: {P}")), "{found}");
}

#[needs(gmp_ecm)]
#[test]
fn sigmas_reproduce_there() {
    let (out, log) = ours("--b1 2000 --curves 1 --sigma 117");
    assert_eq!(out, format!("{N} = {P} * 1525400868019853926112265312800111675267\n"));
    let how = log.split("by sigma ").nth(1).unwrap_or_else(|| panic!("{log}"));
    assert!(how.starts_with("3:117 B1=2000 B2=200000, stage 2"), "{log}");
    let found = gmp_ecm("-sigma 3:117 2000 200000", N);
    assert!(found.contains(&format!("********** Factor found in step 2: {P}")), "{found}");
}
