//! What lies over the page: a stack, the top one sees keys first.

use tui_input::Input;

use super::action::Action;
use super::editions::EditionView;
use endpaper_truth::InnerBoilerplate;

/// A popup.
#[derive(Clone, Debug)]
pub enum Popup {
    /// Keys and actions; typing filters, Enter runs the chosen one.
    Help(Picker<Action>),
    /// The queue; words and terms find books ([`super::terms`]), Enter opens the chosen one.
    Queue(Picker<usize>),
    /// Books of one template, or of one work.
    Books {
        /// The heading.
        title: String,
        /// How a book picked from it was drawn, for its review.
        selection: &'static str,
        /// The books.
        picker: Picker<usize>,
    },
    /// A list of words to pick one from or switch on and off (filters, orders, flags).
    Words {
        /// The heading.
        title: String,
        /// What a choice means.
        purpose: PickerPurpose,
        /// The words; the current ones are marked.
        picker: Picker<(String, bool)>,
    },
    /// Versions of the record: the current one, then the conflict copies. Enter settles on the chosen one.
    Versions(Picker<usize>),
    /// A line of text to write.
    Prompt {
        /// What it is for.
        purpose: PromptPurpose,
        /// The text so far.
        input: Input,
    },
    /// A question: `y` does it.
    Confirm(ConfirmQuestion),
    /// Every occurrence of a line: the list is that of the session ([`super::occurrences`]).
    Occurrences,
    /// The evidence, on screens without the panel, from this row on.
    Evidence(usize),
    /// The bytes of the line of the cursor, from this row on.
    Bytes(usize),
    /// The outline of the book: a line to go to for each row.
    Outline {
        /// The heading.
        title: String,
        /// The rows.
        picker: Picker<u32>,
    },
    /// Books that were found by their words: index and line of each.
    Found {
        /// The heading.
        title: String,
        /// The books.
        picker: Picker<(usize, Option<u32>)>,
    },
    /// Another edition beside the open book.
    Editions(EditionView),
    /// The guidelines, from this row on.
    Guidelines(usize),
}

/// A list with a filter and a chosen row.
#[derive(Clone, Debug, Default)]
pub struct Picker<T> {
    /// All items with the text they are found by.
    pub items: Vec<(String, T)>,
    /// What was typed.
    pub filter: String,
    /// The chosen one, an index into [`Picker::shown`].
    pub chosen: usize,
    /// Indices of the items shown, where more than the words of the filter decides.
    pub found: Option<Vec<usize>>,
    /// What is wrong with the filter.
    pub problem: Option<String>,
    /// The filter was kept from before, and nothing was typed into it yet.
    pub kept: bool,
}

impl<T> Picker<T> {
    /// A list.
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

    /// Items that were found, or those that hold every word of the filter, in any case.
    pub fn shown(&self) -> Vec<&(String, T)> {
        if let Some(found) = &self.found {
            return found.iter().filter_map(|&at| self.items.get(at)).collect();
        }
        let words: Vec<String> = self
            .filter
            .split_whitespace()
            .map(str::to_lowercase)
            .collect();
        // Without a filter nothing is lower-cased: a list of ten thousand books is asked for several times a frame.
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

    /// Chooses another row, staying inside the list.
    pub fn step(&mut self, step: isize) {
        let last = self.shown().len().saturating_sub(1);
        self.chosen = self.chosen.saturating_add_signed(step).min(last);
    }

    /// Types into the filter.
    pub fn push(&mut self, c: char) {
        // What is typed is a word of its own, not the rest of one that was kept.
        if std::mem::take(&mut self.kept) && !c.is_whitespace() && !self.filter.is_empty() {
            self.filter.push(' ');
        }
        self.filter.push(c);
        self.chosen = 0;
    }

    /// Takes all of the filter away.
    pub fn clear(&mut self) {
        self.filter.clear();
        (self.chosen, self.kept) = (0, false);
    }

    /// Takes the last word of the filter away.
    pub fn pop_word(&mut self) {
        let words = self.filter.trim_end();
        let at = words.rfind(char::is_whitespace).map_or(0, |at| at + 1);
        self.filter.truncate(at);
        (self.chosen, self.kept) = (0, false);
    }

    /// Takes the last typed character back; `false` if there was none.
    pub fn pop(&mut self) -> bool {
        (self.chosen, self.kept) = (0, false);
        self.filter.pop().is_some()
    }
}

/// What choosing a word does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PickerPurpose {
    /// Sets the filter of the queue.
    Filter,
    /// Sets the order of the queue.
    Order,
    /// Switches a flag.
    Flag,
}

/// What a prompt asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PromptPurpose {
    /// A note.
    Note,
    /// A text to search.
    Search,
    /// What to search all books for.
    Corpus,
    /// A line number.
    Line,
    /// Why an alternative could be defended.
    Why,
}

impl PromptPurpose {
    /// The words before the input.
    pub fn label(self) -> &'static str {
        match self {
            PromptPurpose::Note => "note: ",
            PromptPurpose::Search => "search: ",
            PromptPurpose::Corpus => "all books with: ",
            PromptPurpose::Line => "line: ",
            PromptPurpose::Why => "alternative, because: ",
        }
    }
}

/// What `y` would do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConfirmQuestion {
    /// Mark these other blocks, identical to the one just marked, as boilerplate inside too.
    InsideAll(Vec<InnerBoilerplate>),
    /// Quit although something could not be saved.
    QuitUnsaved {
        /// Books with a decision that is not saved.
        count: usize,
        /// Why the last save failed.
        why: String,
    },
}
