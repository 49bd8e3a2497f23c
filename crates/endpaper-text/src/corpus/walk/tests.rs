use super::*;
#[cfg(unix)]
use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::path::PathBuf;

fn ids(listing: &Listing) -> Vec<&str> {
    listing.books.iter().map(|book| book.id.as_str()).collect()
}

fn write(folder: &Path, name: &str, bytes: &[u8]) {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, bytes).unwrap();
}

fn zip(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in members {
        writer
            .start_file(*name, zip::write::SimpleFileOptions::default())
            .unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

fn below(roots: &[&Path]) -> Result<Listing> {
    list(&ListingRequest {
        roots: roots.iter().map(|root| root.to_path_buf()).collect(),
        ..ListingRequest::default()
    })
}

#[test]
fn books_are_found_by_name_and_content_in_a_stable_order() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path();
    for name in [
        "b.TXT",
        "a/c.text",
        "a/d.asc",
        "readme.html",
        ".hidden.txt",
        ".git/x.txt",
        "old/.endpaper/x",
        "old/y.txt",
    ] {
        write(folder, name, b"text");
    }
    write(folder, "plain", b"a text without an ending");
    write(folder, "noise", &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2]);
    write(folder, "truth/a.txt", b"text");
    write(
        folder,
        "set.zip",
        &zip(&[
            ("one.txt", b"x"),
            ("dir/two.txt", b"y"),
            ("cover.jpg", b"z"),
        ]),
    );
    let request = ListingRequest {
        roots: vec![folder.to_path_buf()],
        truth: Some(folder.join("truth")),
        ..ListingRequest::default()
    };
    let listing = list(&request).unwrap();
    let expected = [
        "a/c.text",
        "a/d.asc",
        "b.TXT",
        "plain",
        "set.zip!dir/two.txt",
        "set.zip!one.txt",
    ];
    assert_eq!(ids(&listing), expected);
    assert!(listing.skipped.is_empty());
    let filtered = ListingRequest {
        include: vec!["a/*".into()],
        exclude: vec!["*.asc".into()],
        ..request
    };
    assert_eq!(ids(&list(&filtered).unwrap()), ["a/c.text"]);
}

#[test]
fn number_of_threads_does_not_change_a_listing() {
    let home = tempfile::tempdir().unwrap();
    // More than one batch.
    for number in 0..600 {
        write(home.path(), &format!("{}/{number}.txt", number % 7), b"x");
    }
    write(
        home.path(),
        "set.zip",
        &zip(&[("one.txt", b"x"), ("two.txt", b"y")]),
    );
    write(home.path(), "broken.zip", b"PK");
    let listed = |threads| {
        let listing = list(&ListingRequest {
            roots: vec![home.path().to_path_buf()],
            threads,
            ..ListingRequest::default()
        });
        let listing = listing.unwrap();
        (listing.books, listing.skipped)
    };
    let one = listed(1);
    assert_eq!((one.0.len(), one.1.len()), (602, 1));
    assert!(listed(2) == one && listed(5) == one);
}

#[test]
fn a_file_named_outright_counts_whatever_its_name() {
    let home = tempfile::tempdir().unwrap();
    write(home.path(), "book.html", b"text");
    assert_eq!(
        ids(&below(&[&home.path().join("book.html")]).unwrap()),
        ["book.html"]
    );
}

#[test]
fn several_roots_give_ids_that_tell_them_apart() {
    let home = tempfile::tempdir().unwrap();
    write(home.path(), "one/texts/a.txt", b"text");
    write(home.path(), "two/texts/a.txt", b"text");
    let (one, two) = (home.path().join("one/texts"), home.path().join("two/texts"));
    assert_eq!(
        ids(&below(&[&one, &two]).unwrap()),
        ["texts/a.txt", "texts~2/a.txt"]
    );
}

#[test]
fn member_names_never_become_paths() {
    let home = tempfile::tempdir().unwrap();
    let names: &[(&str, &[u8])] = &[
        ("../../etc/passwd.txt", b"x"),
        ("/abs.txt", b"y"),
        ("C:\\x.txt", b"z"),
    ];
    write(home.path(), "bad.zip", &zip(names));
    let listing = below(&[home.path()]).unwrap();
    assert_eq!(listing.books.len(), 3);
    for (book, (_, bytes)) in listing
        .books
        .iter()
        .zip([("", b"x"), ("", b"y"), ("", b"z")])
    {
        assert_eq!(book.read(100).unwrap(), bytes);
    }
}

#[test]
fn what_is_broken_is_named_and_the_rest_goes_on() {
    let home = tempfile::tempdir().unwrap();
    write(home.path(), "a.txt", b"text");
    write(home.path(), "broken.zip", b"PK\x03\x04 not really");
    let listing = below(&[home.path()]).unwrap();
    assert_eq!(ids(&listing), ["a.txt"]);
    assert_eq!(listing.skipped[0].id.as_str(), "broken.zip");
}

#[test]
fn a_member_is_named_as_its_id_is() {
    let home = tempfile::tempdir().unwrap();
    let archive = zip(&[
        ("a.txt", b"text"),
        ("b!.txt", b"text"),
        ("c/d.txt", b"text"),
    ]);
    write(home.path(), "x.zip", &archive);
    write(home.path(), "y!.zip", &archive);
    write(home.path(), "z!1.txt", b"text");
    let listed = |names: &[&str]| {
        let roots: Vec<PathBuf> = names.iter().map(|name| home.path().join(name)).collect();
        let roots: Vec<&Path> = roots.iter().map(PathBuf::as_path).collect();
        below(&roots).map(|listing| ids(&listing).join(" "))
    };
    let cases: [(&[&str], &str); 6] = [
        (&["x.zip!a.txt"], "x.zip!a.txt"),
        (&["x.zip!c/d.txt"], "x.zip!c/d.txt"),
        (&["x.zip!b!.txt", "x.zip!a.txt"], "x.zip!a.txt x.zip!b!.txt"),
        (&["y!.zip!a.txt", "x.zip!a.txt"], "x.zip!a.txt y!.zip!a.txt"),
        (&["z!1.txt", "x.zip!a.txt"], "x.zip!a.txt z!1.txt"),
        (&["y!.zip!b!.txt"], "y!.zip!b!.txt"),
    ];
    for (names, expected) in cases {
        assert_eq!(listed(names).unwrap(), expected, "{names:?}");
    }
    // A missing member is reported, and the others are still read.
    let root = |name: &str| home.path().join(name);
    let (here, gone) = (root("x.zip!a.txt"), root("x.zip!nothing.txt"));
    let listing = below(&[&here, &gone]).unwrap();
    assert_eq!(ids(&listing), ["x.zip!a.txt"]);
    let told = reasons(&listing).join(" ");
    assert!(
        told.starts_with("x.zip!nothing.txt: ")
            && told.contains("it is not in the archive, which holds "),
        "{told}"
    );
    assert!(listed(&["w.zip!a.txt"]).is_err());
}

#[test]
fn wrong_use_is_said_in_a_sentence() {
    let home = tempfile::tempdir().unwrap();
    let error = |result: Result<Listing>| format!("{:#}", result.unwrap_err());
    assert!(error(below(&[&home.path().join("nothing")])).contains("nothing' cannot be read"));
    assert!(error(below(&[home.path()])).starts_with("no books in '"));
    let request = ListingRequest {
        roots: vec![home.path().into()],
        include: vec!["[".into()],
        ..ListingRequest::default()
    };
    assert!(error(list(&request)).contains("'[' is not a valid glob"));
}

#[test]
fn a_list_of_paths_may_end_its_lines_either_way() {
    let home = tempfile::tempdir().unwrap();
    write(home.path(), "a.txt", b"text");
    write(home.path(), "b.txt", b"text");
    let paths = format!(
        "{0}/a.txt\r\n\n{0}/b.txt\n{0}/gone.txt",
        home.path().display()
    );
    write(home.path(), "list", paths.as_bytes());
    let request = ListingRequest {
        files_from: Some(home.path().join("list")),
        ..ListingRequest::default()
    };
    let listing = list(&request).unwrap();
    assert_eq!((listing.books.len(), listing.skipped.len()), (2, 1));
}

#[cfg(unix)]
#[test]
fn loops_of_links_end_and_unreadable_names_stay_apart() {
    use std::os::unix::ffi::OsStrExt;
    let home = tempfile::tempdir().unwrap();
    write(home.path(), "in/a.txt", b"text");
    std::os::unix::fs::symlink(home.path(), home.path().join("in/loop")).unwrap();
    fs::write(home.path().join(OsStr::from_bytes(b"caf\xE9.txt")), b"text").unwrap();
    assert_eq!(
        ids(&below(&[home.path()]).unwrap()),
        ["caf%E9.txt", "in/a.txt"]
    );
}

#[test]
fn the_demonstration_corpus_can_be_read() {
    let listing = list(&ListingRequest {
        demo: true,
        ..ListingRequest::default()
    })
    .unwrap();
    assert!(listing.books.len() >= 12 && listing.skipped.is_empty());
    for book in &listing.books {
        assert!(book.read(1 << 24).is_ok(), "{}", book.id);
    }
}

/// An archive of `members` with fields of its central directory overwritten: (member, offset in its entry, bytes).
fn forged(members: &[(&str, &[u8])], fields: &[(usize, usize, &[u8])]) -> Vec<u8> {
    let mut bytes = zip(members);
    let entries: Vec<usize> = memchr::memmem::find_iter(&bytes, b"PK\x01\x02").collect();
    for &(member, offset, field) in fields {
        let at = entries[member] + offset;
        bytes[at..at + field.len()].copy_from_slice(field);
    }
    bytes
}

fn reasons(listing: &Listing) -> Vec<String> {
    let told = listing.skipped.iter();
    told.map(|skipped| format!("{}: {}", skipped.id, skipped.reason))
        .collect()
}

#[test]
fn of_two_members_of_one_name_one_is_a_book_and_the_other_is_named() {
    let home = tempfile::tempdir().unwrap();
    let archive = forged(
        &[
            ("a.txt", b"first"),
            ("b.txt", b"second"),
            ("c.txt", b"third"),
        ],
        &[(1, 46, b"a.txt")],
    );
    // In a self-extracting archive a program comes first.
    for program in ["", "#!/bin/sh\nexit 0\n"] {
        let archive = [program.as_bytes(), &archive].concat();
        write(home.path(), "set.zip", &archive);
        let listing = below(&[home.path()]).unwrap();
        assert_eq!(ids(&listing), ["set.zip!a.txt", "set.zip!c.txt"]);
        let told = reasons(&listing);
        assert_eq!(told.len(), 1, "{told:?}");
        assert!(
            told[0].starts_with("set.zip!a.txt~2: ") && told[0].contains("rename"),
            "{told:?}"
        );
    }
}

#[test]
fn archives_that_outgrow_their_limits_are_refused_by_name() {
    let home = tempfile::tempdir().unwrap();
    let two: &[(&str, &[u8])] = &[("a.txt", b"one text"), ("b.txt", b"another")];
    // The largest count that the end record can hold; there may be more members.
    let mut many = zip(two);
    let end = many.len() - 22;
    many[end + 8..end + 12].fill(0xFF);
    let huge = 0x7FFF_FFFF_u32.to_le_bytes();
    let cases = [
        ("many.zip", many, "65534"),
        ("shared.zip", forged(two, &[(1, 42, &[0; 4])]), "share"),
        (
            "huge.zip",
            forged(two, &[(0, 24, &huge), (1, 24, &huge)]),
            "MiB",
        ),
    ];
    for (name, archive, _) in &cases {
        write(home.path(), name, archive);
    }
    let listing = below(&[home.path()]).unwrap();
    assert_eq!(ids(&listing), [""; 0]);
    for (name, _, why) in &cases {
        let told = reasons(&listing);
        let told: Vec<_> = told
            .iter()
            .filter(|told| told.starts_with(&format!("{name}: ")))
            .collect();
        assert!(told.len() == 1 && told[0].contains(why), "{name}: {told:?}");
    }
}

#[test]
fn a_member_that_is_longer_than_the_archive_says_is_refused() {
    let home = tempfile::tempdir().unwrap();
    let archive = forged(
        &[("a.txt", b"a text of a few words")],
        &[(0, 24, &[3, 0, 0, 0])],
    );
    write(home.path(), "a.zip", &archive);
    let listing = below(&[home.path()]).unwrap();
    let read = listing.books[0].read(1000);
    assert!(
        matches!(read, Err(crate::corpus::Unreadable::Broken(_))),
        "{read:?}"
    );
}

#[cfg(unix)]
#[test]
fn a_link_to_a_folder_above_the_corpus_lists_no_book_twice_and_hard_links_are_books() {
    use std::os::unix::fs::symlink;
    let home = tempfile::tempdir().unwrap();
    let corpus = home.path().join("shelf/corpus");
    write(&corpus, "a.txt", b"text");
    write(&corpus, "deep/b.txt", b"text");
    fs::hard_link(corpus.join("a.txt"), corpus.join("c.txt")).unwrap();
    symlink(home.path(), corpus.join("deep/up")).unwrap();
    symlink(&corpus, corpus.join("deep/here")).unwrap();
    let listing = below(&[&corpus]).unwrap();
    assert_eq!(ids(&listing), ["a.txt", "c.txt", "deep/b.txt"]);
}

/// Three links from each folder to the next: 3^20 paths to the last one.
#[cfg(unix)]
#[test]
fn links_to_folders_of_links_are_followed_once_each_and_the_others_are_named() {
    use std::os::unix::fs::symlink;
    let home = tempfile::tempdir().unwrap();
    for level in 0..20 {
        let folder = home.path().join(format!("{level:02}"));
        fs::create_dir(&folder).unwrap();
        for link in ["a", "b", "c"] {
            symlink(format!("../{:02}", level + 1), folder.join(link)).unwrap();
        }
    }
    write(home.path(), "20/x.txt", b"text");
    let listing = below(&[home.path()]).unwrap();
    let first = format!("00/{}x.txt", "a/".repeat(20));
    assert_eq!(ids(&listing), [first.as_str(), "20/x.txt"]);
    assert_eq!(listing.skipped.len(), 20 * 2 + 19 * 3);
    let reason = listing.skipped[0].reason.to_string();
    assert!(reason.contains("another link leads to"), "{reason}");
}

#[cfg(unix)]
#[test]
fn pipes_and_devices_named_outright_are_refused_and_nobody_waits_for_them() {
    use std::os::unix::fs::symlink;
    let home = tempfile::tempdir().unwrap();
    let at = |name: &str| home.path().join(name);
    for name in ["pipe.txt", "pipe.zip", "pipe.gz"] {
        let made = std::process::Command::new("mkfifo").arg(at(name)).status();
        assert!(made.unwrap().success());
    }
    symlink("/dev/zero", at("zero.txt")).unwrap();
    for name in ["pipe.txt", "pipe.zip", "pipe.gz", "zero.txt"] {
        let listing = below(&[&at(name)]).unwrap();
        let reason = match listing.books.first() {
            Some(book) => book.read(1000).unwrap_err(),
            None => listing.skipped[0].reason.clone(),
        };
        assert!(
            reason.to_string().contains("not a regular file"),
            "{name}: {reason}"
        );
    }
}
