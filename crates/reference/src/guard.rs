//! A record of rendered sources, against which later ones are compared.
//!
//! A change that must not alter any kernel is compared with a kept file of BLAKE3 hashes, one for each group
//! of cases. Comments are not hashed: they may be rewritten.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Hashes of sources by group.
#[derive(Debug, Default)]
pub struct Guard {
    groups: BTreeMap<String, Group>,
    /// One line for each case, for comparisons by hand.
    cases: String,
}

#[derive(Debug, Default)]
struct Group {
    cases: usize,
    sources: usize,
    hasher: blake3::Hasher,
}

impl Guard {
    /// Adds a case of a group: its name, and each of its sources with what else identifies the launch. No
    /// sources if it was refused.
    pub fn add<'s>(&mut self, group: &str, case: &str, sources: impl IntoIterator<Item = (String, &'s str)>) {
        let group = self.groups.entry(group.replace(' ', "_")).or_default();
        let mut hasher = blake3::Hasher::new();
        group.cases += 1;
        for (launch, source) in sources {
            hasher.update(launch.as_bytes());
            hasher.update(code(source).as_bytes());
            group.sources += 1;
        }
        let line = format!("{case}: {}\n", hasher.finalize().to_hex());
        group.hasher.update(line.as_bytes());
        self.cases.push_str(&line);
    }

    /// Compares with the kept file. With `LIMBFORGE_GUARD_UPDATE` in the environment it writes the file
    /// instead; with `LIMBFORGE_GUARD_CASES` it also writes a line for each case to the file of that name, to
    /// find the case that differs.
    ///
    /// # Panics
    /// If a group differs or the file cannot be read.
    pub fn compare(&self, kept: &Path) {
        if let Some(cases) = std::env::var_os("LIMBFORGE_GUARD_CASES") {
            fs::write(&cases, &self.cases).unwrap_or_else(|error| panic!("{}: {error}", cases.display()));
        }
        let found = self.text();
        if std::env::var_os("LIMBFORGE_GUARD_UPDATE").is_some() {
            fs::write(kept, &found).unwrap_or_else(|error| panic!("{}: {error}", kept.display()));
            return;
        }
        let expected = fs::read_to_string(kept).unwrap_or_else(|error| panic!("{}: {error}", kept.display()));
        let differ: Vec<&str> =
            found.lines().filter(|line| !expected.lines().any(|known| known == *line)).collect();
        assert!(
            found == expected,
            "{}: expected the kept hashes, found {} others, such as\n{}",
            kept.display(),
            differ.len(),
            differ.iter().take(10).copied().collect::<Vec<_>>().join("\n")
        );
    }

    /// A line for each group: its name, cases, sources and hash.
    fn text(&self) -> String {
        let line = |(name, group): (&String, &Group)| {
            format!("{name} {} {} {}\n", group.cases, group.sources, group.hasher.finalize().to_hex())
        };
        self.groups.iter().map(line).collect()
    }
}

/// A source without its comments and empty lines.
fn code(source: &str) -> String {
    let lines = source.lines().map(|line| line.find("//").map_or(line, |at| &line[..at]).trim_end());
    lines.filter(|line| !line.is_empty()).flat_map(|line| [line, "\n"]).collect()
}
