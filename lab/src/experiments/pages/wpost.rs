//! WPOST pages as in Figure 4: 31 to 65 kB; an eighth is headline and body.

use super::article::Article;
use super::chrome::{PATHS, advertisement, menu, script};
use super::draw::any;
use super::page::MadePage;
use crate::experiments::SampleRandom;

pub(super) const DELIMITERS: &[(&str, &str)] = &[
    (
        "<!--plsfield:headline--> <FONT FACE=\"Arial,Helvetica\" SIZE=\"+1\"><B>",
        "</B></FONT>",
    ),
    ("<!--plsfield:description-->", "<!--plsfield:end-->"),
];

pub(super) fn pages(articles: &[Article], random: &mut SampleRandom) -> Vec<MadePage> {
    let pages = articles.iter().enumerate();
    pages
        .map(|(at, article)| page(articles, at, article, random))
        .collect()
}

/// The identifier of an article, which occurs many times in its page.
fn id(article: &Article) -> String {
    format!("A{}-2001Jan{:02}", article.number, article.day)
}

fn page(articles: &[Article], at: usize, article: &Article, random: &mut SampleRandom) -> MadePage {
    let (id, headline, section) = (id(article), &article.headline, PATHS[article.section]);
    let letter = char::from(b'A' + article.section as u8);
    let sheet = 1 + random.below(24);
    let mut html = head(article, letter, sheet, random);
    html += &advertisement(random);
    html += &menu(3, 44, |name, path| {
        format!(
            "<TD WIDTH=\"6\"><IMG SRC=\"/wp-srv/globalnav/images/spacer.gif\" WIDTH=\"6\" HEIGHT=\"1\" ALT=\" \"></TD>\n\
            <TD><A HREF=\"/wp-dyn/{path}/\"><FONT SIZE=\"-2\">{name}</FONT></A></TD>\n"
        )
    });
    html += &menu(
        10 + article.section as u64,
        14 + 9 * article.section,
        |name, path| {
            format!(
                "<TR><TD><A HREF=\"/wp-dyn/{section}/{path}/\"><FONT FACE=\"Arial\" SIZE=\"-1\">{name}</FONT></A><BR></TD></TR>\n"
            )
        },
    );
    html += &format!(
        "<!--plsfield:headline--> <FONT FACE=\"Arial,Helvetica\" SIZE=\"+1\"><B>{headline}</B></FONT> <!--plsfield:stop-->\n\
        <TABLE WIDTH=\"228\"><TR><TD><FONT SIZE=\"-1\"><A HREF=\"/cgi-bin/gx.cgi/AppLogic+FTContentServer?pagename=wpni/email\
        &articleid={id}&node={section}\"><B>E-Mail This Article</B></A><BR></FONT></TD>\n<TD><A HREF=\"/ac2/wp-dyn/{id}?language=\
        printer\"><B>Printer-Friendly Version</B></A><BR></TD></TR></TABLE>\n"
    );
    if let Some(caption) = &article.caption {
        html += &format!(
            "<TABLE ALIGN=\"right\"><TR><TD><IMG SRC=\"/wp-srv/photos/{:06x}.jpg\" ALT=\"\"><BR><FONT SIZE=\"-2\">{caption} (File \
            Photo)</FONT></TD></TR></TABLE>\n",
            random.below(1 << 24)
        );
    }
    html += &format!(
        "<FONT SIZE=\"2\"> <!--plsfield:byline--> <I>By {}</I><BR>\n<!--plsfield:credit--> Washington Post Staff Writer<BR>\n\
        <!--plsfield:disp_date--> January {}, 2001; Page {letter}{sheet:02} <BR> </FONT> </P>\n<!--plsfield:description-->",
        article.author, article.day
    );
    for paragraph in &article.paragraphs {
        html += &format!("\n<P><P>{paragraph}</P>");
    }
    html += "\n<!--plsfield:end-->\n<P><CENTER> &copy; 2001 The Washington Post Company </CENTER></P>\n<P><CENTER>";
    html += &links(articles, at, random);
    html += &advertisement(random);
    html += &menu(4, 76, |name, path| {
        format!(
            "<TR><TD BGCOLOR=\"#CCCC99\" WIDTH=\"2\"></TD><TD><A HREF=\"http://www.washingtonpost.com/wp-srv/{path}/front.htm\">\
            <FONT FACE=\"Arial,Helvetica\" SIZE=\"-2\" COLOR=\"#000000\">{name}</FONT></A></TD></TR>\n"
        )
    });
    html += "<A HREF=\"http://www.washingtonpost.com/wp-srv/maps/mit_foto.map\"><IMG SRC=\"http://a188.g.akamaitech.net/f/188/920/1d/\
        www.washingtonpost.com/wp-srv/images/channelnav_news.gif\" WIDTH=\"760\" HEIGHT=\"16\" BORDER=\"0\" ALT=\"channel navigation\" \
        ISMAP=\"true\"></A><BR></TD> </TR></FORM></TABLE>\n</BODY></HTML>\n";
    MadePage {
        name: format!("{id}.html"),
        html,
    }
}

fn head(article: &Article, letter: char, sheet: usize, random: &mut SampleRandom) -> String {
    let (id, headline, section) = (id(article), &article.headline, PATHS[article.section]);
    let (hour, minute) = article.time();
    let slug: String = headline
        .chars()
        .filter(char::is_ascii_uppercase)
        .take(6)
        .collect();
    format!(
        "<HTML><HEAD>\n<style type=\"text/css\">\n{}</style>\n\
        <META NAME=\"edition\" CONTENT=\"M2\">\n<META NAME=\"document_name\" CONTENT=\"{id}\">\n<META NAME=\"source\" \
        CONTENT=\"Post\">\n<META NAME=\"section\" CONTENT=\"{letter}M\">\n<META NAME=\"page\" CONTENT=\"{letter}{sheet:02} \">\n\
        <META NAME=\"column\" CONTENT=\"\">\n<META NAME=\"slug\" CONTENT=\"{slug}{}\">\n<META NAME=\"timestamp\" \
        CONTENT=\"{hour:02}:{minute:02} AM\">\n<META NAME=\"category\" CONTENT=\"{section}\">\n<META NAME=\"wordcount\" \
        CONTENT=\"0\">\n<META NAME=\"sourceNumber\" CONTENT=\"{}\">\n<!--plsfield:title-->\n<TITLE>{headline} \
        (washingtonpost.com)</TITLE>\n<script language=\"JavaScript\">\n{}</script></HEAD>\n<BODY BGCOLOR=\"#FFFFFF\">\n",
        menu(1, 24, |name, _| format!(
            ".{} {{ font-family: Arial, Helvetica; font-size: 11px }}\n",
            name.replace(' ', "_")
        )),
        article.day,
        random.below(9),
        script(2, 70),
    )
}

/// Links to the previous and next article and to related ones.
fn links(articles: &[Article], at: usize, random: &mut SampleRandom) -> String {
    let mut html = String::new();
    for (neighbour, way) in [(at + articles.len() - 1, "previous"), (at + 1, "next")] {
        let neighbour = &articles[neighbour % articles.len()];
        html += &format!(
            " <A HREF=\"/wp-dyn/{}/{}.html\"><img src=\"http://a188.g.akamaitech.net/f/188/920/1d/www.washingtonpost.com/wp-srv/\
            images/arrow_{way}.gif\" width=\"14\" height=\"12\" border=\"0\"></A>",
            PATHS[neighbour.section],
            self::id(neighbour)
        );
    }
    html += "</CENTER></P>\n<B>Related Articles</B><BR>\n";
    for _ in 0..3 + random.below(4) {
        let other = any(articles, random);
        html += &format!(
            "<LI><A HREF=\"/wp-dyn/{}/{}.html\">{}</A> (Jan. {}, 2001)\n",
            PATHS[other.section],
            self::id(other),
            other.headline,
            other.day
        );
    }
    html
}
