"""Renders the templates of roles as a play of Ansible does and by `hieratic render --role`, and compares bytes or failure.

    COLLECTIONS=FOLDER python roles.py HIERATIC FACTS OUT.jsonl ROLE...

HIERATIC is the command, FACTS a file that `ansible -m setup --tree` wrote, and COLLECTIONS a folder with `ansible_collections`
(`pip install --no-deps --target FOLDER ansible==8.7.0`). Needs ansible-core 2.15.9 and netaddr 1.3.0. Call it with copies of
roles, one role a process: filters of a role in Python stay loaded, and the tasks of each role are replaced by one task of the
module `template` for each file in `templates`. A play of the implicit localhost uses the role. If a variable is undefined, the
template is rendered once more with values for all variables that nothing defines, made from their uses in the template; both
get them as extra variables.

A line of OUT has the role, the template and the `kind`: `equal`, `equal, empty`, `both fail`, `fails here` (and not in Ansible),
`works here` (and fails in Ansible), `WRONG` (other bytes), `slow` (Ansible takes more than 30 seconds) or `role` (Ansible cannot
load the role).
"""
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import traceback
import warnings

os.environ["ANSIBLE_LOCALHOST_WARNING"] = "0"
warnings.simplefilter("ignore")
import yaml
from ansible import context
from ansible.cli import CLI
from ansible.inventory.manager import InventoryManager
from ansible.module_utils.common.collections import ImmutableDict
from ansible.parsing.dataloader import DataLoader
from ansible.playbook.play import Play
from ansible.playbook.play_context import PlayContext
from ansible.plugins.loader import action_loader, add_all_plugin_dirs, connection_loader
from ansible.template import AnsibleEnvironment, Templar
from ansible.utils.collection_loader._collection_finder import _AnsibleCollectionFinder
from ansible.utils.display import Display
from ansible.utils.vars import load_options_vars
from ansible.vars.hostvars import HostVars
from ansible.vars.manager import VariableManager
from jinja2 import meta, nodes

context.CLIARGS = ImmutableDict(
    tags=["all"], skip_tags=[], listtags=False, listtasks=False, listhosts=False, syntax=False, connection="local", module_path=None,
    forks=5, private_key_file=None, remote_user=None, become=False, become_method="sudo", become_user=None, verbosity=0, check=False,
    diff=False, start_at_task=None, subset=None,
)
Display.warning = Display.deprecated = Display.display = lambda *args, **named: None
_AnsibleCollectionFinder(paths=os.environ.get("COLLECTIONS", "").split(":"), scan_sys_paths=True)._install()

command, facts_file, out = sys.argv[1:4]
facts = json.load(open(facts_file))["ansible_facts"]
get_action = action_loader.get
rendered = {}


class Copy:
    """The action that writes what was rendered."""

    def __init__(self, task):
        self.task = task

    def run(self, task_vars=None):
        rendered["bytes"] = open(self.task.args["src"], "rb").read()
        return {}


class Actions:
    @staticmethod
    def get(name, *args, **named):
        return Copy(named["task"]) if name == "ansible.legacy.copy" else get_action(name, *args, **named)


class Shared:
    action_loader = Actions


class Slow(BaseException):
    pass


def end(*_):
    raise Slow()


signal.signal(signal.SIGALRM, end)


class Shape:
    """What the uses of a name tell of its value."""

    def __init__(self):
        self.keys, self.element, self.is_dict, self.constant, self.is_number, self.is_truth = {}, None, False, None, False, False

    def key(self, name):
        return self.keys.setdefault(name, Shape())

    def item(self):
        self.element = self.element or Shape()
        return self.element

    def value(self, name, depth=0):
        if depth > 8:
            return "deep"
        if self.keys:
            return {key: shape.value(key, depth + 1) for key, shape in self.keys.items()}
        if self.is_dict:
            element = self.element.value("value", depth + 1) if self.element else "v"
            return {"one_" + name: element, "two": element}
        if self.element is not None:
            element = self.element.value(name, depth + 1)
            return [element, element + "_2" if isinstance(element, str) else element]
        if self.constant is not None:
            return self.constant
        if self.is_number or re.search(r"port|size|count|timeout|max|min|num|limit|weight|_id$", name):
            return 4000 + len(name)
        return True if self.is_truth else "x_" + name


METHODS = {"items", "keys", "values", "iteritems", "get", "has_key"}
OF_STRINGS = {"split", "startswith", "endswith", "replace", "strip", "lower", "upper", "format", "join", "find", "count", "title", "rstrip", "lstrip"}
OF_LISTS = {"join", "list", "sort", "unique", "first", "last", "flatten"}
KEEPING = {"default", "d", "list", "sort", "unique", "flatten", "mandatory"}
ITERATED = {"dictsort", "list", "sort", "default", "d", "dict2items", "unique", "flatten"}


def shapes(tree):
    """The shapes of the names that a template uses."""
    scope = {}

    def of(node, local):
        if isinstance(node, nodes.Name):
            return local[node.name] if node.name in local else scope.setdefault(node.name, Shape())
        if isinstance(node, nodes.Getattr):
            if node.attr in OF_STRINGS:
                return None
            shape = of(node.node, local)
            if node.attr in METHODS:
                if shape:
                    shape.is_dict = True
                return None
            return shape.key(node.attr) if shape else None
        if isinstance(node, nodes.Getitem):
            shape = of(node.node, local)
            if shape is None:
                return None
            if isinstance(node.arg, nodes.Const):
                return shape.key(node.arg.value) if isinstance(node.arg.value, str) else shape.item()
            shape.is_dict = True
            return shape.item()
        if isinstance(node, nodes.Filter) and node.node is not None:
            shape = of(node.node, local)
            if shape is None:
                return None
            shape.is_number |= node.name in ("int", "float")
            shape.is_truth |= node.name == "bool"
            if node.name in OF_LISTS and not shape.is_dict and not shape.keys:
                shape.item()
            return shape if node.name in KEEPING else None
        return None

    def loop(node, local):
        inner, iterated, has_pairs, has_entries, is_mapping = dict(local), node.iter, False, False, False
        while isinstance(iterated, nodes.Filter) and iterated.name in ITERATED and iterated.node is not None:
            has_pairs |= iterated.name == "dictsort"
            has_entries |= iterated.name == "dict2items"
            iterated = iterated.node
        if isinstance(iterated, nodes.Call) and isinstance(iterated.node, nodes.Getattr) and iterated.node.attr in METHODS:
            has_pairs = iterated.node.attr in ("items", "iteritems")
            iterated, is_mapping = iterated.node.node, True
        shape = of(iterated, local)
        targets = node.target.items if isinstance(node.target, nodes.Tuple) else [node.target]
        names = [target.name if isinstance(target, nodes.Name) else None for target in targets]
        if shape is not None:
            shape.is_dict |= has_pairs or has_entries or is_mapping
            if has_entries:
                entry = Shape()
                entry.keys = {"key": Shape(), "value": shape.item()}
                inner[names[0]] = entry
            elif has_pairs and len(names) > 1:
                inner[names[1]] = shape.item()
            elif len(names) == 1:
                inner[names[0]] = shape.item()
        for name in names:
            if inner.get(name) is local.get(name):
                inner[name] = Shape()
        inner["loop"] = Shape()
        walk(node.iter, local)
        for child in node.body + node.else_ + ([node.test] if node.test else []):
            walk(child, inner)

    def walk(node, local):
        if isinstance(node, nodes.For):
            return loop(node, local)
        if isinstance(node, nodes.Compare) and len(node.ops) == 1:
            operand = node.ops[0]
            shape = of(node.expr, local)
            if shape is not None and isinstance(operand.expr, nodes.Const) and operand.op in ("eq", "gt", "lt", "gteq", "lteq"):
                shape.constant = operand.expr.value
            other = of(operand.expr, local) if operand.op in ("in", "notin") else None
            if other is not None and not other.keys and not other.is_dict:
                other.item()
        if isinstance(node, (nodes.Getattr, nodes.Getitem, nodes.Filter, nodes.Name)):
            of(node, local)
        if isinstance(node, nodes.If):
            shape = of(node.test, local)
            if shape is not None:
                shape.is_truth = True
        for child in node.iter_child_nodes():
            walk(child, local)

    walk(tree, {})
    return scope


GIVEN = {
    "lookup", "query", "q", "now", "range", "vars", "omit", "dict", "namespace", "lipsum", "cycler", "joiner", "undef", "hostvars", "groups",
    "ansible_managed", "template_path", "template_host", "template_uid", "template_destpath", "template_fullpath", "template_mtime",
    "template_run_date", "inventory_hostname",
}


def invented(path, known):
    """Values for the variables that nothing defines."""
    environment = AnsibleEnvironment(extensions=["jinja2.ext.do", "jinja2.ext.loopcontrols"], loader=None)
    try:
        tree = environment.parse(open(path).read())
        found = shapes(tree)
        names = meta.find_undeclared_variables(tree)
    except Exception:
        return {}
    return {name: found.get(name, Shape()).value(name) for name in sorted(names) if name not in known and name not in GIVEN}


def tasks_of(blocks):
    """The tasks in blocks, and in those in them."""
    for block in blocks:
        if hasattr(block, "block"):
            yield from tasks_of(block.block)
        else:
            yield block


class Use:
    """A play that uses a role."""

    def __init__(self, role):
        self.role = os.path.abspath(role)
        parts = self.role.split(os.sep)
        at = max((at for at, part in enumerate(parts[:-1]) if part == "roles"), default=None)
        self.playbook = os.path.dirname(self.role) if at is None else os.sep.join(parts[:at])
        name = os.path.basename(self.role) if at is None else os.path.relpath(self.role, os.path.join(self.playbook, "roles"))
        self.templates = os.path.join(self.role, "templates")
        files = [os.path.join(folder, file) for folder, _, files in os.walk(self.templates) for file in files]
        names = sorted(os.path.relpath(file, self.templates) for file in files)
        for part in ("tasks", "handlers"):
            part = os.path.join(self.role, part)
            if os.path.isdir(part) and not os.path.isdir(part + ".kept"):
                os.rename(part, part + ".kept")
        os.makedirs(os.path.join(self.role, "tasks"), exist_ok=True)
        with open(os.path.join(self.role, "tasks", "main.yml"), "w") as file:
            yaml.safe_dump([{"template": {"src": name, "dest": "/tmp/out/" + name}} for name in names], file)
        self.loader = DataLoader()
        self.loader.set_basedir(self.playbook)
        add_all_plugin_dirs(self.playbook)
        inventory = InventoryManager(loader=self.loader, sources=[])
        self.manager = VariableManager(loader=self.loader, inventory=inventory)
        self.host = inventory.get_host("localhost")
        self.manager._hostvars = HostVars(inventory=inventory, variable_manager=self.manager, loader=self.loader)
        self.manager._options_vars = load_options_vars(CLI.version_info(gitinfo=False))
        self.manager.set_host_facts("localhost", dict(facts))
        play = {"name": "p", "hosts": "localhost", "connection": "local", "gather_facts": False, "roles": [{"role": name}]}
        self.play = Play().load(play, variable_manager=self.manager, loader=self.loader)
        self.tasks = [task for task in tasks_of(self.play.compile()) if task.action == "template" and task._role and task._role._role_path == self.role]

    def variables(self, task, extra):
        self.manager._extra_vars = extra
        known = self.manager.get_vars(play=self.play, host=self.host, task=task, _hosts=["localhost"], _hosts_all=["localhost"])
        known["ansible_search_path"] = task.get_search_path() + [self.playbook]
        return known

    def rendering(self, task, extra):
        """The bytes, or the error."""
        known = self.variables(task, extra)
        connection = connection_loader.get("local", PlayContext(), "/dev/null")
        connection._shell.tmpdir = None
        action = get_action(
            "ansible.builtin.template", task=task.copy(), connection=connection, play_context=PlayContext(play=self.play),
            loader=self.loader, templar=Templar(loader=self.loader, variables=known), shared_loader_obj=Shared,
        )
        rendered.clear()
        signal.alarm(30)
        try:
            result = action.run(task_vars=known)
        except Slow:
            return None, "slow"
        except Exception as fault:
            return None, "%s: %s" % (type(fault).__name__, fault)
        finally:
            signal.alarm(0)
        return (None, str(result.get("msg"))) if result.get("failed") else (rendered["bytes"], None)

    def compare(self, sink):
        for task in self.tasks:
            name, extra = task.args["src"], {}
            wanted, error = self.rendering(task, extra)
            self.judge(name, extra, wanted, error, sink)
            if error and ("undefined" in error or "has no attribute" in error):
                extra = invented(os.path.join(self.templates, name), self.variables(task, {}))
                if extra:
                    self.judge(name, extra, *self.rendering(task, extra), sink)

    def judge(self, name, extra, wanted, error, sink):
        row = dict(role=self.role, template=name, extra=extra, error=error)
        if error == "slow":
            return sink(dict(row, kind="slow"))
        with tempfile.NamedTemporaryFile("w", suffix=".yml") as file:
            yaml.safe_dump(extra, file, allow_unicode=True)
            file.flush()
            arguments = [command, "render", "--role", self.role, name, "--facts", facts_file, "--vars", file.name]
            environment = {"PATH": os.environ["PATH"], "HOME": "/nonexistent"}
            done = subprocess.run(arguments, capture_output=True, timeout=120, cwd=self.playbook, env=environment)
        is_done = done.returncode == 0
        if wanted is None:
            kind = "works here" if is_done else "both fail"
        elif not is_done:
            kind = "fails here"
        elif wanted == done.stdout:
            kind = "equal" if wanted.strip() else "equal, empty"
        else:
            kind = "WRONG"
            row.update(wanted=wanted.decode(errors="replace"), got=done.stdout.decode(errors="replace"))
        sink(dict(row, kind=kind, message=done.stderr.decode(errors="replace")[:3000]))


with open(out, "a") as file:
    def write(row):
        file.write(json.dumps(row, default=str) + "\n")
        file.flush()

    for role in sys.argv[4:]:
        try:
            Use(role).compare(write)
        except Exception:
            write(dict(role=role, kind="role", error=traceback.format_exc()[-600:]))
