"""A datatrove pipeline over the bodies of a folder: `python pipeline.py FOLDER OUT`."""

import sys
from collections.abc import Iterator

from datatrove.data import Document
from datatrove.executor import LocalPipelineExecutor
from datatrove.pipeline.writers import JsonlWriter

import endpaper


def bodies(_: object, rank: int = 0, world_size: int = 1) -> Iterator[Document]:
    """The bodies of the corpus, the first step of the pipeline. One task reads them all, on all threads."""
    if rank == 0:
        for row in endpaper.Corpus(sys.argv[1]).strip(max_doubt=0.2):
            yield Document(**row)


if __name__ == "__main__":
    LocalPipelineExecutor(pipeline=[bodies, JsonlWriter(sys.argv[2])]).run()
