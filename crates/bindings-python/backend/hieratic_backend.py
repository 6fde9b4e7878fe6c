"""Builds the wheel with maturin, and puts the command into it: `pip install` of a folder or of a wheel has both."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import maturin
from maturin import *  # noqa: F403

#: The folder of the package, and that of the repository.
HERE = Path(__file__).resolve().parents[1]
ROOT = HERE.parents[1]


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    command()
    return maturin.build_wheel(wheel_directory, config_settings, metadata_directory)


def build_sdist(sdist_directory, config_settings=None):
    """The whole workspace: that of maturin has the library without the command, and without this file."""
    script = ROOT / "packaging" / "python" / "sdist"
    if not script.is_file():
        raise FileNotFoundError("sources are packed from a clone of the repository, not from packed sources")
    subprocess.run([sys.executable, str(script), sdist_directory], check=True)
    return next(path.name for path in Path(sdist_directory).glob("hieratic-*.tar.gz"))


def command():
    """Builds the command, and copies it into the package."""
    name = "hieratic.exe" if os.name == "nt" else "hieratic"
    arguments = ["cargo", "build", "--release", "--locked", "-p", "hieratic-cli"]
    target = os.environ.get("CARGO_BUILD_TARGET")
    subprocess.run(arguments, cwd=ROOT, check=True)
    built = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"), *([target] if target else []), "release", name)
    folder = HERE / "python" / "hieratic" / "bin"
    folder.mkdir(exist_ok=True)
    shutil.copy2(ROOT / built, folder / name)


if __name__ == "__main__":
    command()
