"""Job files."""
from .case import Case, lines, single

CASES = []


def group(number, image='x:${upper("a")}', cpu=100):
    """A group with a task."""
    task = f'      driver = "docker"\n      config {{ image = "{image}" }}\n      resources {{ cpu = {cpu} }}\n'
    return f'  group "g{number}" {{\n    count = {number + 1}\n    task "t" {{\n{task}    }}\n  }}\n'


def job(parts):
    """A job with groups or other parts."""
    return f'job "j" {{\n  datacenters = ["dc1"]\n{parts}}}\n'


def task(parts):
    """A job of one task with more parts."""
    return job(f'  group "g" {{\n    task "t" {{\n      driver = "docker"\n      config {{ image = "x" }}\n{parts}    }}\n  }}\n')


def groups(size, **parts):
    """A job of some groups."""
    return job(lines(size, lambda number: group(number, **parts)))


def read(grows, size, text, *flags):
    """A job that is read."""
    CASES.append(single(f"job: {grows}", size, ["job", "j.nomad.hcl", *flags], "j.nomad.hcl", text))


read("groups", 300, groups)
for flags in (["--validate"], ["--origins"], ["--to", "hcl"], ["--lint", "--validate"]):
    read("groups", 300, groups, *flags)
read("variables of the environment", 300, lambda size: task("env {\n" + lines(size, lambda n: f'  K{n} = "v{n}"\n') + "}\n"))
read("lines of a heredoc", 300, lambda size: task("template {\n data = <<EOH\n" + lines(size, lambda n: f'line {n} ${{upper("x")}}\n') + 'EOH\n destination = "x"\n}\n'))
read(
    "templates of a dynamic block", 100,
    lambda size: task(f'dynamic "template" {{\n for_each = range({size})\n content {{\n data = "${{template.value}}"\n destination = "d${{template.value}}"\n }}\n}}\n'),
)
read("constraints", 300, lambda size: job(lines(size, lambda n: f'  constraint {{\n attribute = "${{attr.k{n}}}"\n value = "v"\n }}\n') + group(0)))
read(
    "mounts", 300,
    lambda size: job(
        '  group "g" {\n' + lines(size, lambda n: f'    volume "v{n}" {{\n type = "host"\n source = "s{n}"\n }}\n') + '    task "t" {\n driver = "docker"\n config { image = "x" }\n'
        + lines(size, lambda n: f'      volume_mount {{\n volume = "v{n}"\n destination = "/d{n}"\n }}\n') + "    }\n  }\n"
    ),
    "--validate",
)
for flags in ([], ["--to", "hcl"]):
    read("comments", 5000, lambda size: lines(size, lambda n: f"# Comment {n}.\n") + job(group(0)), *flags)
read("variables", 300, lambda size: lines(size, lambda n: f'variable "v{n}" {{\n type = string\n default = "x{n}"\n}}\n') + job(group(0, image="${var.v1}")))
read("a chain of locals", 300, lambda size: "locals {\n l0 = 1\n" + lines(size - 1, lambda n: f" l{n + 1} = local.l{n} + 1\n") + "}\n" + job(group(0)))
read(
    "a chain of locals in reverse", 300,
    lambda size: "locals {\n" + lines(size - 1, lambda n: f" l{size - 1 - n} = local.l{size - 2 - n} + 1\n") + " l0 = 1\n}\n" + job(group(0)),
)


def compared(grows, size, other):
    """A job that is compared with another one."""

    def write(folder, size):
        folder.write("j.nomad.hcl", groups(size))
        folder.write("k.nomad.hcl", other(size))

    CASES.append(Case(f"job: {grows}", size, write, [["job", "j.nomad.hcl", "--diff", "k.nomad.hcl"]]))


compared("groups that change", 300, lambda size: groups(size, cpu=200))
compared("groups that are replaced", 300, lambda size: groups(size).replace('"g', '"h'))
