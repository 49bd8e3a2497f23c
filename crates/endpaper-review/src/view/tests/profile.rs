//! The profile that the open book is cut by.

use super::*;
use endpaper_detect::ProfileName;

/// A screen with a book cut by a profile.
fn screen(columns: u16, profile: Option<ProfileName>, keys: &str) -> String {
    let mut desk = ViewFixture::open((columns, 24)).keys(keys);
    let open = desk.session.doc.open.as_mut().unwrap();
    Arc::get_mut(&mut open.page).unwrap().profile = profile;
    desk.text()
}

fn header(columns: u16, profile: Option<ProfileName>, keys: &str) -> String {
    let text = screen(columns, profile, keys);
    text.lines().next().unwrap().to_owned()
}

#[test]
fn the_header_names_the_profile_where_all_else_fits() {
    let names = [
        ProfileName::Gutenberg,
        ProfileName::Generic,
        ProfileName::Learned(12),
        ProfileName::Fitted("0123456789abcdef".to_owned()),
    ];
    let mut headers = String::new();
    for columns in [80, 110, 160, 300] {
        for name in &names {
            let _ = writeln!(headers, "{}", header(columns, Some(name.clone()), ""));
        }
    }
    snapshot_of("profile-headers", &headers);
    // Nothing gives way to it: neither the title nor a warning.
    for keys in ["", "hfnote<Enter>"] {
        let without = header(80, None, keys);
        assert_eq!(header(80, Some(ProfileName::Generic), keys), without);
    }
}

#[test]
fn a_blind_review_hides_the_profile() {
    let profile = Some(ProfileName::Generic);
    let shown = header(160, profile.clone(), "");
    assert!(shown.contains("profile generic"), "{shown}");
    let hidden = header(160, profile, "B<Right>");
    assert!(!hidden.contains("profile"), "{hidden}");
}

#[test]
fn the_evidence_says_what_the_profile_is() {
    let text = screen(80, Some(ProfileName::Learned(12)), "i<PageDown><PageDown>");
    assert!(text.contains("learned from 12 decided books"), "{text}");
}
