//! The decisions of several curators on a book, put on its page for adjudication.
//!
//! Versions of a record are numbered, not named, so that the choice depends on the book and not on who decided. Their order is
//! derived from the book's id, so the first version does not always come from the same person.

use crate::BookPage;
use endpaper_detect::{Candidate, CandidateSource, Cuts, End, Evidence, Fact};
use endpaper_text::line::Key;
use endpaper_truth::{Record, RecordKind};

/// One version of a record.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordVersion {
    /// Its name on the screen.
    pub name: String,
    /// The record.
    pub record: Record,
}

/// Numbers the versions of one book's record in an order derived from its id; `named` adds the last curator's name.
pub fn number_versions(mut records: Vec<Record>, named: bool) -> Vec<RecordVersion> {
    let count = records.len();
    if let Some(record) = records.first() {
        let first = Key::of(&record.book).0 % count as u64;
        records.rotate_left(first as usize);
    }
    let opinion = |(at, record): (usize, Record)| {
        let by = record.reviews.last().map(|last| last.by.as_str());
        let name = match by.filter(|_| named) {
            Some(by) => format!("version {} ({by})", at + 1),
            None => format!("version {}", at + 1),
        };
        RecordVersion { name, record }
    };
    records.into_iter().enumerate().map(opinion).collect()
}

/// Puts the versions on a page: their cuts become the candidates, and a summary of each comes before the evidence. A version
/// for another text adds no candidate.
pub fn offer_versions(page: &mut BookPage, opinions: &[RecordVersion]) {
    let (mut candidates, mut evidence) = (Vec::new(), Vec::new());
    let lines = page.lines();
    for end in [End::Start, End::End] {
        for RecordVersion { name, record } in opinions {
            let here = record.is_decided_on(&page.sha256);
            let has_cuts = here && record.verdict.has_cuts();
            let cuts = page.snap_cuts(record.cuts);
            let place = page.cut_position(cuts, end);
            let mut text = match (here, has_cuts, end) {
                (false, ..) => format!("{name}: of another text"),
                (_, false, _) => format!("{name}: {}", record.verdict),
                (.., End::Start) => format!("{name}: {}", start_words(cuts, place)),
                (.., End::End) => format!("{name}: {}", end_words(cuts, place)),
            };
            if end == End::Start {
                text.push_str(&details_in_words(record));
            }
            let place = if has_cuts { place.min(lines) } else { 0 };
            evidence.push(Evidence {
                end,
                lines: (place, place),
                fact: Fact::Text(text),
                weight: None,
            });
            if has_cuts {
                let line = match end {
                    End::Start => cuts.preamble_end,
                    End::End => cuts.epilogue_start.unwrap_or(lines.saturating_add(1)),
                };
                candidates.push(Candidate {
                    end,
                    line,
                    score: 1.0,
                    source: CandidateSource::Block,
                });
            }
        }
    }
    page.override_candidates(candidates, evidence);
}

fn start_words(cuts: Cuts, place: u32) -> String {
    match cuts.preamble_end {
        0 => "no preamble".to_owned(),
        _ => format!("body starts {place}"),
    }
}

fn end_words(cuts: Cuts, place: u32) -> String {
    match cuts.epilogue_start {
        None => "no epilogue".to_owned(),
        Some(_) => format!("epilogue starts {place}"),
    }
}

/// Summarises the rest of a version: kind, flags, alternatives, marked parts.
fn details_in_words(record: &Record) -> String {
    let mut words = Vec::new();
    if record.kind != RecordKind::Book {
        words.push(record.kind.to_string());
    }
    if record.hard {
        words.push("hard".to_owned());
    }
    words.extend(record.flags.iter().cloned());
    let parts = [
        ("alternatives", record.alternatives.len()),
        ("parts inside", record.inside.len()),
    ];
    let parts = parts.into_iter().filter(|(_, count)| *count > 0);
    words.extend(parts.map(|(what, count)| format!("{count} {what}")));
    if !record.note.is_empty() {
        words.push(format!("note: {}", record.note));
    }
    match words.is_empty() {
        true => String::new(),
        false => format!(", {}", words.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use endpaper_detect::Parameters;
    use endpaper_detect::frequency::built_in;
    use endpaper_text::corpus::BookText;
    use endpaper_truth::{Review, SourceFacts, Verdict};

    const BOOK: &str = "licence\n\nTitle\n\nText.\nEnd.\n\nlicence\n";

    fn page() -> BookPage {
        let text = BookText::new(BOOK.as_bytes().to_vec());
        BookPage::new(text, &built_in().frequencies, &Parameters::default())
    }

    fn record(by: &str, preamble_end: u32, epilogue_start: Option<u32>) -> Record {
        let text = BookText::new(BOOK.as_bytes().to_vec());
        let mut record = Record::new("a.txt", SourceFacts::of(&text));
        record.add_review(Review {
            by: by.into(),
            verdict: Verdict::Corrected,
            cuts: Cuts {
                preamble_end,
                epilogue_start,
            },
            ..Review::default()
        });
        record
    }

    #[test]
    fn opinions_are_the_only_candidates_and_say_what_they_say() {
        let mut one = record("anna", 1, Some(8));
        one.hard = true;
        let mut undecided = record("ben", 0, None);
        undecided.verdict = Verdict::Undecidable;
        let mut other = record("carl", 1, None);
        other.source.sha256 = "0".repeat(64);
        let all = [one, record("dora", 3, None), undecided, other];
        let all: Vec<RecordVersion> = all
            .into_iter()
            .enumerate()
            .map(|(at, record)| RecordVersion {
                name: format!("version {at}"),
                record,
            })
            .collect();
        let mut page = page();
        offer_versions(&mut page, &all);
        assert_eq!(
            page.candidate_positions(End::Start).collect::<Vec<_>>(),
            [3, 5]
        );
        assert_eq!(
            page.candidate_positions(End::End).collect::<Vec<_>>(),
            [8, 9]
        );
        let texts: Vec<String> = page.detection.evidence.iter().map(|e| e.text()).collect();
        let expected = [
            "version 0: body starts 3, hard",
            "version 1: body starts 5",
            "version 2: undecidable",
            "version 3: of another text",
            "version 0: epilogue starts 8",
            "version 1: no epilogue",
        ];
        assert_eq!(texts[..expected.len()], expected);
    }

    #[test]
    fn names_are_hidden_unless_asked_for_and_the_order_is_the_books() {
        let records = |book: &str| {
            let named = |by: &str| Record {
                book: book.into(),
                ..record(by, 1, None)
            };
            vec![named("anna"), named("ben")]
        };
        let mut firsts = std::collections::BTreeSet::new();
        for number in 0..16 {
            let book = format!("{number}.txt");
            let hidden = number_versions(records(&book), false);
            assert_eq!(
                (hidden[0].name.as_str(), hidden[1].name.as_str()),
                ("version 1", "version 2")
            );
            let shown = number_versions(records(&book), true);
            let by = &shown[0].record.reviews[0].by;
            assert_eq!(shown[0].name, format!("version 1 ({by})"));
            firsts.insert(by.clone());
        }
        assert_eq!(firsts.len(), 2);
    }
}
