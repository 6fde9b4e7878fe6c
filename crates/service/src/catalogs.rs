//! Catalogs of nodes for pages: compiled on request, within the limits of an answer, if the service was started with the permission.

use std::path::{Path, PathBuf};

use axum::http::StatusCode;
use hieratic::Value;
use hieratic::budget::{Budget, Limits};
use hieratic::catalog::{CATALOG_LIMITS, Classification, redact_catalog};
use hieratic::dependencies::AccessLog;
use hieratic::{Catalog, Compiler, Hash};

use crate::Service;
use crate::nodes::exhausted;
use crate::problem::Problem;

/// A catalog as a page shows it: secrets are redacted.
pub(crate) struct NodeCatalog {
    pub(crate) catalog: Catalog,
    /// The class or resource that contains each resource; `None` for the outermost.
    pub(crate) containers: Vec<Option<usize>>,
    /// The messages that the code has logged.
    pub(crate) messages: Vec<String>,
    /// The folder of the environment.
    pub(crate) root: PathBuf,
}

/// Compiles the catalog of a node.
pub(crate) fn compile(
    service: &Service,
    environment: &str,
    node: &str,
    budget: &Budget,
) -> Result<NodeCatalog, Problem> {
    if !service.catalogs {
        return Err(Problem::new(StatusCode::FORBIDDEN, "this service compiles no catalogs")
            .help("start it with --catalogs to show classes and resources"));
    }
    budget.check().map_err(exhausted)?;
    let (opened, _) = service.nodes.environments.get(environment)?;
    let mut facts = service.stored.facts(node, &AccessLog::default())?.facts;
    let version = service.nodes.environments.settings(environment).puppet_version;
    if !version.looks_up_with_server_facts() {
        let server: Hash = [("serverversion", Value::from(version.recorded()))].into_iter().collect();
        facts.set_server_facts(server);
    }
    let compiler = Compiler::limited(&opened.environment, limits(&service.limits));
    let compilation = compiler.compile(facts, &Classification::default());
    budget.check().map_err(exhausted)?;
    let redactor = &opened.redactor;
    let catalog = compilation.catalog.map_err(|failure| {
        // The place is that of the message, without the folder that is the same for all.
        let root = format!("{}/", opened.environment.layers().environment.root.display());
        let message = format!("{failure}{}", failure.place_text()).replace(&root, "");
        let problem = Problem::new(StatusCode::UNPROCESSABLE_ENTITY, redactor.message(&message).into_owned());
        match &failure.help {
            Some(help) => problem.help(redactor.message(help).into_owned()),
            None => problem,
        }
    })?;
    let mut containers = vec![None; catalog.resources.len()];
    for (container, contained) in &catalog.edges {
        if let Some(place) = containers.get_mut(*contained) {
            *place = Some(*container);
        }
    }
    Ok(NodeCatalog {
        messages: compilation.logs.iter().map(|log| redactor.message(&log.text()).into_owned()).collect(),
        catalog: redact_catalog(&catalog, redactor),
        containers,
        root: opened.environment.layers().environment.root.clone(),
    })
}

/// The limits of a catalog: as many times those of an answer of the service as a catalog has in general. A request has half of
/// its time, so that the page of its error is still sent.
fn limits(of_service: &crate::options::Limits) -> Limits {
    let (one, usual) = (of_service.work, Limits::DEFAULT);
    Limits {
        time: Some(of_service.time / 2),
        steps: one.steps.saturating_mul(CATALOG_LIMITS.steps / usual.steps),
        bytes: one.bytes.saturating_mul(CATALOG_LIMITS.bytes / usual.bytes),
        ..one
    }
}

impl NodeCatalog {
    /// Returns the names of the classes as code writes them, sorted, without that of the settings, which has nothing in it.
    pub(crate) fn classes(&self) -> Vec<String> {
        let classes = self.catalog.resources.iter().filter(|resource| resource.kind == "Class");
        let mut names: Vec<String> = classes.map(|class| class.title.to_lowercase()).collect();
        names.retain(|name| name != "settings");
        names.sort_unstable();
        names
    }

    /// Returns the name of the class that contains a resource, through defined types if it must.
    pub(crate) fn class_of(&self, index: usize) -> Option<String> {
        let mut at = index;
        // A containment has no cycles, and no more steps than resources.
        for _ in 0..self.containers.len() {
            at = self.containers.get(at).copied().flatten()?;
            let container = self.catalog.resources.get(at)?;
            if container.kind == "Class" {
                return Some(container.title.to_lowercase());
            }
        }
        None
    }

    /// Returns the place of a resource in the code.
    pub(crate) fn place_of(&self, index: usize) -> Option<(&Path, Option<u32>)> {
        let resource = self.catalog.resources.get(index)?;
        let file = resource.file.as_deref().map(Path::new)?;
        Some((file, resource.line))
    }
}
