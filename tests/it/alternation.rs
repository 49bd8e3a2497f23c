//! `endpaper alternation` as a user runs it: common and unique parts, formats, files, messages, exit status.

use std::io::Write;
use std::process::Output;

use crate::support::{Home, text};

const PAGES: usize = 30;

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

fn latin(seed: usize) -> String {
    article(seed, 300, |at| LATIN[at])
}

fn kana(seed: usize) -> String {
    let kana = |at: usize| char::from_u32(0x3042 + at as u32).unwrap();
    article(seed, 300, kana).replace(' ', "\u{3002}")
}

fn template() -> (String, String) {
    let entries = (0..20).map(|entry| {
        format!(
            "  <li class=\"entry\"><a href=\"/{}/\">Section {entry}</a></li>\r\n",
            entry * 37
        )
    });
    let head = format!(
        "<html><head><title>The Daily News</title></head>\r\n<body>\r\n<ul>\r\n{}</ul>\r\n<div class=\"article\">",
        entries.collect::<String>()
    );
    (
        head,
        "</div><!-- end of the article -->\r\n<p>&copy; The Daily News</p></body></html>\r\n"
            .to_owned(),
    )
}

fn site(article: impl Fn(usize) -> String) -> (Home, Vec<(String, String)>) {
    let home = Home::new();
    let (head, tail) = template();
    let pages = (0..PAGES).map(|page| {
        let name = format!("{page:02}.html");
        let article = article(page);
        home.write(format!("site/{name}"), format!("{head}{article}{tail}"));
        (name, article)
    });
    let pages = pages.collect();
    (home, pages)
}

fn run(home: &Home, arguments: &[&str]) -> Output {
    home.endpaper(&[&["alternation"], arguments].concat())
        .output()
        .unwrap()
}

#[test]
fn articles_are_told_from_their_template_in_any_script() {
    for article in [latin, kana] {
        let (home, pages) = site(article);
        let output = run(&home, &["site", "--format", "jsonl"]);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        let lines = text(&output.stdout);
        let mut lines = lines
            .lines()
            .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
        let search = lines.next().unwrap();
        assert_eq!(
            (&search["path"][0]["n"], &search["path"][0]["a"]),
            (&2.into(), &1.into())
        );
        assert_eq!(
            (&search["end"], &search["documents"]),
            (&"minimum".into(), &PAGES.into())
        );
        let (mut right, mut all) = (0, 0);
        for (line, (name, article)) in lines.zip(&pages) {
            assert_eq!(line["book"], *name);
            let page = std::fs::read(home.work().join("site").join(name)).unwrap();
            assert_eq!(line["bytes"], page.len());
            let start = text(&page).find(article.as_str()).unwrap();
            let mut useful = vec![false; page.len()];
            for pair in line["useful"].as_array().unwrap() {
                let end = |at: usize| pair[at].as_u64().unwrap() as usize;
                useful[end(0)..end(1)].fill(true);
            }
            let correct = |at: usize| (start..start + article.len()).contains(&at);
            right += (0..page.len())
                .filter(|at| useful[*at] == correct(*at))
                .count();
            all += page.len();
        }
        let accuracy = right as f64 / all as f64;
        assert!(accuracy > 0.97, "{accuracy}: {search}");
    }
}

#[test]
fn useful_text_is_written_and_nothing_written_over() {
    let (home, pages) = site(latin);
    let output = run(&home, &["site", "--out", "site/useful"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let file = home.work().join("site/useful/07.html");
    let useful = std::fs::read_to_string(&file).unwrap();
    // Pieces that several articles share by chance are removed from them.
    let article = &pages[7].1;
    assert!(useful.len() * 100 > article.len() * 95, "{useful}");
    let longest = useful.lines().max_by_key(|line| line.len()).unwrap();
    assert!(
        article.contains(longest) && longest.len() > 100,
        "{longest}"
    );
    assert!(!useful.contains("Section"), "{useful}");
    // Extracted files are not read as pages, and are left unchanged.
    let again = run(&home, &["site", "--out", "site/useful"]);
    assert_eq!(
        (again.status.code(), &again.stdout),
        (Some(0), &output.stdout)
    );
    std::fs::write(&file, "mine").unwrap();
    let again = run(&home, &["site", "--out", "site/useful", "--quiet"]);
    let said = text(&again.stderr);
    assert_eq!(again.status.code(), Some(1), "{said}");
    assert!(
        said.contains("exists and differs; --force writes over it"),
        "{said}"
    );
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "mine");
    let forced = run(&home, &["site", "--out", "site/useful", "--force"]);
    assert_eq!(forced.status.code(), Some(0));
    assert_eq!(std::fs::read_to_string(&file).unwrap(), useful);
}

#[test]
fn the_parts_of_a_document_are_the_whole_of_it() {
    let (home, pages) = site(latin);
    let table = text(&run(&home, &["site"]).stdout);
    assert!(table.starts_with("    n    a   alternations"), "{table}");
    assert_eq!(
        table.lines().filter(|line| line.contains(".html")).count(),
        PAGES
    );
    let output = run(&home, &["site", "--format", "tsv"]);
    let tsv = text(&output.stdout);
    let mut lines = tsv.lines();
    assert_eq!(lines.next(), Some("book\tpart\tfirst\tend"));
    let mut reached = std::collections::BTreeMap::new();
    for line in lines {
        let cells: Vec<&str> = line.split('\t').collect();
        let first: u64 = cells[2].parse().unwrap();
        let before = reached.insert(cells[0].to_owned(), cells[3].parse::<u64>().unwrap());
        assert_eq!(before.unwrap_or(0), first, "{line}");
        assert!(["useful", "useless"].contains(&cells[1]), "{line}");
    }
    for (name, _) in &pages {
        let size = std::fs::metadata(home.work().join("site").join(name))
            .unwrap()
            .len();
        assert_eq!(reached[name], size);
    }
    for threads in ["1", "3"] {
        let other = run(&home, &["site", "--format", "tsv", "--threads", threads]);
        assert_eq!(text(&other.stdout), tsv);
    }
}

#[test]
fn html_is_found_in_folders_and_archives_by_this_command_alone() {
    let home = Home::new();
    let (head, tail) = template();
    let page = |seed| format!("{head}{}{tail}", latin(seed));
    home.write("site/a.html", page(1));
    home.write("site/B.HTM", page(2));
    home.write("site/c.txt", page(3));
    home.write("site/style.css", "body { color: red }");
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(page(4).as_bytes()).unwrap();
    home.write("site/d.html.gz", packed.finish().unwrap());
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default();
    for (name, seed) in [("e.html", 5), ("f.txt", 6), ("g.css", 7)] {
        archive.start_file(name, options).unwrap();
        archive.write_all(page(seed).as_bytes()).unwrap();
    }
    home.write("site/z.zip", archive.finish().unwrap().into_inner());
    let books = |command: &[&str]| {
        let output = home.endpaper(command).output().unwrap();
        let tsv = text(&output.stdout);
        let mut books: Vec<String> = tsv
            .lines()
            .skip(1)
            .map(|line| line.split('\t').next().unwrap().to_owned())
            .collect();
        books.dedup();
        books
    };
    assert_eq!(
        books(&["alternation", "site", "--format", "tsv"]),
        [
            "B.HTM",
            "a.html",
            "c.txt",
            "d.html.gz",
            "z.zip!e.html",
            "z.zip!f.txt"
        ]
    );
    assert_eq!(
        books(&["detect", "site", "--format", "tsv"]),
        ["c.txt", "z.zip!f.txt"]
    );
}

#[test]
fn bad_input_has_an_answer_or_is_refused() {
    let (home, pages) = site(latin);
    home.write("site/empty.html", "");
    home.write("site/blank.html", " \r\n\t ");
    home.write(
        "site/noise.html",
        (0..4000u32)
            .map(|at| (at * 7919 % 251) as u8)
            .collect::<Vec<u8>>(),
    );
    let output = run(&home, &["site", "--format", "tsv"]);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    for skipped in [
        "'empty.html': is empty",
        "'blank.html': is empty",
        "'noise.html': is not a text",
    ] {
        assert!(said.contains(skipped), "{said}");
    }
    assert!(said.contains("30 documents of"), "{said}");
    // A single page, and copies of one page.
    home.write("one/a.html", &pages[0].1);
    home.write("copies/a.html", &pages[0].1);
    home.write("copies/b.html", format!(" \n{}", pages[0].1).trim_start());
    home.write("none/a.html", "");
    home.write("file", "x");
    let table: &[(&[&str], &str)] = &[
        (
            &["one"],
            "there is one text only (in 1 document); give documents that have",
        ),
        (&["copies"], "there is one text only (in 2 documents)"),
        (&["none"], "no document could be read"),
        (&["nowhere"], "nowhere"),
        (
            &["site", "--out", "file"],
            "'file' is not a folder; name one (created if missing)",
        ),
        (&["site", "--out", "site"], "give --out a separate folder"),
    ];
    for (arguments, message) in table {
        let output = run(&home, arguments);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(said.contains(message), "{arguments:?}: {said}");
    }
    // What is in the way of a file is neither waited for nor replaced.
    let pipe = home.work().join("piped").join(&pages[0].0);
    std::fs::create_dir_all(pipe.parent().unwrap()).unwrap();
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    let output = run(&home, &["site", "--out", "piped", "--force"]);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(
        said.contains("is a pipe, a device or a socket, which is never written over"),
        "{said}"
    );
    // Pages with nothing in common.
    home.write("strangers/a.html", "abcdefg");
    home.write("strangers/b.html", "hijklmn");
    let output = run(&home, &["strangers", "--format", "tsv"]);
    assert_eq!(
        text(&output.stdout),
        "book\tpart\tfirst\tend\na.html\tuseful\t0\t7\nb.html\tuseful\t0\t7\n"
    );
    assert!(text(&output.stderr).contains("nothing occurs twice"));
    // Copies of pages are reported.
    home.write("twice/a.html", &pages[0].1);
    home.write("twice/b.html", &pages[0].1);
    home.write("twice/c.html", &pages[1].1);
    let said = text(&run(&home, &["twice"]).stderr);
    assert!(
        said.contains("1 of 3 documents have the same text as another"),
        "{said}"
    );
}

#[test]
fn delimiters_that_do_not_fit_are_named() {
    let (home, _) = site(latin);
    let head = "site\tpages\tleft\tright\n";
    let right = "News\t0*.html\t<div class=\"article\">\t</div>\n";
    // Table, exit status, message.
    let table = [
        (
            format!("{head}{right}"),
            1,
            "20 pages match no row of 'sites.tsv' and are in no figure ('10.html', '11.html', '12.html', ...)",
        ),
        (
            format!("{head}{right}News\t*\t<no>\t</no>\n"),
            1,
            "line 3: '<no>' does not occur in 30 pages of News",
        ),
        (
            format!("{head}News\t*\t<h1>\n"),
            2,
            "line 2: no cell for 'right'",
        ),
        (
            format!("{head}News\t*\t</body>\t<body>\n"),
            1,
            "line 2: '<body>' never follows '</body>' in 30 pages of News",
        ),
        (format!("{head}{right}Other\t*\t-\t-\n"), 0, ""),
        (
            format!("{head}{right}Other\t*\t-\t-\nThird\tx/*\t<b>\t</b>\n"),
            1,
            "line 4: no page matches 'x/*' of Third",
        ),
        (
            format!("{head}News\tnews/*\t<b>\t</b>\n"),
            2,
            "no page matches a row of 'sites.tsv'",
        ),
        ("nothing\n".to_owned(), 2, "has no column 'site'"),
    ];
    for (sites, status, said) in table {
        home.write("sites.tsv", &sites);
        let output = run(
            &home,
            &["score", "site", "--delimiters", "sites.tsv", "--quiet"],
        );
        let told = text(&output.stderr);
        assert_eq!(output.status.code(), Some(status), "{sites}\n{told}");
        assert!(told.contains(said), "{sites}\n{told}");
        assert_eq!(told.is_empty(), said.is_empty(), "{told}");
    }
    let output = run(&home, &["score", "site", "--delimiters", "none.tsv"]);
    assert_eq!(output.status.code(), Some(2));
}

/// The tables of `lab/examples/pages` for documentation packages installed on this machine.
#[test]
fn tables_for_real_documentation_fit_it() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("lab/examples/pages");
    let mut tables = 0;
    for file in std::fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        let table = std::fs::read_to_string(&path).unwrap();
        let command = table
            .lines()
            .nth(1)
            .unwrap()
            .strip_prefix("# endpaper alternation score ")
            .unwrap();
        let mut arguments: Vec<&str> = command
            .split(' ')
            .map(|word| word.trim_matches('\''))
            .collect();
        assert_eq!(arguments.pop(), path.file_name().unwrap().to_str());
        assert_eq!(arguments.pop(), Some("--delimiters"));
        tables += 1;
        let roots = arguments
            .iter()
            .filter(|argument| argument.starts_with('/'));
        if !roots
            .clone()
            .all(|root| std::path::Path::new(root).is_dir())
        {
            eprintln!("skipped: {} is not installed", arguments[0]);
            continue;
        }
        let home = Home::new();
        home.write("sites.tsv", &table);
        let output = run(
            &home,
            &[
                &["score"],
                &arguments[..],
                &["--delimiters", "sites.tsv", "--quiet"],
            ]
            .concat(),
        );
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    }
    assert!(tables > 0);
}
