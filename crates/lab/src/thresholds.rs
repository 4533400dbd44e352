//! `limbforge-lab thresholds`: the lengths from which the next algorithm of a ladder is faster on this CPU.

mod ladder;
mod search;

use std::path::PathBuf;

use clap::Args;
use limbforge_cli::output;
use serde_json::{Value, json};

use self::ladder::{LADDERS, Ladder};
use self::search::Found;
use crate::error::LabError;
use crate::setting::Setting;

/// Measure the lengths from which the next algorithm of a ladder is faster on this CPU, beside those that
/// limbforge is built with.
///
/// Each pair of algorithms computes the same results, which are compared, at lengths around the built-in
/// threshold, on one thread. The measured threshold is the one with the least time over all these lengths,
/// each counted alike. Products by other algorithms are hardly slower near a threshold: `loss` is what the
/// built-in one costs in all, in percent of the best. Constants are in `crates/limb/src/slice/mul` and
/// `crates/algos/src/integer`. Exit status: 0, or 1 for a wrong result, or 2 for wrong usage.
#[derive(Args, Debug)]
#[command(after_help = "Example: taskset -c 1 limbforge-lab thresholds --filter square")]
pub(crate) struct ThresholdsArguments {
    /// Only ladders that have this text in their names
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    filter: String,

    /// Turns of each length; the fastest counts
    #[arg(long, value_name = "N", default_value = "15", value_parser = clap::value_parser!(u32).range(1..))]
    turns: u32,

    /// One JSON object: date, commit, device, rows
    #[arg(long)]
    json: bool,

    /// The version of the source, for the JSON
    #[arg(long, value_name = "COMMIT")]
    commit: Option<String>,

    /// Where the output goes, in place of standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Runs the command.
pub(crate) fn run(arguments: &ThresholdsArguments) -> Result<(), LabError> {
    let chosen: Vec<&Ladder> =
        LADDERS.iter().filter(|ladder| ladder.name.contains(&arguments.filter)).collect();
    if chosen.is_empty() {
        let names = LADDERS.map(|ladder| ladder.name).join("; ");
        let why = format!("no ladder has `{}` in its name: {names}", arguments.filter);
        return Err(LabError::Usage { command: "thresholds", why });
    }
    let mut found = vec![];
    for ladder in chosen {
        found.push((ladder, search::search(ladder, arguments.turns)?));
    }
    let text = match arguments.json {
        true => format!("{:#}\n", to_json(arguments, &found)),
        false => to_text(&found),
    };
    Ok(output::write(arguments.out.as_deref(), &text)?)
}

/// A length in words, or that there is none.
fn words(length: usize) -> String {
    if length == usize::MAX { "never".to_owned() } else { length.to_string() }
}

fn to_text(found: &[(&Ladder, Found)]) -> String {
    let line = |name: &str, built: &str, measured: &str, loss: &str| {
        format!("{name:<44}  {built:>8}  {measured:>8}  {loss:>6}\n")
    };
    let mut text = line("words of 64 bits", "built-in", "measured", "loss");
    for (ladder, found) in found {
        let loss = format!("{:.1} %", found.loss);
        text += &line(ladder.name, &words((ladder.built_in)()), &words(found.threshold), &loss);
    }
    text
}

fn to_json(arguments: &ThresholdsArguments, found: &[(&Ladder, Found)]) -> Value {
    let setting = Setting::of_cpu(arguments.commit.as_deref());
    let row = |(ladder, found): &(&Ladder, Found)| {
        let length = |length: usize| Some(length).filter(|&length| length != usize::MAX);
        json!({
            "ladder": ladder.name, "built_in_words": length((ladder.built_in)()),
            "measured_words": length(found.threshold), "loss_percent": found.loss,
            "nanoseconds": found.times,
        })
    };
    let rows: Vec<Value> = found.iter().map(row).collect();
    json!({ "date": setting.date, "commit": setting.commit, "device": setting.device, "rows": rows })
}
