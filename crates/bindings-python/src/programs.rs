//! `eval` and `render`: evaluate expressions and code, and render templates.

use std::path::PathBuf;

use hieratic::budget::Budget;
use hieratic::diagnostics::Source;
use hieratic::templates::TemplateLanguage;
use hieratic::{Facts, Limits, Permissions, Value};
use hieratic_bindings_core::{BindingError, NamedDocument, RenderedTemplate, Subject, folder_of, read_text};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::environment::SharedEnvironment;
use crate::facts::FactsArgument;
use crate::hcl_values;
use crate::node::Node;
use crate::permissions::PermissionArguments;
use crate::sensitive::Sensitive;
use crate::values::{from_python, hash_of, to_python};
use crate::work::{LimitsArgument, Work};

/// The subject of an evaluation, which can be given to another thread: a node of an environment, or only facts.
struct SharedSubject {
    environment: Option<SharedEnvironment>,
    facts: Facts,
    permissions: Permissions,
}

impl SharedSubject {
    fn new(
        py: Python<'_>,
        node: Option<&Bound<'_, Node>>,
        facts: Option<FactsArgument>,
        variables: Option<&Bound<'_, PyAny>>,
        allowed: PermissionArguments,
        work: Work,
    ) -> PyResult<SharedSubject> {
        let environment = node.map(|node| node.get().environment_of());
        let permissions = environment.map_or_else(|| allowed.into(), |environment| environment.permissions());
        let mut known = match (node, facts) {
            (Some(_), Some(_)) => {
                return Err(PyTypeError::new_err("a node already has facts: pass either a node or facts"));
            }
            (Some(node), None) => node.get().facts.clone(),
            // A file may be large.
            (None, Some(facts @ FactsArgument::File(_))) => {
                work.run(py, move |budget| facts.of_node(None, &permissions, budget.limits()))?
            }
            (None, Some(facts)) => facts.of_node(None, &permissions, &work.limits)?,
            (None, None) => Facts::default(),
        };
        if let Some(variables) = variables {
            for (name, value) in hash_of(variables, "variables")?.iter() {
                known.set_variable(&name.to_text(), value.clone());
            }
        }
        let environment = environment.map(|environment| environment.share(py)).transpose()?;
        Ok(SharedSubject { environment, facts: known, permissions })
    }

    /// Checks that the variables have a form in HCL.
    fn check_for_hcl(&self) -> PyResult<()> {
        self.facts.variables().iter().try_for_each(|(name, value)| hcl_values::check(&name.to_text(), value))
    }

    fn subject(&self, budget: &Budget) -> Subject<'_> {
        Subject {
            environment: self.environment.as_ref().map(|environment| &*environment.inner),
            facts: self.facts.clone(),
            permissions: self.permissions,
            budget: budget.clone(),
        }
    }
}

/// Returns the costs of a call: by its arguments, and those of the environment of its node.
fn work_of(node: Option<&Bound<'_, Node>>, limits: Option<LimitsArgument>, timeout: Option<f64>) -> PyResult<Work> {
    match node {
        Some(node) => node.get().environment_of().work_of(limits, timeout),
        None => Work::new(Limits::default(), limits, timeout),
    }
}

/// The text of code.
fn code_of(code: &Bound<'_, PyAny>) -> PyResult<String> {
    code.extract().map_err(|_| PyTypeError::new_err("code is a string"))
}

/// Evaluates code: of the Puppet language, of HCL, or an expression of Unfurl.
#[pyfunction]
#[pyo3(signature = (code, *, language="puppet", node=None, facts=None, variables=None, tree=None, limits=None, timeout=None,
    allow_programs=false, allow_outside=false, allow_network=false))]
#[expect(clippy::too_many_arguments, reason = "pass them as keyword arguments")]
pub(crate) fn eval(
    code: &Bound<'_, PyAny>,
    language: &str,
    node: Option<&Bound<'_, Node>>,
    facts: Option<FactsArgument>,
    variables: Option<&Bound<'_, PyAny>>,
    tree: Option<&Bound<'_, PyAny>>,
    limits: Option<LimitsArgument>,
    timeout: Option<f64>,
    allow_programs: bool,
    allow_outside: bool,
    allow_network: bool,
) -> PyResult<Py<PyAny>> {
    let py = code.py();
    let allowed = PermissionArguments { programs: allow_programs, outside: allow_outside, network: allow_network };
    let work = work_of(node, limits, timeout)?;
    let subject = SharedSubject::new(py, node, facts, variables, allowed, work)?;
    if tree.is_some() && language != "unfurl" {
        return Err(PyValueError::new_err("tree requires language='unfurl'"));
    }
    let value = match language {
        "puppet" => {
            let code = code_of(code)?;
            work.run(py, move |budget| subject.subject(budget).puppet(&code))?
        }
        "hcl" => {
            let code = code_of(code)?;
            subject.check_for_hcl()?;
            work.run(py, move |budget| subject.subject(budget).hcl(code))?
        }
        "unfurl" => {
            let expression = from_python(code)?;
            let (tree, base) =
                tree.map_or(Ok((Value::Undef, PathBuf::from("."))), |tree| tree_of(tree, subject.permissions, work))?;
            work.run(py, move |budget| subject.subject(budget).unfurl(&expression, &tree, base))?
        }
        other => {
            let message = format!("unknown language '{other}'; the languages are puppet, hcl and unfurl");
            return Err(PyValueError::new_err(message));
        }
    };
    to_python(py, &value)
}

/// The tree of an expression: data, or a path of a document, which is expanded.
fn tree_of(tree: &Bound<'_, PyAny>, permissions: Permissions, work: Work) -> PyResult<(Value, PathBuf)> {
    if !tree.is_instance_of::<PyString>() && !tree.hasattr("__fspath__")? {
        return Ok((from_python(tree)?, PathBuf::from(".")));
    }
    let path: PathBuf = tree.extract()?;
    work.run(tree.py(), move |budget| {
        let text = NamedDocument::from_file(&path, &permissions, budget.limits())?;
        let value = text.expand_plain(permissions, budget)?;
        Ok::<_, BindingError>((value, text.folder))
    })
}

/// Renders a template: a path, or its text with the name of its language.
#[pyfunction]
#[pyo3(signature = (template, *, language=None, node=None, facts=None, variables=None, folder=None, limits=None, timeout=None,
    allow_programs=false, allow_outside=false, allow_network=false))]
#[expect(clippy::too_many_arguments, reason = "pass them as keyword arguments")]
pub(crate) fn render(
    template: &Bound<'_, PyAny>,
    language: Option<&str>,
    node: Option<&Bound<'_, Node>>,
    facts: Option<FactsArgument>,
    variables: Option<&Bound<'_, PyAny>>,
    folder: Option<PathBuf>,
    limits: Option<LimitsArgument>,
    timeout: Option<f64>,
    allow_programs: bool,
    allow_outside: bool,
    allow_network: bool,
) -> PyResult<Py<PyAny>> {
    let py = template.py();
    let allowed = PermissionArguments { programs: allow_programs, outside: allow_outside, network: allow_network };
    let work = work_of(node, limits, timeout)?;
    let subject = SharedSubject::new(py, node, facts, variables, allowed, work)?;
    let named = language.map(str::parse::<TemplateLanguage>).transpose().map_err(PyValueError::new_err)?;
    let (name, text, folder, own) = match template.cast::<PyString>() {
        Ok(text) => {
            let folder = folder.unwrap_or_else(|| PathBuf::from("."));
            ("template".to_owned(), text.to_cow()?.into_owned(), folder, None)
        }
        Err(_) => {
            let path: PathBuf = template.extract()?;
            let (file, permissions) = (path.clone(), subject.permissions);
            let text = work.run(py, move |budget| read_text(&file, &permissions, budget.limits()))?;
            let folder = folder.unwrap_or_else(|| folder_of(&path));
            (path.display().to_string(), text, folder, TemplateLanguage::of_file(&path))
        }
    };
    let Some(language) = named.or(own) else {
        return Err(PyValueError::new_err("pass language='epp', 'erb', 'jinja2' or 'hcl'"));
    };
    if language == TemplateLanguage::Hcl {
        subject.check_for_hcl()?;
    }
    let source = Source::new(name, text);
    let rendered = work.run(py, move |budget| subject.subject(budget).render(&source, language, folder))?;
    let RenderedTemplate { text, secret } = rendered;
    if secret {
        Ok(Py::new(py, Sensitive { inner: text.into() })?.into_any())
    } else {
        Ok(PyString::new(py, &text).into_any().unbind())
    }
}
