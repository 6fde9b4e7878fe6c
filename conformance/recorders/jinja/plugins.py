"""Filters and tests of ansible.utils, community.general and ansible.netcommon, called at random.

    python plugins.py COUNT SEED > plugins.jsonl

Needs the package `ansible` 8 (ansible-core 2.15.9), netaddr 1.3.0 and jmespath. The questions `private`, `public` and `6to4` of
`ipaddr` fail with netaddr 1: they are recorded with netaddr 0.10.1 (PYTHONPATH), when the third argument is `old`. With `facts`, only
the filters about facts, XML and access lists are called; they need xmltodict 1.0.4.
"""
import json
import os
import random
import sys
import tempfile

os.environ["ANSIBLE_LOCALHOST_WARNING"] = "0"
os.environ["HOME"] = tempfile.mkdtemp()
import warnings

warnings.simplefilter("ignore")
import ansible
from ansible.parsing.dataloader import DataLoader
from ansible.template import AnsibleEnvironment, Templar
from ansible.utils.collection_loader._collection_finder import _AnsibleCollectionFinder
from ansible.utils.display import Display

Display.warning = Display.deprecated = lambda *args, **named: None
packages = os.path.dirname(os.path.dirname(ansible.__file__))
_AnsibleCollectionFinder(paths=[packages], scan_sys_paths=True)._install()

count, seed = int(sys.argv[1]), int(sys.argv[2])
is_old = sys.argv[3:] == ["old"]
is_about_facts = sys.argv[3:] == ["facts"]
r = random.Random(seed)


def v4():
    return r.choice(
        [
            "192.168.1.%d" % r.randint(0, 255),
            "10.%d.%d.%d" % (r.randint(0, 255), r.randint(0, 3), r.randint(0, 255)),
            ".".join(str(r.randint(0, 255)) for _ in range(4)),
            r.choice(["0.0.0.0", "255.255.255.255", "127.0.0.1", "169.254.3.4", "224.0.0.5", "172.16.0.1", "8.8.8.8"]),
            r.choice(["192.0.0.9", "198.18.0.1", "203.0.113.7", "100.64.1.1", "240.0.0.1", "239.1.2.3", "255.255.255.0", "0.0.0.255"]),
        ]
    )


def v6():
    return r.choice(
        [
            "2001:db8::%x" % r.randint(0, 65535),
            "fe80::%x:%x" % (r.randint(0, 65535), r.randint(0, 65535)),
            ":".join("%x" % r.choice([0, 0, r.randint(0, 65535)]) for _ in range(8)),
            r.choice(["::", "::1", "::ffff:1.2.3.4", "::1.2.3.4", "2002:c0a8:0101::1", "ff02::1", "fc00::1", "2001::1", "1::", "::2:3"]),
            r.choice(["2001:DB8::A", "2001:0db8:0000:0000:0000:0000:0000:0001", "fec0::1", "::0.0.1.0", "64:ff9b::1.2.3.4"]),
        ]
    )


def broken():
    return r.choice(
        ["", "foo", "1.2.3", "1.2.3.4.5", "256.1.1.1", "01.2.3.4", "1.2.3.4/33", "::/129", "1.2.3.4/24/5", "::g", "1::2::3", " 1.2.3.4",
         "1.2.3.4/", "/24", "12345", "4294967296", "340282366920938463463374607431768211456", "-5", "3232235777/24", "1.2.3.4/255.0.255.0",
         "1.2.3.4/ 24", "1.2.3.4/+8", "localhost", "10", "10.1/16"]
    )


def with_prefix(address):
    width = 128 if ":" in address else 32
    if width == 32 and r.random() < 0.1:
        return address + "/" + r.choice(["255.255.255.0", "0.0.0.255", "255.255.255.252", "255.0.0.0", "0.0.0.0"])
    return "%s/%d" % (address, r.choice([width, width - 1, width - 2, width - 8, r.randint(0, width), 24, 64 if width == 128 else 16]))


def net(v=None):
    address = {4: v4, 6: v6}[v or r.choice([4, 4, 6])]()
    return with_prefix(address)


def value():
    if is_old:
        return r.choice([v4, v6, net])()
    return r.choice([v4, v6, net, net, net, broken])()


def scalar():
    return r.choice([value, value, value, value, lambda: r.choice([0, 1, 5, 2**32 - 1, 2**32, 2**64, True, False, None, 1.5, -3])])()


def values():
    return [scalar() for _ in range(r.randint(0, 5))]


QUERIES = ["", "address", "address/prefix", "bool", "broadcast", "cidr", "cidr_lookup", "first_usable", "gateway", "gw", "host",
           "host/prefix", "hostmask", "hostnet", "int", "ip", "ip/prefix", "ip_netmask", "ipv4", "ipv6", "last_usable", "link-local", "lo",
           "loopback", "multicast", "net", "next_usable", "netmask", "network", "network_id", "network/prefix", "network_netmask",
           "network_wildcard", "peer", "prefix", "previous_usable", "range_usable", "revdns", "router", "size", "size_usable", "subnet",
           "type", "unicast", "v4", "v6", "version", "wildcard", "wrap"]
OLD = ["private", "public", "6to4"]


def query():
    if is_old:
        return r.choice(OLD)
    return r.choice([lambda: r.choice(QUERIES)] * 6 + [net, lambda: str(r.randint(-5, 300)), lambda: r.randint(-3, 40), lambda: r.choice(["x", "1.5", "nan"])])()


def mac():
    digits = ["%02x" % r.randint(0, 255) for _ in range(6)]
    text = r.choice([":".join(digits), "-".join(digits).upper(), "".join(digits), ".".join("".join(digits)[at : at + 4] for at in (0, 4, 8)),
                     "".join(digits)[:6] + ":" + "".join(digits)[6:], "1:2:3:4:5:6", "0001.2.3", "123", "".join(digits)[:11],
                     ":".join(digits + ["0a", "0b"]), "".join(digits) + "0a0b", "281474976710656", "zz", "", "1:2:3:4:5", "18446744073709551616"])
    return text


WORDS = ["a", "b", "name", "ab", "abc", "k-1", "x y", "id", "größe", "1"]


def tree(depth=0):
    kind = r.random()
    if depth > 3 or kind < 0.35:
        return r.choice([1, 0, "", "x", None, True, False, 2.5, "text", "abc"])
    if kind < 0.6:
        return [tree(depth + 1) for _ in range(r.randint(0, 3))]
    return {r.choice(WORDS): tree(depth + 1) for _ in range(r.randint(0, 4))}


def keyed():
    return [{"id": r.choice([1, 2, 3]), r.choice(WORDS): tree(2), "l": [r.randint(0, 3) for _ in range(r.randint(0, 3))], "d": {r.choice(WORDS): tree(3)}}
            for _ in range(r.randint(0, 4))]


def version():
    return r.choice(["%d.%d" % (r.randint(0, 12), r.randint(0, 12)), "%d.%d.%d" % (r.randint(0, 3), r.randint(0, 12), r.randint(0, 12)),
                     "1.2%s%d" % (r.choice(["a", "b", "rc", "-", "_"]), r.randint(0, 12)), "v%d" % r.randint(0, 20), "", "1..2", "a.b"])


def span():
    return " ".join("%d%s" % (r.choice([0, 1, 3, 30, 90, -2, 1000]), r.choice(["ms", "s", "m", "h", "d", "w", "mo", "y", "sec", "hours", "minutes", "days", "weeks", "x", "", "msecs", "year"]))
                    for _ in range(r.randint(0, 3)))


def csv():
    def cell():
        return r.choice(["a", "b c", '"q,r"', '"x""y"', "", " s", "ü", '"line\nbreak"', 'a"b', '"a"b', "1", '"open'])

    separator = r.choice([",", ",", "\t", ";"])
    return r.choice(["\n", "\r\n", "\n"]).join(separator.join(cell() for _ in range(r.randint(0, 4))) for _ in range(r.randint(0, 5))) + r.choice(["", "\n"])


MATCHING = [{}, {"matching_parameter": "starts_with"}, {"matching_parameter": "ends_with"}, {"matching_parameter": "regex"}, {"matching_parameter": "equality"}]


def keys():
    return [r.choice(WORDS + ["a.*", "[ab]", "n"]) for _ in range(r.randint(0, 3))]


def one_of(*choices):
    return lambda: r.choice(choices)()


def pick(*choices):
    return lambda: r.choice(choices)


U, G, N = "ansible.utils.", "community.general.", "ansible.netcommon."
# Each filter with a function that makes what it is applied to, its arguments, and those by name.
FILTERS = {
    U + "ipaddr": lambda: (one_of(scalar, scalar, values)(), [query()], r.choice([{}, {}, {"version": 4}, {"version": 6}])),
    U + "ipv4": lambda: (one_of(scalar, values)(), [query()] if r.random() < 0.7 else [], {}),
    U + "ipv6": lambda: (one_of(scalar, values)(), [query()] if r.random() < 0.7 else [], {}),
    U + "ipwrap": lambda: (one_of(scalar, values)(), [], {}),
    U + "ip4_hex": lambda: (value(), r.choice([[], [":"], ["-"]]), {}),
    U + "ipcut": lambda: (one_of(v6, v6, value)(), [r.choice([r.randint(-130, 130), 64, -64, "16", "x"])], {}),
    U + "ipmath": lambda: (value(), [r.choice([r.randint(-10, 300), 2**32, -(2**40), "5", "x", None])], {}),
    U + "ipsubnet": lambda: (value(), r.choice([[], [r.randint(0, 130)], [r.randint(8, 32), r.randint(-8, 20)], [net()], [str(r.randint(20, 32)), r.randint(0, 3)]]), {}),
    U + "ipv6form": lambda: (one_of(v6, v6, value)(), [r.choice(["expand", "compress", "x509", "x"])], {}),
    U + "network_in_network": lambda: (one_of(net, value)(), [one_of(v4, net, value)()], {}),
    U + "network_in_usable": lambda: (one_of(net, value)(), [one_of(v4, net, value)()], {}),
    U + "next_nth_usable": lambda: (one_of(net, value)(), [r.choice([0, 1, 2, r.randint(-5, 300), "3", "x"])], {}),
    U + "previous_nth_usable": lambda: (one_of(net, value)(), [r.choice([0, 1, 2, r.randint(-5, 300)])], {}),
    U + "nthhost": lambda: (one_of(net, value)(), [r.choice([1, 0, r.randint(-300, 300), str(r.randint(0, 20)), "x", 2**40])], {}),
    U + "reduce_on_network": lambda: ([value() for _ in range(r.randint(0, 5))], [one_of(net, value)()], {}),
    U + "cidr_merge": lambda: ([r.choice([net, v4, value])() for _ in range(r.randint(0, 5))], r.choice([[], [], ["merge"], ["span"], ["x"]]), {}),
    U + "slaac": lambda: (one_of(lambda: net(6), value)(), [mac()], {}),
    U + "hwaddr": lambda: (mac(), r.choice([[], ["bare"], ["bool"], ["int"], ["cisco"], ["eui48"], ["linux"], ["pgsql"], ["unix"], ["win"], ["x"]]), {}),
    U + "macaddr": lambda: (mac(), r.choice([[], ["bare"], ["linux"], ["unix"], ["x"]]), {}),
    U + "usable_range": lambda: (r.choice(["192.168.1.0/%d" % r.randint(26, 32), "10.0.0.0/30", "2001:db8::/%d" % r.randint(122, 128), v4(), "1.2.3.4/24", "x"]), [], {}),
    U + "keep_keys": lambda: (tree(), [keys()], r.choice(MATCHING)),
    U + "remove_keys": lambda: (tree(), [keys()], r.choice(MATCHING)),
    U + "replace_keys": lambda: (tree(), [[{"before": key, "after": r.choice(WORDS)} for key in keys()]], r.choice(MATCHING)),
    U + "to_paths": lambda: (tree(), [], r.choice([{}, {}, {"prepend": "p"}, {"wantlist": True}])),
    U + "index_of": lambda: (one_of(lambda: [r.choice([1, 2, "a", True]) for _ in range(r.randint(0, 5))], keyed)(),
                             [r.choice(["eq", "==", "!=", ">", "in", "!in", "not in", "odd", "defined", "nope"]), r.choice([1, 2, "a", [1, "a"]])],
                             r.choice([{}, {"key": "id"}, {"key": "name", "fail_on_missing": True}, {"wantlist": True}])),
    U + "get_path": lambda: ({"a": tree(1), "b": {"c": [1, 2, {"d": "x"}]}}, [r.choice(["a", "b.c[0]", "b.c[2].d", "b['c'][1]", "b.nope", "a.b", "b.c"])], r.choice([{}, {"wantlist": True}])),
    U + "param_list_compare": lambda: (r.sample(WORDS, r.randint(0, 5)), [[r.choice(WORDS + ["all", "!a", "!b", "zz"]) for _ in range(r.randint(0, 4))]], {}),
    G + "counter": lambda: (r.choice([[r.choice([3, "a", 0, 2.5, None]) for _ in range(r.randint(0, 6))], "hello", 5, [[1]], tree()]), [], {}),
    G + "crc32": lambda: (r.choice(["", "hello", "größe", 5, "x" * 100]), [], {}),
    G + "dict": lambda: ([[r.choice(WORDS + [3, True]), tree(2)] for _ in range(r.randint(0, 4))] if r.random() < 0.8 else tree(), [], {}),
    G + "dict_kv": lambda: (tree(), [r.choice(WORDS + [1])], {}),
    G + "from_csv": lambda: (csv(), [], r.choice([{}, {}, {"delimiter": ";"}, {"dialect": "excel-tab"}, {"dialect": "unix"}, {"dialect": "x"}, {"fieldnames": ["a", "b"]}, {"skipinitialspace": True}, {"strict": True}, {"delimiter": ",,"}])),
    G + "groupby_as_dict": lambda: (r.choice([keyed(), [{"id": at} for at in range(3)], tree()]), [r.choice(["id", "name"])], {}),
    G + "lists_mergeby": lambda: (keyed(), [keyed()] * r.randint(0, 2) + [r.choice(["id", "id", "name", 5])], r.choice([{}, {"recursive": True}, {"list_merge": "append"}, {"recursive": True, "list_merge": r.choice(["keep", "prepend", "append_rp", "prepend_rp", "replace", "x"])}])),
    G + "random_mac": lambda: (r.choice(["52:54:00", "52", "AA:bb:cc:dd:ee", "1:2", "", "52:54:00:11:22:33", "zz", 5]), [], {"seed": r.choice(["x", 1, "host", 2**70, -4, 1.5])}),
    G + "unicode_normalize": lambda: (r.choice(["größe", "A\u030a", "\ufb01", "\u1e9b\u0323", "x", 5]), r.choice([[], ["NFC"], ["NFD"], ["NFKC"], ["NFKD"], ["x"]]), {}),
    G + "version_sort": lambda: ([version() for _ in range(r.randint(0, 5))], [], r.choice([{}, {}, {"reverse": True}])),
    G + "to_time_unit": lambda: (r.choice([span(), span(), "0", "1h30m"]), r.choice([[], ["s"], ["hours"], ["y"], ["x"]]), {}),
    N + "vlan_expander": lambda: (",".join(r.choice(["%d" % r.randint(1, 50), "%d-%d" % (r.randint(1, 20), r.randint(5, 30)), "x", "1-2-3"] [: r.choice([2, 2, 2, 4])]) for _ in range(r.randint(1, 4))), [], {}),
    N + "vlan_parser": lambda: ([r.randint(1, 60) for _ in range(r.randint(0, 40))] if r.random() < 0.9 else [0, 5000], [], r.choice([{}, {}, {"first_line_len": 20, "other_line_len": 10}])),
    N + "hash_salt": lambda: (r.choice(["$1$abc$defg", "plain", "$6$salt$x$y"]), [], {}),
}
for unit in ["milliseconds", "seconds", "minutes", "hours", "days", "weeks", "months", "years"]:
    FILTERS[G + "to_" + unit] = lambda: (span(), [], r.choice([{}, {}, {"x": 1}]))
TESTS = {U + name: lambda: (one_of(scalar, value, v4, v6)(), []) for name in
         ["ip", "ip_address", "ipv4", "ipv4_address", "ipv6", "ipv6_address", "ipv6_ipv4_mapped", "ipv6_sixtofour", "ipv6_teredo", "loopback", "multicast",
          "private", "public", "reserved", "unspecified"]}
TESTS.update({U + name: lambda: (value(), [net()]) for name in ["in_network", "subnet_of", "supernet_of"]})
TESTS.update({U + name: lambda: (value(), [[net(), "0.0.0.0/0", "10.0.0.0/8"][: r.randint(0, 3)]]) for name in ["in_any_network", "in_one_network"]})
TESTS.update({U + "ipv4_netmask": lambda: (r.choice(["255.255.255.0", "0.0.0.255", v4()]), []), U + "ipv4_hostmask": lambda: (r.choice(["255.255.255.0", "0.0.0.255", v4()]), []),
              U + "mac": lambda: (mac(), [])})


def lines_of_text():
    return "\n".join(r.choice(["a", "b", "c", "", "x y", "\u001b[31mred\u001b[0m", "é", "a\rb", "{", "1"]) for _ in range(r.randint(0, 12))) + r.choice(["", "\n"])


def changed(text):
    lines = text.split("\n")
    for _ in range(r.randint(0, 3)):
        at = r.randint(0, len(lines))
        lines[at : at + r.randint(0, 2)] = r.choice([[], ["new"], ["b", "b"], ["a"]])
    return "\n".join(lines)


def before_and_after():
    one = r.choice([lines_of_text, lambda: lines_of_text().split("\n"), tree, lambda: lines_of_text() * 30])()
    if isinstance(one, str):
        return one, changed(one)
    if isinstance(one, list) and r.random() < 0.7:
        return one, [item for item in one if r.random() < 0.8] + r.choice([[], ["new"]])
    return one, tree()


def source():
    row = lambda: {r.choice(["n", "n", "n", "k"]): r.choice(["a", "b", "c", "d", 1, None]) if r.random() < 0.3 else r.choice("abc"), r.choice(WORDS): tree(3)}
    made = {"data": [row() for _ in range(r.randint(0, 3))], "match_key": r.choice(["n", "n", "k"]), "name": r.choice(["x", "y", "z", 5])}
    if r.random() < 0.05:
        made.pop(r.choice(list(made)))
    return made


def element(depth=0):
    if depth > 2 or r.random() < 0.4:
        return r.choice(["t", "<&>", "é \n", "", None, True, 1.5, 0, [], [1, None], "a'b\"c"])
    names = ["a", "b", "@x", "@y", "#text", "#comment", "n:s", "@xmlns", "bad name", 1] if r.random() < 0.15 else ["a", "b", "@x", "#text", "c-d"]
    made = {r.choice(names): element(depth + 1) for _ in range(r.randint(0, 4))}
    return [made, element(depth + 1)] if r.random() < 0.2 else made


def xml(depth=0):
    name = r.choice(["a", "b", "n:c", "_d", "é", "e-1"])
    attributes = "".join(" %s=%s" % (key, r.choice(['"1"', "'x\"y'", '"a&amp;b\n c"', '"&#65;"', '""'])) for key in r.sample(["x", "y", "xmlns", "n:z"], r.choice([0, 0, 1, 2])))
    inner = "".join(
        r.choice([lambda: xml(depth + 1) if depth < 3 else "", lambda: r.choice([" ", "t", "&lt;u&gt;", "&#x41;", "<![CDATA[<&]]>", "<!-- c -->", "<?p i?>", "\r\n", "é"])])()
        for _ in range(r.randint(0, 4))
    )
    return "<%s%s/>" % (name, attributes) if not inner and r.random() < 0.5 else "<%s%s>%s</%s>" % (name, attributes, inner, name)


def document():
    text = r.choice(["", "", '<?xml version="1.0"?>', "<?xml version='1.1' encoding='latin-1'?>\n", "<!-- c -->", "<!DOCTYPE a>"]) + xml() + r.choice(["", "\n", "<!-- c -->"])
    if r.random() < 0.25:
        at = r.randint(0, len(text))
        text = text[:at] + r.choice(["<", ">", "&", "'", "]]>", "\u0001", "--", "x", ""]) + text[at + r.randint(0, 2) :]
    return text


def ace():
    host = lambda: r.choice([{"address": r.choice(["1.1.1.1", "2.2.2.2"])}, {"host": "1.1.1.1"}, {"any": True}])
    made = {"sequence": r.choice([10, "10", 20, "20"]), "grant": r.choice(["permit", "deny"]), "protocol": r.choice(["tcp", "udp"]), "source": host(), "destination": host()}
    return {key: value for key, value in made.items() if r.random() < 0.8}


def acls():
    return [{"afi": r.choice(["ipv4", "ipv6"]), "acls": [{"name": r.choice(["one", "two"]), "aces": [ace() for _ in range(r.randint(0, 3))]} for _ in range(r.randint(0, 3))]} for _ in range(r.randint(0, 2))]


def criteria():
    made = {"afi": r.choice(["ipv4", "ipv6"]), "acl_name": "one", "source": r.choice(["1.1.1.1", "any"]), "destination": r.choice(["2.2.2.2", "any"]), "sequence": r.choice([10, "20"]), "grant": "deny", "protocol": "tcp"}
    return {key: value for key, value in made.items() if r.random() < 0.4 or key == "afi" and r.random() < 0.9}


def flags(*names):
    return {name: r.choice([True, False, "no", None]) for name in names if r.random() < 0.4}


ABOUT_FACTS = {
    U + "fact_diff": lambda: (lambda pair: (pair[0], [pair[1]], r.choice([{}, {}, {"plugin": {"vars": {"skip_lines": r.choice([["a"], ["b$", "x"], "a,b", ["(?=c)"]])}}}, {"plugin": {"name": "x.y.z"}}])))(before_and_after()),
    U + "consolidate": lambda: ([source() for _ in range(r.randint(0, 3))], [], flags("fail_missing_match_key", "fail_missing_match_value", "fail_duplicate")),
    U + "to_xml": lambda: ({r.choice(["a", "b", "#comment"]): element() for _ in range(r.choice([1, 1, 1, 2]))}, [], r.choice([{}, {}, {"indent": "spaces"}, {"indent": "spaces", "indent_width": 2}, {"full_document": False}])),
    U + "from_xml": lambda: (document(), [], {}),
    N + "pop_ace": lambda: (acls(), [], {"filter_options": {key: value for key, value in {"match_all": r.choice([True, False]), "remove": r.choice(["first", "all"]), "failed_when": r.choice(["never", "never", "missing"])}.items() if r.random() < 0.7}, "match_criteria": criteria()}),
}
if is_about_facts:
    FILTERS, TESTS = ABOUT_FACTS, {}
if is_old:
    FILTERS = {name: FILTERS[name] for name in [U + "ipaddr", U + "ipv4", U + "ipv6"]}
    TESTS = {}


def literal(value):
    if isinstance(value, list):
        return "[" + ", ".join(literal(item) for item in value) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join("%s: %s" % (literal(key), literal(item)) for key, item in value.items()) + "}"
    if value is None or isinstance(value, bool):
        return str(value).lower()
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else repr(value)


def template():
    name = r.choice(list(FILTERS) * 2 + list(TESTS))
    if name in TESTS and name not in FILTERS or name in TESTS and r.random() < 0.3:
        subject, args = TESTS[name]()
        return "{{ %s is %s(%s) }}" % (literal(subject), name, ", ".join(literal(arg) for arg in args))
    subject, args, named = FILTERS[name]()
    arguments = [literal(arg) for arg in args] + ["%s=%s" % (key, literal(arg)) for key, arg in named.items()]
    return "{{ %s | %s(%s) | to_json }}" % (literal(subject), name, ", ".join(arguments))


def render(text):
    loader = DataLoader()
    templar = Templar(loader, variables={}).copy_with_new_env(environment_class=AnsibleEnvironment, searchpath=[], newline_sequence="\n", available_variables={})
    return templar.do_template(text, preserve_trailing_newlines=True, escape_backslashes=False, overrides=dict(trim_blocks=True, lstrip_blocks=False))


seen = set()
while len(seen) < count:
    text = template()
    if text in seen:
        continue
    seen.add(text)
    try:
        case = {"template": text, "result": render(text)}
    except Exception as fault:
        case = {"template": text, "error": str(fault).split(". original message")[0][:120]}
    print(json.dumps(case, ensure_ascii=False))
