//! The outline of the open book as a list to jump from.

use crate::popup::{Picker, Popup};
use crate::session::{PageNotice, Session};
use endpaper_detect::Cuts;
use endpaper_outline::Outline;
use endpaper_text::wording::{plural, thousands};

/// Shows the outline, with the part at the cursor chosen.
pub(super) fn show(session: &mut Session) {
    let Some(book) = &session.doc.open else {
        return;
    };
    let Some(outline) = book.page.outline() else {
        session.notify(PageNotice::NoOutline);
        return;
    };
    // While the proposal is hidden, rows do not mention cuts.
    let cuts = (!book.hides_proposal()).then_some(book.decision.cuts);
    let rows = rows(outline, cuts);
    if rows.is_empty() {
        session.notify(PageNotice::OutlineEmpty);
        return;
    }
    let title = heading(outline);
    let line = session.cursor_line();
    let mut picker = Picker::new(rows);
    let before = picker.items.iter().take_while(|(_, at)| *at <= line);
    picker.chosen = before.count().saturating_sub(1);
    session.screen.popups.push(Popup::Outline { title, picker });
}

/// The title and authors in the book, and its number of parts.
fn heading(outline: &Outline) -> String {
    let parts = outline.entries.len();
    let title = outline.metadata.title.as_ref();
    let authors = outline.metadata.authors.iter();
    let authors: Vec<&str> = authors.map(|author| author.value.as_str()).collect();
    let book = match (title, authors.is_empty()) {
        (Some(title), true) => title.value.clone(),
        (Some(title), false) => format!("{}, {}", title.value, authors.join(", ")),
        (None, _) => "outline".to_owned(),
    };
    format!("{} {}: {book}", thousands(parts), plural(parts, "part"))
}

/// Tables of contents, parts and lists of references in line order, each with the line to go to.
fn rows(outline: &Outline, cuts: Option<Cuts>) -> Vec<(String, u32)> {
    let lists = outline.lists.iter().map(|list| {
        let entries = thousands(list.entries);
        let noun = plural(list.entries as usize, "part");
        (
            list.first,
            1,
            format!("[table of contents: {entries} {noun}]"),
        )
    });
    let references = outline.bibliographies.iter().map(|list| {
        let items = list.items.len();
        let noun = plural(items, "item");
        (
            list.line,
            1,
            format!("[references: {} {noun}]", thousands(items)),
        )
    });
    let named: Vec<u32> = lists
        .clone()
        .chain(references.clone())
        .map(|row| row.0)
        .collect();
    // A heading such as REFERENCES is already represented by its list.
    let parts = outline
        .entries
        .iter()
        .filter(|entry| entry.line.is_none_or(|line| !named.contains(&line)));
    let parts = parts.filter_map(|entry| {
        let text = entry.to_string();
        match (entry.line, entry.listed) {
            (Some(line), _) => Some((line, entry.level, text)),
            (None, Some(listed)) => Some((listed, entry.level, format!("{text} (only listed)"))),
            (None, None) => None,
        }
    });
    let mut rows: Vec<(u32, u8, String)> = lists.chain(references).chain(parts).collect();
    // Parts without a line of their own keep the order of their list.
    rows.sort_by_key(|(line, ..)| *line);
    rows.into_iter()
        .map(|(line, level, text)| {
            let indent = 2 * usize::from(level.saturating_sub(1));
            let outside = match cuts {
                Some(cuts) if line <= cuts.preamble_end => "  (preamble)",
                Some(cuts) if cuts.epilogue_start.is_some_and(|start| line >= start) => {
                    "  (epilogue)"
                }
                _ => "",
            };
            (format!("{line:>7}  {:indent$}{text}{outside}", ""), line)
        })
        .collect()
}
