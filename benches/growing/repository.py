"""A folder in which cases write files, and a small control repository, which a case makes larger in one dimension."""
import json
import os
import subprocess

HIERARCHY = "version: 5\ndefaults: {datadir: data, data_hash: yaml_data}\nhierarchy:\n"
NODE = "  - {name: Node, path: 'nodes/%{trusted.certname}.yaml'}\n"
ROLE = "  - {name: Role, path: 'roles/%{facts.role}.yaml'}\n"
COMMON = "  - {name: Common, path: common.yaml}\n"


def node(number):
    """The name of a node."""
    return f"n{number:06}.example.com"


class Folder:
    """A folder."""

    def __init__(self, path):
        self.path = path

    def write(self, name, text):
        """Writes a file."""
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def append(self, name, text):
        """Adds text to a file."""
        with open(self.path / name, "a") as file:
            file.write(text)

    def replace(self, name, old, new):
        """Replaces text in a file."""
        path = self.path / name
        path.write_text(path.read_text().replace(old, new))

    def hierarchy(self, *levels):
        """Writes a hierarchy."""
        self.write("hiera.yaml", HIERARCHY + "".join(levels))

    def site(self, statements):
        """Writes the statements of all nodes."""
        self.write("manifests/site.pp", "node default {\n" + statements + "}\n")

    def facts(self, count, more=lambda number: {}):
        """Writes the facts of nodes."""
        with open(self.path / "facts.ndjson", "w") as file:
            for number in range(count):
                networking = {"fqdn": node(number)}
                facts = {"role": f"r{number % 3}", "os": {"family": "Debian"}, "networking": networking, **more(number)}
                file.write(json.dumps({"certname": node(number), "facts": facts}) + "\n")

    def git(self, *arguments, stdin=None):
        """Runs git. Its settings and those of the user do not matter."""
        environment = dict(os.environ, GIT_CONFIG_GLOBAL="/dev/null", GIT_CONFIG_NOSYSTEM="1")
        for who in ("AUTHOR", "COMMITTER"):
            environment |= {f"GIT_{who}_NAME": "A", f"GIT_{who}_EMAIL": "a@example.com"}
        subprocess.run(["git", *arguments], cwd=self.path, env=environment, input=stdin, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def commit(self):
        """Commits all files."""
        if not (self.path / ".git").exists():
            self.git("init", "-q", "-b", "main")
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "State")

    def repository(self, *, keys=50, files=5, nodes=5, levels=2, classes=3, parameters=3, resources=3, modules=1, data="", committed=False):
        """Writes a control repository, and more lines of its common data."""
        level = lambda number: f"  - {{name: L{number}, path: 'l/{number}.yaml'}}\n"
        self.hierarchy(NODE, *map(level, range(levels)), ROLE, COMMON)
        self.write("environment.conf", "modulepath = modules\n")
        common = "---\n"
        if "lookup_options:" not in data:
            common += "lookup_options:\n  'deep::k': {merge: deep}\n  'unique::k': {merge: unique}\n"
        common += "".join(f"k::k{number}: 'value {number}'\n" for number in range(keys)) + data
        for module in range(modules):
            for class_ in range(classes):
                common += "".join(f"m{module}::c{class_}::p{number}: {number}\n" for number in range(parameters))
        self.write("data/common.yaml", common)
        for number in range(levels):
            self.write(f"data/l/{number}.yaml", f"l::k{number}: {number}\ndeep::k: {{l{number}: 1}}\nunique::k: [l{number}]\n")
        for number in range(3):
            self.write(f"data/roles/r{number}.yaml", f"role::k: {number}\nk::k0: role{number}\n")
        for number in range(files):
            self.write(f"data/nodes/{node(number)}.yaml", f"node::k: {number}\nk::k1: node{number}\n")
        self.facts(nodes)
        self.classes(modules, classes, parameters, resources)
        if committed:
            # A commit, and a change after it.
            self.commit()
            self.replace("data/common.yaml", "k::k2: 'value 2'", "k::k2: 'changed'")

    def classes(self, modules, classes, parameters, resources):
        """Writes modules with classes, and a manifest that includes all."""
        for module in range(modules):
            for class_ in range(classes):
                declared = "".join(f"  Integer $p{number},\n" for number in range(parameters))
                title = lambda number: f'm{module}c{class_}r{number}' + (" ${p0}" if parameters else "")
                notified = "".join(f'  notify {{ "{title(number)}": }}\n' for number in range(resources))
                text = f"# A class.\nclass m{module}::c{class_} (\n{declared}) {{\n  $x = lookup('k::k1')\n{notified}}}\n"
                self.write(f"modules/m{module}/manifests/c{class_}.pp", text)
        self.site("".join(f"  include m{module}::c{class_}\n" for module in range(modules) for class_ in range(classes)))

    def small(self, **parts):
        """Writes a repository that is as small as possible."""
        self.repository(**{**dict(keys=20, files=3, nodes=3, classes=1, modules=1, resources=1), **parts})
