//! The examples of the guides to the command line and to programs.

use std::env;
use std::path::Path;
use std::process::Command;

use crate::{Folder, PROGRAM, text};

const GUIDES: [&str; 2] =
    [include_str!("../../../../docs/command_line.md"), include_str!("../../../../docs/programs.md")];

/// Commands of all examples of a guide, with what they print.
fn examples(guide: &str) -> Vec<(&str, String)> {
    let mut examples: Vec<(&str, String)> = vec![];
    for block in guide.split("```console\n").skip(1) {
        for line in block.split("```").next().unwrap().lines() {
            match line.strip_prefix("$ ") {
                Some(command) => examples.push((command, String::new())),
                None => *examples.last_mut().map(|(_, printed)| printed).unwrap() += &format!("{line}\n"),
            }
        }
    }
    examples
}

#[test]
fn the_guide_to_the_command_line_prints_what_it_says() {
    check(GUIDES[0]);
}

#[test]
fn the_guide_to_programs_prints_what_it_says() {
    check(GUIDES[1]);
}

fn check(guide: &str) {
    let folder = Folder::new(&[]);
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").canonicalize().unwrap();
    std::os::unix::fs::symlink(samples, folder.path("examples")).unwrap();
    let examples = examples(guide);
    assert!(examples.len() > 20, "{}", examples.len());
    let mut path = vec![Path::new(PROGRAM).parent().unwrap().to_owned()];
    path.extend(env::split_paths(&env::var_os("PATH").unwrap()));
    for (command, printed) in examples {
        // Where a driver is, no GPU is visible.
        let output = Command::new("sh")
            .args(["-c", &format!("{{ {command}\n}} 2>&1")])
            .current_dir(folder.0.path())
            .env("PATH", env::join_paths(&path).unwrap())
            .env("CUDA_VISIBLE_DEVICES", "")
            .stdin(std::process::Stdio::null())
            .output()
            .unwrap();
        assert_eq!(text(&output.stdout), printed, "{command}");
    }
}
