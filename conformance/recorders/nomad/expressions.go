package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"sort"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/ext/typeexpr"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	hcljson "github.com/hashicorp/hcl/v2/json"
	"github.com/hashicorp/nomad/jobspec2"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
	ctyjson "github.com/zclconf/go-cty/cty/json"
)

// caseFile is the file name that diagnostics of a case carry.
const caseFile = "case.hcl"

var caseStart = hcl.Pos{Line: 1, Column: 1}

// question holds the fields of a case that decide its answer.
type question struct {
	Expr     *string            `json:"expr"`
	Template *string            `json:"template"`
	Body     *string            `json:"body"`
	JSONExpr *string            `json:"json_expr"`
	Vars     map[string]binding `json:"vars"`
}

// binding is the value of one variable of the root scope.
type binding struct {
	Type  string          `json:"type"`
	Value json.RawMessage `json:"value"`
}

func runExpressions(args []string) error {
	flags := flag.NewFlagSet("expressions", flag.ExitOnError)
	base := flags.String("base", "files/", "folder that the file functions start from")
	diagnostics := flags.Bool("diagnostics", false, "write all diagnostics in full, not only the first error")
	if err := flags.Parse(args); err != nil {
		return err
	}
	functions := jobspec2.Functions(*base, true)

	return eachLine(func(line map[string]json.RawMessage) (any, error) {
		text, err := json.Marshal(line)
		if err != nil {
			return nil, err
		}
		var asked question
		if err := json.Unmarshal(text, &asked); err != nil {
			return nil, err
		}
		given, err := asked.recovered(functions)
		if err != nil {
			return nil, err
		}
		return given.line(line, *diagnostics), nil
	})
}

// recovered answers like answer; a panic outside of a function, as in the
// conversion of a conditional, is an error of the case.
func (q question) recovered(functions map[string]function.Function) (given *expressionAnswer, err error) {
	defer func() {
		if reason := recover(); reason != nil {
			detail := fmt.Sprintf("panic in function implementation: %v", reason)
			diag := &hcl.Diagnostic{Severity: hcl.DiagError, Summary: "Panic", Detail: detail}
			given, err = &expressionAnswer{phase: "eval", diags: hcl.Diagnostics{diag}}, nil
		}
	}()
	return q.answer(functions)
}

// expressionAnswer is what the reference says to one question.
type expressionAnswer struct {
	phase    string
	value    json.RawMessage
	typ      *string
	infinite bool
	diags    hcl.Diagnostics
}

func (q question) answer(functions map[string]function.Function) (*expressionAnswer, error) {
	variables := map[string]cty.Value{}
	for name, bound := range q.Vars {
		value, err := bound.decode()
		if err != nil {
			return nil, fmt.Errorf("variable %q: %w", name, err)
		}
		variables[name] = value
	}
	ctx := &hcl.EvalContext{Variables: variables, Functions: functions}

	if q.Body != nil {
		return answerBody([]byte(*q.Body), ctx), nil
	}

	var expr hcl.Expression
	var diags hcl.Diagnostics
	switch {
	case q.Expr != nil:
		expr, diags = parsed(hclsyntax.ParseExpression([]byte(*q.Expr), caseFile, caseStart))
	case q.Template != nil:
		expr, diags = parsed(hclsyntax.ParseTemplate([]byte(*q.Template), caseFile, caseStart))
	case q.JSONExpr != nil:
		expr, diags = hcljson.ParseExpression([]byte(*q.JSONExpr), caseFile)
	default:
		return nil, fmt.Errorf("a case needs one of expr, template, body and json_expr")
	}
	if diags.HasErrors() {
		return &expressionAnswer{phase: "parse", diags: diags}, nil
	}
	value, more := expr.Value(ctx)
	given := &expressionAnswer{phase: "eval", diags: append(diags, more...)}
	if !more.HasErrors() {
		given.value, given.infinite = encode(value)
		given.typ = typeText(value)
	}
	return given, nil
}

func parsed(expr hclsyntax.Expression, diags hcl.Diagnostics) (hcl.Expression, hcl.Diagnostics) {
	return expr, diags
}

func answerBody(source []byte, ctx *hcl.EvalContext) *expressionAnswer {
	file, diags := hclsyntax.ParseConfig(source, caseFile, caseStart)
	if diags.HasErrors() {
		return &expressionAnswer{phase: "parse", diags: diags}
	}
	given := &expressionAnswer{phase: "eval", diags: diags}
	tree := given.body(file.Body.(*hclsyntax.Body), ctx)
	if !given.diags.HasErrors() {
		given.value = mustMarshal(tree)
		text := "body"
		given.typ = &text
	}
	return given
}

// body evaluates all attributes in the order they are written, then the blocks.
func (a *expressionAnswer) body(body *hclsyntax.Body, ctx *hcl.EvalContext) map[string]any {
	ordered := make([]*hclsyntax.Attribute, 0, len(body.Attributes))
	for _, attribute := range body.Attributes {
		ordered = append(ordered, attribute)
	}
	sort.Slice(ordered, func(i, j int) bool {
		return ordered[i].SrcRange.Start.Byte < ordered[j].SrcRange.Start.Byte
	})
	attributes := map[string]any{}
	for _, attribute := range ordered {
		value, diags := attribute.Expr.Value(ctx)
		a.diags = append(a.diags, diags...)
		if diags.HasErrors() {
			continue
		}
		text, infinite := encode(value)
		a.infinite = a.infinite || infinite
		attributes[attribute.Name] = map[string]any{"type": typeText(value), "value": text}
	}
	blocks := []any{}
	for _, block := range body.Blocks {
		labels := append([]string{}, block.Labels...)
		blocks = append(blocks, map[string]any{
			"type": block.Type, "labels": labels, "body": a.body(block.Body, ctx),
		})
	}
	return map[string]any{"attributes": attributes, "blocks": blocks}
}

func (b binding) decode() (cty.Value, error) {
	if b.Type == "any" {
		implied, err := ctyjson.ImpliedType(b.Value)
		if err != nil {
			return cty.NilVal, err
		}
		return ctyjson.Unmarshal(b.Value, implied)
	}
	expr, diags := hclsyntax.ParseExpression([]byte(b.Type), "type", caseStart)
	if diags.HasErrors() {
		return cty.NilVal, diags
	}
	typ, diags := typeexpr.TypeConstraint(expr)
	if diags.HasErrors() {
		return cty.NilVal, diags
	}
	return ctyjson.Unmarshal(b.Value, typ)
}

func typeText(value cty.Value) *string {
	text := typeexpr.TypeString(value.Type())
	return &text
}

// line is the answer as one line of a case file: the fields of the question
// that are no answer, and the answer.
func (a *expressionAnswer) line(question map[string]json.RawMessage, full bool) any {
	answered := map[string]any{}
	for name, value := range question {
		answered[name] = value
	}
	for _, name := range []string{"special", "crash", "diagnostics"} {
		delete(answered, name)
	}
	answered["value"], answered["type"], answered["error"] = a.value, a.typ, nil
	if a.infinite {
		answered["value"], answered["special"] = nil, "infinite"
	}
	if failed := a.firstError(); failed != nil {
		answered["value"], answered["type"], answered["error"] = nil, nil, failed
		if strings.Contains(failed["detail"].(string), "panic in function implementation") {
			answered["crash"] = true
		}
	}
	if full {
		all := []map[string]any{}
		for _, diag := range a.diags {
			all = append(all, diagnostic(diag))
		}
		answered["diagnostics"] = all
	}
	return answered
}

func (a *expressionAnswer) firstError() map[string]any {
	var first map[string]any
	var also []string
	for _, diag := range a.diags {
		switch {
		case diag.Severity != hcl.DiagError:
		case first == nil:
			first = diagnostic(diag)
			delete(first, "severity")
			first["phase"] = a.phase
		default:
			also = append(also, diag.Summary)
		}
	}
	if also != nil {
		first["also"] = also
	}
	return first
}

// diagnostic is one diagnostic as JSON; the stack of a panic is left out, as
// it varies from build to build.
func diagnostic(diag *hcl.Diagnostic) map[string]any {
	detail := diag.Detail
	if at := strings.Index(detail, "\ngoroutine "); at >= 0 {
		detail = strings.TrimRight(detail[:at], "\n")
	}
	severity := "error"
	if diag.Severity == hcl.DiagWarning {
		severity = "warning"
	}
	var subject hcl.Range
	if diag.Subject != nil {
		subject = *diag.Subject
	}
	return map[string]any{
		"severity": severity, "summary": diag.Summary, "detail": detail,
		"line": subject.Start.Line, "col": subject.Start.Column,
		"end_line": subject.End.Line, "end_col": subject.End.Column,
	}
}
