"""Where a book's text begins and ends in e-book files.

>>> import endpaper
>>> endpaper.strip_headers("A short text.\\n")
'A short text.\\n'

The command `endpaper` of this package is the program; `endpaper --help` explains it.
"""

import os as _os
import sys as _sys
import sysconfig as _sysconfig
from pathlib import Path as _Path

from ._native import Corpus, Detection, EndpaperError, Rows, Truth, detect, set_program, strip_headers

__all__ = [
    "Corpus",
    "Detection",
    "EndpaperError",
    "Rows",
    "Truth",
    "detect",
    "program",
    "strip_headers",
]


def program() -> _Path | None:
    """The program `endpaper` that was installed with this module; None if it is not where pip puts programs."""
    name = "endpaper.exe" if _sys.platform == "win32" else "endpaper"
    user = "nt_user" if _os.name == "nt" else "posix_user"
    # `pip install --target` and `--prefix` put programs beside the packages. Elsewhere another version may stand.
    parents = _Path(__file__).resolve().parents
    folders = [parents[depth] / "bin" for depth in (1, 4) if depth < len(parents)]
    folders += [_Path(_sysconfig.get_path("scripts", user)), _Path(_sysconfig.get_path("scripts"))]
    found = (folder / name for folder in folders)
    return next((path for path in found if path.is_file()), None)


if (_program := program()) is not None:
    set_program(_program)
