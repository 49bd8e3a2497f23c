#!/usr/bin/env python3
"""Counts the lines of a corpus, or detects the cuts of its books, on an Apache Spark cluster.

    spark-submit spark.py count  CORPUS --out DIR                  then: endpaper model import DIR/rows --out FILE.part
    spark-submit spark.py detect CORPUS --out DIR --model FILE     writes DIR/detected.tsv

What follows '--' are options of 'endpaper model count' or 'endpaper detect', such as: -- --separate-ends

The work is done by the program 'endpaper' on the executors: each task gives it the paths of one shard. Spark sums what
comes out by key. CORPUS and DIR must be the same folders on every machine (NFS, Lustre, a mounted bucket). README.md beside this
file tells what a cluster costs and when it is worth it.

A shard is finished when its receipt is in DIR/shards; a second run with the same arguments does only what is missing.
Exit status: 0 fine, 1 done but some books could not be read (each is named), 2 not done.
"""

import argparse
import hashlib
import heapq
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time

from pyspark import SparkFiles, TaskContext
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

# What endpaper takes for books below a folder by its name alone. Texts without an extension go into a list (--files-from).
SUFFIXES = (".txt", ".text", ".asc", ".zip", ".gz")


def arguments():
    parser = argparse.ArgumentParser(prog="spark.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    for name, what in (("count", "count lines into rows"), ("detect", "print where books begin and end")):
        command = commands.add_parser(name, help=what)
        command.add_argument("corpus", nargs="?", metavar="CORPUS", help="a folder; ids are paths below it")
        command.add_argument("--files-from", metavar="LIST", help="paths of texts and archives, one a line, instead of CORPUS")
        command.add_argument("--out", required=True, metavar="DIR", help="a folder for shards and results, shared by all machines")
        command.add_argument("--shard-size", type=positive, default=1000, metavar="N", help="paths of a shard (default 1000)")
        command.add_argument("--binary", default="endpaper", metavar="PATH", help="the program on the executors (default: endpaper)")
        command.add_argument("--ship", metavar="PATH", help="a program on this machine to send to all executors instead")
        if name == "count":
            command.add_argument("--min-count", type=positive, default=1, metavar="N",
                                 help="leave out lines that occur fewer times in all; such rows make a model, no part")
        else:
            command.add_argument("--model", required=True, metavar="FILE", help="a model file on this machine, sent to all executors")
    words = sys.argv[1:]
    end = words.index("--") if "--" in words else len(words)
    args = parser.parse_args(words[:end])
    args.options = words[end + 1:]
    if (args.corpus is None) == (args.files_from is None):
        parser.error("give CORPUS, a folder, or --files-from LIST")
    if set(os.path.abspath(args.out)) & set("*?[]{}\\"):
        parser.error(f"'{args.out}' has a character that Spark reads as a pattern (one of * ? [ ] {{ }} \\); name another --out")
    return args


def positive(text):
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return number


def list_paths(args):
    """The folder that paths start from, and all paths, in order."""
    if args.files_from:
        with open(args.files_from, "rb") as file:
            lines = [os.fsdecode(line.rstrip(b"\r")) for line in file.read().split(b"\n")]
        return os.getcwd(), sorted(filter(None, lines), key=os.fsencode)
    if not os.path.isdir(args.corpus):
        refuse(f"'{args.corpus}' is no folder")
    root, paths = os.path.abspath(args.corpus), []
    for folder, folders, files in os.walk(root, followlinks=True):
        # The rules of endpaper: nothing hidden, nothing of ground truth.
        if ".endpaper" in folders:
            folders.clear()
            continue
        folders[:] = [name for name in folders if not name.startswith(".")]
        books = (name for name in files if not name.startswith(".") and name.lower().endswith(SUFFIXES))
        paths.extend(os.path.relpath(os.path.join(folder, name), root) for name in books)
    return root, sorted(paths, key=os.fsencode)


class Job:
    """What every task needs to know; it travels to the executors."""

    def __init__(self, args, folder):
        self.folder, self.out = folder, os.path.abspath(args.out)
        self.shards = os.path.join(self.out, "shards")
        self.binary, self.shipped = args.binary, args.ship and os.path.basename(args.ship)
        self.counts = args.command == "count"
        self.words = ["model", "count", "--rows"] if self.counts else ["detect", "--format", "tsv"]
        self.words += args.options
        self.model, model = None, b""
        if not self.counts:
            self.model = os.path.basename(args.model)
            with open(args.model, "rb") as file:
                model = file.read()
        self.same = hashlib.sha256(json.dumps([folder, self.words]).encode() + model).hexdigest()
        self.attempts = 1

    def split(self, paths, size):
        """Shards: number, name and paths. The name changes with whatever decides the result."""
        for number, start in enumerate(range(0, len(paths), size)):
            some = paths[start:start + size]
            digest = hashlib.sha256(self.same.encode() + b"\n".join(map(os.fsencode, some))).hexdigest()
            yield number, f"{self.words[0]}-{number:06}-{digest[:12]}", some

    def result(self, name):
        return os.path.join(self.shards, name + (".tsv.gz" if self.counts else ".tsv"))

    def receipt(self, name):
        """The receipt of a finished shard, or None."""
        try:
            with open(os.path.join(self.shards, name + ".json"), encoding="utf-8") as file:
                return json.load(file) if os.path.exists(self.result(name)) else None
        except (OSError, ValueError):
            return None

    def run(self, shard):
        """One task. A failure is raised, so that Spark tries again, and told the last time, so that others go on."""
        number, name, paths = shard
        done = self.receipt(name)
        if done:
            return dict(done, again=True)
        try:
            return self.finish(number, name, paths)
        except (OSError, subprocess.SubprocessError, RuntimeError) as error:
            if TaskContext.get().attemptNumber() + 1 < self.attempts:
                raise
            return {"shard": number, "host": socket.gethostname(), "failed": str(error)}

    def finish(self, number, name, paths):
        start = time.monotonic()
        binary = self.binary
        if self.shipped:
            binary = SparkFiles.get(self.shipped)
            os.chmod(binary, 0o755)
        if not shutil.which(binary):
            raise RuntimeError(f"there is no program '{self.binary}' that can be run; install endpaper there, name it with --binary, or "
                               "send it with --ship")
        if not os.path.isdir(self.folder) or not os.path.isdir(self.shards):
            raise RuntimeError(f"'{self.folder}' and '{self.shards}' are not both there; the folders must be shared by all machines")
        asked = subprocess.run([binary, "--version"], capture_output=True, text=True, check=True)
        cores = str(TaskContext.get().cpus())
        words = [binary, *self.words, "--files-from", "-", "--no-cache", "--quiet", "--threads", cores]
        if self.model:
            words += ["--model", SparkFiles.get(self.model)]
        # A task that is lost goes on for a while beside the one that replaces it: each has files of its own, and whoever comes last
        # replaces equal bytes.
        with tempfile.TemporaryDirectory(prefix=f".{name}-", dir=self.shards) as folder:
            made = os.path.join(folder, "made")
            with open(made, "wb") as out:
                ran = subprocess.run(words, input=b"\n".join(map(os.fsencode, paths)), stdout=out, stderr=subprocess.PIPE, cwd=self.folder)
            told = ran.stderr.decode("utf-8", "replace").strip()
            if ran.returncode not in (0, 1):
                raise RuntimeError(f"'{' '.join(words)}' ended with {ran.returncode}: {told[-2000:]}")
            receipt = {"shard": number, "host": socket.gethostname(), "version": asked.stdout.strip(),
                       "seconds": round(time.monotonic() - start, 3), "skipped": told.splitlines() if ran.returncode == 1 else []}
            written = os.path.join(folder, "receipt")
            with open(written, "w", encoding="utf-8") as file:
                json.dump(receipt, file)
            os.replace(made, self.result(name))
            os.replace(written, os.path.join(self.shards, name + ".json"))
        return receipt


def run_shards(spark, job, shards):
    """Runs all shards; their receipts, when every one is finished by the same version of the program."""
    context = spark.sparkContext
    job.attempts = int(context.getConf().get("spark.task.maxFailures", "4"))
    if context.master.startswith("local") and not context.master.startswith("local-cluster"):
        job.attempts = 1
    os.makedirs(job.shards, exist_ok=True)
    start = time.monotonic()
    try:
        receipts = context.parallelize(shards, len(shards)).map(job.run).collect()
    except Exception as error:  # Spark gave up: what was finished is finished.
        lost = {"failed": f"not finished: {str(error).splitlines()[0]}", "host": "an executor"}
        receipts = [job.receipt(name) or lost for _, name, _ in shards]
    failed = [(shard, receipt) for shard, receipt in zip(shards, receipts) if "failed" in receipt]
    for (number, _, paths), receipt in failed[:20]:
        tell(f"shard {number} ('{paths[0]}' to '{paths[-1]}', {len(paths)} paths) failed on {receipt['host']}: {receipt['failed']}")
    if failed:
        refuse(f"{len(failed)} of {len(shards)} shards failed{', the first 20 are named' if len(failed) > 20 else ''}, and the others are "
               "kept; mend what is named and run the same again")
    versions = {}
    for receipt in receipts:
        versions.setdefault(receipt["version"], []).append(receipt)
    if len(versions) > 1:
        for version, those in sorted(versions.items()):
            hosts, numbers = sorted({receipt["host"] for receipt in those}), [receipt["shard"] for receipt in those]
            tell(f"{version} did {len(those)} shards ({', '.join(map(str, numbers[:8]))}...) on {', '.join(hosts[:8])}")
        refuse(f"two versions of the program cannot be summed; install one everywhere, empty '{job.shards}' and run again")
    again = sum("again" in receipt for receipt in receipts)
    busy = sum(receipt["seconds"] for receipt in receipts if "again" not in receipt)
    for name in os.listdir(job.shards):
        if name.startswith("."):
            # Of a task that was lost. Its shard is finished, so nobody needs it.
            shutil.rmtree(os.path.join(job.shards, name), ignore_errors=True)
    tell(f"{len(shards)} shards, {again} of them finished before; the others in {time.monotonic() - start:.1f} s, {busy:.1f} s of work")
    return receipts


def sum_rows(spark, job, shards, min_count):
    """Sums the rows of all shards by key and writes them to DIR/rows. Everything else in them is handed on as it is."""
    files = [job.result(name) for _, name, _ in shards]
    columns = F.split(F.col("value"), "\t", 6)
    rows = spark.read.text(["file://" + file for file in files], lineSep="\n")
    rows = rows.select("value", *(columns[place].alias(name) for place, name in enumerate(("kind", "end", "key", "count", "books", "text"))))
    number = {name: F.col(name).cast("bigint") for name in ("key", "count", "books")}
    lines = rows.where(F.col("kind") == "exact").groupBy("kind", "end", number["key"].alias("key")).agg(
        F.sum(number["count"]).alias("count"), F.sum(number["books"]).alias("books"),
        F.coalesce(F.min(F.when(F.col("text") != "", F.col("text"))), F.lit("")).alias("text"))
    if min_count > 1:
        # Rare lines become one row that says how many occurrences they had, so that whoever imports can check the sum.
        rare = F.col("count") < min_count
        lines = lines.select(F.when(rare, "pruned").otherwise(F.col("kind")).alias("kind"), "end",
                             F.when(rare, F.lit(min_count)).otherwise(F.col("key")).alias("key"), "count", "books",
                             F.when(rare, "").otherwise(F.col("text")).alias("text"))
        lines = lines.groupBy("kind", "end", "key").agg(F.sum("count").alias("count"), F.sum("books").alias("books"), F.min("text").alias("text"))
    lines = lines.sortWithinPartitions("kind", "end", "key")
    text = F.concat_ws("\t", *(F.col(name).cast("string") for name in ("kind", "end", "key", "count", "books", "text")))
    others = rows.where(F.col("kind") != "exact").select("value")
    target = os.path.join(job.out, "rows")
    lines.select(text.alias("value")).union(others).write.mode("overwrite").option("compression", "gzip").text("file://" + target, lineSep="\n")
    tell(f"'{target}' has the rows; 'endpaper model import {target} --out FILE' makes a part of them"
         + (" (a model, with --model)" if min_count > 1 else ""))


def gather(job, shards):
    """One tsv of all shards, in the order of ids, as one machine writes it."""
    target = os.path.join(job.out, "detected.tsv")
    headers, starts = set(), []
    for _, name, _ in shards:
        with open(job.result(name), "rb") as file:
            headers.add(file.readline())
            starts.extend((book(line), name) for line in [file.readline()] if line)
    if len(headers) > 1:
        refuse(f"the results in '{job.shards}' have different columns; empty it and run again")
    with tempfile.NamedTemporaryFile(dir=job.out, prefix=".detected-", delete=False) as out:
        out.writelines(headers)
        out.writelines(in_order(job, sorted(starts)))
    os.chmod(out.name, 0o644)
    os.replace(out.name, target)
    tell(f"'{target}' has the cuts")


def in_order(job, starts):
    """The lines of results, of each the first book and the name. Shards are runs of the sorted list of paths, so their books hardly
    interleave, and few files are open at once."""
    heads, place = [], 0
    while heads or place < len(starts):
        while place < len(starts) and (not heads or starts[place][0] <= heads[0][0]):
            lines = iter(open(job.result(starts[place][1]), "rb"))
            next(lines)
            line = next(lines)
            heapq.heappush(heads, (book(line), place, line, lines))
            place += 1
        _, number, line, lines = heads[0]
        yield line
        line = next(lines, None)
        if line is None:
            heapq.heappop(heads)
        else:
            heapq.heapreplace(heads, (book(line), number, line, lines))


def book(line):
    """The id at the beginning of a line of detect's tsv, as bytes."""
    plain = {b"t": b"\t", b"n": b"\n", b"\\": b"\\"}
    return re.sub(rb"\\([tn\\])", lambda escape: plain[escape[1]], line.split(b"\t", 1)[0])


# What is said to whoever waits, below everything that Spark logs.
TOLD = []


class Refused(Exception):
    """There is nothing to go on with; what was told says why."""


def tell(text):
    TOLD.append(text)


def refuse(text):
    tell(text)
    raise Refused


def work(args):
    """Does what was asked for; the exit status."""
    folder, paths = list_paths(args)
    if not paths:
        refuse("there is no book to look at")
    job = Job(args, folder)
    shards = list(job.split(paths, args.shard_size))
    spark = SparkSession.builder.appName(f"endpaper {args.command}").getOrCreate()
    try:
        for file in filter(None, (args.ship, getattr(args, "model", None))):
            spark.sparkContext.addFile(file)
        receipts = run_shards(spark, job, shards)
        start = time.monotonic()
        if job.counts:
            sum_rows(spark, job, shards, args.min_count)
        else:
            gather(job, shards)
        tell(f"put together in {time.monotonic() - start:.1f} s")
    finally:
        spark.stop()
    skipped = [line for receipt in receipts for line in receipt["skipped"]]
    for line in skipped:
        tell(line)
    return 1 if skipped else 0


def main():
    try:
        status = work(arguments())
    except Refused:
        status = 2
    except OSError as error:
        tell(str(error))
        status = 2
    # Spark may have left a line without an end.
    print(file=sys.stderr)
    for text in TOLD:
        print(f"spark.py: {text}", file=sys.stderr, flush=True)
    sys.exit(status)


if __name__ == "__main__":
    main()
