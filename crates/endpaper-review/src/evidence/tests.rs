//! Tests of what is said of a line and of the cuts.

use super::*;
use endpaper_detect::Parameters;
use endpaper_detect::frequency::document_frequency::{
    DocumentFrequencies, DocumentFrequencyBuilder, LineForm,
};
use endpaper_detect::frequency::{Certainty, Counts, Frequencies};
use endpaper_text::corpus::BookText;
use endpaper_text::line::{KeyKind, Normaliser};

const LICENCE: &str = "This eBook is for the use of anyone anywhere at no cost and with";
const PRODUCED: &str = "**Produced by David  Widger and nobody else of that name";

fn text() -> BookText {
    let text = format!(
        "{LICENCE}\n*** START OF THIS PROJECT GUTENBERG EBOOK ONE ***\n\n{PRODUCED}\n\nA title\n\n\
         The body of a very small book that nobody wrote before\n\n\
         *** END OF THIS PROJECT GUTENBERG EBOOK ONE ***\n\n{LICENCE}\n\n* * *\n\n\
         Something else that nobody has ever seen in another file\n"
    );
    BookText::new(text.into_bytes())
}

fn page(frequencies: Frequencies) -> BookPage {
    BookPage::new(text(), &frequencies, &Parameters::default())
}

fn counts() -> Counts {
    let key = |line: &str| Normaliser::default().text(line).key();
    let pairs = [(key(LICENCE), 900), (key(PRODUCED), 2)];
    Counts::from_pairs(pairs, Certainty::Exact)
}

#[test]
fn a_line_is_told_as_it_is_counted() {
    let page = page(counts().into());
    let table: &[(u32, &[&str])] = &[
        (
            1,
            &[
                "counted unchanged, 64 characters",
                "seen 900 times in heads and tails, shade 5 of 5",
            ],
        ),
        (3, &["blank"]),
        (
            4,
            &[
                "counted as \"***Produced by David Widger and nobody else of that name\"",
                "seen 2 times in heads and tails, shade 1 of 5",
            ],
        ),
        (6, &["counted unchanged, 7 characters", TRIVIAL]),
    ];
    for (line, expected) in table {
        assert_eq!(line_facts(&page, *line), *expected, "{line}");
    }
}

#[test]
fn where_a_line_is_rare_its_frequent_forms_are_told() {
    let row = page(counts().into()).row(4).copied().unwrap();
    let mut builder = DocumentFrequencyBuilder::default();
    for book in 0..20 {
        let form = |kind, half| LineForm::new(kind, book % 2 == 1, half);
        let mut forms = vec![form(KeyKind::Skeleton, row.features.skeleton)];
        if book < 3 {
            forms.push(form(KeyKind::Exact, row.key.0 as u32));
        }
        let (producer, author) = (format!("Hand{}", book % 4), format!("Author{book}"));
        builder.add(Some(&producer), Some(&author), forms.into_iter());
    }
    let many = DocumentFrequencyBuilder::finish(vec![builder]).unwrap();
    let frequencies = Frequencies::from(counts()).with_document_frequencies(many.scaled(10, 20));
    let found = line_facts(&page(frequencies), 4);
    let expected = [
        "in 4 heads (2 producers, 2 authors)",
        "its skeleton \"***produced by X and nobody else of that name\": in 20 heads (2 producers, 10 authors), \
         20 tails (2 producers, 10 authors)",
    ];
    assert_eq!(found[2..], expected);
}

#[test]
fn a_short_line_has_a_document_frequency() {
    use endpaper_detect::frequency::document_frequency::{DocumentFrequencyBuilder, LineForm};
    use endpaper_text::line::KeyKind;
    let row = page(counts().into()).row(6).copied().unwrap();
    let mut builder = DocumentFrequencyBuilder::default();
    let exact = LineForm::new(KeyKind::Exact, false, row.key.0 as u32);
    for book in 0..40 {
        builder.add(None, Some(&format!("Author{book}")), [exact].into_iter());
    }
    let document_frequencies = DocumentFrequencyBuilder::finish(vec![builder]).unwrap();
    let page = page(Frequencies::from(counts()).with_document_frequencies(document_frequencies));
    let expected = [
        TRIVIAL,
        "in 40 heads (1 producer, 40 authors)",
        "shade 3 of 5, by the number of books",
    ];
    assert_eq!(line_facts(&page, 6)[1..], expected);
    // A row of asterisks is in no other book, and never shaded.
    let expected = [TRIVIAL, "in no other counted head or tail"];
    assert_eq!(line_facts(&page, 14)[1..], expected);
}

#[test]
fn what_follows_the_first_end_marker_is_counted_by_kind() {
    let page = page(counts().into());
    let expected =
        "3 non-blank lines follow the first End marker, at 10: 1 frequent, 1 trivial, 1 unknown";
    assert_eq!(markers(&page, End::End).as_deref(), Some(expected));
    let expected = "1 START marker at 2";
    assert_eq!(markers(&page, End::Start).as_deref(), Some(expected));
}

/// A line of the end of a book in no, one or several tails, as counts and document frequencies have it: evidence that a line is
/// new to the corpus must not be above evidence that it is not.
#[test]
fn a_line_is_not_called_unseen_where_it_is_told_to_occur_elsewhere() {
    const UNSEEN: &str = "not seen in the counted heads and tails";
    const ALONE: &str = "in no other counted head or tail";
    let seen = |count: u64| match count {
        0 => None,
        count => Some(format!(
            "seen {count} times in heads and tails, shade 1 of 5"
        )),
    };
    // How often the line is counted, the books with it in their tails, and what is said.
    let table: [(u64, Option<u32>, &[&str]); 5] = [
        (0, None, &[UNSEEN]),
        (0, Some(1), &[UNSEEN, ALONE]),
        (0, Some(2), &["in 2 tails (2 producers, 2 authors)"]),
        (2, None, &[]),
        (2, Some(2), &["in 2 tails (2 producers, 2 authors)"]),
    ];
    for (count, tails, expected) in table {
        let key = Normaliser::default().text(PRODUCED).key();
        let counts = [(key, count)].into_iter().filter(|(_, count)| *count > 0);
        let mut frequencies = Frequencies::from(Counts::from_pairs(counts, Certainty::Exact));
        if let Some(tails) = tails {
            frequencies = frequencies.with_document_frequencies(in_tails(tails));
        }
        let found = line_facts(&page(frequencies), 4);
        let expected: Vec<String> = seen(count)
            .into_iter()
            .chain(expected.iter().map(|text| (*text).to_owned()))
            .collect();
        assert_eq!(found[1..], expected, "{count} {tails:?}");
    }
}

/// Document frequencies with line 4 in the tails of this many books, each of another producer and author.
fn in_tails(books: u32) -> DocumentFrequencies {
    let row = page(Frequencies::default()).row(4).copied().unwrap();
    let mut builder = DocumentFrequencyBuilder::default();
    for book in 0..books {
        let form = LineForm::new(KeyKind::Exact, true, row.key.0 as u32);
        let (producer, author) = (format!("Producer{book}"), format!("Author{book}"));
        builder.add(Some(&producer), Some(&author), [form].into_iter());
    }
    DocumentFrequencyBuilder::finish(vec![builder]).unwrap()
}

/// A line of a book that reads like a marker to a curator but not to the detector.
#[test]
fn no_marker_is_not_said_above_a_line_that_reads_like_one() {
    let (start, end) = (Reason::StartWithoutMarker, Reason::EndWithoutMarker);
    let small_print = "*END*THE SMALL PRINT! FOR PUBLIC DOMAIN ETEXTS*Ver.04.29.93*END*";
    // The line, and which of the two reasons it contradicts.
    let table: [(&str, &[Reason]); 9] = [
        (small_print, &[start]),
        ("Here ends the Small Print of this book", &[start]),
        ("*** Start of the Project Gutenberg EBook One ***", &[start]),
        ("*** START OF THIS PROJECT GUTENBERG EBOOK ***", &[start]),
        ("End of the Project Gutenberg Etext of One", &[end]),
        ("End of Project Gutenberg's One, by Nobody", &[end]),
        ("*** END OF THIS PROJECT GUTENBERG EBOOK ***", &[end]),
        // Of the book itself, or of nothing.
        (
            "The end of the story of my life, and start of the next",
            &[],
        ),
        (
            "This Project Gutenberg Etext was made by Nobody at all",
            &[],
        ),
    ];
    for (line, contradicted) in table {
        let text =
            format!("A title\n\n{line}\n\nThe body of a very small book that nobody wrote\n");
        let text = BookText::new(text.into_bytes());
        let page = BookPage::new(text, &Frequencies::default(), &Parameters::default());
        let found = Reason::ALL.iter().copied();
        let found: Vec<Reason> = found
            .filter(|&reason| is_contradicted_by_page(&page, reason))
            .collect();
        assert_eq!(found, contradicted, "{line}");
    }
}
