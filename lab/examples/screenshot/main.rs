//! Takes a screenshot of a program in a terminal: runs it, plays keys, writes the cells as SVG.
//!
//! ```text
//! cargo run -p lab --example screenshot -- --out review.svg --size 120x36 --title "endpaper review" \
//!     --wait "preamble ends" --keys "j<Tab>" -- target/debug/endpaper review --demo
//! ```
//!
//! With `--film SECONDS` the screen after each `--keys` is a frame of an animation, shown that long; `--stay SECONDS` applies to the next frame
//! only.
//!
//! `--wait TEXT` and `--keys KEYS` (with names: `<Enter>`, `<C-c>`) are played in the order given; `--env NAME=VALUE` sets a variable; `--light`
//! draws on white. The program starts in a separate empty home. This is a developer's tool: it is not installed.

#[path = "../../../tests/it/support/keys.rs"]
#[allow(dead_code)]
mod keys;
#[path = "../../../tests/it/support/pty.rs"]
#[allow(dead_code)]
mod pty;
#[path = "../../../tests/it/support/screen.rs"]
#[allow(dead_code)]
mod screen;

mod film;
mod palette;
mod svg;

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use portable_pty::CommandBuilder;

/// The screen has settled once nothing has been written for this long.
const QUIET: Duration = Duration::from_millis(400);

enum ScriptStep {
    Wait(String),
    Keys(String),
    Stay(f64),
}

struct ScreenshotRequest {
    out: PathBuf,
    size: (u16, u16),
    title: String,
    light: bool,
    /// Display time of a frame in seconds, for a film.
    film: Option<f64>,
    variables: Vec<(String, String)>,
    steps: Vec<ScriptStep>,
    program: Vec<String>,
}

fn main() -> Result<()> {
    let request = parse(std::env::args().skip(1))?;
    let home = tempfile::tempdir()?;
    let terminal = pty::Terminal::spawn(pty::TerminalSetup {
        command: command(&request, home.path()),
        size: request.size,
        answers: true,
    });
    let palette = if request.light {
        &palette::LIGHT
    } else {
        &palette::DARK
    };
    let frames = play(&request, &terminal);
    let picture = match request.film {
        Some(_) => film::draw(&frames, &request.title, palette),
        None => frames
            .last()
            .map(|last| svg::draw(&last.screen, &request.title, palette)),
    };
    std::fs::write(&request.out, picture.unwrap_or_default())
        .with_context(|| format!("'{}' cannot be written", request.out.display()))
}

/// Plays the script; returns the first screen and the one after each key sequence.
fn play(request: &ScreenshotRequest, terminal: &pty::Terminal) -> Vec<film::FilmFrame> {
    let usual = request.film.unwrap_or_default();
    let mut seconds = usual;
    let mut typed = String::new();
    let mut frames = Vec::new();
    let mut take = |typed: &mut String, seconds: &mut f64| {
        frames.push(film::FilmFrame {
            screen: terminal.wait_quiet(QUIET),
            typed: std::mem::take(typed),
            seconds: std::mem::replace(seconds, usual),
        });
    };
    for step in &request.steps {
        match step {
            ScriptStep::Wait(text) => drop(terminal.wait_for_text(text)),
            ScriptStep::Stay(other) => seconds = *other,
            ScriptStep::Keys(keys) => {
                take(&mut typed, &mut seconds);
                terminal.send(keys);
                typed.clone_from(keys);
            }
        }
    }
    take(&mut typed, &mut seconds);
    frames
}

fn parse(mut arguments: impl Iterator<Item = String>) -> Result<ScreenshotRequest> {
    let mut request = ScreenshotRequest {
        out: PathBuf::from("screenshot.svg"),
        size: (80, 24),
        title: String::new(),
        light: false,
        film: None,
        variables: Vec::new(),
        steps: Vec::new(),
        program: Vec::new(),
    };
    while let Some(name) = arguments.next() {
        let mut value = || {
            arguments
                .next()
                .with_context(|| format!("'{name}' needs a value"))
        };
        match name.as_str() {
            "--out" => request.out = value()?.into(),
            "--size" => request.size = size(&value()?)?,
            "--title" => request.title = value()?,
            "--light" => request.light = true,
            "--film" => request.film = Some(value()?.parse()?),
            "--stay" => request.steps.push(ScriptStep::Stay(value()?.parse()?)),
            "--env" => request.variables.push(variable(&value()?)?),
            "--wait" => request.steps.push(ScriptStep::Wait(value()?)),
            "--keys" => request.steps.push(ScriptStep::Keys(value()?)),
            "--" => break,
            other => bail!("'{other}' is not an option; the program to run stands behind '--'"),
        }
    }
    request.program = arguments.collect();
    if request.program.is_empty() {
        bail!("no program to run; it stands behind '--'");
    }
    Ok(request)
}

fn size(text: &str) -> Result<(u16, u16)> {
    let (columns, rows) = text
        .split_once('x')
        .with_context(|| format!("'{text}' is not a size; write 80x24"))?;
    Ok((columns.parse()?, rows.parse()?))
}

fn variable(text: &str) -> Result<(String, String)> {
    let (name, value) = text
        .split_once('=')
        .with_context(|| format!("'{text}' is not a variable; write NAME=VALUE"))?;
    Ok((name.to_owned(), value.to_owned()))
}

/// Builds the command with a clean home, so that the user's settings have no effect.
fn command(request: &ScreenshotRequest, home: &Path) -> CommandBuilder {
    let program = Path::new(&request.program[0]);
    let program = if program.exists() {
        program.canonicalize().unwrap_or(program.into())
    } else {
        program.into()
    };
    let mut command = CommandBuilder::new(program);
    command.args(&request.program[1..]);
    command.cwd(home);
    for name in [
        "NO_COLOR",
        "XDG_CONFIG_HOME",
        "XDG_CACHE_HOME",
        "XDG_DATA_HOME",
        "XDG_STATE_HOME",
        "TMUX",
    ] {
        command.env_remove(name);
    }
    for part in ["CONFIG", "CACHE", "DATA", "STATE"] {
        command.env(format!("ENDPAPER_{part}_DIR"), home.join(part));
    }
    // Suppresses what the program shows only on its first start.
    let _ = std::fs::create_dir_all(home.join("STATE"));
    let _ = std::fs::write(home.join("STATE/toured"), "");
    command.env("HOME", home);
    command.env("TERM", "xterm-256color");
    command.env("COLORTERM", "truecolor");
    for (name, value) in &request.variables {
        command.env(name, value);
    }
    command
}
