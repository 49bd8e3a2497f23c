"""Builds the wheel: maturin makes the module, and this adds the program, as cargo builds it."""

import os
import shutil
import subprocess
from pathlib import Path

import maturin

HERE = Path(__file__).resolve().parent.parent
ROOT = HERE.parent

SCRIPTS = HERE / "target" / "endpaper.data" / "scripts"

get_requires_for_build_wheel = maturin.get_requires_for_build_wheel


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    """Writes the metadata; maturin wants the folder of the program to be there already."""
    SCRIPTS.mkdir(parents=True, exist_ok=True)
    return maturin.prepare_metadata_for_build_wheel(metadata_directory)


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """Builds the wheel; `-C profile=dev` is fast to build."""
    profile = (config_settings or {}).get("profile", "release")
    # One folder for both: the crates of the registry are built once.
    target = ROOT / os.environ.get("CARGO_TARGET_DIR", "target")
    os.environ["CARGO_TARGET_DIR"] = str(target)
    cargo = ["cargo", "build", "--locked", "--profile", profile, "--package", "endpaper", "--bin", "endpaper"]
    subprocess.run(cargo, cwd=ROOT, check=True)
    name = "endpaper.exe" if os.name == "nt" else "endpaper"
    SCRIPTS.mkdir(parents=True, exist_ok=True)
    shutil.copy2(target / ("debug" if profile == "dev" else profile) / name, SCRIPTS / name)
    settings = {"build-args": f"--locked --profile {profile}"}
    return maturin.build_wheel(wheel_directory, settings, metadata_directory)


def build_sdist(sdist_directory, config_settings=None):
    """There is none: the package is a part of the program's repository."""
    raise RuntimeError(
        "endpaper has no source distribution; run `pip install .` in the folder python/ of its repository"
    )
