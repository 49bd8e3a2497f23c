//! Adding rows up to a part or a model.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};

use super::super::RepeatedBooks;
use super::files::each_row;
use super::sum::KeySums;
use super::{CountRow, CountRowKind, RowParameters};
use crate::frequency::part::write_part;
use crate::frequency::{
    BookDigest, BookSet, CountMeasure, CountedEnds, Crc64, EndCounters, Model, ModelParameters,
    PART_TEXTS, PartHead, TextSampler,
};
use endpaper_text::atomic::Existing;
use endpaper_text::line::PREPROCESSING_VERSION;

/// Adds up the rows of any number of shards. This takes 12 bytes per distinct line, 28 while rows are sorted in, and 24
/// per book.
#[derive(Debug)]
pub struct RowImport {
    measure: CountMeasure,
    repeats: bool,
    /// How the shards were counted, with the number of shards and the file of the first of them.
    shards: BTreeMap<RowParameters, (u64, PathBuf)>,
    books: Vec<BookDigest>,
    sums: BTreeMap<CountedEnds, KeySums>,
    texts: TextSampler,
    unreadable: Vec<String>,
    /// Totals that the shards state: books, occurrences, books of lines.
    declared: [i128; 3],
    /// Totals of the rows: occurrences and books of lines.
    counted: [i128; 2],
    /// Lines that occur fewer times were left out.
    pruned_below: u64,
    files: Vec<PathBuf>,
}

/// Rows that were added up and checked.
#[derive(Debug)]
pub struct ImportedRows {
    /// The description of the part.
    pub head: PartHead,
    /// Books that the shards could not read, with the reasons, ordered by id.
    pub unreadable: Vec<String>,
    /// Number of shards.
    pub shards: u64,
    tally: EndCounters<Crc64>,
    pruned_below: u64,
}

impl RowImport {
    /// An empty import that sums occurrences or books; with `repeats` a book may occur twice.
    pub fn new(measure: CountMeasure, repeats: bool) -> RowImport {
        RowImport {
            measure,
            repeats,
            shards: BTreeMap::new(),
            books: Vec::new(),
            sums: BTreeMap::new(),
            texts: TextSampler::default(),
            unreadable: Vec::new(),
            declared: [0; 3],
            counted: [0; 2],
            pruned_below: 0,
            files: Vec::new(),
        }
    }

    /// Adds the rows of one file, which may be gzipped.
    ///
    /// # Errors
    ///
    /// For an invalid row, with the file and the row.
    pub fn add_file(&mut self, path: &Path) -> Result<()> {
        self.files.push(path.to_owned());
        each_row(path, |row| self.add(path, &row))
    }

    /// Adds a row of the file `path`.
    fn add(&mut self, path: &Path, row: &CountRow<'_>) -> Result<()> {
        match (row.kind, row.end) {
            (CountRowKind::Exact, Some(end)) => {
                let [count, books] = [row.count, row.books].map(i64::unsigned_abs);
                self.add_line(row);
                let number = match self.measure {
                    CountMeasure::Occurrences => count,
                    CountMeasure::Books => books,
                };
                let key = row.key as u64;
                self.sums.entry(end).or_default().add(key, number);
                if !row.text.is_empty() {
                    self.texts.note(key, &row.text, number);
                    // Rarer texts are dropped from time to time, so that they do not fill the memory.
                    if self.texts.len() > 32 * PART_TEXTS {
                        self.texts.keep(8 * PART_TEXTS);
                    }
                }
            }
            (CountRowKind::Pruned, _) => {
                self.add_line(row);
                self.pruned_below = self.pruned_below.max(row.key.unsigned_abs());
            }
            (CountRowKind::Book, _) => {
                let numbers = [row.key, row.count, row.books];
                let numbers = numbers.map(|number| number as u64);
                self.books.push(BookDigest::from_numbers(numbers));
            }
            (CountRowKind::Unreadable, _) => self.unreadable.push(row.text.clone().into_owned()),
            (CountRowKind::Shard | CountRowKind::Exact, _) => {
                let parameters: RowParameters = row.text.parse().map_err(anyhow::Error::msg)?;
                let shards = self.shards.entry(parameters);
                shards.or_insert_with(|| (0, path.to_owned())).0 += 1;
                for (told, number) in self
                    .declared
                    .iter_mut()
                    .zip([row.key, row.count, row.books])
                {
                    *told += i128::from(number);
                }
            }
        }
        Ok(())
    }

    /// Adds a line to the totals that are compared with those of the shards.
    fn add_line(&mut self, row: &CountRow<'_>) {
        for (found, number) in self.counted.iter_mut().zip([row.count, row.books]) {
            *found += i128::from(number);
        }
    }

    /// Ends reading and checks that all rows are there and belong together.
    ///
    /// # Errors
    ///
    /// For shards that were counted in different ways, or with another preprocessing than this program's; for missing
    /// rows; for a book in two shards, with its name; for counts of books whose rows were pruned by occurrences.
    pub fn finish(mut self) -> Result<ImportedRows> {
        let parameters = self.parameters()?;
        self.check_sums()?;
        let counting = parameters.counting(self.measure == CountMeasure::Books);
        let ends: Vec<CountedEnds> = self.sums.keys().copied().collect();
        ensure!(
            ends.iter().all(|end| counting.ends().contains(end)),
            "the lines were counted with {}, and some rows are not of these",
            counting.ends_in_words()
        );
        self.books.sort_unstable();
        self.check_repeats()?;
        let sets = counting.ends().iter();
        let sets = sets.map(|end| self.sums.remove(end).unwrap_or_default());
        let sets: Vec<Crc64> = sets.map(KeySums::into_structure).collect();
        let lines = match self.measure {
            CountMeasure::Occurrences => self.declared[1],
            CountMeasure::Books => self.declared[2],
        };
        let lines = u64::try_from(lines).context("more than 2^64 lines were counted")?;
        let shards = self.shards.values().map(|(shards, _)| shards).sum();
        let books = BookSet::from_iter(self.books);
        self.unreadable.sort_unstable();
        Ok(ImportedRows {
            head: PartHead {
                parameters: ModelParameters {
                    head: parameters.head,
                    tail: parameters.tail,
                    preprocessing: parameters.preprocessing,
                    counting,
                    books: books.len() as u64,
                    lines,
                    corpus: books.digest(),
                    pruned_below: 0,
                    scaled_to: 0,
                },
                books,
                line_texts: self.texts.most_frequent(PART_TEXTS),
            },
            unreadable: self.unreadable,
            shards,
            tally: EndCounters::from_sets(counting, sets, lines),
            pruned_below: self.pruned_below,
        })
    }

    /// How all shards were counted.
    fn parameters(&self) -> Result<RowParameters> {
        let mut ways = self.shards.iter();
        let (first, (shards, path)) = ways.next().context(
            "no row says how lines were counted: the rows of the kind 'shard' are missing; pass all rows of \
             'endpaper model count --rows'",
        )?;
        if let Some((other, (others, other_path))) = ways.next() {
            bail!(
                "the shards were counted in different ways, which cannot be added: {shards} with '{first}' (one in '{}'), \
                 {others} with '{other}' (one in '{}'); count all of them with one version of the program and the same \
                 options",
                path.display(),
                other_path.display()
            );
        }
        ensure!(
            first.preprocessing == PREPROCESSING_VERSION,
            "the lines were preprocessed by version {} (endpaper {}), this program uses version {PREPROCESSING_VERSION}; \
             import them with the program that counted them",
            first.preprocessing,
            first.program
        );
        ensure!(
            self.pruned_below < 2 || self.measure == CountMeasure::Occurrences,
            "the rows leave out lines that occur fewer than {} times, and say nothing of books then; import them without \
             --count-books",
            self.pruned_below
        );
        Ok(first.clone())
    }

    /// Checks that the rows add up to what the shards declare.
    fn check_sums(&self) -> Result<()> {
        let found = [self.books.len() as i128, self.counted[0], self.counted[1]];
        let names = ["books", "occurrences of lines", "books of lines"];
        for ((name, told), found) in names.into_iter().zip(self.declared).zip(found) {
            ensure!(
                told == found,
                "the shards counted {told} {name}, and the rows hold {found}: rows are missing or there twice; give all files \
                 of one run, each once"
            );
        }
        Ok(())
    }

    /// Checks for repeated books. Their names are not kept, so the files are read again to find one.
    fn check_repeats(&self) -> Result<()> {
        let again = self.books.windows(2);
        let again: Vec<BookDigest> = again
            .filter(|pair| pair[0] == pair[1])
            .map(|pair| pair[0])
            .collect();
        let Some(first) = again.first().filter(|_| !self.repeats) else {
            return Ok(());
        };
        let [id, ..] = first.numbers();
        let mut name = None;
        for path in &self.files {
            each_row(path, |row| {
                if row.kind == CountRowKind::Book && row.key as u64 == id {
                    name = Some(row.text.into_owned());
                }
                Ok(())
            })?;
        }
        let name = name.unwrap_or_default();
        Err(RepeatedBooks)
            .with_context(|| format!("{} books are there twice, '{name}' among them", again.len()))
    }
}

impl ImportedRows {
    /// Writes a part.
    ///
    /// # Errors
    ///
    /// If the file cannot be written, or the rows lack the rare lines.
    pub fn into_part(self, path: &Path, existing: Existing) -> Result<()> {
        ensure!(
            self.pruned_below < 2,
            "the rows leave out lines that occur fewer than {} times, and a part keeps every line, so that it can be added to \
             others; make a model of them, or sum the rows again without leaving out any",
            self.pruned_below
        );
        write_part(path, existing, &self.head, self.tally)
    }

    /// A model without the lines that occur fewer than `below` times, with the texts of its `texts` most frequent
    /// lines.
    ///
    /// # Errors
    ///
    /// None at present.
    pub fn into_model(self, below: u64, texts: usize) -> Result<Model> {
        let below = below.max(self.pruned_below);
        let frequencies = self.tally.finish(below)?;
        let known = self.head.line_texts.trimmed(&frequencies, texts, below);
        Ok(Model::new(self.head.parameters, frequencies, known))
    }
}
