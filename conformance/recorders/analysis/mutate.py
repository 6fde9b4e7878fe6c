#!/usr/bin/env python3
"""Makes single mistakes in manifests that compile: `mutate.py UNITS COUNT [SEED] > mutants.jsonl`.

A line of UNITS is a class that compiles alone, with the files of its catalog: `{"class": CLASS, "files": [FILE, ...]}`. A line of the output has
`id`, `kind`, `file`, `cls`, and `text`, the text of the file with the mistake. `mutants.rb` asks Puppet which of them it refuses, and
`cargo run --example analysis -- ENVIRONMENT mutants` which of them are found.
"""
import json
import random
import re
import sys

random.seed(int(sys.argv[3]) if len(sys.argv) > 3 else 7)
units = [json.loads(line) for line in open(sys.argv[1])]
units = [unit for unit in units if unit["files"]]
def typo(w):
    i=random.randrange(1,len(w))
    k=random.choice('dsr')
    if k=='d': return w[:i]+w[i+1:]
    if k=='s' : return w[:i]+w[i]+w[i:]
    return w[:i]+random.choice('aeioustn')+w[i+1:]
KW=set('if unless case class define node inherits default function import true false undef and or in else elsif include require contain'.split())
def sub(m,text,new): return text[:m.start(1)]+new+text[m.end(1):]
def pick(pattern,text,cond=lambda m:True,flags=re.M):
    ms=[m for m in re.finditer(pattern,text,flags) if cond(m) and not in_comment(text,m.start(1))]
    return random.choice(ms) if ms else None
def in_comment(text,pos):
    ls=text.rfind('\n',0,pos)+1
    return '#' in text[ls:pos]
def mut_function(t):
    m=pick(r'\b([a-z_0-9:]{4,})\(',t,lambda m:m.group(1) not in KW); return m and sub(m,t,typo(m.group(1)))
def mut_attribute(t):
    m=pick(r'^\s+([a-z_]{3,})\s*=>',t); return m and sub(m,t,typo(m.group(1)))
def mut_type(t):
    m=pick(r'^\s+@{0,2}([a-z_:0-9]{3,})\s*\{\s*[\'"$\[]',t,lambda m:m.group(1) not in KW); return m and sub(m,t,typo(m.group(1)))
def mut_class(t):
    m=pick(r'(?:include|require|contain)[ (]+(?:::)?([a-z_:0-9]{3,})',t); return m and sub(m,t,typo(m.group(1)))
def mut_datatype(t):
    m=pick(r'^\s+([A-Z][A-Za-z:]{3,})(?:\[|\s+\$)',t); return m and sub(m,t,typo(m.group(1)))
def mut_variable(t):
    m=pick(r'\$\{?([a-z_]{3,})\b(?!\s*=[^>=~])',t,lambda m:m.group(1) not in('facts','title','name','trusted','module_name')); return m and sub(m,t,typo(m.group(1)))
def mut_drop_attribute(t):
    m=pick(r'^(\s+[a-z_]{3,}\s*=>\s*[^\n{\[(]*,\n)',t); return m and sub(m,t,'')
def mut_quote_number(t):
    m=pick(r'=>\s*(\d+)\s*[,}\n]',t); return m and sub(m,t,"'%s'"%m.group(1))
def mut_quote_boolean(t):
    m=pick(r'=>\s*(true|false)\b',t); return m and sub(m,t,"'%s'"%m.group(1))
def mut_value(t):
    m=pick(r"=>\s*'?(present|absent|running|stopped|directory|file|link|installed|latest|true|false)'?\s*[,\n}]",t); return m and sub(m,t,typo(m.group(1)))
def mut_string_to_number(t):
    m=pick(r"=>\s*('[^'$\n]{1,30}')\s*[,\n}]",t); return m and sub(m,t,'42')
def mut_to_list(t):
    m=pick(r"=>\s*('[^'$\n]{1,30}')\s*[,\n}]",t); return m and sub(m,t,'{ x => 1 }')
def mut_add_argument(t):
    m=pick(r'\b[a-z_0-9:]{4,}(\()[^()\n]+\)',t,lambda m: t[:m.start(1)].rsplit(None,1)[-1].split('(')[-1] not in KW); return m and sub(m,t,"([], ")
def mut_drop_argument(t):
    m=pick(r'\b[a-z_0-9:]{4,}\(([^(),\n]+,\s*)[^()\n]+\)',t); return m and sub(m,t,"")
def mut_assign_twice(t):
    m=pick(r'^(\s+\$[a-z_]+\s*=\s*[^\n]+\n)',t,lambda m: m.group(1).count('(')==m.group(1).count(')') and m.group(1).count('{')==m.group(1).count('}') and m.group(1).count('[')==m.group(1).count(']') and not m.group(1).rstrip().endswith((',','?','+')))
    return m and sub(m,t,m.group(1)*2)
def mut_duplicate(t):
    ms=[m for m in re.finditer(r'^(\s+[a-z_:0-9]{3,}\s*\{\s*[\'"][^{}]*\}\n)',t,re.M) if not re.match(r'\s+(case|if|class)\b',m.group(1))]
    if not ms: return None
    m=random.choice(ms); return sub(m,t,m.group(1)*2)
def mut_template(t):
    m=pick(r"(?:template|epp|file)\('[a-z_0-9]+/([^']+)'",t); return m and sub(m,t,typo(m.group(1)))
def mut_source(t): return None
def mut_reference(t):
    m=pick(r"(?:require|notify|before|subscribe)\s*=>\s*[A-Z][A-Za-z:]*\['?([^'\]$]{3,})",t); return m and sub(m,t,typo(m.group(1)))
def mut_reference_type(t):
    m=pick(r"(?:require|notify|before|subscribe)\s*=>\s*([A-Z][A-Za-z:]{3,})\[",t); return m and sub(m,t,typo(m.group(1)))
def mut_default(t):
    m=pick(r"^\s+(?:String|Stdlib::Unixpath|Stdlib::Port|Integer|Boolean)[^=\n$]*\$[a-z_]+\s*=\s*([^,\n]+),?\n",t); return m and sub(m,t,"{}")
def mut_attribute_twice(t):
    m=pick(r'^(\s+[a-z_]{3,}\s*=>\s*[^\n{\[(]*,\n)',t); return m and sub(m,t,m.group(1)*2)
def mut_parent(t):
    m=pick(r'inherits\s+(?:::)?([a-z_:0-9]+)',t); return m and sub(m,t,typo(m.group(1)))
def mut_operator(t):
    m=pick(r"(==)",t); return m and sub(m,t,random.choice(['<','=~','+']))
kinds={k[4:]:v for k,v in list(globals().items()) if k.startswith('mut_')}
out=[]
seen=set()
names=list(kinds)
tries=0
N=int(sys.argv[2])
while len(out)<N and tries<N*40:
    tries+=1
    u=random.choice(units); f=random.choice([x for x in u['files'] if x.endswith('.pp')] or [None])
    if not f: continue
    k=names[tries%len(names)]
    t=open(f).read()
    n=kinds[k](t)
    if not n or n==t: continue
    if (f,n) in seen: continue
    seen.add((f,n))
    out.append(dict(id=len(out),kind=k,file=f,cls=u['class'],text=n))
for o in out:
    print(json.dumps(o))
