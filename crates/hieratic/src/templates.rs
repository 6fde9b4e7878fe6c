//! [`Template`]: a template, rendered for one node.

use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use hieratic_diagnostics::{self as diagnostics, Diagnose, Source};
use hieratic_hcl_eval::{Problem, Problems};
use hieratic_hcl_types::{Text, Type, convert};
use hieratic_hiera::{Query, Strategy};
use hieratic_jinja::extend::{self, Args, error};
use hieratic_jinja::{
    Extensions, Foreign, Hosts, LinePrefixes, TaintObserver, TemplateError, from_value, from_variables, to_value,
    with_hosts,
};
use hieratic_puppet_eval::{Failure, Log, Options};
use hieratic_puppet_syntax::ast::Node as Syntax;
use hieratic_sandbox::{Outside, Variables};
use hieratic_value::{Hash, HashBuilder, Rich, Value};

pub use crate::ansible::{
    Inventory, PlayOfRoles, Playbook, Role, RoleFiles, RoleUse, SkippedKey, TemplateTask, UnreadTasks,
};
use crate::code::{Code, program_form};
use crate::environment::Environment;
use crate::facts::Facts;
use crate::hcl::{HclInput, HclKind, HclValue, HieraInHcl, evaluate_hcl, hcl_functions, hcl_functions_reading, to_cty};
use crate::reading::read_code;
use crate::redaction::TaintTracker;
use crate::vault::Vault;

/// The language of a template.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TemplateLanguage {
    /// [Embedded Puppet](https://www.puppet.com/docs/puppet/8/lang_template_epp.html).
    Epp,
    /// [Embedded Ruby](https://www.puppet.com/docs/puppet/8/lang_template_erb.html), as `template` renders it.
    Erb,
    /// [Jinja2](https://jinja.palletsprojects.com/en/3.1.x/templates/) as Ansible extends it.
    Jinja2,
    /// [Templates of HCL](https://developer.hashicorp.com/nomad/docs/reference/hcl2/expressions#string-templates) with
    /// Nomad's functions.
    Hcl,
}

impl TemplateLanguage {
    /// Returns the language of a file by its extension: `.epp`; `.erb`; `.j2`, `.jinja` and `.jinja2`; `.tftpl`.
    ///
    /// ```
    /// use hieratic::templates::TemplateLanguage;
    ///
    /// assert_eq!(TemplateLanguage::of_file("motd.conf.j2".as_ref()), Some(TemplateLanguage::Jinja2));
    /// assert_eq!(TemplateLanguage::of_file("motd".as_ref()), None);
    /// ```
    pub fn of_file(path: &Path) -> Option<TemplateLanguage> {
        match path.extension()?.to_str()? {
            "epp" => Some(TemplateLanguage::Epp),
            "erb" => Some(TemplateLanguage::Erb),
            "j2" | "jinja" | "jinja2" => Some(TemplateLanguage::Jinja2),
            "tftpl" => Some(TemplateLanguage::Hcl),
            _ => None,
        }
    }
}

impl FromStr for TemplateLanguage {
    type Err = String;

    fn from_str(name: &str) -> Result<TemplateLanguage, String> {
        match name {
            "epp" => Ok(TemplateLanguage::Epp),
            "erb" => Ok(TemplateLanguage::Erb),
            "jinja2" => Ok(TemplateLanguage::Jinja2),
            "hcl" => Ok(TemplateLanguage::Hcl),
            other => Err(format!("unknown template language '{other}'; the languages are epp, erb, jinja2 and hcl")),
        }
    }
}

/// A template.
///
/// ```
/// use hieratic::diagnostics::Source;
/// use hieratic::templates::TemplateLanguage;
/// use hieratic::{Facts, Template};
///
/// let template = Template {
///     source: Source::new("motd.j2", "{{ role | upper }} on port {{ lookup('vars', 'port') }}\n"),
///     language: TemplateLanguage::Jinja2,
///     folder: ".".into(),
///     jinja2: Default::default(),
/// };
/// let mut facts = Facts::named("web01.example.com");
/// facts.set_variable("role", "web{{ 1 + 1 }}");
/// facts.set_variable("port", 8080);
/// let rendering = template.render(None, &facts, &Default::default());
/// assert_eq!(rendering.text.unwrap(), "WEB2 on port 8080\n");
/// ```
#[derive(Clone, Debug)]
pub struct Template {
    /// Its source, with its name in messages.
    pub source: Source,
    /// Its language.
    pub language: TemplateLanguage,
    /// The folder in which other files are searched.
    pub folder: PathBuf,
    /// The settings for a Jinja2 template.
    pub jinja2: Jinja2,
}

/// The settings for rendering Jinja2 templates: by default, those of Ansible.
#[derive(Clone, Debug)]
pub struct Jinja2 {
    /// Whether strings in the variables are templates, which are rendered when a variable is used, as Ansible does.
    pub template_vars: bool,
    /// The folders in which files named by the template are searched, as in a role; if there are none, the folder of
    /// the template.
    pub search: Vec<PathBuf>,
    /// Additional folders that the template may read.
    pub readable: Vec<PathBuf>,
    /// The hosts in `hostvars`.
    pub hosts: Hosts,
    /// Filters, tests and lookups of a role that are written in Python.
    pub foreign: Foreign,
    /// The vault that decrypts variables.
    pub vault: Vault,
    /// The extensions that are enabled.
    pub extensions: Extensions,
    /// The prefixes of line statements and line comments.
    pub lines: LinePrefixes,
    /// Settings of the template by the names that the line `#jinja2:` has for them. That line counts more.
    pub overrides: Vec<(String, Value)>,
}

impl Default for Jinja2 {
    fn default() -> Jinja2 {
        let (search, readable, hosts, foreign, vault, extensions, lines, overrides) = Default::default();
        Jinja2 { template_vars: true, search, readable, hosts, foreign, vault, extensions, lines, overrides }
    }
}

/// The result of rendering a template.
#[derive(Debug)]
pub struct Rendering {
    /// The text, or the error.
    pub text: Result<String, RenderFailure>,
    /// Whether the text contains a Sensitive value.
    pub secret: bool,
    /// All log messages, in order.
    pub logs: Vec<Log>,
}

/// The reason why a template could not be rendered.
#[derive(Debug)]
#[non_exhaustive]
pub enum RenderFailure {
    /// An error of embedded Puppet.
    Epp(Failure),
    /// An error of embedded Ruby.
    Erb(Failure),
    /// An error of Jinja2.
    Jinja2(TemplateError),
    /// The errors and warnings of HCL.
    Hcl(Problems),
    /// An error of the environment's data.
    Data(hieratic_hiera::Error),
}

impl Diagnose for RenderFailure {
    fn diagnose(&self) -> Vec<diagnostics::Diagnostic> {
        match self {
            RenderFailure::Epp(failure) | RenderFailure::Erb(failure) => failure.diagnose(),
            RenderFailure::Jinja2(problem) => problem.diagnose(),
            RenderFailure::Hcl(problems) => problems.diagnose(),
            RenderFailure::Data(error) => error.diagnose(),
        }
    }
}

impl Template {
    /// Renders the template for a node, with or without an environment that has modules and data.
    ///
    /// Facts and the variables that were set in addition are variables of the template; so are `facts`, `trusted` and
    /// `environment`, but not in Jinja2, which also lacks the facts that were derived from the node's name. In embedded
    /// Ruby they are `@name`. Parameters that an embedded Puppet template declares get the variables with their names.
    /// Data is looked up by `lookup('key')` in embedded Puppet, by `lookup('hiera', 'key')` in Jinja2, and by
    /// `hiera("key")` in HCL, whose file functions only work if the options allow files.
    ///
    /// A template may read files in its folder, in the environment and in its modules, and others if the options allow
    /// it.
    pub fn render(&self, environment: Option<&Environment>, facts: &Facts, options: &Options) -> Rendering {
        match self.language {
            TemplateLanguage::Epp => self.render_epp(environment, facts, options),
            TemplateLanguage::Erb => self.render_erb(environment, facts, options),
            TemplateLanguage::Jinja2 => {
                Rendering { text: self.render_jinja2(environment, facts, options), secret: false, logs: Vec::new() }
            }
            TemplateLanguage::Hcl => {
                Rendering { text: self.render_hcl(environment, facts, options), secret: false, logs: Vec::new() }
            }
        }
    }

    fn render_epp(&self, environment: Option<&Environment>, facts: &Facts, options: &Options) -> Rendering {
        // Syntax errors are reported for the template itself, not for the call that renders it.
        if let Err(failure) = read_code(&self.source, true, options).program {
            return Rendering { text: Err(RenderFailure::Epp(failure)), secret: false, logs: Vec::new() };
        }
        let code = Code::new(environment, facts.clone(), options.clone());
        let arguments = self.declared_parameters(facts).map(|given| format!(", {}", program_form(&given.into())));
        let text = program_form(&Value::from(self.source.text()));
        let call = format!("inline_epp({text}{})", arguments.unwrap_or_default());
        let evaluation = code.evaluate("", &call);
        let mut logs = evaluation.logs;
        let secret = evaluation.value.as_ref().is_ok_and(Value::contains_sensitive);
        let mut text = evaluation.value.map(|value| to_plain_text(&value));
        let failed = text.as_mut().err().map(|failure| &mut failure.site);
        for site in logs.iter_mut().filter_map(|log| log.site.as_mut()).chain(failed) {
            match site.file.as_deref() {
                Some(INLINE) => {}
                // The call has no file: its errors concern the template's parameters, which are at its start.
                None => (site.line, site.column) = (1, 1),
                Some(_) => continue,
            }
            site.file = Some(self.source.shared_name().clone());
            site.source = Some(self.source.clone());
        }
        Rendering { text: text.map_err(RenderFailure::Epp), secret, logs }
    }

    fn render_erb(&self, environment: Option<&Environment>, facts: &Facts, options: &Options) -> Rendering {
        let code = Code::new(environment, facts.clone(), options.clone());
        let (value, logs) = code.render_erb(self.source.name(), self.source.text());
        let secret = value.as_ref().is_ok_and(Value::contains_sensitive);
        Rendering { text: value.map(|value| to_plain_text(&value)).map_err(RenderFailure::Erb), secret, logs }
    }

    /// Returns the variables that the template declares as parameters, or `None` if it has no parameter list.
    fn declared_parameters(&self, facts: &Facts) -> Option<Hash> {
        let parsed =
            hieratic_puppet_syntax::parse(&self.source, &hieratic_puppet_syntax::Options { epp: true, tasks: false });
        let program = parsed.program?;
        let Syntax::Epp(epp) = &program.body.node else {
            return None;
        };
        let given = variables(None, facts);
        let names = epp.parameters.as_deref()?.iter().map(|parameter| &parameter.name);
        Some(names.filter_map(|name| Some((&**name, given.get(name)?.clone()))).collect())
    }

    fn render_jinja2(
        &self,
        environment: Option<&Environment>,
        facts: &Facts,
        options: &Options,
    ) -> Result<String, RenderFailure> {
        let outside = options.files.outside();
        let files = options.files.and_below([&self.folder]).and_below(&self.jinja2.readable);
        // Variables of the environment count as outside of the repository too.
        let env = if outside == Outside::Always { Variables::of_process() } else { Variables::hidden() };
        let mut engine = hieratic_jinja_ansible::engine(&hieratic_jinja::Options {
            base: self.folder.clone(),
            search: self.jinja2.search.clone(),
            files,
            env,
            budget: options.budget.clone(),
            extensions: self.jinja2.extensions,
            templates: self.jinja2.template_vars,
            lines: self.jinja2.lines.clone(),
            overrides: self.jinja2.overrides.clone(),
            foreign: self.jinja2.foreign.clone(),
            ..Default::default()
        });
        self.jinja2.vault.add_to(&mut engine);
        let followed = environment.map(|known| Arc::new(TaintTracker::new(known.secrets())) as Arc<dyn TaintObserver>);
        if let Some(observer) = self.jinja2.vault.observer(followed) {
            engine.set_observer(observer);
        }
        match environment {
            Some(environment) => {
                let node = Arc::new(environment.node(facts).map_err(RenderFailure::Data)?);
                let budget = options.budget.clone();
                hieratic_jinja_ansible::add_lookup(&mut engine, "hiera", move |_, mut args| {
                    let query = query(&mut args)?;
                    let found = args.positional.iter().map(|key| {
                        let Some(key) = key.as_str() else {
                            return Err(error("the key of a lookup must be a string"));
                        };
                        let query = Query { names: vec![key], budget: budget.clone(), ..query.clone() };
                        node.lookup(&query)
                            .map(|value| from_value(&value))
                            .map_err(|problem| error(problem.to_string()))
                    });
                    found.collect()
                });
            }
            None => hieratic_jinja_ansible::add_lookup(&mut engine, "hiera", |_, _| {
                Err(error("lookups require an environment: name one, or render inside a control repository"))
            }),
        }
        let known: Value = jinja2_variables(facts).into();
        let mut variables = if self.jinja2.template_vars { from_variables(&known) } else { from_value(&known) };
        if self.jinja2.hosts.are_known() {
            variables = with_hosts(&variables, &self.jinja2.hosts);
        }
        engine.render_text(self.source.name(), self.source.text(), variables).map_err(RenderFailure::Jinja2)
    }
}

impl Template {
    fn render_hcl(
        &self,
        environment: Option<&Environment>,
        facts: &Facts,
        options: &Options,
    ) -> Result<String, RenderFailure> {
        let mut functions = match options.files.outside() {
            // The option allows the template's own folder.
            Outside::Always => {
                let files = options.files.with_outside(Outside::Never).and_below([&self.folder]);
                hcl_functions_reading(&self.folder, files)
            }
            _ => hcl_functions(None),
        };
        if let Some(environment) = environment {
            functions =
                HieraInHcl::new(environment, facts, &options.budget).map_err(RenderFailure::Data)?.add_to(functions);
        }
        let variables = variables(environment, facts);
        let converted = variables.iter().map(|(name, value)| {
            let name = name.to_text();
            let value = to_cty(value).map_err(|problem| format!("The variable {name}: {problem}."))?;
            Ok((Text::from(name), value))
        });
        let converted = converted.collect::<Result<_, String>>();
        let invalid = |detail: String| RenderFailure::Hcl(Problem::error("Invalid variable", detail).into());
        let question = HclInput {
            kind: HclKind::Template,
            name: self.source.name().to_owned(),
            text: self.source.text().as_bytes().to_vec(),
            variables: converted.map_err(invalid)?,
            budget: options.budget.clone(),
        };
        let answer = evaluate_hcl(&question, &functions);
        let text = match &answer.value {
            Some(HclValue::Value(value)) => convert(value, &Type::String),
            _ => return Err(RenderFailure::Hcl(answer.problems)),
        };
        // A template that is a single sequence may have any value.
        text.ok().as_ref().and_then(|text| text.as_str().map(str::to_owned)).ok_or_else(|| {
            let detail = "The template is a single sequence whose value is not a string, number or bool.";
            RenderFailure::Hcl(Problem::error("Invalid template result", detail).into())
        })
    }
}

/// The name of strings that are passed to `inline_epp`.
const INLINE: &str = "inlined-epp-text";

/// Returns the text of a rendered template, with its secrets: it is the requested output.
fn to_plain_text(value: &Value) -> String {
    match value.as_rich() {
        Some(Rich::Sensitive(inner)) => to_plain_text(inner),
        _ => value.to_text(),
    }
}

/// The variables of a template, those that were set over the facts.
fn variables(environment: Option<&Environment>, facts: &Facts) -> Hash {
    let own = [("facts", Value::from(facts.facts().clone())), ("trusted", facts.trusted().into())];
    let named = environment.map(|environment| ("environment", Value::from(environment.name())));
    let own = own.into_iter().chain(named).map(|(name, value)| (Value::from(name), value));
    let facts_and_variables = facts.facts().iter().chain(facts.variables().iter());
    own.chain(facts_and_variables.map(|(name, value)| (name.clone(), value.clone()))).collect()
}

/// Returns the variables of a Jinja2 template for a node: explicit facts, and the variables, which override facts.
/// Facts in the format of Ansible's module `setup` are both variables and entries of `ansible_facts`. Strings of facts
/// are no templates: a machine reports them, and could have others' variables printed.
pub fn jinja2_variables(facts: &Facts) -> Hash {
    let mut known = HashBuilder::default();
    for (name, value) in facts.explicit().iter() {
        let value = &hieratic_jinja::mark_as_data(value);
        match value.as_hash().filter(|_| name.as_str() == Some("ansible_facts")) {
            None => {
                known.insert(name.clone(), value.clone());
            }
            Some(gathered) => {
                let bare = |name: &Value| match name.as_str().and_then(|name| name.strip_prefix("ansible_")) {
                    // Facts that a host has written itself keep their name.
                    Some("local") | None => name.clone(),
                    Some(bare) => Value::from(bare),
                };
                let entries = gathered.iter().map(|(name, value)| (bare(name), value.clone()));
                known.insert(name.clone(), Value::Hash(entries.collect()));
                known.extend(gathered.iter().map(|(name, value)| (name.clone(), value.clone())));
            }
        }
    }
    known.extend(facts.variables().iter().map(|(name, value)| (name.clone(), value.clone())));
    known.into()
}

/// The options of a lookup, without its key.
fn query(args: &mut Args) -> extend::Result<Query<'static>> {
    let mut option = |name: &str| match args.take(name).filter(|value| !value.is_none() && !value.is_undefined()) {
        Some(value) => to_value(&value).map(Some).map_err(|problem| error(problem.message)),
        None => Ok(None),
    };
    let merge = option("merge")?.map(|merge| Strategy::parse(&merge)).transpose();
    let mut query = Query::new("");
    query.merge = merge.map_err(|problem| error(problem.to_string()))?;
    query.default = option("default")?;
    match args.named.first() {
        Some((name, _)) => Err(error(format!("unknown keyword argument '{name}'"))),
        None => Ok(query),
    }
}
