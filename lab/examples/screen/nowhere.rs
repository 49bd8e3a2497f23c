//! A screen that is drawn and encoded as in the program, without a terminal.

use std::io::{self, Write};

use anyhow::{Context, Result};
use endpaper_review::Session;
use endpaper_review::view::glyphs::GlyphSet;
use endpaper_review::view::{self, ColourDepth, Theme};
use endpaper_text::config::MarkStyle;
use ratatui::backend::CrosstermBackend;
use ratatui::layout::Rect;
use ratatui::{Frame, Terminal, TerminalOptions, Viewport};

pub struct NullTerminal(Terminal<CrosstermBackend<NullWriter>>);

impl NullTerminal {
    pub fn new((width, height): (u16, u16)) -> Result<NullTerminal> {
        let viewport = Viewport::Fixed(Rect::new(0, 0, width, height));
        let backend = CrosstermBackend::new(NullWriter);
        let terminal = Terminal::with_options(backend, TerminalOptions { viewport })?;
        Ok(NullTerminal(terminal))
    }

    pub fn frame(&mut self, session: &Session, theme: &Theme) -> io::Result<()> {
        let draw = |frame: &mut Frame<'_>| {
            view::draw(session, theme, frame.area(), frame.buffer_mut());
        };
        self.0.draw(draw).map(drop)
    }
}

/// Returns the first theme, in true colours.
pub fn theme(marks: MarkStyle) -> Result<Theme> {
    let themes = Theme::all(ColourDepth::True, GlyphSet::of(marks, |_| None));
    themes.into_iter().next().context("there is no theme")
}

/// A writer that discards every byte.
struct NullWriter;

impl Write for NullWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Ok(std::hint::black_box(bytes).len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
