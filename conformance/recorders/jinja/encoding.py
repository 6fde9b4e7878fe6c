"""Values of Python as the recorded cases write them; see conformance/jinja/README.md."""
import datetime


class Odd(Exception):
    """What is no data."""


def enc(v, d=0):
    if d > 50: raise Odd("deep")
    if v is None or isinstance(v, bool): return v
    if isinstance(v, str): return str.__str__(v) if type(v) is str else "".join(v)
    if isinstance(v, int): return v if -2**63 <= v < 2**63 else {"$int": str(v)}
    if isinstance(v, float): return {"$float": repr(v)}
    if isinstance(v, bytes): return {"$bytes": v.hex()}
    if isinstance(v, (datetime.datetime, datetime.date, datetime.timedelta)): return str(v)
    if isinstance(v, dict) or hasattr(v, "keys"):
        if all(isinstance(k, str) for k in v) and not any(k.startswith("$") for k in v): return {str(k): enc(x, d+1) for k, x in v.items()}
        return {"$dict": [[enc(k, d+1), enc(x, d+1)] for k, x in v.items()]}
    if isinstance(v, (list, tuple)): return [enc(x, d+1) for x in v]
    if hasattr(v, "__iter__"): return [enc(x, d+1) for x in v]
    raise Odd(type(v).__name__)


def dec(v):
    if isinstance(v, dict):
        if len(v) == 1:
            k, x = next(iter(v.items()))
            if k == "$int": return int(x)
            if k == "$float": return float(x)
            if k == "$bytes": return bytes.fromhex(x)
            if k == "$dict": return {dec(a): dec(b) for a, b in x}
            if k == "$tuple": return tuple(dec(y) for y in x)
        return {k: dec(x) for k, x in v.items()}
    if isinstance(v, list): return [dec(x) for x in v]
    return v
