//! The review session, pure: no clock, no file, no terminal.
//!
//! A [`Session`] is the whole state of the screen. [`update()`] applies a [`Message`] to it and returns [`Effect`]s, the only
//! way to change anything outside; the time is in [`Session::now`]. [`mod@layout`] computes the geometry for drawing, paging and
//! clicks alike, so none of these depends on an earlier draw.
//!
//! A session consists of parts, one file each in `session/`: the open document, the screen, typed input, pending answers, the
//! save queue, results of background workers, the modes, the sitting. `update/admit.rs` admits or refuses keys, clicks and
//! answers by mode. Notices are an enum (`session/notice.rs`); the view words them (`view/notices.rs`).
//!
//! One key press goes through these files: [`chord`] (what was pressed), [`keymap`] (which [`Action`] it means),
//! [`update()`] (what that does to the [`Session`]), [`history`] (how it is undone), [`message`] (what must happen
//! outside). What is drawn afterwards comes from [`rows`] and [`mod@layout`], popups from [`popup`] and
//! [`scroll_text`].

pub mod action;
pub mod adjudication;
pub mod alerts;
pub mod blind;
pub mod bulk;
pub mod bytes;
pub mod chord;
pub mod cold_start;
pub mod copies;
pub mod corpus_search;
pub mod decision;
pub mod dispute;
pub mod editions;
pub mod entry;
pub mod evidence;
mod filter;
mod flags;
pub mod guidelines;
pub mod heat;
pub mod history;
pub mod jump_list;
pub mod keymap;
pub mod layout;
pub mod learning;
pub mod message;
pub mod occurrences;
pub mod outlook;
pub mod page;
pub mod popup;
pub mod presenter;
pub mod propagation;
pub mod queue;
pub mod rows;
pub mod sampling;
pub mod scroll_text;
pub mod search;
pub mod session;
pub mod terminal;
pub mod terms;
pub mod title_lines;
pub mod tour;
mod update;
pub mod view;
mod width;
pub mod wrap;

pub use action::Action;
pub use chord::Chord;
pub use decision::BlindReview;
pub use decision::{BookState, Decision, SaveState};
pub use entry::{BookCopies, QueueEntry, ReviewStatus};
pub use flags::FLAGS;
pub use heat::HeatMap;
pub use layout::{ScreenLayout, layout};
pub use message::{Effect, Message, MouseInput, Opened, SaveRequest};
pub use page::BookPage;
pub use popup::Popup;
pub use queue::{Queue, QueueFilter, QueueOrder};
pub use rows::PaneRow;
pub use session::{Session, SessionOptions};
pub use update::{deadline, update};
