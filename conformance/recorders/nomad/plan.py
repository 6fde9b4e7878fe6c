"""Records how `nomad job plan` prints the difference of two jobs.

    python3 plan.py FOLDER               builds the program `plan` in FOLDER
    FOLDER/plan < jobs.jsonl > plans.jsonl

Every line has `old` and `new`, two job files; the answer adds `plan` and `verbose`, the texts without colors, and `diff` of
`-json-output`; or `error`. Both jobs go the way of a
request: the client's defaults, the conversion of the HTTP endpoint, the server's defaults, the difference with its context. What the
server adds beside its defaults (side-cars, implied constraints, annotations of the scheduler) is no part of it.

The conversion and the printer are not exported. They are taken from the sources of the module when the program is built.
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

	"github.com/hashicorp/nomad/api"
	"github.com/hashicorp/nomad/jobspec2"
	"github.com/hashicorp/nomad/nomad/structs"
)

func job(text string) (job *structs.Job, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("panic: %v", fault)
		}
	}()
	parsed, err := jobspec2.ParseWithConfig(&jobspec2.ParseConfig{Path: "job.hcl", Body: []byte(text), AllowFS: false, Strict: true})
	if err != nil {
		return nil, err
	}
	// A request is JSON.
	sent, err := json.Marshal(parsed)
	if err != nil {
		return nil, err
	}
	parsed = &api.Job{}
	if err := json.Unmarshal(sent, parsed); err != nil {
		return nil, err
	}
	parsed.Canonicalize()
	job = ApiJobToStructJob(parsed)
	job.Canonicalize()
	return job, nil
}

func plan(old, new string) (text, verbose string, tree json.RawMessage, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("panic: %v", fault)
		}
	}()
	before, err := job(old)
	if err != nil {
		return "", "", nil, err
	}
	after, err := job(new)
	if err != nil {
		return "", "", nil, err
	}
	diff, err := before.Diff(after, true)
	if err != nil {
		return "", "", nil, err
	}
	encoded, err := json.Marshal(diff)
	if err != nil {
		return "", "", nil, err
	}
	var shown api.JobDiff
	if err := json.Unmarshal(encoded, &shown); err != nil {
		return "", "", nil, err
	}
	text, verbose = formatJobDiff(&shown, false), formatJobDiff(&shown, true)
	if tree, err = json.Marshal(&shown); err != nil {
		return "", "", nil, err
	}
	for _, color := range []string{"[bold]", "[reset]", "[green]", "[red]", "[yellow]", "[light_yellow]", "[cyan]", "[default]", "[light_cyan]"} {
		text, verbose = strings.ReplaceAll(text, color, ""), strings.ReplaceAll(verbose, color, "")
	}
	return text, verbose, tree, nil
}

func main() {
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetEscapeHTML(false)
	for {
		line, err := in.ReadBytes('\\n')
		if len(line) > 1 {
			var asked map[string]any
			if err := json.Unmarshal(line, &asked); err != nil {
				panic(err)
			}
			text, verbose, tree, err := plan(asked["old"].(string), asked["new"].(string))
			if err != nil {
				asked["error"] = err.Error()
			} else {
				asked["plan"], asked["verbose"], asked["diff"] = text, verbose, tree
			}
			if err := encoder.Encode(asked); err != nil {
				panic(err)
			}
		}
		if err != nil {
			return
		}
	}
}
'''


def cut(path, first, imports):
    """The functions of a file from one on, as a file of the program, with those of its imports that it uses."""
    text = open(path).read()
    body = text[text.index("func " + first + "("):]
    used = [line for name, line in imports.items() if re.search(r"\b%s\." % name, body)]
    return "package main\n\nimport (\n" + "".join("\t%s\n" % line for line in used) + ")\n\n" + body


def main():
    folder = sys.argv[1]
    here = os.path.dirname(os.path.abspath(__file__))
    os.makedirs(folder, exist_ok=True)
    for name in ("go.mod", "go.sum"):
        with open(os.path.join(folder, name), "w") as out:
            out.write(open(os.path.join(here, name)).read())
    source = ["go", "list", "-m", "-f", "{{.Dir}}", "github.com/hashicorp/nomad"]
    source = subprocess.run(source, cwd=folder, check=True, capture_output=True, text=True).stdout.strip()
    imports = {
        name: line
        for name, line in {
            "fmt": '"fmt"', "sort": '"sort"', "strings": '"strings"', "maps": '"maps"', "slices": '"slices"',
            "time": '"time"', "strconv": '"strconv"', "http": '"net/http"',
            "api": '"github.com/hashicorp/nomad/api"',
            "structs": '"github.com/hashicorp/nomad/nomad/structs"',
            "pointer": '"github.com/hashicorp/nomad/helper/pointer"',
            "helper": '"github.com/hashicorp/nomad/helper"',
            "cstructs": 'cstructs "github.com/hashicorp/nomad/client/structs"',
        }.items()
    }
    endpoint = cut(source + "/command/agent/job_endpoint.go", "ApiJobToStructJob", imports)
    # What comes last belongs to requests.
    endpoint = endpoint[: endpoint.index("func validateEvalPriorityOpt(")]
    printer = cut(source + "/command/job_plan.go", "formatJobDiff", imports)
    # The scheduler annotates, and is not asked.
    printer = re.sub(r"\bscheduler\.(\w+)", r'"\1"', printer)
    printer = printer[: printer.index("// colorAnnotations")]
    printer += "func colorAnnotations([]string) string {\n\treturn \"\"\n}\n"
    scaling = cut(source + "/command/agent/scaling_endpoint.go", "ApiScalingPolicyToStructs", imports)
    for name, text in (("main.go", MAIN), ("endpoint.go", endpoint), ("printer.go", printer), ("scaling.go", scaling)):
        with open(os.path.join(folder, name), "w") as out:
            out.write(text)
    subprocess.run(["go", "mod", "tidy"], cwd=folder, check=True)
    subprocess.run(["go", "build", "-o", "plan", "."], cwd=folder, check=True)


main()
