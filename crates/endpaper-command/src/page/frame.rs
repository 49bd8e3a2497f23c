//! The frame of a page: head, style and container.

use std::fmt::Write as _;

use anyhow::Result;
use plotters::style::RGBColor;

use super::colours::ThemeColours;
use super::escape::escaped;

/// CSS variables and the theme roles that define them.
const WORDS: [(&str, &str); 14] = [
    ("ink", "text"),
    ("soft", "outside"),
    ("faint", "number"),
    ("hair", "line"),
    ("cut", "cut"),
    ("ghost", "ghost"),
    ("lost", "error"),
    ("left", "inside"),
    ("heat0", "heat0"),
    ("heat1", "heat1"),
    ("heat2", "heat2"),
    ("heat3", "heat3"),
    ("heat4", "heat4"),
    ("heat5", "heat5"),
];

const STYLE: &str = include_str!("style.css");

/// The style sheet of a page.
pub struct PageStyle {
    style: String,
}

impl PageStyle {
    /// A style sheet from the themes. `pictures` pairs colours of light pictures with their counterparts on a dark page.
    ///
    /// # Errors
    ///
    /// A theme lacks one of the colours; tests check that none does.
    pub fn new(pictures: &[(RGBColor, RGBColor)]) -> Result<PageStyle> {
        let mut dark = variables(&ThemeColours::dark()?)?;
        for &(from, to) in pictures {
            for what in ["fill", "stroke"] {
                let (from, to) = (hex(from), hex(to));
                let _ = write!(dark, "}}svg [{what}=\"{from}\" i]{{{what}:{to}");
            }
        }
        Ok(PageStyle {
            style: format!(
                ":root{{color-scheme:light dark;{}}}\n\
                @media screen and (prefers-color-scheme:dark){{:root{{{dark}}}}}\n{STYLE}",
                variables(&ThemeColours::light()?)?,
            ),
        })
    }

    /// Appends rules of one page.
    pub fn with(mut self, style: &str) -> PageStyle {
        self.style.push_str(style);
        self
    }
}

/// The CSS variables of a theme.
fn variables(colours: &ThemeColours) -> Result<String> {
    let mut out = String::new();
    for (name, role) in WORDS {
        let _ = write!(out, "--{name}:{};", hex(colours.fg(role)?));
    }
    let _ = write!(
        out,
        "--paper:{};--raised:{}",
        hex(colours.bg("text")?),
        hex(colours.bg("header")?)
    );
    Ok(out)
}

fn hex(RGBColor(red, green, blue): RGBColor) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// Returns a whole page. The title is escaped; `body` is markup.
pub fn framed(title: &str, look: &PageStyle, body: &str) -> String {
    let (start, end) = frame(title, look);
    start + body + end
}

/// Returns what stands before and after the body of a page, for one that is written in pieces. The title is escaped.
pub fn frame(title: &str, look: &PageStyle) -> (String, &'static str) {
    let start = format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"/>\
        <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/><title>{}</title>\n\
        <style>\n{}</style></head><body>\n",
        escaped(title),
        look.style,
    );
    (start, "</body></html>\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_has_both_looks_and_no_markup_in_its_title() {
        let pictures = [(RGBColor(1, 2, 3), RGBColor(250, 251, 252))];
        let page = framed("a < b", &PageStyle::new(&pictures).unwrap(), "<p>x</p>\n");
        assert!(page.contains("<title>a &lt; b</title>"));
        assert!(page.contains("--paper:#fbfaf6"));
        assert!(page.contains("svg [fill=\"#010203\" i]{fill:#fafbfc}"));
        let braces = |brace| page.matches(brace).count();
        assert_eq!(braces('{'), braces('}'));
        assert!(page.ends_with("<body>\n<p>x</p>\n</body></html>\n"));
    }
}
