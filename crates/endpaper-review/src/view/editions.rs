//! Another edition beside the open book: two columns where there is room, else one under the other as a unified diff.
//!
//! Every line has a mark left of it, which no colour replaces: `-` for what only the open book has, `+` for what only the
//! other edition has, `~` for the same words in other lines.

use ratatui::layout::Rect;
use ratatui::style::Style;

use super::canvas::{Canvas, columns};
use super::theme::Role;
use crate::editions::{Answer, Edition, Kind, Row, Shown, View, shown, title};
use crate::layout::GUTTER;
use crate::wrap::wrap;
use crate::{Page, Session};
use endpaper_detect::End;
use endpaper_text::words::thousands;

/// Draws the comparison over an area.
pub fn draw(session: &Session, canvas: &mut Canvas<'_>, area: Rect, view: &View) {
    let text = canvas.style(Role::Text);
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
        Answer::Reading => "reading the other edition".to_owned(),
        Answer::Failed(why) => format!("this edition cannot be shown: {why}"),
        Answer::Aligned(edition) => {
            if let Some(shown) = shown(session, view) {
                Picture::new(session, edition, &shown, rest).draw(canvas, &shown);
            }
            return;
        }
    };
    let role = match view.answer {
        Answer::Failed(_) => Role::Error,
        _ => Role::Title,
    };
    let (style, width) = (canvas.style(role), rest.width.saturating_sub(4));
    for (y, row) in (rest.y + 1..rest.bottom()).zip(wrap(&said, width)) {
        canvas.put(rest.x + 2, y, width, &row, style);
    }
}

/// Which end, which edition, and how they differ.
fn heading(session: &Session, canvas: &mut Canvas<'_>, row: Rect, view: &View) {
    let line = canvas.style(Role::Line);
    let rule = canvas.glyphs().rule;
    canvas.run(row.x, row.y, row.width, rule, line);
    let end = match session.doc.end {
        End::Start => "HEAD",
        End::End => "TAIL",
    };
    let here = canvas.glyphs().here;
    let style = canvas.style(Role::TitleActive);
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
        canvas.style(Role::Text),
    );
}

/// What all rows have in common.
struct Picture<'a> {
    edition: &'a Edition,
    end: End,
    digits: &'a [u32],
    /// Where the open book stands, and the other edition, where it has a column of its own.
    columns: (Rect, Option<Rect>),
}

impl<'a> Picture<'a> {
    fn new(session: &Session, edition: &'a Edition, shown: &'a Shown, area: Rect) -> Picture<'a> {
        let half = area.width.saturating_sub(1) / 2;
        let columns = match shown.beside {
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
        Picture {
            edition,
            end: session.doc.end,
            digits: &shown.digits,
            columns,
        }
    }

    fn draw(&self, canvas: &mut Canvas<'_>, shown: &Shown) {
        let (ours, theirs) = self.columns;
        if let Some(theirs) = theirs {
            canvas.upright(theirs.x - 1, theirs.top(), theirs.bottom());
        }
        let rows = shown.rows.iter().skip(shown.top);
        for (y, row) in (ours.y..ours.bottom()).zip(rows) {
            self.row(canvas, y, *row);
        }
    }

    fn row(&self, canvas: &mut Canvas<'_>, y: u16, row: Row) {
        let (ours, theirs) = self.columns;
        let at = |area: Rect| Rect {
            y,
            height: 1,
            ..area
        };
        match row {
            Row::Line { kind, here, there } => match (theirs, here) {
                (Some(theirs), _) => {
                    self.line(canvas, at(ours), here, self.side(kind, true));
                    self.line(canvas, at(theirs), there, self.side(kind, false));
                }
                (None, Some(_)) => self.line(canvas, at(ours), here, self.side(kind, true)),
                (None, None) => self.line(canvas, at(ours), there, self.side(kind, false)),
            },
            Row::Blanks(here, there) => match theirs {
                Some(theirs) => {
                    blanks(canvas, at(ours), here);
                    blanks(canvas, at(theirs), there);
                }
                None => blanks(canvas, at(ours), here.max(there)),
            },
            Row::Fold { alike, count } => {
                let more = canvas.glyphs().more;
                let alike = if alike { "alike" } else { "not alike" };
                let text = format!("{more} {} lines {alike} {more}", thousands(count));
                note(canvas, at(ours), &text);
                if let Some(theirs) = theirs {
                    note(canvas, at(theirs), more);
                }
            }
            Row::Cut { here, there } => {
                let other = match self.edition.verdict {
                    Some(_) => "other edition, decided",
                    None => "other edition, proposed",
                };
                let beside = theirs.is_some();
                if here {
                    let both = format!("this book; {other}");
                    let whose = if there && !beside { &both } else { "this book" };
                    let rule = (canvas.glyphs().rule, whose, Role::Cut);
                    self.rule(canvas, at(ours), rule);
                }
                if there && (beside || !here) {
                    let rule = (canvas.glyphs().dashed, other, Role::Ghost);
                    self.rule(canvas, at(theirs.unwrap_or(ours)), rule);
                }
            }
        }
    }

    /// The page of a column, whether it is the open book's, and how its lines are marked.
    fn side(&self, kind: Kind, ours: bool) -> Side<'a> {
        let page: &Page = match ours {
            true => &self.edition.here,
            false => &self.edition.there,
        };
        let (mark, role) = match (kind, ours) {
            (Kind::Same, _) => (" ", None),
            (Kind::Reflowed, _) => ("~", None),
            (_, true) => ("-", Some(Role::Warning)),
            (_, false) => ("+", Some(Role::Good)),
        };
        Side {
            page,
            ours,
            mark,
            role,
        }
    }

    /// One line with its gutter: digit, number, mark.
    fn line(&self, canvas: &mut Canvas<'_>, row: Rect, line: Option<u32>, side: Side<'_>) {
        let Some(line) = line else { return };
        let room = |offset: u16| row.width.saturating_sub(offset);
        let digit = self.digits.iter().position(|&place| place == line);
        if let Some(digit) = digit.filter(|_| side.ours) {
            let style = canvas.style(Role::Digit);
            canvas.put_fitted(
                row.x,
                row.y,
                room(0).min(1),
                &(digit + 1).to_string(),
                style,
            );
        }
        // As on the page: in most books the number takes four columns, and a space stands before the text.
        let (number, mark) = match side.page.lines() < 10_000 {
            true => (format!("{line:>4}"), 5),
            false => (format!("{:>5}", line % 100_000), 6),
        };
        let style = canvas.style(Role::Number);
        canvas.put_fitted(row.x + 1, row.y, room(1), &number, style);
        let base = match side.role {
            Some(role) => canvas.style(role),
            None => canvas.style(Role::Text),
        };
        canvas.put_fitted(row.x + mark, row.y, room(mark).min(1), side.mark, base);
        // Four bytes a column are enough for all but stacks of combining marks.
        let limit = usize::from(room(GUTTER)) * 4 + 64;
        let text = side.page.text.display(line, limit);
        canvas.put(row.x + GUTTER, row.y, room(GUTTER), &text, base);
    }

    /// A rule with words near its right end.
    fn rule(&self, canvas: &mut Canvas<'_>, row: Rect, (glyph, whose, role): (&str, &str, Role)) {
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

/// A column's page and marks.
struct Side<'a> {
    page: &'a Page,
    ours: bool,
    mark: &'static str,
    role: Option<Role>,
}

/// One blank line looks like what it is.
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

fn note(canvas: &mut Canvas<'_>, row: Rect, text: &str) {
    let style: Style = canvas.style(Role::Fold);
    let width = row.width.saturating_sub(GUTTER);
    canvas.put(row.x + GUTTER, row.y, width, text, style);
}
