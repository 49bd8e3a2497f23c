"""Corpora and truth folders against the program."""

import json
import shutil
import threading
from pathlib import Path

import pytest
from conftest import run, run_rows

import endpaper


def test_rows_of_detect_are_those_of_the_program(books: Path) -> None:
    assert list(endpaper.Corpus(books).detect()) == run_rows("detect", books, "--format", "jsonl")
    some = endpaper.Corpus([books], include=["*1*"], cache=False, threads=1)
    assert list(some.detect()) == run_rows("detect", books, "--format", "jsonl", "--include", "*1*")


def test_rows_of_strip_are_those_of_the_program(books: Path, tmp_path: Path) -> None:
    out = tmp_path / "shelf.jsonl"
    run("strip", books, "-o", out)
    rows = endpaper.Corpus(books).strip()
    assert list(rows) == [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    sure = endpaper.Corpus(books).strip(max_doubt=0.01)
    kept = list(sure)
    assert len(kept) < len(endpaper.Corpus(books)) == len(kept) + len(sure.skipped)
    assert "is over 0.01" in sure.skipped[0][1]


def test_records_are_those_of_the_export_and_go_before_detection(books: Path, tmp_path: Path) -> None:
    book = next(path for path in sorted(books.rglob("*.txt")))
    found = endpaper.detect(book)
    labels = tmp_path / "labels.tsv"
    name = book.relative_to(books).as_posix()
    labels.write_text(f"book\tbody_first\tbody_last\n{name}\t{found.first}\t{found.last}\n")
    truth = tmp_path / "truth"
    run("truth", "import", labels, books, "--truth", truth)
    records = list(endpaper.Truth(truth))
    assert records == run_rows("truth", "export", "--truth", truth, "--format", "jsonl") and len(records) == 1
    rows = {row["id"]: row["metadata"] for row in endpaper.Corpus(books, truth=truth).strip()}
    assert rows[name]["by"] == "truth"
    out = tmp_path / "shelf.jsonl"
    run("strip", books, "--truth", truth, "-o", out)
    assert rows == {row["id"]: row["metadata"] for row in map(json.loads, out.read_text("utf-8").splitlines())}


def test_what_is_wrong_is_an_exception_and_a_bad_book_is_skipped(books: Path, tmp_path: Path) -> None:
    for missing in (lambda: endpaper.Corpus(tmp_path / "none"), lambda: endpaper.Truth(tmp_path / "none")):
        with pytest.raises(endpaper.EndpaperError, match="none"):
            missing()
    with pytest.raises(endpaper.EndpaperError, match="no books in"):
        endpaper.Corpus(tmp_path)
    with pytest.raises(endpaper.EndpaperError, match="encoding"):
        endpaper.Corpus(books, encoding="no-such-encoding")
    mixed = tmp_path / "mixed"
    shutil.copytree(books, mixed)
    (mixed / "binary.txt").write_bytes(b"\x00\x01\x02\x03" * 1000)
    (mixed / "broken.epub").write_bytes(b"PK\x03\x04 no book")
    rows = endpaper.Corpus(mixed).detect()
    assert [book for book, _ in rows.skipped] == ["binary.txt", "broken.epub"]
    assert len(list(rows)) == len(endpaper.Corpus(books))


def test_the_lock_is_released(books: Path) -> None:
    seen = threading.Event()
    corpus = endpaper.Corpus(books, cache=False)
    rows: list[object] = []

    def detect() -> None:
        try:
            rows.extend(corpus.detect())
        finally:
            seen.set()

    done = threading.Thread(target=detect)
    done.start()
    turns = 0
    while not seen.wait(0.0005):
        turns += 1
    done.join()
    assert len(rows) == len(corpus)
    assert turns > 5
