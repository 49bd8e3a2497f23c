//! A body that was written, and its line of the manifest.

use std::fmt;
use std::path::PathBuf;

use super::{OutForm, StripBody};
use crate::{SourceFacts, Verdict};
use endpaper_text::cells::escaped;
use endpaper_text::corpus::BookId;

/// A body in its file. In its `Display` form it is a line of the manifest.
#[derive(Clone, Debug, PartialEq)]
pub struct StrippedBook {
    /// The book.
    pub book: BookId,
    /// The file, relative to the folder.
    pub file: PathBuf,
    /// The body.
    pub body: StripBody,
    /// Bytes of the file.
    pub bytes: usize,
    /// SHA-256 of the file.
    pub sha256: String,
    /// The book's own file.
    pub source: SourceFacts,
    /// What was changed in the bytes.
    pub form: OutForm,
    /// Detector and model, where a detector set the cuts.
    pub detector: Option<(String, String)>,
    /// Whether it was written now; otherwise it was there already.
    pub written: bool,
}

impl fmt::Display for StrippedBook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let StrippedBook { body, source, .. } = self;
        let file = self.file.components();
        let file: Vec<_> = file
            .map(|part| part.as_os_str().to_string_lossy())
            .collect();
        let file = file.join("/");
        let (book, file) = (escaped(self.book.as_str()), escaped(&file));
        write!(f, "{book}\t{file}\t{}\t{}\t", body.first, body.last)?;
        write!(f, "{}\t{}\t{:.3}\t", self.bytes, body.by, body.doubt)?;
        let verdict = body.verdict.map_or("-", Verdict::name);
        write!(f, "{verdict}\t{}\t{}\t", escaped(&body.policy), self.sha256)?;
        write!(f, "{}\t{}\t{}\t", source.sha256, source.bytes, source.lines)?;
        write!(f, "{}\t{}\t", source.encoding, source.newline)?;
        write!(f, "{}\t{}\t", self.form.encoding, self.form.newline)?;
        let ranges = body.dropped.iter();
        let ranges: Vec<String> = ranges.map(|(a, b)| format!("{a}-{b}")).collect();
        let dropped = if ranges.is_empty() {
            "-".to_owned()
        } else {
            ranges.join(",")
        };
        let (detector, model) = match &self.detector {
            Some((detector, model)) => (escaped(detector), escaped(model)),
            None => ("-".into(), "-".into()),
        };
        write!(f, "{dropped}\t{detector}\t{model}")
    }
}
