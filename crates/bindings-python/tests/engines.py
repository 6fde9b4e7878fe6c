"""What the tests of Ray and Spark share: facts of a larger fleet, the rows of one machine, and a worker that dies."""

import os
import signal
import threading
import time
from pathlib import Path

import pyarrow
from pyarrow import parquet

KEYS = ["profile::web::*", "profile::base::packages"]
ORDER = [("node", "ascending"), ("key", "ascending")]


def written(folder):
    """The rows that an engine wrote, in the order of one machine's."""
    return parquet.read_table(folder).sort_by(ORDER).to_pylist()


def of_one_machine(environment, facts, keys=KEYS):
    return pyarrow.table(environment.answers(facts, keys)).sort_by(ORDER).to_pylist()


class Killer(threading.Thread):
    """Kills the first worker that has worked for a moment; `is_worker` tells it by its command line and that of its parent."""

    def __init__(self, is_worker):
        super().__init__(daemon=True)
        self.is_worker = is_worker
        self.killed = None
        self.is_over = False

    def run(self):
        while self.killed is None and not self.is_over:
            time.sleep(0.01)
            for pid in filter(str.isdigit, os.listdir("/proc")):
                if self.works(pid):
                    self.killed = int(pid)
                    os.kill(self.killed, signal.SIGKILL)
                    break

    def works(self, pid):
        try:
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            parent, ticks = fields[1], int(fields[11])
            command, above = (Path(f"/proc/{one}/cmdline").read_bytes().decode() for one in (pid, parent))
        except OSError:
            return False
        # Only workers below this process: other tests may run at the same time.
        return ticks > 20 and self.is_worker(command, above) and self.is_below(pid)

    def is_below(self, pid):
        while pid not in ("0", "1"):
            if int(pid) == os.getpid():
                return True
            try:
                pid = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1]
            except OSError:
                return False
        return False
