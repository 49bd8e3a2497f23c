//! Snapshots of a terminal: its characters, and the style of every cell.

use std::collections::BTreeMap;
use std::fmt;

#[derive(Clone)]
pub struct ScreenSnapshot(vt100::Screen);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CellStyle {
    pub foreground: vt100::Color,
    pub background: vt100::Color,
    pub bold: bool,
    pub dim: bool,
    pub italic: bool,
    pub underline: bool,
    pub inverse: bool,
}

impl ScreenSnapshot {
    pub fn new(screen: vt100::Screen) -> ScreenSnapshot {
        ScreenSnapshot(screen)
    }

    /// Columns and rows.
    pub fn size(&self) -> (u16, u16) {
        let (rows, columns) = self.0.size();
        (columns.get(), rows.get())
    }

    /// Column and row of the cursor, from 0.
    pub fn cursor(&self) -> (u16, u16) {
        let (row, column) = self.0.cursor_position();
        (column, row)
    }

    pub fn cursor_hidden(&self) -> bool {
        self.0.hide_cursor()
    }

    /// Whether the program is on the alternate screen, which it must leave when it quits.
    pub fn is_alternate(&self) -> bool {
        self.0.alternate_screen()
    }

    /// All rows, without trailing blanks, each with a newline.
    pub fn text(&self) -> String {
        let rows = self.size().1;
        (0..rows).map(|row| self.row(row) + "\n").collect()
    }

    /// One row without trailing blanks.
    pub fn row(&self, row: u16) -> String {
        let cells = (0..self.size().0).filter_map(|column| self.symbol(column, row));
        cells.collect::<String>().trim_end().to_owned()
    }

    pub fn contains(&self, text: &str) -> bool {
        self.text().contains(text)
    }

    /// The text of a cell: a blank if empty, `None` after a wide character or outside.
    pub fn symbol(&self, column: u16, row: u16) -> Option<&str> {
        let cell = self.0.cell(row, column)?;
        match (cell.is_wide_continuation(), cell.has_contents()) {
            (true, _) => None,
            (false, true) => Some(cell.contents()),
            (false, false) => Some(" "),
        }
    }

    /// The style of a cell; the default outside the screen.
    pub fn style(&self, column: u16, row: u16) -> CellStyle {
        let Some(cell) = self.0.cell(row, column) else {
            return CellStyle::default();
        };
        CellStyle {
            foreground: cell.fgcolor(),
            background: cell.bgcolor(),
            bold: cell.bold(),
            dim: cell.dim(),
            italic: cell.italic(),
            underline: cell.underline(),
            inverse: cell.inverse(),
        }
    }

    /// One letter per cell: `.` for the default style, then `a`, `b`, … in order of appearance, followed by the meaning of each letter.
    ///
    /// Together with [`ScreenSnapshot::text`] this describes the whole screen.
    pub fn style_plane(&self) -> String {
        let (columns, rows) = self.size();
        let mut letters = StyleLetters::default();
        let mut plane = String::new();
        for row in 0..rows {
            let cells = (0..columns).map(|column| letters.of(self.style(column, row)));
            let line: String = cells.collect();
            plane += line.trim_end_matches('.');
            plane.push('\n');
        }
        plane + &letters.legend()
    }
}

impl fmt::Display for ScreenSnapshot {
    /// Draws the rows in a frame, for messages of failing tests.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (columns, rows) = self.size();
        let rule = "─".repeat(usize::from(columns));
        writeln!(f, "┌{rule}┐")?;
        for row in 0..rows {
            writeln!(f, "│{:width$}│", self.row(row), width = columns.into())?;
        }
        write!(f, "└{rule}┘")
    }
}

impl Default for CellStyle {
    fn default() -> CellStyle {
        CellStyle {
            foreground: vt100::Color::Default,
            background: vt100::Color::Default,
            bold: false,
            dim: false,
            italic: false,
            underline: false,
            inverse: false,
        }
    }
}

impl fmt::Display for CellStyle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} on {}", name(self.foreground), name(self.background))?;
        let attributes = [
            (self.bold, " bold"),
            (self.dim, " dim"),
            (self.italic, " italic"),
            (self.underline, " underline"),
            (self.inverse, " inverse"),
        ];
        for (_, word) in attributes.iter().filter(|(on, _)| *on) {
            f.write_str(word)?;
        }
        Ok(())
    }
}

fn name(colour: vt100::Color) -> String {
    match colour {
        vt100::Color::Default => "default".to_owned(),
        vt100::Color::Idx(index) => index.to_string(),
        vt100::Color::Rgb(red, green, blue) => format!("#{red:02x}{green:02x}{blue:02x}"),
    }
}

#[derive(Default)]
struct StyleLetters(BTreeMap<char, CellStyle>);

impl StyleLetters {
    fn of(&mut self, style: CellStyle) -> char {
        if style == CellStyle::default() {
            return '.';
        }
        if let Some((letter, _)) = self.0.iter().find(|(_, known)| **known == style) {
            return *letter;
        }
        let mut free = ('a'..='z').chain('A'..='Z').chain('0'..='9');
        match free.find(|letter| !self.0.contains_key(letter)) {
            Some(letter) => {
                self.0.insert(letter, style);
                letter
            }
            None => '?',
        }
    }

    fn legend(&self) -> String {
        let lines = self.0.iter();
        lines
            .map(|(letter, style)| format!("{letter} = {style}\n"))
            .collect()
    }
}
