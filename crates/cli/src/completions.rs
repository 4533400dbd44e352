//! `limbforge completions`: commands and options for a shell to complete.

use clap::{Args, Command};
use clap_complete::Shell;

use crate::error::CliError;
use crate::output;

/// Print a script that completes commands and options in a shell.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  limbforge completions bash > ~/.local/share/bash-completion/completions/limbforge
  limbforge completions zsh > ~/.zfunc/_limbforge        (a folder of $fpath)
  limbforge completions fish > ~/.config/fish/completions/limbforge.fish
  limbforge completions powershell >> $PROFILE")]
pub(crate) struct CompletionsArguments {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

pub(crate) fn run(arguments: &CompletionsArguments, mut program: Command) -> Result<(), CliError> {
    let mut script = vec![];
    clap_complete::generate(arguments.shell, &mut program, "limbforge", &mut script);
    output::write(None, &script)
}
