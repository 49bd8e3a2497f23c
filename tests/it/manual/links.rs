//! What the pages refer to: other pages, files, and options of the program.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};

use super::pages::{CHAPTERS, pages, root};
use crate::support::{Home, fine};

/// Options of other programs.
const FOREIGN: [&str; 5] = ["label", "locked", "path", "release", "workspace"];

/// The text without code: neither blocks nor spans have links.
fn prose(text: &str) -> String {
    let mut is_code = false;
    let lines = text.lines().filter(|line| {
        let is_fence = line.starts_with("```");
        is_code ^= is_fence;
        !is_code && !is_fence
    });
    let lines = lines.collect::<Vec<_>>().join("\n");
    let spans = lines.split('`').step_by(2);
    spans.collect::<Vec<_>>().join("")
}

/// The targets of links and pictures.
fn targets(text: &str) -> Vec<String> {
    let prose = prose(text);
    let inline = prose
        .split("](")
        .skip(1)
        .filter_map(|rest| rest.split_once(')'));
    let inline = inline.map(|(target, _)| target.to_owned());
    let references = prose.lines().filter_map(|line| {
        let (_, target) = line.strip_prefix('[')?.split_once("]: ")?;
        Some(target.trim().to_owned())
    });
    inline.chain(references).collect()
}

/// The anchors of a page, one for each heading.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut is_code = false;
    let headings = text.lines().filter(|line| {
        is_code ^= line.starts_with("```");
        !is_code && line.starts_with('#')
    });
    headings.map(anchor).collect()
}

/// The anchor of a heading, as GitHub and mdBook make it.
fn anchor(heading: &str) -> String {
    let words = heading.trim_start_matches('#').trim().to_lowercase();
    let kept = words
        .chars()
        .filter(|c| c.is_alphanumeric() || "-_ ".contains(*c));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

/// A path without `.` and `..`.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                plain.pop();
            }
            Component::CurDir => {}
            part => plain.push(part),
        }
    }
    plain
}

#[test]
fn links_lead_to_pages_headings_and_files_that_exist() {
    let pages = pages();
    let mut problems = Vec::new();
    let mut followed = 0;
    for page in &pages {
        let folder = Path::new(&page.name).parent().expect("a folder");
        for target in targets(&page.text) {
            if target.starts_with("https://") {
                continue;
            }
            followed += 1;
            let (path, heading) = target.split_once('#').unwrap_or((&target, ""));
            let name = match path {
                "" => page.name.clone(),
                path => plain(&folder.join(path)).to_string_lossy().into_owned(),
            };
            let is_chapter = page.name.starts_with(CHAPTERS);
            if is_chapter && !name.starts_with(CHAPTERS) {
                problems.push(format!("{}: '{target}' is not in the book", page.name));
            } else if !root().join(&name).exists() {
                problems.push(format!("{}: '{target}' does not exist", page.name));
            } else if !heading.is_empty() {
                let text = fs::read_to_string(root().join(&name)).unwrap_or_default();
                if !anchors(&text).contains(heading) {
                    problems.push(format!("{}: '{target}' is no heading", page.name));
                }
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    assert!(followed > 30, "only {followed} links were followed");
}

#[test]
fn the_summary_lists_every_chapter_once() {
    let pages = pages();
    let summary = format!("{CHAPTERS}/SUMMARY.md");
    let listed = pages
        .iter()
        .find(|page| page.name == summary)
        .expect("a summary");
    let mut listed = targets(&listed.text);
    listed.sort();
    let chapters = pages.iter().filter(|page| page.name != summary);
    let chapters = chapters.filter_map(|page| page.name.strip_prefix(CHAPTERS));
    let chapters: Vec<&str> = chapters.map(|name| name.trim_start_matches('/')).collect();
    assert_eq!(listed, chapters);
}

/// The names of the options in a text.
fn options(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '-');
    let names = words.filter_map(|word| word.strip_prefix("--"));
    let names = names.filter(|name| name.starts_with(|c: char| c.is_ascii_lowercase()));
    names.map(str::to_owned).collect()
}

#[test]
fn options_that_pages_name_exist() {
    let output = Home::new().endpaper(&["completions", "bash"]).output();
    let known = options(&fine(&output.expect("a run")));
    let mut named = BTreeSet::new();
    for page in pages() {
        for name in options(&page.text) {
            let is_known = known.contains(&name) || FOREIGN.contains(&name.as_str());
            assert!(is_known, "{}: --{name} does not exist", page.name);
            named.insert(name);
        }
    }
    assert!(named.len() > 50, "only {named:?}");
}
