package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"github.com/hashicorp/nomad/api"
	"github.com/hashicorp/nomad/jobspec2"
)

// jobOptions are the flags of "nomad job run" that shape the job.
type jobOptions struct {
	vars     repeated
	varFiles repeated
	strict   bool
	json     bool
	path     string
}

// repeated is a flag that may be given more than once.
type repeated []string

func (r *repeated) String() string { return strings.Join(*r, ",") }

func (r *repeated) Set(value string) error {
	*r = append(*r, value)
	return nil
}

func parseJobOptions(args []string) (*jobOptions, error) {
	options := &jobOptions{}
	flags := flag.NewFlagSet("job", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.Var(&options.vars, "var", "")
	flags.Var(&options.varFiles, "var-file", "")
	flags.BoolVar(&options.strict, "hcl2-strict", true, "")
	flags.BoolVar(&options.json, "json", false, "")
	if err := flags.Parse(args); err != nil {
		return nil, err
	}
	if flags.NArg() != 1 {
		return nil, errors.New("This command takes one argument: <path>")
	}
	options.path = flags.Arg(0)
	if options.json && (len(options.vars) > 0 || len(options.varFiles) > 0) {
		return nil, errors.New("Invalid job options: cannot use variables with JSON files.")
	}
	return options, nil
}

// job reads the job from the working directory and the environment of this
// process, as "nomad job run" does it.
func (o *jobOptions) job() (*api.Job, error) {
	source, err := os.ReadFile(o.path)
	if err != nil {
		return nil, err
	}
	if o.json {
		return decodeJSON(source)
	}
	return jobspec2.ParseWithConfig(&jobspec2.ParseConfig{
		// Only the last part of the path: diagnostics and the file functions
		// see no folder.
		Path:     filepath.Base(o.path),
		Body:     source,
		ArgVars:  o.vars,
		AllowFS:  true,
		VarFiles: o.varFiles,
		Envs:     os.Environ(),
		Strict:   o.strict,
	})
}

// decodeJSON reads a job that is given as JSON, with "Job" around it or without.
func decodeJSON(source []byte) (*api.Job, error) {
	var either struct {
		Wrapped *api.Job `json:"Job"`
		api.Job
	}
	if err := json.NewDecoder(bytes.NewReader(source)).Decode(&either); err != nil {
		return nil, fmt.Errorf("Failed to parse JSON job: %w", err)
	}
	if either.Wrapped != nil {
		return either.Wrapped, nil
	}
	return &either.Job, nil
}

func runJob(args []string) error {
	options, err := parseJobOptions(args)
	if err != nil {
		return err
	}
	job, err := options.job()
	if err != nil {
		return err
	}
	text, err := json.MarshalIndent(map[string]any{"Job": job}, "", "    ")
	if err != nil {
		return err
	}
	_, err = fmt.Printf("%s\n", text)
	return err
}

// jobQuestion is one line of the batch.
type jobQuestion struct {
	Dir   string            `json:"dir"`
	Args  []string          `json:"args"`
	Env   map[string]string `json:"env"`
	Files map[string]string `json:"files"`
}

// runJobs answers many questions in one process. A question may bring its own
// files, which are put into an empty folder for it.
func runJobs(args []string) error {
	flags := flag.NewFlagSet("jobs", flag.ExitOnError)
	dir := flags.String("dir", ".", "folder that the folders of the questions are relative to")
	rounds := flags.Int("rounds", 4, "how often to ask, to find messages whose order varies")
	if err := flags.Parse(args); err != nil {
		return err
	}
	root, err := filepath.Abs(*dir)
	if err != nil {
		return err
	}
	return eachLine(func(line map[string]json.RawMessage) (any, error) {
		text, err := json.Marshal(line)
		if err != nil {
			return nil, err
		}
		var asked jobQuestion
		if err := json.Unmarshal(text, &asked); err != nil {
			return nil, err
		}
		job, failed, unordered, err := asked.settled(root, *rounds)
		if err != nil {
			return nil, err
		}
		answered := map[string]any{}
		for name, value := range line {
			answered[name] = value
		}
		delete(answered, "unordered")
		answered["job"], answered["error"] = job, failed
		if unordered {
			answered["unordered"] = true
		}
		return answered, nil
	})
}

// settled asks several times, since the order of the messages is the order of
// a Go map in places. Where it varies they are sorted by line. A job that
// varies is given as it was the first time.
func (q jobQuestion) settled(root string, rounds int) (job json.RawMessage, failed *string, unordered bool, err error) {
	if job, failed, err = q.answer(root); err != nil {
		return nil, nil, false, err
	}
	if failed != nil && (strings.Contains(*failed, "\n") || strings.Contains(*failed, "other diagnostic")) {
		rounds *= 6
	}
	for range rounds - 1 {
		again, failedAgain, err := q.answer(root)
		if err != nil {
			return nil, nil, false, err
		}
		if !bytes.Equal(job, again) || !same(failed, failedAgain) {
			unordered = true
		}
	}
	if unordered && failed != nil {
		lines := strings.Split(*failed, "\n")
		sort.Strings(lines)
		sorted := strings.Join(lines, "\n")
		failed = &sorted
	}
	return job, failed, unordered, nil
}

// answer gives the job as JSON, or the text of its error.
func (q jobQuestion) answer(root string) (job json.RawMessage, failed *string, err error) {
	dir := q.Dir
	if q.Files != nil {
		if dir, err = os.MkdirTemp("", "recorder"); err != nil {
			return nil, nil, err
		}
		defer os.RemoveAll(dir)
		for name, content := range q.Files {
			path := filepath.Join(dir, name)
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				return nil, nil, err
			}
			if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
				return nil, nil, err
			}
		}
	} else if !filepath.IsAbs(dir) {
		dir = filepath.Join(root, dir)
	}
	if err := os.Chdir(dir); err != nil {
		return nil, nil, err
	}
	defer os.Chdir(root)
	os.Clearenv()
	for name, value := range q.Env {
		if err := os.Setenv(name, value); err != nil {
			return nil, nil, err
		}
	}

	answered, asked := q.ask()
	if asked != nil {
		text := asked.Error()
		return nil, &text, nil
	}
	return answered, nil, nil
}

func (q jobQuestion) ask() (answered json.RawMessage, failed error) {
	// The reference panics on a few inputs; the batch goes on.
	defer func() {
		if reason := recover(); reason != nil {
			answered, failed = nil, fmt.Errorf("panic: %v", reason)
		}
	}()
	options, err := parseJobOptions(q.Args)
	if err != nil {
		return nil, err
	}
	job, err := options.job()
	if err != nil {
		return nil, err
	}
	return json.Marshal(job)
}
