//! `endpaper completions`: prints or writes what shells need to complete the command line.

use std::path::PathBuf;

use anyhow::{Result, bail};
use clap_complete::{Generator, Shell, generate};

use endpaper_command::Exit;
use endpaper_command::output::note;
use endpaper_command::overwrite::{ForceArgs, check_folder, is_stdout};
use endpaper_text::wording::counted;

const EXAMPLES: &str = "\
Examples:
  source <(endpaper completions bash)
  endpaper completions zsh > ~/.zfunc/_endpaper
  endpaper completions fish > ~/.config/fish/completions/endpaper.fish
  endpaper completions --out completions               # of all shells, for packages

Exit status: 0 fine, 2 wrong use or nothing done.";

/// Arguments of `endpaper completions`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The shell
    #[arg(value_enum, value_name = "SHELL", required_unless_present = "out")]
    shell: Option<Shell>,

    /// The folder to write completions to, for SHELL or for all shells
    #[arg(short, long, value_name = "DIR")]
    out: Option<PathBuf>,

    #[command(flatten)]
    force: ForceArgs,
}

/// Runs `endpaper completions`.
///
/// # Errors
///
/// Wrong use, or a file that cannot be written.
pub fn run(args: &Args) -> Result<Exit> {
    let all = || args.shell.map_or(SHELLS.to_vec(), |shell| vec![shell]);
    match (&args.out, args.shell) {
        (Some(folder), _) if !is_stdout(folder) => {
            check_folder(folder)?;
            let shells = all();
            let files = shells.iter().map(|shell| {
                (
                    folder.join(shell.file_name(crate::NAME)),
                    completions(*shell),
                )
            });
            let files: Vec<_> = files.collect();
            let count = counted(files.len() as u64, "file", "files");
            args.force.write_all(files)?;
            note(&format!("{count} written to '{}'", folder.display()));
        }
        (_, Some(shell)) => args.force.write("-".as_ref(), &completions(shell))?,
        (_, None) => bail!("name a shell to print its completions"),
    }
    Ok(Exit::Success)
}

/// The shells that have completions.
const SHELLS: [Shell; 5] = [
    Shell::Bash,
    Shell::Elvish,
    Shell::Fish,
    Shell::PowerShell,
    Shell::Zsh,
];

/// The completions for a shell.
fn completions(shell: Shell) -> Vec<u8> {
    let mut text = Vec::new();
    generate(shell, &mut crate::command(), crate::NAME, &mut text);
    text
}
