//! `endpaper demo`: the books that ship, as files.

use std::fs;
use std::io::Read;

use crate::support::{Home, demo, stderr};

#[test]
fn the_books_that_ship_are_written_byte_for_byte() {
    let home = Home::new();
    let output = home.endpaper(&["demo", "new/shelf"]).output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(stderr(&output), "21 books written to 'new/shelf'\n");
    let shelf = home.work().join("new/shelf");
    let mut archive = zip::ZipArchive::new(fs::File::open(demo()).unwrap()).unwrap();
    assert_eq!(fs::read_dir(&shelf).unwrap().count(), archive.len());
    for index in 0..archive.len() {
        let mut member = archive.by_index(index).unwrap();
        let mut bytes = Vec::new();
        member.read_to_end(&mut bytes).unwrap();
        let name = member.name().unwrap().into_owned();
        assert!(fs::read(shelf.join(&name)).unwrap() == bytes, "{name}");
    }
}

#[test]
fn no_book_is_written_over_an_existing_file_without_force() {
    let home = Home::new();
    let mine = home.write("shelf/PETHL10.txt", "mine");
    let refused = home.endpaper(&["demo", "shelf"]).output().unwrap();
    assert_eq!(refused.status.code(), Some(2));
    assert!(stderr(&refused).contains("'shelf/PETHL10.txt' exists"));
    assert_eq!(fs::read_dir(home.work().join("shelf")).unwrap().count(), 1);
    assert_eq!(fs::read(&mine).unwrap(), b"mine");
    let forced = home.endpaper(&["demo", "shelf", "--force"]).output();
    assert_eq!(forced.unwrap().status.code(), Some(0));
    assert!(fs::read(&mine).unwrap().len() > 1000);
    home.write("file", "mine");
    let file = home
        .endpaper(&["demo", "file", "--force"])
        .output()
        .unwrap();
    assert_eq!(file.status.code(), Some(2));
    assert!(stderr(&file).contains("'file' is not a folder; name one"));
}

#[cfg(unix)]
#[test]
fn no_book_is_written_through_a_link() {
    let home = Home::new();
    let mine = home.write("mine.txt", "mine");
    fs::create_dir(home.work().join("shelf")).unwrap();
    std::os::unix::fs::symlink(&mine, home.work().join("shelf/PETHL10.txt")).unwrap();
    let refused = home
        .endpaper(&["demo", "shelf", "--force"])
        .output()
        .unwrap();
    assert_eq!(refused.status.code(), Some(2));
    assert!(stderr(&refused).contains("link"), "{}", stderr(&refused));
    assert_eq!(fs::read(&mine).unwrap(), b"mine");
    assert_eq!(fs::read_dir(home.work().join("shelf")).unwrap().count(), 1);
}
