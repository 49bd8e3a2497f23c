//! Section 5: what the paper proposes for more accurate counts, one copy of each e-book and heads and tails apart.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap, HashSet};

use anyhow::Result;

use super::corpus::FigureCorpus;
use super::errors::{LabelledErrors, SystemGroup, further};
use super::report::{Compared, Figure};
use super::study::{LabelledCorpus, StudySystem, lines_off, study_data};
use endpaper_command::common::CorpusArgs;
use endpaper_detect::End;
use endpaper_detect::copies::{ReleaseDate, release_date};
use endpaper_detect::frequency::{BookLines, Frequencies, Structure};
use endpaper_detect::pipeline::{AnalysisOptions, BookReport, ModelSource};
use endpaper_evaluate::share_in_words;
use endpaper_text::corpus::{BookId, Listing};
use endpaper_text::scan::Window;
use endpaper_text::wording::thousands;
use lab::experiments::{EbookIdentity, count};

/// Algorithm 1 with and without the rules, over the counts of all books and of one copy of each.
pub(super) fn systems(
    read: &FigureCorpus,
    labelled: &LabelledCorpus<'_>,
    corpus: &CorpusArgs,
    listing: &Listing,
    options: &AnalysisOptions,
) -> Result<Vec<StudySystem>> {
    let all = read.books.len();
    let mut counted = vec![
        ("all books", all, Frequencies::from(read.counts.clone())),
        ("heads and tails apart", all, ends_apart(read)?),
    ];
    let mut one_copy = options.clone();
    one_copy.counting.one_copy = true;
    // A small corpus would use the built-in model.
    one_copy.model = ModelSource::Corpus.into();
    let copies = corpus.analyse(listing, &one_copy)?;
    let parameters = &copies.model.parameters;
    counted.push((
        "one of near copies",
        parameters.books as usize,
        copies.model.frequencies.clone(),
    ));
    let releases = Releases::of(&labelled.survey.books, labelled.max_size);
    for (name, newest) in [
        ("newest of each e-book", true),
        ("oldest of each e-book", false),
    ] {
        let left_out = releases.left_out(newest);
        let books = read.ids.iter().zip(&read.books);
        let books = books.filter(|(id, _)| !left_out.contains(id));
        let books: Vec<&BookLines> = books.map(|(_, book)| book).collect();
        let counts = count(Structure::Crc64, &books)?;
        counted.push((name, books.len(), counts.into()));
    }
    let threshold = Structure::Exact.default_threshold();
    let mut systems = Vec::new();
    for heuristics in [false, true] {
        for (name, books, frequencies) in &counted {
            let rules = if heuristics { "with" } else { "no" };
            let cells = [*name, rules].map(str::to_owned).into_iter();
            let name = format!("{name}, {rules} heuristics");
            systems.push(StudySystem {
                system: labelled.algorithm_1(name, frequencies, threshold, heuristics)?,
                cells: cells.chain([books.to_string()]).collect(),
            });
        }
    }
    Ok(systems)
}

/// Counts heads and tails separately; a line of both windows counts in both.
fn ends_apart(read: &FigureCorpus) -> Result<Frequencies> {
    let of = |other: Window| {
        let books = read.books.iter().map(|book| {
            let mut lines = BookLines::default();
            let each = book.keys().iter().zip(book.windows());
            for (&key, &window) in each.filter(|(_, window)| **window != other) {
                lines.push(key, window, None);
            }
            lines
        });
        count(Structure::Crc64, &books.collect::<Vec<_>>())
    };
    Ok(Frequencies::separate(of(Window::Tail)?, of(Window::Head)?))
}

/// The files of each e-book that has several, with the dates that they state.
struct Releases<'a>(Vec<Vec<(Option<ReleaseDate>, &'a BookId)>>);

impl<'a> Releases<'a> {
    fn of(books: &'a [BookReport], max_size: u64) -> Releases<'a> {
        let mut by_ebook: BTreeMap<EbookIdentity, Vec<&BookReport>> = BTreeMap::new();
        // Files without a number join the e-book that files of the same name have a number of.
        let mut numbers: HashMap<EbookIdentity, EbookIdentity> = HashMap::new();
        for book in books {
            let number = EbookIdentity::of(book.summary.header.number, book.book.id.as_str());
            let name = EbookIdentity::of(None, book.book.id.as_str());
            if let (Some(number), Some(name)) = (number, name) {
                numbers.entry(name).or_insert(number);
            }
        }
        for book in books {
            let identity = EbookIdentity::of(book.summary.header.number, book.book.id.as_str());
            if let Some(identity) = identity {
                let identity = numbers.get(&identity).cloned().unwrap_or(identity);
                by_ebook.entry(identity).or_default().push(book);
            }
        }
        let several = by_ebook.into_values().filter(|files| files.len() > 1);
        let dated = several.map(|files| {
            let files = files.into_iter().map(|file| {
                let text = file.book.text(max_size).ok();
                (text.and_then(|text| release_date(&text)), &file.book.id)
            });
            files.collect()
        });
        Releases(dated.collect())
    }

    /// All files but the newest, or the oldest, of each e-book; files without a date are neither if another has one.
    fn left_out(&self, newest: bool) -> HashSet<&'a BookId> {
        let left_out = self.0.iter().flat_map(|files| {
            let mut files: Vec<_> = files.iter().collect();
            if newest {
                files.sort_by_key(|(date, id)| Reverse((*date, *id)));
            } else {
                files.sort_by_key(|(date, id)| (date.is_none(), *date, *id));
            }
            files.into_iter().skip(1).map(|(_, id)| *id)
        });
        left_out.collect()
    }
}

/// Compares the choices of books.
pub(super) fn figure(errors: &LabelledErrors) -> Figure {
    let systems = errors.group(SystemGroup::Training);
    let books = |place: usize| -> f64 { systems[place].0[2].parse().unwrap_or(f64::NAN) };
    // In the order of `systems`: all, apart, near copies, by the catalogue.
    let copies = [2, 3].map(|place| 100.0 * (1.0 - books(place) / books(0)));
    let mut compared = vec![Compared::new(
        "files that are copies of another, by their texts; by the catalogue",
        "nearly 10 %",
        format!("{:.1} %; {:.1} %", copies[0], copies[1]),
    )];
    compared.extend(systems.iter().map(|(cells, scored)| {
        let [removed, left] = lines_off(scored);
        let further = [End::Start, End::End].map(|end| {
            let (share, _) = further(scored, errors.exact(), end);
            share.hits
        });
        Compared::new(
            format!("{} ({} books)", scored.name, cells[2]),
            "accuracy could be improved",
            format!(
                "both ends exact in {}; {} lines removed, {} left; further off than all books without heuristics in {} and {} books",
                share_in_words(scored.summary.both.exact),
                thousands(removed),
                thousands(left),
                further[0],
                further[1]
            ),
        )
    }));
    Figure {
        name: "figure8-training".to_owned(),
        title: "As Figure 8, section 5: one copy of each e-book, and heads and tails apart"
            .to_owned(),
        about: format!(
            "{} E-books are known by the number in the header, or by the name and edition in the name of the file (frank10.txt, \
            frank11.txt); near copies by their texts. The paper proposes both and measured neither.",
            errors.about(&[])
        ),
        svg: None,
        compared,
        data: study_data(errors, &["counted", "heuristics", "books"], &systems),
    }
}
