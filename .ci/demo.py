#!/usr/bin/env python3
"""Write the demonstration corpus: the members named in a list, taken from a folder of zip files, in one archive.

usage: demo.py [--check] BOOKS-FOLDER LIST ARCHIVE

A line of LIST is `archive.zip!member`, and may go on after a tab; `#` starts a comment line. Members keep their
bytes and names, are sorted by name, deflated at level 9 and dated 1980-01-01, so that the same input gives the same
archive byte for byte (with the same version of zlib). `--check` writes nothing: it compares ARCHIVE with what would be written.
"""
import io
import sys
import zipfile
from pathlib import Path

LIMIT = 2_000_000


def wanted(path):
    """The (archive, member) pairs of a list, sorted by member name."""
    pairs = []
    for line in Path(path).read_text(encoding="utf-8").splitlines():
        entry = line.split("\t")[0].strip()
        if entry and not entry.startswith("#"):
            pairs.append(tuple(entry.split("!", 1)))
    return sorted(pairs, key=lambda pair: pair[1])


def pack(books, pairs):
    """The bytes of the archive."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as out:
        for archive, member in pairs:
            with zipfile.ZipFile(books / archive) as source:
                data = source.read(member)
            info = zipfile.ZipInfo(member, (1980, 1, 1, 0, 0, 0))
            info.create_system = 3
            info.external_attr = 0o100644 << 16
            out.writestr(info, data, zipfile.ZIP_DEFLATED, 9)
    return buffer.getvalue()


def main(arguments):
    check = "--check" in arguments
    books, members, archive = (Path(a) for a in arguments if a != "--check")
    data = pack(books, wanted(members))
    if len(data) > LIMIT:
        sys.exit(f"{archive}: {len(data)} bytes, more than {LIMIT}")
    if check:
        sys.exit(0 if archive.read_bytes() == data else f"{archive} differs from what {members} gives")
    archive.write_bytes(data)
    print(f"{archive}: {len(data)} bytes")


if __name__ == "__main__":
    main(sys.argv[1:])
