#!/usr/bin/env python3
"""Measures `hieratic lsp` on a control repository, as an editor uses it: how long until the first check is done, what it takes of memory,
and how long diagnostics, hovers and completions take while somebody types. The reference is a fresh `hieratic check` of the repository by
the same binary, in the same run.

Usage: benches/editor.py HIERATIC REPOSITORY [ROUNDS] [FACTS]

The session (`session.json`, recorded from Neovim by `record-session`) is played in files of data and manifests, chosen in order of their
names, with a tenth of a second between two key presses. A diagnostic counts when the message arrives for the version that was sent; the
check of all files goes on meanwhile. `all files` is the time until the server has nothing left to check. Ratios are to the time of the fresh
check; that of memory is to the most that the check took.

The second table is about processor time, which does not depend on what else the machine does: of the thread that checks the typed document,
for diagnostics, and of the threads that answer requests, each after an edit. `FACTS` is a folder of facts: without it, lenses count no nodes.
"""
import os
import pathlib
import re
import subprocess
import sys
import time

from editing import Document, Server, at_share, chosen, sessions

# Seconds between two key presses.
PAUSE = 0.1


def told(name, times, fresh):
    median, slow = at_share(times, 0.5), at_share(times, 0.99)
    print(f"| {name} | {len(times)} | {1000 * median:.1f} ms | {1000 * slow:.1f} ms | {fresh / median:.0f} | {fresh / slow:.0f} |")


def fresh_check(command, root):
    """How long a check of the whole repository takes, and the most resident memory of it, in MiB."""
    start = time.perf_counter()
    process = subprocess.Popen([command, "check", str(root)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=root)
    _, _, used = os.wait4(process.pid, 0)
    return time.perf_counter() - start, used.ru_maxrss / 1024


# Threads that answer requests.
ANSWERS = "answers"


def measure(server, method, parameters, times):
    """Asks, and adds the processor time of the answer. A rename is proved by all threads, while nothing else is done."""
    threads = "" if method.endswith("rename") else ANSWERS
    if not threads:
        server.request("hieratic/settled", {})
    before = server.processor_time(threads)
    server.request(method, parameters)
    times.setdefault(method, []).append(server.processor_time(threads) - before)


def ask_all(server, document, times):
    """Asks for what an editor asks for after an edit, and for a new name of a key."""
    whole = {"textDocument": {"uri": document.uri}}
    for method in ["textDocument/codeLens", "textDocument/documentSymbol", "textDocument/documentLink"]:
        measure(server, method, whole, times)
    measure(server, "workspace/symbol", {"query": "profile"}, times)
    key = re.search(r"^([a-z_0-9]+(?:::[a-z_0-9]+)+):", document.text, re.M)
    if key and document.uri.endswith(".yaml"):
        at = document.at(key.start() + 1)
        measure(server, "textDocument/rename", {**at, "newName": key.group(1) + "_renamed"}, times)
        measure(server, "textDocument/references", {**at, "context": {"includeDeclaration": True}}, times)


def told_processor_time(times):
    print("\n| processor time | times | median | 99th percentile |\n|---|---|---|---|")
    for name, spent in times.items():
        median, slow = at_share(spent, 0.5), at_share(spent, 0.99)
        print(f"| {name} | {len(spent)} | {1000 * median:.1f} ms | {1000 * slow:.1f} ms |")


def main():
    command, root = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 6
    facts = ["--facts", sys.argv[4]] if len(sys.argv) > 4 else []
    checks = sorted(fresh_check(command, root) for _ in range(3))
    fresh, memory = checks[len(checks) // 2]
    start = time.perf_counter()
    server = Server([command, "lsp", *facts], root)
    server.initialize()
    server.request("hieratic/settled", {})
    ready = time.perf_counter() - start
    at_ready = server.memory()
    typed, settled, hovers, completions = [], [], [], []
    spent = {"diagnostics after a key press": []}
    for suffix, edits in sessions().items():
        for path in chosen(root, suffix, rounds, "manifests" if suffix == ".pp" else None):
            document = Document(server, path)
            server.request("hieratic/settled", {})
            for number, edit in enumerate(edits):
                waits = number % 50 == 49
                if waits:
                    server.request("hieratic/settled", {})
                before = server.processor_time("types")
                begin = document.edit(edit)
                typed.append(server.diagnostics(document.uri, document.version, begin))
                spent["diagnostics after a key press"].append(server.processor_time("types") - before)
                if waits:
                    server.request("hieratic/settled", {})
                    settled.append(time.perf_counter() - begin)
                time.sleep(PAUSE)
                if number % 6 == 0:
                    hovers.append(server.request("textDocument/hover", document.at(max(0, document.text.find("::") + 1)))[1])
                    end = document.offset(edit["from"]) + len(edit["text"])
                    completions.append(server.request("textDocument/completion", document.at(end))[1])
            ask_all(server, document, spent)
            document.close()
            server.request("hieratic/settled", {})
    print("| | times | median | 99th percentile | ratio | ratio at the 99th percentile |\n|---|---|---|---|---|---|")
    print(f"| a fresh `check` | {len(checks)} | {1000 * fresh:.0f} ms | | 1 | |")
    print(f"| ready | 1 | {1000 * ready:.0f} ms | | {fresh / ready:.2f} | |")
    told("diagnostics after a key press", typed, fresh)
    told("all files after a key press", settled, fresh)
    told("hover", hovers, fresh)
    told("completion", completions, fresh)
    told_processor_time(spent)
    most = server.memory()
    print("\n| memory | at most | ratio |\n|---|---|---|")
    print(f"| a fresh `check` | {memory:.0f} MiB | 1 |")
    print(f"| the server, ready | {at_ready:.0f} MiB | {at_ready / memory:.2f} |")
    print(f"| the server, after the session | {most:.0f} MiB | {most / memory:.2f} |")
    server.request("shutdown", None)
    server.notify("exit", None)


main()
