//! `endpaper paths`: prints where settings, cache, data and ground truth are.

use std::path::PathBuf;

use anyhow::Result;

use endpaper_command::Exit;
use endpaper_command::output::Printer;
use endpaper_command::user::UserFolders;
use endpaper_text::config::SETTINGS_FILE;

const ABOUT: &str = "\
ENDPAPER_CONFIG_DIR, ENDPAPER_CACHE_DIR, ENDPAPER_DATA_DIR and ENDPAPER_STATE_DIR name other folders. The truth folder is that of
the setting 'truth', else endpaper-truth in the current folder. The cache can be removed at any time.";

/// Arguments of `endpaper paths`.
#[derive(Debug, clap::Args)]
#[command(after_help = ABOUT)]
pub struct Args {}

/// Runs `endpaper paths`.
///
/// # Errors
///
/// A broken pipe, or a system without a home folder.
pub fn run(_: &Args) -> Result<Exit> {
    let user = UserFolders::read()?;
    let truth = user.truth(None, false);
    let places: [(&str, PathBuf); 6] = [
        ("settings", user.paths.config.join(SETTINGS_FILE)),
        ("themes", user.paths.config.join("themes")),
        ("cache", user.paths.cache.clone()),
        ("data", user.paths.data.clone()),
        ("state", user.paths.state.clone()),
        ("truth", std::path::absolute(&truth).unwrap_or(truth)),
    ];
    let mut printer = Printer::stdout();
    for (name, path) in places {
        let absent = match path.exists() {
            true => "",
            false => "  (not there yet)",
        };
        printer.line(&format!("{name:<8}  {}{absent}", path.display()))?;
    }
    printer.finish()?;
    Ok(Exit::Success)
}
