//! `endpaper themes`: the themes of the program, with a swatch on a terminal.

use std::fmt::Write;
use std::io::IsTerminal;

use anyhow::Result;

use super::Exit;
use super::output::Printer;
use crate::view::Depth;
use crate::view::glyphs::Glyphs;
use crate::view::theme::{self, Role, Theme};

/// Arguments of `endpaper themes`.
#[derive(Debug, clap::Args)]
pub struct Args {}

/// Runs `endpaper themes`.
///
/// # Errors
///
/// A reader that stopped reading.
pub fn run(_: &Args) -> Result<Exit> {
    let variable = |name: &str| std::env::var(name).ok();
    let depth = Depth::detect(None, variable);
    let glyphs = Glyphs::of(false, variable);
    if !std::io::stdout().is_terminal() || depth == Depth::Mono {
        let mut printer = Printer::stdout();
        for name in theme::names() {
            printer.line(name)?;
        }
        printer.finish()?;
        return Ok(Exit::Fine);
    }
    let mut out = String::new();
    for theme in Theme::all(depth, glyphs)? {
        let _ = writeln!(out, "{:<20} {}", theme.name, swatch(&theme));
    }
    // Our own escape sequences: the printer would make them visible.
    print!("{out}");
    Ok(Exit::Fine)
}

/// The shades, the cut and the body in the colours of a theme.
fn swatch(theme: &Theme) -> String {
    use ratatui::crossterm::style::{ContentStyle, StyledContent};
    let mut out = String::new();
    let parts = (0..6).map(|step| {
        (
            Role::shade(step),
            theme.glyphs.shades[usize::from(step)].repeat(2),
        )
    });
    let parts = parts.chain([
        (Role::Cut, theme.glyphs.rule.repeat(4)),
        (Role::Text, " the body ".to_owned()),
    ]);
    for (role, text) in parts {
        let base = theme.style(Role::Text);
        let style: ContentStyle = ratatui_style(base.patch(theme.style(role)));
        let _ = write!(out, "{}", StyledContent::new(style, text));
    }
    out
}

fn ratatui_style(style: ratatui::style::Style) -> ratatui::crossterm::style::ContentStyle {
    use ratatui::backend::IntoCrossterm;
    style.into_crossterm()
}
