//! Lists of references, and lists that are something else.

use super::*;
use endpaper_text::corpus::BookText;
use endpaper_text::scan::{WindowOptions, scan};

pub(super) fn lists(source: &str) -> Vec<Bibliography> {
    let text = BookText::new(source.into());
    let scan = scan(text.bytes(), WindowOptions::default());
    read(&BodyRows::new(&text, &scan))
}

#[test]
fn a_keyword_with_ordered_items_is_a_list() {
    let source = "It was shown before.\n\nREFERENCES\n\n[1] A. Smith and B. Jones. On the theory of\nbooks. Journal of \
        Books, 12:1-9, 1999.\n[2] Miller, C. (2001). Boiler-\nplates. Letters, 3.\n\n[3] D. Poe, \"A raven,\" Evening \
        Mirror, 1845.\n\nThe end.\n";
    let found = lists(source);
    assert_eq!(found.len(), 1);
    let told: Vec<_> = found[0]
        .items
        .iter()
        .map(|item| {
            let text = |text: &Option<String>| text.clone().unwrap_or_default();
            (
                item.line,
                text(&item.author),
                text(&item.title),
                text(&item.venue),
                item.year,
            )
        })
        .collect();
    let row = |line, author: &str, title: &str, venue: &str, year| {
        (
            line,
            author.to_owned(),
            title.to_owned(),
            venue.to_owned(),
            Some(year),
        )
    };
    assert_eq!(
        told,
        [
            row(
                5,
                "A. Smith and B. Jones",
                "On the theory of books",
                "Journal of Books",
                1999
            ),
            row(7, "Miller, C", "Boilerplates", "Letters", 2001),
            row(10, "D. Poe", "A raven", "Evening Mirror", 1845),
        ]
    );
}

#[test]
fn lists_behind_two_chapters_are_two() {
    let list = "Sources\n\n1. One, A. A book. 1900.\n2. Two, B. A book. 1901.\n\n";
    let prose = "He went on.\n\n".repeat(20);
    let found = lists(&format!("{list}{prose}{list}"));
    assert_eq!(found.len(), 2);
    assert_eq!(found[1].items.len(), 2);
}

/// Author, title, venue and year of all items.
fn parsed(source: &str) -> Vec<(String, String, String, Option<u32>)> {
    let found = lists(source);
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    let items = found.iter().flat_map(|list| &list.items);
    items
        .map(|item| {
            (
                text(&item.author),
                text(&item.title),
                text(&item.venue),
                item.year,
            )
        })
        .collect()
}

#[test]
fn items_are_split_however_they_are_written() {
    type Row<'a> = (&'a str, (&'a str, &'a str, &'a str, Option<u32>));
    let table: &[Row<'_>] = &[
        (
            "Bernard, Augustin. Le Maroc. Paris, F. Alcan, 1916.",
            ("Bernard, Augustin", "Le Maroc", "", Some(1916)),
        ),
        (
            "Doutté, E. En Tribu. Paris, 1914.",
            ("Doutté, E", "En Tribu", "", Some(1914)),
        ),
        (
            "MAGNAN ET LEGRAIN--_Les dégénérés_ (Archives de Neurologie, vol. XIII);",
            (
                "MAGNAN ET LEGRAIN",
                "Les dégénérés",
                "Archives de Neurologie",
                None,
            ),
        ),
        (
            "Cody, W. J. (1988). MACHAR: A subroutine. Transactions on Mathematical Software, 14(4), 303–311.",
            (
                "Cody, W. J",
                "MACHAR: A subroutine",
                "Transactions on Mathematical Software",
                Some(1988),
            ),
        ),
        (
            "Chambers, J. M. and Hastie, T. J. (1992) Statistical Models in S. Wadsworth & Brooks/Cole.",
            (
                "Chambers, J. M. and Hastie, T. J",
                "Statistical Models in S",
                "",
                Some(1992),
            ),
        ),
        (
            "Michel Goossens, Frank Mittelbach, and Alexander Samarin, The LATEX Companion, Addison-Wesley, Reading, 1994.",
            (
                "Michel Goossens, Frank Mittelbach, and Alexander Samarin",
                "The LATEX Companion",
                "",
                Some(1994),
            ),
        ),
        (
            "Till Tantau: User Guide to the Beamer Class, Version 3.07, March 11, 2007",
            (
                "Till Tantau",
                "User Guide to the Beamer Class",
                "",
                Some(2007),
            ),
        ),
        (
            "Lang, David Marshall (Trans.): \"The Balavariani: A Tale\" (California University Press, Los Angeles, 1966). A translation.",
            (
                "Lang, David Marshall",
                "The Balavariani: A Tale",
                "",
                Some(1966),
            ),
        ),
        (
            "_Notes of Conversations_, by Earl Stanhope, p. 182.",
            ("Earl Stanhope", "Notes of Conversations", "", None),
        ),
        (
            "Conférences Marocaines. Paris, Plon-Nourrit.",
            ("", "Conférences Marocaines", "", None),
        ),
        // Pages are not years.
        (
            "A. Lee. The boat. Journal of Boats, 12:1845-1850, 1999.",
            ("A. Lee", "The boat", "Journal of Boats", Some(1999)),
        ),
        (
            "Ann Lee. The war of 1812. Letters, pp. 1501-1502.",
            ("Ann Lee", "The war of 1812", "Letters", Some(1812)),
        ),
    ];
    for (text, (author, title, venue, year)) in table {
        let source = format!("REFERENCES\n\n1. {text}\n2. Somebody, Else. Another book. 1900.\n");
        let found = parsed(&source);
        let expected = (
            (*author).to_owned(),
            (*title).to_owned(),
            (*venue).to_owned(),
            *year,
        );
        assert_eq!(found[0], expected, "{text}");
    }
}

#[test]
fn author_lists_are_read_in_all_common_forms() {
    let table = [
        (
            "T. H. Cormen, C. E. Leiserson and R. L. Rivest. Introduction to Algorithms. MIT Press, 1990.",
            "T. H. Cormen, C. E. Leiserson and R. L. Rivest",
            "Introduction to Algorithms",
        ),
        (
            "W. H. Press, S. A. Teukolsky, W. T. Vetterling, and B. P. Flannery. Numerical Recipes in C. Cambridge University Press, second edition, 1992.",
            "W. H. Press, S. A. Teukolsky, W. T. Vetterling, and B. P. Flannery",
            "Numerical Recipes in C",
        ),
        (
            "E. Gamma, R. Helm, R. Johnson, J. Vlissides: Design Patterns: Elements of Reusable Software. Addison-Wesley, 1995.",
            "E. Gamma, R. Helm, R. Johnson, J. Vlissides",
            "Design Patterns: Elements of Reusable Software",
        ),
        (
            "Gonzalez, R. C., and R. E. Woods, Digital Image Processing, Addison-Wesley, Reading, MA, 1992.",
            "Gonzalez, R. C., and R. E. Woods",
            "Digital Image Processing",
        ),
        (
            "Cormen, T. H., Leiserson, C. E., & Rivest, R. L. (1990). Introduction to algorithms. MIT Press.",
            "Cormen, T. H., Leiserson, C. E., & Rivest, R. L",
            "Introduction to algorithms",
        ),
        (
            "J. Canny, “A computational approach to edge detection,” IEEE Trans. Pattern Anal. Machine Intell., vol. 8, pp. 679–698, 1986.",
            "J. Canny",
            "A computational approach to edge detection",
        ),
        (
            "Watson JD, Crick FHC. Molecular structure of nucleic acids. Nature. 1953;171:737–738.",
            "Watson JD, Crick FHC",
            "Molecular structure of nucleic acids",
        ),
        (
            "Brooks, Frederick P., Jr. The Mythical Man-Month. Addison-Wesley, 1975.",
            "Brooks, Frederick P., Jr",
            "The Mythical Man-Month",
        ),
        (
            "J. von Neumann and O. Morgenstern, Theory of Games and Economic Behavior, Princeton University Press, 1944.",
            "J. von Neumann and O. Morgenstern",
            "Theory of Games and Economic Behavior",
        ),
        (
            "World Health Organization. Diet, nutrition and the prevention of chronic diseases. WHO Press, Geneva, 2003.",
            "World Health Organization",
            "Diet, nutrition and the prevention of chronic diseases",
        ),
        (
            "B. P. Abbott et al., Observation of gravitational waves, Phys. Rev. Lett. 116, 061102 (2016).",
            "B. P. Abbott et al",
            "Observation of gravitational waves",
        ),
        (
            "Jan van Leeuwen (ed.), Handbook of Theoretical Computer Science, vol. A, Elsevier, 1990.",
            "Jan van Leeuwen",
            "Handbook of Theoretical Computer Science",
        ),
    ];
    for (text, author, title) in table {
        for list in [
            format!(
                "REFERENCES\n\n1. {text}\n2. D. E. Knuth. The TeXbook. Addison-Wesley, 1984.\n"
            ),
            format!(
                "REFERENCES\n\n[Key99] {text}\n[Knu84] D. E. Knuth. The TeXbook. Addison-Wesley, 1984.\n"
            ),
        ] {
            let found = parsed(&list);
            assert_eq!(found.len(), 2, "{list}");
            assert_eq!(
                (found[0].0.as_str(), found[0].1.as_str()),
                (author, title),
                "{text}"
            );
        }
    }
}

#[test]
fn abbreviated_venues_stay_whole() {
    for (text, venue) in [
        (
            "J. Canny. A computational approach to edge detection. IEEE Trans. Pattern Anal. Machine Intell., 8(6):679–698, 1986.",
            "IEEE Trans. Pattern Anal. Machine Intell",
        ),
        (
            "J. W. Cooley and J. W. Tukey, An algorithm for the calculation of Fourier series, Math. Comp., 19 (1965), pp. 297–301.",
            "Math. Comp",
        ),
        (
            "S. A. Cook. The complexity of theorem-proving procedures. In Proc. 3rd Annual ACM Symposium on Theory of Computing, pages 151–158, 1971.",
            "Proc. 3rd Annual ACM Symposium on Theory of Computing",
        ),
    ] {
        let found = parsed(&format!(
            "References\n\n[1] {text}\n[2] D. E. Knuth. The TeXbook. 1984.\n"
        ));
        assert_eq!(found[0].2, venue, "{text}");
    }
}

#[test]
fn numbers_may_stand_alone() {
    let source = "References\n\n1 D. E. Knuth. The TeXbook. Addison-Wesley, 1984.\n2 L. Lamport. LaTeX: A document\n  preparation system. Addison-Wesley, 1994.\n\
        3 T. Tantau. The TikZ and PGF packages. 2010.\n";
    let found = lists(source);
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].items.len(), found[0].numbered), (3, true));
    assert_eq!(parsed(source)[1].1, "LaTeX: A document preparation system");
    // Numbers before other text are not those of references.
    assert_eq!(
        lists("Sources\n\n1 The first of them.\n2 The second of them.\n3 The third.\n"),
        []
    );
}

#[test]
fn citation_keys_may_be_names_and_years() {
    let source = "References\n[Aho et al.(1986)Aho, Sethi, and Ullman] Alfred V. Aho, Ravi Sethi, and Jef-\n    frey D. Ullman. Compilers. Addison-Wesley, 1986.\n\
        [Berners-Lee et al.(1994)Berners-Lee, Cailliau, Luotonen,\n    Nielsen, and Secret] T. Berners-Lee and R. Cailliau. Weaving the web. Geneva, 1994.\n\
        [Knuth(1984)] D. E. Knuth. The TeXbook. Addison-Wesley, 1984.\n";
    let found = parsed(source);
    let authors: Vec<&str> = found.iter().map(|item| item.0.as_str()).collect();
    assert_eq!(
        authors,
        [
            "Alfred V. Aho, Ravi Sethi, and Jeffrey D. Ullman",
            "T. Berners-Lee and R. Cailliau",
            "D. E. Knuth"
        ]
    );
}

#[test]
fn hostile_items_take_linear_time() {
    let start = std::time::Instant::now();
    for part in [
        "A. ",
        "A, ",
        "A., ",
        "and ",
        "Smith, ",
        "Smith, J., ",
        "(1990) ",
        "“",
        "Aaa. ",
        "A.B.",
        "'’‘",
        "et al. ",
    ] {
        let long = part.repeat(1 << 20 >> part.len().ilog2());
        lists(&format!("References\n\n[1] {long}\n[2] {long}\n"));
        let lines = format!("{}\n", part.repeat(20)).repeat(200);
        lists(&format!("References\n\n[1] {lines}[2] {lines}\n"));
        let many: String = (1..60)
            .map(|number| format!("[{number}] {}\n", part.repeat(40)))
            .collect();
        lists(&format!("References\n\n{many}"));
    }
    let seconds = start.elapsed().as_secs();
    assert!(seconds < 120, "{seconds} s");
}

#[test]
fn lists_without_numbers_are_told_by_what_they_hold() {
    let hanging = "BOOKS CONSULTED\n\n\nBernard, Augustin. Le Maroc. Paris, F.\n  Alcan, 1916.\nBudgett-Meakin. The Land of the Moors.\n  London, 1902.\n\
        Loti, Pierre. Au Maroc.\n\n\nINDEX\n\nAbdallah, 12.\nAgdal, 14.\nAhmed, 15.\n";
    let blank = "BIBLIOGRAPHIA\n\n\nTRABALHOS FRANCEZES:\n\nFOVILLE--_La folie_;\n\nGARNIER--_Des idées_;\n\nRÉGIS--_Manuel\npratique_;\n\n\n\
        TRABALHOS ALLEMÃES:\n\nCRAMER--_Abgrenzung_ (Allg.\nZeitschr., vol. II);\n\nFRITSCH--_Die Verwirrtheit_;\n\n\nINDICE\n\nPREFACIO\n";
    let stacked = "Bibliography\n\nWhat follows is a list of what may be of use.\n\nBooks\n\nComer, Douglas E.\n     Internetworking With TCP/IP\n\
        \u{20}    Prentice Hall\n     1991\n\nGibson, William\n     Neuromancer\n     Ace\n     1984\n\nLevy, Stephen\n     Hackers\n     Anchor\n     1984\n";
    let keyed = "References\n[DS13]    Marco Daniel and Elke Schubert. The mdframed package, 2013.\n[Fai11]   Robin Fairbairns. The moreverb\n          package, 2011.\n\n\nIndex\n";
    let single = "References\n\n    Cody, W. J. (1988). MACHAR: A subroutine. Trans-\n    actions on Mathematical Software, 14(4), 303–311.\n\nSee Also\n\n    Platform.\n";
    let table = [
        (hanging, 3, 8),
        (blank, 5, 19),
        (stacked, 3, 20),
        (keyed, 2, 4),
        (single, 1, 4),
    ];
    for (source, items, last) in table {
        let found = lists(source);
        assert_eq!(found.len(), 1, "{source}");
        assert_eq!(
            (found[0].items.len(), found[0].last, found[0].numbered),
            (items, last, false),
            "{source}"
        );
        let numbers: Vec<u32> = found[0].items.iter().map(|item| item.number).collect();
        assert_eq!(numbers, (1..=items as u32).collect::<Vec<u32>>());
    }
    let of = |source: &str| parsed(source)[0].clone();
    let row = |author: &str, title: &str, venue: &str, year| {
        (author.to_owned(), title.to_owned(), venue.to_owned(), year)
    };
    assert_eq!(
        of(stacked),
        row(
            "Comer, Douglas E",
            "Internetworking With TCP/IP",
            "",
            Some(1991)
        )
    );
    assert_eq!(
        parsed(blank)[3],
        row("CRAMER", "Abgrenzung", "Allg. Zeitschr", None)
    );
    assert_eq!(of(single).2, "Transactions on Mathematical Software");
}

#[test]
fn another_work_of_an_author_has_the_author() {
    let source = "BOOKS CONSULTED\n\nSaladin, H. Manuel d'Art. Paris, 1907.\n\nSegonzac, Marquis de. Voyages. Paris, 1903.\n\n  Au Coeur de l'Atlas. Paris, 1910.\n\n\
        Windus, J. A Journey. London, 1721.\n";
    let authors: Vec<String> = parsed(source).into_iter().map(|item| item.0).collect();
    assert_eq!(
        authors,
        [
            "Saladin, H",
            "Segonzac, Marquis de",
            "Segonzac, Marquis de",
            "Windus, J"
        ]
    );
}

#[test]
fn pages_do_not_break_items() {
    let source = "REFERENCES\n\n[1] A. Smith. On the theory of\n\n                                 14\n\u{c}books. Letters, 3, 1999.\n[2] B. Jones. Boats. 2000.\n";
    let found = lists(source);
    assert_eq!(found[0].items.len(), 2);
}

#[test]
fn other_lists_are_none() {
    let gap = "\n".repeat(31);
    for source in [
        // Not a keyword alone.
        "The references are\n\n1. One.\n2. Two.\n".to_owned(),
        // No numbers.
        "REFERENCES\n\nSmith, On books.\nJones, On more.\n".to_owned(),
        // Too far below the keyword, and too far apart.
        format!("REFERENCES\n{gap}1. One.\n2. Two.\n"),
        format!("REFERENCES\n\n1. One.\n{gap}2. Two.\n"),
        // Not in order.
        "REFERENCES\n\n2. Two.\n1. One.\n3. Three.\n".to_owned(),
    ] {
        assert_eq!(lists(&source), [], "{source}");
    }
}

#[test]
fn what_is_no_reference_does_not_end_a_list_and_is_not_in_it() {
    let item = |name: &str, year: u32| {
        format!(
            "{name} A ({year}). \u{201c}On the {name} of books.\u{201d} Journal of\n  Books, 3(1), 1-9.\n\n"
        )
    };
    let names = ["Able", "Baker", "Cole", "Dunn", "Eads", "Ford"];
    let all: Vec<String> = names
        .iter()
        .zip(1990..)
        .map(|(name, year)| item(name, year))
        .collect();
    let (first, last) = (all[..4].concat(), all[4..].concat());
    // A line of a figure, at 30 columns, and a table of forty lines.
    let figure = format!("\u{c}{}plot(model)\n\n", " ".repeat(30));
    let table = format!("\u{c}{}\n", "      12      no      yes\n".repeat(40));
    let contact = "Affiliation:\nAda Able\nDepartment of Books\nE-mail: ada.able@example.org\n\n";
    let other = "Bo Baker\nhttp://example.org\nbo@example.org\n\n";
    for (between, after) in [
        ("", ""),
        (&figure, ""),
        (&table, ""),
        ("", contact),
        ("", other),
    ] {
        let source = format!("Before.\n\nReferences\n\n{first}{between}{last}{after}The end.\n");
        let found = lists(&source);
        assert_eq!(found.len(), 1, "{source}");
        let ends: Vec<bool> = found[0]
            .items
            .iter()
            .map(|item| item.text.ends_with("1-9."))
            .collect();
        assert_eq!(ends, [true; 6], "{:?}\n{source}", found[0].items);
    }
}

#[test]
fn long_references_are_no_prose_among_short_ones() {
    let many: Vec<String> = (1..60)
        .map(|n| format!("{} Writer{n}", char::from(b'A' + n % 26)))
        .collect();
    let many = many
        .chunks(4)
        .map(|names| names.join(", "))
        .collect::<Vec<_>>()
        .join(",\n  ");
    let mut source = "Before.\n\nReferences\n\n".to_owned();
    for name in ["Able", "Baker", "Cole", "Dunn", "Eads"] {
        source +=
            &format!("A. {name}. The {name} of all books. Journal of Books,\n  2:3-4, 1999.\n");
    }
    source +=
        &format!("B. Ford, {many}, and Z. Last. The many. Journal of Books,\n  4:5-6, 2001.\n");
    let found = lists(&source);
    assert_eq!(
        found.first().map(|list| list.items.len()),
        Some(6),
        "{found:?}"
    );
}

#[test]
fn words_go_on_and_years_have_letters() {
    let source = "Before.\n\nReferences\n\nA. Able. Boxes of books. Machines, 2(1):3-4, 1996a.\n\nA. Able. Out of the box. \
        Report, Department of Books, 1996b.\n\nC. Cole. Boxes. Chapman and Hal-\n\n  Author of this                1\n\n  ls/XYZ, \
        London, 1999.\n\n";
    let found = lists(source);
    let years: Vec<_> = found[0].items.iter().map(|item| item.year).collect();
    assert_eq!(years, [Some(1996), Some(1996), Some(1999)]);
}

#[test]
fn programs_identifiers_and_years_end_no_title_late() {
    let table = [
        (
            "Able B, Cole D (2019). abc: Books with R. R package version 1.2-7, URL https://example.org/package=abc.",
            ("Able B, Cole D", "abc: Books with R", "", Some(2019)),
        ),
        (
            "Cole D (2012). def: Calls from S. R package version 0.3, URL https://example.org/package=def.",
            ("Cole D", "def: Calls from S", "", Some(2012)),
        ),
        (
            "Dunn C (2001). Tools for books. Python package version 1.17.0, URL https://example.org/dunn.",
            ("Dunn C", "Tools for books", "", Some(2001)),
        ),
        (
            "Harris Jr FE (2018). ghi: Strategies of books. R package version 5.1-2, URL https://example.org/ghi.",
            ("Harris Jr FE", "ghi: Strategies of books", "", Some(2018)),
        ),
        (
            "Wiki Contributors (2013). Global books are bad. http://example.org/?Global1900.",
            ("Wiki Contributors", "Global books are bad", "", Some(2013)),
        ),
    ];
    let items: String = table
        .iter()
        .map(|(text, _)| format!("{text}\n\n"))
        .collect();
    let found = parsed(&format!("References\n\n{items}"));
    for ((text, expected), (author, title, venue, year)) in table.iter().zip(&found) {
        let found = (author.as_str(), title.as_str(), venue.as_str(), *year);
        assert_eq!(found, *expected, "{text}");
    }
    assert_eq!(found.len(), table.len());

    let table = [
        (
            "C. Able and M. Baker. abc: Clusters of books, 2013. URL http://example.org/abc. R package version 0.2.12.",
            "abc: Clusters of books",
            2013,
        ),
        (
            "D. Cole. First steps with books, 2012. URL http://example.org/35#t=7m. New York Meetup on Jan. 12, 2012.",
            "First steps with books",
            2012,
        ),
        (
            "J. Dunn. Scaling of books in R. Journal of Books, 31(3):1-30, 2009. ISSN 1548-7660.",
            "Scaling of books in R",
            2009,
        ),
        (
            "F. Eads. Fast books. Letters on Books, 10(3):626-634, May 1999. ISSN 1045-9227. doi: 10.1109/72.1761.",
            "Fast books",
            1999,
        ),
    ];
    let items: String = table
        .iter()
        .map(|(text, ..)| format!("{text}\n\n"))
        .collect();
    let found = parsed(&format!("References\n\n{items}"));
    let found: Vec<_> = found
        .iter()
        .map(|(_, title, _, year)| (title.as_str(), *year))
        .collect();
    let expected: Vec<_> = table
        .iter()
        .map(|(_, title, year)| (*title, Some(*year)))
        .collect();
    assert_eq!(found, expected);
}

#[test]
fn address_of_a_page_is_no_title() {
    let found =
        parsed("References\n\n[1] http://www.example.org/a.htm\n\n[2] https://example.org/b/\n\n");
    assert_eq!(found.len(), 2);
    assert!(
        found.iter().all(|(_, title, ..)| title.is_empty()),
        "{found:?}"
    );
}
