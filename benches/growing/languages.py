"""Programs in the languages: Puppet, HCL and Unfurl."""
from .case import lines, single

CASES = []
STEPS = """
reduce([]) |$m, $i| { $m + [$i] }.length
reduce({}) |$m, $i| { $m + {$i => 1} }.length
reduce('') |$m, $i| { "${m}x" }.length
unique.length
filter |$i| { $i in [1, 2] }.length
sort.length
group_by |$i| { $i % 10 }.length
join(',').length
map |$i| { "k${i}" }.unique.length
slice(3).length
map |$i| { [$i, 1] }.convert_to(Hash).length
reverse_each.map |$i| { $i }.length
flatten.length
partition |$i| { $i > 3 }.length
index(-1)
map |$i| { lookup('x', default_value => 1) }.length
map |$i| { regsubst("a${i}", 'a', 'b') }.length
map |$i| { $i =~ Integer[0, 100] }.length
map |$i| { "a${i}" =~ /^a(\\d)/ }.length
map |$i| { sprintf('%05d', $i) }.length
""".strip().splitlines()


def puppet(grows, size, text, name="Puppet", most=None):
    """A program in the Puppet language."""
    CASES.append(single(f"{name}: {grows}", size, ["eval", "p.pp"], "p.pp", text, most))


puppet("turns of a loop", 10000, lambda size: f"$x = Integer[1,{size}].map |$i| {{ $i * 2 }}\n$x.length")
for step in STEPS:
    # Each step is a value of its closure.
    puppet(step[:48], 1000, lambda size, step=step: f"Integer[1,{size}].map |$i| {{ $i }}.{step}", "Puppet, elements for")
puppet("statements", 3000, lambda size: lines(size, lambda n: f"$v{n} = {f'$v{n - 1} + 1' if n else 0}\n"))
puppet("functions", 300, lambda size: lines(size, lambda n: f"function f{n}($x) {{ $x + 1 }}\n") + lines(size, lambda n: f"f{n}(1)\n"))
puppet("options of a case", 1000, lambda size: f"case '{size - 1}' {{\n" + lines(size, lambda n: f"  '{n}': {{ {n} }}\n") + "}")
puppet("entries of a hash", 3000, lambda size: "$h = {\n" + lines(size, lambda n: f"  'k{n}' => {n},\n") + "}\n$h.length")
puppet("interpolations of a string", 3000, lambda size: '$x = 1\n"' + "${x} y\n" * size + '".length')
puppet("lines of a heredoc", 3000, lambda size: "$x = @(E)\n" + "line of it\n" * size + "| E\n$x.length")
puppet("type aliases", 300, lambda size: "type T0 = Integer\n" + lines(size - 1, lambda n: f"type T{n + 1} = Variant[T{n}, String[{n + 1}]]\n") + f"1 =~ T{size - 1}")
puppet("branches of an elsif", 30, lambda size: "$x = 5\nif $x == -1 { 0 }" + lines(size, lambda n: f" elsif $x == {-n - 2} {{ {n} }}") + " else { 1 }", most=300)
puppet("terms of a sum", 90, lambda size: " + ".join("1" * size), most=900)
puppet("arrows between resources", 80, lambda size: lines(size, lambda n: f"notify {{ 'n{n}': }}\n") + " -> ".join(f"Notify['n{n}']" for n in range(size)), most=800)

FUNCTIONS = """
distinct(L)
sort([for x in L : format("%d", x)])
reverse(L)
flatten([L, L])
setunion(L, [1])
setintersection(L, L)
setsubtract(L, [1])
toset(L)
zipmap([for x in L : format("%d", x)], L)
merge({for x in L : format("%d", x) => x}, {a = 1})
jsonencode(L)
jsondecode(jsonencode(L))
chunklist(L, 3)
contains(L, -1)
index(L, length(L) - 1)
join(",", [for x in L : format("%d", x)])
keys({for x in L : format("%d", x) => x})
{for x in L : (x % 7) => x...}
concat(L, L)
slice(L, 1, 5)
split(",", join(",", [for x in L : format("%d", x)]))
replace(join(",", [for x in L : format("%d", x)]), "1", "2")
regexall("[0-9]+", join(",", [for x in L : format("%d", x)]))
coalescelist(L)
compact([for x in L : format("%d", x)])
sum(L)
max(L...)
yamlencode(L)
""".strip().splitlines()


def hcl(grows, size, text):
    """An expression in HCL."""
    CASES.append(single(f"HCL: {grows}", size, ["eval", "--language", "hcl", "v.hcl"], "v.hcl", text))


numbers = lambda size: "[" + ",".join(map(str, range(size))) + "]"
hcl("elements of a for", 10000, lambda size: f"x = [for x in {numbers(size)} : x * 2 if x > 3]")
for function in FUNCTIONS:
    hcl(f"elements for {function[:48]}", 1000, lambda size, function=function: f"x = length([{function.replace('L', numbers(size))}])")


def unfurl(grows, size, path, text):
    """An expression over a tree of Unfurl."""
    CASES.append(single(f"Unfurl: {grows}", size, ["eval", "--language", "unfurl", "--tree", "u.yaml", "-e", path], "u.yaml", text))


unfurl("elements of a list", 1000, "web::l", lambda size: "web:\n  l: " + numbers(size) + "\n")
unfurl("entries of a wildcard", 300, "web::*::p", lambda size: "web:\n" + lines(size, lambda n: f"  n{n}: {{p: {n}}}\n"))
