//! Help on the terminal, and wrong usage on one line.

mod blame;

use std::env;
use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

use clap::Command;
use clap::error::ErrorKind;

use crate::error::CliError;
use crate::output::Output;

/// Shows help and version as they are, and an error on one line with clap's suggestion.
pub fn report(error: clap::Error, program: &Command) -> ExitCode {
    let arguments = || env::args_os().skip(1);
    let error = blame::blame(error, program, arguments());
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            exit_code(Output::print(|| error.print().and_then(|()| io::stdout().flush())))
        }
        // To standard error, as it is not what a pipeline waits for. Where that is closed, nobody can be
        // told.
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            let _ = error.print();
            ExitCode::from(2)
        }
        _ => {
            eprintln!("{}", line(&error.render().to_string(), &command_of(program, arguments())));
            ExitCode::from(2)
        }
    }
}

/// The exit status of a command, and on standard error why it fails.
pub fn exit_code(outcome: Result<(), CliError>) -> ExitCode {
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            error.exit_code()
        }
    }
}

/// One line of an error's text, whose first paragraph says what is wrong, and one that begins with `tip:`
/// what was meant.
fn line(text: &str, command: &str) -> String {
    let mut paragraphs = text.split("\n\n").map(joined);
    let mut line = paragraphs.next().unwrap_or_default();
    for tips in paragraphs.filter(|paragraph| paragraph.starts_with("tip: ")) {
        for tip in tips.split("tip: ").map(str::trim).filter(|tip| !tip.is_empty()) {
            line += &format!("; {tip}");
        }
    }
    format!("{line} (see `{command} --help`)")
}

fn joined(paragraph: &str) -> String {
    paragraph.lines().map(str::trim).collect::<Vec<_>>().join(" ")
}

/// `limbforge primes check` of the arguments `primes check --jsn 7`.
fn command_of(program: &Command, mut arguments: impl Iterator<Item = OsString>) -> String {
    let (mut command, mut name) = (program, program.get_name().to_owned());
    while let Some(sub) = arguments.next().and_then(|argument| command.find_subcommand(argument)) {
        name += &format!(" {}", sub.get_name());
        command = sub;
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_and_what_was_meant() {
        let text = "error: unexpected argument '--bit' found\n\n  tip: a similar argument exists: '--bits'\n\n\
                    Usage: limbforge eval --bits <N>\n\nFor more information, try '--help'.\n";
        let expected =
            "error: unexpected argument '--bit' found; a similar argument exists: '--bits' (see `x --help`)";
        assert_eq!(line(text, "x"), expected);
        assert_eq!(line("error: no\n", "x"), "error: no (see `x --help`)");
        let missing =
            "error: these are missing:\n  --bits <N>\n  <EXPR>\n\nUsage: limbforge eval --bits <N> <EXPR>\n";
        assert_eq!(line(missing, "x"), "error: these are missing: --bits <N> <EXPR> (see `x --help`)");
        assert_eq!(
            line("error: no\n\n  tip: this\n  tip: that\n", "x"),
            "error: no; this; that (see `x --help`)"
        );
    }

    #[test]
    fn help_is_that_of_the_command() {
        let check = Command::new("primes").subcommand(Command::new("check"));
        let program = Command::new("limbforge").subcommands([Command::new("eval"), check]);
        let command = |text: &str| command_of(&program, text.split_whitespace().map(OsString::from));
        for (text, name) in [
            ("", "limbforge"),
            ("evl 1", "limbforge"),
            ("--version eval", "limbforge"),
            ("eval primes", "limbforge eval"),
            ("primes check --jsn 7", "limbforge primes check"),
            ("primes chek 7", "limbforge primes"),
        ] {
            assert_eq!(command(text), name, "{text}");
        }
    }
}
