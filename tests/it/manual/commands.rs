//! The commands of the pages, run over the books that ship with the program.

use std::fs;
use std::thread;

use assert_cmd::Command;
use tempfile::TempDir;

use super::blocks::{Block, Kind, abridged, agrees, blocks, session};
use super::pages::{Page, is_updating, pages, rewrite};
use crate::support::{ENDPAPER, pty, text};

/// A folder and a home for the commands of one page.
struct Sandbox(TempDir);

impl Sandbox {
    fn new() -> Sandbox {
        let folder = tempfile::tempdir().expect("a temporary folder");
        for name in ["home", "work", "tmp"] {
            fs::create_dir(folder.path().join(name)).expect("a folder");
        }
        let sandbox = Sandbox(folder);
        let (status, output) = sandbox.run("endpaper demo shelf");
        assert_eq!(status, Some(0), "{output}");
        sandbox
    }

    /// Runs a script; returns its status and all it printed, as on a terminal.
    fn run(&self, script: &str) -> (Option<i32>, String) {
        let folder = |name| self.0.path().join(name);
        let program = std::path::Path::new(ENDPAPER).parent().expect("a folder");
        let path = std::env::var("PATH").unwrap_or_default();
        let mut command = Command::new("bash");
        command
            .args(["-euo", "pipefail", "-c", &format!("exec 2>&1\n{script}")])
            .current_dir(folder("work"))
            .env_clear()
            .env("PATH", format!("{}:{path}", program.display()))
            .env("HOME", folder("home"))
            .env("TMPDIR", folder("tmp"))
            .env("USER", "ann")
            .env("LANG", "C.UTF-8")
            .env("TERM", "dumb")
            .timeout(pty::PATIENCE * 6);
        let output = command.output().expect("bash");
        (output.status.code(), text(&output.stdout))
    }
}

/// What came out of the blocks of a page: how many were run, what differs, and the new lines of sessions.
#[derive(Default)]
struct Outcome {
    run: usize,
    problems: Vec<String>,
    /// Index of a block, and its lines with the real output.
    sessions: Vec<(usize, Vec<String>)>,
}

fn run_page(page: &Page) -> Outcome {
    let mut outcome = Outcome::default();
    let found = match blocks(&page.text) {
        Ok(found) => found,
        Err(problem) => {
            outcome.problems.push(format!("{}: {problem}", page.name));
            return outcome;
        }
    };
    if found.iter().all(|block| block.kind == Kind::Shown) {
        return outcome;
    }
    let sandbox = Sandbox::new();
    let lines: Vec<&str> = page.text.lines().collect();
    for (at, block) in found.iter().enumerate() {
        let inside = &lines[block.lines.clone()];
        let place = format!("{}:{}", page.name, block.lines.start);
        match block.kind {
            Kind::Shown => continue,
            Kind::Script => {
                let (status, output) = sandbox.run(&inside.join("\n"));
                if status != Some(0) {
                    let problem = format!("{place}: status {status:?}\n{output}");
                    outcome.problems.push(problem);
                }
            }
            Kind::Session => match run_session(&sandbox, inside) {
                Ok((new, _)) if is_updating() => outcome.sessions.push((at, new)),
                Ok((_, problems)) => {
                    let problems = problems.iter().map(|problem| format!("{place}: {problem}"));
                    outcome.problems.extend(problems);
                }
                Err(problem) => outcome.problems.push(format!("{place}: {problem}")),
            },
        }
        outcome.run += 1;
    }
    outcome
}

/// Runs the commands of a session; returns its lines with the real output, and what differs.
fn run_session(sandbox: &Sandbox, lines: &[&str]) -> Result<(Vec<String>, Vec<String>), String> {
    let (mut new, mut problems) = (Vec::new(), Vec::new());
    for command in session(lines)? {
        let script = command.script();
        let (status, output) = sandbox.run(&script);
        if status != Some(0) {
            return Err(format!("'{script}' has status {status:?}\n{output}"));
        }
        let output: Vec<String> = output.lines().map(str::to_owned).collect();
        new.extend(command.typed.iter().cloned());
        if agrees(&command.expected, &output) {
            new.extend(command.expected);
            continue;
        }
        problems.push(format!("'{script}' prints\n{}", output.join("\n")));
        new.extend(abridged(&command.expected, &output));
        if command.expected.last().is_some_and(String::is_empty) {
            new.push(String::new());
        }
    }
    Ok((new, problems))
}

/// The page with other lines in some of its blocks.
fn spliced(page: &Page, sessions: &[(usize, Vec<String>)]) -> String {
    let found: Vec<Block> = blocks(&page.text).expect("the blocks were read before");
    let mut lines: Vec<&str> = page.text.lines().collect();
    for (at, new) in sessions.iter().rev() {
        lines.splice(found[*at].lines.clone(), new.iter().map(String::as_str));
    }
    lines.join("\n") + "\n"
}

#[test]
fn every_command_of_readme_and_manual_does_what_the_page_says() {
    let pages = pages();
    let outcomes: Vec<(&Page, Outcome)> = thread::scope(|scope| {
        let running: Vec<_> = pages
            .iter()
            .map(|page| (page, scope.spawn(|| run_page(page))))
            .collect();
        let done = running.into_iter();
        done.map(|(page, run)| (page, run.join().expect("a page")))
            .collect()
    });
    let mut problems = Vec::new();
    for (page, outcome) in &outcomes {
        if is_updating() {
            rewrite(&page.name, |page| spliced(page, &outcome.sessions));
        }
        problems.extend(outcome.problems.iter().map(String::as_str));
    }
    let run: usize = outcomes.iter().map(|(_, outcome)| outcome.run).sum();
    assert!(run > 30, "only {run} blocks were run");
    assert!(
        problems.is_empty(),
        "{}\n\nENDPAPER_UPDATE=docs writes the real output into the pages",
        problems.join("\n\n")
    );
}
