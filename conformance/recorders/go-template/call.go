package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig/v3"
)

// callCase renders a text with sprig's functions and a value as its dot.
func callCase(line map[string]json.RawMessage) (map[string]any, error) {
	text, err := field[string](line, "text")
	if err != nil {
		return nil, err
	}
	var dot any
	if raw, ok := line["dot"]; ok {
		decoder := json.NewDecoder(bytes.NewReader(raw))
		decoder.UseNumber()
		if err := decoder.Decode(&dot); err != nil {
			return nil, err
		}
		dot = numbers(dot)
	}
	parsed, err := template.New("t").Funcs(sprig.TxtFuncMap()).Parse(text)
	if err != nil {
		return map[string]any{"error": err.Error()}, nil
	}
	var out strings.Builder
	if err := parsed.Execute(&out, dot); err != nil {
		return map[string]any{"error": err.Error()}, nil
	}
	return map[string]any{"rendered": out.String()}, nil
}

// numbers are integers where they can be.
func numbers(value any) any {
	switch value := value.(type) {
	case json.Number:
		if whole, err := value.Int64(); err == nil {
			return int(whole)
		}
		float, _ := value.Float64()
		return float
	case []any:
		for index := range value {
			value[index] = numbers(value[index])
		}
		return value
	case map[string]any:
		for key := range value {
			value[key] = numbers(value[key])
		}
		return value
	}
	return value
}
