// Command recorder asks Go's text/template, and the functions that nomad-pack and levant add to it, what they make of
// given templates, and writes the answers down.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"text/template"
	"text/template/parse"
)

const usage = `usage: recorder COMMAND < cases.jsonl > answered.jsonl

  parse    {"text", "left", "right", "functions"}: adds "error", or "trees" as the parser prints them
  call     {"text", "dot"}: adds what the text is with sprig's functions, as "rendered", or "error"
  pack     {"dir", "vars"}: adds what the pack is, by the names of its templates, as "rendered", or "error"
`

func main() {
	commands := map[string]func(map[string]json.RawMessage) (map[string]any, error){
		"parse": parseCase,
		"call":  callCase,
		"pack":  renderPack,
	}
	if len(os.Args) != 2 || commands[os.Args[1]] == nil {
		fmt.Fprint(os.Stderr, usage)
		os.Exit(2)
	}
	if err := eachLine(commands[os.Args[1]]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// eachLine answers every JSON line of the standard input with the same line and what answer returns.
func eachLine(answer func(map[string]json.RawMessage) (map[string]any, error)) error {
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 64<<20)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	for in.Scan() {
		var line map[string]json.RawMessage
		if err := json.Unmarshal(in.Bytes(), &line); err != nil {
			return err
		}
		answered, err := answer(line)
		if err != nil {
			return err
		}
		for name, value := range line {
			answered[name] = value
		}
		if err := encoder.Encode(answered); err != nil {
			return err
		}
	}
	return in.Err()
}

// field reads a field of a case, which may be missing.
func field[T any](line map[string]json.RawMessage, name string) (value T, err error) {
	if raw, ok := line[name]; ok {
		err = json.Unmarshal(raw, &value)
	}
	return value, err
}

func parseCase(line map[string]json.RawMessage) (map[string]any, error) {
	text, err := field[string](line, "text")
	if err != nil {
		return nil, err
	}
	left, err := field[string](line, "left")
	if err != nil {
		return nil, err
	}
	right, err := field[string](line, "right")
	if err != nil {
		return nil, err
	}
	names, err := field[[]string](line, "functions")
	if err != nil {
		return nil, err
	}
	functions := template.FuncMap{}
	for _, name := range names {
		functions[name] = strings.ToUpper
	}
	builtins := map[string]any{}
	for _, name := range strings.Fields("and call html index slice js len not or print printf println urlquery eq ge gt le lt ne") {
		builtins[name] = strings.ToUpper
	}
	trees, err := parse.Parse("t", text, left, right, functions, builtins)
	if err != nil {
		return map[string]any{"error": err.Error()}, nil
	}
	printed := map[string]string{}
	for name, tree := range trees {
		printed[name] = tree.Root.String()
	}
	return map[string]any{"trees": printed}, nil
}
