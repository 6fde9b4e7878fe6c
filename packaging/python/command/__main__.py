"""The command, as `python -m hieratic`."""

import os
import subprocess
import sys
from importlib.metadata import files
from pathlib import Path

NAME = "hieratic.exe" if os.name == "nt" else "hieratic"


def program():
    """The path of the command, as it was installed with this package: where scripts are depends on the kind of installation."""
    listed = [Path(file.locate()) for file in files("hieratic") or () if file.name == NAME]
    # `pip install --target` lists another place than the one in which the command is.
    for path in [*listed, Path(__file__).resolve().parents[1] / "bin" / NAME]:
        if path.is_file():
            return str(path)
    sys.exit(f"error: the command {NAME} is not installed with this package\nhelp: install the wheel again")


def main():
    path, arguments = program(), sys.argv[1:]
    if os.name != "nt":
        os.execv(path, ["hieratic", *arguments])
    sys.exit(subprocess.run([path, *arguments], check=False).returncode)


if __name__ == "__main__":
    main()
