"""A client of language servers, and the session of edits in session.json, for editor.py and editor-peer.py."""
import json
import os
import pathlib
import queue
import subprocess
import threading
import time

HERE = pathlib.Path(__file__).parent


class Server:
    """A server over standard input and output, in a folder."""

    def __init__(self, command, root, environment=None):
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=root, env={**os.environ, **(environment or {})}
        )
        self.messages, self.number, self.root, self.takes_whole_texts = queue.Queue(), 0, root, False
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

    def initialize(self):
        folder = {"uri": self.root.as_uri(), "name": "root"}
        asked = {"processId": None, "rootUri": self.root.as_uri(), "rootPath": str(self.root), "workspaceFolders": [folder], "capabilities": {}}
        answer, _ = self.request("initialize", asked)
        sync = answer["capabilities"].get("textDocumentSync")
        self.takes_whole_texts = (sync.get("change") if isinstance(sync, dict) else sync) == 1
        self.notify("initialized", {})

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
        """How long until diagnostics arrive; those of a version, if the server names versions."""
        while True:
            at, message = self.messages.get(timeout=300)
            told = message.get("params") or {}
            if message.get("method") == "textDocument/publishDiagnostics" and told["uri"] == uri and told.get("version", version) == version:
                return at - start

    def processor_time(self, threads=""):
        """The seconds of processor time of the threads whose names begin with a word."""
        spent = 0
        for task in pathlib.Path(f"/proc/{self.process.pid}/task").iterdir():
            try:
                if (task / "comm").read_text().startswith(threads):
                    spent += int((task / "schedstat").read_text().split()[0])
            except (FileNotFoundError, ProcessLookupError):
                pass  # The thread has ended.
        return spent / 1e9

    def memory(self):
        """The most resident memory so far, in MiB."""
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(next(line for line in status.splitlines() if line.startswith("VmHWM")).split()[1]) / 1024


class Document:
    """An edited file: the recorded session is played behind its last line."""

    def __init__(self, server, path):
        self.server, self.uri, self.version = server, path.as_uri(), 1
        self.text = path.read_text(errors="replace").replace("\r\n", "\n").rstrip("\n") + "\n"
        self.base = self.text.count("\n")
        item = {"uri": self.uri, "languageId": "puppet" if path.suffix == ".pp" else "yaml", "version": 1, "text": self.text}
        server.notify("textDocument/didOpen", {"textDocument": item})

    def offset(self, place):
        lines = self.text.split("\n")
        row = self.base + place[0]
        return min(sum(len(line) + 1 for line in lines[:row]) + place[1], len(self.text))

    def edit(self, edit):
        """Sends an edit; when it was sent."""
        start, end = self.offset(edit["from"]), self.offset(edit["to"])
        places = {"start": place(self.text, start), "end": place(self.text, end)}
        self.text = self.text[:start] + edit["text"] + self.text[end:]
        self.version += 1
        change = {"text": self.text} if self.server.takes_whole_texts else {"range": places, "text": edit["text"]}
        begin = time.perf_counter()
        asked = {"textDocument": {"uri": self.uri, "version": self.version}, "contentChanges": [change]}
        self.server.notify("textDocument/didChange", asked)
        return begin

    def at(self, offset):
        return {"textDocument": {"uri": self.uri}, "position": place(self.text, offset)}

    def close(self):
        self.server.notify("textDocument/didClose", {"textDocument": {"uri": self.uri}})


def place(text, offset):
    before = text[:offset]
    return {"line": before.count("\n"), "character": len(before.rsplit("\n", 1)[-1].encode("utf-16-le")) // 2}


def sessions():
    """The edits for each extension of files."""
    recorded = json.loads((HERE / "session.json").read_text())
    return {"." + name: session["edits"] for name, session in recorded.items()}


def at_share(times, share):
    times = sorted(times)
    return times[min(len(times) - 1, int(share * len(times)))]


def chosen(root, suffix, rounds, folder=None):
    """Files of an extension, spread over all of them in order of their names."""
    files = [path for path in sorted(root.rglob("*" + suffix)) if path.is_file() and ".git" not in path.parts]
    files = [path for path in files if folder is None or folder in path.parts]
    return files[:: max(1, len(files) // rounds)][:rounds]
