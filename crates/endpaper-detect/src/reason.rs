//! Named reasons for doubt: a table of names and explanations.
//!
//! This table is the only source of the names and explanations in tables, screens and help. `doubt_reasons` decides
//! when a reason applies, and `doubt` how much it weighs.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

macro_rules! reasons {
    ($($variant:ident $name:literal $explanation:literal;)*) => {
        /// A reason to doubt the proposed cuts. The name written in tables and on the screen is its kebab-case form.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(rename_all = "kebab-case")]
        pub enum Reason {
            $(#[doc = $explanation] $variant,)*
        }

        impl Reason {
            /// All reasons, in the order of the table.
            pub const ALL: &'static [Reason] = &[$(Reason::$variant),*];

            /// Its name in tables and on the screen.
            pub fn name(self) -> &'static str {
                match self { $(Reason::$variant => $name,)* }
            }

            /// An explanation of one sentence for the curator.
            pub fn explanation(self) -> &'static str {
                match self { $(Reason::$variant => $explanation,)* }
            }
        }
    };
}

reasons! {
    NoBody "no-body" "Preamble and epilogue meet or cross: nothing is left between them.";
    UnsureStart "unsure-start" "The evidence leaves the end of the preamble open: another place is nearly as likely.";
    UnsureEnd "unsure-end" "The evidence leaves the beginning of the epilogue open: another place is nearly as likely.";
    BoilerplateInside "boilerplate-inside" "A block between the cuts reads like boilerplate.";
    StrangeFile "strange-file" "No profile knows this collection: deciding about ten of its books teaches it.";
    BodySmall "body-small" "Less than a third of the file's lines are left between the cuts.";
    NoPreamble "no-preamble" "No frequent line and no marker was found in the head of the file.";
    NoEpilogue "no-epilogue" "No frequent line and no marker was found in the tail of the file.";
    BetterStart "better-start" "Another block edge looks more like the end of the preamble than the cut does.";
    BetterEnd "better-end" "Another block edge looks more like the beginning of the epilogue than the cut does.";
    StartWithoutMarker "start-without-marker" "The head has no START or small print marker to check the cut against.";
    EndWithoutMarker "end-without-marker" "The tail has no End marker to check the cut against.";
    StartsDisagree "starts-disagree" "Frequent lines and markers end the preamble at different lines.";
    EndsDisagree "ends-disagree" "Frequent lines and markers begin the epilogue at different lines.";
    MarkerBeyondCut "marker-beyond-cut" "A marker is on the body's side of a cut.";
    SeveralEndMarkers "several-end-markers" "Several End markers with text between them: maybe several works in one file.";
    WideGap "wide-gap" "Frequent lines near the cut are separated from the rest by a wide gap.";
    WindowExhausted "window-exhausted" "Frequent lines continue to the edge of the window: the cut may lie beyond it.";
    CreditsAfterCut "credits-after-cut" "Credits follow the preamble cut.";
    NoteAfterCut "note-after-cut" "A note of a transcriber or editor follows the preamble cut.";
    NoteBeforeCut "note-before-cut" "A note of a transcriber or editor is before the epilogue cut.";
    TitleBeforeCredits "title-before-credits" "A title is between the preamble cut and the credits that follow it.";
    TitleRepeated "title-repeated" "A line shortly after the preamble cut is repeated: maybe the title, typed and printed.";
    SplitBlock "split-block" "A cut runs through a block of lines without a blank one.";
    ShortFile "short-file" "The file is so short that its head and tail windows overlap.";
    CopiesDiffer "copies-differ" "The book and a near copy of it are cut at other words: one of both is wrong.";
    AlternationDiffers "alternation-differs" "The alternation detector, which knows n-grams and no lines, cuts far from here.";
    ContentsOutside "contents-outside" "A table of contents that lists parts of the body is outside the cuts.";
    GutenbergInBody "gutenberg-in-body" "`Gutenberg` is between the cuts.";
}

impl Reason {
    /// Whether it comes from a second opinion ([`crate::SecondOpinions`]) and not from the detector.
    pub(crate) fn is_second_opinion(self) -> bool {
        use Reason::{AlternationDiffers, ContentsOutside, CopiesDiffer};
        matches!(self, AlternationDiffers | ContentsOutside | CopiesDiffer)
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Reason {
    type Err = UnknownReason;

    fn from_str(text: &str) -> Result<Reason, UnknownReason> {
        let named = Reason::ALL.iter().find(|reason| reason.name() == text);
        named.copied().ok_or_else(|| UnknownReason(text.to_owned()))
    }
}

/// An unknown reason.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a reason for doubt; the manual lists them all")]
pub struct UnknownReason(String);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip_and_are_those_serde_writes() {
        for &reason in Reason::ALL {
            assert_eq!(reason.to_string().parse(), Ok(reason));
            let json = serde_json::to_string(&reason).unwrap();
            assert_eq!(json, format!("\"{reason}\""));
        }
    }

    #[test]
    fn an_unknown_name_is_named_in_the_error() {
        let error = "no-such".parse::<Reason>().unwrap_err();
        assert!(error.to_string().contains("'no-such'"));
    }

    #[test]
    fn every_explanation_is_one_sentence() {
        for reason in Reason::ALL {
            let text = reason.explanation();
            assert!(text.ends_with('.') && !text.contains(". "), "{reason}");
        }
    }
}
