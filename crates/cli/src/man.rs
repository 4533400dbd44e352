//! `limbforge man`: pages for `man`, made of what `--help` says.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use clap::{Args, Command};
use clap_mangen::Man;

use crate::error::CliError;
use crate::output;

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

pub(crate) fn run(arguments: &ManArguments, program: Command) -> Result<(), CliError> {
    let pages = pages(program);
    if let Some(folder) = &arguments.out {
        fs::create_dir_all(folder).map_err(|error| failed(folder, "create", error))?;
        for page in &pages {
            output::write(Some(&folder.join(page.get_filename())), &text(page)?)?;
        }
        return Ok(());
    }
    let name = ["limbforge"].into_iter().chain(arguments.command.iter().map(String::as_str));
    let name = name.collect::<Vec<_>>().join("-") + ".1";
    let page = pages.iter().find(|page| page.get_filename() == name).ok_or_else(|| {
        let why = format!("there is no command `{}`", arguments.command.join(" "));
        CliError::Usage { command: "man", why }
    })?;
    output::write(None, &text(page)?)
}

/// The pages of limbforge and of all its commands, also those of commands.
fn pages(program: Command) -> Vec<Man> {
    let mut root = program.disable_help_subcommand(true);
    root.build();
    let mut pages = vec![];
    add(&root, "limbforge", &mut pages);
    pages
}

fn add(command: &Command, name: &str, pages: &mut Vec<Man>) {
    for sub in command.get_subcommands().filter(|sub| !sub.is_hide_set()) {
        add(sub, &format!("{name}-{}", sub.get_name()), pages);
    }
    let page = Man::new(command.clone().display_name(name.to_owned())).title(name.to_uppercase());
    pages.push(page.source(concat!("limbforge ", env!("CARGO_PKG_VERSION"))).manual("limbforge"));
}

fn text(page: &Man) -> Result<Vec<u8>, CliError> {
    let mut text = vec![];
    page.render(&mut text).map_err(|error| failed(Path::new(&page.get_filename()), "write", error))?;
    Ok(text)
}

fn failed(path: &Path, action: &'static str, source: io::Error) -> CliError {
    CliError::File { path: path.to_owned(), action, source }
}
