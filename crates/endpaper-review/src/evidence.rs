//! Labels and texts that explain the line of the cursor, the cuts and the file.

use std::fmt::Write;

use ratatui::layout::Rect;

use super::action::Action;
use super::guidelines::GuidelineRow;
use super::page::{BookPage, LineDocumentFrequency};
use super::presenter;
use super::session::Session;
use super::wrap::wrap;
use endpaper_detect::frequency::document_frequency::DocumentFrequency;
use endpaper_detect::{End, Evidence, Reason};
use endpaper_text::line::{opening, skeleton};
use endpaper_text::scan::MarkerSet;
use endpaper_text::wording::{plural, thousands};

/// Maximum number of positions of a cut whose probability is reported.
const PLACES: usize = 3;
/// Minimum probability of a reported position other than the best.
const MIN_PROBABILITY: f32 = 0.01;
/// Maximum number of characters shown of a form of a line.
const SHOWN: usize = 160;
/// Producers and authors are counted up to this number.
const MOST_NAMES: u32 = 63;
/// What is said of a line that Algorithm 1 does not count.
const TRIVIAL: &str = "trivial: under 30 characters (a wide one counts as two) or no letter, not counted by Algorithm 1";

/// Returns labels and texts, most useful first.
pub fn facts(session: &Session) -> Vec<(String, String)> {
    let Some(book) = &session.doc.open else {
        return Vec::new();
    };
    let page = &book.page;
    let line = session.cursor_line();
    let mut facts: Vec<(String, String)> = Vec::new();
    let mut say = |label: &str, text: String| facts.push((label.to_owned(), text));
    if book.hides_proposal() {
        let blind = "what the detector found is hidden until both cuts are placed";
        say("blind", blind.to_owned());
    }
    let panel = session.screen.layout().opinions;
    let shown_rows = panel.map_or(0, |panel| panel.height);
    // The panel below the page shows them in full where there is room.
    let cut_short = session.screen.view_options.opinions > shown_rows;
    for opinion in book.curator_opinions().iter().filter(|_| cut_short) {
        say(&opinion.name, opinion.words(page).join(", "));
        if let Some(note) = opinion.note() {
            say(&opinion.name, format!("note: {note}"));
        }
    }
    let label = format!("line {line}");
    for text in line_facts(page, line) {
        say(&label, text);
    }
    if let Some(text) = others(session) {
        say(&label, text);
    }
    if !book.hides_proposal() {
        for (label, text) in cut_facts(session, page) {
            say(&label, text);
        }
        if let Some(profile) = &page.profile {
            say("profile", profile.meaning());
        }
    }
    let decision = &book.decision;
    if !decision.flags.is_empty() {
        say("flags", decision.flags.join(", "));
    }
    if !decision.note.is_empty() {
        say("note", decision.note.clone());
    }
    for other in &decision.alternatives {
        let why = match other.why.is_empty() {
            true => "no reason given",
            false => &other.why,
        };
        say("alternatives", format!("{}: {why}", other.line));
    }
    for block in &decision.inside {
        let text = format!("{}-{} {}", block.first, block.last, block.kind);
        say("boilerplate inside", text);
    }
    for block in book.proposed_inside() {
        let keys = [Action::NextInside, Action::Inside].map(|action| session.keymap.label(action));
        let [go, mark] = keys;
        let text = format!(
            "{}-{} {}: proposed ({go} goes there, {mark} marks it)",
            block.first, block.last, block.kind
        );
        say("boilerplate inside", text);
    }
    if let Some(why) = &book.read_only {
        say("read-only", why.to_string());
    }
    let lines = thousands(page.lines() as usize);
    let id = session.entry().map_or("", |entry| entry.id());
    say("file", format!("{id}, {lines} lines"));
    facts
}

/// Returns the facts in rows of `columns` columns: a heading for each label, its texts indented, a blank row between.
pub fn rows(session: &Session, columns: u16) -> Vec<GuidelineRow> {
    let mut rows = Vec::new();
    let mut before = String::new();
    for (label, text) in facts(session) {
        let mut row = |heading, text| rows.push(GuidelineRow { heading, text });
        if label != before {
            if !before.is_empty() {
                row(false, String::new());
            }
            row(true, label.clone());
            before = label;
        }
        for text in wrap(&text, columns.saturating_sub(2)) {
            row(false, format!("  {text}"));
        }
    }
    rows
}

/// Returns the rows of the panel that fit into `area` below the heading, and how many are left out.
pub fn panel(session: &Session, area: Rect) -> (Vec<GuidelineRow>, usize) {
    let mut rows = rows(session, area.width.saturating_sub(2));
    let room = usize::from(area.height.saturating_sub(1));
    if rows.len() <= room {
        return (rows, 0);
    }
    // The last row reports the number of rows left out.
    let left_out = rows.len() - room.saturating_sub(1);
    rows.truncate(room.saturating_sub(1));
    (rows, left_out)
}

/// The facts about a line: the form that is counted, how often it occurs, and in how many books.
fn line_facts(page: &BookPage, line: u32) -> Vec<String> {
    if page.is_blank(line) {
        return vec!["blank".to_owned()];
    }
    let normalised = page.normalised(line);
    let mut texts = vec![counted_form(page, line, &normalised)];
    let document_frequency = page.document_frequency(line);
    if page.is_trivial(line) {
        texts.push(TRIVIAL.to_owned());
        if let Some(document_frequency) = document_frequency {
            texts.extend(frequency_facts(page, line, &normalised, document_frequency));
        }
        if page.shade(line) > 0 {
            let shade = page.shade(line);
            texts.push(format!("shade {shade} of 5, by the number of books"));
        }
        return texts;
    }
    let count = page.frequency(line);
    let is_elsewhere = document_frequency
        .is_some_and(|document_frequency| frequency_in_words(document_frequency.exact).is_some());
    match count {
        // It is counted at the other end.
        0 if is_elsewhere => {}
        0 => texts.push("not seen in the counted heads and tails".to_owned()),
        count => texts.push(format!(
            "seen {} {} in heads and tails, shade {} of 5",
            thousands(count),
            plural(count as usize, "time"),
            page.shade(line)
        )),
    }
    if let Some(document_frequency) = document_frequency {
        texts.extend(frequency_facts(page, line, &normalised, document_frequency));
    }
    texts
}

/// The counted form of a line, where it differs from the line.
fn counted_form(page: &BookPage, line: u32, normalised: &str) -> String {
    let stands = page.text.display(line, 4 * SHOWN);
    let length = normalised.chars().count();
    match stands.trim() == normalised {
        true => format!("counted unchanged, {length} characters"),
        false => format!("counted as \"{}\"", short(normalised)),
    }
}

/// Cuts a long form of a line.
fn short(form: &str) -> String {
    let mut shown: String = form.chars().take(SHOWN).collect();
    if shown.len() < form.len() {
        let _ = write!(shown, "… ({} characters)", thousands(form.chars().count()));
    }
    shown
}

/// In how many books, by how many producers and authors a line occurs; the same for its skeleton and opening, where these are
/// frequent and the line is not.
fn frequency_facts(
    page: &BookPage,
    line: u32,
    normalised: &str,
    document_frequency: &LineDocumentFrequency,
) -> Vec<String> {
    let mut texts = Vec::new();
    let exact = frequency_in_words(document_frequency.exact);
    if let Some(words) = &exact {
        texts.push(format!("in {words}"));
    } else {
        texts.push("in no other counted head or tail".to_owned());
    }
    let many = page.threshold();
    let most = |ends: [DocumentFrequency; 2]| u64::from(ends[0].books.max(ends[1].books));
    let seen = match page.is_trivial(line) {
        true => most(document_frequency.exact),
        false => page.frequency(line).into(),
    };
    if seen > many {
        return texts;
    }
    let forms = [
        (
            "its skeleton",
            skeleton(normalised),
            document_frequency.skeleton,
        ),
        (
            "its first words",
            opening(normalised),
            document_frequency.opening,
        ),
    ];
    for (name, form, ends) in forms {
        if most(ends) <= many {
            continue;
        }
        if let Some(words) = frequency_in_words(ends) {
            texts.push(format!("{name} \"{}\": in {words}", short(&form)));
        }
    }
    texts
}

/// `131 heads (12 producers, 88 authors), 2 tails (1 producer, 2 authors)`; `None` if it is in one book only.
fn frequency_in_words([head, tail]: [DocumentFrequency; 2]) -> Option<String> {
    let names = |count: u32, thing: &str| {
        let more = if count >= MOST_NAMES { "+" } else { "" };
        format!("{count}{more} {}", plural(count as usize, thing))
    };
    let ends = [(head, "heads"), (tail, "tails")];
    let words: Vec<String> = ends
        .into_iter()
        .filter(|(document_frequency, _)| document_frequency.books > 1)
        .map(|(document_frequency, name)| {
            let (producers, authors) = (
                names(document_frequency.producers, "producer"),
                names(document_frequency.authors, "author"),
            );
            format!(
                "{} {name} ({producers}, {authors})",
                thousands(document_frequency.books)
            )
        })
        .collect();
    (!words.is_empty()).then(|| words.join(", "))
}

/// Other books with the line of the cursor, and the keys that lead to them.
fn others(session: &Session) -> Option<String> {
    let near = session.line_neighbours()?;
    let key = |action| session.keymap.label(action);
    if near.hits.is_empty() {
        return Some(match near.done {
            true => "in no other book of this corpus, near its ends".to_owned(),
            false => "other books are being searched".to_owned(),
        });
    }
    let actions = [Action::OtherBook1, Action::OtherBook2, Action::OtherBook3];
    let books = near.hits.iter().zip(actions).filter_map(|(hit, action)| {
        let name = session.entries.get(hit.book)?.name();
        Some(format!("{} {name} {}", key(action), hit.line))
    });
    let all = key(Action::Occurrences);
    let books: Vec<String> = books.chain([format!("{all} all")]).collect();
    Some(format!("also in: {}", books.join(" · ")))
}

/// Doubt, and the facts for and against the cuts.
fn cut_facts(session: &Session, page: &BookPage) -> Vec<(String, String)> {
    let mut out = Vec::new();
    let detection = &page.detection;
    out.push(("doubt".to_owned(), format!("{:.2}", detection.doubt)));
    for reason in presenter::objections(session)
        .iter()
        .chain(detection.own_reasons())
        .filter(|&&reason| !is_contradicted_by_page(page, reason))
    {
        let text = format!("{reason}: {}", reason.explanation());
        out.push(("doubt".to_owned(), text));
    }
    let open = session.doc.open.as_ref();
    // Scores are probabilities only if they come from the posterior.
    let weighed = session.options.detector == "posterior";
    for (end, label) in [(End::Start, "start"), (End::End, "end")] {
        let mut say = |text: String| out.push((label.to_owned(), text));
        if let Some(open) = open {
            let edition = open.edition_evidence.iter();
            let edition = edition.filter(|offer| !open.offers.contains(offer));
            let offers = edition.chain(&open.offers);
            for offer in offers.filter(|offer| offer.end == end) {
                say(open.words_of(offer));
            }
        }
        if weighed {
            say(likely_positions(page, end));
        }
        for fact in detection.evidence.iter().filter(|fact| fact.end == end) {
            say(weighted(&fact));
        }
        if let Some(text) = markers(page, end) {
            say(text);
        }
    }
    out
}

/// Whether a reason says that the book has no marker, while a line of the page reads like one: the detector counts fewer forms
/// than a reader sees.
pub(super) fn is_contradicted_by_page(page: &BookPage, reason: Reason) -> bool {
    let forms: &[&str] = match reason {
        Reason::StartWithoutMarker => &["SMALL PRINT", "START OF TH"],
        Reason::EndWithoutMarker => &["END OF TH", "END OF PROJECT GUTENBERG"],
        _ => return false,
    };
    let is_marker = |line: u32| {
        let text = page.text.display(line, SHOWN).to_uppercase();
        let names = text.contains("SMALL PRINT") || text.contains("GUTENBERG");
        names && forms.iter().any(|form| text.contains(form))
    };
    page.scan.rows.iter().any(|row| is_marker(row.line))
}

/// `likely: after 258 92 %, after 255 7 %`, without positions below [`MIN_PROBABILITY`].
fn likely_positions(page: &BookPage, end: End) -> String {
    let here = page.detection.candidates.iter();
    let of_end = here
        .filter(|candidate| candidate.end == end)
        .enumerate()
        .filter(|(at, candidate)| *at == 0 || candidate.score >= MIN_PROBABILITY)
        .take(PLACES);
    let nothing = match end {
        End::Start => 0,
        End::End => page.lines() + 1,
    };
    let choices: Vec<String> = of_end
        .map(|(_, candidate)| {
            let share = f64::from(candidate.score) * 100.0;
            let choice = match candidate.line == nothing {
                true => "nothing to cut".to_owned(),
                false => match end {
                    End::Start => format!("after {}", candidate.line),
                    End::End => format!("before {}", candidate.line),
                },
            };
            format!("{choice} {share:.0} %")
        })
        .collect();
    format!("likely: {}", choices.join(", "))
}

/// A fact with its weight, in log odds against the most probable rival.
fn weighted(fact: &Evidence) -> String {
    match fact.weight {
        Some(weight) => format!("{weight:+.1} {}", fact.phrase()),
        None => fact.phrase(),
    }
}

/// At the start: the number of markers. At the end: the lines after the first End marker.
fn markers(page: &BookPage, end: End) -> Option<String> {
    let kind = match end {
        End::Start => MarkerSet::START | MarkerSet::SMALL_PRINT_END,
        End::End => MarkerSet::END,
    };
    let rows = page.scan.rows.iter();
    let lines: Vec<u32> = rows
        .filter(|row| row.marks.has_any(kind))
        .map(|row| row.line)
        .collect();
    let (&first, &last) = (lines.first()?, lines.last()?);
    match (end, lines.len()) {
        (End::Start, 1) => Some(format!("1 START marker at {first}")),
        (End::Start, count) => Some(format!("{count} START markers, the last at {last}")),
        (End::End, _) => lines_after_marker(page, first),
    }
}

/// Number and kinds of non-blank lines after the first End marker; `None` if there are none.
fn lines_after_marker(page: &BookPage, line: u32) -> Option<String> {
    let all = page.non_blank_between(line + 1, page.lines() + 1);
    if all == 0 {
        return None;
    }
    let names = [
        "frequent",
        "more naming Gutenberg",
        "of credits",
        "opening a note",
        "trivial",
        "unknown",
    ];
    let mut counts = [0u32; 6];
    for row in page.scan.rows.iter().filter(|row| row.line > line) {
        let marks = row.marks;
        let kind = match marks {
            _ if u64::from(page.frequency(row.line)) > page.threshold() => 0,
            marks if marks.has_any(MarkerSet::GUTENBERG | MarkerSet::END | MarkerSet::START) => 1,
            marks if marks.has_any(MarkerSet::CREDITS) => 2,
            marks if marks.has_any(MarkerSet::NOTE) => 3,
            marks if marks.has_any(MarkerSet::TRIVIAL | MarkerSet::SEPARATOR) => 4,
            _ => 5,
        };
        counts[kind] += 1;
    }
    let kinds: Vec<String> = counts
        .iter()
        .zip(names)
        .filter(|(count, _)| **count > 0)
        .map(|(count, name)| format!("{} {name}", thousands(*count)))
        .collect();
    let word = match all {
        1 => "line follows",
        _ => "lines follow",
    };
    let colon = if kinds.is_empty() { "" } else { ": " };
    Some(format!(
        "{} non-blank {word} the first End marker, at {line}{colon}{}",
        thousands(all),
        kinds.join(", ")
    ))
}

#[cfg(test)]
mod tests;
