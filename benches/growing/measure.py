"""Runs the verbs of a case in several sizes, and prints rows of a table."""
import math
import os
import shutil
import subprocess
import threading
from dataclasses import dataclass

from .repository import Folder

LONG = 0.5
"""No larger size is tried after so many seconds."""
STUCK = 600.0
"""A run that takes longer, in seconds on the clock, is ended."""
SHORTEST = 0.05
"""A run that takes no longer says nothing about growth."""


@dataclass
class Cost:
    """The cost of a run: processor seconds, the peak of resident memory in KiB, and the bytes of the output."""

    seconds: float
    kibibytes: int
    output: int
    code: int


def run(program, verb, folder, output):
    """Runs a program in a folder."""
    environment = {name: value for name, value in os.environ.items() if name != "HIERATIC_CONFIG"}
    with open(output, "wb") as out:
        child = subprocess.Popen([program, *verb], cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.DEVNULL)
        timer = threading.Timer(STUCK, child.kill)
        timer.start()
        _, status, usage = os.wait4(child.pid, 0)
        timer.cancel()
    child.returncode = os.waitstatus_to_exitcode(status)
    return Cost(usage.ru_utime + usage.ru_stime, usage.ru_maxrss, os.path.getsize(output), child.returncode)


def cost(program, verb, folder, output):
    """The less expensive one of two runs: other load makes a run slower, never faster."""
    first = run(program, verb, folder, output)
    if first.seconds > 1.0:
        return first
    return min(first, run(program, verb, folder, output), key=lambda cost: cost.seconds)


def exponent(costs, part, floor):
    """The slope of the logarithm of a cost over that of the size, between the two largest sizes."""
    if len(costs) < 2:
        return None
    (small, less), (large, more) = costs[-2:]
    above = lambda cost: max(part(cost) - floor, 1e-9)
    return math.log(above(more) / above(less)) / math.log(large / small)


def print_heading(programs):
    """Prints the first lines of the table."""
    columns = ["exponent", "seconds", "MiB", "KiB for each more"]
    names = ["grows", "verb", "size", "exponent of the output"]
    names += [f"{column} {label}".strip() for label in programs for column in columns]
    print("|", " | ".join(names), "|")
    print("|" + "---|" * len(names), flush=True)


def cells(costs, floor):
    """The cells of one program in a row, and the exponent of its time."""
    (first, less), (last, more) = costs[0], costs[-1]
    slope = exponent(costs, lambda cost: cost.seconds, floor) if more.seconds >= SHORTEST else None
    each = max(more.kibibytes - less.kibibytes, 0) / (last - first) if last > first else None
    columns = ["-" if slope is None else f"{max(slope, 0):.1f}", f"{more.seconds:.2f}", f"{more.kibibytes / 1024:.0f}"]
    columns.append("-" if each is None else f"{each:.2f}")
    return columns, slope


def shown(verb):
    """The verb as the table has it: without the nodes and the facts that all cases have."""
    return " ".join(word for word in verb if word not in ("facts.ndjson", "n000000.example.com"))[:70]


def print_rows(case, programs, verbs, multiples, above, scratch):
    """Measures a case, and prints a row for each verb."""
    chosen = [verb for verb in case.verbs if not verbs or any(" ".join(verb).startswith(start) for start in verbs)]
    if not chosen:
        return
    output = scratch / "output"
    floors = {label: min(run(program, ["--version"], scratch, output).seconds for _ in range(5)) for label, program in programs.items()}
    costs = {(number, label): [] for number in range(len(chosen)) for label in programs}
    folder = Folder(scratch / "folder")
    for multiple in multiples:
        size = case.size * multiple
        if case.most and size > case.most or all(known and known[-1][1].seconds > LONG for known in costs.values()):
            break
        shutil.rmtree(folder.path, ignore_errors=True)
        folder.path.mkdir()
        case.write(folder, size)
        for number, verb in enumerate(chosen):
            arguments = [word.replace("{size}", str(size)).replace("{last}", str(size - 1)) for word in verb]
            for label, program in programs.items():
                known = costs[number, label]
                if known and known[-1][1].seconds > LONG:
                    continue
                found = cost(program, arguments, folder.path, output)
                # A run that ends at a limit is none of this size.
                if not known or known[0][1].code == found.code:
                    known.append((size, found))
    for number, verb in enumerate(chosen):
        own = {label: costs[number, label] for label in programs}
        rows = [cells(own[label], floors[label]) for label in programs]
        if rows[-1][1] is not None and rows[-1][1] < above or above and rows[-1][1] is None:
            continue
        last = list(own.values())[-1]
        printed = exponent(last, lambda cost: cost.output + 1, 0)
        size = max(size for known in own.values() for size, _ in known)
        columns = [case.grows, f"`{shown(verb)}`", str(size), "-" if printed is None else f"{max(printed, 0):.1f}"]
        columns += [text for row, _ in rows for text in row]
        print("|", " | ".join(text.replace("|", "\\|") for text in columns), "|", flush=True)
