"""hyera on the generated repository, in one warm process: FOLDER NODES. Prints lookups, seconds and lookups per second."""

import json
import sys
import time
from pathlib import Path

from hyera import Hiera, Scope


def main(folder, nodes):
    folder = Path(folder)
    keys = (folder / "keys.txt").read_text().split()
    count, seconds = 0, 0.0
    for turn, file in enumerate(sorted((folder / "facts").glob("*.json"))[: int(nodes) + 1]):
        facts = json.loads(file.read_text())
        scope = Scope(facts=facts, trusted={"certname": file.stem}, node_name=file.stem)
        start = time.perf_counter()
        hiera = Hiera(folder / "environments/production/hiera.yaml", scope=scope)
        for key in keys:
            hiera.lookup(key)
        # The first node warms the process up.
        if turn > 0:
            seconds += time.perf_counter() - start
            count += len(keys)
    print(count, f"{seconds:.6f}", f"{count / seconds:.0f}")


main(*sys.argv[1:])
