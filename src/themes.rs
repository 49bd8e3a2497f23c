//! `endpaper themes`: lists the themes and which one is in use, with a swatch of each on a terminal.

use std::fmt::Write;
use std::io::IsTerminal;

use anyhow::Result;

use crate::theme_set::{ThemeEntry, ThemeSet};
use endpaper_command::Exit;
use endpaper_command::colour;
use endpaper_command::output::Printer;
use endpaper_command::user::{UserFolders, warn_of_problems};
use endpaper_review::view::ColourDepth;
use endpaper_review::view::glyphs::GlyphSet;
use endpaper_review::view::theme::{Theme, ThemeRole};
use endpaper_text::sanitise::sanitise;

const ABOUT: &str = "\
A theme of your own is a file themes/NAME.yaml beside config.yaml. `endpaper themes dark` prints one to start from;
with a line `inherits: dark` a theme says only what it changes.";

/// Arguments of `endpaper themes`.
#[derive(Debug, clap::Args)]
#[command(after_help = ABOUT)]
pub struct Args {
    /// Print the file of this theme instead of the list
    #[arg(value_name = "NAME")]
    name: Option<String>,
}

/// Runs `endpaper themes`.
///
/// # Errors
///
/// The theme to print does not exist, or a broken pipe.
pub fn run(args: &Args) -> Result<Exit> {
    let user = UserFolders::read()?;
    let gallery = ThemeSet::load(&user);
    warn_of_problems(&gallery.problems);
    let mut printer = Printer::stdout();
    if let Some(name) = &args.name {
        let picture = &gallery.themes[gallery.find(name)?];
        for line in picture.text.lines() {
            printer.line(line)?;
        }
        printer.finish()?;
        return Ok(Exit::Success);
    }
    let variable = |name: &str| std::env::var(name).ok();
    let depth = ColourDepth::detect(user.depth(None), variable);
    let glyphs = GlyphSet::of(user.config.glyphs, variable);
    let swatches = colour::is_on(std::io::stdout().is_terminal()) && depth != ColourDepth::Mono;
    let mut out = String::new();
    for (at, picture) in gallery.themes.iter().enumerate() {
        let chosen = at == gallery.chosen;
        match swatches {
            true => {
                let swatch = swatch(&picture.theme(depth, glyphs));
                let line = line(picture, chosen);
                let _ = writeln!(out, "{swatch}  {}", sanitise(&line));
            }
            false => printer.line(&line(picture, chosen))?,
        }
    }
    printer.finish()?;
    // These are our own escape sequences, which the printer would escape.
    print!("{out}");
    Ok(Exit::Success)
}

/// A theme's name, whether it is in use, and the user's file that defines it.
fn line(picture: &ThemeEntry, chosen: bool) -> String {
    let mut line = picture.name().to_owned();
    if chosen {
        line.push_str("  (active)");
    }
    if let Some(file) = &picture.file {
        let _ = write!(line, "  (yours: {})", file.display());
    }
    sanitise(&line).into_owned()
}

/// The shades, the cut and the body in the colours of a theme.
fn swatch(theme: &Theme) -> String {
    use ratatui::crossterm::style::{ContentStyle, StyledContent};
    let mut out = String::new();
    let parts = (0..6).map(|step| {
        (
            ThemeRole::shade(step),
            theme.glyphs.shades[usize::from(step)].repeat(2),
        )
    });
    let parts = parts.chain([
        (ThemeRole::Cut, theme.glyphs.rule.repeat(4)),
        (ThemeRole::Text, " the body ".to_owned()),
    ]);
    for (role, text) in parts {
        let base = theme.style(ThemeRole::Text);
        let style: ContentStyle = ratatui_style(base.patch(theme.style(role)));
        let _ = write!(out, "{}", StyledContent::new(style, text));
    }
    out
}

/// The style in the terms of crossterm.
fn ratatui_style(style: ratatui::style::Style) -> ratatui::crossterm::style::ContentStyle {
    use ratatui::backend::IntoCrossterm;
    style.into_crossterm()
}
