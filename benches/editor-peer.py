#!/usr/bin/env python3
"""Measures `hieratic lsp` beside puppet-editor-services in one run, at what both can do: manifests. Both serve the same repository; the
recorded session (`session.json`) is played in the same manifests, first in one server, then in the other.

Usage: benches/editor-peer.py HIERATIC PEER REPOSITORY [ROUNDS]

PEER is the folder of puppet-editor-services with its vendored gems; Ruby and Puppet must be installed. A server is ready when it answers a
hover on a resource type, and, for Hieratic, when the first check of all files is done.
"""
import os
import pathlib
import sys
import time

from editing import Document, Server, at_share, chosen, sessions

PATIENCE = 120


def ready(server, path, word):
    """How long until a hover on the first such word is answered."""
    document = Document(server, path)
    end = time.perf_counter() + PATIENCE
    while time.perf_counter() < end:
        answer, _ = server.request("textDocument/hover", document.at(document.text.find(word) + 1))
        if answer and answer.get("contents"):
            document.close()
            return
        time.sleep(0.02)
    sys.exit(f"no hover on {word!r} in {path}")


def measured(command, environment, root, files, edits, first):
    start = time.perf_counter()
    server = Server(command, root, environment)
    server.initialize()
    ready(server, *first)
    if "lsp" in command:
        server.request("hieratic/settled", {})
    found = {"ready": [time.perf_counter() - start]}
    add = lambda name, time: found.setdefault(name, []).append(time)
    for path in files:
        document = Document(server, path)
        server.diagnostics(document.uri, 1, 0)
        for number, edit in enumerate(edits):
            begin = document.edit(edit)
            add("diagnostics after a key press", server.diagnostics(document.uri, document.version, begin))
            if number % 12 == 0:
                add("hover", server.request("textDocument/hover", document.at(document.text.find(" {") - 1))[1])
                end = document.offset(edit["from"]) + len(edit["text"])
                add("completion", server.request("textDocument/completion", document.at(end))[1])
                add("symbols of a document", server.request("textDocument/documentSymbol", {"textDocument": {"uri": document.uri}})[1])
        document.close()
    memory = server.memory()
    server.process.kill()
    return found, memory


def main():
    command, peer, root = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]), pathlib.Path(sys.argv[3]).resolve()
    rounds = int(sys.argv[4]) if len(sys.argv) > 4 else 4
    files = chosen(root, ".pp", rounds, "manifests")
    edits = sessions()[".pp"]
    word = next(path for path in chosen(root, ".pp", 10_000, "manifests") if "\n    file { " in path.read_text(errors="replace"))
    first = (word, "file { ")
    ours, memory = measured([command, "lsp"], None, root, files, edits, first)
    ruby = ["ruby", f"{peer}/puppet-languageserver", "--stdio", f"--local-workspace={root}", "--timeout=0"]
    theirs, peer_memory = measured(ruby, {"RUBYOPT": "-rfacter"}, root, files, edits, first)
    print("| | puppet-editor-services, median | 99th percentile | Hieratic, median | 99th percentile | ratio of the medians |\n|---|---|---|---|---|---|")
    for name, times in ours.items():
        a, b, c, d = (1000 * at_share(of, share) for of in (theirs[name], times) for share in (0.5, 0.99))
        print(f"| {name} | {a:.1f} ms | {b:.1f} ms | {c:.1f} ms | {d:.1f} ms | {a / c:.0f} |")
    print(f"| memory of the server | {peer_memory:.0f} MiB | | {memory:.0f} MiB | | {peer_memory / memory:.1f} |")


main()
