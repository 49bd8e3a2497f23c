//! The heat map of the labelled books: one column per book, one row per counted line of one end, shaded by frequency, with labelled
//! and detected cuts (Kaser & Lemire, Figure 2).

mod column;
mod legend;
mod picture;
mod raster;

use column::{LINES, LabelledColumn, WrongCut};
use std::collections::HashSet;
use std::fmt::Write as _;

use anyhow::Result;

use legend::legend;
use picture::picture;

use super::page_data::{PageData, cut_in_words};
use endpaper_command::page::escaped;
use endpaper_detect::pipeline::BookShades;
use endpaper_detect::{Cuts, End};
use endpaper_evaluate::SampleRandom;
use endpaper_text::wording::thousands;

/// Most columns; of more books a random sample is drawn.
const BOOKS: usize = 3_000;

/// Writes both heat maps and the legend. The page shows the wrong books in `linked`.
pub(super) fn put(
    out: &mut String,
    material: &PageData<'_>,
    linked: &HashSet<usize>,
) -> Result<()> {
    let chosen = chosen(material.labelled.len());
    let threshold = material.parameters.threshold;
    let frequencies = &material.survey.model.frequencies;
    let profiles: Vec<BookShades> = chosen
        .iter()
        .map(|&book| {
            let scan = material.survey.books[material.labelled[book].book]
                .scan
                .as_deref();
            scan.map_or_else(BookShades::default, |scan| {
                BookShades::of(scan, frequencies, threshold)
            })
        })
        .collect();
    for end in [End::Start, End::End] {
        let mut columns: Vec<LabelledColumn<'_>> = chosen
            .iter()
            .zip(&profiles)
            .map(|(&book, profile)| column(material, linked, book, profile, end))
            .collect();
        columns.sort_by_key(|column| (column.label, column.name));
        let svg = picture(&columns, end)?;
        let _ = writeln!(
            out,
            "<figure><figcaption>{}</figcaption><div class=\"wide\" tabindex=\"0\" role=\"group\" aria-label=\"{}\">{svg}</div></figure>",
            escaped(&caption(end, chosen.len(), material.labelled.len())),
            escaped(picture::title(end)),
        );
    }
    out.push_str(&legend(threshold));
    Ok(())
}

/// Indices of the books shown: all, or a random sample.
fn chosen(labelled: usize) -> Vec<usize> {
    let mut books: Vec<usize> = (0..labelled).collect();
    if labelled > BOOKS {
        SampleRandom::new(2).shuffle(&mut books);
        books.truncate(BOOKS);
        books.sort_unstable();
    }
    books
}

/// A labelled book as a column. `linked`: the books that the page shows.
fn column<'a>(
    material: &PageData<'a>,
    linked: &HashSet<usize>,
    book: usize,
    profile: &'a BookShades,
    end: End,
) -> LabelledColumn<'a> {
    let label = &material.labelled[book];
    let lines = material.survey.books[label.book].summary.lines;
    let strip = profile.line_shades(end);
    let outside = |cuts: Cuts| {
        let physical = match end {
            End::Start => cuts.preamble_end,
            End::End => cuts
                .epilogue_start
                .map_or(0, |line| (lines + 1).saturating_sub(line)),
        };
        strip
            .count_in(physical)
            .map_or(LINES, |counted| counted.min(LINES))
    };
    let mut words = format!("labelled: {}", cut_in_words(end, label.record.cuts));
    let mut wrong = None;
    if let Some(errors) = material.errors(book) {
        let at = &errors.ends[end as usize];
        if at.exact {
            words.push_str("; detected there");
        } else {
            let found = cut_in_words(end, errors.cuts[1]);
            let _ = write!(words, "; detected: {found}");
        }
        wrong = (!at.defended).then(|| WrongCut {
            outside: outside(errors.cuts[1]),
            lost: at.lines < 0,
            linked: linked.contains(&book),
        });
    }
    LabelledColumn {
        name: &label.record.book,
        shades: strip.shades(),
        label: outside(label.record.cuts),
        wrong,
        words,
    }
}

/// The caption: which lines of how many of the books are shown.
fn caption(end: End, books: usize, of: usize) -> String {
    let which = match end {
        End::Start => "Heads: the first 300 counted lines of each book, from the top down",
        End::End => "Tails: the last 300 counted lines of each book, the last at the bottom",
    };
    let books = match books == of {
        true => String::new(),
        false => format!(
            " {} of {} books, drawn at random.",
            thousands(books as u64),
            thousands(of as u64)
        ),
    };
    format!("{which}; books in order of the labelled cut.{books}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_very_many_books_some_are_drawn() {
        assert_eq!(chosen(BOOKS).len(), BOOKS);
        let books = chosen(BOOKS * 2);
        assert_eq!(books.len(), BOOKS);
        assert!(books.windows(2).all(|two| two[0] < two[1]));
        let words = |books| caption(End::Start, books, 6_000);
        assert!(words(3_000).ends_with("labelled cut. 3,000 of 6,000 books, drawn at random."));
        assert!(words(6_000).ends_with("labelled cut."));
    }
}
