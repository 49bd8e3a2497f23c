//! Records in which every text is ambiguous for some reader of YAML, JSON or file names.

use std::sync::LazyLock;

use endpaper_detect::{Cuts, End};
use endpaper_truth::{
    Alternative, Anchor, DetectedCuts, InnerBoilerplate, Record, RecordKind, Review, SourceFacts,
    Verdict,
};

/// Used as titles, notes, flags, names and parts of ids.
static WORDS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/crates/endpaper-truth/src/yaml/words.json"
    );
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
});

/// A small generator: the same records on every run and every machine.
pub struct Dice(pub u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        // Knuth's MMIX constants; the high bits are the good ones.
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % sides
    }

    fn word(&mut self) -> String {
        let word = &WORDS[self.roll(WORDS.len())];
        match self.roll(4) {
            0 => format!("{word}{}", WORDS[self.roll(WORDS.len())]),
            _ => word.clone(),
        }
    }

    fn words(&mut self) -> Vec<String> {
        (0..self.roll(3)).map(|_| self.word()).collect()
    }

    fn line(&mut self) -> u32 {
        self.roll(100) as u32 + 1
    }

    fn cuts(&mut self) -> Cuts {
        let preamble_end = self.roll(50) as u32;
        let epilogue = self.roll(3) > 0;
        Cuts {
            preamble_end,
            epilogue_start: epilogue.then(|| self.roll(50) as u32 + 51),
        }
    }

    fn value(&mut self, depth: usize) -> serde_yaml::Value {
        match self.roll(if depth > 2 { 7 } else { 9 }) {
            0 => serde_yaml::Value::Null,
            1 => true.into(),
            2 => (self.roll(1 << 30) as i64 - (1 << 29)).into(),
            3 => (u64::MAX - self.roll(9) as u64).into(),
            4 => [0.1, 1e16, 1.5e-9, -0.5, 2.0, 1e300][self.roll(6)].into(),
            5 | 6 => self.word().into(),
            7 => (0..self.roll(3))
                .map(|_| self.value(depth + 1))
                .collect::<Vec<_>>()
                .into(),
            _ => {
                let entries = (0..self.roll(3)).map(|_| (self.word(), self.value(depth + 1)));
                let entries = entries.map(|(key, value)| (key.into(), value));
                serde_yaml::Value::Mapping(entries.collect())
            }
        }
    }

    fn anchor(&mut self) -> Anchor {
        Anchor {
            before: self.words(),
            after: self.words(),
            hash: self.word(),
            twin: (self.roll(2) == 0).then(|| self.roll(4) as u32),
            seen: (0..self.roll(4)).map(|_| self.roll(1000) as u32).collect(),
        }
    }

    fn review(&mut self, verdict: Verdict, cuts: Cuts) -> Review {
        let mut review = Review {
            by: format!("{}x", self.word()),
            at: "2026-11-21T03:22:00Z".into(),
            seconds: self.roll(1000) as u64,
            sitting: self.word(),
            drawn: self.word(),
            blind: self.roll(2) == 0,
            verdict,
            cuts,
            ..Review::default()
        };
        if self.roll(2) == 0 {
            let doubt = self.roll(1000) as f32 / 1000.0;
            review.detected = Some(DetectedCuts::new(
                self.cuts(),
                doubt,
                &self.word(),
                &self.word(),
            ));
        }
        if self.roll(3) == 0 {
            let key = format!("x-{}", self.word());
            review.unknown.insert(key, self.value(0));
        }
        review
    }

    /// Returns a valid record with an id unique to `number`.
    pub fn record(&mut self, number: usize) -> Record {
        let id = match self.roll(4) {
            0 => format!("{:04}", number),
            1 => format!("{}{number}", self.word()),
            2 => format!("{number}/{}", self.word()),
            _ => format!("{}/{number}!{}", self.word(), self.word()),
        };
        let source = SourceFacts {
            sha256: format!("{number:064x}"),
            bytes: self.roll(1 << 30) as u64,
            lines: 100,
            encoding: self.word(),
            newline: self.word(),
            extractor: (self.roll(3) == 0).then(|| self.word()),
        };
        let mut record = Record::new(&id, source);
        record.hard = self.roll(2) == 0;
        record.flags = self.words();
        record.note = self.word();
        record.policy = self.word();
        record.context.preamble_end = self.anchor();
        record.context.epilogue_start = self.anchor();
        let end = [End::Start, End::End][self.roll(2)];
        record.alternatives.push(Alternative {
            end,
            line: self.line(),
            why: self.word(),
        });
        let first = self.line();
        record.inside.push(InnerBoilerplate {
            first,
            last: first,
            kind: self.word(),
        });
        for _ in 0..self.roll(3) {
            let key = format!("x-{}", self.word());
            let value = self.value(0);
            record.unknown.insert(key, value);
        }
        for _ in 0..self.roll(3) {
            let verdict = Verdict::ALL[self.roll(Verdict::ALL.len())];
            let cuts = self.cuts();
            let review = self.review(verdict, cuts);
            record.add_review(review);
        }
        if record.kind == RecordKind::Book {
            record.kind = [
                RecordKind::Book,
                RecordKind::SeveralBooks,
                RecordKind::Fragment,
            ][self.roll(3)];
        }
        record
    }
}
