package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
)

// publicAnswer is the answer to one job of a checkout. The job itself is not
// in it: a replay needs the checkout.
type publicAnswer struct {
	// Path from the root of the checkout; a block of a documentation page is
	// its page and "#" with the number of the block among the page's blocks of HCL.
	Path   string            `json:"path"`
	SHA256 string            `json:"sha256"`
	Args   []string          `json:"args"`
	Env    map[string]string `json:"env,omitempty"`
	// Job is the hash of the job's canonical JSON: keys sorted, no spaces.
	Job   *string `json:"job"`
	Error *string `json:"error"`
	// Unordered says that the order of the messages varies from run to run;
	// they are sorted then.
	Unordered bool `json:"unordered,omitempty"`
}

// runPublic answers every job below a checkout of Nomad.
func runPublic(args []string) error {
	flags := flag.NewFlagSet("public", flag.ExitOnError)
	jobs := flags.String("jobs", "", "folder to write the answered jobs to, for looking at differences")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() != 1 {
		return errors.New("public takes one folder")
	}
	root, err := filepath.Abs(flags.Arg(0))
	if err != nil {
		return err
	}
	found, err := findJobs(root)
	if err != nil {
		return err
	}
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	for _, source := range found {
		answers, err := source.answers(*jobs)
		if err != nil {
			return fmt.Errorf("%s: %w", source.path, err)
		}
		for _, answer := range answers {
			if err := out.Encode(answer); err != nil {
				return err
			}
		}
	}
	return nil
}

// publicJob is one job that was found: a file, or a block of a page.
type publicJob struct {
	path string
	text []byte
	// dir is the folder the reference is run in; files beside the job are
	// there for the file functions and the -var-file flags.
	dir  string
	args []string
}

var (
	// Only whole files of HCL with a job in it are jobs; agents' settings,
	// policies and volumes have the same file endings.
	jobBlock = regexp.MustCompile(`(?m)^[ \t]*job[ \t]+("[^"\n]*"|[A-Za-z_][\w-]*)[ \t]*\{`)
	hclFence = regexp.MustCompile("(?ms)^[ \t]*```(?:hcl|nomad)[^\n]*\n(.*?)^[ \t]*```")
)

func findJobs(root string) ([]publicJob, error) {
	var found []publicJob
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if entry.Name() == "node_modules" || entry.Name() == ".git" {
				return filepath.SkipDir
			}
			return nil
		}
		relative, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		more, err := jobsOf(path, relative)
		found = append(found, more...)
		return err
	})
	sort.Slice(found, func(i, j int) bool { return found[i].path < found[j].path })
	return found, err
}

func jobsOf(path, relative string) ([]publicJob, error) {
	var found []publicJob
	switch filepath.Ext(path) {
	case ".nomad", ".hcl", ".json", ".tpl":
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		if jobBlock.Match(text) {
			found = append(found, publicJob{path: relative, text: text, dir: filepath.Dir(path),
				args: []string{filepath.Base(path)}})
		} else if jsonJob(text) {
			found = append(found, publicJob{path: relative, text: text, dir: filepath.Dir(path),
				args: []string{"-json", filepath.Base(path)}})
		}
	case ".mdx", ".md":
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		for number, block := range hclFence.FindAllSubmatch(text, -1) {
			if jobBlock.Match(block[1]) {
				found = append(found, publicJob{path: fmt.Sprintf("%s#%d", relative, number+1), text: block[1],
					args: []string{"job.nomad.hcl"}})
			}
		}
	}
	return found, nil
}

// jsonJob says whether a file is a job in the form of the API.
func jsonJob(text []byte) bool {
	var either struct {
		Job        json.RawMessage
		TaskGroups json.RawMessage
	}
	return json.Unmarshal(text, &either) == nil && (either.Job != nil || either.TaskGroups != nil)
}

// answers asks about the job as it is and, if it lacks values of variables,
// twice more: with values as flags and with values from the environment.
func (p publicJob) answers(jobs string) ([]publicAnswer, error) {
	first, err := p.answer(p.args, nil, jobs)
	if err != nil {
		return nil, err
	}
	answers := []publicAnswer{first}
	if first.Error == nil || !strings.Contains(*first.Error, "Unset variable") {
		return answers, nil
	}
	args, env := []string{}, map[string]string{}
	for _, match := range unsetVariable.FindAllStringSubmatch(*first.Error, -1) {
		value := p.fittingValue(match[1])
		args = append(args, "-var", match[1]+"="+value)
		env["NOMAD_VAR_"+match[1]] = value
	}
	byFlags, err := p.answer(append(args, p.args...), nil, jobs)
	if err != nil {
		return nil, err
	}
	byEnv, err := p.answer(p.args, env, jobs)
	return append(answers, byFlags, byEnv), err
}

var unsetVariable = regexp.MustCompile(`Unset variable "([^"]*)"`)

// fittingValue is some value of the type that the job declares for a variable.
func (p publicJob) fittingValue(name string) string {
	block := `(?s)variable "` + regexp.QuoteMeta(name) + `" \{[^}]*?type\s*=\s*"?(\w+)`
	declared := regexp.MustCompile(block).FindSubmatch(p.text)
	if declared == nil {
		return "text"
	}
	switch string(declared[1]) {
	case "number":
		return "3"
	case "bool":
		return "true"
	case "list", "set", "tuple":
		return `["a"]`
	case "map", "object":
		return `{ a = "b" }`
	default:
		return "text"
	}
}

func (p publicJob) answer(args []string, env map[string]string, jobs string) (publicAnswer, error) {
	if strings.Contains(string(p.text), "pathexpand") {
		env = map[string]string{"HOME": "/home/user"}
	}
	hash := sha256.Sum256(p.text)
	answer := publicAnswer{Path: p.path, SHA256: hex.EncodeToString(hash[:]), Args: args, Env: env}
	question := jobQuestion{Dir: p.dir, Args: args, Env: env}
	if p.dir == "" {
		question.Files = map[string]string{args[len(args)-1]: string(p.text)}
	}
	job, failed, unordered, err := question.settled(os.TempDir(), 8)
	if err != nil {
		return answer, err
	}
	answer.Error, answer.Unordered = failed, unordered
	if job == nil {
		return answer, nil
	}
	canonical, err := canonicalJSON(job)
	if err != nil {
		return answer, err
	}
	sum := sha256.Sum256(canonical)
	text := hex.EncodeToString(sum[:])
	answer.Job = &text
	if jobs != "" {
		name := strings.NewReplacer("/", "_", "#", "_").Replace(p.path)
		err = os.WriteFile(filepath.Join(jobs, fmt.Sprintf("%s.%.8s.json", name, text)), canonical, 0o644)
	}
	return answer, err
}

func same(a, b *string) bool {
	return (a == nil) == (b == nil) && (a == nil || *a == *b)
}

// canonicalJSON sorts all keys and keeps the digits of all numbers.
func canonicalJSON(text json.RawMessage) ([]byte, error) {
	decoder := json.NewDecoder(strings.NewReader(string(text)))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return nil, err
	}
	return mustMarshal(value), nil
}
