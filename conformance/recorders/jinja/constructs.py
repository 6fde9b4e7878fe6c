"""Templates at random with all statements of Jinja2, and with all filters and tests of Ansible, whose arguments are seldom the expected ones.

    python constructs.py COUNT SEED [native] > constructs.jsonl

The first line has the variables and the other templates. Answers are those of Ansible's module `template` (ansible-core 2.15.9). With
`native`, they are the values that Ansible's `Templar` makes with native types, as Unfurl does.
"""
import json
import os
import pickle
import random
import re
import signal
import sys
import tempfile

is_native = sys.argv[3:] == ["native"]
os.environ["ANSIBLE_LOCALHOST_WARNING"] = "0"
os.environ["ANSIBLE_JINJA2_NATIVE"] = str(is_native)
os.environ["HOME"] = tempfile.mkdtemp()
import warnings

warnings.simplefilter("ignore")
from ansible.parsing.dataloader import DataLoader
from ansible.template import AnsibleEnvironment, Templar
from ansible.utils.collection_loader._collection_finder import _AnsibleCollectionFinder
from ansible.utils.display import Display

from encoding import Odd, enc

_AnsibleCollectionFinder(paths=[], scan_sys_paths=False)._install()
Display.warning = Display.deprecated = lambda *args, **named: None
count, seed = int(sys.argv[1]), int(sys.argv[2])
r = random.Random(seed)
VARS = """ports: [8080, 22, 443]
names: [web, Db, app, db]
mixed: [1, two, 3.5, null, true, "7"]
nested: [[1, 2], [3, [4]], []]
hosts:
  - {name: web01, ip: 10.0.0.1, role: web, cpus: 4, tags: [a, b], meta: {dc: fra}}
  - {name: db01, ip: 10.0.0.2, role: db, cpus: 16, tags: [], meta: {dc: ams}}
  - {name: web02, ip: 10.0.0.3, role: web, cpus: 2, tags: [c], meta: {dc: fra}}
conf: {port: 80, ssl: true, name: main, "a b": 1, deep: {x: {y: [1, 2, {z: end}]}}}
limits: {soft: 10, hard: 20, 3: three}
pairs: [{key: a, value: 1}, {key: b, value: [2]}]
empty_list: []
empty_dict: {}
domain: example.com
fqdn: "web.{{ domain }}"
url: "https://user:pw@{{ fqdn }}:8443/a/b.tar.gz?q=1#frag"
text: "The quick  brown fox\\njumps <over> the 'lazy' dog\\n"
path: /etc/nginx/conf.d/site.conf
version: 1.10.2
count: 7
ratio: 2.5
zero: 0
negative: -3
enabled: true
disabled: false
nothing: null
blank: ""
is_large: "{{ count > 5 }}"
total: "{{ ports | sum }}"
listed: "{{ ports | map('string') | list }}"
merged: {first: "{{ conf.name }}", all: "{{ names }}", more: {inner: "{{ count }}"}}
chosen: "{{ hosts | selectattr('role', 'eq', 'web') | map(attribute='name') | list }}"
literal: "[1, {{ count }}, 'x']"
number_text: "42"
json_text: '{"a": [1, 2.5, null], "b": "x"}'
yaml_text: "a: 1\\nb: [x, y]\\n"
undef: "{{ not_there }}"
raw: !unsafe "{{ count }}"
when: "2024-02-29 13:05:09"
size: 1.5 GB
accented: "Zoë ß naïve"
result: {changed: true, failed: false, rc: 0, skipped: false}
"""
if is_native:
    # Unfurl's variables are data.
    for old, new in [
        ('"web.{{ domain }}"', "web.example.com"), ("{{ fqdn }}", "web.example.com"), ('"{{ count > 5 }}"', "true"), ('"{{ ports | sum }}"', "8545"),
        ('"{{ ports | map(\'string\') | list }}"', '["8080", "22", "443"]'), ('"{{ conf.name }}"', "main"), ('"{{ names }}"', "[web, Db, app, db]"),
        ('inner: "{{ count }}"', "inner: 7"), ("\"{{ hosts | selectattr('role', 'eq', 'web') | map(attribute='name') | list }}\"", "[web01, web02]"),
        ("[1, {{ count }}, 'x']", "[1, 7, 'x']"), ('"{{ not_there }}"', "null"), ('!unsafe "{{ count }}"', '"7"'),
    ]:
        assert old in VARS, old
        VARS = VARS.replace(old, new)
FILES = {
    "line.j2": "{{ item | default('no item') }} = {{ loop.index if loop is defined else 0 }}\n",
    "grow.j2": "{% set _ = seen.append(count) if seen is defined else 0 %}<{{ seen | default([]) | length }}>",
    "lib.j2": "{# macros #}\n{% macro field(name, value='-', kind='text') -%}\n  {{ name }}:{{ value }}:{{ kind }}{{ varargs | length }}{{ kwargs | length }}\n{%- endmacro %}\n"
              "{% macro wrap(tag, times=1) %}{% for n in range(times) %}<{{ tag }}{{ n }}>{{ caller(n) if caller is defined else '' }}</{{ tag }}>{% endfor %}{% endmacro %}\n"
              "{% macro tree(items, depth=0) %}{% for i in items %}{{ '-' * depth }}{% if i is iterable and i is not string and i is not mapping %}{{ tree(i, depth + 1) }}{% else %}{{ i }}{% endif %};{% endfor %}{% endmacro %}\n"
              "{% macro _hidden() %}h{% endmacro %}{% set answer = 42 %}{% set shared = [] %}{% macro push(x) %}{% set _ = shared.append(x) %}{{ shared }}{% endmacro %}\n",
    "base.j2": "<{% block head %}head {{ count }}{% endblock %}|{% block body scoped %}{% for i in [1, 2] %}{% block row scoped %}{{ i }}{% endblock %}{% endfor %}{% endblock body %}|{% block foot %}{{ self.head() }}{% endblock %}>\n",
    "mid.j2": "{% extends 'base.j2' %}{% block head %}mid+{{ super() }}{% endblock %}\n{% block row %}[{{ i }}{{ super() }}]{% endblock %}\n",
    "outer.j2": "({% include 'line.j2' %}{% set count = 99 %}{% include 'grow.j2' %})",
}
KINDS = {
    "list": ["ports", "names", "mixed", "nested", "hosts", "pairs", "empty_list", "listed", "chosen", "merged.all", "conf.deep.x.y", "[1, 2, 3]", "['b', 'a', 'B']", "range(4) | list", "hosts[0].tags", "(1, 2)", "q", "pairs", "names", "ports"],
    "dict": ["conf", "limits", "merged", "hosts[1]", "empty_dict", "conf.deep", "{'k': 'v', 'n': [1]}", "dict(a=1, b=2)", "m", "result"],
    "text": ["domain", "fqdn", "url", "text", "path", "version", "raw", "literal", "number_text", "json_text", "yaml_text", "when", "size", "blank", "accented", "hosts[0].name", "'a,b;c'", "'x-1_y'", "s", "'{}' ", "'%s-%s'", "'10.0.0.1'", "'#'"],
    "number": ["count", "ratio", "zero", "negative", "total", "conf.port", "3", "2", "0.1", "1e3", "10 ** 12", "hosts[2].cpus", "-1", "n", "7", "1"],
    "other": ["enabled", "disabled", "nothing", "is_large", "undef", "not_there", "conf.absent", "names[9]", "true", "none", "hosts[0]['absent']", "undef is defined"],
}
# Each filter, the kind of its input, and its arguments.
FILTERS = [line.split("|") for line in """list|length|
list|first|
list|last|
list|sort|reverse=B;case_sensitive=B;attribute='name';attribute='meta.dc,cpus'
list|unique|case_sensitive=B;attribute='role'
list|join|', ';'';S;N;attribute='name';', ', attribute='name';', ', 'ip'
list|map|'upper';'int';'string';attribute='name';attribute='meta.dc';attribute='absent', default='D';'regex_replace', '^(.)', 'X\\\\1';'default', 'x';'length';'extract', conf;'nope';attribute=0;'combine', {'w': 1};'join', '-'
list|select|;'odd';'defined';'string';'number';'gt', 2;'match', 'w';'in', [1, 22];'divisibleby', 2;'truthy';'nope'
list|reject|;'odd';'undefined';'none';'search', 'b';'equalto', 'web';'lt', N
list|selectattr|'role', 'eq', 'web';'tags';'cpus', 'gt', 3;'meta.dc', 'in', ['fra'];'name', 'match', '^w';'absent', 'defined';'value'
list|rejectattr|'role', 'equalto', 'db';'tags';'absent', 'defined';'cpus', 'lessthan', N
list|groupby|'role';attribute='meta.dc';'absent', default='none';'cpus';'name', case_sensitive=B;0
list|batch|2;3, '-';N;2, fill_with=none
list|slice|2;3, 'x';N
list|sum|;start=N;attribute='cpus';'cpus', 10;start=[]
list|min|;attribute='cpus';case_sensitive=B
list|max|;attribute='name';case_sensitive=B
list|reverse|
list|flatten|;levels=1;1;levels=N;skip_nulls=B
list|union|L
list|intersect|L
list|difference|L
list|symmetric_difference|L
list|zip|L;L, L
list|zip_longest|L;L, fillvalue='f'
list|product|L;repeat=2
list|combinations|2;N
list|permutations|2;
list|dict2items|
list|items2dict|;key_name='name', value_name='ip';key_name='name';'name', 'cpus'
list|subelements|'tags';'absent', skip_missing=True;'meta.dc';'tags', skip_missing=B
list|rekey_on_member|'name';'role';'role', duplicates='overwrite';'absent'
list|json_query|'[0]';'[].name';"[?role=='web'].name | [0]";'length(@)';'['
list|to_json|;indent=2;sort_keys=B;separators=(',', ':')
list|to_nice_json|;indent=2
list|to_yaml|;indent=4;default_flow_style=B;width=20
list|to_nice_yaml|;indent=2;indent=8;sort_keys=B;width=30;explicit_start=true
list|tojson|;indent=2
list|list|
list|string|
list|combine|;D
list|random_order|
list|min|attribute='absent'
list|path_join|
list|commonpath|
list|extract|ports;conf
list|shuffle|seed='a'
list|random|seed='a'
dict|dict2items|;key_name='k', value_name='v';key_name='k'
dict|items|
dict|dictsort|;by='value';case_sensitive=B;reverse=B;true;'value'
dict|combine|D;D, recursive=B;D, D;D, list_merge='append';D, list_merge='prepend_rp', recursive=True;D, list_merge='append_rp', recursive=B;L;D, list_merge='nope'
dict|to_json|;indent=1;sort_keys=B
dict|to_nice_json|;indent=8
dict|to_yaml|;default_flow_style=B
dict|to_nice_yaml|;indent=2;indent=4, width=1000;sort_keys=B
dict|list|
dict|length|
dict|first|
dict|string|
dict|join|',';'-'
dict|json_query|'port';'deep.x.y[2].z';'keys(@)';'*';'a.b.c'
dict|xmlattr|;B
dict|urlencode|
dict|map|'upper'
dict|tojson|;indent=1
dict|sum|
dict|sort|
dict|max|
text|upper|
text|lower|
text|title|
text|capitalize|
text|trim|;'x';chars='/ew'
text|replace|'e', 'E';'e', 'E', 1;'', '-';N, 'x';'o', N
text|split|;',';'.';'/', 1;none, 1
text|length|
text|wordcount|
text|wordwrap|10;width=5, break_long_words=B;20, wrapstring='|'
text|truncate|10;5, B;10, true, '';10, leeway=0;255
text|indent|2;4, true;width=3, first=B;'> ';2, blank=B;N
text|center|20;N
text|striptags|
text|escape|
text|e|
text|safe|
text|forceescape|
text|urlize|;10;target='_blank';nofollow=B
text|urlencode|
text|urldecode|
text|urlsplit|;'hostname';'port';'query';'scheme';'nope';query='path'
text|format|'a', 'b';N, S;a=1
text|regex_replace|'[aeiou]', '*';'(\\\\w+)', '<\\\\1>';'^', '> ', multiline=True;'E', 'X', ignorecase=B;'(?P<first>\\\\w)', '\\\\g<first>!';'(', 'x';S, S
text|regex_search|'o.*';'(\\\\d+)', '\\\\1';'(?P<w>\\\\w+)', '\\\\g<w>';'nope';'^j', multiline=True;'[';'q', ignorecase=B
text|regex_findall|'\\\\w+';'(\\\\w)(\\\\w)';'\\\\d';'^\\\\w', multiline=True;'e', ignorecase=B
text|regex_escape|;re_type='posix_basic';re_type='nope'
text|quote|
text|comment|;'c';'erb';'xml';'cblock';decoration='! ';prefix='', postfix='';'plain', prefix='#######\\\\n#';decoration='', newline='|';'nope';beginning='<', end='>'
text|b64encode|;encoding='utf-16-le'
text|b64decode|
text|hash|;'md5';'sha256';'sha512';'nope';'sha1'
text|md5|
text|sha1|
text|checksum|
text|basename|
text|dirname|
text|splitext|
text|win_basename|
text|win_dirname|
text|win_splitdrive|
text|normpath|
text|path_join|
text|int|;0;5;default=3;0, 16;N, base=8
text|float|;1.5;default=N
text|bool|
text|default|'d';'d', true;'d', B;boolean=B
text|from_json|
text|from_yaml|
text|from_yaml_all|
text|human_to_bytes|;'M';isbits=B;default_unit='K'
text|to_datetime|;'%Y-%m-%d %H:%M:%S';'%Y'
text|to_uuid|;namespace='6ba7b810-9dad-11d1-80b4-00c04fd430c8'
text|list|
text|first|
text|reverse|
text|sort|
text|unique|
text|batch|3
text|string|
text|select|'in', 'aeiou'
text|version|'1.9', '>'
text|ternary|'y', 'n';'y', 'n', 'z'
text|mandatory|;msg='m'
text|to_json|;ensure_ascii=B
text|to_yaml|
text|to_nice_yaml|
text|to_nice_json|
text|tojson|
text|pprint|
text|extract|conf
text|attr|'upper'
text|strftime|
text|unvault|'x'
text|zip|S
number|abs|
number|int|
number|float|
number|round|;1;0, 'floor';1, 'ceil';method='floor';-1;2, 'nope';N
number|string|
number|pow|2;N
number|root|;3;N
number|log|;2;10;N
number|human_readable|;isbits=B;unit='K';unit='M', isbits=B
number|filesizeformat|;true;binary=B
number|default|9;9, true
number|bool|
number|ternary|'a', 'b'
number|to_json|
number|to_yaml|
number|format|'x'
number|length|
number|list|
number|extract|ports;names;nested, 0;hosts, 'name';hosts, ['meta', 'dc'];conf
number|strftime|
number|upper|
number|join|'.'
number|min|
number|tojson|
number|divisibleby|2
number|hash|
number|b64encode|
number|regex_replace|'1', '2'
other|default|'d';'d', true;default_value='x', boolean=B;
other|d|'z', B
other|bool|
other|ternary|'y', 'n';'y', 'n', 'none';S, N
other|string|
other|int|
other|float|
other|to_json|
other|to_yaml|
other|to_nice_yaml|
other|mandatory|;'gone'
other|length|
other|join|','
other|list|
other|upper|
other|lower|
other|trim|
other|combine|D
other|tojson|
other|default(omit)|
other|undef|
other|first|
other|quote|
other|hash|
other|map|'upper'
other|sum|
other|flatten|
other|unique|
other|dict2items|
other|regex_replace|'T', 'x'
other|from_yaml|
other|from_json|
other|nope|
other|union|L
other|indent|""".splitlines()]
FILTERS = [(kind, name, arguments.split(";")) for kind, name, *rest in FILTERS for arguments in ["|".join(rest)] if name not in ("random_order", "strftime", "unvault", "pprint")]
TESTS = [line.split("|") for line in """defined|
undefined|
none|
boolean|
true|
false|
string|
number|
integer|
float|
mapping|
sequence|
iterable|
callable|
odd|
even|
lower|
upper|
divisibleby|2;N
eq|N;S
equalto|S
ne|S
gt|N
ge|3
lt|N
le|S
greaterthan|2
lessthan|N
in|L;S;D
sameas|none;true
match|'^w';'W', ignorecase=B;S
search|'o';'X', ignorecase=B
regex|'^w.*1$';'b', match_type='match'
contains|'a';1;S
subset|L
superset|L
any|
all|
truthy|;convert_bool=B
falsy|;convert_bool=B
version|'1.9', '>';'1.10.2';'2', 'lt', strict=True;'1.0', version_type='semver';'1', 'nope';'1.10.0', '>=', version_type='loose'
nan|
abs|
uri|;['https']
url|;['http']
urn|
failed|
changed|
skipped|
success|
reachable|
started|
finished|
filter|
test|
escaped|
vault_encrypted|
nope|""".splitlines()]
TESTS = [(name, arguments.split(";")) for name, arguments in TESTS]
METHODS = {
    "list": ["append(N)", "append(S)", "pop()", "pop(0)", "insert(0, S)", "extend(L)", "remove('web')", "index(22)", "count('db')", "sort()", "reverse()", "copy()", "clear()"],
    "dict": ["update({'u': N})", "update(u=S)", "setdefault('sd', [])", "setdefault('port', 1)", "pop('port')", "pop('gone', N)", "get('port')", "get('gone', S)", "keys() | list", "values() | list", "items() | list", "copy()", "popitem()", "clear()", "items()", "keys()"],
    "text": ["upper()", "split('.')", "split()", "splitlines()", "startswith('w')", "endswith(('m', 'f'))", "replace('e', '3')", "find('e')", "join(['a', 'b'])", "strip('\\n')", "format(N, S)", "title()", "zfill(12)", "partition('/')", "rsplit('/', 1)", "isdigit()", "center(30, '*')", "ljust(14) ~ '|'", "count('e')", "swapcase()", "encode('utf-8')", "rstrip()", "expandtabs()", "isidentifier()", "casefold()", "removeprefix('web.')"],
    "number": ["bit_length()", "real", "is_integer()", "as_integer_ratio()", "imag", "numerator", "__str__()"],
    "other": ["upper()", "name", "x.y"],
}


def pick(kind=None):
    if kind is None or r.random() < 0.07:
        kind = r.choice(list(KINDS))
    return r.choice(KINDS[kind])


def fill(arguments):
    """Arguments with each gap replaced: N a number, S a text, L a list, D a map, B a truth."""
    out, quote = [], ""
    for at, letter in enumerate(arguments):
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "'\"":
            quote = letter
        alone = not quote and not (arguments[at - 1 : at] + arguments[at + 1 : at + 2]).strip("()[]{}, =:;").strip()
        if alone and letter in "NSLDB":
            letter = r.choice(["true", "false"]) if letter == "B" else pick({"N": "number", "S": "text", "L": "list", "D": "dict"}[letter])
        out.append(letter)
    return "".join(out)


def filtered(depth=0):
    kind, name, arguments = r.choice(FILTERS)
    chosen = fill(r.choice(arguments))
    if r.random() < 0.03:
        chosen += (", " if chosen else "") + r.choice(["1", "'x'", "nope=1", "none", "*[1, 2]", "**{'attribute': 'name'}"])
    given = "(%s)" % expression(depth + 1) if r.random() < 0.1 else pick(kind)
    return "%s | %s%s" % (given, name, "(%s)" % chosen if chosen or r.random() < 0.1 else "")


def tested():
    name, arguments = r.choice(TESTS)
    chosen = fill(r.choice(arguments))
    return "%s is %s%s%s" % (pick(), r.choice(["", "", "not "]), name, "(%s)" % chosen if chosen else "")


def method():
    kind = r.choice(list(METHODS))
    return "%s.%s" % (pick(kind) if not pick(kind).startswith(("-", "[", "(", "1", "2", "7", "0")) else "(%s)" % pick(kind), fill(r.choice(METHODS[kind])))


def expression(depth=0):
    if depth > 2:
        return pick()
    inner = lambda: expression(depth + 1)
    return r.choice([
        filtered, filtered, filtered, filtered, tested, method, method, pick, pick,
        lambda: "%s | %s" % (filtered(depth), r.choice(["list", "string", "length", "first", "to_json", "join(',')", "default('d')", "sort", "type_debug | length > 0"])),
        lambda: "%s %s %s" % (inner(), r.choice(["+", "-", "~", "*", "/", "//", "%", "==", "!=", "<", ">=", "in", "not in", "and", "or"]), inner()),
        lambda: "%s ** %s" % (r.choice(["2", "count", "ratio"]), r.choice(["2", "3", "0.5", "-1"])),
        lambda: "%s if %s else %s" % (inner(), tested(), inner()),
        lambda: "%s if %s" % (pick(), tested()),
        lambda: "not %s" % inner(),
        lambda: "[%s, %s]" % (inner(), inner()),
        lambda: "{'k': %s, %s: 2}" % (inner(), r.choice(["'j'", "count", "domain"])),
        lambda: "(%s, %s)" % (inner(), inner()),
        lambda: "%s[%s]" % (pick("list"), r.choice(["0", "-1", "1:", ":2", "::-1", "9", "'x'", "0:9:2", "count"])),
        lambda: "%s[%s]" % (pick("dict"), r.choice(["'port'", "'name'", "domain", "3", "'absent'"])),
        lambda: "%s[%s]" % (pick("text"), r.choice(["0", "-3:", "::2", "99", "1:4"])),
        lambda: "lookup('%s')" % r.choice(["vars', 'fqdn", "vars', 'absent', default='x", "template', 'line.j2", "file', 'line.j2", "items', 1, '2", "dict', {'a': 1}, '", "sequence', 'start=1 end=3", "indexed_items', ['a'], '", "nested', [1], [2], '", "together', [1, 2], '", "list', 'a", "first_found', ['nope', 'line.j2'], '", "nope', '"]).replace(", '')", ")"),
        lambda: "query('%s)" % r.choice(["vars', 'count', 'domain'", "sequence', 'count=3'", "subelements', hosts, 'tags'", "varnames', '^is_'", "dict', conf"]),
        lambda: "range(%s) | list" % r.choice(["3", "1, 4", "5, 0, -2", "count", "domain"]),
        lambda: "%s(%s)" % (r.choice(["dict", "namespace", "f", "lib.field", "undef", "range", "cycler"]), r.choice(["", "a=1", "'x'", "[('a', 1)]", "count"])),
    ])()


def block(depth):
    return statements(depth + 1) if depth < 3 else "{{ %s }}" % expression()


def printed():
    start, end = r.choice([("{{", "}}")] * 6 + [("{{-", "}}"), ("{{", "-}}"), ("{{-", "-}}")])
    return "%s %s %s" % (start, expression(), end)


def tag(text):
    start, end = r.choice([("{%", "%}")] * 8 + [("{%-", "%}"), ("{%", "-%}"), ("{%-", "-%}"), ("{%+", "%}"), ("{%", "+%}")])
    return "%s %s %s" % (start, text, end)


def compound(opening, body, closing, middle=None, other=None):
    gap = r.choice(["", "", "\n", "\n  "])
    parts = [tag(opening), gap, body, gap]
    if middle:
        parts += [tag(middle), gap, other or "", gap]
    return "".join(parts + [tag(closing), r.choice(["", "", "\n"])])


def loop(depth):
    targets, iterated = r.choice([
        ("i", lambda: pick("list")), ("i", lambda: pick("list")), ("item", lambda: pick("list")), ("i", lambda: expression(1)), ("k, v", lambda: "(%s).items()" % pick("dict")),
        ("k, v", lambda: "%s | dictsort" % pick("dict")), ("h", lambda: "hosts"), ("g, members", lambda: "hosts | groupby('role')"), ("g", lambda: "hosts | groupby('meta.dc')"),
        ("a, b", lambda: "ports | zip(names)"), ("h, t", lambda: "hosts | subelements('tags')"), ("i", lambda: pick("dict")), ("c", lambda: pick("text")),
    ])
    body = block(depth)
    names = targets.replace(" ", "").split(",")
    body += r.choice([
        "{{ %s }}" % names[0], "{{ %s }}," % names[-1], "{{ loop.index }}/{{ loop.length }}", "{{ ', ' if not loop.last }}", "{{ loop.cycle('a', 'b') }}", "{{ loop.previtem | default('-') }}",
        "{{ loop.nextitem | default('-') }}", "{%% if loop.changed(%s) %%}*{%% endif %%}" % names[0], "{{ loop.revindex0 }}", "{{ loop.depth }}", "{{ loop.first }}{{ loop.last }}", "{{ g.grouper }}{{ g.list | length }}" if names == ["g"] else "",
        "{{ loop.parent }}", "{% set _ = seen.append(" + names[0] + ") %}", "{% set count = loop.index %}{{ count }}",
    ])
    if r.random() < 0.08:
        return compound("for i in nested recursive", "[{{ loop(i) if i is iterable and i is not string else i }}%s]" % body.replace("h.", "i."), "endfor")
    condition = " if %s" % r.choice([tested(), "%s is defined" % names[0], names[0], "loop.index is odd"]) if r.random() < 0.2 else ""
    has_else = r.random() < 0.2
    return compound("for %s in %s%s" % (targets, iterated(), condition), body, "endfor", "else" if has_else else None, block(depth) if has_else else None)


def statements(depth=0):
    out = []
    for _ in range(r.randint(1, 2)):
        out.append(r.choice([
            lambda: r.choice(["text", "\n", " ", "a\n", "  b ", "\t", "# x\n", "é", "{ }", "%"]),
            printed, printed, printed, printed,
            lambda: loop(depth), lambda: loop(depth),
            lambda: compound("if %s" % tested(), block(depth), "endif"),
            lambda: compound("if %s" % expression(), block(depth), "endif", r.choice(["else", "elif %s" % tested()]), block(depth)),
            lambda: tag("set %s = %s" % (r.choice(["s", "n", "q", "m", "count", "names", "item"]), expression())),
            lambda: tag("set _ = %s" % method()),
            lambda: tag("set a, b = %s" % r.choice(["1, 2", "ports[:2]", "names", "(q, m)", "conf"])) + "{{ a }}{{ b }}",
            lambda: compound("set s", block(depth), "endset") + "{{ s }}",
            lambda: compound("set s | %s" % r.choice(["upper", "trim", "length", "replace('a', 'b')"]), block(depth), "endset") + "{{ s }}",
            lambda: tag("include '%s'" % r.choice(["line.j2", "grow.j2", "outer.j2", "nope.j2", "base.j2"])),
            lambda: tag("include %s%s%s" % (r.choice(["'line.j2'", "'grow.j2'", "['nope.j2', 'line.j2']", "s", "'outer.j2'"]), r.choice(["", " ignore missing"]), r.choice(["", " with context"]))),
            lambda: tag("include 'line.j2' without context") if depth == 0 else "",
            lambda: "{% import 'lib.j2' as lib %}{{ " + r.choice(["lib.field('a')", "lib.field('a', 1, 2, 3)", "lib.field('a', x=1)", "lib.wrap('b')", "lib.tree(nested)", "lib.answer", "lib._hidden()", "lib.push(count)", "lib.push(1) ~ lib.push(2)", "lib.nope", "lib.field.name", "lib.field.arguments", "lib.field(*ports)", "lib.field(**conf.deep)", "lib.field(value=domain)", "lib.wrap.caller"]) + " }}",
            lambda: "{% from 'lib.j2' import field" + r.choice(["", " with context", " as f", ", wrap", ", nope", ", tree as t, answer"]) + " %}{{ " + r.choice(["field('n', %s)" % pick(), "f('x')", "wrap('w', 2)", "t([1, [2]])", "answer"]) + " }}",
            lambda: "{% from 'lib.j2' import wrap %}" + compound("call(%s) wrap('t', %s)" % (r.choice(["n", "n, z=1", ""]), r.choice(["1", "2", "count"])), block(depth) + "{{ n }}", "endcall"),
            lambda: compound("macro f(%s)" % r.choice(["", "a", "a, b=%s" % pick(), "a=1, b=a", "a, b=[]"]), r.choice(["{{ a }}", "{{ a | default('no') }}{{ b | default('') }}", "{{ varargs }}{{ kwargs }}", "{{ caller() if caller is defined }}", "{% set _ = b.append(1) %}{{ b }}"]) + block(depth), "endmacro") + "{{ f(%s) }}" % r.choice(["", "1", "1, 2", "a=%s" % pick(), "1, x=2", "*ports"]),
            lambda: compound("filter %s" % r.choice(["upper", "indent(2)", "replace('a', 'A')", "trim", "comment", "regex_replace('o', '0')", "b64encode"]), block(depth), "endfilter"),
            lambda: compound("with %s" % r.choice(["s = %s" % pick(), "q = ports, n = q | length", "item = %s" % expression(), ""]), block(depth), "endwith"),
            lambda: compound("raw", "{{ x }}{% y %}", "endraw"),
            lambda: r.choice(["{# note #}", "{#- note -#}", "{# {{ x }} #}\n"]),
            lambda: "{% set ns = namespace(total=0) %}{% for i in ports %}{% set ns.total = ns.total + i %}{% endfor %}{{ ns.total }}",
            lambda: "{% set seen = [] %}{% for i in " + pick("list") + " %}{% set _ = seen." + r.choice(["append(i)", "insert(0, i)", "extend([i, i])"]) + " %}{% endfor %}{{ seen }}",
            lambda: "{% set m = {} %}{% for h in hosts %}{% set _ = m." + r.choice(["update({h.name: h.ip})", "setdefault(h.role, []).append(h.name)", "setdefault(h.name, h)"]) + " %}{% endfor %}{{ m }}",
            lambda: "{% for h in hosts %}{% set _ = h." + r.choice(["update({'new': loop.index})", "tags.append('t')", "meta.update(dc='x')", "pop('role')", "tags.clear()"]) + " %}{% endfor %}{{ hosts | " + r.choice(["map(attribute='tags') | list", "to_json", "first", "map(attribute='new') | list"]) + " }}",
            lambda: r.choice(["{% endif %}", "{{ }}", "{% for %}{% endfor %}", "{{ 1 / 0 }}", "{{ 'a' + 1 }}", "{% if %}{% endif %}", "{{ domain.nope.x }}", "{{ f( }}", "{% unknown %}", "{% do 1 %}", "{% break %}", "{{ 'x }}", "{{ a b }}", "{{ 1..2 }}", "{{ undef }}"]) if r.random() < 0.15 else "",
        ])())
    return "".join(out)


def template():
    start = ""
    if r.random() < 0.1:
        start = "#jinja2: %s\n" % r.choice(["trim_blocks: False", "lstrip_blocks: True", "trim_blocks:True, lstrip_blocks: True", "variable_start_string: '[[', variable_end_string: ']]'", "keep_trailing_newline: False", "comment_start_string: '<#', comment_end_string: '#>'", "newline_sequence: '\\n'", "trim_blocks: 0", "block_start_string:'<%', block_end_string:'%>'"])
    if r.random() < 0.6:
        start += "{% set q = [4, 5] %}{% set m = {'z': 1} %}{% set s = 'Str' %}{% set n = 3 %}{% set seen = [] %}"
    if r.random() < 0.06:
        return "%s{%% extends '%s' %%}{%% block %s %%}%s{{ super() }}{%% endblock %%}" % (start, r.choice(["base.j2", "mid.j2"]), r.choice(["head", "body", "row", "foot"]), statements(2))
    adapt = lambda part: part.replace("{{", "[[").replace("}}", "]]") if "[[" in start[:60] else part
    body = ""
    # Most parts that fail are left out, so that there is something left to compare.
    for _ in range(r.randint(1, 4)):
        part = adapt(statements())
        if r.random() < 0.04 or renders(start + body + part):
            body += part
    return start + body + r.choice(["", "\n", "\n\n", "end\n"])


def renders(text):
    signal.setitimer(signal.ITIMER_PROF, 1)
    try:
        render(text)
        return True
    except (Exception, TooLong):
        return False
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


folder = tempfile.mkdtemp()
for name, text in FILES.items():
    with open(os.path.join(folder, name), "w") as file:
        file.write(text)
os.chdir(folder)


loader = DataLoader()
loader.set_basedir(folder)
# Reading YAML takes longer than rendering most templates.
LOADED = pickle.dumps(loader.load(VARS, file_name="vars.yml"))


templar = Templar(loader, variables={})
if is_native:
    templar.environment.loader.searchpath = [folder + "/templates", folder]
    # As Unfurl asks.
    templar.environment.trim_blocks = False


def render(text):
    variables = dict(pickle.loads(LOADED))
    templar.available_variables = variables
    # The templates that were included before keep what they made of their variables.
    templar.environment.cache.clear()
    if is_native:
        return enc(templar.template(text.strip(), convert_bare=False))
    own = templar.copy_with_new_env(environment_class=AnsibleEnvironment, searchpath=[folder + "/templates", folder], newline_sequence="\n", available_variables=variables)
    return own.do_template(text, preserve_trailing_newlines=True, escape_backslashes=False, overrides=dict(trim_blocks=True, lstrip_blocks=False))


class TooLong(BaseException):
    """A list that grows while a loop goes through it has no end."""


def stop(*_):
    raise TooLong


signal.signal(signal.SIGPROF, stop)
# A plugin whose import is stopped is gone for good: each is loaded once before.
for text in [*("{{ 1 | %s }}" % name for _, name, _ in FILTERS), *("{{ 1 is %s }}" % name for name, _ in TESTS), "{{ lookup('vars', 'count') }}"]:
    try:
        render(text)
    except Exception:
        pass
print(json.dumps({"vars": VARS, "files": FILES}))
for _ in range(count):
    text = template()
    signal.setitimer(signal.ITIMER_PROF, 1)
    try:
        case = {"template": text, "result": render(text), **({"native": True} if is_native else {})}
        shown = json.dumps(case["result"])
        # A template that failed in a lookup is its own result for a while.
        if re.search(" at 0x", shown, re.IGNORECASE) or len(shown) > 4000 or folder in shown or case["result"] == text and "{" in text:
            continue
    except (TooLong, Odd):
        continue
    except Exception as fault:
        case = {"template": text, "error": "%s: %s" % (type(fault).__name__, str(fault)[:160]), **({"native": True} if is_native else {})}
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    print(json.dumps(case, ensure_ascii=False))
