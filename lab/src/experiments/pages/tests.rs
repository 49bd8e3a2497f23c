use super::draw::zipf;
use super::*;
use crate::experiments::SampleRandom;
use endpaper_detect::alternation::Delimiters;
use endpaper_detect::alternation::{FoldedDocuments, correct_ranges};

/// Enough distinct paragraphs for every set.
fn prose() -> String {
    let mut random = SampleRandom::new(1);
    let mut text = String::new();
    while text.len() < 1_200_000 {
        for _ in 0..40 + random.below(60) {
            let len = 2 + random.below(8);
            text.extend((0..len).map(|_| char::from(b'a' + zipf(26, &mut random) as u8)));
            text.push(' ');
        }
        text += ".\n\n";
    }
    text
}

/// Number of pages, total kB, and the share of correct letters.
fn shape(site: Site, pages: &[MadePage]) -> (usize, usize, f64) {
    let pairs = site.delimiters();
    let pairs: Vec<&Delimiters> = pairs.iter().collect();
    let (mut letters, mut found) = (0, 0);
    for page in pages {
        let mut documents = FoldedDocuments::default();
        documents.push(page.html.as_bytes()).unwrap();
        let text = documents.folded(0);
        letters += text.chars().count();
        let ranges = correct_ranges(&text, &pairs).into_iter();
        found += ranges
            .map(|range| text[range].chars().count())
            .sum::<usize>();
    }
    let bytes: usize = pages.iter().map(|page| page.html.len()).sum();
    (pages.len(), bytes / 1_000, found as f64 / letters as f64)
}

#[test]
fn pages_have_the_sizes_of_the_paper_and_the_shares_of_its_figures() {
    let prose = prose();
    let table = [
        (Site::Wpost, 76, 3_200, 0.127),
        (Site::Yomiuri, 198, 2_700, 0.04),
        (Site::LatimesLarge, 40, 2_440, 0.107),
        (Site::Latimes, 150, 4_500, 0.107),
        (Site::Sankei, 23, 86, 0.33),
    ];
    for (site, count, kilobytes, share) in table {
        let mut prose = Prose::new([prose.as_str()]);
        let pages = site.pages(count, 0, &mut prose);
        let (pages, found, correct) = shape(site, &pages);
        assert_eq!(pages, count, "{site:?}");
        let ratio = found as f64 / f64::from(kilobytes);
        assert!((0.9..1.1).contains(&ratio), "{site:?} {found} kB");
        assert!(
            (0.85..1.15).contains(&(correct / share)),
            "{site:?} {correct}"
        );
        assert!(!prose.is_used_up());
    }
}

#[test]
fn pages_are_the_same_every_time_and_differ_from_each_other() {
    let prose = prose();
    let make = |draw| Site::Yomiuri.pages(30, draw, &mut Prose::new([prose.as_str()]));
    let pages = make(0);
    assert_eq!(pages, make(0));
    assert_ne!(pages, make(1));
    let mut names: Vec<&str> = pages.iter().map(|page| page.name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), 30);
}

#[test]
fn small_numbers_come_more_often() {
    let mut random = SampleRandom::new(3);
    let mut counts = [0; 10];
    for _ in 0..10_000 {
        counts[zipf(10, &mut random)] += 1;
    }
    assert!(
        counts[0] > 2 * counts[3] && counts[3] > counts[9] && counts[9] > 0,
        "{counts:?}"
    );
}
