"""What is in the wheel, its documentation, and the examples."""

import doctest
import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT

import endpaper
from endpaper import _native

EXAMPLES = ROOT / "python/examples"


def skip_without(*modules: str) -> None:
    missing = [name for name in modules if importlib.util.find_spec(name) is None]
    if missing:
        assert os.environ.get("ENDPAPER_REQUIRE") != "all", f"{missing} must be here"
        pytest.skip(f"{missing} not installed")


def test_the_program_in_the_wheel_is_the_one_that_was_built() -> None:
    built = os.environ.get("ENDPAPER_BUILT")
    program = endpaper.program()
    assert program is not None and os.access(program, os.X_OK)
    if built:
        assert program.read_bytes() == Path(built).read_bytes()


def test_every_public_name_is_documented_and_examples_in_it_hold() -> None:
    finder, runner = doctest.DocTestParser(), doctest.DocTestRunner()
    documented = [endpaper, *(getattr(endpaper, name) for name in endpaper.__all__)]
    for thing in documented:
        assert thing.__doc__, thing
        test = finder.get_doctest(thing.__doc__, {"endpaper": endpaper}, str(thing), None, 0)
        assert runner.run(test).failed == 0
    assert runner.tries >= 2


def test_stubs_name_everything_that_is_there() -> None:
    stub = (Path(endpaper.__file__).parent / "_native.pyi").read_text()
    assert (Path(endpaper.__file__).parent / "py.typed").is_file()
    for name in (name for name in dir(_native) if not name.startswith("_")):
        assert f"class {name}" in stub or f"def {name}" in stub, name
        kind = getattr(_native, name)
        members = [member for member in vars(kind) if not member.startswith("_")] if isinstance(kind, type) else []
        for member in members:
            assert f"def {member}(" in stub, f"{name}.{member}"


@pytest.mark.parametrize(("example", "modules"), [("doubt", ["pandas"]), ("pipeline", ["datatrove"])])
def test_examples_run(example: str, modules: list[str], books: Path, tmp_path: Path) -> None:
    skip_without(*modules)
    script = EXAMPLES / f"{example}.py"
    subprocess.run([sys.executable, script, books, tmp_path], check=True, cwd=tmp_path, stdout=subprocess.DEVNULL)
    if example == "pipeline":
        assert list(tmp_path.glob("*.jsonl.gz"))
