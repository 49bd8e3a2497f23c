use super::*;

#[test]
fn pages_are_joined_by_lines_of_their_own() {
    let cases: &[(&[&str], &str)] = &[
        (&["a\n"], "a\n"),
        (&["a\n\n\n", "\n  b  \nc"], "a\n\u{C}\n\n  b\nc\n"),
        (&["", "b", ""], "\u{C}\nb\n\u{C}\n"),
        (&["a\u{C}b\0"], "ab\n"),
    ];
    for (texts, expected) in cases {
        let joined = pages::join(texts.iter().copied()).unwrap();
        assert_eq!(String::from_utf8(joined.clone()).unwrap(), *expected);
    }
    let joined = pages::join(["a", "b", "c"].into_iter()).unwrap();
    assert_eq!((pages(&joined), pages(b"a\n")), (Some(3), None));
    let blank = pages::join(["", " \n"].into_iter()).unwrap_err();
    assert!(blank.to_string().contains("2 pages"), "{blank}");
}

#[test]
fn a_kept_text_belongs_to_one_state_of_a_file_and_one_extractor() {
    let folder = tempfile::tempdir().unwrap();
    let stamp = |size| FileStamp { size, modified: 7 };
    let poppler = |version: &str| TextExtractor::Pdftotext {
        version: version.to_owned(),
    };
    let file = |path: &str, size, extractor: &TextExtractor| {
        text_cache::cache_path(folder.path(), Path::new(path), stamp(size), extractor).unwrap()
    };
    let first = file("/a.pdf", 1, &poppler("22"));
    for other in [
        file("/b.pdf", 1, &poppler("22")),
        file("/a.pdf", 2, &poppler("22")),
        file("/a.pdf", 1, &poppler("23")),
        file("/a.pdf", 1, &TextExtractor::PdfExtract),
    ] {
        assert_ne!(first, other);
    }
    assert_eq!(text_cache::load(&first, 100), None);
    text_cache::store(&first, b"a text").unwrap();
    assert_eq!(
        text_cache::load(&first, 100).as_deref(),
        Some(&b"a text"[..])
    );
    assert_eq!(text_cache::load(&first, 5), None);
    let whole = std::fs::read(&first).unwrap();
    std::fs::write(&first, &whole[..whole.len() - 1]).unwrap();
    assert_eq!(text_cache::load(&first, 100), None);
}
