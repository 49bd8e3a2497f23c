//! The open book in other encodings, and keeping one for it or for all books.

use crate::message::Effect;
use crate::popup::{Picker, PickerPurpose, Popup};
use crate::session::{PageNotice, Session};
use endpaper_text::corpus::{BookText, Encoding};

/// The item that takes a choice back.
const GUESS: &str = "guess";

/// Most characters of a sample line.
const SAMPLE: usize = 48;

/// Shows a line of the open book in every encoding, the current one chosen.
pub(super) fn show(session: &mut Session) {
    let Some(book) = &session.doc.open else {
        return;
    };
    let text = &book.page.text;
    let line = sample_line(text, session.cursor_line());
    let raw = text.raw(line);
    let mut encodings = Encoding::all();
    // The lines of a record have other numbers where a line feed is two bytes.
    if book.record.is_some() {
        encodings.retain(|of| of.is_utf16() == text.encoding().is_utf16());
    }
    // Those in which the line cannot be come last.
    encodings.sort_by_key(|encoding| (*encoding != text.encoding(), !encoding.is_valid(raw)));
    let item = |encoding: Encoding| {
        let shown = match encoding == text.encoding() {
            true => text.display(line, 4 * SAMPLE),
            false => encoding.display(raw, 4 * SAMPLE),
        };
        let shown: String = shown.trim().chars().take(SAMPLE).collect();
        let name = encoding.to_string();
        (
            format!("{name:<14} {shown}"),
            (name, encoding == text.encoding()),
        )
    };
    let guess = (
        format!("{GUESS:<14} as if none had been chosen"),
        (GUESS.to_owned(), false),
    );
    let items = encodings.into_iter().map(item).chain([guess]);
    let picker = Picker::new(items.collect());
    let title = format!("line {line} in other encodings");
    session.screen.popups.push(Popup::Words {
        title,
        purpose: PickerPurpose::Encoding,
        picker,
    });
}

/// The books that an encoding is kept for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EncodingScope {
    /// The open book.
    Book,
    /// All books without a choice of their own.
    AllBooks,
}

/// Reads the books in the encoding of that name from now on.
pub(super) fn choose(session: &mut Session, name: &str, scope: EncodingScope) -> Vec<Effect> {
    if session.options.read_only {
        session.notify(PageNotice::EncodingReadOnly);
        return Vec::new();
    }
    if session.doc.has_unsaved_changes() || session.waits.waiting.is_some() {
        session.notify(PageNotice::EncodingLater);
        return Vec::new();
    }
    let (encoding, for_all): (Option<Encoding>, _) =
        (name.parse().ok(), scope == EncodingScope::AllBooks);
    if for_all && encoding.is_some_and(|encoding| renumbers_decided(session, encoding)) {
        session.notify(PageNotice::EncodingOfDecided);
        return Vec::new();
    }
    let book = (!for_all).then_some(session.current);
    let mut effects = vec![Effect::KeepEncoding { book, encoding }];
    effects.extend(session.ask_for(session.current, None));
    session.notify(PageNotice::EncodingKept {
        name: encoding.map(|_| name.to_owned()),
        for_all,
    });
    effects
}

/// Whether lines would have other numbers than the records of some books say: a line feed is two bytes in UTF-16.
fn renumbers_decided(session: &Session, encoding: Encoding) -> bool {
    let open = session.doc.open.as_ref();
    open.is_some_and(|open| open.page.text.encoding().is_utf16() != encoding.is_utf16())
        && session
            .entries
            .iter()
            .any(|entry| entry.status.has_record())
}

/// The nearest line from the cursor on with bytes beyond ASCII, else the last before it, else the line of the cursor.
fn sample_line(text: &BookText, cursor: u32) -> u32 {
    let differs = |line: &u32| !text.raw(*line).is_ascii();
    let after = (cursor.max(1)..=text.lines()).find(differs);
    after
        .or_else(|| (1..cursor).rev().find(differs))
        .unwrap_or(cursor)
}
