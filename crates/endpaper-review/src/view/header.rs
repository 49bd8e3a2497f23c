//! The header line: book, title, producer, template, near copies, status, profile, doubt, save state.

use ratatui::layout::Rect;

use super::canvas::{Canvas, columns};
use super::theme::ThemeRole;
use crate::session::Headline;
use crate::{Session, presenter};

/// A title is shown only if at least this many columns are free.
const TITLE: u16 = 10;
/// Columns of position and name for which details become shorter; a longer name is cut instead.
const NAME: u16 = 24;

/// Brevity of the template details and of the right-hand details, in the order tried: the producer matters more than long wording.
const BREVITY: [(usize, usize); 9] = [
    (0, 0),
    (1, 0),
    (1, 1),
    (1, 2),
    (1, 3),
    (2, 2),
    (2, 3),
    (3, 3),
    (3, 4),
];

/// Draws the header.
pub fn draw(session: &Session, canvas: &mut Canvas<'_>, area: Rect) {
    let base = canvas.style(ThemeRole::Header);
    canvas.fill(area, base);
    let line = presenter::headline(session);
    if line.total == 0 && line.name.is_empty() {
        canvas.put(area.x, area.y, area.width, " endpaper", base);
        return;
    }
    let name = format!(" {} {}", position(&line), line.name);
    let wanted = columns(&name).min(NAME).saturating_add(title_room(&line));
    // The longest wording that leaves space for name and title.
    let words = BREVITY.map(|brevity| HeaderWords::new(&line, brevity, canvas.glyphs().dot));
    let fits = |words: &HeaderWords| wanted.saturating_add(words.columns() + 4) <= area.width;
    let Some(words) = words.iter().find(|words| fits(words)).or(words.last()) else {
        return;
    };
    // All else goes before the profile: the whole name and title, too.
    let whole = columns(&name).saturating_add(columns(&line.title) + 2);
    let with_profile = words.with_profile(&line.profile, canvas.glyphs().dot);
    match whole.saturating_add(with_profile.columns() + 4) <= area.width {
        true => paint(canvas, area, &line, &name, &with_profile),
        false => paint(canvas, area, &line, &name, words),
    }
}

/// The position of the book in the queue, such as `3/1033`.
fn position(line: &Headline) -> String {
    match line.position {
        0 => format!("-/{}", line.total),
        at => format!("{at}/{}", line.total),
    }
}

/// Number of columns to reserve for the title: all of a short one.
fn title_room(line: &Headline) -> u16 {
    columns(&line.title).clamp(0, TITLE + 6)
}

/// Draws the header: the name on the left, the words on the right.
fn paint(canvas: &mut Canvas<'_>, area: Rect, line: &Headline, name: &str, words: &HeaderWords) {
    let base = canvas.style(ThemeRole::Header);
    let bold = base.add_modifier(ratatui::style::Modifier::BOLD);
    let mut right = area.right().saturating_sub(1);
    for (text, role) in words.right.iter().rev() {
        let style = role.map_or(base, |role| base.patch(canvas.patch(role)));
        let room = right.saturating_sub(area.x);
        right = canvas.put_right(right, area.y, room, text, style);
    }
    let mut x = area.x;
    let room = |x: u16| right.saturating_sub(x).saturating_sub(1);
    x = canvas.put(x, area.y, room(x), name, bold);
    let related = columns(&words.template);
    let title = room(x).saturating_sub(if related > 0 { related + 2 } else { 0 });
    if title >= TITLE.min(columns(&line.title) + 2) && !line.title.is_empty() {
        x = canvas.put(x, area.y, title, &format!("  {}", line.title), base);
    }
    if related > 0 && room(x) > 6 {
        let width = room(x).saturating_sub(2);
        canvas.put_right(
            right.saturating_sub(2),
            area.y,
            width,
            &words.template,
            base,
        );
    }
}

/// The details next to the title, at a level of brevity.
struct HeaderWords {
    template: String,
    right: Vec<(String, Option<ThemeRole>)>,
}

impl HeaderWords {
    /// The words about the template and, on the right, about the state of the book. Larger brevities leave out more.
    fn new(
        line: &Headline,
        (kin_brevity, state_brevity): (usize, usize),
        dot: &str,
    ) -> HeaderWords {
        HeaderWords {
            template: template_words(line, kin_brevity, dot),
            right: right(line, state_brevity, dot),
        }
    }

    /// The same words, with the profile before those on the right.
    fn with_profile(&self, profile: &str, dot: &str) -> HeaderWords {
        let profile = Some(profile).filter(|profile| !profile.is_empty());
        let profile = profile.map(|profile| (format!("{profile} {dot} "), None));
        HeaderWords {
            template: self.template.clone(),
            right: profile
                .into_iter()
                .chain(self.right.iter().cloned())
                .collect(),
        }
    }

    /// The columns that the words take.
    fn columns(&self) -> u16 {
        let right: u16 = self.right.iter().map(|(text, _)| columns(text)).sum();
        right.saturating_add(columns(&self.template))
    }
}

/// Near copies, producer, template, and how many of its books are decided and whether they agree.
fn template_words(line: &Headline, brevity: usize, dot: &str) -> String {
    let mut parts = Vec::new();
    if let Some((name, at, of)) = &line.propagation {
        parts.push(format!("{at} of {of} as in {name}"));
    }
    parts.extend(copies(line, brevity));
    if !line.producer.is_empty() && brevity < 2 {
        let label = if brevity == 0 { "producer " } else { "" };
        parts.push(format!("{label}{}", line.producer));
    }
    if line.template > 0 {
        parts.extend(template(line, brevity));
    }
    parts.join(&format!(" {dot} "))
}

/// The template, and how many of its books are decided and whether they agree. In short its number is left out, and a template
/// of one book.
fn template(line: &Headline, brevity: usize) -> Option<String> {
    let (number, decided) = (line.template, line.decided);
    let found = match (decided, line.agree) {
        (0, _) if line.siblings < 2 => "no other book".to_owned(),
        (0, _) if brevity == 0 => format!("0 of {} books decided", line.siblings),
        (0, _) => "0 decided".to_owned(),
        (_, true) if brevity == 0 => format!("{decided} decided, agree"),
        (_, true) => format!("{decided} agree"),
        (_, false) => format!("{decided} decided"),
    };
    match brevity {
        0 => Some(format!("template {number} ({found})")),
        1 | 2 if line.siblings > 1 || decided > 0 => Some(format!("template: {found}")),
        _ => None,
    }
}

/// Number of near copies, and how many are decided.
fn copies(line: &Headline, brevity: usize) -> Option<String> {
    let (count, decided) = line.copies;
    let copies = if count == 1 { "copy" } else { "copies" };
    match (brevity, decided) {
        _ if count == 0 => None,
        (0, _) => Some(format!("{count} {copies} ({decided} decided)")),
        (1 | 2, 1..) => Some(format!("{count} {copies}: {decided} decided")),
        _ => Some(format!("{count} {copies}")),
    }
}

/// Warnings, status, doubt, ends seen, save state: warnings are never shortened.
fn right(line: &Headline, brevity: usize, dot: &str) -> Vec<(String, Option<ThemeRole>)> {
    let between = if brevity < 3 {
        format!(" {dot} ")
    } else {
        " ".to_owned()
    };
    let warnings = line.warnings.iter().cloned();
    let mut parts: Vec<(String, Option<ThemeRole>)> = warnings
        .map(|warning| (warning, Some(ThemeRole::Warning)))
        .collect();
    if !line.status.is_empty() && brevity < 4 {
        let more = if dot == "." { "~" } else { "…" };
        let width = [40, 24, 14, 10][brevity.min(3)];
        let text = super::canvas::fit(&line.status, width, more).into_owned();
        parts.push((text, Some(ThemeRole::Warning)));
    }
    if let Some(doubt) = line.doubt {
        let glyphs = if dot == "." {
            &super::glyphs::ASCII
        } else {
            &super::glyphs::UNICODE
        };
        let word = if brevity == 0 { "doubt " } else { "" };
        let text = format!("{word}{} {doubt:.2}", glyphs.doubt(doubt));
        parts.push((text, Some(ThemeRole::doubt(doubt))));
    }
    let seen = match brevity {
        0 if line.ends_seen == 1 => "1 end seen".to_owned(),
        0 => format!("{} ends seen", line.ends_seen),
        1 => format!("{} of 2 seen", line.ends_seen),
        _ if line.ends_seen == 2 => "seen".to_owned(),
        _ => format!("{} seen", line.ends_seen),
    };
    if brevity < 4 {
        parts.push((seen, None));
    }
    if !line.saved.is_empty() {
        let role = match line.saved {
            "NOT SAVED" => Some(ThemeRole::Error),
            "read-only" | "draft…" => Some(ThemeRole::Warning),
            "saved" | "draft saved" => Some(ThemeRole::Good),
            _ => None,
        };
        parts.push((line.saved.to_owned(), role));
    }
    let mut out = Vec::new();
    for (at, part) in parts.into_iter().enumerate() {
        if at > 0 {
            out.push((between.clone(), None));
        }
        out.push(part);
    }
    out
}
