//! Sittings in any order: random keys, clicks, resizes and pastes, answers of workers as they come, saves that fail, and
//! other people who write the same records. Beside them stands a reference that knows only what was asked for and what is
//! on the disk. It holds that nothing decided appears that no key asked for, and that nothing that is said to be saved is lost.
//!
//! With `ENDPAPER_LONG` 200 sittings of 2,000 steps, else 20 of 400. `ENDPAPER_SEED` is the first seed.

use std::collections::BTreeSet;
use std::collections::VecDeque;

use super::*;
use crate::action::ACTIONS;
use crate::learning::BookProposal;
use crate::message::{LearningSummary, SaveRequest};
use endpaper_detect::Cuts;
use endpaper_evaluate::SampleRandom;

/// What a decision says of a book: its verdict and cuts.
type Said = (Verdict, Cuts);

/// A sitting with answers that have not come yet.
struct AnyOrder {
    desk: UpdateFixture,
    random: SampleRandom,
    /// Saves and restores, which the worker takes in order.
    saves: VecDeque<Effect>,
    /// Everything else that is to be answered, in any order.
    others: Vec<Effect>,
    /// What each book said on the screen after a person did something, and what was saved for waiting keys.
    asked: BTreeMap<String, Vec<Said>>,
    /// Books that other people wrote.
    foreign: BTreeSet<String>,
    /// What happened, for the message of a failure.
    log: Vec<String>,
}

/// The decision in the bytes of a record, if there is one.
fn decision_in(bytes: &[u8]) -> Option<Said> {
    let record = yaml::read_bytes(bytes).ok()?;
    (record.verdict != Verdict::Open).then_some((record.verdict, record.cuts))
}

impl AnyOrder {
    fn new(seed: u64) -> AnyOrder {
        const NAMES: [&str; 8] = [
            "a.txt", "b.txt", "c.txt", "d.txt", "e.txt", "f.txt", "g.txt", "h.txt",
        ];
        let texts = NAMES.map(|name| (name, book(&name.to_uppercase())));
        let mut desk = UpdateFixture::new(texts.to_vec());
        desk.compares_copies = true;
        // Two copies, and a template.
        for entry in &mut desk.session.entries {
            entry.template_rank = 1;
        }
        AnyOrder {
            desk,
            random: SampleRandom::new(seed),
            saves: VecDeque::new(),
            others: Vec::new(),
            asked: BTreeMap::new(),
            foreign: BTreeSet::new(),
            log: vec![format!("seed {seed}")],
        }
    }

    /// One thing that happens.
    fn step(&mut self) {
        match self.random.below(20) {
            0..=8 => self.key(),
            9..=11 => self.save_answered(),
            12..=14 => self.other_answered(),
            15 => {
                let (x, y) = (self.random.below(90) as u16, self.random.below(30) as u16);
                let input = match self.random.chance(0.5) {
                    true => MouseInput::Click(x, y),
                    false => MouseInput::Wheel(x, y, self.random.below(7) as i32 - 3),
                };
                self.by_user(Message::Mouse(input));
            }
            16 => {
                let size = (
                    20 + self.random.below(160) as u16,
                    8 + self.random.below(50) as u16,
                );
                self.background(Message::Resize(size.0, size.1));
            }
            17 => {
                self.desk.session.now += self.random.below(8000) as u64;
                self.background(Message::Tick);
            }
            18 => match self.random.below(4) {
                0 => self.desk.disk_full = !self.desk.disk_full,
                1 => self.somebody_writes(),
                2 => {
                    let mut entries = self.desk.session.entries.clone();
                    for entry in &mut entries {
                        entry.doubt = Some(self.random.below(100) as f32 / 100.0);
                    }
                    let counts_changed = self.random.chance(0.3);
                    self.background(Message::Entries {
                        entries,
                        counts_changed,
                        model: None,
                    });
                }
                _ => self.background(Message::Returned),
            },
            _ => self.by_user(Message::Paste("12 gutenberg".to_owned())),
        }
    }

    /// A key: one of an action, or one that is typed into prompts. The way out is tried at the end.
    fn key(&mut self) {
        let keys = match self.random.below(4) {
            0 => [
                "<Enter>",
                "<Esc>",
                "y",
                "n",
                "<Down>",
                "<Tab>",
                "1",
                "x",
                "<Space>",
                "<Backspace>",
            ][self.random.below(10)],
            // What curators do most.
            1 => [
                "<Enter>", "]", "[", "u", "<Right>", "<Left>", "c", "r", "<Enter>", "<Enter>",
            ][self.random.below(10)],
            _ => {
                let action = &ACTIONS[self.random.below(ACTIONS.len())];
                if matches!(action.action, Action::Quit | Action::Suspend) || action.keys.is_empty()
                {
                    return;
                }
                action.keys[self.random.below(action.keys.len())]
            }
        };
        for chord in chords(keys).expect("keys of the keymap") {
            self.by_user(Message::Key(chord));
        }
    }

    /// Something a person does: whatever is decided now was asked for.
    fn by_user(&mut self, message: Message) {
        let shown = self.open_book();
        self.log.push(format!(
            "{message:?} on {}",
            shown.as_deref().unwrap_or("nothing")
        ));
        let effects = update(&mut self.desk.session, message);
        let shown = [shown, self.open_book()];
        self.note_shown();
        for effect in &effects {
            let Effect::Save(request) = effect else {
                continue;
            };
            let id = &request.record.book;
            let is_bulk = self.desk.session.bulk.is_some();
            assert!(
                is_bulk || self.was_asked(request) || shown.iter().flatten().any(|book| book == id),
                "{id} was changed while {shown:?} was on screen: {}",
                self.story()
            );
            let said = (request.record.verdict, request.record.cuts);
            self.asked.entry(id.clone()).or_default().push(said);
        }
        self.take(effects);
    }

    /// Something that happens by itself: nothing may be decided but what was asked for before, or by keys that waited.
    fn background(&mut self, message: Message) {
        let waited = !self.desk.session.keys.typed.is_empty()
            || self.desk.session.saves.deferred().is_some()
            || self.desk.session.bulk.is_some();
        // An undo in another book is seen when that book is.
        let undone = matches!(
            &self.desk.session.waits.waiting,
            Some(Waiting::Open { goto: Some(goto), .. }) if goto.decision.is_some()
        );
        let name = format!("{message:?}");
        if !matches!(message, Message::Tick) {
            self.log.push(name.chars().take(60).collect());
        }
        let effects = update(&mut self.desk.session, message);
        if waited || undone {
            self.note_shown();
        }
        for effect in &effects {
            let Effect::Save(request) = effect else {
                continue;
            };
            assert!(
                waited || self.was_asked(request),
                "{} was changed by nobody to {:?}; asked for {:?}: {}",
                request.record.book,
                (request.record.verdict, request.record.cuts),
                self.asked
                    .get(&request.record.book)
                    .map(|all| &all[all.len().saturating_sub(4)..]),
                self.story()
            );
            let said = (request.record.verdict, request.record.cuts);
            self.asked
                .entry(request.record.book.clone())
                .or_default()
                .push(said);
        }
        self.take(effects);
    }

    /// The last things that happened, one a line.
    fn story(&self) -> String {
        let from = self.log.len().saturating_sub(80);
        format!("{}, ...\n{}", self.log[0], self.log[from..].join("\n"))
    }

    /// The book whose page is on screen.
    fn open_book(&self) -> Option<String> {
        let session = &self.desk.session;
        session.doc.open.as_ref()?;
        session.entry().map(|entry| entry.id().to_owned())
    }

    /// Notes what the open book says after keys were handled.
    fn note_shown(&mut self) {
        if let (Some(id), Some(open)) = (self.open_book(), &self.desk.session.doc.open) {
            let said = (open.decision.verdict, open.decision.cuts);
            self.asked.entry(id).or_default().push(said);
        }
    }

    fn was_asked(&self, request: &SaveRequest) -> bool {
        let said = (request.record.verdict, request.record.cuts);
        self.asked
            .get(&request.record.book)
            .is_some_and(|asked| asked.contains(&said))
    }

    fn take(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            if let Effect::Save(request) = &effect {
                let SaveRequest { ticket, record, .. } = request;
                let (book, verdict, cuts) = (&record.book, record.verdict, record.cuts);
                self.log
                    .push(format!("{ticket} saves {book}: {verdict:?} {cuts:?}"));
            }
            match effect {
                Effect::Save(_) | Effect::Restore { .. } => self.saves.push_back(effect),
                Effect::Quit => self.desk.quit = true,
                other => self.others.push(other),
            }
        }
    }

    /// The worker that writes answers the oldest request.
    fn save_answered(&mut self) {
        let Some(effect) = self.saves.pop_front() else {
            return;
        };
        let (ticket, id, expected, bytes) = match effect {
            Effect::Save(request) => {
                let bytes = yaml::write(&request.record).into_bytes();
                (
                    request.ticket,
                    request.record.book.clone(),
                    request.expected,
                    Some(bytes),
                )
            }
            Effect::Restore {
                ticket,
                id,
                previous,
                expected,
            } => (ticket, id, expected, previous.0),
            _ => return,
        };
        let said = bytes
            .as_ref()
            .map(|bytes| decision_in(bytes).map(|(verdict, _)| verdict));
        let result = self.desk.write(&id, &expected, bytes);
        self.log
            .push(format!("write {id} {said:?}: {}", result.is_ok()));
        self.background(Message::Saved { ticket, result });
    }

    /// One of the other workers answers any of its requests.
    fn other_answered(&mut self) {
        if self.others.is_empty() {
            return;
        }
        let at = self.random.below(self.others.len());
        match self.others.swap_remove(at) {
            Effect::Open { ticket, book } => {
                let opened = self.desk.open(ticket, book);
                self.background(Message::Opened(Box::new(opened)));
            }
            Effect::Align(request) => {
                let opened = self.desk.open(0, request.book);
                let found = &opened.record;
                let page = opened.page;
                let result =
                    page.map(|page| Arc::new(EditionComparison::of(&request, page, found)));
                let ticket = request.ticket;
                self.background(Message::Aligned { ticket, result });
            }
            Effect::Learn {
                epoch,
                decided,
                undecided,
            } => {
                let moved = |book: usize| BookProposal {
                    cuts: Some(Cuts {
                        preamble_end: 2 + book as u32,
                        epilogue_start: Some(MARKER),
                    }),
                    doubt: Some(0.2),
                    reason: None,
                };
                let proposals = undecided
                    .into_iter()
                    .map(|book| (book, moved(book)))
                    .collect();
                let summary = LearningSummary {
                    verdicts: decided.len(),
                    has_opinions: true,
                    proposals,
                };
                let result = match self.random.chance(0.8) {
                    true => Ok(Box::new(summary)),
                    false => Err("the disk is gone".to_owned()),
                };
                self.background(Message::Learned { epoch, result });
            }
            Effect::FindPropagationTargets {
                epoch,
                source,
                books,
            } => {
                let books = self.desk.alike(&source, books);
                self.background(Message::PropagationTargets { epoch, books });
            }
            _ => {}
        }
    }

    /// Somebody else decides or removes a record.
    fn somebody_writes(&mut self) {
        let at = self.random.below(self.desk.texts.len());
        let (id, text) = &self.desk.texts[at];
        let mut record = endpaper_truth::Record::new(
            id,
            endpaper_truth::SourceFacts::of(&BookText::new(text.clone().into())),
        );
        record.verdict = Verdict::Confirmed;
        record.cuts = Cuts {
            preamble_end: 3,
            epilogue_start: Some(MARKER),
        };
        let id = (*id).to_owned();
        self.log.push(format!("somebody writes {id}"));
        self.foreign.insert(id.clone());
        match self.random.chance(0.8) {
            true => drop(self.desk.disk.insert(id, yaml::write(&record).into_bytes())),
            false => drop(self.desk.disk.remove(&id)),
        }
    }

    /// What is on the disk was asked for, and what counts as decided is there or on its way.
    fn check(&self) {
        for (id, bytes) in &self.desk.disk {
            let said = decision_in(bytes);
            let asked = self
                .asked
                .get(id)
                .is_some_and(|asked| said.is_some_and(|said| asked.contains(&said)));
            assert!(
                said.is_none() || asked || self.foreign.contains(id),
                "nobody decided {id}: {}",
                self.story()
            );
        }
        for (book, entry) in self.desk.session.entries.iter().enumerate() {
            let id = entry.id();
            let ReviewStatus::Decided(verdict) = entry.status else {
                continue;
            };
            if self.foreign.contains(id) || !self.desk.session.saves.has_no_saves(book) {
                continue;
            }
            let restoring = self
                .saves
                .iter()
                .any(|effect| matches!(effect, Effect::Restore { id: other, .. } if other == id));
            let found = self.desk.disk.get(id).and_then(|bytes| decision_in(bytes));
            assert!(
                restoring || found.is_some_and(|(found, _)| found == verdict),
                "{id} counts as {verdict:?}, and the disk has {found:?}: {}",
                self.story()
            );
        }
    }

    /// The disk has room again, every answer comes, and the program is left.
    fn end(&mut self) {
        self.desk.disk_full = false;
        self.foreign.clear();
        for _ in 0..400 {
            self.save_answered();
            self.other_answered();
            self.desk.session.now += 6_000;
            self.background(Message::Tick);
        }
        self.background(Message::HangUp);
        for _ in 0..50 {
            self.save_answered();
            self.desk.session.now += 6_000;
            self.background(Message::Tick);
        }
        let saves = &self.desk.session.saves;
        assert_eq!(saves.unsaved(), 0, "{saves:?}: {}", self.story());
        assert!(self.desk.quit, "the program does not end: {}", self.story());
    }
}

#[test]
fn in_any_order_nothing_is_lost_and_nothing_is_decided_by_nobody() {
    let (seeds, steps) = match std::env::var_os("ENDPAPER_LONG") {
        Some(_) => (200, 2_000),
        None => (20, 400),
    };
    let first = std::env::var("ENDPAPER_SEED").map_or(0, |seed| seed.parse().expect("a number"));
    for seed in first..first + seeds {
        let mut sitting = AnyOrder::new(seed);
        for _ in 0..steps {
            sitting.step();
            sitting.check();
        }
        let foreign = sitting.foreign.clone();
        sitting.end();
        sitting.foreign = foreign;
        sitting.check();
    }
}
