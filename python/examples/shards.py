"""Cleans a folder of e-books into shards with metadata, and reads them as trainers of language models do."""

import subprocess
import sys
from pathlib import Path

from datasets import load_dataset
from datatrove.pipeline.readers import JsonlReader

books, out = sys.argv[1], Path(sys.argv[2])
strip = ["endpaper", "strip", books, "--out", out / "shelf.jsonl.gz", "--shard-size", "256M"]
if subprocess.run(strip, stdout=subprocess.DEVNULL).returncode > 1:  # 1: a book could not be read, the others are there
    sys.exit("nothing was stripped")
shards = [str(path) for path in sorted(out.glob("shelf-*.jsonl.gz"))]
rows = load_dataset("json", data_files=shards, split="train", cache_dir=str(out / "cache"))
sure = rows.filter(lambda row: row["metadata"]["doubt"] <= 0.2)
print(f"datasets: {len(rows)} books in {len(shards)} files, {len(sure)} without much doubt")

documents = list(JsonlReader(str(out), glob_pattern="shelf-*.jsonl.gz")())
print(f"datatrove: {len(documents)} documents, the first by {documents[0].metadata['authors']}")
