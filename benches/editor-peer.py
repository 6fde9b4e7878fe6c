#!/usr/bin/env python3
"""Measures `hieratic lsp` beside puppet-editor-services in one run, at what both can do: manifests. Both serve the same repository; the
recorded session (`session.json`) is played in the same manifests, first in one server, then in the other.

Usage: benches/editor-peer.py HIERATIC PEER REPOSITORY [ROUNDS]

PEER is the folder of puppet-editor-services with its vendored gems; Ruby and Puppet must be installed. The peer is ready when it says that it
has loaded facts, functions, types and classes; Hieratic is when the first check of all files is done. Where Puppet is not installed as its
packages do it, RUBYLIB must name a folder `lib` with Puppet in it.
"""
import os
import pathlib
import sys
import time

from editing import Document, Server, at_share, chosen, sessions

PATIENCE = 120


def wait(server):
    """Waits until a server knows what it will know."""
    if server.peer:
        end = time.perf_counter() + PATIENCE
        loaded = ("factsLoaded", "functionsLoaded", "typesLoaded", "classesLoaded")
        while not all(server.request("puppet/getVersion", {})[0].get(what) for what in loaded):
            if time.perf_counter() > end:
                sys.exit("the peer does not load the workspace: see its log with --debug=FILE")
            time.sleep(0.02)
    else:
        server.request("hieratic/settled", {})


def measured(command, environment, root, files, edits):
    start = time.perf_counter()
    server = Server(command, root, environment)
    server.peer = environment is not None
    server.initialize()
    wait(server)
    found = {"ready": [time.perf_counter() - start]}
    answered = 0
    add = lambda name, time: found.setdefault(name, []).append(time)
    for path in files:
        document = Document(server, path)
        server.diagnostics(document.uri, 1, 0)
        for number, edit in enumerate(edits):
            begin = document.edit(edit)
            add("diagnostics after a key press", server.diagnostics(document.uri, document.version, begin))
            if number % 12 == 0:
                word = document.text.find("include ")
                word = word if word >= 0 else document.text.find("file {")
                answer, took = server.request("textDocument/hover", document.at(word + 2))
                add("hover", took)
                answered += bool(answer)
                end = document.offset(edit["from"]) + len(edit["text"])
                add("completion", server.request("textDocument/completion", document.at(end))[1])
                add("symbols of a document", server.request("textDocument/documentSymbol", {"textDocument": {"uri": document.uri}})[1])
        document.close()
    memory = server.memory()
    server.process.kill()
    print(f"{command[0]}: {answered} of {len(found['hover'])} hovers have an answer", file=sys.stderr)
    return found, memory


def main():
    command, peer, root = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]), pathlib.Path(sys.argv[3]).resolve()
    rounds = int(sys.argv[4]) if len(sys.argv) > 4 else 4
    files = chosen(root, ".pp", rounds, "manifests")
    edits = sessions()[".pp"]
    ours, memory = measured([command, "lsp"], None, root, files, edits)
    ruby = ["ruby", f"{peer}/puppet-languageserver", "--stdio", f"--local-workspace={root}", "--timeout=0"]
    theirs, peer_memory = measured(ruby, {"RUBYOPT": "-rfacter"}, root, files, edits)
    print("| | puppet-editor-services, median | 99th percentile | Hieratic, median | 99th percentile | ratio of the medians |\n|---|---|---|---|---|---|")
    for name, times in ours.items():
        a, b, c, d = (1000 * at_share(of, share) for of in (theirs[name], times) for share in (0.5, 0.99))
        print(f"| {name} | {a:.1f} ms | {b:.1f} ms | {c:.1f} ms | {d:.1f} ms | {a / c:.0f} |")
    print(f"| memory of the server | {peer_memory:.0f} MiB | | {memory:.0f} MiB | | {peer_memory / memory:.1f} |")


main()
