//! Compares the detector with one that counts strings in a map, as the paper describes.

use std::collections::{HashMap, HashSet};

use proptest::prelude::*;

use super::{FoldedDocuments, MAX_NGRAM, Optimum, SearchStep, StopReason, Ties};

/// Folded documents as characters.
type Naive = Vec<Vec<char>>;

fn naive(sources: &[String]) -> Naive {
    let fold = |source: &String| {
        let mut folded: Vec<char> = Vec::new();
        for c in source.chars() {
            let c = if matches!(c, '\t' | '\n' | '\r') {
                ' '
            } else {
                c
            };
            if !(c == ' ' && folded.last() == Some(&' ')) {
                folded.push(c);
            }
        }
        folded
    };
    sources.iter().map(fold).collect()
}

/// All n-grams with their counts, the most frequent first, equally frequent ones in the order of first occurrence.
fn sorted(all: &Naive, n: u32) -> Vec<(String, usize)> {
    let mut sorted: Vec<(String, usize)> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    for gram in all.iter().flat_map(|document| document.windows(n as usize)) {
        let gram: String = gram.iter().collect();
        let place = *places.entry(gram.clone()).or_insert(sorted.len());
        if place == sorted.len() {
            sorted.push((gram, 0));
        }
        sorted[place].1 += 1;
    }
    sorted.sort_by_key(|counted| std::cmp::Reverse(counted.1));
    sorted
}

fn frequent(all: &Naive, n: u32, a: u8, ties: Ties) -> HashSet<String> {
    let mut sorted = sorted(all, n);
    let wanted = (usize::from(a) * sorted.len()).div_ceil(100);
    let Some(last) = wanted.checked_sub(1).map(|last| sorted[last].1) else {
        return HashSet::new();
    };
    match ties {
        Ties::Group => sorted.retain(|(_, count)| *count >= last),
        Ties::First => sorted.truncate(wanted),
    }
    sorted.retain(|(_, count)| *count > 1);
    sorted.into_iter().map(|(gram, _)| gram).collect()
}

fn range_strings(all: &Naive, n: u32, a: u8, ties: Ties) -> Vec<String> {
    let frequent = frequent(all, n, a, ties);
    let of = |document: &Vec<char>| {
        let mut string = vec![b'1'; document.len()];
        for (at, gram) in document.windows(n as usize).enumerate() {
            if frequent.contains(&gram.iter().collect::<String>()) {
                string[at..at + n as usize].fill(b'0');
            }
        }
        String::from_utf8(string).unwrap()
    };
    all.iter().map(of).collect()
}

fn alternations(all: &Naive, n: u32, a: u8, ties: Ties) -> u64 {
    let strings = range_strings(all, n, a, ties);
    let of = |string: &String| {
        let pairs = string.as_bytes().windows(2);
        pairs.filter(|pair| pair[0] != pair[1]).count() as u64
    };
    strings.iter().map(of).sum()
}

fn find_optimal(all: &Naive, ties: Ties) -> Vec<SearchStep> {
    let longest = all.iter().map(Vec::len).max().unwrap_or(0);
    let longest = longest.min(MAX_NGRAM as usize) as u32;
    let (mut n, mut a) = (2, 1);
    let mut path = Vec::new();
    loop {
        let now = alternations(all, n, a, ties);
        let mut step = SearchStep {
            n,
            a,
            alternations: now,
            wider: None,
            longer: None,
        };
        if frequent(all, n, 100, ties).is_empty() || a == 100 {
            path.push(step);
            return path;
        }
        step.wider = Some(alternations(all, n, a + 1, ties));
        let is_longer = n < longest && !frequent(all, n + 1, 100, ties).is_empty();
        step.longer = is_longer.then(|| alternations(all, n + 1, a, ties));
        path.push(step);
        let wider = step.wider.unwrap_or(u64::MAX);
        let longer = step.longer.unwrap_or(u64::MAX);
        if now <= wider && now <= longer {
            return path;
        }
        if now > wider && wider < longer {
            a += 1;
        } else {
            n += 1;
        }
    }
}

fn documents(sources: &[String]) -> FoldedDocuments {
    let mut documents = FoldedDocuments::default();
    for source in sources {
        documents.push(source.as_bytes()).unwrap();
    }
    documents
}

/// Checks that the path, the range strings and the folded texts are those of the naive detector.
fn check(sources: &[String]) {
    for ties in [Ties::Group, Ties::First] {
        check_ties(sources, ties);
    }
}

/// [`check`] for one order of equally frequent n-grams.
fn check_ties(sources: &[String], ties: Ties) {
    let all = naive(sources);
    let documents = documents(sources);
    let mut heard = Vec::new();
    let found = Optimum::find(&documents, ties, |step| heard.push(*step));
    assert_eq!(found.path(), find_optimal(&all, ties));
    assert_eq!(found.path(), heard);
    let best = found.best();
    let strings = range_strings(&all, best.n, best.a, ties);
    for (at, source) in sources.iter().enumerate() {
        let folded: String = all[at].iter().collect();
        assert_eq!(documents.folded(at), folded);
        assert_eq!(range_string(&found, sources, at), strings[at], "{source}");
    }
}

/// The range string of a document, from its parts.
fn range_string(found: &Optimum<'_>, sources: &[String], document: usize) -> String {
    let source = &sources[document];
    let mut reached = 0;
    let mut string = String::new();
    for part in found.parts(document) {
        assert_eq!(part.bytes.start, reached, "parts follow each other");
        reached = part.bytes.end;
        let text = naive(&[source[part.bytes].to_owned()]);
        string += &(if part.useless { "0" } else { "1" }).repeat(text[0].len());
    }
    assert_eq!(reached, source.len(), "parts are the whole document");
    string
}

#[test]
fn the_string_of_the_paper() {
    // ac and cb occur twice.
    check(&["accbaacbc".to_owned()]);
    let documents = documents(&["accbaacbc".to_owned()]);
    let found = Optimum::find(&documents, Ties::Group, |_| {});
    let useless: Vec<_> = found
        .parts(0)
        .into_iter()
        .map(|p| (p.useless, p.bytes))
        .collect();
    let expected = [(true, 0..4), (false, 4..5), (true, 5..8), (false, 8..9)];
    assert_eq!((found.path().len(), found.best().alternations), (1, 3));
    assert_eq!(useless, expected);
}

#[test]
fn degenerate_corpora_have_an_answer() {
    let own = |texts: &[&str]| {
        texts
            .iter()
            .map(|text| (*text).to_owned())
            .collect::<Vec<_>>()
    };
    let table: &[(Vec<String>, StopReason, Option<bool>)] = &[
        (own(&[]), StopReason::NothingRepeats, None),
        (own(&["", "", ""]), StopReason::NothingRepeats, None),
        (own(&["a"]), StopReason::NothingRepeats, Some(false)),
        (
            own(&["abcdefg", "", "hijkl"]),
            StopReason::NothingRepeats,
            Some(false),
        ),
        (
            own(&["aaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
            StopReason::Minimum,
            Some(true),
        ),
    ];
    for (sources, end, useless) in table {
        check(sources);
        let documents = documents(sources);
        let found = Optimum::find(&documents, Ties::Group, |_| {});
        assert_eq!(found.end(), *end, "{sources:?}");
        let parts = (0..sources.len()).flat_map(|at| found.parts(at));
        let parts: Vec<bool> = parts.map(|part| part.useless).collect();
        assert_eq!(parts.first().copied(), *useless, "{sources:?}");
        assert!(
            parts.windows(2).all(|pair| pair[0] == pair[1]),
            "{sources:?}"
        );
    }
}

#[test]
fn equal_documents_have_equal_parts() {
    let page = "A page that is there three times, word for word.".to_owned();
    let sources = vec![page; 3];
    check(&sources);
    let documents = documents(&sources);
    let found = Optimum::find(&documents, Ties::Group, |_| {});
    assert_eq!(found.parts(0), found.parts(2));
    assert_eq!(documents.different(), 1);
}

#[test]
fn the_longest_ngrams_end_the_search() {
    // Repeated parts of many lengths: each step loses one of them, and its two boundaries.
    let mut state = 5u64;
    let mut letter = move || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        char::from_u32(0x4E00 + (state >> 33) as u32 % 20_000).unwrap()
    };
    let mut source = String::new();
    for len in 2..300 {
        let part: String = (0..len).map(|_| letter()).collect();
        for _ in 0..2 {
            source += &part;
            source.extend((0..9).map(|_| letter()));
        }
    }
    let documents = documents(&[source]);
    let found = Optimum::find(&documents, Ties::Group, |_| {});
    assert!(found.best().n <= MAX_NGRAM);
    assert_eq!(
        (found.end(), found.best().n),
        (StopReason::Longest, MAX_NGRAM)
    );
}

#[test]
fn threads_make_no_difference() {
    let sources: Vec<String> = (0..40)
        .map(|page: u32| {
            let story: String = (0..3000u32)
                .map(|at| char::from(b'a' + (at.wrapping_mul(page * 2 + 7919) >> 3) as u8 % 26))
                .collect();
            format!("<html><head><title>The News</title></head><body>{story}</body></html>\r\n")
        })
        .collect();
    let documents = documents(&sources);
    let run = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.unwrap().install(|| {
            let found = Optimum::find(&documents, Ties::Group, |_| {});
            let parts: Vec<_> = (0..40).map(|at| found.parts(at)).collect();
            (found.path().to_vec(), parts)
        })
    };
    let one = run(1);
    assert_eq!(run(2), one);
    assert_eq!(run(5), one);
}

/// Pages of two sites: every ninth of a small one, the others of a large one. Each has an article of its own.
fn mixed() -> Vec<String> {
    let page = |at: usize| {
        let site = if at % 9 == 4 {
            "\u{7523}\u{7d4c}"
        } else {
            "The Herald"
        };
        let menu: String = (0..20)
            .map(|entry| format!("<li><a href=\"/{entry}\">{site} {entry}</a></li>"))
            .collect();
        let mut state = at as u64 + 1;
        let mut letter = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            char::from(b'a' + (state >> 33) as u8 % 26)
        };
        let article: String = (0..300).map(|_| letter()).collect();
        format!("<html><body>{menu}<p>{article}</p><hr>{site}</body></html>\n")
    };
    (0..54).map(page).collect()
}

#[test]
fn a_site_has_the_cut_point_of_its_own_documents_or_that_of_all() {
    let sources = mixed();
    let documents = documents(&sources);
    for ties in [Ties::Group, Ties::First] {
        let whole = Optimum::find(&documents, ties, |_| {});
        let cut = (whole.best().n, whole.best().a);
        let found = Optimum::find(&documents, ties, |_| {}).with_sites();
        // Without ties, the n-grams of both templates are among the top a percent.
        assert_eq!(found.sites().is_empty(), ties == Ties::First);
        for site in found.sites() {
            let texts: Vec<String> = site
                .documents
                .iter()
                .map(|at| sources[*at].clone())
                .collect();
            let all = naive(&texts);
            let (n, a) = (site.best.n, site.best.a);
            assert_eq!(find_optimal(&all, ties).last(), Some(&site.best));
            assert!(
                site.best.alternations
                    < site
                        .documents
                        .iter()
                        .map(|at| whole.parts(*at).len() as u64 - 1)
                        .sum()
            );
            let strings = range_strings(&all, n, a, ties);
            for (at, string) in site.documents.iter().zip(strings) {
                assert_eq!(range_string(&found, &sources, *at), string);
            }
        }
        let strings = range_strings(&naive(&sources), cut.0, cut.1, ties);
        for (at, string) in strings.iter().enumerate() {
            if found.site_of(at).is_none() {
                assert_eq!(range_string(&found, &sources, at), *string);
            }
        }
    }
}

/// Documents that share pieces.
fn pages() -> impl Strategy<Value = Vec<String>> {
    let letters = prop_oneof![
        Just("[ab]{0,40}"),
        Just("[a-d \n\t]{0,60}"),
        Just("[\u{65e5}\u{672c}\u{8a9e}a\u{1F600} \r\n]{0,40}"),
        Just("[a-z]{0,12}"),
    ];
    letters.prop_flat_map(|letters| {
        let pieces = proptest::collection::vec(letters, 1..5);
        pieces.prop_flat_map(move |pieces| {
            let page = proptest::collection::vec((0..pieces.len(), letters), 0..8);
            let pieces = pieces.clone();
            let page = page.prop_map(move |parts: Vec<(usize, String)>| {
                let parts = parts.iter();
                let parts = parts.map(|(piece, own)| pieces[*piece].clone() + own);
                parts.collect::<String>()
            });
            proptest::collection::vec(page, 0..6)
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn it_does_as_one_that_counts_strings(sources in pages()) {
        check(&sources);
    }

    /// Groups too large to be sorted.
    #[test]
    fn large_groups_are_split_as_small_ones(source in "([ab]{300,700}|[\u{65e5}\u{672c}b]{600,900})") {
        let half = source.chars().take(source.chars().count() / 2).collect();
        check(&[source, half]);
    }
}
