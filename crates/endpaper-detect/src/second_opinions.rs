//! What sources other than the line-based detector say of the cuts of one book.

use serde::{Deserialize, Serialize};

use super::calibration::{DoubtInput, log_odds, probability};
use super::doubt;
use super::pipeline::differ_widely;
use super::{Cuts, Detection, Method, Parameters, Reason};

/// What the alternation detector, the tables of contents and the near copies of a book say of where it begins and ends.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SecondOpinions {
    /// The cuts of the alternation detector, which knows n-grams and no lines; `None` if it could not read the book.
    pub alternation: Option<Cuts>,
    /// First and last line of each table of contents. It belongs to the body whose parts it lists.
    pub contents: Vec<(u32, u32)>,
    /// Number of its cluster of near copies, from 1; 0 if the book has none.
    pub cluster: u32,
    /// Whether its near copies are cut at the same words; `None` without a copy that has other bytes.
    pub copies_agree: Option<bool>,
}

impl SecondOpinions {
    /// Whether a table of contents is, at least in part, outside these cuts.
    pub fn is_contents_outside(&self, cuts: Cuts) -> bool {
        let outside = |&(first, last): &(u32, u32)| !(cuts.enclose(first) && cuts.enclose(last));
        self.contents.iter().any(outside)
    }

    /// What speaks for or against these cuts of a book of `lines` lines.
    pub(crate) fn inputs(&self, cuts: Cuts, lines: u32) -> Vec<DoubtInput> {
        let alternation = self
            .alternation
            .map(|theirs| match differ_widely(cuts, theirs, lines) {
                true => DoubtInput::Reason(Reason::AlternationDiffers),
                false => DoubtInput::AlternationAgrees,
            });
        let copies = self.copies_agree.map(|agree| match agree {
            false => DoubtInput::Reason(Reason::CopiesDiffer),
            true => DoubtInput::CopiesAgree,
        });
        let contents = self
            .is_contents_outside(cuts)
            .then_some(DoubtInput::Reason(Reason::ContentsOutside));
        [copies, alternation, contents]
            .into_iter()
            .flatten()
            .collect()
    }
}

impl Detection {
    /// The detector's own reasons, weightiest first, without those of second opinions.
    pub fn own_reasons(&self) -> impl Iterator<Item = &Reason> {
        let reasons = self.reasons.iter();
        reasons.filter(|reason| !reason.is_second_opinion())
    }

    /// Adds the reasons that second opinions give, and what they add to or take from the doubt. To be called once.
    pub fn add_opinions(&mut self, opinions: &SecondOpinions, lines: u32, parameters: &Parameters) {
        let mut sum = 0.0;
        for input in opinions.inputs(self.cuts, lines) {
            sum += match parameters.method {
                Method::Posterior => {
                    let profile = parameters.profiles().side(self.is_gutenberg);
                    profile.calibration().weight(input)
                }
                Method::Gap => doubt::opinion_weight(input),
            };
            if let DoubtInput::Reason(reason) = input {
                self.reasons.push(reason);
            }
        }
        doubt::rank(&mut self.reasons);
        if self.doubt < 1.0 {
            self.doubt = probability(log_odds(self.doubt) + sum);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn detection(doubt: f32) -> Detection {
        Detection {
            cuts: Cuts {
                preamble_end: 10,
                epilogue_start: Some(90),
            },
            candidates: Vec::new(),
            doubt,
            reasons: vec![Reason::NoteAfterCut],
            inside: Vec::new(),
            evidence: crate::EvidenceList::default(),
            is_gutenberg: true,
        }
    }

    #[test]
    fn contents_are_outside_if_any_line_of_them_is() {
        let cuts = detection(0.1).cuts;
        let of = |contents: &[(u32, u32)]| SecondOpinions {
            contents: contents.to_vec(),
            ..SecondOpinions::default()
        };
        for (contents, outside) in [
            (&[][..], false),
            (&[(11, 89)], false),
            (&[(10, 20)], true),
            (&[(80, 90)], true),
            (&[(20, 30), (95, 99)], true),
        ] {
            assert_eq!(of(contents).is_contents_outside(cuts), outside);
        }
    }

    #[test]
    fn opinions_against_the_cuts_become_reasons_and_raise_doubt() {
        let parameters = Parameters {
            method: Method::Gap,
            ..Parameters::default()
        };
        let mut found = detection(0.1);
        found.add_opinions(&SecondOpinions::default(), 100, &parameters);
        assert_eq!(found, detection(0.1), "no opinion changes nothing");
        let against = SecondOpinions {
            alternation: Some(Cuts {
                preamble_end: 60,
                epilogue_start: Some(90),
            }),
            contents: vec![(5, 8)],
            cluster: 1,
            copies_agree: Some(false),
        };
        found.add_opinions(&against, 100, &parameters);
        for reason in [
            Reason::AlternationDiffers,
            Reason::ContentsOutside,
            Reason::CopiesDiffer,
            Reason::NoteAfterCut,
        ] {
            assert!(found.reasons.contains(&reason), "{reason}");
        }
        assert!(found.doubt > 0.5 && found.doubt < 1.0);
        let mut certain = detection(1.0);
        certain.add_opinions(&against, 100, &parameters);
        assert_eq!(certain.doubt, 1.0);
    }
}
