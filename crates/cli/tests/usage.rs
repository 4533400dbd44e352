//! Help, suggestions, completions and man pages as a user meets them.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

use std::fs;
use std::io::Write;
use std::process::{Command, Output, Stdio};

use limbforge_needs::needs;

fn limbforge(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_limbforge")).args(arguments).output().unwrap()
}

/// Standard output of a run that must succeed silently.
fn output(arguments: &[&str]) -> String {
    let output = limbforge(arguments);
    assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// All commands, in the order of the help.
fn commands() -> Vec<String> {
    let help = output(&["-h"]);
    let list = help.split("Commands:\n").nth(1).unwrap().split("\n\n").next().unwrap();
    list.lines().map(|line| line.split_whitespace().next().unwrap().to_owned()).collect()
}

#[test]
fn nothing_shows_help() {
    let nothing = limbforge(&[]);
    assert_eq!((nothing.status.code(), nothing.stdout.len()), (Some(2), 0));
    assert_eq!(String::from_utf8(nothing.stderr).unwrap(), output(&["-h"]));
}

/// A line for each command, in 100 columns.
#[test]
fn help_begins_with_what_users_need() {
    let commands = commands();
    let at = |name| commands.iter().position(|command| command == name).unwrap();
    assert_eq!((at("eval"), commands.last().unwrap().as_str()), (0, "help"));
    for pair in ["eval", "poly", "primes", "plan", "doctor", "selftest", "completions", "man"].windows(2) {
        assert!(at(pair[0]) < at(pair[1]), "{pair:?}");
    }
    let help = output(&["-h"]);
    for command in commands {
        assert!(help.contains(&format!("\n  {command} ")), "{command} takes more than a line: {help}");
    }
}

#[test]
fn commands_of_the_laboratory_are_named() {
    for name in ["bench", "model", "report"] {
        let found = limbforge(&[name, "--json"]);
        let error = String::from_utf8(found.stderr).unwrap();
        assert_eq!(
            (found.status.code(), found.stdout.len(), error.lines().count()),
            (Some(2), 0, 1),
            "{error}"
        );
        assert!(error.contains(&format!("is `limbforge-lab {name}` now")), "{error}");
    }
}

#[test]
fn mistyped_names_are_corrected() {
    for (arguments, suggestion) in [
        (&["evl"][..], "'eval'"),
        (&["eval", "--bit", "8", "1"], "a similar argument exists: '--bits' (see `limbforge eval --help`)"),
        (&["primes", "chek", "7"], "a similar subcommand exists: 'check' (see `limbforge primes --help`)"),
        (&["doctor", "--jsn"], "a similar argument exists: '--json' (see `limbforge doctor --help`)"),
        (&["codegen", "1", "--bits", "8", "--emit", "cubn"], "'cubin' (see `limbforge codegen --help`)"),
    ] {
        let found = limbforge(arguments);
        let error = String::from_utf8(found.stderr).unwrap();
        assert_eq!(
            (found.status.code(), found.stdout.len(), error.lines().count()),
            (Some(2), 0, 1),
            "{error}"
        );
        assert!(error.starts_with("error: ") && error.contains(suggestion), "{error}");
    }
}

#[test]
fn completions_name_every_command() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = output(&["completions", shell]);
        for command in commands() {
            assert!(script.contains(&command), "{shell} does not know {command}");
        }
        for option in ["bits", "min-adicity"] {
            assert!(script.contains(option), "{shell} does not know --{option}");
        }
    }
    assert_eq!(limbforge(&["completions", "csh"]).status.code(), Some(2));
}

#[needs(bash)]
#[test]
fn bash_reads_its_completions() {
    let script = output(&["completions", "bash"]);
    // What a shell does after `limbforge pri` and a tabulator.
    let tabulator = "COMP_WORDS=(limbforge pri); COMP_CWORD=1; _limbforge limbforge pri limbforge; echo \"${COMPREPLY[@]}\"";
    let found = Command::new("bash").args(["-euc", &format!("{script}\n{tabulator}")]).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&found.stdout), "primes\n", "{found:?}");
}

#[test]
fn there_is_a_page_for_every_command() {
    let folder = tempfile::tempdir().unwrap();
    let pages = folder.path().join("share/man1");
    assert_eq!(output(&["man", "--out", pages.to_str().unwrap()]), "");
    let page = |name: &str| fs::read_to_string(pages.join(name)).unwrap();
    let root = page("limbforge.1");
    assert_eq!(root, output(&["man"]));
    for command in commands().iter().filter(|command| *command != "help") {
        assert!(root.contains(&format!("limbforge\\-{command}(1)")), "{command} is not in {root}");
        let own = page(&format!("limbforge-{command}.1"));
        assert_eq!(own, output(&["man", command]));
        for section in [".TH LIMBFORGE-", ".SH NAME\n", ".SH SYNOPSIS\n", ".SH OPTIONS\n"] {
            assert!(own.contains(section), "{command}: no {section} in {own}");
        }
    }
    assert_eq!(page("limbforge-primes-check.1"), output(&["man", "primes", "check"]));
    assert_eq!(limbforge(&["man", "no", "such"]).status.code(), Some(2));
}

#[needs(groff)]
#[test]
fn groff_renders_pages_without_warnings() {
    for command in [&["man"][..], &["man", "eval"], &["man", "primes", "search"]] {
        let mut groff = Command::new("groff");
        groff
            .args(["-man", "-Tascii", "-P-cbou", "-ww"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut groff = groff.spawn().unwrap();
        groff.stdin.take().unwrap().write_all(output(command).as_bytes()).unwrap();
        let found = groff.wait_with_output().unwrap();
        let text = String::from_utf8_lossy(&found.stdout);
        assert!(found.status.success() && found.stderr.is_empty(), "{command:?}: {found:?}");
        assert!(text.contains("SYNOPSIS") && text.contains("limbforge"), "{text}");
    }
}

#[cfg(unix)]
#[test]
fn pages_that_cannot_be_written_are_an_error() {
    let found = limbforge(&["man", "--out", "/dev/null/man"]);
    let error = String::from_utf8(found.stderr).unwrap();
    assert_eq!((found.status.code(), error.lines().count()), (Some(1), 1), "{error}");
    assert!(error.contains("/dev/null/man: cannot create"), "{error}");
}

/// Text has no colours where the output is no terminal, and none on request.
#[test]
fn there_are_no_colours_in_a_pipe() {
    for arguments in [&["--help"][..], &[], &["evl"], &["doctor"]] {
        let found = limbforge(arguments);
        assert!(![found.stdout, found.stderr].concat().contains(&0x1b), "{arguments:?}");
    }
}
