//! `*` and `?` in the roots of a corpus, which shells of Windows leave to the program.

use std::fs;
use std::path::{Component, Path, PathBuf};

use globset::{Glob, GlobBuilder, GlobMatcher};

/// Returns the paths that match a root, in the order of their names. A root that nothing matches stays as it is, as in other shells, and is then
/// named as missing.
pub(super) fn expand(root: PathBuf) -> Vec<PathBuf> {
    let mut paths = vec![PathBuf::new()];
    for component in root.components() {
        if let Some(matcher) = wildcard(component) {
            paths = paths
                .iter()
                .flat_map(|path| matches(path, &matcher))
                .collect();
        } else {
            paths.iter_mut().for_each(|path| path.push(component));
        }
    }
    paths.retain(|path| path.exists());
    if paths.is_empty() { vec![root] } else { paths }
}

/// The pattern of a component with wildcards. Brackets and braces are ordinary characters of file names.
fn wildcard(component: Component<'_>) -> Option<GlobMatcher> {
    let Component::Normal(name) = component else {
        return None;
    };
    let name = name.to_str().filter(|name| name.contains(['*', '?']))?;
    let pattern: String = name
        .chars()
        .map(|letter| match letter {
            '*' | '?' => letter.to_string(),
            other => globset::escape(&other.to_string()),
        })
        .collect();
    let glob: Glob = GlobBuilder::new(&pattern)
        .case_insensitive(true)
        .build()
        .ok()?;
    Some(glob.compile_matcher())
}

/// The entries of a folder that match and are not hidden.
fn matches(folder: &Path, matcher: &GlobMatcher) -> Vec<PathBuf> {
    let here = if folder.as_os_str().is_empty() {
        Path::new(".")
    } else {
        folder
    };
    let entries = fs::read_dir(here).into_iter().flatten().flatten();
    let mut names: Vec<_> = entries
        .map(|entry| entry.file_name())
        .filter(|name| !name.as_encoded_bytes().starts_with(b".") && matcher.is_match(name))
        .collect();
    names.sort();
    names.into_iter().map(|name| folder.join(name)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wildcards_are_expanded_and_other_roots_stay() {
        let home = tempfile::tempdir().unwrap();
        let at = |name: &str| home.path().join(name);
        for name in ["b/2.txt", "b/10.TXT", "a/1.txt", "a/[1].txt", "a/.txt", "c"] {
            fs::create_dir_all(at(name).parent().unwrap()).unwrap();
            fs::write(at(name), "").unwrap();
        }
        for (root, expected) in [
            (
                "?/*.txt",
                &["a/1.txt", "a/[1].txt", "b/10.TXT", "b/2.txt"][..],
            ),
            ("*", &["a", "b", "c"]),
            ("a/[*].txt", &["a/[1].txt"]),
            ("a/[1].txt", &["a/[1].txt"]),
            ("*/2.txt", &["b/2.txt"]),
            ("b/*.pdf", &["b/*.pdf"]),
            ("missing/*", &["missing/*"]),
            ("missing", &["missing"]),
        ] {
            let expected: Vec<PathBuf> = expected.iter().map(|name| at(name)).collect();
            assert_eq!(expand(at(root)), expected, "{root}");
        }
        assert_eq!(expand("-".into()), [PathBuf::from("-")]);
    }
}
