//! Counts scaled to a corpus of another size.
//!
//! K is an absolute number, which means less the fewer books were counted. A model of few books that is used in place
//! of a larger corpus has its counts multiplied. They are estimates then, as the model records
//! ([`super::ModelParameters::scaled_to`]).

use super::{Certainty, Counts, Model, ModelParameters};

/// Shared counters cannot be scaled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("counts of the structure 'hashed' cannot be scaled; use another structure")]
pub struct NotScalable;

impl Counts {
    /// A copy with every count multiplied by `to / from`, rounded up.
    fn scaled(&self, from: u64, to: u64) -> Result<Counts, NotScalable> {
        if self.keys().is_empty() && !self.is_empty() {
            return Err(NotScalable);
        }
        let scale = |count: u64| {
            let scaled = (u128::from(count) * u128::from(to)).div_ceil(u128::from(from.max(1)));
            u64::try_from(scaled).unwrap_or(u64::MAX)
        };
        let counts = self.counts().iter();
        let counts = counts.map(|&count| u32::try_from(scale(count.into())).unwrap_or(u32::MAX));
        let below = match self.pruned_below() {
            below @ (0 | 1) => below,
            below => scale(below - 1).saturating_add(1),
        };
        let counts = Counts::from_sorted(self.keys().to_vec(), counts.collect(), Certainty::AtMost);
        Ok(counts
            .with_pruned_below(below)
            .with_max_undercount(scale(self.max_undercount())))
    }
}

impl Model {
    /// A copy with its counts scaled as if `books` books had been counted, rounded up.
    ///
    /// # Errors
    ///
    /// If the counts of the structure cannot be scaled.
    pub fn scaled_to(&self, books: u64) -> Result<Model, NotScalable> {
        let from = self.parameters.books;
        let frequencies = self
            .frequencies
            .try_map(|counts| counts.scaled(from, books))?;
        let spreads = self.frequencies.document_frequencies().scaled(from, books);
        let frequencies = frequencies.with_document_frequencies(spreads);
        let parameters = ModelParameters {
            scaled_to: books,
            ..self.parameters.clone()
        };
        Ok(Model::new(parameters, frequencies, self.line_texts.clone()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frequency::STRUCTURES;
    use crate::frequency::model::tests::parameters;
    use endpaper_text::line::Key;

    #[test]
    fn counts_grow_with_the_books_and_what_was_left_out_with_them() {
        let counts = Counts::from_pairs([(Key(1), 2), (Key(2), 5)], Certainty::Exact).pruned(2);
        let made = parameters(Default::default());
        let model = Model::new(made, counts.into(), Default::default());
        // 12 books as if there were 30.
        let scaled = model.scaled_to(30).unwrap();
        let counts = scaled.frequencies.head();
        assert_eq!(counts.frequency(Key(1)), 5);
        assert_eq!(counts.frequency(Key(2)), 13);
        assert_eq!(counts.bounds(Key(3)).at_most, 3);
        assert_eq!(scaled.parameters.pruned_below, 4);
        assert_eq!(scaled.parameters.scaled_to, 30);
        assert_eq!(Model::from_bytes(&scaled.to_bytes()).unwrap(), scaled);
    }

    #[test]
    fn what_has_keys_can_be_scaled() {
        for entry in &STRUCTURES {
            let counting = crate::frequency::Counting {
                structure: entry.name.parse().unwrap(),
                ..Default::default()
            };
            let array =
                Counts::from_array(vec![1; 1 << 16], crate::frequency::CounterWidth::Saturating);
            let counts = match entry.name {
                "hashed" => array,
                _ => Counts::from_pairs([(Key(1), 2)], Certainty::Exact),
            };
            let model = Model::new(parameters(counting), counts.into(), Default::default());
            assert_eq!(model.scaled_to(100).is_ok(), entry.name != "hashed");
        }
    }
}
