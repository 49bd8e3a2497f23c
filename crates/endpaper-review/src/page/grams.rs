//! What the alternation detector makes of the open book: a candidate more for each end, and what frequent n-grams cover.

use super::gram_view::{DIGITS, GramView};
use std::ops::Range;

use super::BookPage;
use endpaper_detect::alternation::{ByteCuts, FrequentGrams};
use endpaper_detect::pipeline::line_cuts_at;
use endpaper_detect::{Candidate, CandidateSource, End, Evidence, Fact};

impl BookPage {
    /// Asks the alternation detector: what it takes for useless can be shaded, and where it cuts is a candidate more.
    pub fn apply_alternation(&mut self, frequent: &FrequentGrams) {
        let parts = frequent.parts(self.text.bytes());
        let cuts = self.snap_cuts(line_cuts_at(&self.text, ByteCuts::of(&parts)));
        let lines = self.lines();
        for end in [End::Start, End::End] {
            let place = self.cut_position(cuts, end);
            let line = match end {
                End::Start => cuts.preamble_end,
                End::End => cuts.epilogue_start.unwrap_or(lines.saturating_add(1)),
            };
            let agrees = place == self.cut_position(self.detection.cuts, end);
            let words = match (agrees, end) {
                (true, _) => "the same by n-grams".to_owned(),
                (_, End::Start) if line == 0 => "by n-grams no preamble".to_owned(),
                (_, End::Start) => format!("by n-grams the body starts {place}"),
                (_, End::End) if line > lines => "by n-grams no epilogue".to_owned(),
                (_, End::End) => format!("by n-grams the epilogue starts {place}"),
            };
            self.detection.evidence.push(Evidence {
                end,
                lines: (place.min(lines), place.min(lines)),
                fact: Fact::Text(words),
                weight: None,
            });
            self.add_candidate(Candidate {
                end,
                line,
                score: 0.0,
                source: CandidateSource::Alternation,
            });
        }
        self.positions = self.candidate_places();
        let useless = parts.into_iter().filter(|part| part.useless);
        self.grams = Some(GramView {
            useless: useless.map(|part| part.bytes).collect(),
            n: frequent.n(),
        });
    }

    /// Adds a candidate behind the others of its end, unless one has its place. Each end has nine digits: the least likely
    /// place that cuts something goes for it.
    fn add_candidate(&mut self, candidate: Candidate) {
        let (end, place) = (candidate.end, self.candidate_position(&candidate));
        let ranked = self.ranked_positions(end);
        if ranked.contains(&place) {
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

    /// Length of the n-grams that the alternation detector knows; none if it was not asked.
    pub fn grams(&self) -> Option<u32> {
        self.grams.as_ref().map(|grams| grams.n)
    }

    /// Which bytes of a line frequent n-grams cover, from its first byte on (a byte order mark counts).
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
