//! What the profile that a book is cut by is called.

use std::fmt;

use endpaper_text::scan::Scan;
use endpaper_text::wording::plural;

use crate::posterior::Profile;
use crate::{CorpusProfiles, Method, Parameters};

/// The profile that a book is cut by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProfileName {
    /// The shipped one of Project Gutenberg.
    Gutenberg,
    /// The shipped one for collections that no other profile knows.
    Generic,
    /// Learned from this number of decided books of the collection.
    Learned(u32),
    /// Fitted by a user; its digest.
    Fitted(String),
}

impl ProfileName {
    /// The name of the profile of a book; `None` for the gap detector, which has none.
    pub fn of(scan: &Scan, parameters: &Parameters) -> Option<ProfileName> {
        let is_posterior = parameters.method == Method::Posterior;
        is_posterior.then(|| name_of(parameters.profiles(), scan))
    }

    /// The name as a word for machines: `gutenberg`, `generic`, `learned:` and the number of decided books, `fitted:` and the digest.
    pub fn word(&self) -> String {
        match self {
            ProfileName::Gutenberg => "gutenberg".to_owned(),
            ProfileName::Generic => "generic".to_owned(),
            ProfileName::Learned(count) => format!("learned:{count}"),
            ProfileName::Fitted(digest) => format!("fitted:{digest}"),
        }
    }

    /// What the profile is, in a few words.
    pub fn meaning(&self) -> String {
        match self {
            ProfileName::Gutenberg => {
                "gutenberg, built in: for files of Project Gutenberg".to_owned()
            }
            ProfileName::Generic => {
                "generic, built in: for collections that no other profile knows".to_owned()
            }
            ProfileName::Learned(count) => {
                let books = plural(*count as usize, "book");
                format!("learned from {count} decided {books} of the collection")
            }
            ProfileName::Fitted(digest) => format!("fitted to labels, digest {digest}"),
        }
    }
}

/// The short form for the header of the screen.
impl fmt::Display for ProfileName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ProfileName::Gutenberg => f.write_str("profile gutenberg"),
            ProfileName::Generic => f.write_str("profile generic"),
            ProfileName::Learned(count) => write!(f, "learned from {count}"),
            ProfileName::Fitted(_) => f.write_str("profile fitted"),
        }
    }
}

fn name_of(profiles: &CorpusProfiles, scan: &Scan) -> ProfileName {
    let (profile, is_gutenberg) = profiles.of(scan);
    // A book that taught the others is cut by what was learned without its work.
    match profiles.side(is_gutenberg).decided_books() {
        0 if profile == Profile::gutenberg() => ProfileName::Gutenberg,
        0 if profile == Profile::generic() => ProfileName::Generic,
        0 => ProfileName::Fitted(profile.digest()),
        count => ProfileName::Learned(count),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use endpaper_text::scan::{WindowOptions, scan};
    use std::sync::Arc;

    #[test]
    fn each_profile_has_its_name() {
        let gutenberg = "*** START OF THE PROJECT GUTENBERG EBOOK EMMA ***\n";
        let name = |text: &str, parameters: &Parameters| {
            let scan = scan(text.as_bytes(), WindowOptions::default());
            ProfileName::of(&scan, parameters).map(|name| name.to_string())
        };
        let mut parameters = Parameters::default();
        assert_eq!(
            name(gutenberg, &parameters).as_deref(),
            Some("profile gutenberg")
        );
        assert_eq!(name("a\n", &parameters).as_deref(), Some("profile generic"));
        let crcs = [1];
        let fitted = Profile::clone(Profile::generic()).with_fitted_to(crcs);
        parameters.profiles = Some(Arc::new(CorpusProfiles::one(Arc::new(fitted))));
        assert_eq!(
            name(gutenberg, &parameters).as_deref(),
            Some("profile fitted")
        );
        parameters.method = Method::Gap;
        assert_eq!(name(gutenberg, &parameters), None);
    }
}
