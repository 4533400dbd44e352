//! Which option is to blame where an expression begins with `-`.

use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue, ErrorKind};

/// The error to report for a command line that clap refuses with `error`. An expression may begin with `-`,
/// so that clap takes an unknown option for one and stumbles over what is behind: the option is to blame.
pub(super) fn blame(
    error: clap::Error,
    program: &clap::Command,
    mut arguments: impl Iterator<Item = OsString>,
) -> clap::Error {
    let command = arguments.next().and_then(|name| program.find_subcommand(name));
    let Some(command) =
        command.filter(|command| command.get_positionals().any(clap::Arg::is_allow_hyphen_values_set))
    else {
        return error;
    };
    let is_known = |name: &str| {
        name == "--help"
            || command.get_arguments().filter_map(clap::Arg::get_long).any(|long| long == &name[2..])
    };
    let options = arguments.take_while(|argument| argument != "--");
    let unknown = options
        .filter_map(|argument| argument.into_string().ok())
        .find(|text| is_option(text) && !is_known(name_of(text)));
    unknown.map_or(error, |text| unknown_option(command, &text))
}

fn unknown_option(command: &clap::Command, text: &str) -> clap::Error {
    let name = name_of(text);
    let mut error = clap::Error::new(ErrorKind::UnknownArgument).with_cmd(command);
    error.insert(ContextKind::InvalidArg, ContextValue::String(name.to_owned()));
    let options = command.get_arguments().filter_map(clap::Arg::get_long);
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

/// Whether it is a long option rather than an expression that begins with two signs: `--bit=5`, but not
/// `--a + b`.
fn is_option(text: &str) -> bool {
    name_of(text).strip_prefix("--").is_some_and(|name| {
        name.len() > 1
            && name.starts_with(|c: char| c.is_ascii_lowercase())
            && name.chars().all(|c| c.is_ascii_lowercase() || c == '-')
    })
}
