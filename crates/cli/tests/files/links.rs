//! Files of results that are links, and inputs that are replaced.

use std::fs;
use std::os::unix::fs::symlink;

use crate::{Folder, NAMED, fails, ok};

#[test]
fn a_link_is_followed_and_stays() {
    let folder = Folder::new(&[("a", b"1\n"), ("old", b"old")]);
    fs::create_dir(folder.path("sub")).unwrap();
    for (link, target) in [
        ("to_old", "old"),
        ("dangling", "new"),
        ("into", "sub/file"),
        ("sub/out", "../outer"),
        ("second", "first"),
        ("first", "end"),
    ] {
        symlink(target, folder.path(link)).unwrap();
    }
    for (link, file) in [
        ("to_old", "old"),
        ("dangling", "new"),
        ("into", "sub/file"),
        ("sub/out", "outer"),
        ("second", "end"),
    ] {
        for is_named in [false, true] {
            let mut command = folder.command(&format!("eval a+a --bits 8 --in a=a --out {link}"));
            if is_named {
                command.env(NAMED, "1");
            }
            ok(&mut command);
            assert!(fs::symlink_metadata(folder.path(link)).unwrap().is_symlink(), "{link}");
            assert!(fs::symlink_metadata(folder.path(file)).unwrap().is_file(), "{file}");
            assert_eq!(folder.text(file), "2\n");
            fs::write(folder.path(file), "").unwrap();
        }
    }
    let expected =
        ["a", "dangling", "end", "first", "into", "new", "old", "outer", "second", "sub", "to_old"];
    assert_eq!(folder.names(), expected);
}

/// The name that was given, not that of the file behind it.
#[test]
fn errors_name_the_link() {
    let folder = Folder::new(&[("a", "ffff\n".repeat(10_000).as_bytes())]);
    symlink("file", folder.path("link")).unwrap();
    let error = fails(&mut folder.shell("ulimit -f 16", "eval a --bits 64 --in a=a --out link"), 1);
    assert_eq!(error, "link: cannot write: File too large (os error 27)");
    assert_eq!(folder.names(), ["a", "link"]);
}

#[test]
fn links_in_a_circle_are_refused() {
    let folder = Folder::new(&[("a", b"1\n")]);
    symlink("y", folder.path("x")).unwrap();
    symlink("x", folder.path("y")).unwrap();
    let error = folder.fails("eval a --bits 8 --in a=a --out x", 1);
    assert!(error.starts_with("x: cannot create: "), "{error}");
    symlink("nowhere/file", folder.path("z")).unwrap();
    let error = folder.fails("eval a --bits 8 --in a=a --out z", 1);
    assert!(error.starts_with("z: cannot create: No such file or directory"), "{error}");
}

/// Results take the place of an input when all of it was read.
#[test]
fn an_input_may_be_the_output() {
    let folder = Folder::new(&[("a", b"1\n2\n"), ("one", b"1\n"), ("p", b"1 1\n")]);
    for is_named in [false, true] {
        fs::write(folder.path("a"), "1\n2\n").unwrap();
        let mut command = folder.command("eval a+b --bits 8 --in a=a --in b=one --out a");
        if is_named {
            command.env(NAMED, "1");
        }
        ok(&mut command);
        assert_eq!(folder.text("a"), "2\n3\n");
    }
    assert_eq!(folder.ok("poly mul --prime 97 --in p --in p --out p"), "");
    assert_eq!(folder.text("p"), "1 2 1\n");
}

/// A hard link gets the results and is a file of its own from then on: the other name keeps what it had.
#[test]
fn a_hard_link_of_an_input_may_be_the_output() {
    let many: String = (0..200_000).map(|i| format!("{:x}\n", i % 100)).collect();
    let doubled: String = (0..200_000).map(|i| format!("{:x}\n", 2 * (i % 100))).collect();
    let folder = Folder::new(&[("a", many.as_bytes())]);
    fs::hard_link(folder.path("a"), folder.path("b")).unwrap();
    assert_eq!(folder.ok("eval a+a --bits 8 --in a=a --out b"), "");
    assert!(folder.text("b") == doubled && folder.text("a") == many);
}
