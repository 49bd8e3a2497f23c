//! The table of everything a curator can do: id, default keys, group and a one-line description of each action.
//!
//! Help, bottom line, hints, keymap and the manual's table of keys are generated from it; a test fails if the table is out of date.

use std::fmt;
use std::str::FromStr;

use endpaper_text::config::nearest;

/// Headings of the help.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HelpGroup {
    /// Deciding a book.
    Decide,
    /// Moving a cut.
    Cut,
    /// Moving on the page.
    Move,
    /// Going to another book.
    Books,
    /// Navigating the heat map.
    Heat,
    /// Switching parts of the screen.
    Show,
    /// Controlling the program.
    Program,
    /// Lists over the page.
    Lists,
    /// Prompts for text.
    Prompts,
}

/// Where a key is pressed; the same key may mean one thing on the page and another in a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyContext {
    /// On the page.
    Page,
    /// In a list, where characters go into its filter.
    List,
    /// In a prompt for text.
    Prompt,
}

impl HelpGroup {
    /// All groups, in the order of the help.
    pub const ALL: [HelpGroup; 9] = [
        HelpGroup::Decide,
        HelpGroup::Cut,
        HelpGroup::Move,
        HelpGroup::Books,
        HelpGroup::Heat,
        HelpGroup::Show,
        HelpGroup::Program,
        HelpGroup::Lists,
        HelpGroup::Prompts,
    ];

    /// Where the keys of the group work.
    pub fn key_context(self) -> KeyContext {
        match self {
            HelpGroup::Lists => KeyContext::List,
            HelpGroup::Prompts => KeyContext::Prompt,
            _ => KeyContext::Page,
        }
    }

    /// The heading.
    pub fn title(self) -> &'static str {
        match self {
            HelpGroup::Decide => "Decide",
            HelpGroup::Cut => "Move the cut of the active end",
            HelpGroup::Move => "Move on the page",
            HelpGroup::Books => "Other books",
            HelpGroup::Heat => "Heat map of the corpus",
            HelpGroup::Show => "Show",
            HelpGroup::Program => "Program",
            HelpGroup::Lists => "In a list (what is typed filters it)",
            HelpGroup::Prompts => "In a line of text",
        }
    }
}

macro_rules! actions {
    ($($group:ident { $($action:ident $id:literal [$($key:literal)*] $doc:literal;)* })*) => {
        /// Something a curator can do.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Action { $($(#[doc = $doc] $action),*),* }

        /// The table entry of an action.
        #[derive(Clone, Copy, Debug)]
        pub struct ActionInfo {
            /// The action.
            pub action: Action,
            /// Name in configuration and documentation.
            pub id: &'static str,
            /// Default keys.
            pub keys: &'static [&'static str],
            /// Heading in the help.
            pub group: HelpGroup,
            /// What it does.
            pub doc: &'static str,
        }

        /// All actions.
        pub const ACTIONS: &[ActionInfo] = &[$($(ActionInfo {
            action: Action::$action, id: $id, keys: &[$($key),*], group: HelpGroup::$group, doc: $doc,
        }),*),*];
    };
}

actions! {
    Decide {
        Keep "keep" ["<Enter>"] "Keep the cuts as shown, save, go to the next book (first shows a cut not yet seen)";
        Hard "hard" ["h"] "Mark the case hard, or not hard";
        Note "note" ["n"] "Write a one-line note";
        Alternative "alternative" ["a"] "A second curator could cut at the cursor: note that alternative with a reason, or drop it";
        Inside "inside" ["x"] "Mark the block at the cursor as boilerplate inside the body, or unmark it";
        NotABook "not-a-book" ["wn"] "The file is not a book: save, next";
        Undecidable "undecidable" ["wu"] "The file cannot be decided: save, next";
        SeveralBooks "several-books" ["ws"] "The file holds several books (keep saves it)";
        Fragment "fragment" ["wf"] "The file is a fragment of a book (keep saves it)";
        OneBook "one-book" ["wb"] "Take back 'not a book'";
        Versions "versions" ["V"] "Resolve a conflict: versions of this record by two curators";
        Flag "flag" ["f"] "Say what is unusual about the book, hard or not: a list of flags with their meanings";
        MarkAll "mark-all" ["F"] "A flag, hard or a note for all books of the filtered queue at once (taken back as one change)";
        Replay "replay" ["R"] "Replay the last ten decisions, one screen each (undo reopens one to correct it)";
        Undo "undo" ["u"] "Undo the last change or decision, in whatever book it was";
        Redo "redo" ["<C-r>" "U"] "Redo what was undone";
        SaveDraft "save" ["<C-s>"] "Save now what is not decided yet (drafts are saved by themselves within a second)";
    }
    Cut {
        CutHere "cut-here" ["c"] "Put the cut before the line of the cursor";
        CutNothing "cut-nothing" ["0"] "No preamble, or no epilogue";
        CutDetected "cut-detected" ["d"] "Put the cut back where the detector had it";
        CutPreviousBlock "cut-previous-block" ["["] "Move the cut to the previous block";
        CutNextBlock "cut-next-block" ["]"] "Move the cut to the next block";
        CutPreviousGap "cut-previous-gap" ["{"] "Move the cut to the previous gap of three or more blank lines";
        CutNextGap "cut-next-gap" ["}"] "Move the cut to the next gap of three or more blank lines";
        CutNextMarker "cut-next-marker" ["M"] "Move the cut past the next marker line (after the last, the first)";
        CutDown "cut-down" ["J"] "Move the cut down one non-blank line";
        CutUp "cut-up" ["K"] "Move the cut up one non-blank line";
    }
    Move {
        OtherEnd "other-end" ["<Tab>" "<BackTab>"] "Go to the other end of the book";
        Down "down" ["j" "<Down>"] "One row down";
        Up "up" ["k" "<Up>"] "One row up";
        PageDown "page-down" ["<PageDown>" "<C-f>" "<Space>"] "A page down";
        PageUp "page-up" ["<PageUp>" "<C-b>"] "A page up";
        HalfDown "half-page-down" ["<C-d>"] "Half a page down";
        HalfUp "half-page-up" ["<C-u>"] "Half a page up";
        Top "top" ["gg" "<Home>"] "First line of the book";
        Bottom "bottom" ["G" "<End>"] "Last line of the book";
        ToCut "to-cut" ["gc" "."] "Back to the cut of the active end";
        Count "count" ["#"] "A count for the next key: 12 and cut-down moves the cut twelve lines, 258 and bottom goes to line 258";
        GoToLine "go-to-line" [":"] "Go to a line by its number";
        Search "search" ["/"] "Search in the text (capital letters matter only if you type one)";
        NextMatch "next-match" [">"] "Next match";
        PreviousMatch "previous-match" ["<lt>"] "Previous match";
        NextInside "next-inside" ["gi"] "To the next block that is proposed as boilerplate inside the body";
    }
    Books {
        NextBook "next-book" ["<Right>" "L"] "Next book without deciding";
        PreviousBook "previous-book" ["<Left>" "H"] "Previous book";
        NextOpen "next-undecided" ["gn"] "Next book that is not decided";
        MostDoubtful "most-doubtful" ["gu"] "The most doubtful undecided book of the queue, whatever its order; says when to stop";
        SittingMarks "sitting-marks" ["gk"] "This sitting's hard cases, flags, alternatives and notes (list-choose opens the book)";
        Queue "queue" ["b"] "The queue: pick a book, by words and terms such as doubt>0.5 (list-keep keeps them as a filter)";
        Filter "filter" ["s"] "Show only books of one status (all, undecided, decided, hard ...)";
        Order "order" ["o"] "Change the order of the queue (doubt, template, producer, name, random)";
        Siblings "siblings" ["'"] "Books of the same template, and how they were decided";
        Editions "editions" ["="] "Another edition beside the book, at the cut: what only one has (next-book: the next edition, list-choose opens it)";
        BringUp "bring-up" ["A"] "Propagate a verdict: its copies come next, after a correction books with the same block too, each with cuts proposed";
        SearchCorpus "search-corpus" ["g/"] "All books with some words: white whale, \"a phrase\", title:emma, whale OR shark -ship (list-choose opens one at the line)";
        NextUnreadable "unreadable" ["gx"] "Books that could not be read, with the reason";
        OtherBook1 "other-book-1" ["g1"] "To the first of the other books that the evidence names for the line of the cursor";
        OtherBook2 "other-book-2" ["g2"] "To the second of them";
        OtherBook3 "other-book-3" ["g3"] "To the third of them";
        Back "back" ["<C-o>"] "Back to where you were before the last jump to a book";
    }
    Heat {
        HeatMap "heat-map" ["gm"] "Heat map of all books: first or last lines by frequency (keep opens the chosen one)";
        HeatMore "heat-more" ["-"] "On the map: more books in a column, until all are on screen";
        HeatFewer "heat-fewer" ["+"] "On the map: fewer books in a column, down to one";
        HeatLines "heat-lines" ["l"] "On the map: two lines in a row, or as many as make all fit";
    }
    Show {
        Grams "grams" ["v"] "Shade characters by n-grams, or lines by their frequency again";
        WholeText "whole-text" ["W"] "The whole text in one pane, or both ends again";
        Fold "fold" ["z"] "Unfold or fold the block at the cursor";
        FoldAll "fold-all" ["Z"] "Unfold or fold all long blocks";
        Outline "outline" ["O"] "The outline of the book: its parts with their lines, and which lie outside the cuts (list-choose jumps)";
        Evidence "evidence" ["i"] "Why: the evidence, panel or popup";
        Occurrences "occurrences" ["gl"] "All books with the line at the cursor near their ends, and where; unusual positions first";
        SameSkeleton "same-skeleton" ["gs"] "The same for lines that differ from it in names and numbers only";
        Encoding "encoding" ["E"] "The open book in other encodings: one line in each; list-choose keeps one for the book, list-keep for all books";
        Bytes "bytes" ["gb"] "The bytes of the line of the cursor: hex, place in the file, ending, unusual characters";
        Map "map" ["m"] "The minimap (wide screens)";
        QueueColumn "queue-column" ["gq"] "The queue column (wide screens)";
        Theme "theme" ["t"] "Next theme";
        BlindMode "blind-mode" ["B"] "Blind review on or off: nothing is proposed until both cuts are placed";
        Reveal "reveal" ["gd"] "Blind: show what the detector has, once both cuts are placed";
        Help "help" ["?" "<F1>"] "Keys and what they do: type to search, choose to run";
        Guidelines "guidelines" ["g?"] "What belongs to the book and what does not: the guidelines in short";
        Tour "tour" ["gt"] "The tour of six lines, shown or hidden";
    }
    Program {
        Editor "editor" ["e"] "Open the book in $EDITOR at the line of the cursor";
        CopyLine "copy-line" ["y"] "Send the line of the cursor to the terminal's clipboard";
        CopyId "copy-id" ["Y"] "Send the book's id to the terminal's clipboard";
        Mouse "mouse" ["gM"] "Leave the mouse to the terminal, to select text with it, or take it back";
        Redraw "redraw" ["<C-l>"] "Redraw the screen";
        Suspend "suspend" ["<C-z>"] "Suspend (fg brings it back)";
        Quit "quit" ["q" "<C-c>"] "Save and quit";
    }
    Lists {
        ListChoose "list-choose" ["<Enter>"] "Choose or run";
        ListClose "list-close" ["<Esc>" "<C-c>"] "Close";
        ListMark "list-mark" ["<Space>"] "Mark or unmark (list of flags)";
        ListKeep "list-keep" ["<Tab>"] "In the queue: keep what was typed as its filter, and open the chosen book; among encodings: keep one for all books";
        ListDown "list-down" ["<Down>" "<C-n>"] "One row down";
        ListUp "list-up" ["<Up>" "<C-p>"] "One row up";
        ListPageDown "list-page-down" ["<PageDown>"] "A page down";
        ListPageUp "list-page-up" ["<PageUp>"] "A page up";
        ListFirst "list-first" ["<Home>"] "To the first row";
        ListLast "list-last" ["<End>"] "To the last row";
    }
    Prompts {
        PromptKeep "prompt-keep" ["<Enter>"] "Take what is written";
        PromptLeave "prompt-leave" ["<Esc>" "<C-c>"] "Leave it";
    }
}

impl Action {
    /// Where the keys of the action work.
    pub fn key_context(self) -> KeyContext {
        self.info().group.key_context()
    }

    /// Whether it has an effect on the heat map.
    pub fn works_on_map(self) -> bool {
        use Action::*;
        let moves = matches!(
            self,
            NextBook
                | PreviousBook
                | PageDown
                | PageUp
                | Top
                | Bottom
                | NextOpen
                | Up
                | Down
                | HalfDown
                | HalfUp
        );
        let features = matches!(
            self,
            OtherEnd | Order | Filter | Queue | NextUnreadable | HeatMore | HeatFewer | HeatLines
        );
        let program = matches!(
            self,
            Keep | HeatMap | Theme | Help | Count | Redraw | Suspend | Quit
        );
        moves || features || program
    }

    /// Whether the screen would be unusable without a key for the action.
    pub fn is_needed(self) -> bool {
        matches!(
            self,
            Action::Quit
                | Action::Help
                | Action::ListChoose
                | Action::ListClose
                | Action::PromptKeep
                | Action::PromptLeave
        )
    }

    /// The table entry of the action.
    pub fn info(self) -> &'static ActionInfo {
        // The same macro generates the table and the enum, in the same order.
        &ACTIONS[self as usize]
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.info().id)
    }
}

impl FromStr for Action {
    type Err = String;

    fn from_str(id: &str) -> Result<Action, String> {
        let found = ACTIONS.iter().find(|facts| facts.id == id);
        found.map(|facts| facts.action).ok_or_else(|| {
            let repair = match nearest(id, ACTIONS.iter().map(|facts| facts.id)) {
                Some(meant) => format!("did you mean '{meant}'?"),
                None => "`endpaper keys` lists them".to_owned(),
            };
            format!("unknown action '{id}'; {repair}")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_action_finds_its_own_row_and_its_name_round_trips() {
        for facts in ACTIONS {
            assert_eq!(facts.action.info().id, facts.id);
            assert_eq!(facts.id.parse(), Ok(facts.action));
            assert!(!facts.keys.is_empty(), "{} has no key", facts.id);
        }
    }
}
