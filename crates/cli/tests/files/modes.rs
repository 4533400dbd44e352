//! Who may read and write the file of results, and where none can be written.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::process::Command;

use crate::{Folder, NAMED, fails, ok};

const TO_OUT: &str = "eval a+a --bits 8 --in a=a --out out";

/// A user without rights, where the tests run as root.
const NOBODY: u32 = 65534;

fn mode(folder: &Folder, name: &str) -> u32 {
    fs::metadata(folder.path(name)).unwrap().mode() & 0o7777
}

/// The command, with unnamed temporary files and with named ones.
fn both(command: impl Fn() -> Command) -> [Command; 2] {
    let mut named = command();
    named.env(NAMED, "1");
    [command(), named]
}

#[test]
fn a_file_that_is_replaced_keeps_its_mode() {
    for kept in [0o600, 0o640, 0o666, 0o755] {
        let folder = Folder::new(&[("a", b"1\n"), ("out", b"secret")]);
        for mut command in both(|| folder.shell("umask 022", TO_OUT)) {
            fs::set_permissions(folder.path("out"), fs::Permissions::from_mode(kept)).unwrap();
            fs::write(folder.path("out"), "secret").unwrap();
            ok(&mut command);
            assert_eq!((mode(&folder, "out"), folder.text("out")), (kept, "2\n".to_owned()), "{command:?}");
        }
    }
}

#[test]
fn a_new_file_has_the_mode_of_any_new_file() {
    let folder = Folder::new(&[("a", b"1\n")]);
    for (umask, expected) in [("022", 0o644), ("077", 0o600), ("002", 0o664)] {
        for mut command in both(|| folder.shell(&format!("umask {umask}"), TO_OUT)) {
            ok(&mut command);
            assert_eq!(mode(&folder, "out"), expected, "{command:?}");
            fs::remove_file(folder.path("out")).unwrap();
        }
    }
}

#[test]
fn a_file_that_is_replaced_keeps_its_owner_where_that_is_possible() {
    let folder = Folder::new(&[("a", b"1\n"), ("out", b"")]);
    let is_root = rustix::process::geteuid().is_root();
    if is_root {
        chown(folder.path("out"), Some(NOBODY), Some(NOBODY)).unwrap();
    }
    let owner = || fs::metadata(folder.path("out")).map(|file| (file.uid(), file.gid())).unwrap();
    let before = owner();
    for mut command in both(|| folder.command(TO_OUT)) {
        ok(&mut command);
        assert_eq!(owner(), before);
    }
}

/// A user that may not write somewhere is told where.
#[test]
fn what_may_not_be_written_is_refused_before_anything_is_read() {
    let folder = Folder::new(&[("a", b"1\n"), ("kept", b"kept")]);
    fs::create_dir(folder.path("closed")).unwrap();
    for (name, mode) in [("", 0o777), ("closed", 0o555), ("kept", 0o444)] {
        fs::set_permissions(folder.path(name), fs::Permissions::from_mode(mode)).unwrap();
    }
    let mut program = crate::PROGRAM.into();
    let is_root = rustix::process::geteuid().is_root();
    if is_root {
        // Where another user reaches it.
        program = folder.path("program");
        fs::copy(crate::PROGRAM, &program).unwrap();
    }
    let run = |out: &str| {
        both(|| {
            // There is nothing to read, which would be the error if that came first.
            let arguments = format!("eval a+a --bits 8 --in a=- --out {out}");
            let mut command = folder.with_program(&program, &[], &arguments);
            if is_root {
                command.uid(NOBODY).gid(NOBODY);
            }
            command
        })
    };
    let why = "cannot create: Permission denied (os error 13)";
    for mut command in run("closed/out") {
        let expected = format!("closed/out: {why}: its folder closed must exist and be writable");
        assert_eq!(fails(&mut command, 1), expected);
    }
    for mut command in run("kept") {
        assert_eq!(fails(&mut command, 1), format!("kept: {why}: the file exists and is not writable"));
    }
    assert_eq!(folder.text("kept"), "kept");
}

#[test]
fn a_folder_that_is_not_there_is_named() {
    let folder = Folder::new(&[("a", b"1\n")]);
    for mut command in both(|| folder.command("eval a --bits 8 --in a=a --out no/such/out")) {
        let expected = "no/such/out: cannot create: No such file or directory (os error 2): its folder no/such must \
                        exist and be writable";
        assert_eq!(fails(&mut command, 1), expected);
    }
}

/// `ulimit -f`: an error, and not a signal that ends the program with its file half written.
#[test]
fn a_file_that_is_too_large_is_an_error() {
    let numbers = "ffffffffffffffff\n".repeat(10_000);
    let folder = Folder::new(&[("a", numbers.as_bytes())]);
    let before = folder.names();
    for mut command in both(|| folder.shell("ulimit -f 16", "eval a --bits 64 --in a=a --out out")) {
        assert_eq!(fails(&mut command, 1), "out: cannot write: File too large (os error 27)");
        assert_eq!(folder.names(), before);
    }
    let error = fails(&mut folder.shell("ulimit -f 16; exec >out", "eval a --bits 64 --in a=a"), 1);
    assert_eq!(error, "standard output: cannot write: File too large (os error 27)");
}
