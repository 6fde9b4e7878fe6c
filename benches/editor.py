#!/usr/bin/env python3
"""Measures `hieratic lsp` on a control repository, as an editor uses it: how long until the first check is done, what it takes of memory,
and how long diagnostics, hovers and completions take while somebody types.

Usage: benches/editor.py HIERATIC REPOSITORY [ROUNDS]

The session is the same in every run: in files of data and manifests, chosen in order of their names, a line is typed letter by letter
and taken away again. A diagnostic counts when the message arrives for the version that was sent. Nothing is measured with findings of
several files left out: `all files` is the time until the server has nothing to check any more.
"""
import json
import os
import pathlib
import queue
import subprocess
import sys
import threading
import time

TYPED = {".yaml": "\nbench::key: '%{facts.os.family}'", ".pp": "\n# typed\n$bench_variable = 1\n"}


class Server:
    def __init__(self, command, root):
        self.process = subprocess.Popen([command, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=root)
        self.messages, self.number, self.root = queue.Queue(), 0, root
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        out = self.process.stdout
        while True:
            length = 0
            while (line := out.readline().strip()):
                if line.lower().startswith(b"content-length:"):
                    length = int(line.split(b":")[1])
            if not length:
                return
            self.messages.put((time.perf_counter(), json.loads(out.read(length))))

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def notify(self, method, params):
        self.send({"method": method, "params": params})

    def request(self, method, params):
        """The answer, and how long it took."""
        self.number += 1
        start = time.perf_counter()
        self.send({"id": self.number, "method": method, "params": params})
        while True:
            at, message = self.messages.get(timeout=300)
            if message.get("id") == self.number and "method" not in message:
                return message.get("result"), at - start

    def diagnostics(self, uri, version, start):
        """How long until diagnostics of a version arrive."""
        while True:
            at, message = self.messages.get(timeout=300)
            told = message.get("params") or {}
            if message.get("method") == "textDocument/publishDiagnostics" and told["uri"] == uri and told.get("version") == version:
                return at - start

    def memory(self):
        """The most resident memory so far, in MiB."""
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(next(line for line in status.splitlines() if line.startswith("VmHWM")).split()[1]) / 1024


def place(text, offset):
    before = text[:offset]
    return {"line": before.count("\n"), "character": len(before.rsplit("\n", 1)[-1].encode("utf-16-le")) // 2}


def told(name, times):
    times = sorted(times)
    at = lambda share: 1000 * times[min(len(times) - 1, int(share * len(times)))]
    print(f"| {name} | {len(times)} | {at(0.5):.1f} ms | {at(0.99):.1f} ms |")


def main():
    command, root = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 6
    start = time.perf_counter()
    server = Server(command, root)
    folder = {"uri": root.as_uri(), "name": "root"}
    server.request("initialize", {"processId": None, "rootUri": root.as_uri(), "workspaceFolders": [folder], "capabilities": {}})
    server.notify("initialized", {})
    server.request("hieratic/settled", {})
    ready = time.perf_counter() - start
    print(f"Ready after {1000 * ready:.0f} ms, {server.memory():.0f} MiB\n")
    files = [path for path in sorted(root.rglob("*")) if path.suffix in TYPED and path.is_file() and ".git" not in path.parts]
    chosen = []
    for suffix in TYPED:
        of = [path for path in files if path.suffix == suffix and ("manifests" in path.parts or suffix != ".pp")]
        chosen += of[:: max(1, len(of) // rounds)][:rounds]
    typed, settled, hovers, completions = [], [], [], []
    for path in chosen:
        text, uri = path.read_text(errors="replace"), path.as_uri()
        document, version = {"uri": uri}, 1
        server.notify("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": "", "version": 1, "text": text}})
        server.request("hieratic/settled", {})
        now = text
        letters = TYPED[path.suffix]
        for number in range(2 * len(letters)):
            version += 1
            at = place(now, len(now))
            if number < len(letters):
                change = {"range": {"start": at, "end": at}, "text": letters[number]}
                now += letters[number]
            else:
                change = {"range": {"start": place(now, len(now) - 1), "end": at}, "text": ""}
                now = now[:-1]
            begin = time.perf_counter()
            server.notify("textDocument/didChange", {"textDocument": {"uri": uri, "version": version}, "contentChanges": [change]})
            typed.append(server.diagnostics(uri, version, begin))
            if number % 6 == 0:
                where = {"textDocument": document, "position": place(now, max(0, now.find("::") + 1))}
                hovers.append(server.request("textDocument/hover", where)[1])
                where["position"] = place(now, len(now))
                completions.append(server.request("textDocument/completion", where)[1])
            server.request("hieratic/settled", {})
            settled.append(time.perf_counter() - begin)
        server.notify("textDocument/didClose", {"textDocument": document})
        server.request("hieratic/settled", {})
    print("| | times | median | 99th percentile |\n|---|---|---|---|")
    told("diagnostics after a key press", typed)
    told("all files after a key press", settled)
    told("hover", hovers)
    told("completion", completions)
    print(f"\nAt most {server.memory():.0f} MiB")
    server.request("shutdown", None)
    server.notify("exit", None)


main()
