"""Which books of a folder deserve a look, with pandas: `python doubt.py FOLDER`."""

import sys

import pandas as pd

import endpaper

rows = endpaper.Corpus(sys.argv[1]).detect()
books = pd.DataFrame(rows, columns=["book", "lines", "preamble_end", "epilogue_start", "doubt", "reasons"])
print(books.sort_values("doubt", ascending=False).head(20).to_string(index=False))
for book, reason in rows.skipped:
    print(f"skipped {book}: {reason}", file=sys.stderr)
