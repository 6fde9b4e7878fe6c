package main

import (
	"encoding/json"
	"errors"

	"github.com/hashicorp/hcl/v2/hclwrite"
)

// runFormat adds to every case what hclfmt makes of its text.
func runFormat(args []string) error {
	if len(args) != 0 {
		return errors.New("format takes no arguments")
	}
	return eachLine(func(line map[string]json.RawMessage) (any, error) {
		var text string
		if err := json.Unmarshal(line["text"], &text); err != nil {
			return nil, err
		}
		answered := map[string]any{}
		for name, value := range line {
			answered[name] = value
		}
		answered["formatted"] = string(hclwrite.Format([]byte(text)))
		return answered, nil
	})
}
