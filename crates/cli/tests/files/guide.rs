//! The examples of the guide to the command line.

use std::env;
use std::path::Path;
use std::process::Command;

use crate::{Folder, PROGRAM, text};

const GUIDE: &str = include_str!("../../../../docs/command_line.md");

/// Commands of all examples, with what they print.
fn examples() -> Vec<(&'static str, String)> {
    let mut examples: Vec<(&str, String)> = vec![];
    for block in GUIDE.split("```console\n").skip(1) {
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
fn the_guide_prints_what_it_says() {
    let folder = Folder::new(&[]);
    let examples = examples();
    assert!(examples.len() > 25, "{}", examples.len());
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
