"""Inventories at random, with files of variables beside them, and what a template of a role prints for each host.

    python inventories.py COUNT SEED > ../../jinja/inventories.jsonl

Inventories are INI, YAML, or a folder with both. Groups have children, priorities and variables; files and folders of variables are beside the
inventory and beside the playbook, in several forms. Answers are those of ansible-core 2.15.9.
"""
import json
import os
import random
import sys
import tempfile
import warnings

warnings.simplefilter("ignore")
os.environ["ANSIBLE_LOCALHOST_WARNING"] = "0"
os.environ["HOME"] = tempfile.mkdtemp()
import yaml
from ansible import context
from ansible.inventory.manager import InventoryManager
from ansible.module_utils.common.collections import ImmutableDict
from ansible.parsing.dataloader import DataLoader
from ansible.playbook.play import Play
from ansible.template import Templar
from ansible.utils.display import Display
from ansible.vars.manager import VariableManager

context.CLIARGS = ImmutableDict(tags=[], skip_tags=[], verbosity=0)
Display.warning = Display.deprecated = Display.display = lambda *args, **named: None
r = random.Random(int(sys.argv[2]))
NAMES = ["v%d" % at for at in range(6)]
PRINTED = "".join("{%% if %s is defined %%}%s={{ %s | to_json }}\n{%% endif %%}" % (name, name, name) for name in [*NAMES, "ansible_group_priority"])
PRINTED += "{{ group_names }} {{ inventory_hostname }} {{ groups | to_json }} {{ hostvars | list }}\n"


def value():
    return r.choice([
        r.randint(0, 99), "s%d" % r.randint(0, 99), True, None, [1, "a"], {"k": r.randint(0, 9)}, "{{ inventory_hostname }}x", "yes", "1.50", "0x1F", "007",
        "'q'", "a b", 3.25, "{{ inventory_hostname }}", "a#b", "a #b", "[1, 2]", "{'a': 1}", "None", "True", "-5", "1e3", "é", "",
    ])


def variables(share):
    return {name: value() for name in NAMES if r.random() < share}


def word(given):
    text = str(given)
    return "'%s'" % text if '"' in text or r.random() < 0.2 and "'" not in text else '"%s"' % text if set(" '#{") & set(text) or not text else text


def assigned(given):
    return "".join(" %s=%s" % (name, word(item)) for name, item in given.items() if not isinstance(item, (list, dict)))


def write(root, name, text):
    path = os.path.join(root, name)
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "x") as file:
            file.write(text)
    except OSError:
        # What is there already stays.
        pass


class Case:
    def __init__(self, root):
        self.groups = ["g%d" % at for at in range(r.randint(1, 5))]
        self.hosts = ["h%d" % at for at in range(r.randint(1, 4))] + (["web[1:3].x"] if r.random() < 0.2 else [])
        self.members = {group: [host for host in r.sample(self.hosts, len(self.hosts)) if r.random() < 0.6] for group in self.groups}
        self.children = {group: [child for child in self.groups[at + 1 :] if r.random() < 0.4] for at, group in enumerate(self.groups)}
        self.of_groups = {group: variables(0.25) for group in self.groups}
        self.of_hosts = {host: variables(0.2) for host in self.hosts}
        for group in self.groups:
            if r.random() < 0.2:
                self.of_groups[group]["ansible_group_priority"] = r.randint(1, 12)
        kind = r.choice(["ini", "yaml", "folder"])
        beside = "inventory/" if kind == "folder" or r.random() < 0.5 else ""
        self.inventory = {"ini": beside + "hosts", "yaml": beside + "hosts.yml", "folder": "inventory"}[kind]
        if kind == "folder":
            write(root, "inventory/01-a", self.ini())
            write(root, "inventory/02-b.yml", self.yaml())
        else:
            write(root, self.inventory, self.ini() if kind == "ini" else self.yaml())
        for folder in dict.fromkeys([beside, ""]):
            self.files(root, folder)
        write(root, "roles/app/defaults/main.yml", yaml.safe_dump(variables(0.2)))
        write(root, "roles/app/templates/t.j2", PRINTED)

    def ini(self):
        lines = [host + assigned(self.of_hosts[host]) for host in self.hosts if r.random() < 0.4]
        for group in r.sample(self.groups, len(self.groups)):
            lines.append("[%s]" % group)
            lines += [host + (assigned(variables(0.15)) if r.random() < 0.3 else "") + r.choice(["", " # note"]) for host in self.members[group]]
            if self.children[group]:
                lines += ["[%s:children]" % group, *self.children[group]]
            if self.of_groups[group] and r.random() < 0.8:
                lines.append("[%s:vars]" % group)
                for name, item in self.of_groups[group].items():
                    lines.append(name + r.choice(["=", " = "]) + (r.choice([item, repr(item)]) if isinstance(item, str) else str(item)))
        if r.random() < 0.3:
            lines += ["[all:vars]", *("%s=%s" % pair for pair in variables(0.2).items())]
        return "\n".join(lines) + "\n"

    def yaml(self):
        def group(name):
            parts = {"hosts": {host: (variables(0.15) if r.random() < 0.3 else None) for host in self.members[name]}, "children": dict.fromkeys(self.children[name]),
                     "vars": self.of_groups[name]}
            return {part: parts[part] for part in r.sample(list(parts), 3) if parts[part]} or None

        top = {"children": {name: group(name) for name in r.sample(self.groups, len(self.groups))}}
        if r.random() < 0.7:
            top["hosts"] = {host: self.of_hosts[host] or None for host in self.hosts if r.random() < 0.8}
        if r.random() < 0.3:
            top["vars"] = variables(0.2)
        return yaml.safe_dump({"all": top}, sort_keys=False, allow_unicode=True)

    def files(self, root, folder):
        if r.random() < 0.2:
            return
        hosts = [name for host in self.hosts for name in (["web%d.x" % at for at in (1, 2, 3)] if host.startswith("web") else [host])]
        for kind, names in [("group_vars", [*self.groups, "all", "ungrouped"]), ("host_vars", hosts)]:
            for name in names:
                base = "%s%s/%s" % (folder, kind, name)
                for _ in range(r.choice([0, 0, 0, 1, 1, 2])):
                    ending = r.choice(["", ".yml", ".yaml", ".json"])
                    given = variables(0.3)
                    write(root, base + ending, json.dumps(given) if ending == ".json" else yaml.safe_dump(given, allow_unicode=True))
                if r.random() < 0.12:
                    for inner in ["b.yml", "a.yml", "c", "d.txt", "sub/e.yml", "old.d/f.yml", ".g.yml", "h.yml~", "i.json"]:
                        if r.random() < 0.4:
                            write(root, base + "/" + inner, json.dumps(variables(0.3)))


def answers(root, case):
    loader = DataLoader()
    loader.set_basedir(root)
    inventory = InventoryManager(loader=loader, sources=[os.path.join(root, case.inventory)])
    manager = VariableManager(loader=loader, inventory=inventory)
    play = Play().load({"name": "p", "hosts": "all", "gather_facts": False, "roles": ["app"]}, variable_manager=manager, loader=loader)
    from ansible.vars.hostvars import HostVars
    manager._hostvars = HostVars(inventory=inventory, variable_manager=manager, loader=loader)
    found = {}
    for host in inventory.get_hosts():
        known = {**play.roles[0].get_default_vars(), **manager.get_vars(play=play, host=host)}
        templar = Templar(loader, variables=known)
        found[host.name] = templar.do_template(PRINTED, preserve_trailing_newlines=True, escape_backslashes=False, overrides=dict(trim_blocks=True))
    return found


count = int(sys.argv[1])
while count:
    with tempfile.TemporaryDirectory() as root:
        case = Case(root)
        files = {os.path.relpath(os.path.join(folder, name), root): open(os.path.join(folder, name)).read() for folder, _, names in os.walk(root) for name in names}
        try:
            hosts = answers(root, case)
        except Exception as fault:
            print(json.dumps({"inventory": case.inventory, "files": files, "error": str(fault)[:200]}, ensure_ascii=False)) if "-e" in sys.argv else None
            continue
        if hosts:
            count -= 1
            print(json.dumps({"inventory": case.inventory, "files": files, "hosts": hosts}, ensure_ascii=False))
