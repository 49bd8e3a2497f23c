//! The text panes: gutter, lines, folds, and the rules of the cuts.
//!
//! Only rows on screen are read, and only as much of a line as can show. The gutter has a mark (the digit of a candidate, `a` for
//! an alternative, the cursor), a space (or the bar of a block inside, the cursor beside a digit, `!` for a title above the
//! body), the line number in four
//! columns (five in books of 10,000 lines), and the shading.

use ratatui::layout::Rect;
use ratatui::style::Style;

use super::canvas::{Canvas, fit};
use super::theme::ThemeRole;
use crate::alerts::beyond_pane;
use crate::decision::holds;
use crate::dispute::numbers_in_words;
use crate::layout::{gutter, number_columns};
use crate::title_lines::title_lines_above;
use crate::{BookPage, BookState, PaneRow, Session, presenter};
use endpaper_detect::{Cuts, End, InsideBlock};
use endpaper_text::wording::thousands;

/// Maximum number of lines of a fold that are read for its shading.
const FOLD_SAMPLE: u32 = 400;

/// Draws a pane.
pub fn draw(session: &Session, canvas: &mut Canvas<'_>, end: End, area: Rect) {
    let Some(book) = &session.doc.open else {
        return;
    };
    let pane = PaneView::new(session, book, end, area);
    for (offset, index) in presenter::visible(session, end).enumerate() {
        let Some(&row) = session.doc.rows.get(index) else {
            break;
        };
        let y = area.y.saturating_add(offset as u16);
        pane.row(canvas, y, row, index);
    }
    pane.beyond(canvas, end);
}

/// A pane with the data that all its rows share.
struct PaneView<'a> {
    session: &'a Session,
    page: &'a BookPage,
    book: &'a BookState,
    area: Rect,
    active: bool,
    cursor: usize,
    digits: Vec<u32>,
    alternatives: Vec<u32>,
    /// Blocks proposed as boilerplate inside the body.
    proposed: Vec<InsideBlock>,
    /// Lines just above the body that read like its title or its author.
    titles: Vec<u32>,
    /// First line of the body and first line after it.
    body: (u32, u32),
    /// Width of the line number.
    number: u16,
    /// Columns left of the text.
    gutter: u16,
}

impl<'a> PaneView<'a> {
    /// The view of one end of a book.
    fn new(session: &'a Session, book: &'a BookState, end: End, area: Rect) -> PaneView<'a> {
        let page = &book.page;
        let cuts = book.decision.cuts;
        let start = page.cut_position(cuts, End::Start);
        let is_active = session.screen.view_options.whole_text || session.doc.end == end;
        PaneView {
            session,
            page,
            book,
            area,
            active: is_active,
            cursor: session.pane(end).cursor,
            // Digits move the cut of the active end: in the other pane they would mislead.
            digits: match is_active {
                true => session.doc.digit_positions(),
                false => Vec::new(),
            },
            alternatives: alternatives(book),
            proposed: book.proposed_inside().copied().collect(),
            titles: session
                .entry()
                .map_or_else(Vec::new, |entry| title_lines_above(book, entry)),
            body: (start, page.cut_position(cuts, End::End)),
            number: number_columns(page.lines()),
            gutter: gutter(page.lines()),
        }
    }

    /// Draws a row of the pane.
    fn row(&self, canvas: &mut Canvas<'_>, y: u16, row: PaneRow, index: usize) {
        let here = index == self.cursor;
        match row {
            PaneRow::Line(line) => self.line(canvas, y, line),
            // A single blank line is left empty.
            PaneRow::Blanks(_, 1) => {}
            PaneRow::Blanks(_, count) => {
                let dot = canvas.glyphs().dot;
                self.note(
                    canvas,
                    y,
                    &format!("{dot}{} blank{dot}", thousands(count as usize)),
                );
            }
            PaneRow::Fold(first, last) => self.fold(canvas, y, first, last),
            PaneRow::Rule(end, place) => self.rule(canvas, y, end, place),
            PaneRow::OpinionRule(end, place) => {
                let style = canvas.style(ThemeRole::Ghost);
                let dashed = canvas.glyphs().dashed;
                let label = self.opinion_label(end, place);
                self.labelled(canvas, y, dashed, &label, style);
            }
            PaneRow::ProposedRule(..) => {
                let style = canvas.style(ThemeRole::Ghost);
                let dashed = canvas.glyphs().dashed;
                self.labelled(canvas, y, dashed, "detector had it here", style);
            }
        }
        if here {
            self.cursor(canvas, y, row);
        }
    }

    /// Draws one line of the book.
    fn line(&self, canvas: &mut Canvas<'_>, y: u16, line: u32) {
        let x = self.area.x;
        let by_grams = self.session.screen.view_options.grams;
        let shade = match by_grams {
            true => super::grams::step(self.page, line),
            false => self.page.shade(line),
        };
        let inside = self.is_inside(line);
        // With n-grams, only the covered characters are shaded.
        let background = canvas.patch(ThemeRole::shade(if by_grams { 0 } else { shade }));
        let background = Style {
            bg: background.bg,
            ..Style::default()
        };
        let shading_at = 2 + self.number;
        let whole = self.right_of(x + shading_at, y);
        canvas.tint(whole, background);
        self.mark(canvas, y, line);
        self.number(canvas, y, line);
        let glyph = canvas.glyphs().shades[usize::from(shade.min(5))];
        let shading = canvas.style(ThemeRole::shade(shade));
        canvas.put_fitted(
            x + shading_at,
            y,
            self.room(shading_at).min(1),
            glyph,
            shading,
        );
        if inside {
            let bar = canvas.style(ThemeRole::Title);
            canvas.put_fitted(x + 1, y, self.room(1).min(1), canvas.glyphs().bar, bar);
        } else if self.titles.contains(&line) {
            let warning = canvas.style(ThemeRole::Warning);
            canvas.put_fitted(x + 1, y, self.room(1).min(1), "!", warning);
        }
        let style = self.text_style(canvas, line, inside).patch(background);
        self.text(canvas, y, line, style);
    }

    /// The style of a line: in the body, outside, or boilerplate inside.
    fn text_style(&self, canvas: &Canvas<'_>, line: u32, inside: bool) -> Style {
        let in_body = (self.body.0..self.body.1).contains(&line);
        match (in_body, inside) {
            (_, true) => canvas.style(ThemeRole::Inside),
            (true, _) => canvas.style(ThemeRole::Text),
            _ if self.titles.contains(&line) => {
                let text = canvas.style(ThemeRole::Text);
                text.add_modifier(ratatui::style::Modifier::BOLD)
            }
            (false, _) => canvas.style(ThemeRole::Outside),
        }
    }

    /// Draws the text of a line, as far as it fits.
    fn text(&self, canvas: &mut Canvas<'_>, y: u16, line: u32, style: Style) {
        let width = self.room(self.gutter);
        let x = self.area.x + self.gutter;
        // Eight bytes per column suffice for all but stacks of combining marks: an Arabic letter with its doubling and its
        // vowel has six.
        let limit = usize::from(width) * 8 + 64;
        let raw = self.page.text.display(line, limit);
        let longer = self.page.text.raw(line).len() > limit;
        let shown = if longer {
            let whole = raw.trim_end_matches('\u{FFFD}');
            fit(whole, width, canvas.glyphs().more).into_owned()
        } else {
            fit(&raw, width, canvas.glyphs().more).into_owned()
        };
        let end = canvas.put_fitted(x, y, width, &shown, style);
        if longer && end < x + width {
            canvas.put_fitted(end, y, 1, canvas.glyphs().more, style);
        }
        if self.session.screen.view_options.grams {
            let row = self.right_of(x, y);
            super::grams::shade(canvas, self.page, line, &shown, row, limit);
        }
        self.matches(canvas, y, line, &shown);
    }

    /// Styles the matches of the search in a line.
    fn matches(&self, canvas: &mut Canvas<'_>, y: u16, line: u32, shown: &str) {
        let Some(search) = &self.session.doc.search else {
            return;
        };
        if search.lines.binary_search(&line).is_err() {
            return;
        }
        let look = canvas.patch(ThemeRole::Match);
        for range in search.matches(shown) {
            let (Some(before), Some(found)) = (shown.get(..range.start), shown.get(range)) else {
                continue;
            };
            let x = super::canvas::columns(before).saturating_add(self.area.x + self.gutter);
            let width = super::canvas::columns(found);
            let area = Rect {
                x,
                y,
                width: width.min(self.area.right().saturating_sub(x)),
                height: 1,
            };
            canvas.tint(area, look);
        }
    }

    /// Draws the first column: digit, alternative, or the mark of a block proposed as boilerplate inside.
    fn mark(&self, canvas: &mut Canvas<'_>, y: u16, line: u32) {
        let (text, role) = if let Some(digit) = self.digit(line) {
            (digit, ThemeRole::Digit)
        } else if self.alternatives.contains(&line) {
            ("a".to_owned(), ThemeRole::Alternative)
        } else if self.proposed.iter().any(|block| holds(block, line)) {
            ("?".to_owned(), ThemeRole::Alternative)
        } else {
            return;
        };
        let style = canvas.style(role);
        canvas.put_fitted(self.area.x, y, self.room(0).min(1), &text, style);
    }

    /// The digit that puts the cut at the line: of an opinion or a candidate.
    fn digit(&self, line: u32) -> Option<String> {
        if let Some(opinion) = self.book.opinion_digit(line) {
            return Some(opinion.to_string());
        }
        let at = self.digits.iter().position(|&place| place == line)?;
        Some((at + 1).to_string())
    }

    /// Draws the number of a line.
    fn number(&self, canvas: &mut Canvas<'_>, y: u16, line: u32) {
        // The last five digits distinguish the lines of one screen.
        let text = match self.number {
            4 => format!("{line:>4}"),
            _ if line > 99_999 => format!("{:05}", line % 100_000),
            _ => format!("{line:>5}"),
        };
        let style = canvas.style(ThemeRole::Number);
        let width = self.room(2).min(self.number);
        canvas.put_fitted(self.area.x + 2, y, width, &text, style);
    }

    /// Draws a row that represents hidden lines.
    fn note(&self, canvas: &mut Canvas<'_>, y: u16, text: &str) {
        let style = canvas.style(ThemeRole::Fold);
        canvas.put(
            self.area.x + self.gutter,
            y,
            self.room(self.gutter),
            text,
            style,
        );
    }

    /// Draws a folded block, with the shade of its most frequent hidden line.
    fn fold(&self, canvas: &mut Canvas<'_>, y: u16, first: u32, last: u32) {
        let hidden = first..=last.min(first.saturating_add(FOLD_SAMPLE));
        let step = |line| match self.session.screen.view_options.grams {
            true => super::grams::step(self.page, line),
            false => self.page.shade(line),
        };
        let shade = hidden.map(step).max().unwrap_or(0);
        let style = canvas.style(ThemeRole::shade(shade));
        let glyph = canvas.glyphs().shades[usize::from(shade.min(5))];
        let at = 2 + self.number;
        canvas.put_fitted(self.area.x + at, y, self.room(at).min(1), glyph, style);
        let more = canvas.glyphs().more;
        let count = thousands((last + 1).saturating_sub(first) as usize);
        self.note(canvas, y, &format!("{more} {count} lines {more}"));
    }

    /// Draws the rule of a current cut.
    fn rule(&self, canvas: &mut Canvas<'_>, y: u16, end: End, place: u32) {
        let cuts = self.book.decision.cuts;
        let label = match (end, cuts.epilogue_start) {
            (End::Start, _) if cuts.preamble_end == 0 => "no preamble".to_owned(),
            (End::Start, _) => format!("preamble ends {}", cuts.preamble_end),
            (End::End, None) => "no epilogue".to_owned(),
            (End::End, Some(start)) => format!("epilogue starts {start}"),
        };
        let opinions = self.book.opinions_at(end, place);
        let label = match opinions.is_empty() {
            true => label,
            false => format!("{label} · {}", numbers_in_words(&opinions)),
        };
        let style = canvas.style(ThemeRole::Cut);
        let rule = canvas.glyphs().rule;
        self.labelled(canvas, y, rule, &label, style);
        // A cut position after the last line has no row of its own.
        if place > self.page.lines() && end == self.session.doc.end {
            self.mark(canvas, y, place);
        }
    }

    /// What the opinions that cut here say: `opinion 1: preamble ends 258`.
    fn opinion_label(&self, end: End, place: u32) -> String {
        let who = numbers_in_words(&self.book.opinions_at(end, place));
        let what = match end {
            End::Start if place <= 1 => "no preamble".to_owned(),
            End::Start => format!("body starts {place}"),
            End::End if place > self.page.lines() => "no epilogue".to_owned(),
            End::End => format!("epilogue starts {place}"),
        };
        format!("{who}: {what}")
    }

    /// Draws a horizontal line with a label near its right end.
    fn labelled(&self, canvas: &mut Canvas<'_>, y: u16, glyph: &str, label: &str, style: Style) {
        let (x, width) = (self.area.x + 1, self.room(1));
        canvas.run(x, y, width, glyph, style);
        let words = format!(" {label} ");
        let right = self.area.right().saturating_sub(2);
        canvas.put_right(right, y, width.saturating_sub(2), &words, style);
    }

    /// Announces on the edge of the pane what contradicts the cut beyond it: `v credits at 263`.
    fn beyond(&self, canvas: &mut Canvas<'_>, end: End) {
        let Some(alert) = beyond_pane(self.session, end) else {
            return;
        };
        let (arrow, y) = match end {
            End::Start => (canvas.glyphs().down, self.area.bottom().saturating_sub(1)),
            End::End => (canvas.glyphs().up, self.area.y),
        };
        let words = format!(" {arrow} {} at {} ", alert.what, alert.line);
        let style = canvas.style(ThemeRole::Warning);
        canvas.put_right(self.area.right(), y, self.area.width, &words, style);
    }

    /// Styles the row of the cursor, and draws its mark.
    fn cursor(&self, canvas: &mut Canvas<'_>, y: u16, row: PaneRow) {
        let role = if self.active {
            ThemeRole::Cursor
        } else {
            ThemeRole::CursorIdle
        };
        let area = self.right_of(self.area.x, y);
        canvas.tint(area, canvas.patch(role));
        if !self.active {
            return;
        }
        let taken = matches!(row, PaneRow::Line(line) if self.digit(line).is_some() || self.alternatives.contains(&line));
        let style = canvas
            .style(ThemeRole::TitleActive)
            .patch(canvas.patch(role));
        // The mark never hides a digit, but moves beside it.
        let at = u16::from(taken);
        let here = canvas.glyphs().here;
        canvas.put_fitted(self.area.x + at, y, self.room(at).min(1), here, style);
    }

    /// Whether a line is marked as boilerplate inside the body.
    fn is_inside(&self, line: u32) -> bool {
        let marked = &self.book.decision.inside;
        marked
            .iter()
            .any(|block| (block.first..=block.last).contains(&line))
    }

    /// Number of columns from an offset on.
    fn room(&self, offset: u16) -> u16 {
        self.area.width.saturating_sub(offset)
    }

    /// The rest of a row from a column on.
    fn right_of(&self, x: u16, y: u16) -> Rect {
        Rect {
            x,
            y,
            width: self.area.right().saturating_sub(x),
            height: 1,
        }
    }
}

/// The lines before which the alternatives would cut.
fn alternatives(book: &BookState) -> Vec<u32> {
    let place = |alternative: &endpaper_truth::Alternative| {
        let cuts = match alternative.end {
            End::Start => Cuts {
                preamble_end: alternative.line,
                epilogue_start: None,
            },
            End::End => Cuts {
                preamble_end: 0,
                epilogue_start: Some(alternative.line),
            },
        };
        book.page.cut_position(cuts, alternative.end)
    };
    book.decision.alternatives.iter().map(place).collect()
}
