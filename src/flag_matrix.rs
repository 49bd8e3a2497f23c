//! Every flag of every command, generated from the command line: a flag means one thing.

use std::collections::BTreeMap;

use clap::{Arg, Command};

/// Flags whose value or sentence differs between commands, how many of them there are, and why that is no second meaning. The
/// number makes a further one be looked at.
const DIFFERENT: [(&str, usize, &str); 7] = [
    (
        "out",
        13,
        "what is written: a file or a folder, always instead of standard output",
    ),
    (
        "format",
        4,
        "how the result is printed or stored; listings have table, tsv and jsonl, others the forms that exist for them",
    ),
    (
        "truth",
        4,
        "the truth folder; `detect` and `model fit` have no default, `truth agree` and `truth merge` take several",
    ),
    (
        "against",
        2,
        "what other people have: `evaluate` reads cuts of a tool, `copies` fingerprints of a library",
    ),
    (
        "html",
        2,
        "the file of a page; `evaluate` prints as well, `outline` would print a page of text for each book",
    ),
    (
        "sample",
        2,
        "the file that `sample draw` wrote; `review` also says what it does with it",
    ),
    (
        "curator",
        2,
        "the name in reviews; `truth import` needs it only for rows without one",
    ),
];

/// The one short form of flags that most commands have.
const SHORT: [(&str, char); 5] = [
    ("out", 'o'),
    ("format", 'f'),
    ("threads", 'j'),
    ("quiet", 'q'),
    ("threshold", 'K'),
];

/// Calls `each` with every command that can be run, and its words.
fn each_command(command: &Command, words: &[String], each: &mut impl FnMut(&Command, &[String])) {
    each(command, words);
    for below in command.get_subcommands() {
        let words = [words, &[below.get_name().to_owned()]].concat();
        each_command(below, &words, each);
    }
}

/// The visible options of a command.
fn options(command: &Command) -> impl Iterator<Item = &Arg> {
    let options = command.get_arguments().filter(|arg| !arg.is_positional());
    options.filter(|arg| !arg.is_hide_set())
}

/// The name of the value of an option; none if it takes no value.
fn value(option: &Arg) -> Option<String> {
    let takes = option.get_action().takes_values();
    let names = option.get_value_names().unwrap_or_default();
    takes.then(|| names.iter().map(ToString::to_string).collect())
}

/// What an option means: the kind of its value and the first sentence of its help, without defaults.
fn meaning(option: &Arg) -> (Option<String>, String) {
    let help = option.get_help().map(ToString::to_string);
    let help = help.unwrap_or_default();
    let sentence = help.split(" [").next().unwrap_or_default();
    let sentence = sentence.split(". ").next().unwrap_or_default();
    (value(option), sentence.to_owned())
}

#[test]
fn no_flag_has_two_meanings() {
    let mut matrix: BTreeMap<String, BTreeMap<_, Vec<String>>> = BTreeMap::new();
    each_command(&crate::command(), &[], &mut |command, words| {
        for option in options(command) {
            let long = option.get_long().unwrap_or_default().to_owned();
            let meanings = matrix.entry(long).or_default();
            let commands = meanings.entry(meaning(option)).or_default();
            commands.push(words.join(" "));
        }
    });
    let known = DIFFERENT.iter().map(|(flag, number, _)| (*flag, *number));
    let mut known: BTreeMap<&str, usize> = known.collect();
    matrix.retain(|flag, meanings| meanings.len() != known.remove(flag.as_str()).unwrap_or(1));
    assert!(matrix.is_empty(), "other numbers of meanings: {matrix:#?}");
    assert!(known.is_empty(), "listed, but no flags: {known:?}");
}

#[test]
fn common_flags_have_one_short_form() {
    each_command(&crate::command(), &[], &mut |command, words| {
        for option in options(command) {
            let long = option.get_long().unwrap_or_default();
            let known = SHORT.iter().find(|(flag, _)| *flag == long);
            let expected = known.map(|(_, short)| *short);
            let short = option
                .get_short()
                .filter(|short| !['h', 'V'].contains(short));
            assert_eq!(short, expected, "{words:?} --{long}");
        }
    });
}

#[test]
fn negative_numbers_are_answered_about_the_number() {
    let answers = [
        "write a whole number from ",
        "write 0 for one on each core, or a number up to",
        "write a share ",
        "is not a size such as",
        "is not a number",
        "unknown number of bits",
    ];
    let mut asked = 0;
    each_command(&crate::command(), &[], &mut |command, words| {
        for option in options(command) {
            let name = value(option).unwrap_or_default();
            if !["N", "SHARE", "SIZE", "X", "BITS"].contains(&name.as_str()) {
                continue;
            }
            let long = option.get_long().unwrap_or_default();
            let numbers: &[&str] = match name.as_str() {
                "SHARE" => &["-1", "-2%"],
                "SIZE" => &["-1", "-5M"],
                _ => &["-1"],
            };
            for number in numbers {
                let flag = format!("--{long}");
                let line = ["endpaper".to_owned()].into_iter();
                let line = line.chain(words.iter().cloned());
                let line = line.chain([flag, (*number).to_owned()]);
                let error = crate::command().try_get_matches_from(line).unwrap_err();
                let said = error.to_string();
                let is_answer = answers.iter().any(|answer| said.contains(answer));
                assert!(
                    is_answer && said.contains(&format!("'{number}'")),
                    "{words:?} --{long} {number}: {said}"
                );
                assert!(!said.contains("18446744073709551615"), "{said}");
                asked += 1;
            }
        }
    });
    assert!(asked > 50, "{asked}");
}

#[test]
fn every_command_has_a_short_and_a_long_help_that_fit() {
    each_command(&crate::command(), &[], &mut |command, words| {
        if words.last().is_some_and(|word| word == "help") {
            return;
        }
        let mut command = command.clone().term_width(80);
        let short = command.render_help().to_string();
        let long = command.render_long_help().to_string();
        assert!(short.lines().count() <= long.lines().count(), "{words:?}");
        for line in short.lines().chain(long.lines()) {
            assert!(line.chars().count() <= 80, "{words:?}: {line}");
        }
    });
}
