//! Draws cells as SVG: one rectangle per run of a background, one text per run of a style.
//!
//! Positions come from the font's metrics, so that box-drawing lines join: a cell is as high as the font's ascent plus descent, as wide as its
//! advance. Equal screens give equal files.

use std::fmt::Write;

use crate::palette::{Rgb, TerminalPalette, between, hex};
use crate::screen::{CellStyle, ScreenSnapshot};

/// DejaVu Sans Mono at 14 pixels; metrics in units of 1/2048 of the size.
const FONT: &str = "'DejaVu Sans Mono', 'Bitstream Vera Sans Mono', Menlo, Consolas, monospace";
const SIZE: f64 = 14.0;
const WIDTH: f64 = SIZE * 1233.0 / 2048.0;
const ASCENT: f64 = SIZE * 1901.0 / 2048.0;
const HEIGHT: f64 = SIZE * (1901.0 + 483.0) / 2048.0;

/// The window around the cells.
pub const BAR: f64 = 30.0;
pub const MARGIN: f64 = 10.0;
const RADIUS: f64 = 8.0;

struct StyledRun {
    column: u16,
    cells: u16,
    style: CellStyle,
    text: String,
}

pub fn draw(screen: &ScreenSnapshot, title: &str, palette: &TerminalPalette) -> String {
    let mut out = String::new();
    window(&mut out, size(screen), title, palette);
    out.extend(rows(screen, palette));
    out + "</g>\n</svg>\n"
}

/// Width and height of a screen in its window, in pixels.
pub fn size(screen: &ScreenSnapshot) -> (f64, f64) {
    let (columns, rows) = screen.size();
    let width = f64::from(columns) * WIDTH + 2.0 * MARGIN;
    (width, f64::from(rows) * HEIGHT + BAR + 2.0 * MARGIN)
}

/// Returns the backgrounds of all rows, then their texts, so that descenders are not painted over.
pub fn rows(screen: &ScreenSnapshot, palette: &TerminalPalette) -> Vec<String> {
    let rows: Vec<Vec<StyledRun>> = (0..screen.size().1).map(|row| runs(screen, row)).collect();
    let painted = |paint: fn(&mut String, &StyledRun, u16, &TerminalPalette)| {
        let row = move |(row, runs): (u16, &Vec<StyledRun>)| {
            let mut out = String::new();
            for run in runs {
                paint(&mut out, run, row, palette);
            }
            out
        };
        (0..).zip(&rows).map(row).collect::<Vec<_>>()
    };
    let mut all = painted(background);
    all.extend(painted(text));
    all
}

/// Writes the frame, the title bar, the empty background, and the group of all text.
pub fn window(
    out: &mut String,
    (width, height): (f64, f64),
    title: &str,
    palette: &TerminalPalette,
) {
    let (frame, sheet) = (hex(palette.frame), hex(palette.background));
    let _ = write!(
        out,
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width:.2}" height="{height:.2}" viewBox="0 0 {width:.2} {height:.2}">
<rect width="{width:.2}" height="{height:.2}" rx="{RADIUS}" fill="{frame}"/>
<path d="M0 {BAR}H{width:.2}V{bottom:.2}a{RADIUS} {RADIUS} 0 0 1 -{RADIUS} {RADIUS}H{RADIUS}a{RADIUS} {RADIUS} 0 0 1 -{RADIUS} -{RADIUS}Z" fill="{sheet}" stroke="{frame}"/>
"#,
        bottom = height - RADIUS,
    );
    for (index, colour) in ["#ff5f57", "#febc2e", "#28c840"].iter().enumerate() {
        let _ = writeln!(
            out,
            r#"<circle cx="{}" cy="{}" r="5.5" fill="{colour}"/>"#,
            18 + 19 * index,
            BAR / 2.0
        );
    }
    let _ = writeln!(
        out,
        r#"<text x="{:.2}" y="{:.2}" text-anchor="middle" font-family="{FONT}" font-size="12" fill="{}">{}</text>"#,
        width / 2.0,
        BAR / 2.0 + 4.0,
        hex(palette.title),
        escape(title)
    );
    let _ = writeln!(
        out,
        r#"<g font-family="{FONT}" font-size="{SIZE}" xml:space="preserve">"#
    );
}

/// Returns the runs of a row. Wide characters end a run, so that a font's idea of their width shifts nothing else.
fn runs(screen: &ScreenSnapshot, row: u16) -> Vec<StyledRun> {
    let mut runs: Vec<StyledRun> = Vec::new();
    let mut after_wide = false;
    for column in 0..screen.size().0 {
        let style = screen.style(column, row);
        let Some(symbol) = screen.symbol(column, row) else {
            if let Some(run) = runs.last_mut() {
                run.cells += 1;
            }
            after_wide = true;
            continue;
        };
        match runs.last_mut() {
            Some(run) if run.style == style && !after_wide => {
                run.cells += 1;
                run.text += symbol;
            }
            _ => runs.push(StyledRun {
                column,
                cells: 1,
                style,
                text: symbol.to_owned(),
            }),
        }
        after_wide = false;
    }
    runs
}

/// Returns text and background colour of a style, with reversed and dim applied.
fn colours(style: CellStyle, palette: &TerminalPalette) -> (Rgb, Rgb) {
    let mut ink = palette.rgb(style.foreground, palette.foreground);
    let mut sheet = palette.rgb(style.background, palette.background);
    if style.inverse {
        std::mem::swap(&mut ink, &mut sheet);
    }
    if style.dim {
        ink = between(ink, sheet);
    }
    (ink, sheet)
}

/// Draws the background of a run: whole pixels high, so that rows join without a seam.
fn background(out: &mut String, run: &StyledRun, row: u16, palette: &TerminalPalette) {
    let sheet = colours(run.style, palette).1;
    if sheet == palette.background {
        return;
    }
    let (x, top, bottom) = (left(run.column), top(row).round(), top(row + 1).round());
    let _ = writeln!(
        out,
        r#"<rect x="{x:.2}" y="{top}" width="{:.2}" height="{}" fill="{}"/>"#,
        f64::from(run.cells) * WIDTH,
        bottom - top,
        hex(sheet)
    );
}

fn text(out: &mut String, run: &StyledRun, row: u16, palette: &TerminalPalette) {
    let shown = run.text.trim_end();
    let blanks = shown.len() - shown.trim_start().len();
    if shown.trim_start().is_empty() && !run.style.underline {
        return;
    }
    // Leading and trailing blanks are omitted unless underlined.
    let (shown, skipped) = match run.style.underline {
        true => (run.text.as_str(), 0),
        false => (&shown[blanks..], shown[..blanks].chars().count()),
    };
    let x = left(run.column) + skipped as f64 * WIDTH;
    let y = top(row) + ASCENT;
    let ink = hex(colours(run.style, palette).0);
    let cells = f64::from(run.cells) - skipped as f64 - trailing(&run.text, run.style);
    let length = cells * WIDTH;
    let _ = writeln!(
        out,
        r#"<text x="{x:.2}" y="{y:.2}" textLength="{length:.2}" fill="{ink}"{}>{}</text>"#,
        attributes(run.style),
        escape(shown)
    );
}

/// Returns the number of cells omitted at the end.
fn trailing(text: &str, style: CellStyle) -> f64 {
    let blanks = text.len() - text.trim_end().len();
    if style.underline { 0.0 } else { blanks as f64 }
}

fn attributes(style: CellStyle) -> String {
    let known = [
        (style.bold, r#" font-weight="bold""#),
        (style.italic, r#" font-style="italic""#),
        (style.underline, r#" text-decoration="underline""#),
    ];
    known
        .iter()
        .filter(|(on, _)| *on)
        .map(|(_, text)| *text)
        .collect()
}

fn left(column: u16) -> f64 {
    MARGIN + f64::from(column) * WIDTH
}

fn top(row: u16) -> f64 {
    BAR + MARGIN + f64::from(row) * HEIGHT
}

/// Escapes text. Uses non-breaking spaces, since not every browser preserves runs of plain ones.
pub fn escape(text: &str) -> String {
    text.replace(' ', "\u{a0}")
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
