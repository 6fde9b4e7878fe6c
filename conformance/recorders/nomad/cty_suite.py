"""cty_suite.py CASES: the tables of go-cty's own tests, and of HCL's tests of type expressions, with what the packages make of them.

Needs Go. The versions are go-cty v1.19.0, which Nomad 2.0.5 names, and HCL as in go.mod. The tests run in copies of the sources, in which the
entry points (calling a function, converting, unifying, reading a type) write down their arguments and outcomes. What cannot be written down
(unknown and marked values, values of Go) is left out and counted.
"""
import json, os, re, shutil, subprocess, sys, tempfile

here = os.path.dirname(os.path.abspath(__file__))
out = os.path.abspath(sys.argv[1])
folder = tempfile.mkdtemp()
notes = os.path.join(folder, "noted.jsonl")


def copy_of(module, name):
    found = json.loads(subprocess.run(["go", "mod", "download", "-json", module], cwd=here, check=True, capture_output=True, text=True).stdout)
    copy = os.path.join(folder, name)
    shutil.copytree(found["Dir"], copy)
    subprocess.run(["chmod", "-R", "u+w", copy], check=True)
    return copy


def change(path, *pairs):
    with open(path) as file:
        text = file.read()
    for old, new in pairs:
        assert old in text, (path, old)
        text = text.replace(old, new, 1)
    with open(path, "w") as file:
        file.write(text)


NOTE = '''
package PACKAGE

import (
	"encoding/json"
	"os"
	"strings"

	"github.com/zclconf/go-cty/cty"
)

// plain writes a value as cty's package for JSON does, which the package of conversions cannot import.
func plain(of cty.Value) (string, bool) {
	typ := of.Type()
	switch {
	case of.IsNull():
		return "null", true
	case typ == cty.String:
		text, err := json.Marshal(of.AsString())
		return string(text), err == nil
	case typ == cty.Number:
		number := of.AsBigFloat()
		return number.Text('f', -1), !number.IsInf()
	case typ == cty.Bool:
		if of.True() {
			return "true", true
		}
		return "false", true
	case typ.IsObjectType() || typ.IsMapType() || typ.IsTupleType() || typ.IsCollectionType():
		named := typ.IsObjectType() || typ.IsMapType()
		var parts []string
		for it := of.ElementIterator(); it.Next(); {
			key, item := it.Element()
			text, ok := plain(item)
			if !ok {
				return "", false
			}
			if named {
				name, _ := plain(key)
				text = name + ":" + text
			}
			parts = append(parts, text)
		}
		if named {
			return "{" + strings.Join(parts, ",") + "}", true
		}
		return "[" + strings.Join(parts, ",") + "]", true
	}
	return "", false
}

// constraint writes a type as HCL's type expressions do; false if it has parts that those cannot say.
func constraint(typ cty.Type) (string, bool) {
	switch {
	case typ == cty.DynamicPseudoType:
		return "any", true
	case typ.IsPrimitiveType():
		return typ.FriendlyName(), true
	case typ.IsListType(), typ.IsSetType(), typ.IsMapType():
		name := map[bool]string{typ.IsListType(): "list", typ.IsSetType(): "set", typ.IsMapType(): "map"}[true]
		inner, ok := constraint(typ.ElementType())
		return name + "(" + inner + ")", ok
	case typ.IsTupleType():
		var parts []string
		for _, of := range typ.TupleElementTypes() {
			part, ok := constraint(of)
			if !ok {
				return "", false
			}
			parts = append(parts, part)
		}
		return "tuple([" + strings.Join(parts, ",") + "])", true
	case typ.IsObjectType():
		var parts []string
		names := make([]string, 0)
		for name := range typ.AttributeTypes() {
			names = append(names, name)
		}
		for i := range names {
			for j := i; j > 0 && names[j] < names[j-1]; j-- {
				names[j], names[j-1] = names[j-1], names[j]
			}
		}
		for _, name := range names {
			part, ok := constraint(typ.AttributeType(name))
			if !ok || name == "" || strings.ContainsAny(name, "=, ") {
				return "", false
			}
			if typ.AttributeOptional(name) {
				part = "optional(" + part + ")"
			}
			parts = append(parts, name+"="+part)
		}
		return "object({" + strings.Join(parts, ",") + "})", true
	}
	return "", false
}

type noted struct {
	Type  string          `json:"type"`
	Value json.RawMessage `json:"value"`
}

func value(of cty.Value) (*noted, bool) {
	if of.ContainsMarked() || !of.IsWhollyKnown() {
		return nil, false
	}
	typ, ok := constraint(of.Type())
	// No expression has a value whose type has optional attributes.
	if !ok || strings.Contains(typ, "optional(") {
		return nil, false
	}
	if of.Type() == cty.Number && !of.IsNull() && of.AsBigFloat().IsInf() {
		return &noted{map[bool]string{true: "-inf", false: "inf"}[of.AsBigFloat().Signbit()], json.RawMessage("0")}, true
	}
	if of.IsNull() {
		return &noted{typ, json.RawMessage("null")}, true
	}
	text, ok := plain(of)
	return &noted{typ, json.RawMessage(text)}, ok
}

func note(line map[string]any) {
	file, err := os.OpenFile(os.Getenv("NOTED"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		panic(err)
	}
	defer file.Close()
	encoder := json.NewEncoder(file)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(line); err != nil {
		panic(err)
	}
}
'''
CALLS = NOTE.replace("PACKAGE", "stdlib").replace('"strings"\n', '"strings"\n\n\t"github.com/zclconf/go-cty/cty/function"\n') + '''
func init() {
	names := map[function.Function]string{
NAMES
	}
	depth := 0
	function.Watch = func(called function.Function, args []cty.Value, call func() (cty.Value, error)) (cty.Value, error) {
		depth++
		result, err := call()
		depth--
		name, known := names[called]
		if depth > 0 || !known {
			return result, err
		}
		line := map[string]any{"kind": "call", "name": name}
		given := []*noted{}
		for _, arg := range args {
			one, ok := value(arg)
			if !ok {
				note(map[string]any{"skip": "unknown or marked values and values of Go"})
				return result, err
			}
			given = append(given, one)
		}
		line["args"] = given
		if err != nil && strings.Contains(err.Error(), " required, but received ") {
			// HCL converts arguments before it calls.
			note(map[string]any{"skip": "arguments of another type"})
		} else if err != nil {
			line["error"], line["index"] = err.Error(), nil
			if of, is := err.(function.ArgError); is {
				line["index"] = of.Index
			}
			note(line)
		} else if made, ok := value(result); ok {
			line["result"] = made
			note(line)
		} else {
			note(map[string]any{"skip": "unknown results"})
		}
		return result, err
	}
}
'''
CONVERSIONS = NOTE.replace("PACKAGE", "convert") + '''
func init() {
	depth := 0
	watch = func(in cty.Value, want cty.Type, convert func() (cty.Value, error)) (cty.Value, error) {
		depth++
		result, err := convert()
		depth--
		if depth > 0 {
			return result, err
		}
		given, ok := value(in)
		to, described := constraint(want)
		if !ok || !described {
			note(map[string]any{"skip": "unknown or marked values and values of Go"})
			return result, err
		}
		line := map[string]any{"kind": "convert", "args": []*noted{given}, "to": to}
		if err != nil {
			line["error"] = err.Error()
		} else if line["result"], ok = value(result); !ok {
			line = map[string]any{"skip": "unknown results"}
		}
		note(line)
		return result, err
	}
	watchUnify = func(types []cty.Type, unsafe bool, result cty.Type) {
		line := map[string]any{"kind": "unify", "unsafe": unsafe, "to": nil}
		given := []string{}
		for _, typ := range types {
			text, ok := constraint(typ)
			if !ok {
				note(map[string]any{"skip": "types of Go"})
				return
			}
			given = append(given, text)
		}
		line["types"] = given
		if result != cty.NilType {
			line["to"], _ = constraint(result)
		}
		note(line)
	}
}
'''
TYPES = NOTE.replace("PACKAGE", "typeexpr") + '''
func init() {
	watch = func(text string, constraints bool, typ cty.Type, diags []string) {
		line := map[string]any{"kind": "type", "text": text, "constraint": constraints, "errors": diags}
		if len(diags) == 0 {
			all, _ := constraint(typ)
			line["optional"] = strings.Contains(all, "optional(")
			line["to"], _ = constraint(typ.WithoutOptionalAttributesDeep())
		}
		note(line)
	}
	_ = value
}
'''

cty = copy_of("github.com/zclconf/go-cty@v1.19.0", "cty")
with open(os.path.join(cty, "cty/function/watch.go"), "w") as file:
    file.write('''package function

import "github.com/zclconf/go-cty/cty"

var Watch func(Function, []cty.Value, func() (cty.Value, error)) (cty.Value, error)

func (f Function) Call(args []cty.Value) (cty.Value, error) {
	if Watch == nil {
		return f.call(args)
	}
	return Watch(f, args, func() (cty.Value, error) { return f.call(args) })
}
''')
change(os.path.join(cty, "cty/function/function.go"), ("func (f Function) Call(", "func (f Function) call("))
with open(os.path.join(here, "functions.txt")) if os.path.exists(os.path.join(here, "functions.txt")) else os.popen(
        f"cat $(cd {here} && go list -m -f '{{{{.Dir}}}}' github.com/hashicorp/nomad)/jobspec2/functions.go") as file:
    table = dict((of, name) for name, of in reversed(re.findall(r'"(\w+)":\s+stdlib\.(\w+),', file.read())))
names = "\n".join(f'\t\t{of}: "{name}",' for of, name in table.items())
with open(os.path.join(cty, "cty/function/stdlib/watch_test.go"), "w") as file:
    file.write(CALLS.replace("NAMES", names))
with open(os.path.join(cty, "cty/convert/watch.go"), "w") as file:
    file.write('''package convert

import "github.com/zclconf/go-cty/cty"

var watch func(cty.Value, cty.Type, func() (cty.Value, error)) (cty.Value, error)
var watchUnify func([]cty.Type, bool, cty.Type)

func Convert(in cty.Value, want cty.Type) (cty.Value, error) {
	if watch == nil {
		return convert(in, want)
	}
	return watch(in, want, func() (cty.Value, error) { return convert(in, want) })
}

func Unify(types []cty.Type) (cty.Type, []Conversion) {
	result, conversions := unify(types, false)
	if watchUnify != nil {
		watchUnify(types, false, result)
	}
	return result, conversions
}

func UnifyUnsafe(types []cty.Type) (cty.Type, []Conversion) {
	result, conversions := unify(types, true)
	if watchUnify != nil {
		watchUnify(types, true, result)
	}
	return result, conversions
}
''')
change(os.path.join(cty, "cty/convert/public.go"), ("func Convert(", "func convert("), ("func Unify(types []cty.Type) (cty.Type, []Conversion) {\n\treturn unify(types, false)\n}", ""),
       ("func UnifyUnsafe(types []cty.Type) (cty.Type, []Conversion) {\n\treturn unify(types, true)\n}", ""))
with open(os.path.join(cty, "cty/convert/watch_test.go"), "w") as file:
    file.write(CONVERSIONS)
version = subprocess.run(["go", "list", "-m", "-f", "{{.Version}}", "github.com/hashicorp/hcl/v2"], cwd=here, check=True, capture_output=True, text=True).stdout.strip()
hcl = copy_of(f"github.com/hashicorp/hcl/v2@{version}", "hcl")
with open(os.path.join(hcl, "ext/typeexpr/watch.go"), "w") as file:
    file.write('''package typeexpr

import "github.com/zclconf/go-cty/cty"

var watch func(string, bool, cty.Type, []string)
''')
with open(os.path.join(hcl, "ext/typeexpr/watch_test.go"), "w") as file:
    file.write(TYPES)
change(os.path.join(hcl, "ext/typeexpr/get_type_test.go"), ("got, _, diags := getType(expr, test.Constraint, false)", '''got, _, diags := getType(expr, test.Constraint, false)
			texts := []string{}
			for _, diag := range diags {
				texts = append(texts, diag.Summary+"; "+diag.Detail)
			}
			watch(test.Source, test.Constraint, got, texts)'''))
environment = {**os.environ, "NOTED": notes, "GOFLAGS": "-mod=mod"}
for place, package in [(cty, "./cty/function/stdlib"), (cty, "./cty/convert"), (hcl, "./ext/typeexpr")]:
    done = subprocess.run(["go", "test", package, "-count=1"], cwd=place, env=environment, capture_output=True, text=True)
    print(done.stdout[-800:], done.stderr[-800:], file=sys.stderr)

seen, left_out = set(), {}
with open(notes) as file, open(out, "w") as cases:
    for line in file:
        case = json.loads(line)
        if "skip" in case:
            left_out[case["skip"]] = left_out.get(case["skip"], 0) + 1
        elif line not in seen:
            seen.add(line)
            # As it is: numbers keep their digits.
            cases.write(line)
print(f"{len(seen)} cases; left out: {left_out}", file=sys.stderr)
