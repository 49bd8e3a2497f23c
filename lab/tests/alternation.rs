//! `endpaper alternation` over synthetic pages with known common parts.

// Helpers of tests may unwrap as the tests themselves do.
#![allow(clippy::unwrap_used)]

mod support;

use std::process::Output;

use lab::experiments::pages::{Prose, Site};
use support::Home;

const LATIN: [char; 26] = [
    'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l', 'm', 'n', 'o', 'p', 'q', 'r', 's',
    't', 'u', 'v', 'w', 'x', 'y', 'z',
];

/// Returns a different article for each seed, `words` words long.
fn article(seed: usize, words: usize, letter: impl Fn(usize) -> char) -> String {
    let mut state = seed as u64 * 7919 + 1;
    let mut next = |below: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let word = |_| {
        let len = 2 + next(8);

        (0..len).map(|_| letter(next(26))).collect()
    };
    (0..words).map(word).collect::<Vec<String>>().join(" ")
}

fn run(home: &Home, arguments: &[&str]) -> Output {
    home.endpaper(&[&["alternation"], arguments].concat())
        .output()
        .unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Writes two sites of generated pages, smaller than the paper's, and their table of delimiters.
fn generated() -> Home {
    made([(Site::Wpost, 24), (Site::Yomiuri, 60)])
}

/// [`generated`] with other numbers of pages.
fn made(sites: [(Site, usize); 2]) -> Home {
    let home = Home::new();
    let prose: String = (0..400)
        .map(|at| format!("{}.\n\n", article(at, 60, |at| LATIN[at])))
        .collect();
    let mut table = "# made up\nsite\tpages\tleft\tright\n".to_owned();
    for (site, count) in sites {
        let name = site.name();
        for page in site.pages(count, 0, &mut Prose::new([prose.as_str()])) {
            home.write(format!("pages/{name}/{}", page.name), page.html);
        }
        for pair in site.delimiters() {
            table += &format!("{name}\t{name}/*\t{}\t{}\n", pair.left(), pair.right());
        }
    }
    home.write("sites.tsv", table);
    home
}

#[test]
fn delimiters_tell_how_right_it_is_by_site_and_in_total() {
    let home = generated();
    let arguments = [
        "score",
        "pages",
        "--delimiters",
        "sites.tsv",
        "--quiet",
        "--format",
    ];
    let output = run(&home, &[&arguments[..], &["jsonl"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(text(&output.stderr), "");
    let lines = text(&output.stdout);
    let mut lines = lines
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    assert_eq!(lines.next().unwrap()["documents"], 84);
    let sites: Vec<_> = lines.collect();
    let names: Vec<_> = sites
        .iter()
        .map(|site| {
            (
                site["site"].as_str().unwrap(),
                site["pages"].as_u64().unwrap(),
            )
        })
        .collect();
    assert_eq!(names, [("WPOST", 24), ("YOMIURI", 60), ("total", 84)]);
    for key in ["letters", "correct", "useful", "both"] {
        let of = |site: usize| sites[site][key].as_u64().unwrap();
        assert_eq!(of(0) + of(1), of(2), "{key}");
    }
    let accuracy = sites[2]["accuracy"].as_f64().unwrap();
    assert!(accuracy > 0.9, "{accuracy}");

    let output = run(&home, &[&arguments[..], &["tsv"]].concat());
    let table = text(&output.stdout);
    let rows: Vec<Vec<&str>> = table
        .lines()
        .map(|line| line.split('\t').collect())
        .collect();
    assert_eq!(
        rows[0].join(" "),
        "site pages letters correct useful both accuracy recall precision"
    );
    assert_eq!(
        (rows.len(), rows[3][0], rows[3][6]),
        (4, "total", format!("{accuracy:.3}").as_str())
    );

    let output = run(&home, &[&arguments[..], &["table"]].concat());
    assert!(
        text(&output.stdout).contains(&format!("{accuracy:.3}")),
        "{}",
        text(&output.stdout)
    );
}

#[test]
fn a_given_cut_point_is_used_as_it_is() {
    let home = generated();
    let at = |cut: &str| {
        run(
            &home,
            &[
                "score",
                "pages",
                "--at",
                cut,
                "--format",
                "jsonl",
                "--quiet",
                "--delimiters",
                "sites.tsv",
            ],
        )
    };
    let output = at("250,1");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let first = text(&output.stdout);
    let search: serde_json::Value = serde_json::from_str(first.lines().next().unwrap()).unwrap();
    assert_eq!(
        (&search["n"], &search["a"], &search["end"]),
        (&250.into(), &1.into(), &"given".into())
    );
    assert_eq!(search["path"].as_array().unwrap().len(), 1);
    for wrong in ["0,1", "2,0", "2,101", "251,1", "2", "a,b", "-1,1", ""] {
        let output = at(wrong);
        assert_eq!(output.status.code(), Some(2), "{wrong}");
    }
}

/// The lines of `score --format jsonl` with more options.
fn scores(home: &Home, options: &[&str]) -> Vec<serde_json::Value> {
    let arguments = [
        "score",
        "pages",
        "--delimiters",
        "sites.tsv",
        "--format",
        "jsonl",
    ];
    let output = run(home, &[&arguments[..], options].concat());
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let lines = text(&output.stdout);
    let lines = lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap());
    lines.collect()
}

#[test]
fn a_small_site_is_found_as_well_with_its_own_cut_point() {
    let home = made([(Site::Sankei, 10), (Site::Latimes, 60)]);
    let (whole, apart) = (scores(&home, &[]), scores(&home, &["--sites"]));
    assert!(whole[0].get("sites").is_none(), "{}", whole[0]);
    let sites = apart[0]["sites"].as_array().unwrap();
    let small = sites.iter().find(|site| site["documents"] == 10).unwrap();
    assert!(small["n"].as_u64() > Some(2), "{small}");
    assert_eq!(apart[0]["path"], whole[0]["path"]);
    let accuracy =
        |lines: &[serde_json::Value], line: usize| lines[line]["accuracy"].as_f64().unwrap();
    assert!(
        accuracy(&apart, 1) > accuracy(&whole, 1),
        "{apart:?} {whole:?}"
    );
    assert!(accuracy(&apart, 1) > 0.9, "{apart:?}");
    assert!(
        accuracy(&apart, 3) > accuracy(&whole, 3),
        "{apart:?} {whole:?}"
    );
}

#[test]
fn ties_are_all_frequent_or_only_the_first_of_them() {
    let home = generated();
    let [group, default, first] =
        [&["--ties", "group"][..], &[], &["--ties", "first"]].map(|options| scores(&home, options));
    assert_eq!(group, default);
    assert_ne!(group[0]["path"], first[0]["path"]);
    for lines in [&group, &first] {
        let accuracy = lines[3]["accuracy"].as_f64().unwrap();
        assert!(accuracy > 0.9, "{lines:?}");
    }
}
