"""Records what Unfurl makes of the projects that it writes: writes conformance/unfurl/projects.jsonl.

Needs `pip install unfurl==1.2.0` and git. Each of the skeletons is written with `unfurl init`, with the ensemble in a repository of its
own and in others, with and without a password for the vault; then the program loads the project and the ensemble.

    python projects.py > ../../unfurl/projects.jsonl
"""

import json
import logging
import os
import pathlib
import subprocess
import sys
import tempfile
import warnings

warnings.simplefilter("ignore")
os.environ["UNFURL_HOME"] = ""
os.environ["UNFURL_LOGGING"] = "critical"
os.environ["UNFURL_NORUNTIME"] = "1"

from unfurl.localenv import LocalEnv  # noqa: E402
from unfurl.yamlloader import YamlConfig  # noqa: E402

logging.disable(logging.CRITICAL)

SKELETONS = ["", "aws", "azure", "dashboard", "digitalocean", "gcp", "home", "k8s"]
LAYOUTS = {
    "": [],
    "mono": ["--mono"],
    "existing": ["--existing"],
    "vault": ["--var", "VAULT_PASSWORD", "secret"],
    "environment": ["--use-environment", "production"],
}


def plain(value):
    """A value as JSON holds it."""
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return value if value is None or isinstance(value, (bool, int, float)) else str(value)


def files(root):
    found = {}
    for path in sorted(root.rglob("*")):
        inside = path.relative_to(root)
        hidden = any(part.startswith(".") for part in inside.parts)
        if hidden or not path.is_file() or path.is_symlink():
            continue
        if path.suffix in (".yaml", ".py"):
            found[str(inside)] = path.read_text()
    return found


def repositories(root):
    """The commit that each repository of the project begins with."""
    found = {}
    for git in [root.parent / ".git", *sorted(root.rglob(".git"))]:
        command = ["git", "-C", str(git.parent), "rev-list", "--max-parents=0", "HEAD"]
        answer = subprocess.run(command, capture_output=True, text=True)
        if answer.returncode == 0:
            found[os.path.relpath(git.parent, root)] = answer.stdout.split()[0]
    return found


# What documents expand to, before the program adds inputs and repositories to them.
EXPANDED = {}
expand = YamlConfig._expand


def keep(config):
    includes, result = expand(config)
    EXPANDED[config.path] = plain(result)
    return includes, result


YamlConfig._expand = keep


def expanded(path):
    EXPANDED.clear()
    if path.name == "unfurl.yaml":
        LocalEnv(str(path), homePath="", can_be_empty=True)
    else:
        LocalEnv(str(path), homePath="").get_manifest(skip_validation=True)
    return EXPANDED[str(path)]


def main():
    for skeleton in SKELETONS:
        for layout, flags in LAYOUTS.items():
            with tempfile.TemporaryDirectory() as folder:
                root = pathlib.Path(folder) / "project"
                if layout == "existing":
                    subprocess.run(["git", "init", "-q", folder], check=True)
                    subprocess.run(["git", "-C", folder, "commit", "-q", "--allow-empty", "-m", "first"], check=True)
                chosen = ["--skeleton", skeleton] if skeleton else []
                command = [sys.executable, "-m", "unfurl", "--home", "", "init", *flags, *chosen, str(root)]
                subprocess.run(command, check=True, capture_output=True)
                answers, errors = {}, {}
                shown = files(root)
                held = repositories(root)
                for name in ["unfurl.yaml", "ensemble/unfurl.yaml", "ensemble/ensemble.yaml"]:
                    if name not in shown:
                        continue
                    try:
                        answers[name] = expanded(root / name)
                    except Exception as error:
                        errors[name] = str(error).replace(folder, "<BASE>")
                case = {"id": "-".join(filter(None, [skeleton or "default", layout])), "files": shown}
                case["repositories"] = held
                case["expanded"] = answers
                if errors:
                    case["errors"] = errors
                print(json.dumps(case), flush=True)


main()
