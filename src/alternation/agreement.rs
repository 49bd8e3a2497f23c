//! Agreement of the result with correct strings, by site and in total.

use std::path::Path;

use anyhow::{Result, ensure};
use rayon::prelude::*;
use serde::Serialize;

use super::delimiters::{DelimiterTable, TOTAL};
use endpaper_command::output::warn;
use endpaper_detect::alternation::{Delimiters, FoldedDocuments, LetterAgreement, Optimum};
use endpaper_text::corpus::Book;
use endpaper_text::wording::{plural, thousands};

/// Most pages without a matching row that are named.
const NAMED: usize = 3;

/// The number of pages of a site, or of all, and the agreement of their letters.
#[derive(Debug)]
pub(super) struct SiteAgreement {
    /// The site; [`TOTAL`] for all.
    pub name: String,
    pub pages: usize,
    pub agreement: LetterAgreement,
}

/// The record of a site in `--format jsonl`, after the first line.
#[derive(Serialize)]
pub(super) struct AccuracyRow<'a> {
    site: &'a str,
    pages: usize,
    letters: u64,
    correct: u64,
    useful: u64,
    both: u64,
    accuracy: Option<f64>,
    recall: Option<f64>,
    precision: Option<f64>,
}

impl SiteAgreement {
    /// The agreement of a site, before any page.
    fn new(name: &str) -> SiteAgreement {
        SiteAgreement {
            name: name.to_owned(),
            pages: 0,
            agreement: LetterAgreement::default(),
        }
    }

    /// The figures of the site, for a row.
    pub fn figures(&self) -> AccuracyRow<'_> {
        let agreement = &self.agreement;
        AccuracyRow {
            site: &self.name,
            pages: self.pages,
            letters: agreement.letters,
            correct: agreement.correct,
            useful: agreement.useful,
            both: agreement.both,
            accuracy: agreement.accuracy(),
            recall: agreement.recall(),
            precision: agreement.precision(),
        }
    }
}

/// Returns the sites that have pages, in table order, then the total, and whether every row fits its pages. Rows that do not are
/// named.
///
/// # Errors
///
/// No page matches a row.
pub(super) fn measure(
    file: &Path,
    sites: &DelimiterTable,
    books: &[Book],
    documents: &FoldedDocuments,
    found: &Optimum<'_>,
) -> Result<(Vec<SiteAgreement>, bool)> {
    let of_page = |(at, book): (usize, &Book)| {
        let (site, rows) = sites.of(&book.id)?;
        let pairs = rows.iter().filter_map(|row| sites.rows[*row].pair.as_ref());
        let agreement = found.agreement(at, &pairs.collect::<Vec<_>>());
        let text = documents.folded(at);
        let seen = rows.into_iter().map(|row| {
            let pair = sites.rows[row].pair.as_ref();
            (
                row,
                pair.map_or(DelimiterUse::Both, |pair| DelimiterUse::of(pair, &text)),
            )
        });
        Some((site, agreement, seen.collect::<Vec<_>>()))
    };
    let scored = books.par_iter().enumerate().map(of_page);
    let scored: Vec<_> = scored.collect();
    let mut all = SiteAgreement::new(TOTAL);
    let mut by_site: Vec<SiteAgreement> = sites
        .names
        .iter()
        .map(|name| SiteAgreement::new(name))
        .collect();
    let mut rows = vec![(0, DelimiterUse::Neither); sites.rows.len()];
    let mut strangers = Vec::new();
    for (book, scored) in books.iter().zip(scored) {
        let Some((site, agreement, seen)) = scored else {
            strangers.push(book);
            continue;
        };
        for of in [&mut by_site[site], &mut all] {
            of.pages += 1;
            of.agreement += agreement;
        }
        for (row, seen) in seen {
            rows[row].0 += 1;
            rows[row].1 = rows[row].1.max(seen);
        }
    }
    let name = file.display();
    ensure!(
        all.pages > 0,
        "no page matches a row of '{name}': the first is '{}' and the first glob '{}'; globs match the ids that --format tsv prints",
        books.first().map_or("-", |book| book.id.as_str()),
        sites.rows.first().map_or("-", |row| row.glob.glob().glob()),
    );
    let fits = warn_of_unmatched_rows(file, sites, &rows) && strangers.is_empty();
    if !strangers.is_empty() {
        let named = strangers.iter().take(NAMED);
        let named: Vec<String> = named.map(|book| format!("'{}'", book.id)).collect();
        warn(&format!(
            "{} {} no row of '{name}' and {} in no figure ({}{}); add a row for {}, with '-' for both delimiters if nothing \
             there is useful",
            thousands(strangers.len() as u64),
            if strangers.len() == 1 {
                "page matches"
            } else {
                "pages match"
            },
            if strangers.len() == 1 { "is" } else { "are" },
            named.join(", "),
            if strangers.len() > NAMED { ", ..." } else { "" },
            if strangers.len() == 1 { "it" } else { "them" },
        ));
    }
    let mut scored = by_site;
    scored.retain(|site| site.pages > 0);
    scored.push(all);
    Ok((scored, fits))
}

/// The delimiters of a pair that occur in a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum DelimiterUse {
    Neither,
    /// The left one, without a right one after it.
    Left,
    Both,
}

impl DelimiterUse {
    /// Which of a pair of delimiters a page has.
    fn of(pair: &Delimiters, text: &str) -> DelimiterUse {
        match text.find(pair.left()) {
            None => DelimiterUse::Neither,
            Some(at) if text[at + pair.left().len()..].contains(pair.right()) => DelimiterUse::Both,
            Some(_) => DelimiterUse::Left,
        }
    }
}

/// Warns about rows that find nothing. For each row: the number of its pages, and the delimiters seen there.
fn warn_of_unmatched_rows(
    file: &Path,
    sites: &DelimiterTable,
    rows: &[(usize, DelimiterUse)],
) -> bool {
    let mut all = true;
    for (row, (pages, seen)) in sites.rows.iter().zip(rows) {
        let place = format!("'{}', line {}", file.display(), row.line);
        let site = &sites.names[row.site];
        let of_pages = format!(
            "{} {} of {site}",
            thousands(*pages as u64),
            plural(*pages, "page")
        );
        let Some(pair) = &row.pair else { continue };
        let message = match seen {
            _ if *pages == 0 => format!(
                "no page matches '{}' of {site}; globs match the ids that --format tsv prints",
                row.glob.glob().glob()
            ),
            DelimiterUse::Neither => format!(
                "'{}' does not occur in {of_pages}; check the page source for what is left of its text",
                pair.left()
            ),
            DelimiterUse::Left => format!(
                "'{}' never follows '{}' in {of_pages}; check the page source for what is right of its text",
                pair.right(),
                pair.left()
            ),
            DelimiterUse::Both => continue,
        };
        warn(&format!("{place}: {message}"));
        all = false;
    }
    all
}
