//! Standard input, and two inputs from one stream.

use std::os::unix::fs::symlink;

use crate::{Folder, fails, ok_with_input};

const PAIRS: [(&str, &str); 5] =
    [("-", "-"), ("-", "/dev/stdin"), ("/dev/fd/0", "-"), ("/dev/stdin", "/proc/self/fd/0"), ("link", "-")];

#[test]
fn standard_input_given_twice_is_refused() {
    let folder = Folder::new(&[]);
    symlink("/dev/stdin", folder.path("link")).unwrap();
    for (first, second) in PAIRS {
        let error = folder.fails(&format!("eval a+b --bits 8 --in a={first} --in b={second} --out out"), 2);
        let both = "both read standard input: expected at most one input from it, and the other in a file";
        assert_eq!(
            error,
            format!("`--in a={first}` and `--in b={second}` {both} (see `limbforge eval --help`)")
        );
        let error = folder.fails(&format!("poly mul --prime 97 --in {first} --in {second}"), 2);
        assert_eq!(error, format!("`--in {first}` and `--in {second}` {both} (see `limbforge poly --help`)"));
    }
}

#[test]
fn one_pipe_given_twice_is_refused() {
    let folder = Folder::new(&[]);
    let script = "mkfifo pipe; exec 5<>pipe";
    let error = fails(&mut folder.shell(script, "eval a+b --bits 8 --in a=pipe --in b=/dev/fd/5"), 2);
    let both = "`--in a=pipe` and `--in b=/dev/fd/5` both read one pipe";
    assert!(error.starts_with(both), "{error}");
}

#[test]
fn standard_input_once_and_files_twice_are_read() {
    let folder = Folder::new(&[("b", b"2\n3\n"), ("p", b"1 1\n")]);
    for name in ["-", "/dev/stdin", "/dev/fd/0"] {
        let command = folder.command(&format!("eval a*b+c --bits 8 --in a={name} --in b=b --in c=b"));
        assert_eq!(ok_with_input(command, b"5\n7\n"), "c\n18\n");
        let command = folder.command(&format!("poly mul --prime 97 --in {name} --in p"));
        assert_eq!(ok_with_input(command, b"1 1\n2\n"), "1 2 1\n2 2\n");
    }
}
