//! `endpaper man`: prints or writes the manual pages.

use std::path::PathBuf;

use anyhow::{Result, anyhow};
use clap::Command;
use clap_mangen::Man;

use endpaper_command::Exit;
use endpaper_command::output::note;
use endpaper_command::overwrite::{ForceArgs, check_folder, is_stdout};
use endpaper_text::wording::counted;

const EXAMPLES: &str = "\
Examples:
  endpaper man | man -l -
  endpaper man strip check | man -l -
  endpaper man --out ~/.local/share/man/man1      # a page for each command

Exit status: 0 fine, 2 wrong use or nothing done.";

/// Arguments of `endpaper man`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The command to print the page of [default: endpaper itself]
    #[arg(value_name = "COMMAND", conflicts_with = "out")]
    command: Vec<String>,

    /// The folder to write the pages of all commands to
    #[arg(short, long, value_name = "DIR")]
    out: Option<PathBuf>,

    #[command(flatten)]
    force: ForceArgs,
}

/// Runs `endpaper man`.
///
/// # Errors
///
/// Wrong use, or a file that cannot be written.
pub fn run(args: &Args) -> Result<Exit> {
    let mut root = with_all_help(crate::command()).disable_help_subcommand(true);
    root.build();
    match &args.out {
        Some(folder) if !is_stdout(folder) => {
            check_folder(folder)?;
            let mut pages = Vec::new();
            add_pages(&root, &mut pages)?;
            let files = pages
                .into_iter()
                .map(|(name, page)| (folder.join(name), page));
            let files: Vec<_> = files.collect();
            let count = counted(files.len() as u64, "page", "pages");
            args.force.write_all(files)?;
            note(&format!("{count} written to '{}'", folder.display()));
        }
        _ => {
            let (_, page) = page(find(&root, &args.command)?)?;
            args.force.write("-".as_ref(), &page)?;
        }
    }
    Ok(Exit::Success)
}

/// Shows everywhere what `-h` leaves out: a page is long help.
fn with_all_help(command: Command) -> Command {
    command
        .mut_args(|argument| argument.hide_short_help(false))
        .mut_subcommands(with_all_help)
}

/// The command of that name below another one.
fn find<'a>(root: &'a Command, names: &[String]) -> Result<&'a Command> {
    names.iter().try_fold(root, |command, name| {
        command.find_subcommand(name).ok_or_else(|| {
            let known = command.get_subcommands().map(Command::get_name);
            let known = known.collect::<Vec<_>>().join(", ");
            match known.is_empty() {
                true => anyhow!("'{}' has no command '{name}'", command.get_name()),
                false => anyhow!("there is no command '{name}'; one of {known}"),
            }
        })
    })
}

/// Adds the pages of a command and of those below it, with their file names.
fn add_pages(command: &Command, pages: &mut Vec<(String, Vec<u8>)>) -> Result<()> {
    pages.push(page(command)?);
    command
        .get_subcommands()
        .filter(|below| !below.is_hide_set())
        .try_for_each(|below| add_pages(below, pages))
}

/// The page of a command, with its file name.
fn page(command: &Command) -> Result<(String, Vec<u8>)> {
    let program = format!("endpaper {}", env!("CARGO_PKG_VERSION"));
    let man = Man::new(command.clone());
    let man = man.source(program).manual("endpaper");
    let mut text = Vec::new();
    man.render(&mut text)?;
    Ok((man.get_filename(), text))
}
