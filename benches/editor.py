#!/usr/bin/env python3
"""Measures `hieratic lsp` on a control repository, as an editor uses it: how long until the first check is done, what it takes of memory,
and how long diagnostics, hovers and completions take while somebody types. The reference is a fresh `hieratic check` of the repository by
the same binary, in the same run.

Usage: benches/editor.py HIERATIC REPOSITORY [ROUNDS]

The session is the same in every run: in files of data and manifests, chosen in order of their names, a line is typed letter by letter
and taken away again. A diagnostic counts when the message arrives for the version that was sent. Nothing is measured with findings of
several files left out: `all files` is the time until the server has nothing to check any more. Ratios are to the time of the fresh
check; that of memory is to the most that the check took.
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


def told(name, times, fresh):
    times = sorted(times)
    at = lambda share: times[min(len(times) - 1, int(share * len(times)))]
    median, slow = at(0.5), at(0.99)
    print(f"| {name} | {len(times)} | {1000 * median:.1f} ms | {1000 * slow:.1f} ms | {fresh / median:.0f} | {fresh / slow:.0f} |")


def fresh_check(command, root):
    """How long a check of the whole repository takes, and the most resident memory of it, in MiB."""
    start = time.perf_counter()
    process = subprocess.Popen([command, "check", str(root)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=root)
    _, _, used = os.wait4(process.pid, 0)
    return time.perf_counter() - start, used.ru_maxrss / 1024


def main():
    command, root = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 6
    checks = sorted(fresh_check(command, root) for _ in range(3))
    fresh, memory = checks[len(checks) // 2]
    start = time.perf_counter()
    server = Server(command, root)
    folder = {"uri": root.as_uri(), "name": "root"}
    server.request("initialize", {"processId": None, "rootUri": root.as_uri(), "workspaceFolders": [folder], "capabilities": {}})
    server.notify("initialized", {})
    server.request("hieratic/settled", {})
    ready = time.perf_counter() - start
    at_ready = server.memory()
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
    print("| | times | median | 99th percentile | ratio | ratio at the 99th percentile |\n|---|---|---|---|---|---|")
    print(f"| a fresh `check` | {len(checks)} | {1000 * fresh:.0f} ms | | 1 | |")
    print(f"| ready | 1 | {1000 * ready:.0f} ms | | {fresh / ready:.2f} | |")
    told("diagnostics after a key press", typed, fresh)
    told("all files after a key press", settled, fresh)
    told("hover", hovers, fresh)
    told("completion", completions, fresh)
    most = server.memory()
    print("\n| memory | at most | ratio |\n|---|---|---|")
    print(f"| a fresh `check` | {memory:.0f} MiB | 1 |")
    print(f"| the server, ready | {at_ready:.0f} MiB | {at_ready / memory:.2f} |")
    print(f"| the server, after the session | {most:.0f} MiB | {most / memory:.2f} |")
    server.request("shutdown", None)
    server.notify("exit", None)


main()
