//! Combines screens into one SVG that plays them in a loop.
//!
//! The frames are next to each other behind a window as wide as one of them, and CSS moves them past it, frame by frame. Rows that several frames
//! share are stored once. It plays in any browser, without a script.

use std::collections::HashMap;
use std::fmt::Write;

use crate::palette::{TerminalPalette, hex};
use crate::screen::ScreenSnapshot;
use crate::svg::{self, BAR, MARGIN, escape};

pub struct FilmFrame {
    pub screen: ScreenSnapshot,
    /// Keys typed to reach this frame.
    pub typed: String,
    pub seconds: f64,
}

/// Draws the film; `None` without frames.
pub fn draw(frames: &[FilmFrame], title: &str, palette: &TerminalPalette) -> Option<String> {
    let (width, height) = svg::size(&frames.first()?.screen);
    let mut out = String::new();
    svg::window(&mut out, (width, height), title, palette);
    style(&mut out, frames, width);
    let shared = SharedRows::count(frames, palette);
    shared.define(&mut out);
    let _ = writeln!(
        out,
        r#"<svg width="{width:.2}" height="{height:.2}"><g class="film">"#
    );
    for (number, frame) in frames.iter().enumerate() {
        let left = number as f64 * width;
        let _ = writeln!(out, r#"<g transform="translate({left:.2})">"#);
        for row in svg::rows(&frame.screen, palette) {
            shared.place(&mut out, &row);
        }
        let _ = writeln!(
            out,
            r#"<text x="{:.2}" y="{:.2}" text-anchor="end" fill="{}">{}</text></g>"#,
            width - MARGIN,
            BAR / 2.0 + 5.0,
            hex(palette.title),
            escape(&frame.typed)
        );
    }
    Some(out + "</g></svg>\n</g>\n</svg>\n")
}

/// Writes the CSS rule that moves the frames, in steps without transitions.
fn style(out: &mut String, frames: &[FilmFrame], width: f64) {
    let total: f64 = frames.iter().map(|frame| frame.seconds).sum();
    let _ = write!(
        out,
        "<style>.film{{animation:film {total:.2}s step-end infinite}}@keyframes film{{"
    );
    let mut at = 0.0;
    for (number, frame) in frames.iter().enumerate() {
        let percent = 100.0 * at / total;
        let left = number as f64 * width;
        let _ = write!(out, "{percent:.3}%{{transform:translateX(-{left:.2}px)}}");
        at += frame.seconds;
    }
    out.push_str("}</style>\n");
}

/// Rows that are in more than one frame, with their names.
struct SharedRows(HashMap<String, usize>);

impl SharedRows {
    fn count(frames: &[FilmFrame], palette: &TerminalPalette) -> SharedRows {
        let mut seen: HashMap<String, usize> = HashMap::new();
        let rows = frames
            .iter()
            .flat_map(|frame| svg::rows(&frame.screen, palette));
        for row in rows.filter(|row| !row.is_empty()) {
            *seen.entry(row).or_default() += 1;
        }
        let often = seen.into_iter().filter(|(_, times)| *times > 1);
        let mut rows: Vec<String> = often.map(|(row, _)| row).collect();
        // Sorted, so that equal screens give equal files.
        rows.sort_unstable();
        let named = rows.into_iter().enumerate();
        SharedRows(named.map(|(name, row)| (row, name)).collect())
    }

    fn define(&self, out: &mut String) {
        let mut rows: Vec<_> = self.0.iter().collect();
        rows.sort_unstable_by_key(|(_, name)| **name);
        out.push_str("<defs>\n");
        for (row, name) in rows {
            let _ = writeln!(out, r#"<g id="r{name}">{}</g>"#, row.trim_end());
        }
        out.push_str("</defs>\n");
    }

    fn place(&self, out: &mut String, row: &str) {
        match self.0.get(row) {
            Some(name) => drop(writeln!(out, "<use href=\"#r{name}\"/>")),
            None => out.push_str(row),
        }
    }
}
