//! Every target over its corpus: what was ever found stays mended. Needs no libFuzzer.

use std::path::{Path, PathBuf};

use endpaper_fuzz::{TARGETS, program};

/// The folder of this package.
fn package() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}

/// The files of a folder, in order.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries =
        std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry").path())
        .collect();
    files.sort();
    files
}

#[test]
fn every_target_passes_its_corpus() {
    for (name, target) in TARGETS {
        if *name == "terminal_output" && program().is_none() {
            let why = "terminal_output needs the program: cargo build, or ENDPAPER_PROGRAM";
            assert!(
                std::env::var("ENDPAPER_REQUIRE").as_deref() != Ok("all"),
                "{why}"
            );
            println!("left out: {why}");
            continue;
        }
        let corpus = files(&package().join("corpus").join(name));
        assert!(!corpus.is_empty(), "{name} has no corpus");
        for file in corpus {
            println!("{}", file.display());
            target(&std::fs::read(&file).expect("a file of the corpus"));
        }
        target(&[]);
    }
}

#[test]
fn every_target_has_a_program_and_a_corpus() {
    let name = |path: &PathBuf| {
        path.file_stem()
            .expect("a name")
            .to_string_lossy()
            .into_owned()
    };
    let mut targets: Vec<String> = TARGETS.iter().map(|(name, _)| (*name).to_owned()).collect();
    targets.sort();
    let programs: Vec<String> = files(&package().join("fuzz_targets"))
        .iter()
        .map(name)
        .collect();
    assert_eq!(programs, targets);
    let corpora: Vec<String> = files(&package().join("corpus")).iter().map(name).collect();
    assert_eq!(corpora, targets);
}
