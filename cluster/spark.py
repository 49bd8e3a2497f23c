#!/usr/bin/env python3
"""Counts the lines of a corpus, or detects the cuts of its books, on an Apache Spark cluster.

    spark-submit spark.py count  CORPUS --out DIR                  then: endpaper model import DIR/rows --out FILE.model
    spark-submit spark.py detect CORPUS --out DIR --model FILE --profile NAME     writes DIR/detected.tsv

What follows '--' are options of 'endpaper model count' or 'endpaper detect', such as: -- --separate-ends (paths in them are absolute)

The work is done by the program 'endpaper' on the executors: each task gives it the paths of one shard. Spark sums what
comes out by key. CORPUS and DIR must be the same folders on every machine (NFS, Lustre, a mounted bucket). README.md beside this
file tells what a cluster costs and when it is worth it.

A shard is finished when its receipt is in DIR/shards; a second run with the same arguments does only what is missing.
Exit status: 0 fine, 1 done but some books could not be read (each is named), 2 not done.
"""

import argparse
import gzip
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
import traceback

from pyspark import SparkFiles, TaskContext
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

# What endpaper takes for books below a folder by its name alone: texts and archives of texts.
BOOK = re.compile(r"(\.(txt|text|asc|zip)|^[^.]*\.gz|\.(txt|text|asc)\.gz)$", re.IGNORECASE)
# Options that every task has from here.
OURS = ("--out", "--files-from", "--format", "--model", "--threads", "--rows", "--no-cache", "--quiet", "-q", "--profile",
        "--encoding", "--no-opinions")
# What endpaper says where no book of a list can be read or is wanted: a shard without books, nothing worse.
NOTHING = re.compile(r"no book can be read: |no books in ")


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
        command.add_argument("--encoding", metavar="NAME", help="read all books in this encoding (recommended where one is known); without it "
                             "doubtful encodings are guessed (count: each file by its bytes; detect: by the books of the shard)")
        if name == "count":
            command.add_argument("--min-count", type=positive, default=1, metavar="N",
                                 help="leave out lines that occur fewer times in all; such rows make a model, no part")
        else:
            command.add_argument("--model", required=True, metavar="FILE", help="a model file on this machine, sent to all executors")
            command.add_argument("--profile", required=True, metavar="NAME|FILE", help="gutenberg, generic, or a profile on this machine, "
                                 "sent to all executors")
    words = sys.argv[1:]
    end = words.index("--") if "--" in words else len(words)
    args = parser.parse_args(words[:end])
    args.options = words[end + 1:]
    if (args.corpus is None) == (args.files_from is None):
        parser.error("give CORPUS, a folder, or --files-from LIST")
    if set(os.path.abspath(args.out)) & set("*?[]{}\\"):
        parser.error(f"'{args.out}' has a character that Spark reads as a pattern (one of * ? [ ] {{ }} \\); name another --out")
    if args.corpus and os.path.realpath(args.out).startswith(os.path.realpath(args.corpus).rstrip("/") + "/"):
        parser.error(f"'{args.out}' is below '{args.corpus}', and the next run would count its files as books; name another --out")
    if args.corpus and os.path.realpath(args.out) == os.path.realpath(args.corpus):
        parser.error(f"'{args.out}' is the corpus itself; name another --out")
    args.profile = getattr(args, "profile", None)
    if args.profile == "auto":
        parser.error("--profile auto would let each shard choose by its own books; name the profile that 'endpaper detect' chooses for all")
    names = {}
    for file in sent(args).values():
        if not os.path.isfile(file):
            parser.error(f"'{file}' is not a file on this machine")
        if names.setdefault(os.path.basename(file), file) != file:
            parser.error(f"'{file}' and '{names[os.path.basename(file)]}' have the same name, and executors would get one of them; rename one")
    for word in args.options:
        if word.split("=")[0] in OURS:
            parser.error(f"'{word}' is what this script gives each task itself; leave it out after --")
    return args


def sent(args):
    """The files of this machine that all executors get, by option. A profile that is no file is a name."""
    profile = None if args.profile in (None, "gutenberg", "generic") else args.profile
    files = {"--ship": args.ship, "--model": getattr(args, "model", None), "--profile": profile}
    return {option: file for option, file in files.items() if file}


def positive(text):
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return number


def list_paths(args):
    """The folder that paths start from, all paths in order, and what was left out, with the reasons."""
    if args.files_from:
        with open(args.files_from, "rb") as file:
            lines = {os.fsdecode(line.rstrip(b"\r")) for line in file.read().split(b"\n")}
        return os.getcwd(), sorted(filter(None, lines), key=os.fsencode), []
    if not os.path.isdir(args.corpus):
        refuse(f"'{args.corpus}' is not a folder")
    root, paths, left, others = os.path.abspath(args.corpus), [], [], []

    def look(folder, above):
        """The rules of endpaper: nothing hidden, nothing of ground truth; links are followed, but never round in a loop."""
        try:
            here = os.stat(folder)
            entries = list(os.scandir(folder))
        except OSError as error:
            left.append(f"skipped '{os.path.relpath(folder, root)}': {error.strerror}")
            return
        if (here.st_dev, here.st_ino) in above or any(entry.name == ".endpaper" for entry in entries):
            return
        for entry in entries:
            path = os.path.relpath(entry.path, root)
            if entry.name.startswith("."):
                continue
            if entry.is_dir():
                look(entry.path, above | {(here.st_dev, here.st_ino)})
            elif not BOOK.search(entry.name):
                others.append(path)
            elif "\n" in path or path.endswith("\r"):
                left.append(f"skipped '{path}': a list of paths cannot have a line end in a name; rename it")
            else:
                paths.append(path)

    look(root, frozenset())
    if others:
        tell(f"{len(others)} other files were left out, '{min(others)}' among them; --files-from names what should count all the same")
    return root, sorted(paths, key=os.fsencode), left


class Job:
    """What every task needs to know; it travels to the executors."""

    def __init__(self, args, folder):
        self.folder, self.out = folder, os.path.abspath(args.out)
        self.shards = os.path.join(self.out, "shards")
        self.target = os.path.join(self.out, "rows" if args.command == "count" else "detected.tsv")
        self.binary, self.shipped = args.binary, args.ship and os.path.basename(args.ship)
        self.counts = args.command == "count"
        self.words = ["model", "count", "--rows"] if self.counts else ["detect", "--format", "tsv"]
        if not self.counts:
            # Second opinions compare books, and those of a shard are not all that there are.
            self.words.append("--no-opinions")
        if args.encoding:
            self.words += ["--encoding", args.encoding]
        self.words += args.options
        # Options whose files every executor has a copy of.
        self.files, model = {}, b""
        for option, file in (("--model", getattr(args, "model", None)), ("--profile", args.profile)):
            if option in sent(args):
                self.files[option] = os.path.basename(file)
                with open(file, "rb") as read:
                    model += hashlib.sha256(read.read()).digest()
            elif file:
                self.words += [option, file]
        # Whatever decides a result: options, the files that they name, model and profile. Paths, sizes and times of books come with each shard.
        self.same = hashlib.sha256(json.dumps([folder, self.words]).encode() + model)
        for word in args.options:
            file = os.path.join(folder, word.split("=", 1)[-1])
            if os.path.isfile(file):
                with open(file, "rb") as named:
                    self.same.update(named.read())
        self.same = self.same.hexdigest()
        self.attempts = 1

    def split(self, paths, size):
        """Shards: number, name and paths. The name changes with whatever decides the result."""
        for number, start in enumerate(range(0, len(paths), size)):
            some = paths[start:start + size]
            digest = hashlib.sha256(self.same.encode())
            for path in some:
                digest.update(f"{os.fsencode(path)}{self.stamp(path)}\n".encode())
            yield number, f"{self.words[0]}-{number:06}-{digest.hexdigest()[:12]}", some

    def stamp(self, path):
        """Size and time of a file, so that one that changed is looked at anew. One that is not there is named by endpaper."""
        try:
            found = os.stat(os.path.join(self.folder, path))
            return found.st_size, found.st_mtime_ns
        except OSError:
            return None

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
        try:
            binary, version = self.program()
            done = self.receipt(name)
            if done and done["version"] == version:
                return dict(done, again=True)
            return self.finish(number, name, paths, binary, version)
        except (OSError, RuntimeError) as error:
            if TaskContext.get().attemptNumber() + 1 < self.attempts:
                raise
            return {"shard": number, "host": socket.gethostname(), "failed": str(error)}

    def program(self):
        """Where the program is, and its version: what it says and its size, for two builds may say the same."""
        binary = self.binary
        if self.shipped:
            binary = SparkFiles.get(self.shipped)
            os.chmod(binary, 0o755)
        found = shutil.which(binary)
        if not found:
            raise RuntimeError(f"there is no program '{self.binary}' that can be run; install endpaper there, name it with --binary, or "
                               "send it with --ship")
        asked = subprocess.run([found, "--version"], capture_output=True, text=True)
        if asked.returncode:
            raise RuntimeError(f"'{found} --version' ended with {asked.returncode}: {asked.stderr.strip()}")
        return found, f"{asked.stdout.strip()} ({os.path.getsize(found)} bytes)"

    def finish(self, number, name, paths, binary, version):
        start = time.monotonic()
        if not os.path.isdir(self.folder) or not os.path.isdir(self.shards):
            raise RuntimeError(f"'{self.folder}' and '{self.shards}' are not both there; the folders must be shared by all machines")
        words = [binary, *self.words, "--files-from", "-", "--no-cache", "--quiet", "--threads", str(TaskContext.get().cpus())]
        for option, file in self.files.items():
            words += [option, SparkFiles.get(file)]
        # A task that is lost goes on for a while beside the one that replaces it: each has files of its own, and whoever comes last
        # replaces equal bytes.
        with tempfile.TemporaryDirectory(prefix=f".{name}-", dir=self.shards) as folder:
            made = os.path.join(folder, "made")
            # Only what the script is told decides, not the settings of whoever owns an executor.
            env = dict(os.environ, XDG_CONFIG_HOME=folder, ENDPAPER_CONFIG_DIR=folder)
            with open(made, "wb") as out:
                ran = subprocess.run(words, input=b"\n".join(map(os.fsencode, paths)), stdout=out, stderr=subprocess.PIPE, cwd=self.folder,
                                     env=env)
            told = ran.stderr.decode("utf-8", "replace").strip()
            nothing = ran.returncode == 2 and NOTHING.search(told)
            if ran.returncode not in (0, 1) and not nothing:
                raise RuntimeError(f"'{' '.join(words)}' ended with {ran.returncode}: {told[-2000:]}")
            if nothing:
                with open(made, "wb") as out:
                    out.write(gzip.compress(b"", mtime=0) if self.counts else b"")
            elif not os.path.getsize(made):
                raise RuntimeError(f"'{' '.join(words)}' wrote nothing")
            skipped = [] if ran.returncode == 0 or "no books in " in told else told.splitlines()
            receipt = {"shard": number, "host": socket.gethostname(), "version": version,
                       "seconds": round(time.monotonic() - start, 3), "skipped": skipped}
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
        lines = str(error).splitlines()
        tell(next((line for line in lines if "Job aborted" in line or "SparkException" in line), lines[0]))
        lost = {"failed": "not begun, or not finished when Spark gave up", "host": "an executor"}
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
    ours = tuple(f".{name}-" for _, name, _ in shards)
    for name in filter(lambda name: name.startswith(ours), os.listdir(job.shards)):
        # Of a task that was lost. Its shard is finished, so nobody needs it.
        shutil.rmtree(os.path.join(job.shards, name), ignore_errors=True)
    tell(f"{len(shards)} shards, {again} of them finished before; the others in {time.monotonic() - start:.1f} s, {busy:.1f} s of work")
    return receipts


def clear(job):
    """Removes the result of an earlier run, so that what is there in the end is of this one."""
    if not job.counts:
        if os.path.exists(job.target):
            os.remove(job.target)
    elif os.path.isdir(job.target):
        others = [name for name in os.listdir(job.target) if not re.match(r"_SUCCESS|part-|\.|_temporary", name)]
        if others:
            refuse(f"'{job.target}' holds '{others[0]}', which is not of an earlier run; move it away or name another --out")
        shutil.rmtree(job.target)
    elif os.path.exists(job.target):
        refuse(f"'{job.target}' is not a folder; move it away or name another --out")


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
    lines.select(text.alias("value")).union(others).write.option("compression", "gzip").text("file://" + job.target, lineSep="\n")
    tell(f"'{job.target}' has the rows; 'endpaper model import {job.target} --out FILE' makes a model of them"
         + ("" if min_count > 1 else " (a part, with --part)"))


def gather(job, shards):
    """One tsv of all shards, in the order of ids, as one machine writes it."""
    headers, starts = set(), []
    for _, name, _ in shards:
        with open(job.result(name), "rb") as file:
            # A shard of which no book could be read has not even a header.
            headers.update(filter(None, [file.readline()]))
            starts.extend((book(line), name) for line in [file.readline()] if line)
    if len(headers) > 1:
        refuse(f"the results in '{job.shards}' have different columns; empty it and run again")
    if not starts:
        refuse("no book can be read")
    with tempfile.TemporaryDirectory(dir=job.out, prefix=".detected-") as folder:
        made = os.path.join(folder, "made")
        with open(made, "wb") as out:
            out.writelines(headers)
            out.writelines(in_order(job, sorted(starts)))
        os.replace(made, job.target)
    tell(f"'{job.target}' has the cuts")


def in_order(job, starts):
    """The lines of results, of each the first book and the name. Shards are runs of the sorted list of paths, so their books hardly
    interleave, and few files are open at once."""
    heads, place, last = [], 0, None
    while heads or place < len(starts):
        while place < len(starts) and (not heads or starts[place][0] <= heads[0][0]):
            lines = iter(open(job.result(starts[place][1]), "rb"))
            next(lines)
            line = next(lines)
            heapq.heappush(heads, (book(line), place, line, lines))
            place += 1
        first, number, line, lines = heads[0]
        if first == last:
            refuse(f"two paths have the id '{first.decode(errors='replace')}'; name them so that their ids differ")
        last = first
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
    folder, paths, left = list_paths(args)
    if not paths:
        refuse("there is no book to look at")
    job = Job(args, folder)
    clear(job)
    shards = list(job.split(paths, args.shard_size))
    spark = SparkSession.builder.appName(f"endpaper {args.command}").getOrCreate()
    try:
        for file in sent(args).values():
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
    skipped = left + [line for receipt in receipts for line in receipt["skipped"]]
    for line in skipped:
        tell(line)
    return 1 if skipped else 0


def main():
    try:
        status = work(arguments())
    except Refused:
        status = 2
    except Exception as error:
        traceback.print_exc()
        tell(f"not done: {(str(error).splitlines() or [type(error).__name__])[0]}")
        status = 2
    # Spark may have left a line without an end.
    print(file=sys.stderr)
    for text in TOLD:
        # Names of files are anyone's; a terminal must not obey them.
        print("spark.py: " + "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text), file=sys.stderr, flush=True)
    sys.exit(status)


if __name__ == "__main__":
    main()
