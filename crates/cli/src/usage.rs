//! Help on the terminal, and errors of usage on one line.

use std::env;
use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command};

use crate::{error::CliError, output::Output};

/// Prints help and version as they are, and an error on one line with clap's suggestion.
pub fn report(error: clap::Error, program: &Command) -> ExitCode {
    let arguments = || env::args_os().skip(1);
    let error = blamed(error, program, arguments());
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            exit_code(Output::print(|| error.print().and_then(|()| io::stdout().flush())))
        }
        // To standard error, as a pipeline does not wait for it.
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

/// Prints the error of a command, if any, and returns its exit status.
pub fn exit_code(outcome: Result<(), CliError>) -> ExitCode {
    match outcome {
        Ok(()) | Err(CliError::ReaderLeft) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            error.exit_code()
        }
    }
}

/// An error's text on one line: its first paragraph, and the suggestions of those that begin with `tip:`.
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

/// The name of the command that the arguments name: `limbforge primes check` for `primes check --jsn 7`.
fn command_of(program: &Command, mut arguments: impl Iterator<Item = OsString>) -> String {
    let (mut command, mut name) = (program, program.get_name().to_owned());
    while let Some(sub) = arguments.next().and_then(|argument| command.find_subcommand(argument)) {
        name += &format!(" {}", sub.get_name());
        command = sub;
    }
    name
}

/// The error to report for a command line that clap refuses with `error`. An expression may begin with `-`:
/// clap takes an unknown option for one, and its error names a later argument. The option is to blame.
fn blamed(
    error: clap::Error,
    program: &Command,
    mut arguments: impl Iterator<Item = OsString>,
) -> clap::Error {
    let command = arguments.next().and_then(|name| program.find_subcommand(name));
    let Some(command) =
        command.filter(|command| command.get_positionals().any(Arg::is_allow_hyphen_values_set))
    else {
        return error;
    };
    let is_known = |name: &str| {
        name == "--help" || command.get_arguments().filter_map(Arg::get_long).any(|long| long == &name[2..])
    };
    let options = arguments.take_while(|argument| argument != "--");
    let unknown = options
        .filter_map(|argument| argument.into_string().ok())
        .find(|text| is_option(text) && !is_known(name_of(text)));
    unknown.map_or(error, |text| unknown_option(command, &text))
}

fn unknown_option(command: &Command, text: &str) -> clap::Error {
    let name = name_of(text);
    let mut error = clap::Error::new(ErrorKind::UnknownArgument).with_cmd(command);
    error.insert(ContextKind::InvalidArg, ContextValue::String(name.to_owned()));
    let options = command.get_arguments().filter_map(Arg::get_long);
    let near = options.map(|option| (strsim::osa_distance(&name[2..], option), option));
    if let Some((distance, option)) = near.min()
        && distance <= 2
    {
        error.insert(ContextKind::SuggestedArg, ContextValue::String(format!("--{option}")));
    }
    error
}

/// The option without its value.
fn name_of(option: &str) -> &str {
    option.split('=').next().unwrap_or(option)
}

/// A long option, as `--bit=5`, is distinct from an expression that begins with two signs, as `--a + b`.
fn is_option(text: &str) -> bool {
    name_of(text).strip_prefix("--").is_some_and(|name| {
        name.len() > 1
            && name.starts_with(|c: char| c.is_ascii_lowercase())
            && name.chars().all(|c| c.is_ascii_lowercase() || c == '-')
    })
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
