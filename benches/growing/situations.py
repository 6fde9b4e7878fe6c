"""Situations in a control repository, each with the verbs that they concern."""
import json

from .case import Case, lines
from .dimensions import FACTS, NODES, ONE
from .repository import COMMON, NODE, ROLE, node

CASES = []
CATALOG = ["catalog", node(0), *FACTS]


def case(grows, size, *verbs, most=None):
    """A case whose files a function writes into a small repository."""

    def decorate(write):
        def written(folder, size):
            folder.small()
            write(folder, size)

        CASES.append(Case(grows, size, written, list(verbs), most))
        return write

    return decorate


def catalog(grows, size, statements, *, more=None, most=None):
    """A case of one catalog: the statements of its manifest."""

    def written(folder, size):
        folder.small()
        if more:
            more(folder, size)
        folder.site(statements(size))

    CASES.append(Case(f"catalog: {grows}", size, written, [CATALOG], most))


@case("facts of a node", 200, ["lookup", "k::k1", *ONE], ["lookup", "--all", *NODES], ["check", *FACTS], ["catalog", "--all", *FACTS])
def _(folder, size):
    folder.facts(20, lambda _: {f"f{number}": {"a": number, "b": [1, 2]} for number in range(size)})


@case(
    "files of a glob", 100,
    ["lookup", "k::k1", *ONE], ["lookup", "--all", *ONE], ["lookup", "--all", *NODES], ["check"], ["check", "--hygiene", *FACTS],
    ["affected", "data/g/1.yaml", *NODES], ["diff", "HEAD", *NODES],
)
def _(folder, size):
    folder.hierarchy(NODE, "  - {name: Parts, glob: 'g/*.yaml'}\n", ROLE, COMMON)
    for number in range(size):
        folder.write(f"data/g/{number}.yaml", f"g::k{number}: {number}\nk::k1: {number}\n")
    folder.commit()
    folder.write("data/g/1.yaml", "g::k1: 2\n")


@case("files of a glob, with 50 nodes", 50, ["lookup", "--all", *NODES], ["check", "--hygiene", *FACTS])
def _(folder, size):
    folder.facts(50)
    folder.hierarchy(NODE, "  - {name: Parts, glob: 'g/*.yaml'}\n")
    for number in range(size):
        folder.write(f"data/g/{number}.yaml", f"g::k{number}: {number}\nk::k1: {number}\n")


@case("paths of mapped_paths", 100, ["lookup", "k::k1", *ONE], ["lookup", "--all", *NODES], ["check", *FACTS])
def _(folder, size):
    folder.hierarchy(NODE, "  - {name: Mapped, mapped_paths: [facts.list, x, 'm/%{x}.yaml']}\n", COMMON)
    for number in range(size):
        folder.write(f"data/m/a{number}.yaml", f"m::k{number}: {number}\n")
    folder.facts(3, lambda _: {"list": [f"a{number}" for number in range(size)]})


@case(
    "modules with data", 30,
    ["lookup", "k::k1", *ONE], ["lookup", "--all", *ONE], ["lookup", "--all", *NODES], ["check"], ["check", "--hygiene", *FACTS],
    ["diff", "HEAD", *NODES], ["history", "k::k1", *ONE],
)
def _(folder, size):
    for number in range(size):
        of_module = folder.path / f"modules/data{number}"
        of_module.mkdir(parents=True)
        level = "  - {name: OS, path: 'os/%{facts.os.family}.yaml'}\n"
        text = "version: 5\ndefaults: {datadir: data, data_hash: yaml_data}\nhierarchy:\n" + level + COMMON
        folder.write(f"modules/data{number}/hiera.yaml", text)
        folder.write(f"modules/data{number}/data/common.yaml", lines(10, lambda key: f"data{number}::k{key}: {key}\n"))
        folder.write(f"modules/data{number}/data/os/Debian.yaml", f"data{number}::k1: 5\n")
    folder.commit()
    folder.append("data/common.yaml", "data1::k1: 7\n")


@case(
    "keys that change", 200,
    ["diff", "HEAD", *NODES], ["diff", "HEAD", *NODES, "--format", "html"], ["diff", "HEAD", *NODES, "--format", "markdown"],
    ["refactor", "prune", *NODES],
)
def _(folder, size):
    folder.repository(keys=size, nodes=20, classes=1, resources=1)
    folder.commit()
    folder.replace("data/common.yaml", "'value ", "'changed ")


@case("files that change", 200, ["diff", "HEAD", *NODES])
def _(folder, size):
    folder.small(files=size, nodes=size)
    folder.commit()
    for number in range(size):
        folder.write(f"data/nodes/{node(number)}.yaml", f"node::k: {number + 1}\n")


@case(
    "nodes, each with its own keys", 100,
    ["affected", "data/nodes", *NODES], ["affected", "modules", *NODES], ["check", "--hygiene", *FACTS], ["lookup", "--all", *NODES],
)
def _(folder, size):
    folder.small(files=size, nodes=size)
    for number in range(size):
        folder.append(f"data/nodes/{node(number)}.yaml", f"own::k{number}: 1\n")


@case("uses of a key", 300, ["refactor", "rename", "k::k3", "k::new", *NODES], ["check"], ["lookup", "--all", *NODES])
def _(folder, size):
    folder.append("data/common.yaml", lines(size, lambda number: f"u::k{number}: \"%{{lookup('k::k3')}}\"\n"))
    uses = lines(size, lambda number: f"  $a{number} = lookup('k::k3')\n")
    folder.write("modules/m0/manifests/u.pp", f"class m0::u {{\n{uses}}}\n")


@case("files that repeat a value", 100, ["refactor", "hoist", "rep::k", *NODES], ["refactor", "dedupe", *NODES])
def _(folder, size):
    folder.small(nodes=size, files=size)
    for number in range(size):
        folder.write(f"data/nodes/{node(number)}.yaml", f"rep::k: 1\nown: {number}\n")


@case("keys of a file that is divided", 300, ["refactor", "split", "data/common.yaml", "--by", "k::", "--to", "data/l/0.yaml", *NODES])
def _(folder, size):
    folder.small(keys=size)


@case("entries that repeat others", 200, ["refactor", "prune", *NODES], ["refactor", "dedupe", *NODES], ["check", "--hygiene", *FACTS])
def _(folder, size):
    folder.small(keys=size)
    folder.write("data/l/0.yaml", lines(size, lambda number: f"k::k{number}: 'value {number}'\n"))


@case("idle options of keys", 100, ["check", "--hygiene", *FACTS])
def _(folder, size):
    option = lambda number: f"  opt::k{number}: {{merge: deep}}\n"
    folder.small(data="lookup_options:\n" + lines(size, option) + lines(size, lambda number: f"opt::k{number}: {{a: {number}}}\n"))


@case("parameters of one class", 100, ["types", *NODES], ["schema"], ["check", "--catalogs", *FACTS], ["check"])
def _(folder, size):
    folder.small(nodes=20)
    parameters = lines(size, lambda number: f"  $p{number} = {number},\n")
    folder.write("modules/m0/manifests/u.pp", f"# A class.\nclass m0::u (\n{parameters}) {{}}\n")
    folder.append("data/common.yaml", lines(size, lambda number: f"m0::u::p{number}: {number}\n"))
    folder.site("  include m0::u\n")


@case("keys that differ between nodes", 300, ["compare", node(0), node(1), *FACTS])
def _(folder, size):
    for of_node in (0, 1):
        folder.write(f"data/nodes/{node(of_node)}.yaml", lines(size, lambda number: f"d::k{number}: {number + of_node}\n"))


@case("findings", 200, ["check", "--write-baseline", "base.json"], ["check", "--baseline", "base.json"], ["check", "--format", "sarif"])
def _(folder, size):
    folder.append("data/common.yaml", lines(size, lambda number: f"bad::k{number}: \"%{{lookup('nope::n{number}')}}\"\n"))


@case("anchors in YAML", 500, ["lookup", "k::k1", *ONE], ["check"])
def _(folder, size):
    folder.append("data/common.yaml", lines(size, lambda n: f"an::k{n}: &a{n} {{x: {n}}}\nal::k{n}: *a{n}\n"))


@case("levels of nesting in YAML", 30, ["lookup", "nest", *ONE], ["lookup", "nest", "--origins", *ONE], ["check"], most=300)
def _(folder, size):
    folder.append("data/common.yaml", "nest: " + "{a: " * size + "1" + "}" * size + "\n")


@case("comments in YAML", 3000, ["lookup", "k::k1", *ONE], ["check"], ["check", "--hygiene", *FACTS])
def _(folder, size):
    folder.append("data/common.yaml", "# a comment\n" * size)


@case("quoted strings in YAML", 1000, ["lookup", "k::k1", *ONE], ["check"])
def _(folder, size):
    folder.append("data/common.yaml", lines(size, lambda number: f'q::k{number}: "text \\" {number}\\n  more"\n'))


@case("folded strings in YAML", 300, ["lookup", "k::k1", *ONE], ["check"])
def _(folder, size):
    folder.append("data/common.yaml", lines(size, lambda number: f"q::k{number}: 'text\n  goes on\n\n  here {number}'\n"))


def other_format(grows, size, name, back_end, key, text):
    """A data file of another format."""

    def write(folder, size):
        folder.hierarchy(NODE, f"  - {{name: Other, path: {name}, data_hash: {back_end}}}\n", ROLE, COMMON)
        folder.write(f"data/{name}", text(size))

    case(grows, size, ["lookup", key, *ONE], ["lookup", "--all", *NODES], ["check"])(write)


other_format("keys in JSON", 1000, "other.json", "json_data", "j::k1", lambda size: json.dumps({f"j::k{n}": {"a": [n]} for n in range(size)}, indent=1))
other_format("keys in HOCON", 300, "other.conf", "hocon_data", "jk1", lambda size: "base = {a = 1}\n" + lines(size, lambda n: f"jk{n} = ${{base}} {{b = {n}}}\n"))
other_format("a chain in HOCON", 30, "other.conf", "hocon_data", "jk1", lambda size: "jk0 = 1\n" + lines(size - 1, lambda n: f"jk{n + 1} = ${{jk{n}}}\n"))


@case("secrets in plain text", 300, ["check"])
def _(folder, size):
    folder.append("data/common.yaml", lines(size, lambda number: f"db::password{number}: 'hunter{number}xyz'\n"))


@case("node definitions", 100, CATALOG, ["catalog", "--all", *FACTS], ["check"])
def _(folder, size):
    folder.write("manifests/site.pp", lines(size, lambda n: f"node /^x{n}\\d+$/ {{ }}\n") + "node default { notify { 'x': } }\n")


@case("files of manifests", 100, CATALOG, ["check"])
def _(folder, size):
    (folder.path / "manifests/site.pp").unlink()
    for number in range(size):
        folder.write(f"manifests/m{number}.pp", f"# a\n$v{number} = {number}\n")


@case("promises", 100, ["check"], ["check", *FACTS])
def _(folder, size):
    folder.small(nodes=20, keys=size)
    folder.write("promises/forms.yaml", lines(size, lambda number: f"p{number}:\n  key: k::k{number}\n  type: String\n"))


@case("commits with 30 modules", 50, ["history", "role::k", *ONE], ["history", "k::k3", *ONE])
def _(folder, size):
    folder.small(modules=30)
    folder.commit()
    for number in range(size):
        folder.write("data/roles/r0.yaml", f"role::k: {number // 20}\nother: {number}\n")
        folder.commit()


def chain(folder, size, name, text):
    """Classes or defined types of which each leads to the next one."""
    for number in range(size):
        folder.write(f"modules/m0/manifests/{name}{number}.pp", text(number, size))


catalog("files", 1000, lambda size: lines(size, lambda n: f"  file {{ '/tmp/f{n}': content => 'x' }}\n"))
catalog(
    "relations", 300,
    lambda size: lines(size, lambda n: f"  notify {{ 'r{n}': }}\n") + lines(size - 1, lambda n: f"  Notify['r{n}'] -> Notify['r{n + 1}']\n"),
)
catalog(
    "arrays of requirements", 100,
    lambda size: lines(size, lambda n: f"  notify {{ 'r{n}': }}\n")
    + lines(size, lambda n: f"  notify {{ 's{n}': require => [{','.join(f'Notify[r{other}]' for other in range(min(size, 50)))}] }}\n"),
)
catalog("collectors", 100, lambda size: lines(size, lambda n: f"  @notify {{ 'r{n}': tag => 't{n}' }}\n  Notify<| tag == 't{n}' |>\n"))
catalog(
    "overrides by collectors", 100,
    lambda size: lines(size, lambda n: f"  file {{ '/tmp/r{n}': }}\n")
    + lines(size, lambda n: f"  File<| title == '/tmp/r{n}' |> {{ mode => '0644' }}\n"),
)
catalog(
    "relations of collectors", 100,
    lambda size: lines(size, lambda n: f"  file {{ '/tmp/r{n}': }}\n  package {{ 'p{n}': }}\n") + "  Package<| |> -> File<| |>\n",
)
catalog(
    "defined types", 300, lambda size: lines(size, lambda n: f"  m0::d {{ 'x{n}': x => {n} }}\n"),
    more=lambda folder, _: folder.write("modules/m0/manifests/d.pp", 'define m0::d(Integer $x = 1) { notify { "d${title}": } }\n'),
)
catalog(
    "nested defined types", 30, lambda size: "  m0::d0 { 'x': }\n",
    more=lambda folder, size: chain(folder, size, "d", lambda n, last: f"define m0::d{n}() {{ " + (f'm0::d{n + 1} {{ "${{title}}x": }}' if n < last - 1 else "notify { $title: }") + " }\n"),
    most=300,
)
catalog(
    "create_resources", 300, lambda size: "  create_resources(file, lookup('files'))\n",
    more=lambda folder, size: folder.append("data/common.yaml", "files:\n" + lines(size, lambda n: f"  /tmp/c{n}: {{content: x{n}, mode: '0644'}}\n")),
)
catalog(
    "classes that inherit", 20, lambda size: f"  include m0::i{size - 1}\n",
    more=lambda folder, size: chain(folder, size, "i", lambda n, _: f"class m0::i{n} {f'inherits m0::i{n - 1}' if n else ''} {{ notify {{ 'i{n}': }} }}\n"),
    most=200,
)
catalog(
    "classes that contain", 30, lambda size: "  include m0::t0\n",
    more=lambda folder, size: chain(folder, size, "t", lambda n, last: f"class m0::t{n} {{ notify {{ 't{n}': }} {f'contain m0::t{n + 1}' if n < last - 1 else ''} }}\n"),
    most=300,
)


def templates(folder, _):
    """A template in ERB and one in EPP."""
    folder.write("modules/m0/templates/t.erb", "x <%= @i %> <% 5.times do |j| -%>a<%= j %><% end -%>\n")
    folder.write("modules/m0/templates/t.epp", "<%- | $i | -%>\nx <%= $i %>\n")


catalog(
    "templates", 100,
    lambda size: "  $i = 1\n" + lines(size, lambda n: f"  file {{ '/tmp/t{n}': content => template('m0/t.erb') }}\n  file {{ '/tmp/e{n}': content => epp('m0/t.epp', {{i => {n}}}) }}\n"),
    more=templates,
)
catalog("tags", 100, lambda size: lines(size, lambda n: f"  notify {{ 'g{n}': tag => ['a{n}', 'b', 'c{n}'] }}\n"))
catalog("calls of scope.to_hash", 30, lambda size: lines(size, lambda n: f"  $w{n} = inline_template('<%= scope.to_hash.length %>')\n"))
