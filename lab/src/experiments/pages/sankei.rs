//! SANKEI pages: small; a third is headline and body.

use super::article::Article;
use super::chrome::{PATHS, advertisement, japanese_menu};
use super::page::MadePage;
use crate::experiments::SampleRandom;

pub(super) const DELIMITERS: &[(&str, &str)] = &[
    ("<font color=\"#000099\" size=\"4\">", "</font>"),
    ("<blockquote>", "</blockquote>"),
];

pub(super) fn pages(articles: &[Article], random: &mut SampleRandom) -> Vec<MadePage> {
    articles
        .iter()
        .map(|article| page(article, random))
        .collect()
}

fn page(article: &Article, random: &mut SampleRandom) -> MadePage {
    let section = PATHS[article.section];
    let (hour, minute) = article.time();
    let mut html = format!(
        "<html><head><title>{}</title>\n<meta http-equiv=\"Content-Type\" content=\"text/html\"></head>\n<body bgcolor=\"#FFFFFF\" \
        background=\"../img/back.gif\">\n<center><img src=\"../img/{section}.gif\" alt=\"産経新聞\"></center>\n{}",
        article.headline,
        advertisement(random),
    );
    html += &japanese_menu(61, 18, |name, path| {
        format!("[<a href=\"../{path}.htm\">{name}</a>]\n")
    });
    html += &format!(
        "<hr>\n<b><font color=\"#000099\" size=\"4\">{}</font></b>\n<p align=\"right\">1月{}日 {hour}時{minute:02}分</p>\n<blockquote>",
        article.headline, article.day
    );
    for paragraph in &article.paragraphs {
        html += &format!("\n{paragraph}<br>");
    }
    html += &format!(
        "\n</blockquote>\n<hr><a href=\"../{section}/menu.htm\">ニュース一覧へ</a> | <a href=\"../index.htm\">表紙へ戻る</a>\n<p>Copyright 2001 \
        The Sankei Shimbun. All rights reserved. {:05}</p>\n</body></html>\n",
        article.number
    );
    MadePage {
        name: format!(
            "0101{:02}{}{}.htm",
            article.day,
            &section[..3],
            article.number
        ),
        html,
    }
}
