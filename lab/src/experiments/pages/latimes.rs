//! LATIMES pages: a tenth is headline and body; the beginnings of other articles are next to it.

use super::article::Article;
use super::chrome::{PATHS, advertisement, menu, script};
use super::draw::often;
use super::page::MadePage;
use crate::experiments::SampleRandom;

pub(super) const DELIMITERS: &[(&str, &str)] = &[
    ("<h1 class=\"headline\">", "</h1>"),
    ("<!-- story text -->", "<!-- /story text -->"),
];

/// Menu entries of pages of 30 kB.
pub(super) const SMALL: usize = 90;

/// Menu entries of pages of 61 kB.
pub(super) const LARGE: usize = 202;

pub(super) fn pages(
    articles: &[Article],
    entries: usize,
    random: &mut SampleRandom,
) -> Vec<MadePage> {
    articles
        .iter()
        .map(|article| page(articles, article, entries, random))
        .collect()
}

fn file(article: &Article) -> String {
    format!(
        "2001{:02}{:02}/t000{}",
        1 + article.day % 3,
        article.day,
        article.number
    )
}

fn page(
    articles: &[Article],
    article: &Article,
    entries: usize,
    random: &mut SampleRandom,
) -> MadePage {
    let (headline, section) = (&article.headline, PATHS[article.section]);
    let (hour, minute) = article.time();
    let mut html = format!(
        "<html>\n<head>\n<title>Los Angeles Times: {headline}</title>\n<meta name=\"pubdate\" content=\"2001-01-{:02} {hour:02}:{minute:02}\">\n\
        <script>\n{}</script>\n</head>\n<body bgcolor=\"#ffffff\" link=\"#003366\">\n{}",
        article.day,
        script(21, entries),
        advertisement(random),
    );
    html += &menu(22, entries, |name, path| {
        format!(
            "<tr><td class=\"nav\"><a href=\"http://www.latimes.com/{path}/\"><font face=\"verdana\" size=\"1\">{name}</font></a></td></tr>\n"
        )
    });
    html += &menu(
        30 + article.section as u64,
        10 + 6 * article.section,
        |name, path| {
            format!(
                "<div class=\"sub\"><a href=\"/{section}/{path}.htm\" class=\"navsub\">{name}</a></div>\n"
            )
        },
    );
    html += "<table><tr><td class=\"top\"><b>TOP STORIES</b></td></tr>\n";
    for _ in 0..3 {
        let other = often(articles, random);
        let beginning: String = other
            .paragraphs
            .first()
            .map_or("", String::as_str)
            .chars()
            .take(110)
            .collect();
        html += &format!(
            "<tr><td><a href=\"/{}/{}.html\">{}</a><br>{beginning}...</td></tr>\n",
            PATHS[other.section],
            file(other),
            other.headline
        );
    }
    html += &format!(
        "</table>\n<p class=\"date\">January {}, 2001</p>\n<h1 class=\"headline\">{headline}</h1>\n<p class=\"byline\">By {}, Times Staff \
        Writer</p>\n<!-- story text -->",
        article.day,
        article.author.to_uppercase(),
    );
    for paragraph in &article.paragraphs {
        html += &format!("\n&nbsp;&nbsp;&nbsp;&nbsp;&nbsp;{paragraph}<br>");
    }
    html += &format!(
        "\n<!-- /story text -->\n<p><a href=\"/cgi-bin/mail.cgi?/{section}/{}.html\">Email this story</a> | <a href=\"/cgi-bin/print.cgi?\
        /{section}/{}.html\">Print</a></p>\n<p>For information about reprinting this article, go to http://www.lats.com/rights/</p>\n",
        file(article),
        file(article),
    );
    html += &advertisement(random);
    html += &menu(23, entries / 3, |name, path| {
        format!(
            "<a href=\"http://www.latimes.com/services/{path}.htm\"><img src=\"/images/{path}.gif\" alt=\"{name}\" border=\"0\"></a>&nbsp;|\n"
        )
    });
    html +=
        "<p class=\"copyright\">Copyright &copy; 2001 Los Angeles Times</p>\n</body>\n</html>\n";
    MadePage {
        name: format!("t000{}.html", article.number),
        html,
    }
}
