"""Public templates, and variables with which Jinja2 renders them."""
import copy
import json
import os

import jinja2


class Unknown(Exception):
    """A template that no variables were found for."""


class Made(dict):
    """Variables that are made up as a template asks for them."""


SWITCHES = ("enable", "use_", "is_", "allow", "debug", "ssl", "tls")
NUMBERS = (
    "port size count timeout limit workers max min interval num retries memory processes connections days version".split()
)


def guesses(name):
    """What a variable of this name may hold, the likely one first."""
    last = name.lower().rsplit("_", 1)[-1]
    if any(word in name.lower() for word in SWITCHES) and last not in ("port", "path", "file", "dir"):
        return [True, "yes", [], {}]
    if last in NUMBERS:
        return [8080, "1.2.3", "8080", {}, []]
    if last.endswith("s") and not last.endswith(("ss", "us", "dns", "https")):
        rows = [{"name": name, "value": 1, "state": "present", "key": "k"} for name in ("one", "two")]
        return [rows, ["one", "two"], {"one": "1", "two": "2"}, "one two", 3]
    return ["text", 8080, {"name": "one", "value": 1}, ["one", "two"], True]


FACTS = {
    "ansible_managed": "Ansible managed",
    "inventory_hostname": "web1.example.com",
    "inventory_hostname_short": "web1",
    "ansible_hostname": "web1",
    "ansible_fqdn": "web1.example.com",
    "ansible_host": "192.0.2.1",
    "ansible_os_family": "Debian",
    "ansible_distribution": "Debian",
    "ansible_distribution_version": "12",
    "ansible_distribution_major_version": "12",
    "ansible_distribution_release": "bookworm",
    "ansible_processor_vcpus": 4,
    "ansible_memtotal_mb": 8000,
    "ansible_user_id": "root",
    "ansible_default_ipv4": {
        "address": "192.0.2.1",
        "interface": "eth0",
        "gateway": "192.0.2.254",
        "network": "192.0.2.0",
        "netmask": "255.255.255.0",
    },
    "ansible_default_ipv6": {"address": "2001:db8::1"},
    "ansible_all_ipv4_addresses": ["192.0.2.1"],
    "ansible_eth0": {"ipv4": {"address": "192.0.2.1"}},
    "groups": {"all": ["web1.example.com", "web2.example.com"]},
    "group_names": ["web"],
    "hostvars": {
        name: {"ansible_default_ipv4": {"address": "192.0.2.1"}, "ansible_host": "192.0.2.1", "ansible_fqdn": name}
        for name in ("web1.example.com", "web2.example.com")
    },
    "item": {"name": "one", "value": "1", "key": "k", "state": "present"},
    "play_hosts": ["web1.example.com", "web2.example.com"],
}

FILTERS = {
    # What Ansible adds and templates use most, for Jinja2's side.
    "bool": lambda value: value if isinstance(value, bool) else str(value).lower() in ("yes", "on", "1", "true"),
    "ternary": lambda value, one, other, none=None: none if value is None and none is not None else one if value else other,
    "to_json": lambda value, **options: json.dumps(value, **options),
    "basename": os.path.basename,
    "dirname": os.path.dirname,
}


def accepted(text, environment):
    """Variables with which Jinja2 renders a template, found by asking what it misses."""
    strict = environment()
    strict.filters.update(FILTERS)
    template = strict.from_string(text)
    from jinja2 import meta

    names = meta.find_undeclared_variables(strict.parse(text))
    variables = {name: copy.deepcopy(FACTS[name]) if name in FACTS else guesses(name)[0] for name in names}
    tried = {name: 0 for name in names}
    for _ in range(60):
        try:
            template.render(variables)
            return variables
        except jinja2.UndefinedError as error:
            # "'dict object' has no attribute 'x'": give it one, wherever it may be.
            missing = str(error).rsplit("'", 2)[-2] if str(error).count("'") > 1 else ""
            if not missing or not give(variables, missing):
                if not other_guess(variables, tried):
                    raise Unknown(str(error)) from error
        except (jinja2.TemplateNotFound, jinja2.TemplateSyntaxError, jinja2.TemplateAssertionError) as error:
            raise Unknown(str(error)) from error
        except Exception as error:
            if not other_guess(variables, tried):
                raise Unknown(str(error)) from error
    raise Unknown("no variables were found")


def printed(text, variables, environment):
    """What Jinja2 makes of a template."""
    strict = environment()
    strict.filters.update(FILTERS)
    return strict.from_string(text).render(variables)


def give(value, missing, depth=0):
    """Gives dictionaries inside of a value what they miss; whether any missed it."""
    given = False
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else []
    if isinstance(value, dict) and depth > 0 and missing not in value:
        value[missing] = guesses(missing)[0]
        given = True
    for item in list(inside):
        given |= isinstance(item, (dict, list)) and depth < 4 and give(item, missing, depth + 1)
    return given


def other_guess(variables, tried):
    """Makes up another value for the variable that was changed least."""
    for name in sorted(tried, key=tried.get):
        choices = guesses(name)
        if name not in FACTS and tried[name] + 1 < len(choices):
            tried[name] += 1
            variables[name] = choices[tried[name]]
            return True
    return False


def usable(public, environment):
    """The templates below a folder that Jinja2 renders: their path, their text and their variables."""
    found = []
    for path, _, names in sorted(os.walk(public)):
        for name in sorted(names):
            if not name.endswith(".j2"):
                continue
            try:
                with open(os.path.join(path, name), newline="") as file:
                    text = file.read().replace("\r\n", "\n")
                variables = accepted(text, environment)
                json.dumps(variables)
            except (Unknown, jinja2.TemplateError, UnicodeDecodeError, ValueError):
                continue
            # The first line with options is Ansible's, and some variables that are made up make a text of megabytes.
            if ("{{" in text or "{%" in text) and not text.startswith("#jinja2:") and len(printed(text, variables, environment)) < 100_000:
                found.append((os.path.join(path, name), text, variables))
    return found
