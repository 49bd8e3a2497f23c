//! Flags that say something else than the cuts beside them.

use super::profile::LabellingProfile;

/// Flags of books in whose body something of the library's is.
const INSIDE: &[&str] = &["note-inside", "credits-in-body", "interleaved"];

/// Where the flags of a book contradict its cuts or one another, each in one sentence with what to do.
pub(super) fn find_contradictions(manner: &LabellingProfile) -> Vec<String> {
    let flagged = |flag: &str| manner.flags.contains(flag);
    let inside = INSIDE.iter().find(|flag| flagged(flag));
    let mut found = Vec::new();
    for (flag, has, what) in [
        ("no-preamble", manner.has_end[0], "a preamble"),
        ("no-epilogue", manner.has_end[1], "an epilogue"),
    ] {
        if has && flagged(flag) {
            found.push(format!(
                "it is flagged {flag}, but it has {what}; take the flag away, or cut again"
            ));
        }
    }
    match (inside, manner.title_line_outside) {
        // What was below that title was cut away with it.
        (Some(flag), Some(title)) if !manner.may_contain_boilerplate => found.push(format!(
            "it is flagged {flag}, but no note, credits or licence is left between its cuts, and a title is in the preamble (line {title}); flag it title-before-credits, or cut again"
        )),
        _ if flagged("title-before-credits") && !manner.has_additions => found.push(
            "it is flagged title-before-credits, but neither is below the last marker of its preamble; take the flag away, or cut again"
                .to_owned(),
        ),
        _ => {}
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_that_contradict_the_cuts_are_told() {
        let manner = |flags: &[&str], ends, title_outside, left_inside| LabellingProfile {
            flags: flags.iter().map(|flag| (*flag).to_owned()).collect(),
            has_end: ends,
            title_line_outside: title_outside,
            may_contain_boilerplate: left_inside,
            has_additions: title_outside.is_some(),
            ..LabellingProfile::default()
        };
        let both = [true, true];
        let table = [
            (manner(&["ads"], both, None, false), None),
            (manner(&["no-epilogue"], [true, false], None, false), None),
            (
                manner(&["no-epilogue"], both, None, false),
                Some("an epilogue"),
            ),
            (
                manner(&["no-preamble"], both, None, false),
                Some("a preamble"),
            ),
            (manner(&["note-inside"], both, Some(9), true), None),
            (manner(&["note-inside"], both, None, false), None),
            (
                manner(&["note-inside"], both, Some(9), false),
                Some("(line 9)"),
            ),
            (
                manner(&["title-before-credits"], both, Some(9), false),
                None,
            ),
            (
                manner(&["title-before-credits"], both, None, false),
                Some("neither is"),
            ),
        ];
        for (manner, expected) in table {
            let found = find_contradictions(&manner);
            let flags = &manner.flags;
            assert_eq!(
                found.len(),
                usize::from(expected.is_some()),
                "{flags:?}: {found:?}"
            );
            assert!(
                found
                    .iter()
                    .all(|told| told.contains(expected.unwrap_or_default())),
                "{found:?}"
            );
        }
    }
}
