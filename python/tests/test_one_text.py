"""One text: detect and strip_headers against the program."""

from pathlib import Path
from typing import Any

import pytest
from conftest import run, run_rows

import endpaper


def cuts(found: endpaper.Detection) -> dict[str, Any]:
    """What the rows of the program have too; numbers have five digits there."""
    lines = ("lines", "preamble_end", "epilogue_start", "reasons")
    same = (*lines, "start", "end", "start_byte", "end_byte", "profile", "encoding")
    return {
        "doubt": pytest.approx(found.doubt, rel=1e-4),
        "body_first": found.first,
        "body_last": found.last,
        **{name: getattr(found, name) for name in same},
    }


def test_bytes_paths_and_the_program_agree(books: Path) -> None:
    files = [path for path in sorted(books.rglob("*")) if path.is_file()]
    assert len(files) > 20
    for file in files:
        data = file.read_bytes()
        (row,) = run_rows("detect", "-", "--format", "jsonl", stdin=data)
        found = endpaper.detect(data)
        assert {name: row[name] for name in cuts(found)} == cuts(found), file
        (row,) = run_rows("detect", file, "--format", "jsonl")
        by_path = endpaper.detect(file)
        assert {name: row[name] for name in cuts(by_path)} == cuts(by_path), file
        assert by_path.body == found.body


def test_the_body_is_that_of_strip_and_offsets_point_at_it(books: Path) -> None:
    for file in (path for path in sorted(books.rglob("*")) if path.is_file()):
        data = file.read_bytes()
        found = endpaper.detect(data)
        body = run("strip", "-", "-o", "-", "--to-encoding", "utf-8", stdin=data)
        # strip keeps the blank lines between a cut and the body. Pipes of text change line ends.
        assert found.body.replace("\r", "").strip() == body.replace("\r", "").strip(), file
        assert endpaper.strip_headers(data) == data[found.start_byte : found.end_byte]
        if found.encoding == "utf-8":
            # Python keeps line ends and a byte order mark; the mark is no part of the decoded text.
            text = data.decode("utf-8-sig")
            assert text[found.start : found.end] == found.body
            of_text = endpaper.detect(text)
            assert (of_text.first, of_text.last, of_text.body) == (found.first, found.last, found.body)
            assert endpaper.strip_headers(text) == found.body


def test_offsets_of_a_str_are_its_own_with_a_mark_and_wide_characters() -> None:
    text = "\ufeff\n" + "\U0001f600 caf\u00e9 line of a book, and more of it.\r\n" * 40
    found = endpaper.detect(text)
    assert found.body and text[found.start : found.end] == found.body
    assert text.encode()[found.start_byte : found.end_byte] == found.body.encode()


def test_a_blank_text_stays_and_other_texts_that_are_none_are_refused(tmp_path: Path) -> None:
    assert endpaper.strip_headers("") == "" and endpaper.strip_headers(b" \n") == b" \n"
    with pytest.raises(endpaper.EndpaperError, match="'stdin' is not a text"):
        endpaper.detect(b"\x00\x01\x02\x03" * 1000)
    with pytest.raises(endpaper.EndpaperError, match="no-such-book"):
        endpaper.detect(tmp_path / "no-such-book.txt")
    for name in "ab":
        (tmp_path / f"{name}.txt").write_text("A line.\n")
    with pytest.raises(endpaper.EndpaperError, match="holds 2 books"):
        endpaper.detect(tmp_path)
    with pytest.raises(TypeError):
        endpaper.detect(3)  # type: ignore[arg-type]
