"""Books for the tests: those of the demonstration, from the program's own archive."""

import json
import subprocess
import zipfile
from pathlib import Path
from typing import Any

import pytest

import endpaper

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session", autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory) -> None:
    """No test reads or writes the user's own folders."""
    folders = tmp_path_factory.mktemp("home")
    for name in ("CONFIG", "CACHE", "DATA", "STATE"):
        pytest.MonkeyPatch().setenv(f"ENDPAPER_{name}_DIR", str(folders / name))


@pytest.fixture(scope="session")
def books(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the demonstration's books."""
    folder = tmp_path_factory.mktemp("books")
    with zipfile.ZipFile(ROOT / "crates/endpaper-text/src/corpus/demo.zip") as archive:
        archive.extractall(folder)
    return folder


def run(*arguments: object, stdin: bytes = b"") -> str:
    """What the program of the wheel prints."""
    program = endpaper.program()
    assert program is not None
    done = subprocess.run([program, *map(str, arguments)], input=stdin, capture_output=True)
    assert done.returncode < 2, done.stderr.decode()
    return done.stdout.decode()


def run_rows(*arguments: object, stdin: bytes = b"") -> list[dict[str, Any]]:
    """The JSON lines that the program of the wheel prints."""
    return [json.loads(line) for line in run(*arguments, stdin=stdin).splitlines()]
