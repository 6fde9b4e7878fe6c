"""How many single mistakes `check` and `diff` report, alone and with `--hygiene` or `--catalogs`: mistakes.py PROGRAM [REPOSITORY...].

PROGRAM is `hieratic`. Without repositories, a control repository with jobs of Nomad is made, in which everything is right, and 200 mistakes
of 40 kinds are made in it one by one. With repositories, which have to be clones with a commit, the mistakes are made in copies of these, as
far as they have something of the kind; their catalogs are not compiled, because modules are missing.

A mistake is reported if the verb ends with another status than before, or finds something that it did not find before. `diff` compares the
working tree, which has the mistake, with the last commit: that a value or a resource changes counts, too. Prints a table; on standard
error, each mistake that `check` or `check --catalogs` does not report, with what does.
"""
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from pathlib import Path

SERVICES = ["web", "db", "cache", "mail", "queue"]
# How many mistakes of each kind.
EACH = 5

HIERA = """---
version: 5
defaults:
  datadir: data
  data_hash: yaml_data
hierarchy:
  - name: Node
    path: "nodes/%{trusted.certname}.yaml"
  - name: Role
    paths:
      - "roles/%{facts.role}.yaml"
  - name: Secrets
    lookup_key: eyaml_lookup_key
    path: "secrets.eyaml"
    options:
      pkcs7_private_key: keys/private_key.pkcs7.pem
      pkcs7_public_key: keys/public_key.pkcs7.pem
  - name: Common
    path: common.yaml
"""

PROFILE = """# A service.
class profile::NAME (
  Integer[1, 65535] $port,
  Array[String[1]] $hosts,
  String[1] $owner,
  Sensitive[String[1]] $password,
  Boolean $tls = false,
  Hash[String[1], String] $settings = {},
) {
  $folder = "/srv/NAME"

  package { 'NAME-server':
    ensure => installed,
  }

  file { $folder:
    ensure => directory,
    owner  => $owner,
    mode   => '0755',
  }

  file { "${folder}/NAME.conf":
    ensure  => file,
    content => template('profile/NAME.conf.erb'),
    require => Package['NAME-server'],
    notify  => Service['NAME'],
  }

  file { "${folder}/NAME.ini":
    ensure  => file,
    content => epp('profile/NAME.ini.epp', { 'settings' => $settings }),
  }

  file { "${folder}/NAME.txt":
    ensure => file,
    source => 'puppet:///modules/profile/NAME.txt',
  }

  profile::vhost { 'NAME':
    port    => $port,
    aliases => $hosts,
  }

  class { 'base::limits::NAME':
    open_files => 1024,
  }

  service { 'NAME':
    ensure => running,
    enable => true,
  }
}
"""

VHOST = """# A name under which a service is known.
define profile::vhost (
  Integer $port,
  Array[String] $aliases = [],
) {
  file { "/etc/vhosts/${title}":
    ensure  => file,
    content => join(["port ${port}"] + $aliases, "\\n"),
  }
}
"""

LIMITS = """# How much a service may use.
class base::limits::NAME (
  Integer $open_files,
) {
  file { '/etc/limits.d/NAME':
    ensure  => file,
    content => "${open_files}\\n",
  }
}
"""

ROLE = """# What a NAME server is.
class role::NAME {
  include profile::NAME
}
"""

DATA = """---
profile::NAME::port: 8080
profile::NAME::tls: true
profile::NAME::hosts:
  - "NAME.example.com"
  - "%{facts.role}.%{lookup('site::domain')}"
profile::NAME::owner: "%{lookup('site::owner')}"
profile::NAME::settings: "%{alias('site::settings')}"
"""

COMMON = """---
site::domain: example.com
site::owner: deploy
site::settings:
  log: info
lookup_options:
  site::settings:
    merge: deep
"""

OPTIONS = """  profile::NAME::settings:
    merge: hash
  profile::NAME::password:
    convert_to: Sensitive
"""

ERB = """# <%= @owner %>
port = <%= @port %>
<% @hosts.each do |host| -%>
host = <%= host %>
<% end -%>
"""

EPP = """<%- | Hash $settings | -%>
<% $settings.each |$key, $value| { -%>
<%= $key %> = <%= $value %>
<% } -%>
"""

JOB = """variable "image" {
  type = string
}

variable "count" {
  type    = number
  default = 2
}

job "NAME" {
  datacenters = ["dc1"]
  type        = "service"

  group "NAME" {
    count          = var.count
    shutdown_delay = "5s"

    network {
      port "main" {
        to = 8080
      }
    }

    service {
      name     = "NAME"
      provider = "nomad"
      port     = "main"
    }

    task "server" {
      driver       = "docker"
      kill_timeout = "20s"

      config {
        image = lower(var.image)
        ports = ["main"]
      }

      resources {
        cpu    = 200
        memory = 256
      }
    }
  }
}

"""

PERIODIC = """job "NAME-clean" {
  datacenters = ["dc1"]
  type        = "batch"

  periodic {
    crons = ["0 3 * * *"]
  }

  group "clean" {
    count = 1

    task "clean" {
      driver = "docker"

      config {
        image = "busybox:1.36"
      }
    }
  }
}
"""

METADATA = {
    "name": "acme-NAME",
    "version": "1.0.0",
    "author": "acme",
    "license": "Apache-2.0",
    "summary": "A module",
    "source": "https://example.com/NAME.git",
    "dependencies": [{"name": "acme-base", "version_requirement": ">= 1.0.0 < 2.0.0"}],
}


def make(root, program):
    """Makes a repository in which everything is right, and the facts of its nodes beside it."""

    def write(name, text):
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    write("hiera.yaml", HIERA)
    write("environment.conf", "modulepath = site:modules\n")
    write("hieratic.toml", '[[jobs]]\nfiles = ["jobs/*.nomad.hcl"]\nvar-files = ["jobs/production.vars"]\n')
    write("jobs/production.vars", 'image = "registry.example.com/app:1.4"\n')
    modules = ["base", *(f"app{number}" for number in range(1, 6))]
    write("Puppetfile", "forge 'https://forge.puppet.com'\n\n" + "".join(f"mod 'acme-{name}', '1.0.0'\n" for name in modules))
    write("manifests/site.pp", "node default {\n  include \"role::${facts['role']}\"\n}\n")
    for name in modules:
        metadata = json.loads(json.dumps(METADATA).replace("NAME", name))
        if name == "base":
            metadata["dependencies"] = []
        write(f"modules/{name}/metadata.json", json.dumps(metadata, indent=2) + "\n")
        write(f"modules/{name}/manifests/init.pp", f"# A module.\nclass {name} {{\n}}\n")
    write("site/profile/manifests/vhost.pp", VHOST)
    keys = [f"--pkcs7-{kind}-key=keys/{kind}_key.pkcs7.pem" for kind in ("private", "public")]
    subprocess.run([program, "secret", "createkeys", *keys], cwd=root, check=True, capture_output=True)
    secrets, common = "---\n", COMMON
    for name in SERVICES:
        of = lambda text: text.replace("NAME", name)
        write(f"site/profile/manifests/{name}.pp", of(PROFILE))
        write(f"site/role/manifests/{name}.pp", of(ROLE))
        write(f"site/profile/templates/{name}.conf.erb", of(ERB))
        write(f"site/profile/templates/{name}.ini.epp", of(EPP))
        write(f"site/profile/files/{name}.txt", of("About NAME.\n"))
        write(f"modules/base/manifests/limits/{name}.pp", of(LIMITS))
        write(f"data/roles/{name}.yaml", of(DATA))
        write(f"data/nodes/{name}01.example.com.yaml", of("---\nprofile::NAME::port: 9090\nsite::settings:\n  node: NAME\n"))
        write(f"jobs/{name}.nomad.hcl", of(JOB))
        write(f"jobs/{name}-clean.nomad.hcl", of(PERIODIC))
        common += of(OPTIONS)
        encrypt = [program, "secret", "encrypt", "-s", f"secret of {name}", "-o", "string", keys[1]]
        secret = subprocess.run(encrypt, cwd=root, check=True, capture_output=True, text=True).stdout.strip()
        secrets += f"profile::{name}::password: {secret}\n"
        facts = {"role": name, "networking": {"fqdn": f"{name}01.example.com"}, "os": {"name": "Debian", "family": "Debian"}}
        facts_file = root.parent / "facts" / f"{name}01.example.com.json"
        facts_file.parent.mkdir(exist_ok=True)
        facts_file.write_text(json.dumps(facts))
    write("data/common.yaml", common)
    write("data/secrets.eyaml", secrets)
    for command in (["init", "-q"], ["add", "-A"], ["-c", "user.name=x", "-c", "user.email=x@example.com", "commit", "-qm", "All"]):
        subprocess.run(["git", *command], cwd=root, check=True)


DATA_FILES = r"data/.*\.ya?ml$|hieradata/.*\.ya?ml$|hiera/.*\.ya?ml$"
MANIFESTS = r"(site|site-modules|modules|manifests|dist)/(?!.*(spec|tests|examples|files|templates)/).*\.pp$"
JOBS = r".*\.(nomad|nomad\.hcl)$|jobs/.*\.hcl$"


def misspell(word):
    """A word with two letters in the wrong order."""
    for at in range(1, len(word) - 1):
        if word[at] != word[at + 1]:
            return word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    return word + "x"


# The kinds of mistakes: a name, the files, what is looked for in them, and what is written in its place.
KINDS = [
    ("a value of the wrong type for a class parameter", DATA_FILES, r"(?m)^(\w+::[\w:]+: )(\d+|true|false)$", lambda m: m[1] + "[x]"),
    ("a misspelled key", DATA_FILES, r"(?m)^(\w+::(?:\w+::)*)(\w{3,})(?=: )", lambda m: m[1] + misspell(m[2])),
    ("a misspelled class in a key", DATA_FILES, r"(?m)^(profile::)(\w+)(?=::\w+:)", lambda m: m[1] + misspell(m[2])),
    ("YAML: a quote that is not closed", DATA_FILES, r'(?m)^([\w:]+: ".*)"$', lambda m: m[1]),
    ("YAML: a tab", DATA_FILES, r"(?m)^  (- |\w)", lambda m: "\t" + m[1]),
    ("YAML: a key twice", DATA_FILES, r"(?m)^([\w:]+: )([^\s{\[|>&*].*)\n", lambda m: m[0] + m[1] + "1\n"),
    ("an interpolation that is not closed", DATA_FILES, r"(%\{[^}\"\n]*)\}", lambda m: m[1]),
    ("an interpolation of a key that no data has", DATA_FILES, r"(%\{(?:lookup|hiera|alias)\(')([\w:]+)", lambda m: m[1] + m[2] + "x"),
    ("an alias of itself", DATA_FILES, r"(?m)^(\w+::[\w:]+): .+\n(?!  )", lambda m: m[1] + ": \"%{alias('" + m[1] + "')}\"\n"),
    ("lookup_options of an unknown key", r"data/common\.yaml$", r"(?m)^  ([\w:]+)(?=:\n    (?:merge|convert_to))", lambda m: "  " + misspell(m[1])),
    ("lookup_options with an unknown merge", r"data/.*\.yaml$", r"merge: (deep|hash)$", lambda m: "merge: " + misspell(m[1]), re.M),
    ("lookup_options with an unknown type", r"data/.*\.yaml$", r"convert_to: (\w+)", lambda m: "convert_to: " + misspell(m[1])),
    ("a damaged secret", r"data/.*\.e?yaml$", r"ENC\[PKCS7,(.{60})", lambda m: "ENC[PKCS7," + m[1][:40]),
    ("a wrong datadir or path in hiera.yaml", r"hiera\.yaml$", r"(datadir: |path: \"?|- \"?(?=\w+/))(\w{3,})", lambda m: m[1] + misspell(m[2])),
    ("a misspelled field in hiera.yaml", r"hiera\.yaml$", r"(?m)^( +(?:- )?)(path|paths|lookup_key|options|datadir|data_hash|name)(?=:)", lambda m: m[1] + misspell(m[2])),
    ("a value without a default is missing", DATA_FILES, r"(?m)^profile::\w+::owner: .*\n", lambda m: ""),
    ("a brace is missing in a manifest", MANIFESTS, r"(?m)^\}\n", lambda m: ""),
    ("an unknown function", MANIFESTS, r"\b(template|epp|join|lookup)\(", lambda m: misspell(m[1]) + "("),
    ("an unknown resource type", MANIFESTS, r"(?m)^( *)(file|package|service|profile::vhost) \{", lambda m: m[1] + misspell(m[2]) + " {"),
    ("a class or define has no such parameter", MANIFESTS, r"(?m)^( *)(open_files|aliases)( +=>)", lambda m: m[1] + misspell(m[2]) + m[3]),
    ("a resource has no such attribute", MANIFESTS, r"(?m)^( *)(owner|mode|enable|content|source)( +=>)", lambda m: m[1] + misspell(m[2]) + m[3]),
    ("a wrong value of an attribute", MANIFESTS, r"(ensure +=> )(installed|directory|running|file)", lambda m: m[1] + misspell(m[2])),
    ("a template that is missing", MANIFESTS, r"((?:template|epp)\(')([\w/]+)", lambda m: m[1] + m[2] + "x"),
    ("a file that is missing", MANIFESTS, r"(puppet:///modules/\w+/)(\w+)", lambda m: m[1] + misspell(m[2])),
    ("a relationship to nothing", MANIFESTS, r"((?:require|notify|before) +=> \w+\[')([\w-]+)", lambda m: m[1] + misspell(m[2])),
    ("a resource twice", MANIFESTS, r"(?ms)^  (service|package) \{ '[^']+':.*?^  \}\n", lambda m: m[0] + m[0]),
    ("an unknown variable", MANIFESTS, r"\$\{(folder|title|open_files)\}", lambda m: "${" + misspell(m[1]) + "}"),
    ("a class that is included does not exist", MANIFESTS, r"(include (?:::)?profile::)(\w+)", lambda m: m[1] + misspell(m[2]) + "s"),
    ("marks of a conflict", DATA_FILES + "|" + MANIFESTS, r"(?m)^(.{5,})\n", lambda m: f"<<<<<<< HEAD\n{m[1]}\n=======\n{m[1]} \n>>>>>>> other\n"),
    ("a Puppetfile with wrong syntax or a module twice", r"Puppetfile$", r"(?m)^mod '([\w-]+)'(.*)\n", None),
    ("a wrong range of versions in metadata.json", r"metadata\.json$", r'("version_requirement": ")([^"]+)', lambda m: m[1] + "newer than 1"),
    ("EPP: wrong syntax", r"\.epp$", r"(<% \} -?%>)|(<%= \$\w+) ", lambda m: "<%= %> }" if m[1] else m[2] + "] "),
    ("ERB: wrong syntax", r"templates/.*\.erb$", r"<% end -?%>|(<%= @\w+) ", lambda m: m[1] + ") " if m[1] else "<% ned %>"),
    ("job: an unknown attribute", JOBS, r"(?m)^( +)(datacenters|count|driver|kill_timeout|type|crons)( +=)", lambda m: m[1] + misspell(m[2]) + m[3]),
    ("job: a variable that is not declared", JOBS, r"\bvar\.(\w+)", lambda m: "var." + misspell(m[1])),
    ("job: a wrong count", JOBS, r"(?m)^( +count +=) .*$", lambda m: m[1] + " -1"),
    ("job: a group twice", JOBS, r'(?ms)^  group "[^"]+" \{\n.*?^  \}\n', lambda m: m[0] + m[0]),
    ("job: an option that the driver lacks, or no image", JOBS, r"(?m)^( +)image( +=.*)\n", lambda m: m[1] + "imgae" + m[2] + "\n"),
    ("job: a wrong schedule, or wrong syntax", JOBS, r'(crons? += \[?")([^"]+)|(?m:^    task "[^"]+" )\{', lambda m: m[1] + "61 3 * *" if m[1] else m[0][:-1]),
    ("job: a wrong unit, or an unknown function", JOBS, r'(kill_timeout +=) "(\d+)s"|\b(lower|upper|file|join)\(', lambda m: m[1] + ' "20 sec"' if m[1] else misspell(m[3]) + "("),
]


def puppetfile(match, number):
    """A Puppetfile with a mistake: by turns a comma that is missing, and a module twice."""
    if number % 2:
        return match[0] + match[0]
    return f"mod '{match[1]}{match[2]}\n"


def candidates(root, kind):
    """The places of a repository in which a mistake of a kind can be made."""
    files = subprocess.run(["git", "ls-files"], cwd=root, capture_output=True, text=True, check=True).stdout.splitlines()
    wanted = re.compile(kind[1])
    for name in files:
        path = root / name
        if not wanted.search(name) or not path.is_file() or path.is_symlink():
            continue
        try:
            text = path.read_text()
        except UnicodeDecodeError:
            continue
        for match in re.finditer(kind[2], text, *kind[4:]):
            yield name, match


def run(program, root, *arguments):
    done = subprocess.run([program, *arguments], cwd=root, capture_output=True, text=True, timeout=600)
    return done.returncode, done.stdout


def findings(output):
    """What is found, whatever its line is."""
    found = Counter()
    for line in output.splitlines():
        one = json.loads(line)
        if one["rule"] not in ("not-judged", "not-seen"):
            found[one["rule"], one["message"], tuple(sorted({label["file"] for label in one["labels"]}))] += 1
    return found


class Verbs:
    """What the verbs say of a repository before there is a mistake in it."""

    def __init__(self, program, root, facts):
        self.program, self.root, self.facts = program, root, facts
        self.commands = {"check": ["check", "--message-format", "json", "--fail-on", "warning"]}
        self.commands["check --hygiene"] = ["check", "--message-format", "json", "--fail-on", "note", "--hygiene"]
        if facts:
            nodes = ["--facts", str(facts)]
            self.commands["check --catalogs"] = [*self.commands["check"], "--catalogs", *nodes]
        nodes = ["--nodes", str(facts)] if facts else []
        self.commands["diff"] = ["diff", "HEAD", "--exit-code", *nodes]
        if facts:
            self.commands["diff --catalogs"] = [*self.commands["diff"], "--catalogs"]
        self.before = {verb: run(program, root, *command) for verb, command in self.commands.items()}

    def report(self):
        """The verbs that report what is wrong now, and how."""
        said = {}
        for verb, command in self.commands.items():
            status, output = run(self.program, self.root, *command)
            known_status, known_output = self.before[verb]
            if verb.startswith("check"):
                new = findings(output) - findings(known_output)
                if new or status != known_status:
                    said[verb] = sorted({rule for rule, *_ in new}) or [f"status {status}"]
            elif status != known_status:
                said[verb] = [f"status {status}"]
        return said


def main():
    program = shutil.which(sys.argv[1]) or os.path.abspath(sys.argv[1])
    chooser = random.Random(51)
    with tempfile.TemporaryDirectory() as scratch:
        roots, facts = [], None
        if sys.argv[2:]:
            for repository in map(Path, sys.argv[2:]):
                root = Path(scratch) / repository.name
                subprocess.run(["git", "clone", "-q", repository.absolute(), root], check=True, capture_output=True)
                roots.append(root)
        else:
            root = Path(scratch) / "repository"
            make(root, program)
            roots, facts = [root], root.parent / "facts"
        verbs = {root: Verbs(program, root, facts) for root in roots}
        columns = list(next(iter(verbs.values())).commands)
        if facts:
            wrong = {verb: said for verb, said in verbs[roots[0]].before.items() if said[0] != 0}
            assert not wrong, f"the repository is not right: {wrong}"
        made, reported, missed = Counter(), defaultdict(Counter), []
        for kind in KINDS:
            places = [(root, *place) for root in roots for place in candidates(root, kind)]
            # Each file once, as long as there are others.
            chooser.shuffle(places)
            seen, chosen, rest = set(), [], []
            for place in places:
                (rest if place[:2] in seen else chosen).append(place)
                seen.add(place[:2])
            for number, (root, name, match) in enumerate((chosen + rest)[:EACH]):
                text = match.string
                written = kind[3](match) if kind[3] else puppetfile(match, number)
                changed = text[: match.start()] + written + text[match.end() :]
                assert changed != text, (kind[0], name, match[0])
                (root / name).write_text(changed)
                said = verbs[root].report()
                (root / name).write_text(text)
                made[kind[0]] += 1
                for verb in columns:
                    reported[verb][kind[0]] += verb in said
                line = text.count("\n", 0, match.start()) + 1
                if "check" not in said or (facts and "check --catalogs" not in said):
                    missed.append(f"{kind[0]}: {root.name}/{name}:{line}: {match[0]!r} -> {written!r}: {said}")
        print("| mistakes | made |" + "".join(f" `{verb}` |" for verb in columns))
        print("|---|---|" + "---|" * len(columns))
        for kind in KINDS:
            if made[kind[0]]:
                print(f"| {kind[0]} | {made[kind[0]]} |" + "".join(f" {reported[verb][kind[0]]} |" for verb in columns))
        print(f"| together | {made.total()} |" + "".join(f" {reported[verb].total()} |" for verb in columns))
        for line in missed:
            print(line, file=sys.stderr)


main()
