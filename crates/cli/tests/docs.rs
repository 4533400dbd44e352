//! The commands of the pages in `docs/` and of README run and print what the pages say.
//!
//! A block ```` ```sh ```` is run by bash; where a block ```` ```text ```` follows, it is what both streams must hold, with `...` alone on
//! a line for any lines. A block ```` ```console ````, or one without a language that begins with `$ `, has a command after each `$ ` and its
//! output below. `<!-- not run: WHY -->`, and README's `<!-- first -->` and `<!-- tests -->`, which CI runs, before a block leave it out.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs};

/// A fenced block of a page.
struct Block {
    /// Where its first line is, from 1.
    line: usize,
    language: String,
    /// The line before it that is not empty.
    before: String,
    text: String,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

fn blocks(page: &str) -> Vec<Block> {
    let (mut blocks, mut before) = (vec![], String::new());
    let mut lines = page.lines().enumerate();
    while let Some((number, line)) = lines.next() {
        let Some(language) = line.strip_prefix("```") else {
            if !line.trim().is_empty() {
                line.clone_into(&mut before);
            }
            continue;
        };
        let text: Vec<&str> =
            lines.by_ref().map(|(_, line)| line).take_while(|line| *line != "```").collect();
        blocks.push(Block {
            line: number + 2,
            language: language.to_owned(),
            before: std::mem::take(&mut before),
            text: text.join("\n"),
        });
    }
    blocks
}

/// Both streams of a script in a folder.
fn run(script: &str, folder: &Path) -> Result<String, String> {
    let program = Path::new(env!("CARGO_BIN_EXE_limbforge")).parent().unwrap();
    let path = format!("{}:{}", program.display(), env::var("PATH").unwrap());
    // One pipe for both streams keeps their order.
    let output = Command::new("bash")
        .args(["-euo", "pipefail", "-c", &format!("exec 2>&1\n{script}")])
        .current_dir(folder)
        .env("PATH", path)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    if output.status.success() { Ok(text) } else { Err(format!("{}: {text}", output.status)) }
}

/// Whether the lines are those expected, where `...` stands for any.
fn is_match(expected: &[&str], found: &[&str]) -> bool {
    match expected {
        [] => found.is_empty(),
        ["...", rest @ ..] => (0..=found.len()).any(|skipped| is_match(rest, &found[skipped..])),
        [line, rest @ ..] => found.first() == Some(line) && is_match(rest, &found[1..]),
    }
}

/// The lines without blanks at their ends.
fn lines(text: &str) -> Vec<&str> {
    text.trim_end().lines().map(str::trim_end).collect()
}

/// What is wrong with a block, run and compared.
fn check(script: &str, expected: Option<&str>, folder: &Path) -> Result<(), String> {
    let found = run(script, folder)?;
    let Some(expected) = expected else { return Ok(()) };
    if is_match(&lines(expected), &lines(&found)) {
        return Ok(());
    }
    Err(format!("expected\n{expected}\nfound\n{found}"))
}

/// The commands of a block with what each should print.
fn console(text: &str) -> Vec<(String, String)> {
    let mut commands: Vec<(String, String)> = vec![];
    for line in text.lines() {
        match (line.strip_prefix("$ "), commands.last_mut()) {
            (Some(command), _) => commands.push((command.to_owned(), String::new())),
            (None, Some((_, output))) => *output += &format!("{line}\n"),
            (None, None) => {}
        }
    }
    commands
}

/// Runs a page's blocks in order in one fresh folder; returns how many.
fn run_page(page: &str) -> usize {
    let text = fs::read_to_string(root().join(page)).unwrap();
    let folder = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink(root().join("examples"), folder.path().join("examples")).unwrap();
    let blocks = blocks(&text);
    let mut count = 0;
    for (i, block) in blocks.iter().enumerate() {
        let left_out = ["<!-- not run: ", "<!-- first -->", "<!-- tests -->"];
        if left_out.iter().any(|start| block.before.starts_with(start)) {
            continue;
        }
        let commands = match &*block.language {
            "sh" => {
                let output =
                    blocks.get(i + 1).filter(|next| next.language == "text" && next.before.is_empty());
                vec![(block.text.clone(), output.map(|next| next.text.clone()))]
            }
            "" | "console" if block.text.starts_with("$ ") => {
                console(&block.text).into_iter().map(|(command, output)| (command, Some(output))).collect()
            }
            _ => continue,
        };
        for (script, expected) in commands {
            if let Err(why) = check(&script, expected.as_deref(), folder.path()) {
                panic!("{page}:{}:\n{script}\n{why}", block.line);
            }
            count += 1;
        }
    }
    count
}

#[test]
fn the_tutorial_does_what_it_says() {
    assert!(run_page("docs/tutorial.md") >= 12);
}

#[test]
fn the_commands_of_the_first_page_do_what_they_say() {
    assert_eq!(run_page("README.md"), 2);
}

#[test]
fn the_page_on_primes_does_what_it_says() {
    assert!(run_page("docs/primes.md") >= 5);
}

/// Every file below a folder whose name ends so, but for build folders and hidden ones.
fn files(folder: &Path, end: &str, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() {
            if name != "target" && name != "node_modules" && !name.starts_with('.') {
                files(&path, end, found);
            }
        } else if name.ends_with(end) {
            found.push(path);
        }
    }
}

/// The anchors of a page, as they are made from its headings.
fn anchors(page: &str) -> Vec<String> {
    let headings = page.lines().filter(|line| line.starts_with('#'));
    let anchor = |line: &str| -> String {
        let kept = line.trim_start_matches('#').trim().to_lowercase();
        let kept = kept.chars().filter(|c| c.is_alphanumeric() || [' ', '-', '_'].contains(c));
        kept.map(|c| if c == ' ' { '-' } else { c }).collect()
    };
    headings.map(anchor).collect()
}

/// The targets of the links of a page, but for those in blocks of code.
fn links(page: &str) -> Vec<String> {
    let mut links = vec![];
    let mut in_block = false;
    for line in page.lines() {
        in_block ^= line.starts_with("```");
        if in_block {
            continue;
        }
        links.extend(line.split("](").skip(1).filter_map(|rest| rest.split(')').next()).map(str::to_owned));
    }
    links
}

/// Links within the repository are relative, to files and headings that exist: it has no public address yet.
#[test]
fn links_of_pages_lead_somewhere() {
    let (root, mut pages) = (root(), vec![]);
    files(&root, ".md", &mut pages);
    assert!(pages.len() > 40);
    let mut wrong = vec![];
    for path in &pages {
        let page = fs::read_to_string(path).unwrap();
        for link in links(&page) {
            if link.starts_with("http") {
                if link.contains("github.com/limbforge") {
                    wrong.push(format!("{}: {link} is absolute", path.display()));
                }
                continue;
            }
            let (file, anchor) = link.split_once('#').unwrap_or((&link, ""));
            let target = if file.is_empty() { path.clone() } else { path.parent().unwrap().join(file) };
            if !target.exists() {
                wrong.push(format!("{}: {link}: no such file", path.display()));
            } else if !anchor.is_empty()
                && !anchors(&fs::read_to_string(&target).unwrap()).contains(&anchor.to_owned())
            {
                wrong.push(format!("{}: {link}: no such heading", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A page begins with its title and, in italics, its kind.
#[test]
fn every_page_says_whether_it_is_a_guide_or_a_record() {
    let mut pages = vec![];
    files(&root().join("docs"), ".md", &mut pages);
    pages.retain(|page| !page.ends_with("README.md"));
    assert!(pages.len() > 40);
    for path in pages {
        let page = fs::read_to_string(&path).unwrap();
        let kind = page.lines().nth(2).unwrap_or_default();
        assert!(
            ["*A guide", "*A record"].iter().any(|start| kind.starts_with(start)),
            "{}: expected `*A guide` or `*A record` in line 3, found {kind:?}",
            path.display()
        );
    }
}

/// The page on stability has every public enum of the promised crates that may grow, and no other.
#[test]
fn the_page_on_stability_has_the_enums_that_may_grow() {
    let (root, mut sources) = (root(), vec![]);
    for folder in ["src", "crates/limb/src", "crates/field/src", "crates/algos/src"] {
        files(&root.join(folder), ".rs", &mut sources);
    }
    let mut found: Vec<String> = vec![];
    for path in sources {
        let source = fs::read_to_string(path).unwrap();
        for (_, rest) in
            source.match_indices("#[non_exhaustive]").map(|(at, text)| source.split_at(at + text.len()))
        {
            let item = rest.split_once("pub ").and_then(|(_, item)| item.split_once(' '));
            let (kind, name) = item.expect("a public type");
            assert!(["enum", "struct"].contains(&kind), "{kind} {name}");
            let name = name.split(|c: char| !c.is_alphanumeric()).next();
            found.push(format!("`{}`", name.unwrap()));
        }
    }
    found.sort();
    assert!(
        found.contains(&"`EvalError`".to_owned()) && found.contains(&"`EngineError`".to_owned()),
        "{found:?}"
    );
    let page = fs::read_to_string(root.join("docs/stability.md")).unwrap();
    let list = page
        .split("<!-- list: non_exhaustive -->\n")
        .nth(1)
        .and_then(|rest| rest.split("\n<!-- end -->").next());
    let listed: String = list.unwrap().split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(listed, format!("{}.", found.join(", ")), "the list of docs/stability.md");
}

/// The runner can fail: a wrong output, a wrong exit status, and a block that is left out.
#[test]
fn a_page_that_is_wrong_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let check = |script, expected| check(script, Some(expected), folder.path());
    assert_eq!(check("echo 1; echo 2 >&2; echo 3", "1\n2\n3\n"), Ok(()));
    assert_eq!(check("seq 9", "1\n...\n9"), Ok(()));
    assert!(check("seq 9", "1\n...\n8").unwrap_err().contains("expected"));
    assert!(check("false", "").is_err() && check("false | true", "").is_err());
    let page = "<!-- not run: no -->\n```sh\nfalse\n```\n\n```sh\ntrue\n```\n\n```text\nx\n```\n";
    let blocks = blocks(page);
    assert_eq!(blocks.iter().map(|block| block.line).collect::<Vec<_>>(), [3, 7, 11]);
    assert!(blocks[0].before.starts_with("<!-- not run") && blocks[1].before.is_empty());
    assert_eq!(
        console("$ a\nb\nc\n$ d\n"),
        [("a".to_owned(), "b\nc\n".to_owned()), ("d".to_owned(), String::new())]
    );
}
