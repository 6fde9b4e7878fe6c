// Command recorder asks the parser and the printer of HCL1 what they make of given texts, and writes the answers down.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"

	"github.com/hashicorp/hcl"
	"github.com/hashicorp/hcl/hcl/printer"
)

// answer parses, decodes and formats a text. A reference that ends the process refuses the text.
func answer(text string) (answered map[string]any) {
	answered = map[string]any{}
	file, err := hcl.ParseBytes([]byte(text))
	if err != nil {
		answered["error"] = err.Error()
		return answered
	}
	_ = file
	if formatted, err := format(text); err == nil {
		answered["formatted"] = formatted
	}
	answered["value"], err = decode(text)
	if err != nil {
		delete(answered, "value")
		answered["no_value"] = err.Error()
	}
	return answered
}

func format(text string) (formatted string, err error) {
	defer func() {
		if reason := recover(); reason != nil {
			err = fmt.Errorf("panic: %v", reason)
		}
	}()
	bytes, err := printer.Format([]byte(text))
	return string(bytes), err
}

func decode(text string) (value any, err error) {
	defer func() {
		if reason := recover(); reason != nil {
			err = fmt.Errorf("panic: %v", reason)
		}
	}()
	err = hcl.Decode(&value, text)
	return value, err
}

func main() {
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 64<<20)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	for in.Scan() {
		var line struct {
			Text string `json:"text"`
			File string `json:"file,omitempty"`
		}
		if err := json.Unmarshal(in.Bytes(), &line); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		answered := answer(line.Text)
		answered["text"] = line.Text
		if line.File != "" {
			answered["file"] = line.File
		}
		if err := encoder.Encode(answered); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}
