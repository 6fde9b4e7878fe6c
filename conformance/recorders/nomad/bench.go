package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/nomad/jobspec2"
)

// runBench prints the times of one file and the peak of this process's memory
// on the standard error. The kind of the file decides what is measured: "job"
// is a job as "nomad job run -output" handles it, "expr" one expression,
// "body" a body whose attributes are all evaluated, "syntax" only its parse.
func runBench(args []string) error {
	flags := flag.NewFlagSet("bench", flag.ExitOnError)
	kind := flags.String("kind", "job", "job, expr, body or syntax")
	count := flags.Int("n", 1, "how many times to repeat it in this process")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() != 1 {
		return fmt.Errorf("bench takes one file")
	}
	source, err := os.ReadFile(flags.Arg(0))
	if err != nil {
		return err
	}
	for range *count {
		start := time.Now()
		parse, err := measure(*kind, flags.Arg(0), source)
		if err != nil {
			return err
		}
		fmt.Fprintf(os.Stderr, "%s: total %v, parse %v\n", *kind, time.Since(start), parse)
	}
	fmt.Fprintf(os.Stderr, "peak memory: %s\n", peakMemory())
	return nil
}

// measure does the work once and says how long the parse alone took.
func measure(kind, path string, source []byte) (time.Duration, error) {
	start := time.Now()
	ctx := &hcl.EvalContext{Functions: jobspec2.Functions(".", true)}
	switch kind {
	case "job":
		job, err := jobspec2.ParseWithConfig(&jobspec2.ParseConfig{
			Path: path, Body: source, AllowFS: true, Strict: true,
		})
		if err != nil {
			return 0, err
		}
		parse := time.Since(start)
		_, err = json.MarshalIndent(map[string]any{"Job": job}, "", "    ")
		return parse, err
	case "expr":
		expr, diags := hclsyntax.ParseExpression(source, path, caseStart)
		parse := time.Since(start)
		if diags.HasErrors() {
			return parse, diags
		}
		value, diags := expr.Value(ctx)
		if diags.HasErrors() {
			return parse, diags
		}
		encode(value)
		return parse, nil
	case "body":
		file, diags := hclsyntax.ParseConfig(source, path, caseStart)
		parse := time.Since(start)
		if diags.HasErrors() {
			return parse, diags
		}
		given := &expressionAnswer{}
		mustMarshal(given.body(file.Body.(*hclsyntax.Body), ctx))
		if given.diags.HasErrors() {
			return parse, given.diags
		}
		return parse, nil
	case "syntax":
		_, diags := hclsyntax.ParseConfig(source, path, caseStart)
		parse := time.Since(start)
		if diags.HasErrors() {
			return parse, diags
		}
		return parse, nil
	default:
		return 0, fmt.Errorf("unknown kind %q", kind)
	}
}

// peakMemory is the most memory that was resident at once, as Linux counts it.
func peakMemory() string {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return "unknown"
	}
	for _, line := range strings.Split(string(status), "\n") {
		if value, found := strings.CutPrefix(line, "VmHWM:"); found {
			return strings.TrimSpace(value)
		}
	}
	return "unknown"
}
