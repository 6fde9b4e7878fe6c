"""Single files: documents with merge directives, templates, and what is formatted, parsed and checked."""
from .case import Case, lines, single

CASES = []


def document(grows, size, text, *flags, more=None):
    """A document that is expanded."""

    def write(folder, size):
        folder.write("d.yaml", text(size))
        if more:
            more(folder, size)

    CASES.append(Case(f"document: {grows}", size, write, [["expand", "d.yaml", *flags]]))


def included(size):
    """Entries that include another one."""
    return "base:\n  cpu: 2\n  mem: {a: 1, b: [1, 2]}\n" + lines(size, lambda n: f"s{n}:\n  +/base:\n  n: {n}\n")


def expanded(size, cpu=2):
    """The entries with what they include."""
    of_base = f"  cpu: {cpu}\n  mem:\n    a: 1\n    b:\n    - 1\n    - 2\n"
    return f"base:\n{of_base}" + lines(size, lambda n: f"s{n}:\n{of_base}  n: {n}\n")


def restored(grows, size, change, *flags):
    """A document that is restored from its expansion."""

    def write(folder, size):
        folder.write("d.yaml", included(size))
        folder.write("e.yaml", change(size))

    CASES.append(Case(f"document: {grows}", size, write, [["restore", "d.yaml", "e.yaml", *flags]]))


document("relative includes", 1000, included)
document("relative includes, with origins", 1000, included, "--origins")
document("relative includes, explained", 1000, included, "--explain")
document("a chain of includes", 100, lambda size: "s0: {x0: 1}\n" + lines(size - 1, lambda n: f"s{n + 1}:\n  +/s{n}:\n  x{n + 1}: {n}\n"))
document(
    "included files", 100, lambda size: lines(size, lambda n: f"s{n}:\n  +include: inc/{n}.yaml\n"),
    more=lambda folder, size: [folder.write(f"inc/{n}.yaml", f"k{n}: {n}\n") for n in range(size)],
)
document("included anchors", 1000, lambda size: "a: &a {x: 1}\n" + lines(size, lambda n: f"s{n}:\n  +*a:\n"))
document("plain YAML", 10000, lambda size: lines(size, lambda n: f"k{n}: {{a: {n}, b: text {n}}}\n"))
document(
    "merged lists of maps", 300,
    lambda size: "base:\n  l:\n" + lines(size, lambda n: f"    - {{name: n{n}, v: {n}}}\n") + "s:\n  +/base:\n  l:\n" + lines(size, lambda n: f"    - {{name: n{n}, w: {n}}}\n"),
)
document(
    "merged lists of strings", 1000,
    lambda size: "base:\n  l:\n" + lines(size, lambda n: f"    - v{n}\n") + "s:\n  +/base:\n  l:\n" + lines(size, lambda n: f"    - v{n + size // 2}\n"),
)
document("directives in a list", 300, lambda size: "l: [a, b]\nm:\n" + "  - +/l:\n" * size)
restored("restored without a change", 1000, expanded)
restored("restored with all changed", 300, lambda size: expanded(size, 3))
restored("the difference with all changed", 300, lambda size: expanded(size, 3), "--diff")


def reversed_list(folder, size):
    """A list that is restored in the reverse order."""
    folder.write("d.yaml", "l:\n" + lines(size, lambda n: f"  - v{n}\n"))
    folder.write("e.yaml", "l:\n" + lines(size, lambda n: f"  - v{size - 1 - n}\n"))


CASES.append(Case("document: a list restored in reverse", 300, reversed_list, [["restore", "d.yaml", "e.yaml"]]))


def template(grows, size, suffix, text, *flags):
    """A template that is rendered."""
    CASES.append(single(f"{suffix}: {grows}", size, ["render", f"t.{suffix}", *flags], f"t.{suffix}", text))


template("turns of a loop", 10000, "j2", lambda size: f"{{% for i in range({size}) %}}{{{{ i }}}} x\n{{% endfor %}}")
template("statements", 1000, "j2", lambda size: lines(size, lambda n: f"{{% if {n} > 3 %}}a{{{{ {n} }}}}{{% else %}}b{{% endif %}}\n"))
template("variables", 1000, "j2", lambda size: lines(size, lambda n: f"{{% set v{n} = {f'v{n - 1} + 1' if n else 0} %}}") + f"{{{{ v{size - 1} }}}}")
template("macros", 300, "j2", lambda size: lines(size, lambda n: f"{{% macro m{n}(x) %}}{{{{ x }}}}{{% endmacro %}}") + lines(size, lambda n: f"{{{{ m{n}(1) }}}}"))
template(
    "a string that grows in a loop", 1000, "j2",
    lambda size: f"{{% set ns = namespace(s='') %}}{{% for i in range({size}) %}}{{% set ns.s = ns.s ~ 'x' %}}{{% endfor %}}{{{{ ns.s | length }}}}",
)
template("a list that grows in a loop", 1000, "j2", lambda size: f"{{% set l = [] %}}{{% for i in range({size}) %}}{{% do l.append(i) %}}{{% endfor %}}{{{{ l | length }}}}", "--extension", "do")
template(
    "a list that a loop copies", 300, "j2",
    lambda size: f"{{% set ns = namespace(s=[]) %}}{{% for i in range({size}) %}}{{% set ns.s = ns.s + [i] %}}{{% endfor %}}{{{{ ns.s | length }}}}",
)
FILTERS = """sort unique list map('string') select('odd') batch(3) groupby('a') join(',') reverse sum max tojson dictsort to_json to_nice_yaml
difference([1]) union(range(1000)|list) symmetric_difference(l) intersect(l) flatten zip(l) combine json_query('[0]') pprint slice(3)
shuffle(seed=1) items2dict""".split()


def filtered(name):
    """A template that applies a filter to a long list."""

    def text(size):
        pairs = f"dict(range({size}) | zip(range({size})))"
        source = {
            "groupby('a')": f"[{{'a': 1}}, {{'a': 2}}] * {size // 2}",
            "dictsort": pairs,
            "combine": pairs,
            "items2dict": f"{pairs} | dict2items",
        }.get(name, f"range({size}) | list")
        return f"{{% set l = {source} %}}{{{{ l | {name} | string | length }}}}"

    return text


for name in FILTERS:
    template(f"elements for {name}", 1000, "j2", filtered(name))
template("regex_replace", 10000, "j2", lambda size: f"{{{{ ('ab' * {size}) | regex_replace('a(b)', '\\\\1') | length }}}}")
template("wordwrap", 3000, "j2", lambda size: f"{{{{ ('ab cd ' * {size}) | wordwrap(40) | length }}}}")
template("indent", 3000, "j2", lambda size: f"{{{{ ('ab\\n' * {size}) | indent(4) | length }}}}")
template("plain lines", 10000, "j2", lambda size: "just a line of text\n" * size)
template("turns of a loop", 10000, "epp", lambda size: f"<% Integer[1,{size}].each |$i| {{ -%>\n<%= $i %> x\n<% }} -%>\n")
template("statements", 1000, "epp", lambda size: lines(size, lambda n: f"<% if {n} > 3 {{ %>a<%= {n} %><% }} else {{ %>b<% }} %>\n"))
template("turns of a loop", 10000, "erb", lambda size: f"<% {size}.times do |i| -%>\n<%= i %> x\n<% end -%>\n")
template("statements", 1000, "erb", lambda size: lines(size, lambda n: f"<% if {n} > 3 %>a<%= {n} %><% else %>b<% end %>\n"))
template("a string that grows", 3000, "erb", lambda size: f"<% s = '' ; {size}.times {{ |i| s << 'x' }} -%><%= s.length %>")
template("a string that is copied", 1000, "erb", lambda size: f"<% s = '' ; {size}.times {{ |i| s += 'x' }} -%><%= s.length %>")
template("an array", 3000, "erb", lambda size: f"<% a = [] ; {size}.times {{ |i| a << i }} -%><%= a.sort.uniq.length %>")
template("a hash", 3000, "erb", lambda size: f"<% a = {{}} ; {size}.times {{ |i| a[i] = i }} -%><%= a.keys.length %>")
template("gsub", 3000, "erb", lambda size: f"<%= ('ab' * {size}).gsub(/a/, 'c').length %>")
template("loops", 10, "tftpl", lambda size: "%{ for i in range(100) }${i} x\n%{ endfor }" * size)

CASES += [
    single("lines that are formatted", 3000, ["fmt", "--check", "f.hcl"], "f.hcl", lambda size: "a {\n" + lines(size, lambda n: f'  key{n}="v" # comment\n') + "}\n"),
    single("elements of a line that is formatted", 3000, ["fmt", "--check", "f.hcl"], "f.hcl", lambda size: "a = [" + ", ".join(map(str, range(size))) + "]\n"),
    single("nested blocks that are formatted", 30, ["fmt", "--check", "f.hcl"], "f.hcl", lambda size: lines(size, lambda n: f"b{n} {{\n") + "}\n" * size, most=300),
    single("statements that are parsed", 3000, ["parse", "p.pp"], "p.pp", lambda size: lines(size, lambda n: f"file {{ '/x{n}': ensure => file, mode => '0644' }}\n")),
    single("errors of a manifest", 300, ["check", "c/p.pp"], "c/p.pp", lambda size: lines(size, lambda n: f"$X{n} = 1\n")),
    single("warnings of one line", 300, ["check", "c/p.pp"], "c/p.pp", lambda size: " ".join(f"$u{n} = $nope{n}" for n in range(size)) + "\n"),
    single("keys of a data file that is checked", 3000, ["check", "c/d.yaml"], "c/d.yaml", lambda size: lines(size, lambda n: f"k{n}: {{a: {n}}}\n")),
    single("duplicate keys of a data file", 300, ["check", "c/d.yaml"], "c/d.yaml", lambda size: lines(size, lambda n: f"k{n % 10}: {n}\n")),
]
