//! YOMIURI pages as in Figure 5, of which a twenty-fifth is headline and body, and pages that are not articles.

use super::article::{Article, SECTIONS};
use super::chrome::{advertisement, japanese_menu, script};
use super::draw::any;
use super::page::MadePage;
use crate::experiments::SampleRandom;

pub(super) const DELIMITERS: &[(&str, &str)] = &[
    ("<font size=\"+2\"><b>", "</b></font>"),
    ("<!-- honbun start -->", "<!-- honbun end -->"),
];

/// Returns all pages; `noise` of them are not articles.
pub(super) fn pages(
    articles: &[Article],
    noise: usize,
    random: &mut SampleRandom,
) -> Vec<MadePage> {
    let mut pages: Vec<MadePage> = articles
        .iter()
        .map(|article| page(articles, article, random))
        .collect();
    for at in 0..noise {
        pages.push(if at == 0 {
            frame()
        } else {
            top(articles, at, random)
        });
    }
    pages
}

fn file(article: &Article) -> String {
    format!("200105{:02}i{}", article.day, article.number % 1_000)
}

fn folder(section: usize) -> String {
    format!("{:02}", section + 1)
}

fn page(articles: &[Article], article: &Article, random: &mut SampleRandom) -> MadePage {
    let folder = folder(article.section);
    let (hour, minute) = article.time();
    let mut html = head();
    html += &advertisement(random);
    html += &japanese_menu(43, 42, entry);
    html += &japanese_menu(
        50 + article.section as u64,
        12 + 4 * article.section,
        |name, path| {
            format!("<a href=\"/{folder}/{path}.htm\"><font size=\"-1\">{name}</font></a><br>\n")
        },
    );
    html += &format!(
        "<font size=\"+2\"><b>{}</b></font><br>\n<img src=\"/g/d.gif\" width=\"1\" height=\"5\"><br>\n<img src=\"/g/db.gif\" \
        width=\"465\" height=\"1\"><br><img src=\"/g/d.gif\" width=\"1\" height=\"15\"><br>\n<!-- photo start -->\n",
        article.headline
    );
    match &article.caption {
        Some(caption) => {
            html += &format!(
                "<table align=\"right\"><tr><td><img src=\"/{folder}/{}.jpg\" width=\"180\"><br>{caption}</td></tr></table>\n",
                file(article)
            );
        }
        None => html += "<!-- NO PHOTO -->\n",
    }
    html += "<!-- photo end -->\n<!-- honbun start -->";
    for paragraph in &article.paragraphs {
        html += &format!("\n<p>\n{paragraph}\n</p>");
    }
    html += &format!(
        "\n(5月{}日{hour}:{minute:02})<br>\n<!-- honbun end -->\n",
        article.day
    );
    html += "<div align=\"right\"><img src=\"/gif6/arw.gif\" width=\"11\" height=\"11\">";
    for _ in 0..2 {
        let other = any(articles, random);
        html += &format!(
            " <a href=\"/{}/{}.htm\">{}</a>",
            self::folder(other.section),
            file(other),
            other.headline
        );
    }
    html += "</div>\n";
    html += &japanese_menu(44, 29, entry);
    html += &foot();
    MadePage {
        name: format!("{folder}-{}-{}.htm", file(article), article.number),
        html,
    }
}

/// The top page of a category: links to its articles.
fn top(articles: &[Article], at: usize, random: &mut SampleRandom) -> MadePage {
    let folder = folder(at % SECTIONS);
    let mut html = head();
    html.truncate(1_300);
    html += "</script></head>\n<body>\n";
    for _ in 0..6 + random.below(12) {
        let article = any(articles, random);
        html += &format!(
            "<a href=\"/{folder}/{}.htm\">{}</a><br>\n",
            file(article),
            article.headline
        );
    }
    html += "</body></html>\n";
    MadePage {
        name: format!("{folder}-index-{at}.htm"),
        html,
    }
}

/// The shortest file, a redirect.
fn frame() -> MadePage {
    MadePage {
        name: "index.htm".to_owned(),
        html: "<html><head><title>Yomiuri On-Line</title><meta http-equiv=\"refresh\" content=\"0; url=/index-j.htm\"></head>\n\
            <body bgcolor=\"#ffffff\"><a href=\"/index-j.htm\">読売新聞</a></body></html>\n"
            .to_owned(),
    }
}

fn head() -> String {
    format!(
        "<html>\n<head>\n<title> Yomiuri On-Line / 読売新聞</title>\n<script language=\"JavaScript\">\n{}</script>\n</head>\n<body \
        bgcolor=\"#ffffff\" text=\"#000000\">\n",
        script(41, 30)
    )
}

fn entry(name: &str, path: &str) -> String {
    format!(
        "<tr><td><a href=\"/{path}/index.htm\"><img src=\"/gif6/{path}.gif\" alt=\"{name}\"></a></td></tr>\n"
    )
}

fn foot() -> String {
    "<LAYER SRC=\"/srcfiles/specials.htm\" VISIBILITY=hidden ONLOAD=\"moveToAbsolute(specials.pageX, specials.pageY); \
    visibility=true;\"></LAYER>\n</body>\n</html>\n"
        .to_owned()
}
