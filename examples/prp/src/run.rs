//! A hunt from its arguments to its table.

use std::sync::OnceLock;
use std::thread;

use limbforge_hunts::{Folder, HuntError, Signals};
use num_bigint::BigUint;
use serde_json::{Value, json};

use crate::arguments::{Arguments, Mode};
use crate::candidates::{read_candidates, without_small_factors};
use crate::expected::Density;
use crate::family::Family;
use crate::hunt::{Found, Hunt};
use crate::meter::{Counts, Meter};
use crate::rows::Rows;
use crate::sieve::{Sieve, default_limit};
use crate::table::Table;
use crate::tester::{Test, Tester};

/// Numbers of a file between two states.
const NUMBERS: usize = 1 << 16;

/// Runs the hunt. False if a signal ended it.
///
/// # Errors
/// [`HuntError`] for arguments that name no hunt, files and devices that fail.
pub fn run(arguments: &Arguments, signals: &Signals) -> Result<bool, HuntError> {
    let family = arguments.mode.family()?;
    let mut testers = vec![Tester::new(arguments.backend.engine()?)];
    if testers[0].engine().device_name() != "CPU" && family.is_some() {
        testers.push(Tester::new(arguments.backend.engine()?));
    }
    if let Some(why) = testers[0].engine().fallback() {
        eprintln!("on the CPU: {why}");
    }
    let mut book = Book::open(arguments)?;
    let done = match (&family, &arguments.mode) {
        (Some(family), _) => of_family(arguments, family, &testers, &mut book, signals),
        (None, Mode::File { path }) => {
            of_numbers(arguments, &read_candidates(path)?, &testers[0], &mut book, signals)
        }
        (None, _) => Err(HuntError::Wrong("a hunt has no candidates".to_owned())),
    }?;
    if !done {
        let goes_on = arguments
            .state
            .as_ref()
            .map_or("nothing is kept without --state", |_| "the same command goes on");
        eprintln!("interrupted: {goes_on}");
    }
    Ok(done)
}

fn of_family(
    arguments: &Arguments,
    family: &Family,
    testers: &[Tester],
    book: &mut Book,
    signals: &Signals,
) -> Result<bool, HuntError> {
    let verify = arguments.verify || matches!(arguments.mode, Mode::Gaps { .. });
    let (test, every, ready) = (arguments.test, arguments.every, OnceLock::new());
    thread::scope(|scope| {
        // Programs are compiled while the sieve is made and the first chunk is sieved.
        scope.spawn(|| {
            testers.iter().for_each(|tester| tester.prepare(test, family));
            ready.get_or_init(|| ());
        });
        let limit = arguments.sieve.unwrap_or_else(|| default_limit(family.count()));
        let sieve = Sieve::new(family, limit)?;
        let density = Density::new(family)?;
        let hunt = Hunt { family, sieve: &sieve, testers, ready: &ready, test, verify, every };
        let first = book.counts.next;
        let mut expected = if first == 0 { 0.0 } else { density.expected(0, first) };
        let mut meter = Meter::start(book.counts, family.count(), arguments.progress);
        let done = hunt.run(first, signals, |found| {
            expected += density.expected(found.first, found.end);
            book.add(&found, family)?;
            meter.show(&book.counts, Some(expected));
            Ok(())
        })?;
        meter.end(&book.counts, Some(expected));
        Ok(done)
    })
}

fn of_numbers(
    arguments: &Arguments,
    numbers: &[BigUint],
    tester: &Tester,
    book: &mut Book,
    signals: &Signals,
) -> Result<bool, HuntError> {
    let meter = Meter::start(book.counts, numbers.len() as u64, arguments.progress);
    let rest = numbers.get(book.counts.next as usize..).unwrap_or_default();
    for chunk in rest.chunks(NUMBERS) {
        if signals.came() {
            return Ok(false);
        }
        let mut left = without_small_factors(chunk.to_vec());
        let candidates = left.len() as u64;
        let mut tests = 0;
        let verify = arguments.verify && arguments.test != Test::Bpsw;
        for test in [arguments.test, Test::Bpsw].into_iter().take(1 + usize::from(verify)) {
            tests += left.len() as u64;
            let passes = tester.of_numbers(test, &left)?;
            left = left.into_iter().zip(passes).filter(|(_, passes)| *passes).map(|(n, _)| n).collect();
        }
        let next = book.counts.next + chunk.len() as u64;
        book.note(next, left.len() as u64, candidates, tests);
        book.commit(&left.iter().map(|n| vec![n.to_string()]).collect::<Vec<_>>())?;
    }
    meter.end(&book.counts, None);
    Ok(true)
}

/// What a hunt has found, in its table and its folder.
struct Book {
    hunt: String,
    folder: Option<Folder>,
    table: Table,
    rows: Rows,
    counts: Counts,
}

impl Book {
    fn open(arguments: &Arguments) -> Result<Self, HuntError> {
        let Arguments { mode, test, verify, format, state, out, .. } = arguments;
        // All that the table depends on.
        let hunt = format!("{mode:?} {test:?} {verify} {format:?}");
        let mut rows = Rows::new(mode);
        let mut counts = Counts::default();
        let (folder, mut table) = if let Some(path) = state {
            let folder = Folder::open(path)?;
            let state = folder.state(&hunt)?.unwrap_or_else(|| json!({}));
            let word = |name: &str| state[name].as_u64().unwrap_or_default();
            counts.next = word("next");
            (counts.found, counts.candidates, counts.tests) =
                (word("found"), word("candidates"), word("tests"));
            rows.set_state(&state["rows"]);
            let table = Table::in_file(&folder.file("finds.txt"), word("bytes"), *format)?;
            (Some(folder), table)
        } else if let Some(path) = out {
            (None, Table::in_file(path, 0, *format)?)
        } else {
            (None, Table::standard(*format))
        };
        table.head(rows.columns())?;
        Ok(Self { hunt, folder, table, rows, counts })
    }

    fn add(&mut self, found: &Found, family: &Family) -> Result<(), HuntError> {
        let rows = self.rows.of(family, &found.indices);
        self.note(found.end, found.indices.len() as u64, found.candidates, found.tests);
        self.commit(&rows)
    }

    const fn note(&mut self, next: u64, found: u64, candidates: u64, tests: u64) {
        self.counts.next = next;
        self.counts.found += found;
        self.counts.candidates += candidates;
        self.counts.tests += tests;
    }

    /// Rows first, then the state with their length: a hunt that is killed between the two cuts them off and finds
    /// them again.
    fn commit(&mut self, rows: &[Vec<String>]) -> Result<(), HuntError> {
        self.table.append(rows)?;
        let Some(folder) = &self.folder else { return Ok(()) };
        let Counts { next, found, candidates, tests } = self.counts;
        let state: Value = json!({
            "next": next, "found": found, "candidates": candidates, "tests": tests,
            "bytes": self.table.bytes(), "rows": self.rows.state(),
        });
        folder.write_state(&self.hunt, state)
    }
}
