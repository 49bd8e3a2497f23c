//! Tests with queries as users write them.

use super::{Occurs, Query, QueryNode, QueryOptions};
use proptest::prelude::*;

/// The tree of a query in a short notation.
fn written(text: &str, any: bool) -> String {
    let reading = QueryOptions {
        any,
        ..QueryOptions::default()
    };
    match Query::read(text, &reading) {
        Ok(query) => write(&query.root),
        Err(mistake) => format!(
            "{}: {}",
            mistake.at,
            mistake.what.split([';', ',']).next().unwrap()
        ),
    }
}

fn write(node: &QueryNode) -> String {
    match node {
        QueryNode::Words { part, words } => {
            let part = part.map_or(String::new(), |part| format!("{part}:"));
            format!("{part}{}", words.join("_"))
        }
        QueryNode::Language(language) => format!("language={language}"),
        QueryNode::Years { field, first, last } => format!("{field:?}={first}..{last}"),
        QueryNode::Group(all) => {
            let all = all.iter().map(|(occurs, node)| {
                let sign = match occurs {
                    Occurs::Must => "+",
                    Occurs::May => "",
                    Occurs::Never => "-",
                };
                format!("{sign}{}", write(node))
            });
            format!("({})", all.collect::<Vec<String>>().join(" "))
        }
    }
}

#[test]
fn queries_are_understood() {
    let table = [
        // The query, its tree with all words, its tree with any.
        ("whale", "whale", "whale"),
        ("white whale", "(+white +whale)", "(white whale)"),
        ("  white,   whale! ", "(+white +whale)", "(white whale)"),
        ("\"white whale\"", "white_whale", "white_whale"),
        ("\u{201C}white whale\u{201D}", "white_whale", "white_whale"),
        ("white-whale", "white_whale", "white_whale"),
        (
            "the whale's tail",
            "(+the +whale +tail)",
            "(the whale tail)",
        ),
        ("whale OR shark", "(whale shark)", "(whale shark)"),
        ("whale AND shark", "(+whale +shark)", "(+whale +shark)"),
        (
            "whale shark AND tail",
            "(+whale +shark +tail)",
            "(whale (+shark +tail))",
        ),
        ("a b OR c d", "((+a +b) (+c +d))", "(a b c d)"),
        ("a AND b OR c", "((+a +b) c)", "((+a +b) c)"),
        ("a AND (b OR c)", "(+a +(b c))", "(+a +(b c))"),
        ("(a b)", "(+a +b)", "(a b)"),
        ("whale -shark", "(+whale -shark)", "(whale -shark)"),
        ("whale NOT shark", "(+whale -shark)", "(whale -shark)"),
        ("+whale shark", "(+whale +shark)", "(+whale shark)"),
        ("NOT NOT whale", "whale", "whale"),
        ("a - b", "(+a +b)", "(a b)"),
        ("title:emma", "title:emma", "title:emma"),
        ("Author:austen", "authors:austen", "authors:austen"),
        (
            "title:\"white whale\"",
            "title:white_whale",
            "title:white_whale",
        ),
        (
            "title:(white whale)",
            "(+title:white +title:whale)",
            "(title:white title:whale)",
        ),
        (
            "-title:emma austen",
            "(-title:emma +austen)",
            "(-title:emma austen)",
        ),
        ("title:body:x", "body:x", "body:x"),
        (
            "isbn:978-0-14-310762-3",
            "isbn:9780143107623",
            "isbn:9780143107623",
        ),
        (
            "language:German faust",
            "(+language=german +faust)",
            "(+language=german +faust)",
        ),
        (
            "date:1890 whale",
            "(+Published=1890..1890 +whale)",
            "(+Published=1890..1890 +whale)",
        ),
        (
            "-published:1890-1900 whale",
            "(-Published=1890..1900 +whale)",
            "(-Published=1890..1900 whale)",
        ),
        (
            "white whale -shark date:1890 language:german",
            "(+white +whale -shark +Published=1890..1890 +language=german)",
            "(+Published=1890..1890 +language=german +(white whale -shark))",
        ),
        (
            "date:1890 -whale",
            "(+Published=1890..1890 -whale)",
            "(+Published=1890..1890 -whale)",
        ),
        (
            "whale language:german OR language:french",
            "((+whale +language=german) language=french)",
            "(whale language=german language=french)",
        ),
        ("year:1890", "Published=1890..1890", "Published=1890..1890"),
        (
            "publish_date:1890..",
            "Published=1890..4294967295",
            "Published=1890..4294967295",
        ),
        (
            "released:\"..2004\"",
            "Released=0..2004",
            "Released=0..2004",
        ),
        ("references:knuth", "references:knuth", "references:knuth"),
        ("a note: this", "(+a +note +this)", "(a note this)"),
        ("12:30 train", "(+12_30 +train)", "(12_30 train)"),
        (
            "war and peace or not",
            "(+war +and +peace +or +not)",
            "(war and peace or not)",
        ),
        ("who is he?", "(+who +is +he)", "(who is he)"),
        ("\u{767d}\u{9be8}", "\u{767d}_\u{9be8}", "\u{767d}_\u{9be8}"),
        ("whale \"\" ...", "whale", "whale"),
    ];
    for (text, all, any) in table {
        assert_eq!(written(text, false), all, "{text}");
        assert_eq!(written(text, true), any, "{text} with any");
    }
}

#[test]
fn mistakes_are_named_with_their_place() {
    let table = [
        ("", "1: it has no word"),
        (" -- ", "1: it has no word"),
        ("\"\"", "1: it has no word"),
        ("say \"white whale", "5: the quotation mark is never closed"),
        ("(white whale", "1: this bracket is never closed"),
        ("white) whale", "6: this bracket was never opened"),
        ("whale AND", "10: AND needs a term after it"),
        ("whale OR", "9: OR needs a term after it"),
        ("AND whale", "1: AND and OR need a term before them"),
        ("a AND OR b", "7: AND and OR need a term before them"),
        ("a NOT", "6: expected a word"),
        ("-whale", "1: it only excludes words"),
        ("a (-whale)", "4: it only excludes words"),
        (
            "a OR -whale",
            "1: an excluded term cannot be an alternative",
        ),
        ("whal*", "5: '*' is not understood"),
        ("\"a b\"~3", "6: '~' and '^' are not understood"),
        (
            "emma titel:x",
            "6: unknown field 'titel' (did you mean 'title'?)",
        ),
        ("publish-year:2001", "1: unknown field 'publish-year'"),
        (
            "dc.date:2001",
            "1: unknown field 'dc.date' (did you mean 'date'?)",
        ),
        (
            "publish_date: 2001",
            "1: 'publish_date:' needs a word directly after the colon",
        ),
        ("language:germn", "1: unknown language 'germn'"),
        ("date:90", "1: '90' is no date"),
        ("date:1890-05-01", "1: '1890-05-01' is no date"),
        (
            "date:-1900",
            "1: a date is a year of four digits or a range of years",
        ),
        (
            "date:(1890 OR 1900)",
            "1: a date is a year of four digits or a range of years",
        ),
        ("a date:1900..1890", "3: 1900 is later than 1890"),
        (
            "title: emma",
            "1: 'title:' needs a word directly after the colon",
        ),
        (
            "title:",
            "1: 'title:' needs a word directly after the colon",
        ),
        (
            "language:(a b)",
            "1: 'language:' needs the name of one language",
        ),
    ];
    for (text, expected) in table {
        assert_eq!(written(text, false), expected, "{text}");
    }
    let brackets = "(".repeat(17) + "a" + &")".repeat(17);
    assert_eq!(written(&brackets, false), "17: brackets go deeper than 16");
    let words = "word ".repeat(65);
    assert_eq!(written(&words, false), "321: there are more than 64 words");
    assert_eq!(
        written(&"-".repeat(5000), false),
        "1: it is longer than 4096 bytes"
    );
}

proptest! {
    #[test]
    fn any_text_is_a_query_or_a_mistake_in_it(text in "[a-b \"():+\\-*]{0,20}|(AND|OR|NOT|title:|date:|19..|1890|language:|a|\\(|\\)| ){0,12}|\\PC{0,20}", any: bool) {
        let reading = QueryOptions { any, ..QueryOptions::default() };
        if let Err(mistake) = Query::read(&text, &reading) {
            prop_assert!((1..=text.chars().count() + 1).contains(&mistake.at), "{}", mistake);
        }
    }
}
