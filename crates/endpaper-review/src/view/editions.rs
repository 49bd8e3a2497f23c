//! Another edition next to the open book: in two columns if they fit, otherwise as a unified diff.
//!
//! Every line has a mark at its left, so that no meaning depends on colour: `-` for lines only in the open book, `+` for lines only
//! in the other edition, `~` for the same words in different lines.

use ratatui::layout::Rect;
use ratatui::style::Style;

use super::canvas::{Canvas, columns};
use super::theme::ThemeRole;
use crate::editions::{
    EditionAnswer, EditionComparison, EditionRow, EditionView, ShownEdition, StretchKind, title,
    visible_edition,
};
use crate::layout::{GUTTER, gutter, number_columns};
use crate::wrap::wrap;
use crate::{BookPage, Session};
use endpaper_detect::End;
use endpaper_text::wording::thousands;

/// Draws the comparison.
pub fn draw(session: &Session, canvas: &mut Canvas<'_>, area: Rect, view: &EditionView) {
    let text = canvas.style(ThemeRole::Text);
    canvas.fill(area, text);
    if area.height == 0 {
        return;
    }
    heading(session, canvas, Rect { height: 1, ..area }, view);
    let rest = Rect {
        y: area.y + 1,
        height: area.height - 1,
        ..area
    };
    let said = match &view.answer {
        EditionAnswer::Reading => "reading the other edition".to_owned(),
        EditionAnswer::Failed(why) => format!("this edition cannot be shown: {why}"),
        EditionAnswer::Aligned(edition) => {
            if let Some(shown) = visible_edition(session, view) {
                EditionPicture::new(session, edition, &shown, rest).draw(canvas, &shown);
            }
            return;
        }
    };
    let role = match view.answer {
        EditionAnswer::Failed(_) => ThemeRole::Error,
        _ => ThemeRole::Title,
    };
    let (style, width) = (canvas.style(role), rest.width.saturating_sub(4));
    for (y, row) in (rest.y + 1..rest.bottom()).zip(wrap(&said, width)) {
        canvas.put(rest.x + 2, y, width, &row, style);
    }
}

/// Draws the end, the name of the edition, and how the two differ.
fn heading(session: &Session, canvas: &mut Canvas<'_>, row: Rect, view: &EditionView) {
    let line = canvas.style(ThemeRole::Line);
    let rule = canvas.glyphs().rule;
    canvas.run(row.x, row.y, row.width, rule, line);
    let end = match session.doc.end {
        End::Start => "HEAD",
        End::End => "TAIL",
    };
    let here = canvas.glyphs().here;
    let style = canvas.style(ThemeRole::TitleActive);
    let x = canvas.put(
        row.x,
        row.y,
        row.width,
        &format!("{here}{end} beside "),
        style,
    );
    let room = row.right().saturating_sub(x);
    let [full, brief] = title(session, view);
    let words = if columns(&full) < room { full } else { brief };
    canvas.put(
        x,
        row.y,
        room,
        &format!("{words} "),
        canvas.style(ThemeRole::Text),
    );
}

/// The data that all rows share.
struct EditionPicture<'a> {
    comparison: &'a EditionComparison,
    end: End,
    digits: &'a [u32],
    /// The areas of the open book and, if it has its own column, of the other edition.
    columns: (Rect, Option<Rect>),
}

impl<'a> EditionPicture<'a> {
    /// Divides `area` into two columns if `shown` is side by side; otherwise one column takes all of it.
    fn new(
        session: &Session,
        comparison: &'a EditionComparison,
        shown: &'a ShownEdition,
        area: Rect,
    ) -> EditionPicture<'a> {
        let half = area.width.saturating_sub(1) / 2;
        let columns = match shown.is_side_by_side {
            false => (area, None),
            true => (
                Rect {
                    width: half,
                    ..area
                },
                Some(Rect {
                    x: area.x + half + 1,
                    width: area.width - half - 1,
                    ..area
                }),
            ),
        };
        EditionPicture {
            comparison,
            end: session.doc.end,
            digits: &shown.digit_positions,
            columns,
        }
    }

    /// Draws the rows.
    fn draw(&self, canvas: &mut Canvas<'_>, shown: &ShownEdition) {
        let (ours, theirs) = self.columns;
        if let Some(theirs) = theirs {
            canvas.upright(theirs.x - 1, theirs.top(), theirs.bottom());
        }
        let rows = shown.rows.iter().skip(shown.top);
        for (y, row) in (ours.y..ours.bottom()).zip(rows) {
            self.row(canvas, y, *row);
        }
    }

    /// Draws one row.
    fn row(&self, canvas: &mut Canvas<'_>, y: u16, row: EditionRow) {
        let (ours, theirs) = self.columns;
        let at = |area: Rect| Rect {
            y,
            height: 1,
            ..area
        };
        match row {
            EditionRow::Line { kind, here, there } => match (theirs, here) {
                (Some(theirs), _) => {
                    self.line(canvas, at(ours), here, self.side(kind, true));
                    self.line(canvas, at(theirs), there, self.side(kind, false));
                }
                (None, Some(_)) => self.line(canvas, at(ours), here, self.side(kind, true)),
                (None, None) => self.line(canvas, at(ours), there, self.side(kind, false)),
            },
            EditionRow::Blanks(here, there) => match theirs {
                Some(theirs) => {
                    blanks(canvas, at(ours), here);
                    blanks(canvas, at(theirs), there);
                }
                None => blanks(canvas, at(ours), here.max(there)),
            },
            EditionRow::Fold {
                is_shared: alike,
                count,
            } => {
                let more = canvas.glyphs().more;
                let alike = if alike { "alike" } else { "not alike" };
                let text = format!("{more} {} lines {alike} {more}", thousands(count));
                note(canvas, at(ours), &text);
                if let Some(theirs) = theirs {
                    note(canvas, at(theirs), more);
                }
            }
            EditionRow::Cut { here, there } => {
                let other = match self.comparison.verdict {
                    Some(_) => "other edition, decided",
                    None => "other edition, proposed",
                };
                let beside = theirs.is_some();
                if here {
                    let both = format!("this book; {other}");
                    let whose = if there && !beside { &both } else { "this book" };
                    let rule = (canvas.glyphs().rule, whose, ThemeRole::Cut);
                    self.rule(canvas, at(ours), rule);
                }
                if there && (beside || !here) {
                    let rule = (canvas.glyphs().dashed, other, ThemeRole::Ghost);
                    self.rule(canvas, at(theirs.unwrap_or(ours)), rule);
                }
            }
        }
    }

    /// The page of a column, whether it is the open book's, and the marks of its lines.
    fn side(&self, kind: StretchKind, ours: bool) -> EditionSide<'a> {
        let page: &BookPage = match ours {
            true => &self.comparison.here,
            false => &self.comparison.there,
        };
        let (mark, role) = match (kind, ours) {
            (StretchKind::Same, _) => (" ", None),
            (StretchKind::Reflowed, _) => ("~", None),
            (_, true) => ("-", Some(ThemeRole::Warning)),
            (_, false) => ("+", Some(ThemeRole::Good)),
        };
        EditionSide {
            page,
            ours,
            mark,
            role,
        }
    }

    /// Draws one line with its gutter: digit, number, mark.
    fn line(&self, canvas: &mut Canvas<'_>, row: Rect, line: Option<u32>, side: EditionSide<'_>) {
        let Some(line) = line else { return };
        let room = |offset: u16| row.width.saturating_sub(offset);
        let digit = self.digits.iter().position(|&place| place == line);
        if let Some(digit) = digit.filter(|_| side.ours) {
            let style = canvas.style(ThemeRole::Digit);
            canvas.put_fitted(
                row.x,
                row.y,
                room(0).min(1),
                &(digit + 1).to_string(),
                style,
            );
        }
        // As in the panes.
        let lines = side.page.lines();
        let width = number_columns(lines);
        let number = format!("{:>w$}", line % 100_000, w = usize::from(width));
        let (mark, gutter) = (2 + width, gutter(lines));
        let style = canvas.style(ThemeRole::Number);
        canvas.put_fitted(row.x + 2, row.y, room(2), &number, style);
        let base = match side.role {
            Some(role) => canvas.style(role),
            None => canvas.style(ThemeRole::Text),
        };
        canvas.put_fitted(row.x + mark, row.y, room(mark).min(1), side.mark, base);
        // Four bytes per column suffice for all but stacks of combining marks.
        let limit = usize::from(room(gutter)) * 4 + 64;
        let text = side.page.text.display(line, limit);
        canvas.put(row.x + gutter, row.y, room(gutter), &text, base);
    }

    /// Draws a rule with a label near its right end.
    fn rule(
        &self,
        canvas: &mut Canvas<'_>,
        row: Rect,
        (glyph, whose, role): (&str, &str, ThemeRole),
    ) {
        let style = canvas.style(role);
        let width = row.width.saturating_sub(1);
        canvas.run(row.x + 1, row.y, width, glyph, style);
        let what = match self.end {
            End::Start => "body starts",
            End::End => "body ends",
        };
        let words = format!(" {what}: {whose} ");
        let right = row.right().saturating_sub(2);
        canvas.put_right(right, row.y, width.saturating_sub(2), &words, style);
    }
}

/// How a line of one of the editions is drawn: from which page, and with which mark and colour.
struct EditionSide<'a> {
    page: &'a BookPage,
    ours: bool,
    mark: &'static str,
    role: Option<ThemeRole>,
}

/// A single blank line is left empty.
fn blanks(canvas: &mut Canvas<'_>, row: Rect, count: u32) {
    if count > 1 {
        let dot = canvas.glyphs().dot;
        note(
            canvas,
            row,
            &format!("{dot}{} blank{dot}", thousands(count as usize)),
        );
    }
}

/// Draws a text in place of lines, such as the number of folded ones.
fn note(canvas: &mut Canvas<'_>, row: Rect, text: &str) {
    let style: Style = canvas.style(ThemeRole::Fold);
    let width = row.width.saturating_sub(GUTTER);
    canvas.put(row.x + GUTTER, row.y, width, text, style);
}
