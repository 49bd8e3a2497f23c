//! Two sides and how well they agree.

use endpaper_evaluate::agree::{AgreementTally, SideAgreement};
use endpaper_text::scan::Template;

/// Two sides and how well they agree.
pub(super) struct SidePair<'a> {
    pub(super) sides: [&'a str; 2],
    pub(super) agreement: &'a SideAgreement,
}

impl SidePair<'_> {
    /// Templates with their figures, those with most books first.
    pub(super) fn templates(&self) -> Vec<(Template, &Option<String>, &AgreementTally)> {
        let templates = self.agreement.templates.iter();
        let mut templates: Vec<_> = templates
            .map(|(id, t)| (*id, &t.producer, &t.tally))
            .collect();
        templates.sort_by_key(|(id, _, tally)| (std::cmp::Reverse(tally.books()), *id));
        templates
    }
}
