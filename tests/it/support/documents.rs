//! Handmade PDF and EPUB files, whole and broken.

use std::io::{Cursor, Write};

use zip::CompressionMethod;
use zip::write::{SimpleFileOptions, ZipWriter};

/// A PDF file of pages of lines in one font.
pub fn pdf(pages: &[&[&str]]) -> Vec<u8> {
    let streams: Vec<String> = pages.iter().map(|lines| shown(lines)).collect();
    pdf_of(&streams, "")
}

/// The content stream of lines, from the top of a page.
fn shown(lines: &[&str]) -> String {
    let lines = lines.iter().map(|line| {
        let line = line.replace('\\', "\\\\");
        let line = line.replace('(', "\\(").replace(')', "\\)");
        format!("({line}) Tj 0 -14 Td\n")
    });
    format!("BT /F1 12 Tf 72 720 Td\n{}ET\n", lines.collect::<String>())
}

/// A PDF file with these content streams and additional trailer entries.
pub fn pdf_of(streams: &[String], trailer: &str) -> Vec<u8> {
    let mut objects = vec!["<< /Type /Catalog /Pages 2 0 R >>".to_owned()];
    let kids: Vec<String> = (0..streams.len())
        .map(|page| format!("{} 0 R", 4 + 2 * page))
        .collect();
    objects.push(format!(
        "<< /Type /Pages /Kids [{}] /Count {} >>",
        kids.join(" "),
        kids.len()
    ));
    let font = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>";
    objects.push(font.to_owned());
    for (page, stream) in streams.iter().enumerate() {
        objects.push(format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {} 0 R /Resources << /Font << /F1 3 0 R >> >> \
             >>",
            5 + 2 * page
        ));
        objects.push(format!(
            "<< /Length {} >>\nstream\n{stream}\nendstream",
            stream.len()
        ));
    }
    let mut file = b"%PDF-1.4\n".to_vec();
    let mut starts = Vec::new();
    for (number, object) in objects.iter().enumerate() {
        starts.push(file.len());
        file.extend(format!("{} 0 obj\n{object}\nendobj\n", number + 1).bytes());
    }
    let table = file.len();
    let size = objects.len() + 1;
    file.extend(format!("xref\n0 {size}\n0000000000 65535 f \n").bytes());
    for start in starts {
        file.extend(format!("{start:010} 00000 n \n").bytes());
    }
    let end =
        format!("trailer\n<< /Size {size} /Root 1 0 R {trailer} >>\nstartxref\n{table}\n%%EOF\n");
    file.extend(end.bytes());
    file
}

pub fn locked_pdf() -> Vec<u8> {
    let key = "<00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff>";
    let trailer = format!(
        "/Encrypt << /Filter /Standard /V 1 /R 2 /O {key} /U {key} /P -4 >> /ID [<0011> <0011>]"
    );
    pdf_of(&[shown(&["secret"])], &trailer)
}

/// An EPUB file with these chapters, each the contents of a `body`.
pub fn epub(chapters: &[&str]) -> Vec<u8> {
    let bodies: Vec<String> = chapters
        .iter()
        .map(|inside| {
            format!(
                "<?xml version=\"1.0\"?><html xmlns=\"http://www.w3.org/1999/xhtml\"><head><title>T</title></head><body>\
                 {inside}</body></html>"
            )
        })
        .collect();
    let named: Vec<(String, &[u8])> = bodies
        .iter()
        .enumerate()
        .map(|(at, body)| (format!("OEBPS/c{at}.xhtml"), body.as_bytes()))
        .collect();
    epub_of(&named, chapters.len())
}

/// An EPUB file with these files, whose manifest lists `chapters` chapters `c0.xhtml`, `c1.xhtml`, and so on.
pub fn epub_of(files: &[(String, &[u8])], chapters: usize) -> Vec<u8> {
    let items = (0..chapters).map(|at| {
        format!("<item id=\"c{at}\" href=\"c{at}.xhtml\" media-type=\"application/xhtml+xml\"/>")
    });
    let spine = (0..chapters).map(|at| format!("<itemref idref=\"c{at}\"/>"));
    let package = format!(
        "<?xml version=\"1.0\"?><package xmlns=\"http://www.idpf.org/2007/opf\" version=\"3.0\" unique-identifier=\"i\">\
         <metadata xmlns:dc=\"http://purl.org/dc/elements/1.1/\"><dc:identifier id=\"i\">x</dc:identifier>\
         <dc:title>T</dc:title><dc:language>en</dc:language></metadata><manifest>{}</manifest><spine>{}</spine></package>",
        items.collect::<String>(),
        spine.collect::<String>()
    );
    let container = "<?xml version=\"1.0\"?><container version=\"1.0\" \
        xmlns=\"urn:oasis:names:tc:opendocument:xmlns:container\"><rootfiles><rootfile full-path=\"OEBPS/p.opf\" \
        media-type=\"application/oebps-package+xml\"/></rootfiles></container>";
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    let packed = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
    let mut add = |name: &str, bytes: &[u8]| {
        archive.start_file(name, packed).expect("a member");
        archive.write_all(bytes).expect("its bytes");
    };
    add("mimetype", b"application/epub+zip");
    add("META-INF/container.xml", container.as_bytes());
    add("OEBPS/p.opf", package.as_bytes());
    for (name, bytes) in files {
        add(name, bytes);
    }
    archive.finish().expect("an archive").into_inner()
}
