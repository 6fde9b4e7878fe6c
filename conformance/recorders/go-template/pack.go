package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig/v3"
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/ext/typeexpr"
	"github.com/hashicorp/hcl/v2/hclparse"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

// renderPack renders the templates of a pack in a folder as nomad-pack does, with the defaults of its variables, and
// with those of the case.
func renderPack(line map[string]json.RawMessage) (map[string]any, error) {
	dir, err := field[string](line, "dir")
	if err != nil {
		return nil, err
	}
	given, err := field[map[string]any](line, "vars")
	if err != nil {
		return nil, err
	}
	rendered, err := render(dir, given)
	if err != nil {
		return map[string]any{"error": err.Error()}, nil
	}
	return map[string]any{"rendered": rendered}, nil
}

func render(dir string, given map[string]any) (map[string]string, error) {
	name, meta, err := readMetadata(filepath.Join(dir, "metadata.hcl"))
	if err != nil {
		return nil, err
	}
	vars, err := readVariables(filepath.Join(dir, "variables.hcl"))
	if err != nil {
		return nil, err
	}
	for key, value := range given {
		vars[key] = value
	}
	meta["pack"].(map[string]any)["path"] = dir
	dot := map[string]any{"_self": map[string]any{"vars": vars, "meta": meta}}
	tpl := template.New("tpl").Delims("[[", "]]").Option("missingkey=zero")
	tpl.Funcs(functions(dir))
	var names []string
	err = filepath.WalkDir(filepath.Join(dir, "templates"), func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		relative, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		if !strings.HasSuffix(path, ".tpl") && !strings.Contains(relative, "templates/_") {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		names = append(names, name+"/"+relative)
		_, err = tpl.New(name + "/" + relative).Parse(string(text))
		return err
	})
	if err != nil {
		return nil, err
	}
	sort.Strings(names)
	rendered := map[string]string{}
	for _, name := range names {
		if strings.Contains(name, "templates/_") {
			continue
		}
		var out strings.Builder
		if err := tpl.ExecuteTemplate(&out, name, dot); err != nil {
			return nil, err
		}
		text := strings.ReplaceAll(out.String(), "<no value>", "")
		if strings.TrimSpace(text) != "" {
			rendered[name] = text
		}
	}
	return rendered, nil
}

func functions(dir string) template.FuncMap {
	own := func(dot any, part string) (map[string]any, error) {
		context, ok := dot.(map[string]any)
		if !ok {
			return nil, fmt.Errorf("no context: %T", dot)
		}
		self, ok := context["_self"].(map[string]any)
		if !ok {
			return nil, errors.New("no context")
		}
		return self[part].(map[string]any), nil
	}
	find := func(keys string, values map[string]any) (any, error) {
		var value any = values
		for _, key := range strings.Split(keys, ".") {
			inner, ok := value.(map[string]any)
			if !ok {
				return nil, errors.New("not found")
			}
			value, ok = inner[key]
			if !ok {
				return nil, errors.New("not found")
			}
		}
		return value, nil
	}
	lookup := func(part string, must bool) func(string, any) (any, error) {
		return func(keys string, dot any) (any, error) {
			values, err := own(dot, part)
			if err != nil {
				return nil, err
			}
			value, err := find(keys, values)
			if _, isMap := value.(map[string]any); err == nil && part == "meta" && isMap {
				err = errors.New("not a text")
			}
			if err != nil && !must {
				return "", nil
			}
			return value, err
		}
	}
	all := sprig.TxtFuncMap()
	all["var"], all["must_var"] = lookup("vars", false), lookup("vars", true)
	all["meta"], all["must_meta"] = lookup("meta", false), lookup("meta", true)
	all["vars"] = func(dot any) (map[string]any, error) { return own(dot, "vars") }
	all["metas"] = func(dot any) (map[string]any, error) { return own(dot, "meta") }
	all["packPath"] = func() string { return dir }
	all["fileContents"] = func(path string) (string, error) { text, err := os.ReadFile(path); return string(text), err }
	all["toStringList"] = func(list any) string {
		values, ok := list.([]any)
		if !ok {
			return fmt.Sprintf("[%q]", list)
		}
		var quoted []string
		for _, value := range values {
			quoted = append(quoted, fmt.Sprintf("%q", value))
		}
		return "[" + strings.Join(quoted, ", ") + "]"
	}
	return all
}

func readMetadata(path string) (string, map[string]any, error) {
	file, diags := hclparse.NewParser().ParseHCLFile(path)
	if diags.HasErrors() {
		return "", nil, diags
	}
	content, _, diags := file.Body.PartialContent(&hcl.BodySchema{Blocks: []hcl.BlockHeaderSchema{{Type: "app"}, {Type: "pack"}}})
	if diags.HasErrors() {
		return "", nil, diags
	}
	read := map[string]map[string]any{"app": {}, "pack": {}}
	for _, block := range content.Blocks {
		attributes, _ := block.Body.JustAttributes()
		for name, attribute := range attributes {
			if value, diags := attribute.Expr.Value(nil); !diags.HasErrors() && value.Type() == cty.String {
				read[block.Type][name] = value.AsString()
			}
		}
	}
	text := func(block, name string) string { value, _ := read[block][name].(string); return value }
	meta := map[string]any{
		"app":          map[string]any{"url": text("app", "url")},
		"pack":         map[string]any{"name": text("pack", "name"), "description": text("pack", "description"), "version": text("pack", "version")},
		"dependencies": []any{},
	}
	return text("pack", "name"), meta, nil
}

func readVariables(path string) (map[string]any, error) {
	values := map[string]any{}
	if _, err := os.Stat(path); err != nil {
		return values, nil
	}
	file, diags := hclparse.NewParser().ParseHCLFile(path)
	if diags.HasErrors() {
		return nil, diags
	}
	schema := &hcl.BodySchema{Blocks: []hcl.BlockHeaderSchema{{Type: "variable", LabelNames: []string{"name"}}}}
	content, diags := file.Body.Content(schema)
	if diags.HasErrors() {
		return nil, diags
	}
	for _, block := range content.Blocks {
		attributes, _ := block.Body.JustAttributes()
		value := cty.NilVal
		if attribute, ok := attributes["default"]; ok {
			if value, diags = attribute.Expr.Value(nil); diags.HasErrors() {
				return nil, diags
			}
		}
		if attribute, ok := attributes["type"]; ok && value != cty.NilVal {
			constraint, defaults, diags := typeexpr.TypeConstraintWithDefaults(attribute.Expr)
			if diags.HasErrors() {
				return nil, diags
			}
			if defaults != nil && !value.IsNull() {
				value = defaults.Apply(value)
			}
			converted, err := convert.Convert(value, constraint)
			if err != nil {
				return nil, err
			}
			value = converted
		}
		values[block.Labels[0]] = plain(value)
	}
	return values, nil
}

// plain is a value as nomad-pack gives it to templates.
func plain(value cty.Value) any {
	if value == cty.NilVal || value.IsNull() {
		return nil
	}
	t := value.Type()
	switch {
	case t == cty.String:
		return value.AsString()
	case t == cty.Bool:
		return value.True()
	case t == cty.Number:
		number := value.AsBigFloat()
		if whole, accuracy := number.Int64(); accuracy == big.Exact {
			return int(whole)
		}
		float, _ := number.Float64()
		return float
	case t.IsMapType() || t.IsObjectType():
		values := map[string]any{}
		for key, inner := range value.AsValueMap() {
			values[key] = plain(inner)
		}
		return values
	default:
		values := []any{}
		maps := []map[string]any{}
		for it := value.ElementIterator(); it.Next(); {
			_, inner := it.Element()
			values = append(values, plain(inner))
			if inner, ok := plain(inner).(map[string]any); ok {
				maps = append(maps, inner)
			}
		}
		if len(maps) > 0 && len(maps) == len(values) {
			return maps
		}
		return values
	}
}
