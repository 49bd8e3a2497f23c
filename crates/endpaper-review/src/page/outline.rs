//! The outline of the open book, and what it says against cuts.

use super::BookPage;
use endpaper_detect::{Cuts, End, Evidence, Fact};
use endpaper_outline::{ContentsList, Outline, outline};
use endpaper_text::wording::{plural, thousands};

/// Outlines are read of texts up to so many bytes: a second of work.
const LONGEST: usize = 24 << 20;

/// A book whose proposed cuts put a table of contents outside is doubted at least so much.
const SWALLOWED: f32 = 0.25;

impl BookPage {
    /// The outline, read when it is first asked for; none of an absurdly long text.
    pub fn outline(&self) -> Option<&Outline> {
        (self.text.bytes().len() <= LONGEST)
            .then(|| self.outline.get_or_init(|| outline(&self.text, &self.scan)))
    }

    /// The table of contents that cuts put outside the body, if there is one: what it lists is the body.
    pub fn toc_outside_body(&self, cuts: Cuts) -> Option<&ContentsList> {
        self.outline()?
            .toc_outside_body(cuts.preamble_end, cuts.epilogue_start)
    }

    /// Asks the outline what it says to the proposed cuts: tables of contents are evidence, and one outside is a doubt.
    pub fn check_outline(&mut self) {
        let Some(outline) = self.outline() else {
            return;
        };
        let middle = self.lines() / 2;
        let told: Vec<Evidence> = outline
            .lists
            .iter()
            .map(|list| Evidence {
                end: if list.last <= middle {
                    End::Start
                } else {
                    End::End
                },
                lines: (list.first, list.last),
                fact: Fact::Text(format!(
                    "table of contents: {} {} listed",
                    thousands(list.entries),
                    plural(list.entries as usize, "part")
                )),
                weight: None,
            })
            .collect();
        let swallowed = self.toc_outside_body(self.detection.cuts).is_some();
        self.detection.evidence.extend(told);
        if swallowed {
            self.detection.doubt = self.detection.doubt.max(SWALLOWED);
        }
    }
}
