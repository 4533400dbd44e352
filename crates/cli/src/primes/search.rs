//! `limbforge primes search`.

use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::ops::ControlFlow;

use indicatif::{ProgressBar, ProgressStyle};
use limbforge_field::search::{NttPrime, Search};
use serde_json::json;

use super::arguments::SearchArguments;
use crate::error::CliError;
use crate::output::Output;
use crate::table::aligned;

/// Numbers that may be looked at when all primes are wanted: a few minutes.
const MAX_CANDIDATES: u64 = 1 << 33;

const BAR: &str = "{bar:40} {percent:>3}%  {human_pos} of {human_len} numbers  {eta} left";

pub(super) fn run(arguments: &SearchArguments) -> Result<(), CliError> {
    let usage = |why| CliError::Usage { command: "primes search", why };
    let search = Search::new(arguments.bits.0.clone(), arguments.min_adicity)
        .map_err(|error| usage(error.to_string()))?;
    let candidates = search.candidates();
    if candidates > MAX_CANDIDATES && arguments.count.is_none() {
        return Err(usage(format!(
            "there are {candidates} numbers to look at; expected at most {MAX_CANDIDATES}: use a larger --min-adicity, \
             smaller --bits, or --count"
        )));
    }
    let mut report = Report::new(arguments)?;
    let bar = progress(candidates);
    let (mut found, mut outcome) = (0, Ok(()));
    search.for_each(
        |done| bar.set_position(done),
        |prime| {
            found += 1;
            outcome = report.prime(prime, found);
            let enough = arguments.count.is_some_and(|count| found >= count.get());
            if enough || outcome.is_err() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        },
    );
    bar.finish_and_clear();
    outcome?;
    report.finish(found)
}

/// Hidden unless standard error is a terminal.
fn progress(candidates: u64) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(candidates);
    match ProgressStyle::with_template(BAR) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

/// Primes go out as they are found: there may be more than fit into memory.
struct Report<'a> {
    arguments: &'a SearchArguments,
    output: Output,
    by_adicity: BTreeMap<u32, u64>,
}

impl<'a> Report<'a> {
    fn new(arguments: &'a SearchArguments) -> Result<Self, CliError> {
        let mut output = Output::create(None)?;
        if arguments.json {
            let bits = &arguments.bits.0;
            let (first, last, min) = (bits.start(), bits.end(), arguments.min_adicity);
            output.write(
                format!("{{\n  \"bits\": [{first}, {last}],\n  \"min_adicity\": {min},\n").as_bytes(),
            )?;
            if !arguments.total {
                output.write(b"  \"primes\": [")?;
            }
        }
        Ok(Self { arguments, output, by_adicity: BTreeMap::new() })
    }

    /// The prime as the one of this number, from 1.
    fn prime(&mut self, prime: NttPrime, number: u64) -> Result<(), CliError> {
        let (p, k, n) = (prime.p(), prime.k(), prime.adicity());
        if self.arguments.total {
            *self.by_adicity.entry(n).or_default() += 1;
            Ok(())
        } else if self.arguments.json {
            let comma = if number > 1 { "," } else { "" };
            self.output.write(format!("{comma}\n    {{\"p\": {p}, \"k\": {k}, \"n\": {n}}}").as_bytes())
        } else {
            self.output.write(format!("{p} = {prime}\n").as_bytes())
        }
    }

    fn finish(mut self, found: u64) -> Result<(), CliError> {
        let counts = self.by_adicity.iter().rev();
        let text = match (self.arguments.json, self.arguments.total) {
            (true, true) => {
                let counts: Vec<_> = counts.map(|(n, primes)| json!({ "n": n, "primes": primes })).collect();
                format!("  \"by_adicity\": {},\n  \"found\": {found}\n}}\n", json!(counts))
            }
            (true, false) => {
                format!("{}],\n  \"found\": {found}\n}}\n", if found > 0 { "\n  " } else { "" })
            }
            (false, true) => {
                let mut lines = vec![vec!["n".to_owned(), "primes".to_owned()]];
                lines.extend(counts.map(|(n, primes)| vec![n.to_string(), primes.to_string()]));
                lines.push(vec!["all".to_owned(), found.to_string()]);
                aligned(&lines, &[0]).join("\n") + "\n"
            }
            (false, false) => String::new(),
        };
        self.output.write(text.as_bytes())?;
        self.output.finish()
    }
}
