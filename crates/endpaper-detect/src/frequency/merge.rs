//! Merging parts into a model or a larger part.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::RepeatedBooks;

use super::part::write_part;
use super::{
    Counter, Counting, EndCounters, Frequencies, Model, ModelPart, PartHead, StructureVisitor,
};
use endpaper_text::atomic::Existing;

/// Parts that can be merged.
#[derive(Clone, Debug)]
pub struct PartMerge {
    parts: Vec<ModelPart>,
    /// The merged head of all parts.
    pub head: PartHead,
}

impl PartMerge {
    /// Opens parts and checks that they can be merged: counted in the same way, and with no book in two of them unless
    /// `repeats` is set.
    ///
    /// # Errors
    ///
    /// For a part that cannot be used; for two parts that differ in a parameter, with its name and both values; for
    /// books in more than one part, with their number.
    pub fn of(paths: &[PathBuf], repeats: bool) -> Result<PartMerge> {
        let parts = paths.iter().map(|path| ModelPart::open(path));
        let parts: Vec<ModelPart> = parts.collect::<Result<_>>()?;
        let (first, others) = parts.split_first().context("there is no part to merge")?;
        let mut head = first.head.clone();
        for part in others {
            add(&mut head, first, part, repeats)?;
        }
        head.parameters.books = head.books.len() as u64;
        head.parameters.corpus = head.books.digest();
        Ok(PartMerge { parts, head })
    }

    /// The same with another memory limit, for structures that have one.
    ///
    /// # Errors
    ///
    /// If the structure has no such limit, or does not accept this one.
    pub fn with_memory(mut self, bytes: u64) -> Result<PartMerge> {
        let structure = &mut self.head.parameters.counting.structure;
        *structure = structure.with_memory(bytes)?;
        Ok(self)
    }

    /// Merges the parts into a model without the lines that occur fewer than `below` times, with the texts of its
    /// `texts` most frequent lines.
    ///
    /// # Errors
    ///
    /// If a part cannot be read or a structure's storage fails.
    pub fn into_model(self, below: u64, texts: usize) -> Result<Model> {
        let head = self.head.clone();
        let frequencies = self.dispatch(FinishMerge { below })?;
        let known = head.line_texts.trimmed(&frequencies, texts, below);
        Ok(Model::new(head.parameters, frequencies, known))
    }

    /// Merges the parts into one.
    ///
    /// # Errors
    ///
    /// If a part cannot be read, the new one cannot be written, or a structure's storage fails.
    pub fn into_part(self, path: &Path, existing: Existing) -> Result<()> {
        let head = self.head.clone();
        self.dispatch(WriteMerge {
            path,
            existing,
            head: &head,
        })
    }

    /// Merges with the counting structure that the parts were made with, and returns what `goal` makes of the sum.
    fn dispatch<G: MergeGoal>(self, goal: G) -> Result<G::Output> {
        let counting = self.head.parameters.counting;
        // The merged counts and those being read are in memory at once.
        let structures = 2 * counting.ends().len();
        let job = MergeJob {
            counting,
            parts: &self.parts,
            goal,
        };
        counting.structure.dispatch(structures, job)
    }
}

/// Adds the head of one more part.
fn add(head: &mut PartHead, first: &ModelPart, part: &ModelPart, repeats: bool) -> Result<()> {
    let (ours, theirs) = (&head.parameters, &part.head.parameters);
    if let Some((name, a, b)) = ours.difference(theirs, true) {
        bail!(
            "'{}' and '{}' cannot be merged: the {name} is '{a}' in the first and '{b}' in the second; count the books of \
             one again with the options of the other",
            first.path.display(),
            part.path.display()
        );
    }
    let common = head.books.in_common(&part.head.books);
    if common > 0 && !repeats {
        return Err(RepeatedBooks).with_context(|| {
            format!(
                "{common} of the {} books of '{}' are in another part too",
                part.head.books.len(),
                part.path.display()
            )
        });
    }
    head.parameters.lines = head.parameters.lines.saturating_add(theirs.lines);
    head.books.extend(part.head.books.clone());
    head.line_texts = std::mem::take(&mut head.line_texts).union(part.head.line_texts.clone());
    Ok(())
}

/// The goal of a merge: what the merged counts are turned into, a model in memory or a part file.
trait MergeGoal {
    type Output;

    /// Makes the result of the merged counts.
    fn finish<C: Counter>(self, tally: EndCounters<C>) -> Result<Self::Output>;
}

/// Makes a model of the merged parts, without the lines that occur fewer than `below` times.
struct FinishMerge {
    below: u64,
}

impl MergeGoal for FinishMerge {
    type Output = Frequencies;

    fn finish<C: Counter>(self, tally: EndCounters<C>) -> Result<Frequencies> {
        tally.finish(self.below)
    }
}

/// Writes the merged parts to a larger part file.
struct WriteMerge<'a> {
    path: &'a Path,
    existing: Existing,
    head: &'a PartHead,
}

impl MergeGoal for WriteMerge<'_> {
    type Output = ();

    fn finish<C: Counter>(self, tally: EndCounters<C>) -> Result<()> {
        write_part(self.path, self.existing, self.head, tally)
    }
}

/// Adds up parts with one counting structure and hands the sum to `goal`.
struct MergeJob<'a, G> {
    counting: Counting,
    parts: &'a [ModelPart],
    goal: G,
}

impl<G: MergeGoal> StructureVisitor for MergeJob<'_, G> {
    type Output = Result<G::Output>;

    fn build<C: Counter>(self, new: impl Fn(usize) -> Result<C> + Sync) -> Result<G::Output> {
        let mut merged: Option<EndCounters<C>> = None;
        for part in self.parts {
            let mut tally = EndCounters::new(self.counting, &new)?;
            part.load(&mut tally)?;
            merged = Some(match merged {
                Some(merged) => merged.merge(tally)?,
                None => tally,
            });
        }
        self.goal
            .finish(merged.context("there is no part to merge")?)
    }
}
