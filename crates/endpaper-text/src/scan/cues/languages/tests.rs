//! The files of cues: each line is read, and each cue is used.

use std::cell::OnceCell;

use regex_syntax::hir::{Class, Hir, HirKind};

use super::super::lowered_line::CueBuffers;
use super::super::vocabulary::CueVocabulary;
use super::super::{CueSet, is_the_end};
use super::*;
use crate::line::Normaliser;
use crate::scan::MarkerSet;
use crate::scan::header::HeaderPatterns;
use crate::scan::markers::MarkerPatterns;
use crate::scan::producer::{ProducerPatterns, is_donor, name_in};
use crate::scan::titles::TitleWords;

/// Cues, and the forms in which lines are compared with them.
struct Recogniser {
    cues: Cues,
    words: OnceCell<CueVocabulary>,
    markers: OnceCell<MarkerPatterns>,
    producer: OnceCell<ProducerPatterns>,
    header: OnceCell<HeaderPatterns>,
}

impl Recogniser {
    fn new(cues: Cues) -> Recogniser {
        Recogniser {
            cues,
            words: OnceCell::new(),
            markers: OnceCell::new(),
            producer: OnceCell::new(),
            header: OnceCell::new(),
        }
    }

    fn words(&self) -> &CueVocabulary {
        self.words.get_or_init(|| CueVocabulary::new(&self.cues))
    }

    fn markers(&self) -> &MarkerPatterns {
        let new = || MarkerPatterns::new(&self.cues).expect("the cues are expressions");
        self.markers.get_or_init(new)
    }

    fn producer(&self) -> &ProducerPatterns {
        let new = || ProducerPatterns::new(&self.cues).expect("the cues are expressions");
        self.producer.get_or_init(new)
    }

    fn header(&self) -> &HeaderPatterns {
        let new = || HeaderPatterns::new(&self.cues).expect("the fields have names");
        self.header.get_or_init(new)
    }

    /// Whether a cue of a kind is recognised in a line that is built from `text`.
    fn recognises(&self, kind: CueKind, text: &str) -> bool {
        let normalised = |line: &str| Normaliser::default().text(line).text.to_owned();
        let producer = |credits: String| name_in(&credits, self.producer());
        let ends = |line: &str| self.markers().gutenberg_marks(line).has(MarkerSet::END);
        match kind {
            CueKind::Word(cue) => {
                let line = text.strip_prefix('^').unwrap_or(text);
                let line = line.strip_suffix('>').unwrap_or(line);
                let mut found = CueSet::default();
                let mut buffers = CueBuffers::default();
                self.words().find_cues(&buffers.of(line), &mut found);
                found.has(cue) && line == normalised(line)
            }
            CueKind::TheEnd => is_the_end(text, &self.cues.of(kind).collect::<Vec<_>>()),
            CueKind::CreditsOpening => {
                let lines = [text.to_owned(), format!("{text} by Ann Bell")];
                lines
                    .iter()
                    .any(|line| self.markers().is_credits(&normalised(line)))
            }
            CueKind::NoteOpening => {
                let lines = [text.to_owned(), format!("{text} by Ann Bell")];
                lines
                    .iter()
                    .any(|line| self.markers().is_note(&normalised(line)))
            }
            CueKind::CreditsPart => {
                let line = normalised(&format!("text typed {text}"));
                self.markers().is_credits(&line)
            }
            CueKind::BeforeProducer => {
                producer(format!("Text {text} Ann Bell")).as_deref() == Some("Ann Bell")
            }
            CueKind::AfterProducer => {
                producer(format!("by Ann Bell {text} us")).as_deref() == Some("Ann Bell")
            }
            CueKind::Honorific => {
                producer(format!("by {text}. Bell")) == Some(format!("{text}. Bell"))
            }
            CueKind::Donor => is_donor(&format!("{text} by Ann Bell"), &self.cues),
            CueKind::CreditsField => {
                producer(format!("{text}: Ann Bell")).as_deref() == Some("Ann Bell")
            }
            CueKind::TitleField
            | CueKind::AuthorField
            | CueKind::EditorField
            | CueKind::LanguageField => {
                self.header().field(&format!("{text}: Night")) == Some((kind, "Night"))
            }
            CueKind::TitleStopWord => TitleWords::new(&self.cues).word_hashes(text).is_empty(),
            CueKind::EndWord => ends(&format!("{text} of the Project Gutenberg")),
            CueKind::EndArticle if text.ends_with('\'') => {
                ends(&format!("End {text}Project Gutenberg"))
            }
            CueKind::EndArticle => ends(&format!("End {text} Project Gutenberg")),
        }
    }
}

/// Texts that match a cue. Each alternative of an expression is in one of them.
fn examples(kind: CueKind, text: &str) -> Vec<String> {
    match kind {
        CueKind::CreditsOpening
        | CueKind::NoteOpening
        | CueKind::CreditsPart
        | CueKind::AfterProducer => examples_of(&regex_syntax::parse(text).expect(text)),
        _ => vec![text.to_owned()],
    }
}

fn examples_of(expression: &Hir) -> Vec<String> {
    match expression.kind() {
        HirKind::Empty | HirKind::Look(_) => vec![String::new()],
        HirKind::Literal(bytes) => vec![String::from_utf8_lossy(&bytes.0).into_owned()],
        HirKind::Class(Class::Unicode(class)) => class
            .ranges()
            .iter()
            .map(|range| range.start().into())
            .take(4)
            .collect(),
        HirKind::Class(Class::Bytes(_)) => Vec::new(),
        HirKind::Capture(capture) => examples_of(&capture.sub),
        HirKind::Repetition(repeated) => {
            let none = (repeated.min == 0).then(String::new);
            none.into_iter().chain(examples_of(&repeated.sub)).collect()
        }
        HirKind::Alternation(parts) => parts.iter().flat_map(examples_of).collect(),
        HirKind::Concat(parts) => {
            let parts: Vec<Vec<String>> = parts.iter().map(examples_of).collect();
            let mut all = Vec::new();
            for (varied, part) in parts.iter().enumerate() {
                for example in part {
                    let first = |at: usize| if at == varied { example } else { &parts[at][0] };
                    all.push((0..parts.len()).map(|at| first(at).as_str()).collect());
                }
            }
            all
        }
    }
}

#[test]
fn every_line_of_every_file_is_read() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/scan/cues/languages");
    let files = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let mut names: Vec<_> = files
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "cues")
        })
        .map(|path| path.file_stem().unwrap().to_string_lossy().into_owned())
        .collect();
    names.sort();
    assert_eq!(
        names,
        FILES.map(|(name, _)| name),
        "each file has its line in FILES"
    );
    for (name, text) in FILES {
        for (at, line) in (1..).zip(text.lines()) {
            assert_eq!(line, line.trim(), "{name}.cues:{at}: blanks around it");
        }
        let stray: Vec<_> = parse(text).filter_map(Result::err).collect();
        assert!(
            stray.is_empty(),
            "{name}.cues: in no known section: {stray:?}"
        );
    }
    for (word, text) in Cues::all().words() {
        assert_eq!(text, text.to_lowercase(), "{word:?}");
    }
}

#[test]
fn a_line_outside_the_known_sections_is_left_out() {
    let text = "# a comment\nlost\n\n[By]\nby>\n[etext\n[Bye]\nbye\n[the-end]\nend\n";
    let by = CueKind::Word(LexicalCue::By);
    let read: Vec<_> = parse(text).collect();
    let expected = [
        Err(StrayCue("lost")),
        Ok((by, "by>")),
        Ok((by, "[etext")),
        Err(StrayCue("[Bye]")),
        Err(StrayCue("bye")),
        Ok((CueKind::TheEnd, "end")),
    ];
    assert_eq!(read, expected);
}

#[test]
fn every_cue_is_recognised_and_none_is_covered_by_others() {
    let all = Recogniser::new(Cues::all().clone());
    let (mut never_found, mut redundant) = (Vec::new(), Vec::new());
    for (at, &(kind, text)) in all.cues.0.iter().enumerate() {
        let examples = examples(kind, text);
        let missed = examples
            .iter()
            .filter(|example| !all.recognises(kind, example));
        never_found.extend(missed.map(|example| (kind, text, example.clone())));
        let mut others = all.cues.clone();
        others.0.remove(at);
        let others = Recogniser::new(others);
        if examples
            .iter()
            .all(|example| others.recognises(kind, example))
        {
            redundant.push((kind, text));
        }
    }
    assert!(never_found.is_empty(), "never recognised: {never_found:#?}");
    assert!(
        redundant.is_empty(),
        "covered by other cues: {redundant:#?}"
    );
}
