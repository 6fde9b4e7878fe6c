//! `eval` and `render`: expressions, code and templates.

use std::path::PathBuf;
use std::sync::Arc;

use hieratic::diagnostics::{Diagnose, Source};
use hieratic::directives::{Document, Options as ExpandOptions, expand};
use hieratic::powers::{Files, Outside, Programs};
use hieratic::puppet::Options;
use hieratic::unfurl::{Context, Options as TreeOptions, Tree};
use hieratic::{
    Code, ExpressionKind, Facts, HclKind, HclQuestion, HclTeller, HclValue, HieraInHcl, IncludedFiles, Jinja2, Mask,
    Permissions, PuppetVersion, Template, TemplateLanguage, Value, cty, evaluate_expression, evaluate_hcl, from_cty,
    hcl_functions, hiera_lookup, to_cty,
};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::documents::read;
use crate::environment::Environment;
use crate::facts::{FactsArgument, folder_of};
use crate::faults::Fault;
use crate::node::Node;
use crate::permissions::Allowed;
use crate::sensitive::Sensitive;
use crate::values::{from_python, hash_of, to_python};

/// What code is evaluated for: a node of an environment, or facts alone.
struct Subject<'e> {
    environment: Option<&'e Environment>,
    facts: Facts,
    permissions: Permissions,
}

impl<'e> Subject<'e> {
    fn of(
        node: Option<&'e Bound<'_, Node>>,
        facts: Option<FactsArgument>,
        variables: Option<&Bound<'_, PyAny>>,
        allowed: Allowed,
    ) -> PyResult<Subject<'e>> {
        let environment = node.map(|node| node.get().environment_of());
        let permissions = environment.map_or_else(|| allowed.into(), Environment::permissions);
        let mut known = match (node, facts) {
            (Some(_), Some(_)) => return Err(PyTypeError::new_err("a node has its own facts: leave one of both out")),
            (Some(node), None) => node.get().facts.clone(),
            (None, Some(facts)) => facts.of_node(None, &permissions)?,
            (None, None) => Facts::default(),
        };
        if let Some(variables) = variables {
            for (name, value) in hash_of(variables, "variables")?.iter() {
                known.set_variable_value(&name.to_text().into(), value.clone());
            }
        }
        Ok(Subject { environment, facts: known, permissions })
    }

    fn inner(&self) -> Option<&'e hieratic::Environment> {
        self.environment.map(|environment| &*environment.inner)
    }

    fn mask(&self) -> Mask {
        self.environment.map_or_else(Mask::default, |environment| environment.mask(false))
    }

    /// How code is evaluated.
    fn options(&self) -> Options {
        let own = self.inner().map_or_else(|| Options::of(PuppetVersion::default()), hieratic::Environment::language);
        Options {
            files: if self.permissions.outside { Files::anywhere() } else { own.files.clone() },
            programs: if self.permissions.programs { Programs::Always } else { Programs::Never },
            ..own
        }
    }
}

/// Evaluates code: of the Puppet language, of HCL, or an expression of Unfurl.
#[pyfunction]
#[pyo3(signature = (code, *, language="puppet", node=None, facts=None, variables=None, tree=None, allow_programs=false,
    allow_outside=false, allow_network=false))]
#[expect(clippy::too_many_arguments, reason = "they are arguments by name, as the flags of the command are")]
pub(crate) fn eval(
    code: &Bound<'_, PyAny>,
    language: &str,
    node: Option<&Bound<'_, Node>>,
    facts: Option<FactsArgument>,
    variables: Option<&Bound<'_, PyAny>>,
    tree: Option<&Bound<'_, PyAny>>,
    allow_programs: bool,
    allow_outside: bool,
    allow_network: bool,
) -> PyResult<Py<PyAny>> {
    let py = code.py();
    let allowed = Allowed { programs: allow_programs, outside: allow_outside, network: allow_network };
    let subject = Subject::of(node, facts, variables, allowed)?;
    if tree.is_some() && language != "unfurl" {
        return Err(PyValueError::new_err("a tree is for language='unfurl'"));
    }
    let value = match language {
        "puppet" => {
            let code: String = code.extract()?;
            py.detach(|| puppet(&subject, &code))?
        }
        "hcl" => {
            let code: String = code.extract()?;
            py.detach(|| hcl(&subject, code))?
        }
        "unfurl" => {
            let expression = from_python(code)?;
            let (tree, base) = tree.map_or(Ok((Value::Undef, PathBuf::from("."))), |tree| tree_of(tree, &subject))?;
            py.detach(|| unfurl(&subject, &expression, &tree, base))?
        }
        other => {
            let message = format!("unknown language '{other}'; the languages are puppet, hcl and unfurl");
            return Err(PyValueError::new_err(message));
        }
    };
    to_python(py, &value)
}

fn puppet(subject: &Subject<'_>, code: &str) -> Result<Value, Fault> {
    let evaluation = Code::new(subject.inner(), subject.facts.clone(), subject.options()).evaluate("", code);
    evaluation.value.map_err(|failure| {
        let diagnostics = failure.diagnose(&|_| Some(code.to_owned()));
        let message = subject.mask().message(&failure.to_string()).into_owned();
        Fault::of_diagnostics(&diagnostics, Some(&subject.mask())).saying(message)
    })
}

fn hcl(subject: &Subject<'_>, code: String) -> Result<Value, Fault> {
    let mut question = HclQuestion { kind: HclKind::Expression, text: code.into_bytes(), ..HclQuestion::default() };
    question.name = "code".to_owned();
    question.variables = subject
        .facts
        .facts()
        .iter()
        .chain(subject.facts.variables().iter())
        .map(|(name, value)| (cty::Text::from(name.to_text()), to_cty(value)))
        .collect();
    let mut functions = hcl_functions(None);
    if let Some(environment) = subject.environment {
        let data = HieraInHcl::of(&environment.inner, &subject.facts, &question.budget);
        functions = data.map_err(|error| environment.fault(&error))?.add_to(functions);
    }
    let answer = evaluate_hcl(&question, &functions);
    match &answer.value {
        Some(HclValue::Value(value)) => Ok(from_cty(value)),
        _ => {
            let diagnostics = HclTeller::default().tell_all(answer.diagnostics.iter());
            Err(Fault::of_diagnostics(&diagnostics, Some(&subject.mask())))
        }
    }
}

/// The tree of an expression: data, or a path of a document, which is expanded.
fn tree_of(tree: &Bound<'_, PyAny>, subject: &Subject<'_>) -> PyResult<(Value, PathBuf)> {
    if !tree.is_instance_of::<PyString>() && !tree.hasattr("__fspath__")? {
        return Ok((from_python(tree)?, PathBuf::from(".")));
    }
    let path: PathBuf = tree.extract()?;
    let permissions = subject.permissions;
    let read = tree.py().detach(|| -> Result<_, Fault> {
        let folder = folder_of(&path);
        let text = read(&path, &permissions)?;
        let document = Document::parse(&text, &path.display().to_string(), &folder)?;
        let expanded = expand(&document, &mut IncludedFiles::new(&folder, permissions), &ExpandOptions::default())?;
        Ok((expanded.to_value(), folder))
    });
    Ok(read?)
}

fn unfurl(subject: &Subject<'_>, expression: &Value, tree: &Value, base: PathBuf) -> Result<Value, Fault> {
    let base = std::path::absolute(&base).unwrap_or(base);
    let mask = subject.mask();
    let lookups = match subject.environment {
        Some(environment) => {
            let node = environment.inner.node(&subject.facts).map_err(|error| environment.fault(&error))?;
            vec![hiera_lookup(Arc::new(node))]
        }
        None => Vec::new(),
    };
    let variables = subject.permissions.variables();
    let outside = if subject.permissions.outside { Outside::Always } else { Outside::Never };
    let options = TreeOptions {
        vars: subject.facts.variables().clone(),
        env: variables.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect(),
        files: Files::below([&base]).with_outside(outside),
        base,
        lookups,
        ..TreeOptions::default()
    };
    let answer = Tree::new(tree)
        .map(|tree| Context::new(tree, options))
        .and_then(|context| evaluate_expression(&context, ExpressionKind::Expression, expression));
    answer.map(|answer| answer.one()).map_err(|fault| Fault::of_diagnostics(&fault.diagnose(&|_| None), Some(&mask)))
}

/// Renders a template: a path, or its text with the name of its language.
#[pyfunction]
#[pyo3(signature = (template, *, language=None, node=None, facts=None, variables=None, folder=None, allow_programs=false,
    allow_outside=false, allow_network=false))]
#[expect(clippy::too_many_arguments, reason = "they are arguments by name, as the flags of the command are")]
pub(crate) fn render(
    template: &Bound<'_, PyAny>,
    language: Option<&str>,
    node: Option<&Bound<'_, Node>>,
    facts: Option<FactsArgument>,
    variables: Option<&Bound<'_, PyAny>>,
    folder: Option<PathBuf>,
    allow_programs: bool,
    allow_outside: bool,
    allow_network: bool,
) -> PyResult<Py<PyAny>> {
    let py = template.py();
    let allowed = Allowed { programs: allow_programs, outside: allow_outside, network: allow_network };
    let subject = Subject::of(node, facts, variables, allowed)?;
    let named = language.map(str::parse::<TemplateLanguage>).transpose().map_err(PyValueError::new_err)?;
    let (name, text, folder, own) = match template.cast::<PyString>() {
        Ok(text) => {
            let folder = folder.unwrap_or_else(|| PathBuf::from("."));
            ("template".to_owned(), text.to_cow()?.into_owned(), folder, None)
        }
        Err(_) => {
            let path: PathBuf = template.extract()?;
            let text = read(&path, &subject.permissions)?;
            let folder = folder.unwrap_or_else(|| folder_of(&path));
            (path.display().to_string(), text, folder, TemplateLanguage::of_file(&path))
        }
    };
    let Some(language) = named.or(own) else {
        return Err(PyValueError::new_err("pass language='epp', 'erb', 'jinja2' or 'hcl'"));
    };
    let source = Source::new(name, text);
    let template = Template { source: source.clone(), language, folder, jinja2: Jinja2::default() };
    let rendering = py.detach(|| template.render(subject.inner(), &subject.facts, &subject.options()));
    let text = rendering.text.map_err(|fault| {
        let text = |path: &std::path::Path| (path.to_str() == Some(source.name())).then(|| source.text().to_owned());
        Fault::of_diagnostics(&fault.diagnose(&text), Some(&subject.mask()))
    })?;
    match rendering.secret {
        true => Ok(Py::new(py, Sensitive { inner: text.into() })?.into_any()),
        false => Ok(PyString::new(py, &text).into_any().unbind()),
    }
}
