"""How fast the reference reads, expands and restores a document: documents.py FOLDER, which holds main.yaml.

Needs `pip install unfurl`. Prints the seconds of each step.
"""
import io
import logging
import os
import sys
from time import perf_counter

os.environ.setdefault("UNFURL_LOGGING", "critical")
logging.disable(logging.CRITICAL)
from unfurl import yamlloader

expanding = 0.0
expand_doc = yamlloader.expand_doc


def timed(*args, **kw):
    global expanding
    start = perf_counter()
    try:
        return expand_doc(*args, **kw)
    finally:
        expanding += perf_counter() - start


yamlloader.expand_doc = timed
start = perf_counter()
config = yamlloader.YamlConfig(path=os.path.join(sys.argv[1], "main.yaml"))
print("read", perf_counter() - start - expanding)
print("expand", expanding)
changed = config.expanded
start = perf_counter()
config.restore_includes(changed)
config.config = changed
config.dump(io.StringIO())
print("restore-unchanged", perf_counter() - start)
