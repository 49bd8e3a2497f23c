//! Groups the documents of a mixed set by the text they share: pages of one site have its template.
//!
//! Section 4.3 of the paper searches the pages of two sites together. If one of them is small, its template is not among
//! the top a percent, or the cut point is that of the large one.

use std::collections::{HashMap, HashSet};

use foldhash::fast::FixedState;

use super::documents::FoldedDocuments;
use super::frequent::{FACTOR, mixed, value};

/// Length of the compared pieces in bytes. Longer than most words and tags, shorter than most templates.
const PIECE: usize = 24;

/// One piece in this number is looked at, chosen by its hash.
const SAMPLED: u64 = 32;

/// A document belongs to the site of an earlier one that has this share of the pieces of the one that has fewer.
const MIN_SHARED: f64 = 0.3;

/// Fewer documents are not a site: what they have in common may be chance.
const MIN_DOCUMENTS: usize = 5;

/// The sites of [`MIN_DOCUMENTS`] documents and more, by their documents in ascending order. Documents of other sites are
/// in none.
///
/// Each document is compared with one earlier document only: the one that was the last to have most of its pieces. So
/// time and memory are linear in the text.
pub(super) fn sites(documents: &FoldedDocuments) -> Vec<Vec<usize>> {
    let mut last: HashMap<u64, usize, FixedState> = HashMap::default();
    let mut pieces = Vec::with_capacity(documents.len());
    let mut site: Vec<usize> = (0..documents.len()).collect();
    for document in 0..documents.len() {
        let sample = sample(&documents.text()[documents.span(document)]);
        let mut shared: HashMap<usize, usize, FixedState> = HashMap::default();
        pieces.push(sample.len());
        for piece in sample {
            if let Some(earlier) = last.insert(piece, document) {
                *shared.entry(earlier).or_default() += 1;
            }
        }
        let best = shared.into_iter().max_by_key(|(at, shared)| (*shared, *at));
        if let Some((earlier, shared)) = best {
            let fewer = pieces[earlier].min(pieces[document]);
            if shared as f64 >= MIN_SHARED * fewer as f64 {
                site[document] = site[earlier];
            }
        }
    }
    let mut of_site: Vec<Vec<usize>> = vec![Vec::new(); documents.len()];
    for (document, site) in site.into_iter().enumerate() {
        of_site[site].push(document);
    }
    of_site.retain(|documents| documents.len() >= MIN_DOCUMENTS);
    of_site
}

/// The hashes of the sampled pieces of a text, each once.
fn sample(text: &[u8]) -> HashSet<u64, FixedState> {
    let highest = FACTOR.wrapping_pow(PIECE as u32);
    let mut sampled = HashSet::default();
    let mut sum = 0u64;
    for (at, byte) in text.iter().enumerate() {
        sum = sum.wrapping_mul(FACTOR).wrapping_add(value((*byte).into()));
        if let Some(gone) = at.checked_sub(PIECE) {
            sum = sum.wrapping_sub(value(text[gone].into()).wrapping_mul(highest));
        }
        let hash = mixed(sum);
        if at + 1 >= PIECE && hash.is_multiple_of(SAMPLED) {
            sampled.insert(hash);
        }
    }
    sampled
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A page with the template of a site and words of its own.
    fn page(site: &str, number: u64) -> String {
        let template: String = (0..40)
            .map(|entry| format!("<li class=\"{site}-menu\"><a href=\"/{site}/{entry}\">{entry} of {site}</a></li>"))
            .collect();
        let own: String = (0..80)
            .map(|word| format!("{:x} ", mixed(number * 1000 + word)))
            .collect();
        format!("<html>{template}<p>{own}</p></html>")
    }

    fn documents(pages: impl IntoIterator<Item = String>) -> FoldedDocuments {
        let mut documents = FoldedDocuments::default();
        for page in pages {
            documents.push(page.as_bytes()).unwrap();
        }
        documents
    }

    #[test]
    fn documents_with_one_template_are_one_site() {
        // Every seventh page is of a small site; two pages are of none.
        let of = |at: u64| if at % 7 == 3 { "courier" } else { "herald" };
        let pages = (0..42).map(|at| page(of(at), at));
        let pages = pages.chain([page("mirror", 90), String::new(), page("gazette", 91)]);
        let sites = sites(&documents(pages));
        let small: Vec<usize> = (0..42).filter(|at| at % 7 == 3).collect();
        let large: Vec<usize> = (0..42).filter(|at| at % 7 != 3).collect();
        assert_eq!(sites, [large, small]);
    }

    #[test]
    fn few_documents_are_not_a_site() {
        for (count, expected) in [(0, 0), (1, 0), (4, 0), (5, 1), (6, 1)] {
            let pages = (0..count).map(|at| page("herald", at));
            assert_eq!(sites(&documents(pages)).len(), expected, "{count} pages");
        }
    }

    #[test]
    fn documents_without_anything_in_common_are_no_site() {
        let own =
            |number: u64| (0..400).map(move |word| format!("{:x} ", mixed(number * 1000 + word)));
        let pages = (0..20).map(|number| own(number).collect());
        assert!(sites(&documents(pages)).is_empty());
    }
}
