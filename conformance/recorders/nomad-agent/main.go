// Command recorder asks Nomad what it makes of agents' configuration and of policies, and writes the answers down.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/hashicorp/nomad/acl"
	"github.com/hashicorp/nomad/command/agent"
)

// try returns the error of a function, also if the function ends the process with a panic.
func try(f func() error) (err error) {
	defer func() {
		if reason := recover(); reason != nil {
			err = fmt.Errorf("panic: %v", reason)
		}
	}()
	return f()
}

// read reads a text as a policy, or as the configuration of an agent.
func read(dir string, kind string, text string) error {
	if kind == "policy" {
		return try(func() error { _, err := acl.Parse(text, acl.PolicyParseStrict); return err })
	}
	path := filepath.Join(dir, "agent.hcl")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		return err
	}
	return try(func() error { _, err := agent.ParseConfigFile(path); return err })
}

func run() error {
	dir, err := os.MkdirTemp("", "recorder")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 64<<20)
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetEscapeHTML(false)
	for in.Scan() {
		var line struct {
			Kind  string `json:"kind"`
			Text  string `json:"text"`
			Error string `json:"error,omitempty"`
		}
		if err := json.Unmarshal(in.Bytes(), &line); err != nil {
			return err
		}
		line.Error = ""
		if err := read(dir, line.Kind, line.Text); err != nil {
			line.Error = err.Error()
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
