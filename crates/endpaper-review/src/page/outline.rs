//! The outline of the open book, and its objections to cuts.

use super::BookPage;
use endpaper_detect::{Cuts, End, Evidence, Fact};
use endpaper_outline::{ContentsList, Outline, outline};
use endpaper_text::wording::{plural, thousands};

/// Maximum size of a text that is outlined, in bytes: a second of work.
const MAX_OUTLINED_BYTES: usize = 24 << 20;

/// Minimum doubt of a book whose proposed cuts leave a table of contents outside the body.
const SWALLOWED: f32 = 0.25;

impl BookPage {
    /// The outline, computed when first used; `None` for an extremely long text.
    pub fn outline(&self) -> Option<&Outline> {
        (self.text.bytes().len() <= MAX_OUTLINED_BYTES)
            .then(|| self.outline.get_or_init(|| outline(&self.text, &self.scan)))
    }

    /// The first table of contents that `cuts` leave outside the body, at least in part. It belongs to the body whose parts it lists.
    pub fn toc_outside_body(&self, cuts: Cuts) -> Option<&ContentsList> {
        self.outline()?
            .toc_outside_body(cuts.preamble_end, cuts.epilogue_start)
    }

    /// Checks the proposed cuts against the outline: tables of contents become evidence, and one outside the body raises doubt.
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
