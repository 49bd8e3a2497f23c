//! `endpaper truth export` and `import` for annotation tools: one file, or a folder with files for each book.

use std::collections::HashSet;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use rayon::prelude::*;
use walkdir::WalkDir;

use super::import::ImportItem;
use endpaper_command::output::{Printer, note, warn};
use endpaper_command::overwrite::{ForceArgs, check_folder, is_stdout};
use endpaper_text::atomic::group::{GroupCommit, UnnamedFile};
use endpaper_text::atomic::{self, write_error_prefix};
use endpaper_text::corpus::BookText;
use endpaper_text::files::{read_text, refuse_links_below};
use endpaper_text::wording::{plural, thousands};
use endpaper_truth::exchange::annotation::{
    AnnotatedItem, BookOpinions, CheckedItem, ExportedBook, LONGEST_ITEM, ReadItem, check_item,
    common_files, frame, label_file_ending, opinions_by_book, read_items, read_label_file,
};
use endpaper_truth::exchange::{ExchangeFormat, Signature};
use endpaper_truth::{Record, file_name, file_name_hashed};

/// Most books in memory at a time.
const GROUP: usize = 32;

/// Bytes of text after which a group of read items is worked off.
const GROUP_BYTES: usize = 32 << 20;

/// Reads the text of a book by its id.
pub(super) type TextReader<'a> = dyn Fn(&str) -> Result<BookText, String> + Sync + 'a;

/// Reads the text that a record is about.
pub(super) type RecordTextReader<'a> = dyn Fn(&Record) -> Result<BookText, String> + Sync + 'a;

/// Writes records for a tool. Returns whether all were written; others are named.
///
/// # Errors
///
/// The output exists or cannot be written.
pub(super) fn export(
    records: &[Record],
    format: ExchangeFormat,
    out: Option<&Path>,
    force: ForceArgs,
    text_of: &RecordTextReader<'_>,
) -> Result<bool> {
    let mut exporter = Exporter {
        format,
        text_of,
        books: 0,
        left_out: 0,
        replaced: (0, 0),
    };
    match out {
        _ if format.is_folder() => {
            let Some(folder) = out.filter(|path| !is_stdout(path)) else {
                bail!("--format {format} writes a folder; name it with --out");
            };
            exporter.write_folder(records, folder, force)?;
        }
        Some(path) if !is_stdout(path) => {
            let folder = path
                .parent()
                .filter(|folder| !folder.as_os_str().is_empty());
            if let Some(folder) = folder {
                atomic::make_folder(folder).with_context(|| write_error_prefix(path))?;
            }
            atomic::write(path, force.existing(), |file| {
                exporter.write_lines(records, |line| writeln!(file, "{line}"))
            })?;
        }
        _ => {
            let mut printer = Printer::stdout();
            exporter.write_lines(records, |line| printer.line(line))?;
            printer.finish()?;
        }
    }
    let (books, characters) = exporter.replaced;
    if characters > 0 {
        note(&format!(
            "{} control {} in {} {} replaced by spaces or U+FFFD: XML and annotation tools cannot hold them",
            thousands(characters),
            plural(characters, "character"),
            thousands(books),
            plural(books, "book"),
        ));
    }
    Ok(exporter.left_out == 0)
}

/// Writes books, and counts what is to be told of them.
struct Exporter<'a> {
    format: ExchangeFormat,
    text_of: &'a RecordTextReader<'a>,
    books: usize,
    left_out: usize,
    /// Books with replaced characters, and how many these are.
    replaced: (usize, usize),
}

impl Exporter<'_> {
    /// What `make` returns for each record, in their order; records that cannot be written are named.
    fn convert<T: Send>(
        &mut self,
        records: &[&Record],
        make: impl Fn(&ExportedBook<'_>) -> Result<T, String> + Sync,
    ) -> Vec<(usize, T)> {
        let one = |record: &&Record| {
            let text = (self.text_of)(record)?;
            let book = ExportedBook::new(record, &text)?;
            Ok((book.replaced(), make(&book)?))
        };
        let made: Vec<Result<(usize, T), String>> = records.par_iter().map(one).collect();
        let mut converted = Vec::new();
        for (index, made) in made.into_iter().enumerate() {
            match made {
                Ok((replaced, made)) => {
                    self.books += 1;
                    self.replaced.0 += usize::from(replaced > 0);
                    self.replaced.1 += replaced;
                    converted.push((index, made));
                }
                Err(error) => {
                    self.left_out += 1;
                    warn(&format!("skipping {error}"));
                }
            }
        }
        converted
    }

    /// Writes one line for each book.
    fn write_lines(
        &mut self,
        records: &[Record],
        mut line: impl FnMut(&str) -> io::Result<()>,
    ) -> io::Result<()> {
        let format = self.format;
        let frame = frame(format);
        let between = frame.map_or("", |frame| frame.1);
        if let Some((before, ..)) = frame {
            line(before)?;
        }
        // The last item is written without what is between two.
        let mut held: Option<String> = None;
        for group in records.chunks(GROUP) {
            let group: Vec<&Record> = group.iter().collect();
            for (_, item) in self.convert(&group, |book| book.line(format)) {
                if let Some(mut held) = held.replace(item) {
                    held.push_str(between);
                    line(&held)?;
                }
            }
        }
        if let Some(held) = held {
            line(&held)?;
        }
        match frame {
            Some((.., after)) => line(after),
            None => Ok(()),
        }
    }

    /// Writes files for each book into a folder, none if one of them exists without `--force`.
    fn write_folder(&mut self, records: &[Record], folder: &Path, force: ForceArgs) -> Result<()> {
        check_folder(folder)?;
        let names = file_names(records);
        let format = self.format;
        let endings: &[&str] = match format {
            ExchangeFormat::Brat => &["ann", "txt"],
            _ => &[label_file_ending(format)],
        };
        let common = common_files(format);
        let common_names = common.iter().map(|(name, _)| PathBuf::from(name));
        let book_names = names.iter().flat_map(|name| {
            let with = |ending: &&str| with_ending(name, &format!(".{ending}"));
            endings.iter().map(with)
        });
        for name in common_names.chain(book_names) {
            refuse_links_below(folder, &name)?;
            force.check(&folder.join(name))?;
        }
        let mut commit = GroupCommit::default();
        let mut publish = |files: Vec<(PathBuf, String)>| -> Result<()> {
            let write = |(path, text): &(PathBuf, String)| {
                UnnamedFile::write(path, force.existing(), text.as_bytes())
                    .with_context(|| write_error_prefix(path))
            };
            let unnamed = files.par_iter().map(write).collect::<Result<Vec<_>>>()?;
            for (named, (path, _)) in commit.publish(unnamed).into_iter().zip(&files) {
                named.with_context(|| write_error_prefix(path))?;
            }
            Ok(())
        };
        let common = common.iter();
        publish(
            common
                .map(|(name, text)| (folder.join(name), (*text).to_owned()))
                .collect(),
        )?;
        for (group, names) in records.chunks(GROUP).zip(names.chunks(GROUP)) {
            let group: Vec<&Record> = group.iter().collect();
            let converted = self.convert(&group, |book| book.files(format));
            let files = converted.into_iter().flat_map(|(index, files)| {
                let name = folder.join(&names[index]);
                let path = move |(ending, text)| (with_ending(&name, ending), text);
                files.into_iter().map(path)
            });
            publish(files.collect())?;
        }
        Ok(commit.finish()?)
    }
}

/// The names of the files of records, without endings. Where two differ only in the case of letters, the second ends in a hash.
fn file_names(records: &[Record]) -> Vec<PathBuf> {
    let mut taken = HashSet::new();
    let name = |record: &Record| {
        let plain = file_name(&record.book);
        match taken.insert(plain.to_string_lossy().to_lowercase()) {
            true => plain,
            false => file_name_hashed(&record.book),
        }
    };
    records.iter().map(name).collect()
}

/// The path with an ending after those that it has.
fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut path = path.as_os_str().to_owned();
    path.push(ending);
    path.into()
}

/// Reads what a tool gave back.
///
/// # Errors
///
/// A file or folder that cannot be read, or a folder without labels.
pub(super) fn import(
    file: &Path,
    format: ExchangeFormat,
    signature: &Signature,
    text_of: &TextReader<'_>,
) -> Result<Vec<ImportItem>> {
    let name = file.display();
    let mut importer = Importer {
        text_of,
        waiting: Vec::new(),
        bytes: 0,
        checked: Vec::new(),
        refused: Vec::new(),
        files: Vec::new(),
    };
    let unreadable = || format!("'{name}' cannot be read");
    if format.is_folder() {
        importer.read_folder(file, format)?;
    } else if is_stdout(file) {
        read_items(io::stdin().lock(), format, |item| importer.take(item))
            .with_context(unreadable)?;
    } else {
        let source = File::open(file).with_context(unreadable)?;
        ensure!(!file.is_dir(), "'{name}' is a folder; name a file");
        read_items(source, format, |item| importer.take(item)).with_context(unreadable)?;
    }
    importer.work_off();
    let books = opinions_by_book(importer.checked);
    let one = |book: BookOpinions| {
        let (line, column) = book.place;
        let (record, told) = match book.record(signature, text_of) {
            Ok((record, told)) => (Ok(record), told),
            Err(message) => (Err(message), None),
        };
        ((line, column, record), told)
    };
    let records: Vec<(ImportItem, Option<String>)> = books.into_par_iter().map(one).collect();
    let mut items = importer.refused;
    for (item, told) in records {
        if let Some(told) = told {
            note(&told);
        }
        items.push(item);
    }
    items.sort_by_key(|(line, column, _)| (*line, *column));
    for (line, _, item) in &mut items {
        let number = std::mem::replace(line, 1);
        match (importer.files.get(number.wrapping_sub(1)), item) {
            (None, _) => *line = number,
            (Some(path), Err(message)) => *message = format!("'{}' {message}", path.display()),
            (Some(_), Ok(_)) => {}
        }
    }
    Ok(items)
}

/// Compares items with their books, group by group, so that few texts are in memory.
struct Importer<'a> {
    text_of: &'a TextReader<'a>,
    waiting: Vec<(usize, usize, AnnotatedItem)>,
    /// Bytes of the texts of the items that wait.
    bytes: usize,
    checked: Vec<((usize, usize), String, CheckedItem)>,
    refused: Vec<ImportItem>,
    /// The files of a folder; the lines of their items are their numbers, from 1.
    files: Vec<PathBuf>,
}

impl Importer<'_> {
    /// Takes what was read.
    fn take(&mut self, (line, column, item): ReadItem) {
        match item {
            Ok(item) => {
                self.bytes += item.text.as_ref().map_or(0, String::len);
                self.waiting.push((line, column, item));
            }
            Err(message) => self.refused.push((line, column, Err(message))),
        }
        if self.waiting.len() >= GROUP || self.bytes >= GROUP_BYTES {
            self.work_off();
        }
    }

    /// Compares the items that wait with their books.
    fn work_off(&mut self) {
        self.bytes = 0;
        let one = |(line, column, item): (usize, usize, AnnotatedItem)| {
            let check = || -> Result<(String, CheckedItem), String> {
                let book = item.book()?.to_owned();
                let text = (self.text_of)(&book)?;
                Ok((book, check_item(item, &text)?))
            };
            ((line, column), check())
        };
        let waiting = std::mem::take(&mut self.waiting);
        let checked: Vec<_> = waiting.into_par_iter().map(one).collect();
        for ((line, column), checked) in checked {
            match checked {
                Ok((book, item)) => {
                    item.notes.iter().for_each(|text| note(text));
                    self.checked.push(((line, column), book, item));
                }
                Err(message) => self.refused.push((line, column, Err(message))),
            }
        }
    }

    /// Reads all files of a folder, or one.
    fn read_folder(&mut self, folder: &Path, format: ExchangeFormat) -> Result<()> {
        let name = folder.display();
        let ending = label_file_ending(format);
        let mut files = Vec::new();
        for entry in WalkDir::new(folder).sort_by_file_name() {
            let path = entry
                .with_context(|| format!("'{name}' cannot be read"))?
                .into_path();
            let is_labels = path.extension().is_some_and(|found| found == ending);
            let is_types = common_files(format)
                .iter()
                .any(|(common, _)| path.ends_with(common));
            if !path.is_dir() && is_labels && !is_types {
                files.push(path);
            }
        }
        ensure!(
            !files.is_empty(),
            "'{name}' has no file that ends in .{ending}; {format} is read from a folder of them"
        );
        for (at, path) in files.iter().enumerate() {
            self.take((at + 1, 1, read_file(path, format)));
        }
        self.files = files;
        Ok(())
    }
}

/// Reads a file of labels, for brat with the text beside it.
fn read_file(path: &Path, format: ExchangeFormat) -> Result<AnnotatedItem, String> {
    let read = |path: &Path| read_text(path, LONGEST_ITEM);
    let labels = read(path).map_err(|error| format!("cannot be read: {error}"))?;
    let beside = path.with_extension("txt");
    let text = match format {
        ExchangeFormat::Brat if beside.exists() => Some(
            read(&beside)
                .map_err(|error| format!("has a text beside it that cannot be read: {error}"))?,
        ),
        _ => None,
    };
    read_label_file(format, &labels, text)
}
