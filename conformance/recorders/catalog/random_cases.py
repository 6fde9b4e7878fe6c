#!/usr/bin/env python3
"""Writes control repositories that are put together at random, as cases for record.rb.

    random_cases.py SEED COUNT [tame] > random.txt

Tame ones refer to what is there only, so that more of them compile.
"""

import random
import sys

seed, count = int(sys.argv[1]), int(sys.argv[2])
tame = sys.argv[3:] == ['tame']
TITLES = ['a', 'b', 'c', '/tmp/x', '/tmp/y/', 'T::u', 'x y']
CLASSES = ['k0', 'k1', 'k2', 'k2::sub', 'k3']
DEFINES = ['d0', 'd1', 'd1::e']
NATIVE = ['notify', 'file', 'exec', 'package', 'user']
ATTRIBUTE = {
    'notify': ['message', 'withpath'], 'file': ['content', 'mode', 'path'], 'exec': ['command', 'cwd'],
    'package': ['ensure', 'provider', 'name'], 'user': ['comment', 'groups'], 'd0': ['p', 'q'], 'd1': ['p'], 'd1::e': ['q'],
}
META = ['tag', 'noop', 'loglevel', 'alias', 'schedule', 'require', 'before', 'notify', 'subscribe']


class Writer:
    def __init__(self, rng):
        self.rng = rng
        self.serial = 0
        self.declared = []
        self.sure = [('notify', 's1'), ('file', '/s2'), ('exec', '/s3'), ('user', 's4'), ('d0', 's5')]

    def pick(self, choices):
        return self.rng.choice(choices)

    def chance(self, odds):
        return self.rng.random() < odds

    def title(self):
        self.serial += 1
        if self.chance(0.12) and not tame:
            return self.pick(TITLES)
        return f't{self.serial}' if self.chance(0.85) else f'/p/{self.serial}/'

    def value(self, depth=0):
        kind = self.rng.randrange(12)
        if kind < 4 or depth > 1:
            return "'%s'" % self.pick(['v', 'w', 'X y', '', '0644', 'present'])
        if kind == 4:
            return str(self.rng.randrange(-5, 100))
        if kind == 5:
            return self.pick(['true', 'false', 'undef', 'default'])
        if kind == 6:
            return '[%s]' % ', '.join(self.value(depth + 1) for _ in range(self.rng.randrange(3)))
        if kind == 7:
            return "{ 'k' => %s }" % self.value(depth + 1)
        if kind == 8:
            return "Sensitive('s')"
        if kind == 9:
            return self.reference()
        if kind == 10:
            return '"${title}-${facts[\'os\'][\'family\']}"'
        return self.pick(['1.5', '$facts', "Deferred('join', [[1]])", '/r/'])

    def reference(self):
        if tame:
            kind, title = self.pick(self.sure)
        elif self.declared and self.chance(0.85):
            kind, title = self.pick(self.declared)
        else:
            kind, title = self.pick(NATIVE), self.pick(TITLES)
        if self.chance(0.15) and not tame:
            return "Class['%s']" % self.pick(CLASSES)
        name = '::'.join(part.capitalize() for part in kind.split('::'))
        return f"{name}['{title}']"

    def meta(self, name):
        if name == 'tag':
            return self.pick(["'t1'", "['t1', 't2::t3']", "'T4'"])
        if name == 'noop':
            return self.pick(['true', 'false'])
        if name == 'loglevel':
            return self.pick(["'debug'", "'err'"])
        if name == 'schedule':
            return "'daily'"
        if name == 'alias':
            self.serial += 1
            return f"'al{self.serial}'" if tame else self.pick([f"'al{self.serial}'", "'a'"])
        one = self.reference()
        return one if self.chance(0.6) else f'[{one}, {self.reference()}]'

    def attributes(self, kind, most=3, plus=False):
        names = ATTRIBUTE[kind] + META
        chosen = []
        for _ in range(self.rng.randrange(most + 1)):
            name = self.pick(names)
            if name not in chosen:
                chosen.append(name)
        out = []
        for name in chosen:
            value = self.meta(name) if name in META else self.value()
            arrow = '+>' if plus and self.chance(0.3) else '=>'
            out.append(f'{name} {arrow} {value}')
        return ', '.join(out)

    def resource(self, inner):
        kind = self.pick(NATIVE + (DEFINES if inner != 'define' else []))
        form = self.pick(['', '', '', '', '@', '@', '@@'])
        titles = [self.title() for _ in range(1 if self.chance(0.8) else 2)]
        if inner == 'define':
            titles = ['${title}-' + title.strip('/') for title in titles]
            shown = ', '.join(f'"{title}"' for title in titles)
        else:
            for title in titles:
                self.declared.append((kind, title))
            shown = ', '.join(f"'{title}'" for title in titles)
        if len(titles) > 1:
            shown = f'[{shown}]'
        return f'{form}{kind} {{ {shown}: {self.attributes(kind)} }}'

    def query(self):
        def one():
            return self.pick([
                "title == '%s'" % (self.pick(self.declared)[1] if self.declared else 'a'), "tag == 't1'", "tag == 'k1'",
                "message == 'v'", "tag != 't1'", 'noop == true', "loglevel == 'ERR'", "mode == '0644'", "message == undef",
            ])
        kind = self.rng.randrange(5)
        if kind == 0:
            return ''
        if kind == 1:
            return f'{one()} {self.pick(["and", "or"])} {one()}'
        return one()

    def collector(self):
        kind = self.pick(NATIVE + DEFINES)
        name = '::'.join(part.capitalize() for part in kind.split('::'))
        brackets = ('<<|', '|>>') if self.chance(0.1) else ('<|', '|>')
        text = f'{name} {brackets[0]} {self.query()} {brackets[1]}'
        if self.chance(0.3):
            text += ' { %s }' % (self.attributes(kind, 2, plus=True) or "tag => 'late'")
        return text

    def operand(self):
        return self.pick([self.reference, self.reference, self.collector,
                          lambda: '[%s, %s]' % (self.reference(), self.reference()), lambda: '[]'])()

    def statement(self, inner, depth=0):
        kind = self.rng.randrange(26)
        if kind < 10:
            return self.resource(inner)
        if kind < 12:
            return f'{self.pick(["include", "contain", "require"])} {self.pick(CLASSES)}'
        if kind == 12:
            return 'include %s' % ', '.join(self.rng.sample(CLASSES, 2))
        if kind == 13:
            name = self.pick(NATIVE + DEFINES)
            shown = '::'.join(part.capitalize() for part in name.split('::'))
            attributes = self.attributes(name, 2)
            return '%s { %s }' % (shown, attributes) if attributes else 'tag "x"'
        if kind == 14 and tame and inner != 'top':
            return 'notice("%s")' % inner
        if kind == 14:
            attributes = self.attributes('notify', 2)
            return '%s { %s }' % (self.reference(), attributes) if attributes else "tag 'y', 'z'"
        if kind < 17:
            return self.collector()
        if kind < 20:
            text = f'{self.operand()} {self.pick(["->", "~>", "<-", "<~"])} {self.operand()}'
            return text if self.chance(0.7) else text + f' -> {self.operand()}'
        if kind == 20:
            return f'realize {self.reference()}'
        if kind == 21:
            return "tag '%s'" % self.pick(['t1', 't5', 'T6::t7'])
        if kind == 22:
            name = self.pick(NATIVE)
            self.serial += 1
            title = f't{self.serial}'
            if inner != 'define':
                self.declared.append((name, title))
                return "create_resources('%s%s', { '%s' => {} }, { 'tag' => 't1' })" % (self.pick(['', '', '@']), name, title)
            return 'notice("n")'
        if kind == 23 and depth < 2:
            return "if %s { %s } else { %s }" % (self.pick(['true', 'false', "$facts['os']['family'] == 'Debian'", "tagged('t1')"]),
                                                self.statement(inner, depth + 1), self.statement(inner, depth + 1))
        if kind == 24 and depth < 2:
            return "['q', 'r'].each |$i| { %s { \"i${i}-%d\": } }" % (self.pick(['notify', 'd1'] if inner != 'define' else ['notify']), self.rng.randrange(1000))
        if kind == 25 and inner == 'top' and tame:
            return 'include k0'
        if kind == 25 and inner != 'define' and not tame:
            return 'class { \'%s\': %s }' % (self.pick(CLASSES), self.pick(['', 'p => 5', 'noop => true', "tag => 't1'", 'stage => early']))
        return 'notice("%s")' % inner

    def body(self, inner, most=4):
        return '\n'.join('  ' + self.statement(inner) for _ in range(self.rng.randrange(1, most + 1)))

    def case(self, number):
        parts = []
        lines = [f'### random {number}']
        if self.chance(0.15):
            lines.append('#: exported [{"certname":"db01","type":"Notify","title":"ex1","tags":["notify","t1"],'
                         '"parameters":{"message":"v"}},{"certname":"db02","type":"File","title":"/ex2","tags":["file"],"parameters":{"mode":"0644"}}]')
        if self.chance(0.15):
            lines.append('#: classes %s' % self.pick(['{"k0": {}}', '{"k1": {"p": 5}, "k3": {}}', '{"k2::sub": null}']))
        if self.chance(0.3):
            parts.append("stage { 'early': before => Stage['main'] }")
        top = self.body('top', 6)
        for name in CLASSES:
            inherits = ''
            if name == 'k3' and self.chance(0.5):
                inherits = ' inherits k1'
            parts.append(f'class {name}($p = 1, $q = "q$p"){inherits} {{\n{self.body("class")}\n}}')
        for name in DEFINES:
            parts.append(f'define {name}($p = 1, $q = undef) {{\n{self.body("define", 2)}\n}}')
        if self.chance(0.3):
            parts.append('node default {\n%s\n}' % self.body('node'))
        if tame:
            parts.append("notify { 's1': }\nfile { '/s2': }\nexec { '/s3': }\nuser { 's4': }\nd0 { 's5': }")
        parts.insert(self.rng.randrange(2), top)
        return '\n'.join(lines + parts)


for number in range(count):
    print(Writer(random.Random(seed * 100000 + number)).case(f'{seed}-{number}'))
