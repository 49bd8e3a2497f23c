//! Keys, mouse and pasted text from the terminal, in a uniform form.
//!
//! All differences between terminals are normalised here: releases are ignored, characters have no shift bit, the
//! encodings of Shift-Tab are one key. The reading thread can be held, so that an editor receives its keys.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use ratatui::crossterm::event::{
    self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEventKind,
};

use crate::chord::{ChordKey, NamedKey};
use crate::{Chord, Message, MouseInput};

/// How often the reading thread checks whether it is to be held.
const POLL: Duration = Duration::from_millis(100);

/// The message for an event; `None` if it has no meaning.
pub fn message(event: Event) -> Option<Message> {
    match event {
        Event::Key(key) => chord(key).map(Message::Key),
        Event::Mouse(mouse) => {
            let (x, y) = (mouse.column, mouse.row);
            let meant = match mouse.kind {
                MouseEventKind::ScrollDown => MouseInput::Wheel(x, y, 1),
                MouseEventKind::ScrollUp => MouseInput::Wheel(x, y, -1),
                MouseEventKind::Down(MouseButton::Left) => MouseInput::Click(x, y),
                _ => return None,
            };
            Some(Message::Mouse(meant))
        }
        Event::Paste(text) => Some(Message::Paste(text)),
        Event::Resize(width, height) => Some(Message::Resize(width, height)),
        Event::FocusGained | Event::FocusLost => None,
    }
}

/// The key press of a terminal event; `None` for a release or an unknown key.
fn chord(key: KeyEvent) -> Option<Chord> {
    if key.kind == KeyEventKind::Release {
        return None;
    }
    let shift = key.modifiers.contains(KeyModifiers::SHIFT);
    let named = |name| Some(ChordKey::Named(name));
    let code = match key.code {
        KeyCode::Char(' ') => named(NamedKey::Space),
        // Some terminals send the lower-case letter and the shift bit.
        KeyCode::Char(c) if shift && c.is_lowercase() => upper(c),
        KeyCode::Char(c) if !c.is_control() => Some(ChordKey::Char(c)),
        KeyCode::Enter => named(NamedKey::Enter),
        KeyCode::Esc => named(NamedKey::Esc),
        KeyCode::BackTab => named(NamedKey::BackTab),
        KeyCode::Tab if shift => named(NamedKey::BackTab),
        KeyCode::Tab => named(NamedKey::Tab),
        KeyCode::Backspace => named(NamedKey::Backspace),
        KeyCode::Delete => named(NamedKey::Delete),
        KeyCode::Insert => named(NamedKey::Insert),
        KeyCode::Up => named(NamedKey::Up),
        KeyCode::Down => named(NamedKey::Down),
        KeyCode::Left => named(NamedKey::Left),
        KeyCode::Right => named(NamedKey::Right),
        KeyCode::Home => named(NamedKey::Home),
        KeyCode::End => named(NamedKey::End),
        KeyCode::PageUp => named(NamedKey::PageUp),
        KeyCode::PageDown => named(NamedKey::PageDown),
        KeyCode::F(n) => Some(ChordKey::F(n)),
        _ => None,
    }?;
    Some(Chord {
        code,
        ctrl: key.modifiers.contains(KeyModifiers::CONTROL),
        alt: key.modifiers.contains(KeyModifiers::ALT),
    })
}

/// The capital of a letter if it is one character, else the letter.
fn upper(c: char) -> Option<ChordKey> {
    let mut capitals = c.to_uppercase();
    match (capitals.next(), capitals.next()) {
        (Some(capital), None) => Some(ChordKey::Char(capital)),
        _ => Some(ChordKey::Char(c)),
    }
}

/// Holds the reading thread while an editor uses the terminal.
#[derive(Default)]
struct ReadGate {
    state: Mutex<GateState>,
    changed: Condvar,
}

/// Whether a hold is requested, and whether the reading thread has stopped for it.
#[derive(Default)]
struct GateState {
    is_hold_requested: bool,
    is_held: bool,
}

impl ReadGate {
    fn lock(&self) -> MutexGuard<'_, GateState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits while reading is on hold; called by the reading thread between reads.
    fn wait_while_held(&self) {
        let mut held = self.lock();
        while held.is_hold_requested {
            held.is_held = true;
            self.changed.notify_all();
            held = self
                .changed
                .wait(held)
                .unwrap_or_else(PoisonError::into_inner);
        }
        held.is_held = false;
    }
}

/// The reading thread.
pub struct InputReader {
    gate: Arc<ReadGate>,
}

impl InputReader {
    /// Starts reading. If reading fails, the terminal is gone: sets `gone` and sends a message to the session.
    pub fn read(sender: Sender<Message>, gone: Arc<AtomicBool>) -> InputReader {
        let gate = Arc::new(ReadGate::default());
        let reader = gate.clone();
        std::thread::spawn(move || {
            loop {
                reader.wait_while_held();
                let event = match event::poll(POLL) {
                    Ok(false) => continue,
                    Ok(true) => event::read(),
                    Err(error) => Err(error),
                };
                let sent = match event {
                    Ok(event) => message(event).is_none_or(|m| sender.send(m).is_ok()),
                    Err(_) => {
                        gone.store(true, Ordering::SeqCst);
                        let _ = sender.send(Message::HangUp);
                        false
                    }
                };
                if !sent {
                    return;
                }
            }
        });
        InputReader { gate }
    }

    /// Stops reading until [`InputReader::release`], because another program reads the keys. Waits at most a second.
    pub fn hold(&self) {
        let mut held = self.gate.lock();
        held.is_hold_requested = true;
        let reached = |held: &mut GateState| !held.is_held;
        drop(
            self.gate
                .changed
                .wait_timeout_while(held, Duration::from_secs(1), reached),
        );
    }

    /// Continues reading.
    pub fn release(&self) {
        self.gate.lock().is_hold_requested = false;
        self.gate.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(code: KeyCode, modifiers: KeyModifiers) -> Event {
        Event::Key(KeyEvent::new(code, modifiers))
    }

    #[test]
    fn what_terminals_disagree_about_becomes_one_chord() {
        use KeyCode::{BackTab, Char, Enter, F, Null, Tab};
        let (none, shift) = (KeyModifiers::NONE, KeyModifiers::SHIFT);
        let control = KeyModifiers::CONTROL;
        let cases = [
            (Char('j'), none, Some("j")),
            (Char('J'), shift, Some("J")),
            (Char('J'), none, Some("J")),
            (Char('j'), shift, Some("J")),
            (Char('{'), shift, Some("{")),
            (Char('é'), shift, Some("É")),
            (Char('ß'), shift, Some("ß")),
            (Char(' '), none, Some("<Space>")),
            (Char('<'), none, Some("<lt>")),
            (Char('d'), control, Some("<C-d>")),
            (Char('x'), KeyModifiers::ALT, Some("<A-x>")),
            (Tab, none, Some("<Tab>")),
            (Tab, shift, Some("<BackTab>")),
            (BackTab, none, Some("<BackTab>")),
            (BackTab, shift, Some("<BackTab>")),
            (Enter, none, Some("<Enter>")),
            (F(1), none, Some("<F1>")),
            (Null, none, None),
            (KeyCode::Media(event::MediaKeyCode::Play), none, None),
        ];
        for (code, modifiers, expected) in cases {
            let found = match message(key(code, modifiers)) {
                Some(Message::Key(chord)) => Some(chord.to_string()),
                _ => None,
            };
            assert_eq!(found.as_deref(), expected, "{code:?} {modifiers:?}");
        }
    }

    #[test]
    fn releases_are_ignored_and_repeats_are_not() {
        let event = |kind| {
            let key = KeyEvent::new_with_kind(KeyCode::Char('j'), KeyModifiers::NONE, kind);
            message(Event::Key(key))
        };
        assert!(event(KeyEventKind::Release).is_none());
        assert!(event(KeyEventKind::Repeat).is_some());
    }

    #[test]
    fn a_held_reader_waits_until_it_is_released() {
        let gate = Arc::new(ReadGate::default());
        let reader = gate.clone();
        let keys = InputReader { gate };
        keys.gate.lock().is_hold_requested = true;
        let thread = std::thread::spawn(move || reader.wait_while_held());
        keys.hold();
        assert!(keys.gate.lock().is_held);
        keys.release();
        thread.join().unwrap();
        assert!(!keys.gate.lock().is_held);
    }
}
