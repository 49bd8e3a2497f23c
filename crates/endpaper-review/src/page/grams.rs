//! The alternation detector on the open book: an additional candidate for each end, and ranges covered by frequent n-grams.

use super::gram_view::{DIGITS, GramView};
use std::ops::Range;

use super::BookPage;
use endpaper_detect::alternation::{ByteCuts, FrequentGrams};
use endpaper_detect::pipeline::line_cuts_at;
use endpaper_detect::{Candidate, CandidateSource, End, Evidence, Fact};

impl BookPage {
    /// Runs the alternation detector: adds its cuts as candidates and evidence, and stores the ranges to shade.
    pub fn apply_alternation(&mut self, frequent: &FrequentGrams) {
        let parts = frequent.parts_in(self.text.bytes(), self.text.encoding());
        let cuts = self.snap_cuts(line_cuts_at(&self.text, ByteCuts::of(&parts)));
        let lines = self.lines();
        for end in [End::Start, End::End] {
            let position = self.cut_position(cuts, end);
            let line = match end {
                End::Start => cuts.preamble_end,
                End::End => cuts.epilogue_start.unwrap_or(lines.saturating_add(1)),
            };
            let agrees = position == self.cut_position(self.detection.cuts, end);
            let words = match (agrees, end) {
                (true, _) => "the same by n-grams".to_owned(),
                (_, End::Start) if line == 0 => "by n-grams no preamble".to_owned(),
                (_, End::Start) => format!("by n-grams the body starts {position}"),
                (_, End::End) if line > lines => "by n-grams no epilogue".to_owned(),
                (_, End::End) => format!("by n-grams the epilogue starts {position}"),
            };
            self.detection.evidence.extend([Evidence {
                end,
                lines: (position.min(lines), position.min(lines)),
                fact: Fact::Text(words),
                weight: None,
            }]);
            self.add_candidate(Candidate {
                end,
                line,
                score: 0.0,
                source: CandidateSource::Alternation,
            });
        }
        self.positions = self.positions_of_candidates();
        let useless = parts.into_iter().filter(|part| part.useless);
        self.grams = Some(GramView {
            useless: useless.map(|part| part.bytes).collect(),
            n: frequent.n(),
        });
    }

    /// Adds a candidate after the others of its end, unless one has the same position. As each end has nine digits, it replaces
    /// the least likely candidate that cuts something if there are already nine.
    fn add_candidate(&mut self, candidate: Candidate) {
        let (end, position) = (candidate.end, self.candidate_position(&candidate));
        let ranked = self.ranked_positions(end);
        if ranked.contains(&position) {
            return;
        }
        let all = &mut self.detection.candidates;
        if ranked.len() >= DIGITS {
            let least = all
                .iter()
                .rposition(|other| other.end == end && other.source != CandidateSource::Nothing);
            if let Some(least) = least {
                all.remove(least);
            }
        }
        let behind = all.iter().rposition(|other| other.end == end);
        all.insert(behind.map_or(all.len(), |last| last + 1), candidate);
    }

    /// Length of the n-grams of the alternation detector; `None` if it did not run.
    pub fn grams(&self) -> Option<u32> {
        self.grams.as_ref().map(|grams| grams.n)
    }

    /// Byte ranges of a line covered by frequent n-grams, from its first byte (including a byte order mark).
    pub fn useless(&self, line: u32) -> impl Iterator<Item = Range<usize>> {
        let all = self.grams.as_ref().map_or(&[][..], |grams| &grams.useless);
        let span = self.text.span(line, line);
        let first = all.partition_point(|range| range.end <= span.start);
        let here = all[first..]
            .iter()
            .take_while(move |range| range.start < span.end);
        here.map(move |range| {
            range.start.max(span.start) - span.start..range.end.min(span.end) - span.start
        })
    }
}
