//! [`CatalogService`]: catalogs for tools that request many in sequence, such as test suites.
//!
//! Environments, parsed files and answers of Ruby functions stay in memory between requests. Each request sees the files
//! as they are when it begins: changed files are read again.

mod answer;
mod environments;
mod request;

use std::sync::Arc;
use std::time::Instant;

use hieratic_budget::{Budget, Limits};
use hieratic_diagnostics::Source;
use hieratic_hiera::Error;
use hieratic_puppet_eval::{Failure, Options};
use hieratic_puppet_types::PuppetVersion;
use hieratic_value::{Str, Value};

pub use answer::{CatalogAnswer, CatalogError};
pub use request::{CatalogRequest, InvalidRequest, RequestLimits, RequestedEnvironment};

use super::{Compilation, Compiler, OtherNodes, SharedCatalogs, cycles, redact_catalog};
use crate::facts::Facts;
use crate::redaction::{Redactor, TaintTracker};
use crate::settings::Settings;
use environments::{OpenEnvironment, OpenEnvironments};

/// Compiles catalogs on request, from any number of threads.
///
/// ```
/// use hieratic::catalog::{CATALOG_LIMITS, CatalogRequest, CatalogService};
/// use hieratic::Settings;
///
/// let service = CatalogService::new(Settings::default(), CATALOG_LIMITS);
/// let request = CatalogRequest::parse(br#"{"id": 1, "node": "web01", "code": "notify { $facts['role']: }",
///     "facts": {"role": "web"}}"#).unwrap();
/// let answer = service.answer(&request);
/// let catalog = answer.catalog.unwrap();
/// assert!(catalog.resources.iter().any(|resource| resource.reference() == "Notify[web]"));
/// ```
#[derive(Debug)]
pub struct CatalogService {
    settings: Settings,
    options: Option<Options>,
    limits: Limits,
    reveal: bool,
    environments: OpenEnvironments,
}

impl CatalogService {
    /// Creates a service. The settings are the defaults of requests, and their permissions apply to all requests. No
    /// request may exceed the limits.
    pub fn new(settings: Settings, limits: Limits) -> CatalogService {
        let settings = Settings { once: false, ..settings };
        CatalogService { settings, options: None, limits, reveal: false, environments: OpenEnvironments::default() }
    }

    /// Sets the programs and the Ruby that code may run.
    #[must_use]
    pub fn with_programs_of(mut self, options: Options) -> CatalogService {
        self.options = Some(options);
        self
    }

    /// Sets whether answers reveal secrets.
    #[must_use]
    pub fn revealing(mut self, reveal: bool) -> CatalogService {
        self.reveal = reveal;
        self
    }

    /// Answers a request.
    pub fn answer(&self, request: &CatalogRequest) -> CatalogAnswer {
        let begun = Instant::now();
        let mut answer = match self.compile(request) {
            Ok(answer) => answer,
            Err(error) => CatalogAnswer::refused(request.id.clone(), &error),
        };
        answer.values = request.values;
        answer.time = begun.elapsed();
        answer
    }

    fn compile(&self, request: &CatalogRequest) -> Result<CatalogAnswer, Error> {
        let environment = self.environments.get(&request.environment, &self.settings)?;
        let compiler = self.compiler(&environment, request);
        let facts = facts_of(request, environment.environment.puppet_version());
        let node = facts.node().unwrap_or_default().to_owned();
        let compilation = match &request.code {
            Some(code) => compiler.compile_code(facts, &request.classification, &Source::new("", code.as_str())),
            None => compiler.compile(facts, &request.classification),
        };
        let redactor = Redactor::new(environment.environment.secrets(), self.reveal);
        Ok(masked_answer(request.id.clone(), &node, compilation, &redactor))
    }

    /// Creates the compiler of one request, which shares files with earlier ones.
    fn compiler<'e>(&self, open: &'e OpenEnvironment, request: &CatalogRequest) -> Compiler<'e> {
        let environment = &open.environment;
        let language = environment.language();
        let stubs = request.stubs.iter().map(|(name, value)| (name.to_text(), value.clone())).collect();
        let options = Options {
            files: environment.capabilities().code.clone(),
            budget: Budget::new(request.limits_below(self.limits)),
            with_exported: request.with_exported,
            stubs: Arc::new(stubs),
            avoids_init: request.environment.avoids_init,
            random_seed: request.random_seed.or_else(|| self.options.as_ref()?.random_seed),
            ruby: self.options.as_ref().and_then(|options| options.ruby.clone()),
            programs: self.options.as_ref().map_or(language.programs, |options| options.programs),
            debug: self.options.as_ref().is_some_and(|options| options.debug),
            ..language
        };
        let others = OtherNodes { answers: request.answers.clone().map(Arc::new), ..OtherNodes::default() };
        Compiler {
            followed: TaintTracker::new(environment.secrets()),
            environment,
            options,
            code: open.code.clone(),
            others,
            programs: None,
            catalogs: SharedCatalogs::default(),
        }
    }
}

/// The facts of the node of a request.
fn facts_of(request: &CatalogRequest, version: PuppetVersion) -> Facts {
    let mut facts = match &request.facts {
        Some(facts) => Facts::new(Some(&request.node), facts.clone()),
        None => Facts::named_for(&request.node, version),
    };
    if let Some(trusted) = &request.trusted {
        facts.set_trusted(trusted.clone());
    }
    let Some(server_facts) = &request.server_facts else { return facts };
    if server_facts.is_empty() {
        facts.leave_server_out();
    }
    facts.set_server_facts(server_facts.clone());
    // They are variables in catalogs of all versions; a fact of the same name wins.
    for (name, value) in server_facts {
        if let Value::String(name) = name
            && &**name != "environment"
            && !facts.facts().contains(name)
        {
            facts.set_variable(name, value.clone());
        }
    }
    facts
}

/// Makes the answer, with secrets redacted.
fn masked_answer(id: Value, node: &str, compilation: Compilation, redactor: &Redactor) -> CatalogAnswer {
    let text = |text: &str| redactor.message(text).into_owned();
    let mut logs = compilation.logs;
    logs.iter_mut().for_each(|log| log.message = text(&log.message));
    let mut answer = CatalogAnswer { id, logs, ..CatalogAnswer::default() };
    match compilation.catalog {
        Ok(catalog) => {
            let cycles = cycles(&catalog);
            let masked = |path: &[String]| path.iter().map(|one| redactor.text(one).into_owned()).collect();
            answer.cycles = cycles.iter().map(|cycle| masked(&cycle.path)).collect();
            answer.catalog = Some(redact_catalog(&catalog, redactor));
        }
        Err(failure) => answer.errors.push(error_of(&failure, node, redactor)),
    }
    answer
}

fn error_of(failure: &Failure, node: &str, redactor: &Redactor) -> CatalogError {
    let diagnostic = redactor.diagnostic(&failure.diagnostic());
    let known = |number: u32| Some(number).filter(|number| *number > 0);
    CatalogError {
        message: format!("{} on node {node}", diagnostic.message),
        code: diagnostic.code.to_string(),
        file: failure.site.file.as_deref().map(Str::from),
        line: known(failure.site.line),
        column: known(failure.site.column),
        help: failure.help.as_deref().map(|help| redactor.message(help).into_owned()),
        is_limitation: failure.is_program_limitation(),
    }
}
