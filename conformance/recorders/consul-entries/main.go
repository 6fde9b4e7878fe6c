// Command recorder asks Consul what it makes of configuration entries, and writes the answers down.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"

	"github.com/hashicorp/consul/agent/structs"
	"github.com/hashicorp/consul/command/helpers"
)

// read reads an entry as `consul config write` does, and then as the server does.
func read(text string) (stage string, err error) {
	defer func() {
		if reason := recover(); reason != nil {
			err = fmt.Errorf("panic: %v", reason)
		}
	}()
	entry, err := helpers.ParseConfigEntry(text)
	if err != nil {
		return "command", err
	}
	body, err := json.Marshal(entry)
	if err != nil {
		return "command", err
	}
	var raw map[string]interface{}
	if err := json.Unmarshal(body, &raw); err != nil {
		return "server", err
	}
	decoded, err := structs.DecodeConfigEntry(raw)
	if err != nil {
		return "server", err
	}
	if err := decoded.Normalize(); err != nil {
		return "server", err
	}
	return "server", decoded.Validate()
}

func run() error {
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 64<<20)
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetEscapeHTML(false)
	for in.Scan() {
		var line struct {
			Kind  string `json:"kind"`
			Text  string `json:"text"`
			File  string `json:"file,omitempty"`
			Stage string `json:"stage,omitempty"`
			Error string `json:"error,omitempty"`
		}
		if err := json.Unmarshal(in.Bytes(), &line); err != nil {
			return err
		}
		line.Error = ""
		if stage, err := read(line.Text); err != nil {
			line.Stage, line.Error = stage, err.Error()
		}
		if err := encoder.Encode(line); err != nil {
			return err
		}
	}
	return in.Err()
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
