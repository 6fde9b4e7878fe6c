"""Records what the schemas of Nomad's drivers make of configurations of tasks.

    python3 drivers.py FOLDER NOMAD [PODMAN] [EXEC2]     builds the program `drivers` in FOLDER
    FOLDER/drivers < configs.jsonl > answers.jsonl

Every line has `driver` and `config`, the value of `Config` of a task in the API's JSON. The answer adds `error`: null, or the messages of
the schema, or that of decoding into the driver's structure. NOMAD, PODMAN and EXEC2 are checkouts (or repositories without a work tree) of
Nomad and of the other drivers. Their schemas and structures are not exported; they are taken from the sources when the program is built.
"""
import os
import re
import subprocess
import sys

MAIN = '''package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"github.com/hashicorp/go-msgpack/v2/codec"
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hcldec"
	hjson "github.com/hashicorp/hcl/v2/json"
	"github.com/hashicorp/nomad/helper/pluginutils/hclspecutils"

	"github.com/zclconf/go-cty/cty/msgpack"
)

type MapStrInt map[string]int

func (s *MapStrInt) CodecEncodeSelf(enc *codec.Encoder) { enc.MustEncode([]map[string]int{*s}) }
func (s *MapStrInt) CodecDecodeSelf(dec *codec.Decoder) { ms := []map[string]int{}; dec.MustDecode(&ms) }

type MapStrStr map[string]string

func (s *MapStrStr) CodecEncodeSelf(enc *codec.Encoder) { enc.MustEncode([]map[string]string{*s}) }
func (s *MapStrStr) CodecDecodeSelf(dec *codec.Decoder) { ms := []map[string]string{}; dec.MustDecode(&ms) }

func judge(driver string, config json.RawMessage) (err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("panic: %v", fault)
		}
	}()
	spec, diags := hclspecutils.Convert(schemas[driver])
	if diags.HasErrors() {
		return diags
	}
	file, diags := hjson.Parse(config, "")
	if diags.HasErrors() {
		return diags
	}
	value, diags := hcldec.Decode(file.Body, spec, &hcl.EvalContext{})
	if diags.HasErrors() {
		var all []string
		for _, d := range diags {
			all = append(all, d.Summary+": "+d.Detail)
		}
		return fmt.Errorf("%s", strings.Join(all, "\\n"))
	}
	bytes, err := msgpack.Marshal(value, value.Type())
	if err != nil {
		return err
	}
	handle := &codec.MsgpackHandle{}
	handle.RawToString = true
	return codec.NewDecoderBytes(bytes, handle).Decode(structure(driver))
}

func main() {
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(make([]byte, 1<<20), 1<<24)
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	for in.Scan() {
		var line struct {
			Driver string          `json:"driver"`
			Config json.RawMessage `json:"config"`
		}
		if err := json.Unmarshal(in.Bytes(), &line); err != nil {
			panic(err)
		}
		answer := map[string]any{"driver": line.Driver, "config": line.Config, "error": nil}
		if err := judge(line.Driver, line.Config); err != nil {
			answer["error"] = err.Error()
		}
		out.Encode(answer)
	}
}
'''

DRIVERS = [('docker', 0, 'drivers/docker/config.go'), ('exec', 0, 'drivers/exec/driver.go'), ('java', 0, 'drivers/java/driver.go'),
           ('qemu', 0, 'drivers/qemu/driver.go'), ('raw_exec', 0, 'drivers/rawexec/driver.go'), ('podman', 1, 'config.go'),
           ('exec2', 2, 'plugin/about.go')]


def source(place, path):
    if os.path.exists(os.path.join(place, path)):
        return open(os.path.join(place, path)).read()
    return subprocess.run(['git', '-C', place, 'show', 'HEAD:' + path], check=True, capture_output=True, text=True).stdout


def balanced(text, start):
    """The text from `start` to the bracket that closes the first one in it."""
    depth, at = 0, start
    quote = None
    while True:
        letter = text[at]
        if quote:
            if letter == '\\\\' and quote == '"':
                at += 1
            elif letter == quote:
                quote = None
        elif text.startswith('//', at):
            at = text.index('\n', at)
        elif letter in '"`':
            quote = letter
        elif letter in '({':
            depth += 1
        elif letter in ')}':
            depth -= 1
            if depth == 0:
                return text[start:at + 1]
        at += 1


def main():
    folder, places = sys.argv[1], sys.argv[2:]
    os.makedirs(folder, exist_ok=True)
    parts, schemas, structures = [], [], []
    for name, place, path in DRIVERS:
        if place >= len(places):
            continue
        text = source(places[place], path)
        bodies = {m.group(1): balanced(text, m.end()) for m in re.finditer(r'(?m)^\s*(?:var\s+)?(\w+Spec)\s*=\s*(?=hclspec\.)', text)}
        rename = lambda code: re.sub(r'\b(\w*[sS]pec)\b(?!\.)', lambda m: f'{name}_{m.group(1)}' if m.group(1) in bodies else m.group(1), code)
        needed, waiting = [], ['taskConfigSpec']
        while waiting:
            spec = waiting.pop()
            if spec not in needed:
                needed.append(spec)
                waiting += [other for other in bodies if re.search(rf'\b{other}\b', bodies[spec])]
        parts += [f'var {name}_{spec} = {rename(bodies[spec])}' for spec in needed]
        types = {m.group(1): balanced(text, m.start()) for m in re.finditer(r'(?m)^type (\w+) struct', text)}
        needed, waiting = [], ['TaskConfig']
        while waiting:
            one = waiting.pop()
            if one not in needed:
                needed.append(one)
                waiting += [other for other in types if re.search(rf'(?m)^\s*\w+\s+[\[\]*]*{other}\s', types[one])]
        for one in needed:
            body = types[one].replace('hclutils.', '').replace('hclcompat.', '')
            body = re.sub(r'\b(' + '|'.join(types) + r')\b(?=[\s`])', lambda m: f'{name}_{m.group(1)}', body)
            parts.append(body)
        schemas.append(f'"{name}": {name}_taskConfigSpec,')
        structures.append(f'case "{name}":\n\t\treturn &{name}_TaskConfig{{}}')
    with open(os.path.join(folder, 'main.go'), 'w') as out:
        out.write(MAIN)
    with open(os.path.join(folder, 'schemas.go'), 'w') as out:
        out.write('package main\n\nimport "github.com/hashicorp/nomad/plugins/shared/hclspec"\n\n' + '\n\n'.join(parts))
        out.write('\n\nvar schemas = map[string]*hclspec.Spec{\n\t' + '\n\t'.join(schemas) + '\n}\n')
        out.write('\nfunc structure(name string) any {\n\tswitch name {\n\t' + '\n\t'.join(structures) + '\n\t}\n\treturn nil\n}\n')
    with open(os.path.join(folder, 'go.mod'), 'w') as out:
        out.write('module drivers\n\ngo 1.26\n\nrequire github.com/hashicorp/nomad v1.11.3\n\n'
                  'replace github.com/hashicorp/hcl/v2 => github.com/hashicorp/hcl/v2 v2.20.2-nomad-1\n')
    environment = {**os.environ, 'GOFLAGS': '-mod=mod'}
    subprocess.run(['go', 'build', '-o', 'drivers', '.'], cwd=folder, env=environment, check=True)


main()
