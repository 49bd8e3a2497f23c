//! The outline of the open book.

use super::BookPage;
use endpaper_detect::{Cuts, End, Evidence, Fact};
use endpaper_outline::{ContentsList, MAX_OUTLINED_BYTES, Outline, outline};
use endpaper_text::wording::{plural, thousands};

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

    /// Adds the tables of contents of the outline to the page's evidence, so that the evidence panel shows them.
    pub fn add_contents_evidence(&mut self) {
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
        self.detection.evidence.extend(told);
    }
}
