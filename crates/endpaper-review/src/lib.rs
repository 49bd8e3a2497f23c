//! The review session, pure: no clock, no file, no terminal.
//!
//! A [`Session`] is all that the screen shows. [`update()`] takes it and a [`Message`] and answers with [`Effect`]s, the
//! only way anything outside is changed; time comes in with [`Session::now`]. Geometry is computed by [`mod@layout`], the
//! same for drawing, paging and clicks, so nothing depends on a draw having happened.
//!
//! A session is made of parts, one file each in `session/`: the open document, the screen, what was typed, what is waited
//! for, the way to the disk, the workers' answers, the modes, the sitting. One gate (`update/admit.rs`) lets keys, clicks
//! and answers through as the modes allow. What the message line says is an enum (`session/notice.rs`), its words are the
//! view's (`view/notices.rs`).
//!
//! One key press goes through these files: [`chord`] (what was pressed), [`keymap`] (which [`Action`] it means),
//! [`update()`] (what that does to the [`Session`]), [`history`] (how it is undone), [`message`] (what must happen
//! outside). What is on screen afterwards is in [`rows`] and [`mod@layout`]; what lies over it in [`popup`], texts of it in
//! [`scroll_text`].

pub mod action;
pub mod adjudication;
pub mod blind;
pub mod bytes;
pub mod chord;
pub mod corpus_search;
pub mod decision;
pub mod editions;
pub mod entry;
pub mod evidence;
mod filter;
pub mod guidelines;
pub mod heat;
pub mod history;
pub mod jump_list;
pub mod keymap;
pub mod layout;
pub mod learning;
pub mod message;
pub mod occurrences;
pub mod page;
pub mod popup;
pub mod presenter;
pub mod propagation;
pub mod queue;
pub mod record_versions;
pub mod rows;
pub mod sampling;
pub mod scroll_text;
pub mod search;
pub mod session;
pub mod terminal;
pub mod terms;
pub mod tour;
mod update;
pub mod view;
pub mod wrap;

pub use action::Action;
pub use chord::Chord;
pub use decision::BlindReview;
pub use decision::{BookState, Decision, SaveState};
pub use entry::{BookCopies, QueueEntry, ReviewStatus};
pub use heat::HeatMap;
pub use layout::{ScreenLayout, layout};
pub use message::{Effect, Message, MouseInput, Opened, SaveRequest};
pub use page::BookPage;
pub use popup::Popup;
pub use queue::{Queue, QueueFilter, QueueOrder};
pub use rows::PaneRow;
pub use session::{Session, SessionOptions};
pub use update::{FLAGS, deadline, update};
