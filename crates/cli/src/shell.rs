//! `limbforge completions` and `limbforge man`: scripts for shells, and man pages, both from the help.

use std::fs;
use std::path::{Path, PathBuf};

use clap::{Args, Command};
use clap_complete::Shell;
use clap_mangen::Man;

use crate::{error::CliError, output};

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

pub(crate) fn completions(arguments: &CompletionsArguments, mut program: Command) -> Result<(), CliError> {
    let mut script = vec![];
    clap_complete::generate(arguments.shell, &mut program, "limbforge", &mut script);
    output::write(None, &script)
}

/// Print the man page of limbforge or of a command, or write all pages.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  limbforge man eval | man -l -
  limbforge man --out ~/.local/share/man/man1")]
pub(crate) struct ManArguments {
    /// The command, as in `eval` or `primes check` [default: limbforge itself]
    #[arg(value_name = "COMMAND", conflicts_with = "out")]
    command: Vec<String>,

    /// Write a page for limbforge and one for each command into this folder, which is created
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

pub(crate) fn man(arguments: &ManArguments, program: Command) -> Result<(), CliError> {
    let mut root = program.disable_help_subcommand(true);
    root.build();
    let mut pages = vec![];
    add_pages(&root, "limbforge", &mut pages);
    if let Some(folder) = &arguments.out {
        fs::create_dir_all(folder).map_err(CliError::file(folder, "create"))?;
        for page in &pages {
            output::write(Some(&folder.join(page.get_filename())), &text(page)?)?;
        }
        return Ok(());
    }
    let name = ["limbforge"].into_iter().chain(arguments.command.iter().map(String::as_str));
    let name = name.collect::<Vec<_>>().join("-") + ".1";
    let page = pages.iter().find(|page| page.get_filename() == name).ok_or_else(|| {
        let why = format!("there is no command `{}`", arguments.command.join(" "));
        CliError::usage("man")(why)
    })?;
    output::write(None, &text(page)?)
}

/// Adds the pages of a command's commands, and its own.
fn add_pages(command: &Command, name: &str, pages: &mut Vec<Man>) {
    for sub in command.get_subcommands().filter(|sub| !sub.is_hide_set()) {
        add_pages(sub, &format!("{name}-{}", sub.get_name()), pages);
    }
    let page = Man::new(command.clone().display_name(name.to_owned())).title(name.to_uppercase());
    pages.push(page.source(concat!("limbforge ", env!("CARGO_PKG_VERSION"))).manual("limbforge"));
}

fn text(page: &Man) -> Result<Vec<u8>, CliError> {
    let mut text = vec![];
    page.render(&mut text).map_err(CliError::file(Path::new(&page.get_filename()), "write"))?;
    Ok(text)
}
