//! [`Refreshes`]: the services that restart and the commands that run when a resource changes.

use hieratic_puppet_eval::CompiledCatalog;
use hieratic_value::ErasedSort as _;
use hieratic_value::Value;
use hieratic_value::collections::HashSet;

use super::relationships::relationships;

/// The services that restart and the commands that run when a resource of a catalog changes: by `notify` and
/// `subscribe` of the resource and its containers, and transitively.
///
/// ```
/// use hieratic::catalog::{Classification, Refreshes};
/// use hieratic::{Compiler, Environment, Facts, Settings};
///
/// let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/catalog");
/// let environment = Environment::open(&Settings::discover(root.as_ref()))?;
/// let compiler = Compiler::new(&environment, environment.language());
/// let catalog = compiler.compile(Facts::named("web01.example.com"), &Classification::default()).catalog.unwrap();
/// let file = catalog.resources.iter().position(|one| one.title == "/etc/nginx/nginx.conf").unwrap();
/// assert_eq!(Refreshes::new(&catalog).by(file), ["Service[nginx]"]);
/// # Ok::<(), hieratic::Error>(())
/// ```
#[derive(Debug)]
pub struct Refreshes<'c> {
    catalog: &'c CompiledCatalog,
    /// For each resource, the resources that it refreshes.
    targets: Vec<Vec<usize>>,
    /// For each resource, what contains it.
    container: Vec<Option<usize>>,
    /// For each resource, its content.
    contents: Vec<Vec<usize>>,
}

impl<'c> Refreshes<'c> {
    /// Creates the refreshes of a catalog.
    pub fn new(catalog: &'c CompiledCatalog) -> Refreshes<'c> {
        let count = catalog.resources.len();
        let (mut targets, mut container, mut contents) =
            (vec![Vec::new(); count], vec![None; count], vec![Vec::new(); count]);
        for one in relationships(catalog).into_iter().filter(|one| one.refreshes) {
            targets[one.source].push(one.target);
        }
        for (outer, inner) in &catalog.edges {
            container[*inner] = Some(*outer);
            contents[*outer].push(*inner);
        }
        Refreshes { catalog, targets, container, contents }
    }

    /// Returns the index of the container of a resource.
    pub fn container(&self, resource: usize) -> Option<usize> {
        self.container.get(resource).copied().flatten()
    }

    /// Returns the references of the services that restart and the commands that run when a resource changes, sorted.
    pub fn by(&self, resource: usize) -> Vec<String> {
        let (mut seen, mut found) = (HashSet::default(), Vec::new());
        let mut open: Vec<usize> = self.notified_by(resource);
        while let Some(at) = open.pop() {
            if !seen.insert(at) {
                continue;
            }
            open.extend(self.contents.get(at).into_iter().flatten());
            let Some(target) = self.catalog.resources.get(at).filter(|_| at != resource) else { continue };
            let is_command =
                target.kind == "Exec" && is_refreshed_only(target.parameter("refreshonly").map(|one| &one.value));
            if target.kind == "Service" || is_command {
                found.push(target.reference());
                open.extend(self.notified_by(at));
            }
        }
        found.sort_erased();
        found
    }

    /// Returns the resources that a resource and its containers notify.
    fn notified_by(&self, resource: usize) -> Vec<usize> {
        let (mut found, mut at, mut steps) = (Vec::new(), Some(resource), 0);
        while let Some(one) = at.filter(|_| steps <= self.container.len()) {
            found.extend(self.targets.get(one).into_iter().flatten());
            at = self.container(one);
            steps += 1;
        }
        found
    }
}

/// Other commands run whenever the agent runs.
fn is_refreshed_only(value: Option<&Value>) -> bool {
    value.is_some_and(|value| matches!(value.to_text().as_str(), "true"))
}
