//! `lab figures --copies` as a user runs it: files, numbers, the page, wrong use.

// Helpers of tests may unwrap as the tests themselves do.
#![allow(clippy::unwrap_used)]

mod support;

use support::{Home, small_book, stderr};

/// Tables that need no clock.
const REPEATED: [&str; 7] = [
    "copies1.tsv",
    "copies2.tsv",
    "copies4.tsv",
    "copies5.tsv",
    "copies6.tsv",
    "copies7.tsv",
    "copies8.tsv",
];

/// Draws into `out`, from the books of the demonstration by default.
fn draw(home: &Home, more: &[&str]) -> std::process::Output {
    let arguments = ["figures", "--out", "out", "--copies", "--quiet", "--force"];
    home.lab(&[&arguments, more].concat()).output().unwrap()
}

fn read(home: &Home, name: &str) -> String {
    let path = home.work().join("out").join(name);
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn column(home: &Home, name: &str, wanted: &str) -> Vec<f64> {
    let text = read(home, name);
    let mut lines = text.lines();
    let names = lines.next().unwrap().split('\t');
    let place = names.into_iter().position(|name| name == wanted).unwrap();
    let cells = lines.map(|line| line.split('\t').nth(place).unwrap());
    cells.map(|cell| cell.parse().unwrap()).collect()
}

#[test]
fn corrupted_books_of_the_demonstration_are_drawn_beside_the_paper() {
    let home = Home::new();
    let done = draw(&home, &["--books", "60"]);
    assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    let page = read(&home, "copies.html");
    for number in 1..=4 {
        let svg = read(&home, &format!("copies{number}.svg"));
        assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
        assert!(page.contains(&svg), "copies{number}");
    }
    for part in ["(those of `review --demo`)", "29.73 min", "<td>0.97</td>"] {
        assert!(page.contains(part), "{part}");
    }
    assert!(!page.contains("<script") && !page.contains("src="));
    // The distance grows with corruption.
    let means = column(&home, "copies1.tsv", "mean");
    assert_eq!(means.len(), 45);
    for size in means.chunks(15) {
        assert!(size[0] < size[14] && size[14] < 64.0, "{size:?}");
    }
    // 256 bits distinguish a few dissimilar originals.
    let bits = column(&home, "copies2.tsv", "bits");
    assert_eq!(bits[..7], [64.0, 96.0, 128.0, 160.0, 192.0, 224.0, 256.0]);
    assert_eq!(column(&home, "copies2.tsv", "f1")[6], 1.0);
    assert_eq!(column(&home, "copies3.tsv", "relative_to_64")[0], 1.0);
    // A larger distance finds more; bands find less, wider bands even less.
    let recalls = ["all_recall", "bands24_recall", "bands32_recall"];
    let recalls = recalls.map(|name| column(&home, "copies4.tsv", name));
    for recall in &recalls {
        assert_eq!(recall.len(), 41);
        assert!(recall.is_sorted());
    }
    for pair in recalls.windows(2) {
        assert!(
            pair[0]
                .iter()
                .zip(&pair[1])
                .all(|(more, less)| more >= less)
        );
    }
    // Tables have no plot: features, hash functions, distances, means.
    assert_eq!(read(&home, "copies5.tsv").lines().count(), 1 + 12 * 3);
    assert_eq!(read(&home, "copies6.tsv").lines().count(), 1 + 9 * 3);
    for name in [
        "recall_first_half",
        "recall_second_half",
        "wrong_pairs_second_half",
    ] {
        assert!(column(&home, "copies7.tsv", name).is_sorted(), "{name}");
    }
    assert_eq!(column(&home, "copies8.tsv", "bit").len(), 256);
    assert!(page.contains("different books within 16 bits of 64"));
    let tables = REPEATED.map(|name| read(&home, name));
    assert!(
        draw(&home, &["--books", "60", "--threads", "1"])
            .status
            .success()
    );
    let again = REPEATED.map(|name| read(&home, name));
    assert!(tables == again, "what needs no clock differs");
}

#[test]
fn wrong_use_is_said() {
    let home = Home::new();
    // A text with fewer than 200 different n-grams of letters and digits would be compared with none.
    let shared = "The quick brown fox jumps over the lazy dog, and nobody in the old town minds very much.\n";
    for number in 0..3 {
        home.write(format!("books/{number}.txt"), small_book(number) + shared);
    }
    let both = draw(&home, &["--truth", "labels"]);
    assert_eq!(both.status.code(), Some(2));
    assert!(
        stderr(&both).contains("cannot be used with"),
        "{}",
        stderr(&both)
    );
    let alone = home.lab(&["figures", "--out", "out", "books", "--books", "60"]);
    let alone = { alone }.output().unwrap();
    assert_eq!(alone.status.code(), Some(2));
    assert!(stderr(&alone).contains("--copies"), "{}", stderr(&alone));
    let none = draw(&home, &["--books", "0"]);
    assert_eq!(none.status.code(), Some(2));
    assert!(
        stderr(&none).contains("write a whole number from 10 to 1000000"),
        "{}",
        stderr(&none)
    );
    // Books with little text that differ only in their numbers.
    let few = draw(&home, &["books"]);
    assert_eq!(few.status.code(), Some(2));
    assert!(
        stderr(&few).contains("too few to corrupt"),
        "{}",
        stderr(&few)
    );
    assert!(!home.work().join("out/copies.html").exists());
}
