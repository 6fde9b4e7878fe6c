// Command recorder asks the reference implementation of HCL2 and of Nomad's
// job specifications what it makes of given cases, and writes its answers down.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
)

// subcommands by name, each with its own flags.
var subcommands = map[string]func(args []string) error{
	"expressions": runExpressions,
	"job":         runJob,
	"jobs":        runJobs,
	"public":      runPublic,
	"format":      runFormat,
	"schema":      runSchema,
	"bench":       runBench,
}

const usage = `usage: recorder COMMAND [FLAGS]

  expressions [-base DIR] [-diagnostics]   cases as JSON lines in, the same with answers out
  job [-var k=v] [-var-file F] [-hcl2-strict=false] [-json] FILE
                                           what "nomad job run -output" prints
  jobs [-dir DIR]                          {"dir", "args", "env", "files"} as JSON lines in, answers out
  public [-jobs DIR] CHECKOUT               answers to every job below a checkout of Nomad
  format                                   {"text"} as JSON lines in, what hclfmt makes of it out
  schema                                   the structures that a job is decoded into
  bench [-kind KIND] [-n COUNT] FILE       time and memory of parsing and evaluating FILE
`

func main() {
	if len(os.Args) < 2 || subcommands[os.Args[1]] == nil {
		fmt.Fprint(os.Stderr, usage)
		os.Exit(2)
	}
	if err := subcommands[os.Args[1]](os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// eachLine hands every JSON line of the standard input to answer and prints
// what it returns as one line. Fields that answer does not know are kept by
// working on a map.
func eachLine(answer func(line map[string]json.RawMessage) (any, error)) error {
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	out := bufio.NewWriterSize(os.Stdout, 1<<20)
	defer out.Flush()
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	for number := 1; ; number++ {
		text, err := in.ReadBytes('\n')
		if len(text) > 1 {
			var line map[string]json.RawMessage
			if err := json.Unmarshal(text, &line); err != nil {
				return fmt.Errorf("line %d: %w", number, err)
			}
			answered, err := answer(line)
			if err != nil {
				return fmt.Errorf("line %d: %w", number, err)
			}
			if err := encoder.Encode(answered); err != nil {
				return fmt.Errorf("line %d: %w", number, err)
			}
			// Whoever asks one thing after the other waits for each answer.
			if in.Buffered() == 0 {
				if err := out.Flush(); err != nil {
					return err
				}
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}
