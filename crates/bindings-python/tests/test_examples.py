"""The examples of the guide run: each block of Python in docs/python.md, one after the other."""

import re
import shutil
import subprocess

import pytest

from conftest import EXAMPLES, ROOT

GUIDE = ROOT / "docs" / "python.md"


def blocks():
    text = GUIDE.read_text()
    return [
        (text[: match.start()].count("\n") + 2, match.group(1))
        for match in re.finditer(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    ]


def test_the_examples_of_the_guide_give_what_they_say(tmp_path, monkeypatch):
    for name in ("pyarrow", "polars", "pandas", "duckdb"):
        pytest.importorskip(name)
    shutil.copytree(EXAMPLES, tmp_path / "examples")
    for arguments in (["init", "-q"], ["add", "-A"], ["-c", "user.name=t", "-c", "user.email=t@t", "commit", "-qm", "x"]):
        subprocess.run(["git", *arguments], cwd=tmp_path, check=True, capture_output=True)
    monkeypatch.chdir(tmp_path)
    names = {}
    found = blocks()
    assert len(found) > 5
    for line, code in found:
        statements = re.split(r"^(.+?)  # -> (.*)$", code, flags=re.MULTILINE)
        # Code, an expression and its value, code, and so on.
        while statements:
            exec(compile("\n" * line + statements.pop(0), str(GUIDE), "exec"), names)
            if statements:
                expression, value = statements.pop(0), statements.pop(0)
                assert repr(eval(expression, names)) == value, f"{GUIDE}:{line}: {expression}"


def test_the_notebook_runs(tmp_path, monkeypatch):
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    for name in ("ipykernel", "polars", "pyarrow", "duckdb"):
        pytest.importorskip(name)
    shutil.copytree(EXAMPLES, tmp_path / "examples")
    # Jupyter starts in the folder of the notebook.
    (tmp_path / "docs" / "notebooks").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "docs" / "notebooks")
    notebook = nbformat.read(ROOT / "docs" / "notebooks" / "fleet.ipynb", as_version=4)
    nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
    outputs = [cell["outputs"][0]["data"]["text/plain"] for cell in notebook.cells if cell["cell_type"] == "code"]
    assert outputs[1] == "36" and "data/common.yaml" in outputs[3] and "contributions" in outputs[4]
