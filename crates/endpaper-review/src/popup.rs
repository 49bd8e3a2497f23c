//! Popups over the page. They form a stack, and the top one handles keys first.

use tui_input::Input;

use super::action::Action;
use super::bulk::BulkMark;
use super::editions::EditionView;
use endpaper_truth::InnerBoilerplate;

/// A popup.
#[derive(Clone, Debug)]
pub enum Popup {
    /// All actions with their keys; Enter runs the chosen one.
    Help(Picker<Action>),
    /// The queue, filtered by words and terms ([`super::terms`]); Enter opens the chosen book.
    Queue(Picker<usize>),
    /// Books of one template, or of one work.
    Books {
        /// The heading.
        title: String,
        /// The selection to enter in the review of a book picked here.
        selection: &'static str,
        /// The books.
        picker: Picker<usize>,
    },
    /// A list of words to pick one from or switch on and off (filters, orders, flags).
    Words {
        /// The heading.
        title: String,
        /// What a choice does.
        purpose: PickerPurpose,
        /// The words, and whether each is currently set.
        picker: Picker<(String, bool)>,
    },
    /// Versions of the record: the current one, then the conflict copies. Enter settles on the chosen one.
    Versions(Picker<usize>),
    /// A prompt for a line of text.
    Prompt {
        /// What the text is for.
        purpose: PromptPurpose,
        /// The text so far.
        input: Input,
    },
    /// A question; `y` confirms it.
    Confirm(ConfirmQuestion),
    /// All occurrences of a line; the list is in the session ([`super::occurrences`]).
    Occurrences,
    /// The evidence, for screens without the panel: its first visible row.
    Evidence(usize),
    /// The bytes of the cursor's line: the first visible row.
    Bytes(usize),
    /// The outline of the book, with the target line of each row.
    Outline {
        /// The heading.
        title: String,
        /// The rows.
        picker: Picker<u32>,
    },
    /// Books found by a search: index and line of each.
    Found {
        /// The heading.
        title: String,
        /// The books.
        picker: Picker<(usize, Option<u32>)>,
    },
    /// Another edition next to the open book.
    Editions(EditionView),
    /// The guidelines: the first visible row.
    Guidelines(usize),
}

/// A list with a filter and a chosen item.
#[derive(Clone, Debug, Default)]
pub struct Picker<T> {
    /// All items, with the text to filter by.
    pub items: Vec<(String, T)>,
    /// The typed filter.
    pub filter: String,
    /// Index of the chosen item in [`Picker::shown`].
    pub chosen: usize,
    /// Indices of the items to show, if the filter is more than words.
    pub found: Option<Vec<usize>>,
    /// What is wrong with the filter.
    pub problem: Option<String>,
    /// The filter is from an earlier list, and nothing has been typed yet.
    pub kept: bool,
}

impl<T> Picker<T> {
    /// Creates a list with an empty filter.
    pub fn new(items: Vec<(String, T)>) -> Picker<T> {
        Picker {
            items,
            filter: String::new(),
            chosen: 0,
            found: None,
            problem: None,
            kept: false,
        }
    }

    /// The items in `found`, or those that contain every word of the filter, ignoring case.
    pub fn shown(&self) -> Vec<&(String, T)> {
        if let Some(found) = &self.found {
            return found.iter().filter_map(|&at| self.items.get(at)).collect();
        }
        let words: Vec<String> = self
            .filter
            .split_whitespace()
            .map(str::to_lowercase)
            .collect();
        // Without a filter nothing is lower-cased: a list of 10,000 books is requested several times a frame.
        if words.is_empty() {
            return self.items.iter().collect();
        }
        let holds = |text: &str| {
            let text = text.to_lowercase();
            words.iter().all(|word| text.contains(word))
        };
        self.items.iter().filter(|(text, _)| holds(text)).collect()
    }

    /// The chosen item.
    pub fn choice(&self) -> Option<&T> {
        self.shown().get(self.chosen).map(|(_, item)| item)
    }

    /// Moves the choice within the list.
    pub fn step(&mut self, step: isize) {
        let last = self.shown().len().saturating_sub(1);
        self.chosen = self.chosen.saturating_add_signed(step).min(last);
    }

    /// Appends a character to the filter.
    pub fn push(&mut self, c: char) {
        // A filter from an earlier list is kept as separate words.
        if std::mem::take(&mut self.kept) && !c.is_whitespace() && !self.filter.is_empty() {
            self.filter.push(' ');
        }
        self.filter.push(c);
        self.chosen = 0;
    }

    /// Clears the filter.
    pub fn clear(&mut self) {
        self.filter.clear();
        (self.chosen, self.kept) = (0, false);
    }

    /// Removes the last word of the filter.
    pub fn pop_word(&mut self) {
        let words = self.filter.trim_end();
        let at = words.rfind(char::is_whitespace).map_or(0, |at| at + 1);
        self.filter.truncate(at);
        (self.chosen, self.kept) = (0, false);
    }

    /// Removes the last character of the filter; `false` if the filter was already empty.
    pub fn pop_char(&mut self) -> bool {
        (self.chosen, self.kept) = (0, false);
        self.filter.pop().is_some()
    }
}

/// The purpose of a list of words: what choosing one of them does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PickerPurpose {
    /// Sets the filter of the queue.
    Filter,
    /// Sets the order of the queue.
    Order,
    /// Switches a flag.
    Flag,
    /// Marks all books of the queue.
    MarkAll,
    /// Reads the book in an encoding.
    Encoding,
}

/// The purpose of a prompt: what its text is used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PromptPurpose {
    /// A note.
    Note,
    /// A note that is added to those of all books of the queue.
    NoteAll,
    /// A text to search.
    Search,
    /// A search in all books.
    Corpus,
    /// A line number.
    Line,
    /// The reason for an alternative.
    Why,
}

impl PromptPurpose {
    /// The label before the input.
    pub fn label(self) -> &'static str {
        match self {
            PromptPurpose::Note => "note: ",
            PromptPurpose::NoteAll => "note for all of them: ",
            PromptPurpose::Search => "search: ",
            PromptPurpose::Corpus => "all books with: ",
            PromptPurpose::Line => "line: ",
            PromptPurpose::Why => "alternative, because: ",
        }
    }
}

/// A question that `y` confirms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConfirmQuestion {
    /// Mark these other blocks, identical to the one just marked, as boilerplate inside too.
    InsideAll(Vec<InnerBoilerplate>),
    /// Set a mark on all books of the filtered queue.
    MarkAll {
        /// The mark.
        mark: BulkMark,
        /// The books.
        books: Vec<usize>,
        /// The filter, in words.
        what: String,
    },
    /// Quit with unsaved decisions.
    QuitUnsaved {
        /// Number of books with unsaved decisions.
        count: usize,
        /// Why the last save failed.
        why: String,
    },
}
