"""Reads what `truth export` wrote with the tools' own readers, and compares all spans with those that are expected.

Arguments: a reader, what to read, and a file with the expected spans: for each book a list of label, start, end (code points)
and SHA-256 of the text between them. Exits with 77 if the reader is not installed. Prints the number of books.
"""

import hashlib
import json
import sys
from pathlib import Path

CONFIGURATION = """<View><Labels name="part" toName="text"><Label value="preamble"/><Label value="body"/>
<Label value="epilogue"/><Label value="inside"/></Labels><Text name="text" value="$text"/></View>"""


def lines(path):
    with open(path, encoding="utf-8", newline="\n") as file:
        return [json.loads(line) for line in file]


def prodigy(path):
    for task in lines(path):
        yield task["meta"]["book"], task["text"], [(s["label"], s["start"], s["end"]) for s in task["spans"]]


def tasks(path):
    with open(path, encoding="utf-8", newline="\n") as file:
        return json.load(file)


def label_studio(path):
    for task in tasks(path):
        for annotation in task["annotations"] or [{"result": []}]:
            spans = [(r["value"]["labels"][0], r["value"]["start"], r["value"]["end"]) for r in annotation["result"]]
            yield task["data"]["book"], task["data"]["text"], spans


def label_studio_sdk(path):
    from label_studio_sdk.label_interface import LabelInterface

    interface = LabelInterface(CONFIGURATION)
    interface.validate()
    for task in tasks(path):
        # Of a task with annotations it cannot check these itself (2.1.2).
        assert interface.validate_task({"data": task["data"]}), task["data"]["book"]
        for annotation in task["annotations"]:
            assert interface.validate_annotation(annotation), task["data"]["book"]
    yield from label_studio(path)


def doccano(path):
    for example in lines(path):
        yield example["book"], example["text"], [(label, start, end) for start, end, label in example["label"]]


def brat(path):
    from bratly.io import read_and_load_ann_file

    for file in sorted(Path(path).rglob("*.ann")):
        text = file.with_suffix(".txt").read_text(encoding="utf-8")
        read = read_and_load_ann_file(str(file), renumerotize=False, sorting=False)
        spans, record = [], None
        for entity in read.annotations:
            if hasattr(entity, "fragments"):
                assert entity.content == " ".join(text[f.start : f.end] for f in entity.fragments), file
                if entity.label in ("preamble", "body", "epilogue", "inside"):
                    spans.append((entity.label, entity.fragments[0].start, entity.fragments[-1].end))
        for line in file.read_text(encoding="utf-8").split("\n"):
            if line.startswith("#1\tAnnotatorNotes"):
                record = json.loads(line.split("\t", 2)[2])
        yield record["book"], text, spans


def inception(path):
    import cassis

    with open(Path(path) / "TypeSystem.xml", "rb") as file:
        types = cassis.load_typesystem(file)
    for file in sorted(Path(path).rglob("*.xmi")):
        with open(file, "rb") as opened:
            cas = cassis.load_cas_from_xmi(opened, typesystem=types, trusted=True)
        parts = cas.select("webanno.custom.BookPart")
        (truth,) = cas.select("endpaper.GroundTruth")
        assert truth.get_covered_text() == cas.sofa_string, file
        yield json.loads(truth.record)["book"], cas.sofa_string, [(p.part, p.begin, p.end) for p in parts]


def tei(path):
    from lxml import etree

    space = "{http://www.tei-c.org/ns/1.0}"
    for file in sorted(Path(path).rglob("*.xml")):
        root = etree.parse(str(file), etree.XMLParser(huge_tree=True)).getroot()
        assert [child.tag for child in root] == [space + "teiHeader", space + "text"], file
        book = root.findtext(f"{space}teiHeader/{space}fileDesc/{space}sourceDesc/{space}bibl/{space}idno[@type='book']")
        assert json.loads(root.findtext(f"{space}teiHeader/{space}xenoData"))["book"]
        whole, spans = "", []
        has_cuts = root.find(space + "text").get("type") is None
        for element in root.find(space + "text"):
            part = {"front": "preamble", "body": "body", "back": "epilogue"}[element.tag.removeprefix(space)]
            block = element.find(f"{space}div/{space}ab")
            text = "".join(block.itertext())
            if has_cuts and text.strip():
                margin = len(text) - len(text.lstrip())
                spans.append((part, len(whole) + margin, len(whole) + len(text.rstrip())))
            at = len(whole) + len(block.text or "")
            for seg in block:
                words = "".join(seg.itertext())
                spans.append((seg.get("type"), at, at + len(words)))
                at += len(words) + len(seg.tail or "")
            whole += text
        yield book, whole, spans


READERS = {
    "prodigy": prodigy,
    "label-studio": label_studio,
    "label-studio-sdk": label_studio_sdk,
    "doccano": doccano,
    "bratly": brat,
    "dkpro-cassis": inception,
    "lxml": tei,
}

if __name__ == "__main__":
    reader, path, expected = sys.argv[1:]
    with open(expected, encoding="utf-8") as file:
        expected = json.load(file)
    read = 0
    try:
        for book, text, spans in READERS[reader](path):
            sha = lambda start, end: hashlib.sha256(text[start:end].encode()).hexdigest()
            found = sorted([part, start, end, sha(start, end)] for part, start, end in spans)
            assert found == sorted(expected.pop(book)), f"{book}: {found}"
            read += 1
    except ImportError:
        sys.exit(77)
    assert not expected, f"not read: {sorted(expected)}"
    print(read)
