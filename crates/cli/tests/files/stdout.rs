//! A standard output that takes no results.

use crate::{Folder, fails};

#[test]
fn a_closed_standard_output_is_an_error() {
    let folder = Folder::new(&[("a", b"1\n2\n"), ("p", b"1 1\n")]);
    for arguments in [
        "eval a+a --bits 8 --in a=a",
        "poly mul --prime 97 --in p --in p",
        "doctor",
        "plan a*a --bits 64",
        "functions",
        "eval --help",
        "--version",
    ] {
        let error = fails(&mut folder.shell("exec >&-", arguments), 1);
        let expected = "standard output: cannot write: it is closed; expected a file, a pipe or a terminal";
        assert_eq!(error, expected, "{arguments}");
    }
    // Who writes to a file needs none.
    let command = folder.shell("exec >&-", "eval a+a --bits 8 --in a=a --out out").output().unwrap();
    assert_eq!((command.status.code(), folder.text("out")), (Some(0), "2\n4\n".to_owned()));
}

#[test]
fn discarded_results_are_none_that_are_lost() {
    let folder = Folder::new(&[("a", b"1\n")]);
    for script in ["exec >/dev/null", "exec 1<>/dev/null"] {
        crate::ok(&mut folder.shell(script, "eval a+a --bits 8 --in a=a"));
    }
}

#[test]
fn a_reader_that_left_is_no_error() {
    let folder = Folder::new(&[("a", b"1\n")]);
    for arguments in ["eval a+a --bits 8 --in a=a", "--help", "functions"] {
        let script = r#"{ sleep 0.1; "$LIMBFORGE" $ARGUMENTS; echo $? > status; } | true"#;
        let output = std::process::Command::new("sh")
            .args(["-c", script])
            .env("LIMBFORGE", env!("CARGO_BIN_EXE_limbforge"))
            .env("ARGUMENTS", arguments)
            .current_dir(folder.path(""))
            .output()
            .unwrap();
        assert_eq!((folder.text("status").as_str(), crate::text(&output.stderr).as_str()), ("0\n", ""));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_standard_output_is_an_error() {
    let folder = Folder::new(&[("a", b"1\n"), ("p", b"1 1\n")]);
    for arguments in ["functions", "eval --help", "--version"] {
        let error = fails(&mut folder.shell("exec >/dev/full", arguments), 1);
        assert_eq!(error, "standard output: cannot write: No space left on device (os error 28)");
    }
    for arguments in ["eval a+a --bits 8 --in a=a", "poly mul --prime 97 --in p --in p"] {
        let error = fails(&mut folder.shell("exec >/dev/full", arguments), 1);
        assert_eq!(error, "standard output: cannot write: No space left on device (os error 28)");
        let error = folder.fails(&format!("{arguments} --out /dev/full"), 1);
        assert_eq!(error, "/dev/full: cannot write: No space left on device (os error 28)");
    }
}
