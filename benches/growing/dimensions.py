"""The dimensions of a control repository, each with all verbs that read one."""
from .case import Case, lines
from .repository import node

ONE = ["--node", "n000000.example.com", "--facts", "facts.ndjson"]
FACTS = ["--facts", "facts.ndjson"]
NODES = ["--nodes", "facts.ndjson"]


def verbs(key, changed="data/common.yaml"):
    """All verbs that read a control repository. Lookups ask for a key."""
    return [
        ["lookup", key, *ONE],
        ["lookup", key, "--explain", *ONE],
        ["lookup", key, "--why", *ONE],
        ["lookup", "--all", *ONE],
        ["lookup", "--all", "--origins", *ONE],
        ["lookup", "--all", *NODES],
        ["compare", node(0), node(1), *FACTS],
        ["check"],
        ["check", *FACTS],
        ["check", "--hygiene", *FACTS],
        ["check", "--unused"],
        ["check", "--catalogs", *FACTS],
        ["diff", "HEAD", *NODES],
        ["diff", "HEAD", *NODES, "--format", "json"],
        ["diff", "HEAD", *NODES, "--catalogs"],
        ["affected", changed, *NODES],
        ["history", "role::k", *ONE],
        ["refactor", "rename", "k::k3", "k::renamed", *NODES],
        ["refactor", "prune", *NODES],
        ["schema"],
        ["types", *NODES],
        ["catalog", node(0), *FACTS],
        ["catalog", "--all", *FACTS],
        ["eval", "-e", "lookup('k::k1')", *NODES],
    ]


def case(grows, size, write, key="k::k1", changed="data/common.yaml", most=None):
    """A dimension. Files are written into a repository that has one commit and a change."""

    def written(folder, size):
        parts, after = write(size), None
        if isinstance(parts, tuple):
            parts, after = parts
        folder.repository(**parts)
        if after:
            after(folder)
        folder.commit()
        folder.replace("data/common.yaml", "k::k2: 'value 2'", "k::k2: 'changed'")

    return Case(grows, size, written, verbs(key, changed), most)


def data(line):
    """More lines of the common data, made of numbers."""
    return lambda size: dict(data=lines(size, line))


def options(pattern):
    """Keys with options, of which each has its own or a pattern."""

    def write(size):
        name = (lambda number: f"'^rx{number}::.*'") if pattern else (lambda number: f"'rx{number}::k'")
        given = lines(size, lambda number: f"  {name(number)}: {{merge: unique}}\n")
        return dict(data="lookup_options:\n" + given + lines(size, lambda number: f"rx{number}::k: [{number}]\n"))

    return write


def widths(kind):
    """A merged value with many entries on all levels."""

    def write(size):
        if kind == "hash":
            common = "deep::k:\n" + lines(size, lambda number: f"  e{number}: {{x: {number}, y: [a, b]}}\n")
            level = "deep::k:\n" + lines(size, lambda number: f"  e{number}: {{y: [c], l: 1}}\n")
        else:
            common = "unique::k:\n" + lines(size, lambda number: f"  - item{number}\n")
            level = "unique::k:\n" + lines(size, lambda number: f"  - item{number + size // 2}\n")
        return dict(data=common), lambda folder: [folder.write(f"data/l/{number}.yaml", level) for number in range(2)]

    return write


def commits(size):
    """Commits of which most change another key of a file that is read."""

    def after(folder):
        folder.commit()
        stream = []
        for number in range(size):
            text = f"role::k: {number // 2}\nk::k0: role0\nother: {number}\n"
            start = "from refs/heads/main^0\n" if number == 0 else ""
            stream.append(
                f"commit refs/heads/main\ncommitter A <a@example.com> {1700000000 + number} +0000\ndata 1\nc\n{start}"
                f"M 100644 inline data/roles/r0.yaml\ndata {len(text)}\n{text}\n"
            )
        folder.git("fast-import", "--quiet", stdin="".join(stream).encode())
        folder.git("reset", "-q", "--hard", "main")
        folder.append("data/roles/r0.yaml", "last: 1\n")

    return {}, after


def statements(more):
    """More statements of the manifest of all nodes."""

    def write(size):
        def after(folder):
            path = folder.path / "manifests/site.pp"
            folder.write("manifests/site.pp", path.read_text().removesuffix("}\n") + more(size) + "}\n")

        return {}, after

    return write


def relations(size):
    """Resources, each before the next one."""
    notified = lines(size, lambda number: f"  notify {{ 'r{number}': }}\n")
    return notified + lines(size - 1, lambda number: f"  Notify['r{number}'] -> Notify['r{number + 1}']\n")


CASES = [
    case("keys", 500, lambda size: dict(keys=size)),
    case("data files of other nodes", 200, lambda size: dict(files=size)),
    case("nodes", 200, lambda size: dict(nodes=size)),
    case("nodes, each with its file", 100, lambda size: dict(files=size, nodes=size), changed="data/nodes"),
    case("levels", 20, lambda size: dict(levels=size), key="deep::k"),
    case("options of keys", 100, options(False)),
    case("patterns in options", 100, options(True)),
    case("a chain of lookup()", 20, data(lambda n: f"chain::k{n}: " + (f"\"%{{lookup('chain::k{n - 1}')}}\"\n" if n else "end\n")), key="chain::k{last}", most=900),
    case("aliases of one key", 100, data(lambda n: f"alias::k{n}: " + ("\"%{alias('alias::k0')}\"\n" if n else "end\n")), key="alias::k{last}"),
    case("entries of a merged hash", 100, widths("hash"), key="deep::k"),
    case("elements of a merged array", 200, widths("array"), key="unique::k"),
    case("lines of a string", 2000, lambda size: dict(data="text::k: |\n" + lines(size, lambda n: f"  line {n} of the string\n")), key="text::k"),
    case("interpolations in a value", 100, lambda size: dict(data='fan::k: "' + lines(size, lambda n: f"%{{lookup('k::k{n % 50}')}}") + '"\n'), key="fan::k"),
    case("literals in a value", 100, lambda size: dict(data="esc::k: \"" + "%{literal('%')}{x} " * size + '"\n'), key="esc::k"),
    case("keys with variables", 300, data(lambda n: f"v::k{n}: 'at %{{facts.role}} on %{{trusted.certname}} {n}'\n"), key="v::k1"),
    case("keys that name a missing key", 50, data(lambda n: f"bad::k{n}: \"%{{lookup('nope::n{n}')}}\"\n")),
    case("classes", 30, lambda size: dict(classes=size)),
    case("parameters of classes", 30, lambda size: dict(parameters=size)),
    case("resources of classes", 50, lambda size: dict(resources=size)),
    case("modules", 20, lambda size: dict(modules=size)),
    case("commits", 50, commits),
    case("resources of a manifest", 100, statements(lambda size: lines(size, lambda n: f"  file {{ '/tmp/f{n}': content => \"x${{facts['role']}} {n}\", mode => '0644' }}\n"))),
    case("relations of a manifest", 100, statements(relations)),
]
