//! Checks of HTML pages: well formed, self-contained, escaped.

use std::collections::HashSet;

/// The tags of a page, without angle brackets.
pub fn tags(page: &str) -> Vec<&str> {
    let page = page.strip_prefix("<!DOCTYPE html>").unwrap();
    let mut tags = Vec::new();
    let mut rest = page;
    while let Some((_, after)) = rest.split_once('<') {
        // Escaped text has no '>' either, so a tag ends at the next one.
        let (tag, after) = after.split_once('>').expect("a tag that ends");
        tags.push(tag);
        rest = after;
    }
    tags
}

/// The values of an attribute.
pub fn values<'a>(tags: &[&'a str], name: &str) -> Vec<&'a str> {
    let start = format!(" {name}=\"");
    let value = |tag: &&'a str| Some(tag.split_once(&start)?.1.split_once('"')?.0);
    tags.iter().filter_map(value).collect()
}

/// Asserts that tags are nested, nothing is loaded or run, ids are unique, every link has a target, and untrusted text is
/// escaped.
#[track_caller]
pub fn assert_self_contained(page: &str) {
    let tags = tags(page);
    let mut open: Vec<&str> = Vec::new();
    for tag in &tags {
        let name = tag.split([' ', '\n']).next().unwrap();
        match name.strip_prefix('/') {
            Some(name) => assert_eq!(open.pop(), Some(name), "</{name}> closes another"),
            None if tag.ends_with('/') => {}
            None => open.push(name),
        }
        assert_eq!(tag.matches('"').count() % 2, 0, "<{tag}>");
        assert_ne!(name, "script");
        assert_ne!(name, "link");
        let handlers = tag.split('"').step_by(2);
        assert!(
            !handlers.clone().any(|part| part.contains(" on")),
            "<{tag}>"
        );
    }
    assert_eq!(open, Vec::<&str>::new());
    // All resources are inline.
    for address in [values(&tags, "href"), values(&tags, "src")].concat() {
        let inside = address.starts_with('#') || address.starts_with("data:image/png;base64,");
        assert!(inside, "{address}");
    }
    assert!(!page.contains("url(") && !page.contains("@import"));
    // Every link has a target, and ids are unique.
    let ids = values(&tags, "id");
    let known: HashSet<&str> = ids.iter().copied().collect();
    assert_eq!(known.len(), ids.len());
    for link in values(&tags, "href") {
        if let Some(id) = link.strip_prefix('#') {
            assert!(known.contains(id), "{link}");
        }
    }
    let control = |c: char| c.is_control() && c != '\n';
    assert!(!page.contains(control) && !page.contains(['\u{202e}', '\u{ffff}']));
}
