#!/usr/bin/env python3
"""Makes single mistakes in manifests that compile: `mutate.py UNITS COUNT [SEED] > mutants.jsonl`.

A line of UNITS is a class that compiles alone, with the files of its catalog: `{"class": CLASS, "files": [FILE, ...]}`, as `units.rb` writes
it. A line of the output has `id`, `kind`, `file`, `cls`, `facts` if the unit has it, and `text`, the text of the file with the mistake.
`mutants.rb` asks Puppet which of them it refuses, and `cargo run --example analysis -- ENVIRONMENT mutants` which of them are found.
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
def mut_fact_key(t):
    m=pick(r"\$facts\['([a-z_]+)'\]",t); return m and sub(m,t,typo(m.group(1)))
def mut_missing_comma(t):
    m=pick(r"=>\s*[^\n{\[(,]+(,)\n\s+[a-z_]+\s*=>",t); return m and sub(m,t,'')
def mut_arrow(t):
    m=pick(r"^\s+[a-z_]+\s*(=>)",t); return m and sub(m,t,'=')
def mut_quote(t):
    m=pick(r"'[^'\n]*(')[,:\n]",t); return m and sub(m,t,'')
def mut_brace(t):
    m=pick(r"^\s+(\})\n",t); return m and sub(m,t,'')
def mut_drop_parameter(t):
    m=pick(r"^(  [A-Z][^\n$={}]*\$[a-z_]+\s*(?:=\s*[^\n{\[(]*)?,\n)",t); return m and sub(m,t,'')
def mut_drop_assignment(t):
    m=pick(r"^( +\$[a-z_]+ *= [^\n{\[(]*\n)(?! *[?+.])",t,lambda m: not m.group(1).rstrip().endswith((',','?','+',')'))); return m and sub(m,t,'')
def mut_parameter_type(t):
    m=pick(r"^\s+(?:Optional\[)?(String|Integer|Boolean|Stdlib::Absolutepath|Array|Hash)\b[^\n$]*\$[a-z_]+\s*=\s*",t)
    return m and sub(m,t,random.choice([x for x in('Integer','Boolean','Array','Regexp') if x!=m.group(1)]))
def mut_parameter_twice(t):
    m=pick(r"^(  [A-Z][^\n$={}]*\$[a-z_]+\s*(?:=\s*[^\n{\[(]*)?,\n)",t); return m and sub(m,t,m.group(1)*2)
def mut_no_title(t):
    m=pick(r"^\s+[a-z_:]{4,}\s*\{\s*('[^'\n]+')\s*:",t); return m and sub(m,t,'')
def mut_reference_case(t):
    m=pick(r"(?:require|notify|before|subscribe)\s*=>\s*([A-Z])[a-z:]+\[",t); return m and sub(m,t,m.group(1).lower())
def mut_lambda(t):
    m=pick(r"\|\s*(\$[a-z_]+(?:\s*,\s*\$[a-z_]+)*)\s*\|",t); return m and sub(m,t,m.group(1)+', $more, $than, $given')
def mut_elsif(t):
    m=pick(r"\b(elsif)\b",t); return m and sub(m,t,random.choice(['elseif','else if']))
def mut_undef(t):
    m=pick(r"^\s+[a-z_]{3,}\s*=>\s*([^\n{\[(,]+),\n",t); return m and sub(m,t,'undef')
def mut_regexp(t):
    m=pick(r"=~ (/)[^/\n]+/",t); return m and sub(m,t,'/(')
def mut_epp_key(t):
    m=pick(r"epp\([^)]*?\n?\s*'([a-z_]{3,})'\s*=>",t); return m and sub(m,t,typo(m.group(1)))
def mut_empty_title(t):
    m=pick(r"^\s+[a-z_:]{4,}\s*\{\s*'([^'\n]+)'\s*:",t); return m and sub(m,t,'')
def mut_mode(t):
    m=pick(r"mode\s*=>\s*('0?[0-7]{3,4}')",t); return m and sub(m,t,random.choice([m.group(1).strip("'"),"'0999'","'rw-r--r--x'",'true']))
def mut_chain(t):
    m=pick(r"[-~]> Class\['?(?:::)?([a-z_:0-9]+)",t); return m and sub(m,t,typo(m.group(1)))
def mut_arithmetic(t):
    m=pick(r"=\s*('[^'\n$]+')\n",t); return m and sub(m,t,m.group(1)+' - 1')
def mut_dot(t):
    m=pick(r"\.([a-z_]{3,})\b(?:\(| \|)",t); return m and sub(m,t,typo(m.group(1)))
def mut_scope_variable(t):
    m=pick(r"\$\{?(?:::)?[a-z_]+(?:::[a-z_]+)*::([a-z_]{3,})",t); return m and sub(m,t,typo(m.group(1)))
def mut_path(t):
    m=pick(r"=>\s*'(/)[a-z][^'\n]*'",t); return m and sub(m,t,'')
def mut_keyword(t):
    m=pick(r"^\s*(if|unless|case|include|contain|require|class|define)\b",t); return m and sub(m,t,typo(m.group(1)))
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
    out.append(dict(id=len(out),kind=k,file=f,cls=u['class'],facts=u.get('facts'),text=n))
for o in out:
    print(json.dumps(o))
