//! The posterior on whole books, and its sums compared with slow ones.

use proptest::prelude::*;

use super::choice_set;
use super::profile::{Profile, WEIGHTS};
use super::*;
use crate::frequency::built_in;
use crate::frequency::document_frequency::DocumentFrequencies;
use crate::row_counts::RowCounts;
use crate::{Detection, Method, Parameters, Policy, propose};
use endpaper_text::scan::{WindowOptions, scan};

fn of_text(text: &str) -> Scan {
    scan(text.as_bytes(), WindowOptions::default())
}

/// A book as volunteers produced them about 2005, with a title page after its credits and a note at its end.
fn book(note: &str) -> String {
    let mut text = String::from(
        "The Project Gutenberg EBook of The Lamp, by Jane Doe\n\n\
         This eBook is for the use of anyone anywhere at no cost and with\n\
         almost no restrictions whatsoever.  You may copy it, give it away or\n\
         re-use it under the terms of the Project Gutenberg License included\n\
         with this eBook or online at www.gutenberg.org\n\n\n\
         Title: The Lamp\n\nAuthor: Jane Doe\n\nRelease Date: March 3, 2005 [EBook #15240]\n\nLanguage: English\n\n\
         *** START OF THIS PROJECT GUTENBERG EBOOK THE LAMP ***\n\n\n\n\n\
         Produced by Somebody and the Online Distributed Proofreading\nTeam at http://www.pgdp.net\n\n\n\n\n\n\
         THE LAMP\n\nBY\n\nJANE DOE\n\nNEW YORK\n1899\n\n\n\nCHAPTER I.\n\n",
    );
    for line in 0..120 {
        text.push_str(&format!(
            "The lamp burned low in the {line}th of the rooms, and nobody came to see to it.\n"
        ));
        if line % 6 == 5 {
            text.push('\n');
        }
    }
    text.push_str("\nTHE END\n\n\n\n");
    text.push_str(note);
    text.push_str(
        "\n\n\nEnd of the Project Gutenberg EBook of The Lamp, by Jane Doe\n\n\
         *** END OF THIS PROJECT GUTENBERG EBOOK THE LAMP ***\n\n\
         ***** This file should be named 15240.txt or 15240.zip *****\n\
         This and all associated files of various formats will be found in:\n        http://www.gutenberg.org/1/5/2/4/15240/\n",
    );
    text
}

fn line_of(text: &str, start: &str) -> u32 {
    let at = text.lines().position(|line| line.starts_with(start));
    at.map_or(0, |at| at as u32 + 1)
}

fn detect(text: &str, policy: Policy) -> Detection {
    let parameters = Parameters {
        policy,
        ..Parameters::default()
    };
    assert_eq!(parameters.method, Method::Posterior);
    propose(&of_text(text), &built_in().frequencies, &parameters)
}

#[test]
fn credits_and_notes_are_cut_away_and_title_pages_kept() {
    let note = "Transcriber's Notes:\n\nObvious printer's errors have been corrected. The original spelling\nhas been retained.\n";
    let text = book(note);
    let found = detect(&text, Policy::default());
    assert_eq!(found.cuts.preamble_end, line_of(&text, "Team at"));
    assert_eq!(
        found.cuts.epilogue_start,
        Some(line_of(&text, "Transcriber's Notes"))
    );
    assert!(found.doubt < 0.5, "{}", found.doubt);
}

#[test]
fn other_policies_keep_what_stands_beside_the_body() {
    let note = "Transcriber's Notes:\n\nObvious printer's errors have been corrected. The original spelling\nhas been retained.\n";
    let text = book(note);
    let credits = detect(&text, Policy::named("keep-credits").unwrap());
    assert_eq!(credits.cuts.preamble_end, line_of(&text, "*** START"));
    let notes = detect(&text, Policy::named("keep-notes").unwrap());
    assert_eq!(
        notes.cuts.epilogue_start,
        Some(line_of(&text, "End of the Project"))
    );
    assert_eq!(notes.cuts.preamble_end, line_of(&text, "Team at"));
}

#[test]
fn evidence_tells_kinds_and_weights() {
    let text = book("");
    let found = detect(&text, Policy::default());
    let says = |word: &str| {
        found
            .evidence
            .iter()
            .any(|piece| piece.text().starts_with(word))
    };
    assert!(says("credits "), "{:?}", found.evidence);
    assert!(found.evidence.iter().any(|piece| piece.weight.is_some()));
}

#[test]
fn boilerplate_inside_is_only_what_nobody_printed() {
    let middle = |inside: &str| book("").replacen("THE LAMP\n\nBY", inside, 1);
    let lines = |text: &str| {
        let found = detect(text, Policy::default());
        let inside = found.inside.iter();
        inside
            .map(|block| (block.first, block.last))
            .collect::<Vec<_>>()
    };
    let note = "THE LAMP\n\n\n\nBY\n\nJANE DOE\n\nNEW YORK\n1899\n\n\n\nCHAPTER ONE.\n\nThe lamp was lit.\n\n\
                [Transcriber's Note: This etext was produced from\n\
                If Worlds of Science Fiction, May 1954.\n\
                Extensive research did not uncover any evidence that\n\
                the U.S. copyright on this publication was renewed.]\n\nBY";
    let text = middle(note);
    let line = line_of(&text, "[Transcriber's Note: This");
    assert_eq!(lines(&text), [(line, line + 3)]);
    let printed = note.replace(
        "[Transcriber's Note: This etext was",
        "[Editor's Note: This text was",
    );
    assert_eq!(lines(&middle(&printed)), []);
}

#[test]
fn a_text_of_another_kind_loses_nothing() {
    let mut mail = String::new();
    for number in 0..40 {
        mail.push_str(&format!(
            "From: reader{number}@example.org\nSubject: the meeting of week {number}\n\n\
             We met again and spoke about the roof, which still leaks in {number} places.\n\n"
        ));
    }
    let found = detect(&mail, Policy::default());
    assert_eq!(
        (found.cuts.preamble_end, found.cuts.epilogue_start),
        (0, None)
    );
    assert!(found.doubt >= 0.5, "{}", found.doubt);
}

#[test]
fn shipped_weights_are_whole_and_come_back_as_they_were_written() {
    for shipped in [Profile::gutenberg(), Profile::generic()] {
        assert_ne!(**shipped, Profile::default(), "they could not be read");
        let again = Profile::parse(&shipped.to_tsv()).unwrap();
        assert_eq!(again.to_tsv(), shipped.to_tsv());
    }
    assert!(Profile::generic().is_for_any_library() && !Profile::gutenberg().is_for_any_library());
}

#[test]
fn a_bad_line_of_weights_is_named() {
    for (text, part) in [
        ("", "first line"),
        (
            "end\tfact\tweight\nstart\tplace:nothing\n",
            "line 2 has 2 columns",
        ),
        ("end\tfact\tweight\nmiddle\tplace:nothing\t1\n", "'middle'"),
        (
            "end\tfact\tweight\nstart\tplace:elsewhere\t1\n",
            "'place:elsewhere'",
        ),
        (
            "end\tfact\tweight\nstart\tplace:nothing\tmuch\n",
            "'much' is not a number",
        ),
        (
            "end\tfact\tweight\nstart\tplace:nothing\tNaN\n",
            "not a number",
        ),
        (
            "end\tfact\tweight\nend\ttemperature\t0\n",
            "from 0.01 to 100",
        ),
        (
            "end\tfact\tweight\nstart\tcut:block\t3e38\n",
            "out of range",
        ),
        (
            "end\tfact\tweight\nprofile\tloss-cost\t-1\n",
            "out of range",
        ),
        ("end\tfact\tweight\n", "no weights"),
    ] {
        let error = format!("{:#}", Profile::parse(text).unwrap_err());
        assert!(error.contains(part), "{text:?}: {error}");
    }
}

#[test]
fn a_profile_that_was_cut_off_is_refused() {
    let whole = Profile::generic().to_tsv();
    for (at, _) in whole.match_indices('\n').step_by(97) {
        for end in [at, at + 1, at - 1] {
            let found = Profile::parse(&whole[..end]);
            assert!(found.is_err(), "{end} of {} bytes", whole.len());
        }
    }
    assert!(Profile::parse(&whole).is_ok());
}

/// Texts of blocks of all kinds, with blank lines between them.
fn texts() -> impl Strategy<Value = String> {
    let line = prop_oneof![
        Just("Produced by Somebody Else".to_owned()),
        Just("*** START OF THIS PROJECT GUTENBERG EBOOK X ***".to_owned()),
        Just("End of the Project Gutenberg EBook of X".to_owned()),
        Just("[Transcriber's Note: the text was kept".to_owned()),
        Just("as it was.]".to_owned()),
        Just("* * * * *".to_owned()),
        Just("Title: The Lamp".to_owned()),
        Just("THE LAMP".to_owned()),
        Just(String::new()),
        Just(String::new()),
        "[a-z ]{20,60}",
    ];
    prop::collection::vec(line, 0..90).prop_map(|lines| lines.join("\n"))
}

proptest! {
    #[test]
    fn proposals_hold_together(text in texts()) {
        let scan = of_text(&text);
        let found = propose(&scan, &built_in().frequencies, &Parameters::default());
        let end = found.cuts.epilogue_start.unwrap_or(scan.lines + 1);
        prop_assert!(found.cuts.preamble_end < end);
        prop_assert!((0.0..=1.0).contains(&found.doubt));
        for (side, cut, nothing) in [
            (End::Start, found.cuts.preamble_end, 0),
            (End::End, end, scan.lines + 1),
        ] {
            let places: Vec<_> = found.candidates.iter().filter(|place| place.end == side).collect();
            prop_assert!(!places.is_empty() && places.len() <= 9);
            prop_assert_eq!(places[0].line, cut);
            prop_assert!(places.iter().any(|place| place.line == nothing));
            let mut lines: Vec<u32> = places.iter().map(|place| place.line).collect();
            lines.sort_unstable();
            lines.dedup();
            prop_assert_eq!(lines.len(), places.len(), "each place once");
        }
    }

    #[test]
    fn scores_are_the_weighted_facts(text in texts(), seed in any::<u64>()) {
        let scan = of_text(&text);
        // Weights that depend only on the seed.
        let weights: Vec<f32> = (0..WEIGHTS as u64)
            .map(|at| ((at.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ seed) >> 40) as f32 / 1e7 - 0.8)
            .collect();
        let counts = RowCounts::new(&scan, |_, _| 3);
        let (strips, cases) = choice_set::regions_and_choices(
            &scan,
            &counts,
            &DocumentFrequencies::default(),
            FactScope::AnyLibrary,
        );
        for (strip, case) in strips.iter().zip(&cases) {
            let scores = case.scores(&weights);
            prop_assert_eq!(scores.len(), strip.rows.len() + 1);
            prop_assert_eq!(&case.clone().compacted().scores(&weights), &scores);
            for place in 1..scores.len() {
                let facts = case.differences(place, 0);
                let slow: f32 = facts.iter().map(|&(fact, by)| by * weights[fact]).sum();
                prop_assert!((scores[place] - scores[0] - slow).abs() < 0.01 * (1.0 + slow.abs()));
            }
        }
    }
}

#[test]
fn the_best_cuts_of_an_end_that_contradicts_the_other_are_found_in_steps_that_double_with_the_places()
 {
    let steps = |places: usize| {
        let count = std::cell::Cell::new(0);
        let line = |end: usize, place: usize| {
            count.set(count.get() + 1);
            if end == 0 {
                place as u32
            } else {
                (places - place) as u32
            }
        };
        // Each end alone would be at the other end of the book.
        let shares: Vec<f32> = (0..places).map(|place| place as f32).collect();
        let likely = [(); 2].map(|()| CutPosterior {
            probabilities: shares.clone(),
        });
        let ([start, end], _) = posterior_result::best_pair(line, &likely);
        assert!(start + end + 1 == places, "{start} {end}");
        count.get()
    };
    let (one, two) = (steps(1000), steps(2000));
    assert!(two <= 2 * one + 10, "{one} and then {two} steps");
}
