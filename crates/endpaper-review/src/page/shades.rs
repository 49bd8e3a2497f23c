//! Shading of the lines of a page.
//!
//! Algorithm 1 counts no line under 30 characters, but such a line still has a document frequency: a header may end with
//! `#META#Header#End#` in every book of a library.

use super::{LineDocumentFrequency, end_of};
use endpaper_detect::End;
use endpaper_detect::pipeline::shade_for;
use endpaper_text::scan::{MarkerSet, Scan};

/// The shade of every line ([`shade_for`]), at index `line - 1`, for the threshold `k`. `frequency` has every line,
/// `document_frequencies` every row of the scan, or nothing if document frequencies were not collected.
pub(super) fn shades(
    scan: &Scan,
    frequency: &[u32],
    document_frequencies: &[LineDocumentFrequency],
    k: u64,
) -> Vec<u8> {
    let by_frequency = frequency.iter().map(|&seen| shade_for(seen.into(), k));
    let mut shades: Vec<u8> = by_frequency.collect();
    for (row, document_frequency) in scan.rows.iter().zip(document_frequencies) {
        // Rows of asterisks or dashes say nothing of who put them there.
        if row.marks.has(MarkerSet::TRIVIAL) && !row.marks.has(MarkerSet::SEPARATOR) {
            let books = books_at_end(document_frequency, end_of(scan, row.line));
            if let Some(shade) = shades.get_mut(row.line as usize - 1) {
                *shade = shade_for(books.into(), k);
            }
        }
    }
    shades
}

/// Number of books that have the line at this end, or at the end where more have it.
fn books_at_end(document_frequency: &LineDocumentFrequency, end: Option<End>) -> u32 {
    let [head, tail] = document_frequency.exact.map(|of_end| of_end.books);
    match end {
        Some(End::Start) => head,
        Some(End::End) => tail,
        None => head.max(tail),
    }
}

#[cfg(test)]
mod tests {
    use crate::BookPage;
    use endpaper_detect::Parameters;
    use endpaper_detect::frequency::Frequencies;
    use endpaper_detect::frequency::document_frequency::{DocumentFrequencyBuilder, LineForm};
    use endpaper_text::corpus::BookText;
    use endpaper_text::line::{Key, KeyKind};

    #[test]
    fn short_lines_are_shaded_by_the_books_that_have_them_at_that_end() {
        let body = "A line of the body that only this book has, long enough to count\n".repeat(700);
        let text = format!("#META#Header#End#\n***\n{body}#META#Header#End#\nThe end\n***\n");
        let (mut builder, half) = (DocumentFrequencyBuilder::default(), |line| {
            Key::of(line).0 as u32
        });
        let in_books = [
            ("#META#Header#End#", false, 400),
            ("***", false, 400),
            ("The end", true, 30),
            ("***", true, 400),
        ];
        for book in 0..400 {
            let forms = in_books.iter().filter(|(_, _, books)| book < *books);
            let forms =
                forms.map(|(line, tail, _)| LineForm::new(KeyKind::Exact, *tail, half(line)));
            builder.add(None, None, forms);
        }
        let document_frequencies =
            DocumentFrequencyBuilder::finish(vec![builder]).unwrap_or_default();
        let frequencies = Frequencies::default().with_document_frequencies(document_frequencies);
        let parameters = Parameters::default();
        let text = BookText::new(text.into_bytes());
        let page = BookPage::new(text, &frequencies, &parameters);
        let last = page.lines();
        let shades = [1, 2, 3, last - 2, last - 1, last].map(|line| page.shade(line));
        // With K = 10, 30 books are shade 3 and 400 are shade 5.
        assert_eq!(shades, [5, 0, 0, 0, 3, 0]);
    }
}
