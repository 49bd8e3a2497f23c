//! All marks of the screen that are not letters, in Unicode and in ASCII.
//!
//! Each is one column wide. Text of books is never translated.

use endpaper_text::config::MarkStyle;

/// A set of marks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GlyphSet {
    /// Steps of shading, from rare to very frequent.
    pub shades: [&'static str; 6],
    /// The upper and the lower half of a cell.
    pub halves: [&'static str; 2],
    /// Above the chosen column of the heat map, and before what is below a pane.
    pub down: &'static str,
    /// Before what is above a pane.
    pub up: &'static str,
    /// The rule of a cut.
    pub rule: &'static str,
    /// The rule of a proposed cut that was moved, and the line between panes.
    pub dashed: &'static str,
    /// A vertical line between columns.
    pub upright: &'static str,
    /// The row of the cursor, the active pane, the chosen item.
    pub here: &'static str,
    /// Text was truncated.
    pub more: &'static str,
    /// Around the number of blank lines, and between facts.
    pub dot: &'static str,
    /// A block marked as boilerplate inside the body.
    pub bar: &'static str,
    /// Steps of doubt, from none to certain.
    pub doubt: [&'static str; 5],
    /// A notice of success.
    pub good: &'static str,
    /// A notice of failure.
    pub bad: &'static str,
    /// A marked word, and an unmarked one.
    pub marked: [&'static str; 2],
    /// Corners and sides of a box: top left, top right, bottom left, bottom right, across, down.
    pub corners: [&'static str; 6],
    /// Whether Unicode may be used.
    pub unicode: bool,
}

/// For terminals that show Unicode.
pub const UNICODE: GlyphSet = GlyphSet {
    shades: [" ", "·", "░", "▒", "▓", "█"],
    halves: ["▀", "▄"],
    down: "▼",
    up: "▲",
    rule: "─",
    dashed: "┄",
    upright: "│",
    here: "▸",
    more: "…",
    dot: "·",
    bar: "┃",
    doubt: ["○", "◔", "◑", "◕", "●"],
    good: "✓",
    bad: "✗",
    marked: ["■", "□"],
    corners: ["╭", "╮", "╰", "╯", "─", "│"],
    unicode: true,
};

/// For terminals that show only ASCII.
pub const ASCII: GlyphSet = GlyphSet {
    shades: [" ", ".", ":", "+", "*", "#"],
    halves: ["\"", "_"],
    down: "v",
    up: "^",
    rule: "-",
    dashed: "~",
    upright: "|",
    here: ">",
    more: "~",
    dot: ".",
    bar: "|",
    doubt: [".", "o", "O", "0", "@"],
    good: "+",
    bad: "x",
    marked: ["x", " "],
    corners: ["+", "+", "+", "+", "-", "|"],
    unicode: false,
};

impl GlyphSet {
    /// The set for a terminal: the user's setting, or else ASCII if the locale is not UTF-8 or `TERM` is `linux` or `dumb`.
    pub fn of(marks: MarkStyle, variable: impl Fn(&str) -> Option<String>) -> &'static GlyphSet {
        let set = |name: &str| variable(name).filter(|value| !value.is_empty());
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(&set);
        let utf8 = locale.is_some_and(|locale| {
            let locale = locale.to_lowercase();
            locale.contains("utf-8") || locale.contains("utf8")
        });
        let console = set("TERM").is_some_and(|term| term == "linux" || term == "dumb");
        // Windows has no locale variables; its terminals show Unicode.
        let unicode = match marks {
            MarkStyle::Auto => !console && (utf8 || cfg!(windows)),
            MarkStyle::Unicode => true,
            MarkStyle::Ascii => false,
        };
        if unicode { &UNICODE } else { &ASCII }
    }

    /// The mark of a doubt, 0 to 1.
    pub fn doubt(&self, doubt: f32) -> &'static str {
        self.doubt[doubt_step(doubt)]
    }
}

/// The step of a doubt, 0 to 4.
pub fn doubt_step(doubt: f32) -> usize {
    [0.05, 0.2, 0.45, 0.75]
        .iter()
        .filter(|&&bound| doubt >= bound)
        .count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::buffer::CellWidth;

    fn all(glyphs: &GlyphSet) -> Vec<&'static str> {
        let mut all = vec![
            glyphs.rule,
            glyphs.up,
            glyphs.down,
            glyphs.dashed,
            glyphs.upright,
            glyphs.here,
            glyphs.more,
            glyphs.dot,
            glyphs.bar,
            glyphs.good,
            glyphs.bad,
        ];
        all.extend(glyphs.shades);
        all.extend(glyphs.halves);
        all.extend(glyphs.doubt);
        all.extend(glyphs.marked);
        all.extend(glyphs.corners);
        all
    }

    #[test]
    fn every_mark_is_one_column_wide_and_ascii_is_ascii() {
        for glyph in all(&UNICODE).into_iter().chain(all(&ASCII)) {
            assert_eq!(glyph.cell_width(), 1, "{glyph:?}");
        }
        assert!(all(&ASCII).iter().all(|glyph| glyph.is_ascii()));
    }

    #[test]
    fn ascii_is_taken_where_the_terminal_shows_no_more() {
        let cases = [
            (MarkStyle::Auto, &[("LANG", "en_US.UTF-8")][..], true),
            (MarkStyle::Ascii, &[("LANG", "en_US.UTF-8")], false),
            (
                MarkStyle::Unicode,
                &[("LANG", "C"), ("TERM", "linux")],
                true,
            ),
            (MarkStyle::Auto, &[("LANG", "C")], cfg!(windows)),
            (MarkStyle::Auto, &[], cfg!(windows)),
            (
                MarkStyle::Auto,
                &[("LC_ALL", "C"), ("LANG", "de_DE.utf8")],
                cfg!(windows),
            ),
            (
                MarkStyle::Auto,
                &[("LANG", "C.UTF-8"), ("TERM", "linux")],
                false,
            ),
        ];
        for (marks, variables, unicode) in cases {
            let find = |name: &str| {
                let found = variables.iter().find(|(n, _)| *n == name);
                found.map(|(_, value)| (*value).to_owned())
            };
            assert_eq!(
                GlyphSet::of(marks, find).unicode,
                unicode,
                "{marks:?} {variables:?}"
            );
        }
    }
}
