"""suite.py CASES: the expressions and templates in the tables of HCL's own tests.

Needs Go; the version of HCL is that of go.mod. The tests run in a copy of HCL's source, in which the call that evaluates writes down what is
evaluated: the text and the variables. `recorder expressions < CASES` then answers as for all other cases, with Nomad's functions. What
cannot be written down (marks, unknown values, values of Go) is left out and counted.
"""
import json, os, re, shutil, subprocess, sys, tempfile

here = os.path.dirname(os.path.abspath(__file__))
out = os.path.abspath(sys.argv[1])
found = json.loads(subprocess.run(["go", "list", "-m", "-json", "github.com/hashicorp/hcl/v2"], cwd=here, check=True, capture_output=True, text=True).stdout)
folder = os.path.join(tempfile.mkdtemp(), "hcl")
shutil.copytree(found["Dir"], folder)
subprocess.run(["chmod", "-R", "u+w", folder], check=True)

HELPER = '''package hclsyntax

import (
	"encoding/json"
	"os"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"
)

type noted struct {
	Kind, Input, Test string
	Skip              string
	Vars              map[string]notedVar
}

type notedVar struct{ Type, Value json.RawMessage }

// watched notes what is evaluated and evaluates it.
func watched(kind, test string, expr hcl.Expression, input string, ctx *hcl.EvalContext) (cty.Value, hcl.Diagnostics) {
	line := noted{Kind: kind, Input: input, Test: test, Vars: map[string]notedVar{}}
	for around := ctx; around != nil; around = around.Parent() {
		for name, value := range around.Variables {
			if _, known := line.Vars[name]; known {
				continue
			}
			if !value.IsWhollyKnown() || value.ContainsMarked() {
				line.Skip = "unknown values and marks"
				continue
			}
			typ, err := ctyjson.MarshalType(value.Type())
			if err != nil {
				line.Skip = "values of Go"
				continue
			}
			text, err := ctyjson.Marshal(value, value.Type())
			if err != nil {
				line.Skip = "values of Go"
				continue
			}
			line.Vars[name] = notedVar{typ, text}
		}
	}
	file, err := os.OpenFile(os.Getenv("NOTED"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		panic(err)
	}
	defer file.Close()
	if err := json.NewEncoder(file).Encode(line); err != nil {
		panic(err)
	}
	return expr.Value(ctx)
}
'''
with open(os.path.join(folder, "hclsyntax", "watched_test.go"), "w") as file:
    file.write(HELPER)
for name, kind in [("expression_test.go", "expr"), ("expression_template_test.go", "template"), ("expression_typeparams_test.go", "expr")]:
    path = os.path.join(folder, "hclsyntax", name)
    with open(path) as file:
        text = file.read()
    # The table's text is `test.input` in all of them.
    changed = text.replace(" expr.Value(test.ctx)", f' watched("{kind}", t.Name(), expr, test.input, test.ctx)') if "test.input" in text else text
    with open(path, "w") as file:
        file.write(changed)
notes = os.path.join(folder, "noted.jsonl")
done = subprocess.run(["go", "test", "./hclsyntax", "-count=1"], cwd=folder, env={**os.environ, "NOTED": notes}, capture_output=True, text=True)
print(done.stdout[-600:], done.stderr[-600:], file=sys.stderr)


def type_text(typ):
    if isinstance(typ, str):
        return {"dynamic": "any"}.get(typ, typ)
    kind, inner = typ
    if kind == "object":
        return "object({" + ", ".join(f"{json.dumps(name)} = {type_text(of)}" if not re.fullmatch(r"[A-Za-z_]\w*", name) else f"{name} = {type_text(of)}"
                                      for name, of in sorted(inner.items())) + "})"
    if kind == "tuple":
        return "tuple([" + ", ".join(map(type_text, inner)) + "])"
    return f"{kind}({type_text(inner)})"


seen, left_out = set(), {}
with open(notes) as file, open(out, "w") as cases:
    for line in file:
        note = json.loads(line)
        if note["Skip"]:
            left_out[note["Skip"]] = left_out.get(note["Skip"], 0) + 1
            continue
        bound = {name: {"type": type_text(v["Type"]), "value": v["Value"]} for name, v in note["Vars"].items()}
        if any('"' in of["type"] for of in bound.values()):
            left_out["names that are no words"] = left_out.get("names that are no words", 0) + 1
            continue
        case = {note["Kind"]: note["Input"], "vars": bound}
        key = json.dumps(case, sort_keys=True)
        if key in seen:
            continue
        seen.add(key)
        cases.write(json.dumps({"id": f"suite-{len(seen):04}", "about": "HCL's own tests: " + note["Test"].split("/")[0], "topic": "suite", **case}) + "\n")
print(f"{len(seen)} cases of HCL {found['Version']}; left out: {left_out}", file=sys.stderr)
