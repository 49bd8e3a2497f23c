//! A sample of a corpus: which books were drawn, by what seed, for what plan.
//!
//! Drawing needs no generator: books come in the order of the SHA-256 of `seed:id`, so that the same seed draws the same
//! books on every machine and with every version, and anybody can check it with `sha256sum`. A sample is written down as
//! YAML before its books are reviewed; reviews of them name its digest.

mod certificate;
mod certify;
mod controls;
mod drawing;
mod inspection;
mod inspections;
mod plan;
mod positions;
mod stratified;
mod stratum;

pub use certificate::Certificate;
pub use certify::CertifyError;
pub use controls::{choose_controls, is_control_candidate};
pub use drawing::{DrawError, DrawOptions, StratifyBy, works_of};
pub use inspection::{Inspection, InspectionSide, ReviewerError, count_repeated_reviews, inspect};
pub use inspections::{Inspections, InspectionsError};
pub use plan::{SampleOutcome, SamplePlan, SamplePlanError, percent};
pub use positions::{SamplePositions, SamplePositionsError};
pub use stratified::{SampleCandidate, draw_stratified};
pub use stratum::{DrawnBook, Stratum};

use anyhow::{Context, Result, bail, ensure};
use serde::{Deserialize, Serialize};

use endpaper_text::checksum;
use endpaper_text::yaml_limits::{self, Limits};
use endpaper_truth as truth;

/// Version of the format.
const SCHEMA: u32 = 1;

/// The first line of every sample file.
const HEADER: &str = "# endpaper sample, in the order drawn. Do not edit: reviews name its digest.";

/// A drawn sample, as its file stores it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BookSample {
    /// Version of the format.
    pub schema: u32,
    /// Digest of the corpus: 16 hex digits over the ids, sizes and checksums of its books.
    pub corpus: String,
    /// Books, or works, that could be drawn.
    pub population: u64,
    /// One book of each work could be drawn.
    #[serde(default)]
    pub works: bool,
    /// What the order was drawn with.
    pub seed: u64,
    /// What the sample is to show.
    pub plan: SamplePlan,
    /// Kind of the strata: `template`, `era` or `hand` (the producer, under its former name); empty without strata.
    #[serde(default)]
    pub by: String,
    /// The strata, if there are any.
    #[serde(default)]
    pub strata: Vec<Stratum>,
    /// Lines that make no book bad: of the book lost, of boilerplate left.
    #[serde(default)]
    pub tolerated: [u64; 2],
    /// The books in the order drawn.
    pub books: Vec<DrawnBook>,
    /// Books whose cuts are known already, to be shown among the drawn ones: how often they are found elsewhere tells how
    /// far the user who looks can be trusted. They count for nothing else.
    #[serde(default, rename = "planted")]
    pub controls: Vec<DrawnBook>,
}

/// Longest sample file, in bytes: room for 75,000 books.
pub const MAX_FILE_BYTES: u64 = 16 << 20;

/// The limits of a sample file.
const LIMITS: Limits = Limits {
    bytes: MAX_FILE_BYTES,
    values: 1_000_000,
};

impl BookSample {
    /// The current version of the format.
    pub fn schema() -> u32 {
        SCHEMA
    }

    /// Reads what [`BookSample::to_yaml`] wrote.
    ///
    /// # Errors
    ///
    /// A file that is not a sample, another version, more books than the population, a book listed twice, a plan with invalid
    /// numbers.
    pub fn parse(text: &str) -> Result<BookSample> {
        let sample: BookSample = yaml_limits::read(text, LIMITS)
            .context("it is not a sample file; `endpaper sample draw` writes one")?;
        ensure!(
            sample.schema == SCHEMA,
            "it has schema {}, and this version reads {SCHEMA}; draw a new sample",
            sample.schema
        );
        ensure!(
            sample.books.len() as u64 <= sample.population && !sample.books.is_empty(),
            "it names {} books of {}; draw a new sample",
            sample.books.len(),
            sample.population
        );
        let all = sample.books.iter().chain(&sample.controls);
        let mut ids: Vec<&str> = all.map(|book| book.id.as_str()).collect();
        ids.sort_unstable();
        if let Some(twice) = ids.windows(2).find(|pair| pair[0] == pair[1]) {
            bail!("it names '{}' twice; draw a new sample", twice[0]);
        }
        sample.plan.check()?;
        Ok(sample)
    }

    /// The file: a fixed layout, so that equal samples are equal bytes. Every string is a JSON string in which what YAML
    /// does not take unchanged is escaped too.
    pub fn to_yaml(&self) -> String {
        let mut lines = vec![
            HEADER.to_owned(),
            format!("schema: {}", self.schema),
            format!("corpus: {}", quote(&self.corpus)),
            format!("population: {}", self.population),
            format!("works: {}", self.works),
            format!("seed: {}", self.seed),
            format!("plan: {}", self.plan.to_yaml()),
            format!("by: {}", quote(&self.by)),
        ];
        lines.push(match self.strata.is_empty() {
            true => "strata: []".to_owned(),
            false => "strata:".to_owned(),
        });
        for stratum in &self.strata {
            lines.push(format!(
                "  - {{name: {}, books: {}, drawn: {}}}",
                quote(&stratum.name),
                stratum.books,
                stratum.drawn
            ));
        }
        let [loss, leak] = self.tolerated;
        lines.push(format!("tolerated: [{loss}, {leak}]"));
        for (name, books) in [("books", &self.books), ("planted", &self.controls)] {
            lines.push(match books.is_empty() {
                true => format!("{name}: []"),
                false => format!("{name}:"),
            });
            lines.extend(books.iter().map(|book| {
                let (id, crc) = (quote(&book.id), quote(&book.crc));
                format!("  - {{id: {id}, bytes: {}, crc: {crc}}}", book.bytes)
            }));
        }
        lines.push(String::new());
        lines.join("\n")
    }

    /// The first 16 hex digits of the SHA-256 of the file as [`BookSample::to_yaml`] writes it: comments and layout of a
    /// copy make no difference.
    pub fn digest(&self) -> String {
        let mut digest = checksum::sha256(self.to_yaml().as_bytes());
        digest.truncate(16);
        digest
    }

    /// How reviews say that their book was drawn here.
    pub fn review_tag(&self) -> String {
        format!("{}{}", truth::SAMPLE, self.digest())
    }

    /// What one of the things is called that were drawn.
    pub fn unit_name(&self) -> &'static str {
        match self.works {
            true => "work",
            false => "book",
        }
    }
}

/// A string in double quotes that YAML reads as it is.
fn quote(text: &str) -> String {
    let json = serde_json::Value::from(text).to_string();
    let mut out = String::with_capacity(json.len());
    for character in json.chars() {
        match character {
            // JSON leaves these raw. YAML refuses them, or takes them for the end of a line. All others stay as JSON has
            // them: the digest of a sample is that of its text.
            '\u{7f}'..='\u{9f}' | '\u{2028}' | '\u{2029}' | '\u{fffe}' | '\u{ffff}' => {
                out.push_str(&format!("\\u{:04x}", u32::from(character)));
            }
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn sample() -> BookSample {
        let drawn = |id: &str| DrawnBook {
            id: id.to_owned(),
            bytes: 7,
            crc: "00000000000000ff".to_owned(),
        };
        BookSample {
            schema: SCHEMA,
            corpus: "0555567000000000".to_owned(),
            population: 10,
            works: true,
            seed: u64::MAX,
            plan: SamplePlan::Single {
                limit: 0.02,
                confidence: 0.95,
                accept: 1,
            },
            by: "hand".to_owned(),
            strata: vec![Stratum {
                name: "Anna \"A\": {x}".to_owned(),
                books: 4,
                drawn: 2,
            }],
            tolerated: [0, 2],
            books: vec![drawn("0555567"), drawn("a: b\u{1f600}\n\\")],
            controls: vec![drawn("0777")],
        }
    }

    #[test]
    fn what_is_written_is_read() {
        let plans = [
            sample().plan,
            SamplePlan::Size {
                limit: 0.1,
                confidence: 0.9,
            },
            SamplePlan::Sequential {
                good: 0.01,
                bad: 0.03,
                risk: 0.05,
            },
        ];
        for plan in plans {
            let sample = BookSample { plan, ..sample() };
            let text = sample.to_yaml();
            assert_eq!(BookSample::parse(&text).unwrap(), sample, "{text}");
            let commented = format!("# mine\n{text}# and more\n");
            assert_eq!(
                BookSample::parse(&commented).unwrap().digest(),
                sample.digest()
            );
        }
    }

    #[test]
    fn every_character_of_an_id_comes_back() {
        // All but those above the first plane, and some of these.
        let characters = (0..0x1_0010).chain([0x1_f600, 0x1_fffe, 0xe_0001, 0x10_ffff]);
        let characters: Vec<char> = characters.filter_map(char::from_u32).collect();
        for some in characters.chunks(64) {
            let id: String = some.iter().collect();
            let mut sample = sample();
            sample.books[0].id.clone_from(&id);
            let read = BookSample::parse(&sample.to_yaml());
            assert_eq!(read.unwrap().books[0].id, id, "{id:?}");
        }
    }

    proptest! {
        #[test]
        fn any_ids_come_back(ids in prop::collection::btree_set(any::<String>(), 1..4), names in any::<[String; 2]>()) {
            let [by, name] = names;
            let mut sample = BookSample { by, controls: Vec::new(), ..sample() };
            let drawn = |id: String| DrawnBook { id, ..sample.books[0].clone() };
            sample.books = ids.into_iter().map(drawn).collect();
            sample.strata[0].name = name;
            prop_assert_eq!(BookSample::parse(&sample.to_yaml()).unwrap(), sample);
        }
    }

    /// The digest is in reviews: it must not change with the version.
    #[test]
    fn the_digest_is_that_of_the_file() {
        let text = sample().to_yaml();
        let whole = endpaper_text::checksum::sha256(text.as_bytes());
        assert_eq!(sample().review_tag(), format!("sample:{}", &whole[..16]));
        assert!(text.contains("plan: {kind: single, limit: 0.02, confidence: 0.95, accept: 1}"));
    }

    #[test]
    fn what_is_no_sample_is_refused_with_the_reason() {
        let good = sample().to_yaml();
        let table = [
            ("", "", "not a sample file"),
            ("schema: 1", "schema: 2", "has schema 2"),
            ("population: 10", "population: 1", "names 2 books of 1"),
            ("0555567\"", "x\", id2: \"", "not a sample file"),
            ("\"a: b😀\\n\\\\\"", "\"0555567\"", "names '0555567' twice"),
            ("\"0777\"", "\"0555567\"", "names '0555567' twice"),
            ("limit: 0.02", "limit: 2", "limit 2"),
            ("confidence: 0.95", "confidence: .nan", "confidence"),
        ];
        for (from, to, reason) in table {
            let text = match from {
                "" => String::new(),
                from => good.replace(from, to),
            };
            assert_ne!(text, good, "{from}");
            let error = format!("{:#}", BookSample::parse(&text).unwrap_err());
            assert!(error.contains(reason), "{from}: {error}");
        }
    }
}
