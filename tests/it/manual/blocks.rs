//! The fenced blocks of a page, and the commands of those that show a session.

use std::ops::Range;

/// Languages of blocks that are only read.
const READ: [&str; 7] = ["bibtex", "json", "python", "text", "toml", "tsv", "yaml"];

/// What is done with a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A script that must succeed.
    Script,
    /// Commands after `$ `, each with its expected output.
    Session,
    /// Not run: shown only, or not runnable for a reason that stands above it.
    Shown,
}

/// A fenced block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    pub kind: Kind,
    /// Its lines without the fences, as indexes of the lines of the page.
    pub lines: Range<usize>,
}

/// A command of a session: its script, then the lines of its output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionCommand {
    /// The lines as they are on the page, with `$ ` and `> `.
    pub typed: Vec<String>,
    pub expected: Vec<String>,
}

/// The blocks of a page in order, or what is wrong with one of them.
pub fn blocks(text: &str) -> Result<Vec<Block>, String> {
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let opens = at;
        at += 1;
        let Some(info) = lines[opens].strip_prefix("```") else {
            if lines[opens].trim_start().starts_with("```") {
                return Err(format!("line {}: a block must not be indented", opens + 1));
            }
            continue;
        };
        let length = lines[at..].iter().position(|line| *line == "```");
        let length = length.ok_or_else(|| format!("line {}: the block has no end", opens + 1))?;
        let kind = kind(info, &lines[..opens])
            .map_err(|problem| format!("line {}: {problem}", opens + 1))?;
        found.push(Block {
            kind,
            lines: at..at + length,
        });
        at += length + 1;
    }
    Ok(found)
}

/// What is done with a block of this info string below these lines.
fn kind(info: &str, above: &[&str]) -> Result<Kind, String> {
    match info {
        "sh" => Ok(Kind::Script),
        "console" => Ok(Kind::Session),
        "sh,no-run" | "console,no-run" if has_reason(above) => Ok(Kind::Shown),
        "sh,no-run" | "console,no-run" => Err(
            "a block that is not run needs a comment '<!-- no-run: why -->' directly above it"
                .to_owned(),
        ),
        _ if READ.contains(&info) => Ok(Kind::Shown),
        _ => Err(format!("unknown info string '{info}'")),
    }
}

/// Whether one of the comments directly above a block says why the block is not run.
fn has_reason(above: &[&str]) -> bool {
    let comments = above
        .iter()
        .rev()
        .take_while(|line| line.starts_with("<!--"));
    let mut reasons = comments.filter_map(|line| line.strip_prefix("<!-- no-run:"));
    reasons.any(|reason| reason.trim_end_matches("-->").trim().len() > 10)
}

impl SessionCommand {
    /// The script: without the prompts.
    pub fn script(&self) -> String {
        let lines = self
            .typed
            .iter()
            .map(|line| line.get(2..).unwrap_or_default());
        lines.collect::<Vec<_>>().join("\n")
    }
}

/// The commands of a session.
pub fn session(lines: &[&str]) -> Result<Vec<SessionCommand>, String> {
    let mut commands: Vec<SessionCommand> = Vec::new();
    for line in lines {
        let last = commands.last_mut();
        match last {
            _ if line.starts_with("$ ") => commands.push(SessionCommand {
                typed: vec![(*line).to_owned()],
                expected: Vec::new(),
            }),
            Some(command) if command.expected.is_empty() && is_continued(line) => {
                command.typed.push((*line).to_owned());
            }
            Some(command) => command.expected.push((*line).to_owned()),
            None => return Err(format!("a session begins with '$ ', not with '{line}'")),
        }
    }
    match commands
        .iter()
        .find(|command| trimmed(&command.expected) == ["..."])
    {
        Some(command) => Err(format!(
            "'{}' shows no line of its output",
            command.script()
        )),
        None => Ok(commands),
    }
}

/// Whether a line goes on with a command, after the second prompt of the shell.
fn is_continued(line: &str) -> bool {
    line == ">" || line.starts_with("> ")
}

/// Whether output is as expected; a line `...` stands for any number of lines, and blank lines at the end do not count.
pub fn agrees(expected: &[String], output: &[String]) -> bool {
    fn matches(expected: &[String], output: &[String]) -> bool {
        match expected.split_first() {
            None => output.is_empty(),
            Some((first, rest)) if first == "..." => {
                (0..=output.len()).any(|left_out| matches(rest, &output[left_out..]))
            }
            Some((first, rest)) => output.first() == Some(first) && matches(rest, &output[1..]),
        }
    }
    matches(trimmed(expected), trimmed(output))
}

/// Lines without the blank ones at the end.
pub fn trimmed(lines: &[String]) -> &[String] {
    let blank = lines.iter().rev().take_while(|line| line.trim().is_empty());
    &lines[..lines.len() - blank.count()]
}

/// The output to write into a page: as much of it is left out as before.
pub fn abridged(expected: &[String], output: &[String]) -> Vec<String> {
    let (expected, output) = (trimmed(expected), trimmed(output));
    let dots = |line: &String| line == "...";
    let head = expected.iter().position(dots);
    let tail = expected.iter().rev().position(dots);
    match (head, tail) {
        (Some(head), Some(tail)) if head + tail < output.len() => {
            let end = &output[output.len() - tail..];
            [&output[..head], &["...".to_owned()], end].concat()
        }
        _ => output.to_vec(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<String> {
        text.lines().map(str::to_owned).collect()
    }

    #[test]
    fn a_block_that_is_not_run_needs_a_reason() {
        let block = "```sh,no-run\nendpaper review\n```\n";
        assert!(blocks(block).unwrap_err().contains("needs a comment"));
        let found = blocks(&format!("<!-- no-run: it opens the screen -->\n{block}"));
        assert_eq!(found.unwrap()[0].kind, Kind::Shown);
        let apart = format!("<!-- no-run: it opens the screen -->\n\n{block}");
        assert!(blocks(&apart).is_err());
    }

    #[test]
    fn unknown_indented_and_open_blocks_are_refused() {
        for (text, problem) in [
            ("```bash\n```", "line 1: unknown info string 'bash'"),
            (
                "- a\n  ```sh\n  ```",
                "line 2: a block must not be indented",
            ),
            ("```sh\n", "line 1: the block has no end"),
        ] {
            assert_eq!(blocks(text).unwrap_err(), problem);
        }
    }

    #[test]
    fn a_session_has_commands_over_several_lines() {
        let commands = session(&["$ cat <<END", "> a", "> END", "a", "", "$ true"]).unwrap();
        assert_eq!(commands[0].script(), "cat <<END\na\nEND");
        assert_eq!(commands[0].expected, ["a", ""]);
        assert_eq!(commands[1].script(), "true");
        assert!(session(&["output"]).is_err());
        assert!(session(&["$ true", "..."]).is_err());
    }

    #[test]
    fn dots_stand_for_lines_that_are_left_out() {
        let output = lines("a\nb\nc\nd");
        for (expected, fits) in [
            ("a\nb\nc\nd\n\n", true),
            ("a\n...\nd", true),
            ("...", true),
            ("a\n...\nc", false),
            ("a\nb\nc", false),
        ] {
            assert_eq!(agrees(&lines(expected), &output), fits, "{expected}");
        }
        let changed = lines("x\ny\nz\nv\nw");
        assert_eq!(
            abridged(&lines("a\n...\nc\nd"), &changed),
            lines("x\n...\nv\nw")
        );
        assert_eq!(abridged(&output, &changed), changed);
    }
}
