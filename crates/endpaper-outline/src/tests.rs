//! Made-up books, one for each rule, and hostile input.

use super::*;
use endpaper_text::scan::{WindowOptions, scan};
use proptest::prelude::*;

fn read(source: &str) -> Outline {
    let text = BookText::new(source.as_bytes().to_vec());
    outline(&text, &scan(text.bytes(), WindowOptions::default()))
}

/// Running text of `paragraphs` paragraphs.
fn prose(paragraphs: usize) -> String {
    let paragraph = "it was late when they came down to the river, and nobody had thought of the\n\
         boats that were to take them over before the rain began to fall again.\n\n";
    paragraph.repeat(paragraphs)
}

/// The parts as text, indented by level, with their lines in the list and in the body.
fn parts(found: &Outline) -> Vec<String> {
    let or_dash = |line: Option<u32>| line.map_or("-".to_owned(), |line| line.to_string());
    let shown = |entry: &OutlineEntry| {
        let indent = " ".repeat(usize::from(entry.level) - 1);
        format!(
            "{indent}{entry} [{} {}]",
            or_dash(entry.listed),
            or_dash(entry.line)
        )
    };
    found.entries.iter().map(shown).collect()
}

/// The names of the parts only.
fn names(source: &str) -> Vec<String> {
    let found = read(source);
    found.entries.iter().map(OutlineEntry::to_string).collect()
}

/// A body with text after each heading.
fn body(headings: &[&str]) -> String {
    headings
        .iter()
        .map(|heading| format!("{heading}\n\n{}\n\n", prose(12)))
        .collect()
}

#[test]
fn a_list_is_linked_to_the_headings() {
    let source = format!(
        "A TALE\n\n\nCONTENTS\n\n  I. The Boat ........ 3\n  II. The River ...... 19\n III. The Sea ....... 40\n\n\n{}",
        body(&[
            "CHAPTER I\n\nTHE BOAT",
            "CHAPTER II\n\nTHE RIVER",
            "CHAPTER III\n\nTHE SEA"
        ])
    );
    let found = read(&source);
    assert_eq!(
        parts(&found),
        [
            "Chapter 1. The Boat [6 11]",
            "Chapter 2. The River [7 53]",
            "Chapter 3. The Sea [8 95]"
        ]
    );
    let list = found.lists[0];
    assert_eq!(
        (list.first, list.last, list.entries, list.linked),
        (4, 8, 3, 3)
    );
}

#[test]
fn a_cut_behind_or_inside_a_list_swallows_it() {
    let source = format!(
        "A TALE\n\n\nCONTENTS\n\nChapter I\nChapter II\nChapter III\n\n\n{}",
        body(&["CHAPTER I", "CHAPTER II", "CHAPTER III"])
    );
    let found = read(&source);
    let lines = (found.lists[0].first, found.lists[0].last);
    assert_eq!(lines, (4, 8));
    for (cut, swallowed) in [(0, false), (3, false), (4, true), (8, true), (20, true)] {
        assert_eq!(
            found.toc_outside_body(cut, None).is_some(),
            swallowed,
            "{cut}"
        );
    }
    assert!(found.toc_outside_body(0, Some(8)).is_some());
    assert!(found.toc_outside_body(0, Some(9)).is_none());
}

#[test]
fn a_list_ends_where_it_would_refer_to_itself() {
    // The body begins right below the list, without blank lines.
    let source = format!(
        "CONTENTS\n\nPreface\nThe Boat\nThe River\nThe Sea\n\n{}",
        body(&["PREFACE", "THE BOAT", "THE RIVER", "THE SEA"])
    );
    let found = read(&source);
    assert_eq!(found.lists[0].last, 6);
    assert_eq!(parts(&found)[1], "The Boat [4 48]");
}

#[test]
fn references_keep_their_order_and_each_has_a_heading_of_its_own() {
    // The second `Song` is another part, and an entry out of order is not linked.
    let source = format!(
        "CONTENTS\n\nDawn\nSong\nNoon\nSong of the Boatmen\nNight\n\n\n\n{}",
        body(&["NIGHT", "DAWN", "SONG", "NOON", "SONG OF THE BOATMEN"])
    );
    let found = read(&source);
    let linked: Vec<bool> = found
        .entries
        .iter()
        .filter(|entry| entry.listed.is_some())
        .map(|entry| entry.line.is_some())
        .collect();
    assert_eq!(linked, [true, true, true, true, false]);
}

#[test]
fn a_list_needs_no_heading_if_its_numbers_stand_together() {
    let source = format!(
        "A TALE\n\n\nChapter I. The Boat\nChapter II. The River\nChapter III. The Sea\n\n\n{}",
        body(&[
            "Chapter I. The Boat",
            "Chapter II. The River",
            "Chapter III. The Sea"
        ])
    );
    let found = read(&source);
    assert_eq!((found.lists[0].first, found.lists[0].linked), (4, 3));
    // Chapters with text between them are not a list.
    let without = body(&[
        "Chapter I. The Boat",
        "Chapter II. The River",
        "Chapter III. The Sea",
    ]);
    assert!(read(&without).lists.is_empty());
}

#[test]
fn a_word_above_prose_heads_no_list() {
    let source = format!(
        "CONTENTS\n\n{}{}",
        prose(3),
        body(&["CHAPTER I", "CHAPTER II"])
    );
    assert!(read(&source).lists.is_empty());
    let pictures = format!(
        "LIST OF ILLUSTRATIONS\n\nThe Boat\nThe River\n\n\n{}",
        body(&["THE BOAT", "THE RIVER"])
    );
    assert!(read(&pictures).lists.is_empty());
}

#[test]
fn a_list_may_tell_what_happens_in_each_chapter() {
    let told = "The boat--How it was built--Who was to steer it down the river and to the sea\n\
        --The rain--What the boatmen said about the rain, and what came of it in the\nend, with other matters\n\n";
    let source = format!(
        "CONTENTS\n\nCHAPTER I\n\n{told}CHAPTER II\n\n{told}CHAPTER III\n\n{told}\n\n{}",
        body(&["CHAPTER I", "CHAPTER II", "CHAPTER III"])
    );
    let found = read(&source);
    assert_eq!((found.lists[0].entries, found.lists[0].linked), (3, 3));
}

#[test]
fn a_list_may_repeat_names_with_ditto_marks_and_break_titles() {
    let headings = [
        "CHAPTER I\n\nTHE BOAT",
        "CHAPTER II\n\nTHE RIVER",
        "CHAPTER III\n\nNO SEA",
    ];
    let marks = "CONTENTS\n\nCHAPTER I.--THE BOAT......3\n\n   “    II.--THE RIVER.....9\n\n   “    III.--NO SEA....40\n\n\n\n";
    let broken = "CONTENTS\n\nCHAPTER I\nTHE\nBOAT\n\nCHAPTER II\nTHE\nRIVER\n\nCHAPTER III\nNO\nSEA\n\n\n\n";
    let bare = "CONTENTS\n\n1. The Boat\n2. The River\n3. No Sea\n\n\n\n";
    for list in [marks, broken, bare] {
        let found = read(&format!("{list}{}", body(&headings)));
        assert_eq!(
            (found.lists[0].entries, found.lists[0].linked),
            (3, 3),
            "{list}"
        );
        assert!(
            found
                .entries
                .iter()
                .all(|entry| entry.kind == HeadingKind::Chapter),
            "{list}"
        );
        assert!(
            titles_agree(&found.entries[2].title, "No Sea"),
            "{:?}",
            found.entries[2]
        );
    }
    // A quotation mark before a word is not a ditto mark.
    let quoted = "CONTENTS\n\nI. The Boat\nII. The River\nIII. \"I went\"\n\"I came\"\n\n\n\n";
    let found = read(&format!("{quoted}{}", body(&headings)));
    assert!(
        found
            .entries
            .iter()
            .all(|entry| entry.number != Some(1) || entry.title != "came")
    );
}

#[test]
fn a_number_may_stand_below_the_name_of_the_work() {
    let books = [
        "PUBLI VERGILI MARONIS\nAENEIDOS\nLIBER I",
        "PUBLI VERGILI MARONIS\nAENEIDOS\nLIBER II",
        "PUBLI VERGILI MARONIS\nAENEIDOS\nLIBER III",
    ];
    assert_eq!(names(&body(&books)), ["Book 1", "Book 2", "Book 3"]);
    assert_eq!(
        names(&body(&["Yhdeskolmatta runo", "Kahdeskolmatta runo"])),
        ["Canto 21", "Canto 22"]
    );
}

#[test]
fn letters_may_share_one_heading() {
    let letters = format!("LETTERS\n\n\n{}", body(&["\n\nTO MISS LEE"; 6]));
    assert_eq!(names(&letters), ["TO MISS LEE"; 6]);
    // A line repeated again and again is not a title.
    let running = format!("A TALE\n\n\n{}", body(&["\n\nTHE BOAT"; 6]));
    assert_eq!(names(&running), [""; 0]);
}

#[test]
fn stanzas_are_no_parts() {
    let stanzas: String = (1..30)
        .map(|number| {
            format!(
                "{number}\n\n{}",
                "and down the river came the boat\n".repeat(12) + "\n"
            )
        })
        .collect();
    let poem = format!("CANTO I\n\n{stanzas}\n\nCANTO II\n\n{stanzas}");
    assert_eq!(names(&poem), ["Canto 1", "Canto 2"]);
}

#[test]
fn a_list_may_stand_at_the_end() {
    let source = format!(
        "{}TABLE\n\nI. Le bateau\nII. Le fleuve\nIII. La mer\n",
        body(&["I\n\nLE BATEAU", "II\n\nLE FLEUVE", "III\n\nLA MER"])
    );
    let found = read(&source);
    assert_eq!(found.lists[0].linked, 3);
    assert!(found.entries.iter().all(|entry| entry.line < entry.listed));
}

#[test]
fn chapters_of_many_languages_need_no_list() {
    let table: &[(&[&str], &[&str])] = &[
        (&["CHAPTER I", "CHAPTER II"], &["Chapter 1", "Chapter 2"]),
        (
            &["Erstes Kapitel", "Zweites Kapitel"],
            &["Chapter 1", "Chapter 2"],
        ),
        (
            &["CHAPITRE PREMIER", "CHAPITRE II"],
            &["Chapter 1", "Chapter 2"],
        ),
        (&["CAPÍTULO I", "CAPÍTULO II"], &["Chapter 1", "Chapter 2"]),
        (&["PRIMERA PARTE", "SEGUNDA PARTE"], &["Part 1", "Part 2"]),
        (&["CANTO I", "CANTO II"], &["Canto 1", "Canto 2"]),
        (&["LETTER I", "LETTER II"], &["Letter 1", "Letter 2"]),
        (&["I", "II", "III"], &["1", "2", "3"]),
        (&["1", "2", "3"], &["1", "2", "3"]),
        (&["ONE", "TWO", "THREE"], &["1", "2", "3"]),
        (
            &["PREFACE", "CHAPTER I", "CHAPTER II", "EPILOGUE"],
            &["PREFACE", "Chapter 1", "Chapter 2", "EPILOGUE"],
        ),
        // A number or a blank line may be missing.
        (&["I", "II", "IV"], &["1", "2", "4"]),
    ];
    for (headings, expected) in table {
        assert_eq!(names(&body(headings)), *expected, "{headings:?}");
    }
}

#[test]
fn numbers_that_stand_together_or_in_sentences_are_no_headings() {
    let verses: String = (1..40)
        .map(|number| format!("{number}\n\nand it came to pass\n\n"))
        .collect();
    let notes: String = (1..9)
        .map(|number| {
            format!(
                "{number}. See the first book, and what is said of it there.\n\n{}",
                prose(9)
            )
        })
        .collect();
    let years = body(&["1899", "1900", "1901"]);
    for source in [verses, notes, years] {
        let found = names(&source);
        assert!(
            found
                .iter()
                .all(|name| !name.starts_with(|c: char| c.is_ascii_digit()) || name.len() == 4),
            "{found:?}"
        );
    }
}

#[test]
fn titles_are_headings_where_there_are_no_numbers() {
    let stories = format!(
        "TALES\n\n{}",
        body(&[
            "\n\nTHE BOAT",
            "\n\nTHE RIVER",
            "\n\nTHE SEA",
            "\n\nTHE END"
        ])
    );
    assert_eq!(names(&stories), ["THE BOAT", "THE RIVER", "THE SEA"]);
    // Speakers are repeated too often.
    let play: String = (0..9)
        .map(|_| format!("\n\nHAMLET.\n\n{}", prose(3)))
        .collect();
    assert_eq!(names(&play), [""; 0]);
    // In a book with chapters, lines in capitals are not headings.
    let chapters = body(&[
        "CHAPTER I",
        "\n\nTHE LETTER SAID",
        "CHAPTER II",
        "CHAPTER III",
    ]);
    assert_eq!(names(&chapters), ["Chapter 1", "Chapter 2", "Chapter 3"]);
}

#[test]
fn scenes_are_found_however_they_are_counted() {
    let table: &[(&[&str], &[&str])] = &[
        (
            &["Actus Primus.", "Scena Secunda.", "Scoena Tertia."],
            &["Act 1", "Scene 2", "Scene 3"],
        ),
        (
            &["ACTE I", "Scène 1.I.", "Scène 1.II."],
            &["Act 1", "Scene 1", "Scene 2"],
        ),
        (
            &["SCAENA PRÎMA", "SECUNDA SCAENA", "SCAENA TERTIA"],
            &["Scene 1", "Scene 2", "Scene 3"],
        ),
        // A stage direction is not a title, a place is.
        (
            &["ACT I\n\nEnter two Boatmen.", "SCENE I\n\nThe River"],
            &["Act 1", "Scene 1. The River"],
        ),
    ];
    for (headings, expected) in table {
        assert_eq!(names(&body(headings)), *expected, "{headings:?}");
    }
}

#[test]
fn the_persons_of_a_play_are_a_part() {
    let play = |persons: &str| {
        let acts = body(&["ACT I", "ACT II"]);
        names(&format!("THE BOAT\n\n{persons}\n\n{acts}"))
    };
    let list = "ANN, a boatwoman.\nCARL, her son.";
    for name in [
        "CHARACTERS",
        "Personen:",
        "PERSONS OF THE PLAY",
        "Personnages",
    ] {
        let found = play(&format!("{name}\n\n{list}"));
        assert_eq!(found, [name, "Act 1", "Act 2"], "{name}");
    }
    let told = play(&format!("CHARACTERS\n\n{}", prose(1)));
    assert_eq!(told, ["Act 1", "Act 2"]);
}

#[test]
fn what_belongs_to_something_else_is_no_title() {
    let table: &[(&[&str], &[&str])] = &[
        (
            &["VOL. I\n\nLONDON: SMITH AND SONS, PUBLISHERS", "CHAPTER I"],
            &["Volume 1", "Chapter 1"],
        ),
        (
            &["VOLUME I\n\nCONTENTS", "CHAPTER I"],
            &["Volume 1", "Chapter 1"],
        ),
        (
            &["CHAPTER I\n\nRiver City, Ohio, May 16, 1915", "CHAPTER II"],
            &["Chapter 1", "Chapter 2"],
        ),
        // In a book of letters the dates are the titles.
        (
            &[
                "LETTER I\n\nLEE, May 16, 1815",
                "LETTER II\n\nLEE, May 17, 1815",
                "LETTER III\n\nLEE, May 18, 1815",
            ],
            &[
                "Letter 1. LEE, May 16, 1815",
                "Letter 2. LEE, May 17, 1815",
                "Letter 3. LEE, May 18, 1815",
            ],
        ),
    ];
    for (headings, expected) in table {
        assert_eq!(names(&body(headings)), *expected, "{headings:?}");
    }
    let changes =
        "[Transcriber's Note:\n\nThese lines were changed:\n\nScene 2 in ACT II\n\nScene 3\n]\n";
    let play = body(&["SCENE I", "SCENE II", "SCENE III", "SCENE IV"]);
    assert_eq!(names(&format!("{play}{changes}")), names(&play));
}

#[test]
fn numbers_may_begin_at_two_below_a_part() {
    let parts = ["PART ONE", "I", "II", "III", "PART TWO", "II", "III"];
    assert_eq!(
        names(&body(&parts)),
        ["Part 1", "1", "2", "3", "Part 2", "2", "3"]
    );
    // Without a part between them, a 2 does not begin a chain.
    assert_eq!(names(&body(&["I", "II", "III", "II"])), ["1", "2", "3"]);
}

#[test]
fn titles_of_one_list_are_of_one_rank() {
    let list = "CONTENTS\n\n  THE BOAT\n  THE RIVER\n  THE SEA\n\n\n\n";
    let stories = ["THE BOAT\n\n\nI", "II", "THE RIVER", "THE SEA\n\n\nI", "II"];
    let found = read(&format!("{list}{}", body(&stories)));
    let levels: Vec<u8> = found.entries.iter().map(|entry| entry.level).collect();
    assert_eq!(levels, [1, 2, 2, 1, 1, 2, 2]);
}

#[test]
fn a_list_may_stand_below_a_rule_and_count_each_story_anew() {
    let list = "The Boats - Ann Lee\n***\nContents:\n\nThe Boats\n\ni.    The River\nii.   The Rain\n\n        The Sea\ni.    The Harbour\nii.   The Storm\n\n\n\n";
    let stories = [
        "THE BOATS\n\n\nCHAPTER I. THE RIVER",
        "CHAPTER II. THE RAIN",
        "THE SEA\n\n\nCHAPTER I. THE HARBOUR",
        "CHAPTER II. THE STORM",
    ];
    let found = read(&format!("{list}{}", body(&stories)));
    assert_eq!((found.lists[0].entries, found.lists[0].linked), (6, 6));
    let numbers: Vec<Option<u32>> = found.entries.iter().map(|entry| entry.number).collect();
    assert_eq!(numbers, [None, Some(1), Some(2), None, Some(1), Some(2)]);
}

#[test]
fn the_last_of_a_list_may_have_no_number() {
    let list = "CONTENTS\n\nI    THE BOAT\nII   THE RIVER\nIII  THE SEA\n     EPILOGUE\n\n\n\n";
    let headings = [
        "I\n\nTHE BOAT",
        "II\n\nTHE RIVER",
        "III\n\nTHE SEA",
        "EPILOGUE",
    ];
    let found = read(&format!("{list}{}", body(&headings)));
    assert_eq!((found.lists[0].entries, found.lists[0].linked), (4, 4));
    assert_eq!(found.entries[2].title, "THE SEA");
}

#[test]
fn parts_hold_chapters_and_titles_hold_numbers() {
    let parted = body(&[
        "PREFACE",
        "PART I",
        "CHAPTER I",
        "CHAPTER II",
        "PART II",
        "CHAPTER III",
    ]);
    let levels = |source: &str| {
        read(source)
            .entries
            .iter()
            .map(|entry| entry.level)
            .collect::<Vec<u8>>()
    };
    assert_eq!(levels(&parted), [1, 1, 2, 2, 1, 2]);
    let stories = format!(
        "TALES\n\n\n\nTHE BOAT\n\n\n{}\n\n\nTHE RIVER\n\n\n{}",
        body(&["I", "II", "III"]),
        body(&["I", "II", "III"])
    );
    assert_eq!(levels(&stories), [1, 2, 2, 2, 1, 2, 2, 2]);
}

#[test]
fn headers_of_all_eras_say_the_same() {
    let modern = "The Project Gutenberg eBook of The Boat, by Ann Lee\n\nThis eBook is for the use of anyone anywhere\n\n\
        Title: The Boat\n       A Tale\n\nAuthor: Ann Lee\n\nTranslator: Carl Roe\n\nRelease Date: June 5, 2008 [eBook #1234]\n\
        Language: English\n\nCharacter set encoding: UTF-8\n\n*** START OF THE PROJECT GUTENBERG EBOOK THE BOAT ***\n\n\
        Produced by Pat Roy\n\n\nTHE BOAT\n\nby\n\nANN LEE\n\n\nLONDON\nSMITH AND SONS, PUBLISHERS\n1899\n\n\n";
    let old = "**The Project Gutenberg Etext of The Boat, by Ann Lee**\n#2 in our series by Ann Lee\n\n\
        Please take a look at the important information in this header.\n\nInformation on contacting Project Gutenberg to get \
        Etexts, and\nfurther information is included below.  We need your donations.\n\n\nThe Boat\n\nby Ann Lee\n\n\
        June, 1998  [Etext #1234]\n\n\nThe Project Gutenberg Etext of The Boat, by Ann Lee\n\
        ******This file should be named boat10.txt or boat10.zip******\n\n\
        *END*THE SMALL PRINT! FOR PUBLIC DOMAIN ETEXTS*Ver.04.29.93*END*\n\n\nThis etext was prepared by Pat Roy\n\n\n\
        THE BOAT\n\nby Ann Lee\n\nTranslated by Carl Roe\n\n";
    for (header, released, places) in [(modern, "2008-06-05", 4), (old, "1998-06", 3)] {
        let about = read(&format!("{header}{}", body(&["CHAPTER I", "CHAPTER II"]))).metadata;
        let title = about.title.unwrap();
        assert!(titles_agree(&title.value, "The Boat"), "{}", title.value);
        assert!(title.sources.len() >= places, "{:?}", title.sources);
        let names = |people: &[MetadataValue<String>]| {
            people
                .iter()
                .map(|one| one.value.clone())
                .collect::<Vec<_>>()
        };
        assert_eq!(names(&about.authors), ["Ann Lee"]);
        assert_eq!(names(&about.translators), ["Carl Roe"]);
        assert_eq!(about.released.unwrap().value.to_string(), released);
        assert_eq!(about.number.unwrap().value, 1234);
        assert_eq!(about.language.unwrap().value, "English");
        assert_eq!(about.producer.unwrap().value, "Pat Roy");
    }
    let about = read(modern).metadata;
    assert_eq!(about.encoding.unwrap().value, "UTF-8");
    assert_eq!(about.place.unwrap().value, "London");
    assert_eq!(about.publisher.unwrap().value, "SMITH AND SONS, PUBLISHERS");
    assert_eq!(about.published.unwrap().value, 1899);
}

#[test]
fn a_wrong_field_is_outvoted() {
    let source = "The Project Gutenberg EBook of Persuasion, by Jane Austen\n\nTitle: Persuasion\n\nAuthor: TESTING\n\n\
        *** START OF THIS PROJECT GUTENBERG EBOOK PERSUASION ***\n\nPERSUASION\n\nby\n\nJane Austen\n\n\nCHAPTER I\n";
    let about = read(source).metadata;
    assert_eq!(about.authors.len(), 1);
    assert_eq!(about.authors[0].value, "Jane Austen");
    assert_eq!(about.authors[0].instead, ["TESTING"]);
    let places: Vec<ValueExtractor> = about.authors[0]
        .sources
        .iter()
        .map(|source| source.extractor)
        .collect();
    assert_eq!(places, [ValueExtractor::Opening, ValueExtractor::TitlePage]);
}

#[test]
fn copyright_and_isbn_are_read_from_the_first_pages_only() {
    let pages =
        "THE BOAT\n\nby Ann Lee\n\nCopyright, 1911, by\nAnn Lee\n\nISBN 0-306-40615-2\n\n\n";
    let about = read(&format!("{pages}{}", body(&["CHAPTER I", "CHAPTER II"]))).metadata;
    assert_eq!(
        about.copyright.unwrap().value,
        "Copyright, 1911, by Ann Lee"
    );
    assert_eq!(about.published.unwrap().value, 1911);
    assert_eq!(about.isbns[0].value.as_str(), "0306406152");
    let behind = read(&format!("{}{pages}", prose(400))).metadata;
    assert_eq!((behind.copyright, behind.isbns.len()), (None, 0));
}

#[test]
fn the_language_is_told_by_the_words() {
    let german = "es war spät, als sie an den Fluss kamen, und niemand hatte an die Boote gedacht, mit denen sie nicht über\n\
        das Wasser fahren konnten, und der Regen war auf dem Weg zu ihnen\n\n";
    assert_eq!(
        read(&german.repeat(20)).metadata.language.unwrap().value,
        "German"
    );
    assert_eq!(read(&"1 2 3\n\n".repeat(50)).metadata.language, None);
    // Not Tagalog, though a quarter of the words are also words of Tagalog.
    let pali = "na so sa dhammo yo na janati, sa na bhikkhu ni so gacchati vanam, na ca si tena sahayo ti\n\n";
    assert_eq!(read(&pali.repeat(40)).metadata.language, None);
}

#[test]
fn hostile_books_are_read_in_time() {
    // Each of these must be read in linear time.
    let numbers: String = (0..200_000).map(|number| format!("{number}\n")).collect();
    let apart: String = (0..100_000)
        .map(|number| format!("\n{}\n", number % 7))
        .collect();
    let chapters = "\nCHAPTER I\n".repeat(100_000);
    let contents = "\nCONTENTS\n\nChapter 1\nChapter 2\nChapter 3\n".repeat(30_000);
    let titles: String = (0..100_000)
        .map(|number| format!("\nTHE SAME TITLE {}\n", number % 3))
        .collect();
    let sources = "\nREFERENCES\n\n1. One.\n".repeat(50_000);
    let line = "IV. The Same ".repeat(1 << 20);
    let spaces = " ".repeat(10 << 20);
    for source in [
        numbers, apart, chapters, contents, titles, sources, line, spaces,
    ] {
        let found = read(&source);
        assert!(found.lists.len() <= 12);
    }
}

proptest! {
    #[test]
    fn any_bytes_have_an_outline(bytes in proptest::collection::vec(any::<u8>(), 0..600)) {
        let text = BookText::new(bytes);
        let found = outline(&text, &scan(text.bytes(), WindowOptions::default()));
        prop_assert!(found.headings().all(|(line, level, _)| line >= 1 && line <= text.lines() && level >= 1));
    }

    #[test]
    fn lines_of_books_in_any_order_have_one(picks in proptest::collection::vec(0usize..LINES.len(), 0..80)) {
        let source: String = picks.iter().map(|&pick| format!("{}\n", LINES[pick])).collect();
        let found = read(&source);
        // Linked lines are in the body, in order, and outside the lists.
        let linked: Vec<u32> = found.entries.iter().filter_map(|entry| entry.line).collect();
        prop_assert!(linked.is_sorted(), "{:?}", linked);
        for list in &found.lists {
            prop_assert!(linked.iter().all(|line| !(list.first..=list.last).contains(line)));
            prop_assert!(list.linked <= list.entries);
        }
    }
}

/// Typical lines of books and headers.
const LINES: &[&str] = &[
    "",
    "",
    "CONTENTS",
    "CHAPTER I",
    "CHAPTER II. THE BOAT",
    "  II. The Boat ..... 3",
    "III",
    "PREFACE",
    "THE BOAT",
    "PART I",
    "by",
    "Ann Lee",
    "REFERENCES",
    "[1] A. Lee. The boat. 1899.",
    "Title: The Boat",
    "June, 1998  [Etext #1234]",
    "*** START OF THIS PROJECT GUTENBERG EBOOK THE BOAT ***",
    "End of the Project Gutenberg EBook of The Boat, by Ann Lee",
    "it was late when they came down to the river, and nobody had thought of it.",
    "LIST OF ILLUSTRATIONS",
    "1",
    "2",
    "3",
];
