#!/usr/bin/env python3
"""Compares catalogs of Hieratic with those that roles.rb recorded.

    compare_roles.py RECORDED OURS [-v]

OURS is a file that `hieratic catalog --all --reveal` printed, one catalog a line, or a folder of catalogs with the nodes' names.
A file NAME.err in the folder has what was said instead of a catalog; then messages are compared as well.
"""
import base64, json, os, sys, collections

recorded, ours = sys.argv[1:3]
verbose = '-v' in sys.argv
theirs = {}
for name in sorted(os.listdir(recorded)):
    if name.endswith('.json'):
        one = json.load(open(os.path.join(recorded, name)))
        theirs[one['name']] = one
mine, said = {}, {}
if os.path.isdir(ours):
    for name in os.listdir(ours):
        text = open(os.path.join(ours, name)).read()
        if name.endswith('.json') and text.strip():
            mine[name[:-5]] = json.loads(text)
        elif name.endswith('.err'):
            said[name[:-4]] = text
else:
    for line in open(ours):
        one = json.loads(line)
        mine[one['name']] = one

total = collections.Counter()
reasons = collections.Counter()
examples = {}
def note(reason, where):
    reasons[reason] += 1
    examples.setdefault(reason, where)

for name, one in theirs.items():
    if 'catalog' not in one:
        total['reference fails'] += 1
        if name in mine:
            total['only ours compiles'] += 1
            print('ONLY OURS', name, one['error'][:200])
        else:
            total['both fail'] += 1
            if name in said:
                total['messages'] += 1
                if ' '.join(one['error'].split()) not in ' '.join(said[name].split()):
                    total['messages differ'] += 1
                    print('MESSAGE', name, '\n   ', ' '.join(one['error'].split())[:600], '\n   ', ' '.join(said[name].split())[:600])
        continue
    total['reference compiles'] += 1
    if name not in mine:
        total['ours fails'] += 1
        print('OURS FAILS', name, ' '.join(said.get(name, '').split())[:700])
        continue
    total['both compile'] += 1
    left = {(r['type'], r['title']): r for r in one['catalog']['resources']}
    right = {(r['type'], r['title']): r for r in mine[name]['resources']}
    total['resources'] += len(left)
    fine = True
    for key in left:
        if key not in right:
            note(f'missing {key[0]}', (name, key)); total['missing'] += 1; fine = False
    for key in right:
        if key not in left:
            note(f'too many {key[0]}', (name, key)); total['too many'] += 1; fine = False
    for key, a in left.items():
        b = right.get(key)
        if b is None:
            continue
        pa, pb = a.get('parameters', {}), b.get('parameters', {})
        for parameter in {**pa, **pb}:
            total['parameters'] += 1
            x = pa.get(parameter)
            if isinstance(x, str) and x.startswith('bytes:'):
                pa[parameter] = base64.b64decode(x[6:]).decode('utf-8', 'replace')
            if pa.get(parameter) != pb.get(parameter):
                total['parameters differ'] += 1; fine = False
                note(f'{key[0]}.{parameter}', (name, key, str(pa.get(parameter))[:300], str(pb.get(parameter))[:300]))
        for field in ('tags', 'file', 'line', 'exported', 'kind'):
            x, y = a.get(field), b.get(field)
            if field == 'tags':
                x, y = sorted(x), sorted(y)
            total['fields'] += 1
            if x != y:
                total['fields differ'] += 1; fine = False
                note(f'field {field} of {key[0]}', (name, key, str(x)[:300], str(y)[:300]))
    ea = {(e['source'], e['target']) for e in one['catalog']['edges']}
    eb = {(e['source'], e['target']) for e in mine[name]['edges']}
    total['edges'] += len(ea)
    total['edges differ'] += len(ea ^ eb)
    for e in ea ^ eb:
        note('edge', (name, e)); fine = False
    if one['catalog']['classes'] != mine[name]['classes']:
        note('classes', name)
    if fine:
        total['identical'] += 1
        if json.dumps(one['catalog'], sort_keys=False) == json.dumps({k: v for k, v in mine[name].items() if k not in ('version', 'catalog_uuid')}, sort_keys=False):
            total['byte for byte'] += 1
for key, count in total.items():
    print(f'{count:9} {key}')
for reason, count in reasons.most_common(40 if not verbose else 400):
    print(count, reason, examples[reason])
