//! [`EnvironmentProgram`]: the definitions of an environment, for the analysis.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock, RwLock};

use hieratic::Environment;
use hieratic::puppet_eval::{AllowedValues, DeclaredAttribute, Evaluator, RubySignatures};
use hieratic::puppet_types::PuppetVersion;
use hieratic::sandbox::Files;
use hieratic::value::Str;
use hieratic::value::collections::{HashMap, HashSet};
use hieratic_diagnostics::Source;
use hieratic_puppet_analysis::{
    Definition, DefinitionKind, File, FileSummary, Index, Program, ResourceAnswer, agent_type, analyze_file, summarize,
};
use hieratic_puppet_syntax::ast;

use super::modules::ModuleFiles;
use super::of_analysis;
use super::templates::{findings_of_template, findings_of_templates};
use crate::finding::Finding;
use crate::legacy_facts::{fact_keys, legacy_fact};
use crate::missing_parts::MODULES_OF_LANGUAGE;
use crate::rules::unknown_class::modules_with_code;
use crate::texts::manifest::is_plan;
use crate::workspace::Code;
use crate::workspace::types::language;

/// The structured facts that every node has, and those that many have.
const FACTS: &[&str] = &[
    "aio_agent_version",
    "augeas",
    "cloud",
    "disks",
    "dmi",
    "env_windows_installdir",
    "ec2_metadata",
    "ec2_userdata",
    "az_metadata",
    "facterversion",
    "filesystems",
    "fips_enabled",
    "gce",
    "hypervisors",
    "identity",
    "interfaces",
    "is_virtual",
    "kernel",
    "kernelmajversion",
    "kernelrelease",
    "kernelversion",
    "ldom",
    "load_averages",
    "memory",
    "mountpoints",
    "networking",
    "os",
    "partitions",
    "path",
    "processors",
    "puppetversion",
    "ruby",
    "solaris_zones",
    "ssh",
    "system_profiler",
    "system_uptime",
    "timezone",
    "virtual",
    "xen",
    "zfs_featurenumbers",
    "zfs_version",
    "zpool_featureflags",
    "zpool_featurenumbers",
    "zpool_version",
    "agent_specified_environment",
];

/// An environment for the analysis. Cloning is cheap.
#[derive(Clone)]
pub struct EnvironmentProgram {
    index: Arc<Index>,
    around: Arc<Surroundings>,
}

/// Everything that does not change while manifests are edited.
struct Surroundings {
    version: PuppetVersion,
    files: Files,
    modules: HashMap<String, PathBuf>,
    /// The modules that are present with all their code.
    judged: HashSet<String>,
    ruby: ModuleFiles,
    /// The attributes of the resource types in Ruby that code uses; `None` for those that cannot be read.
    resource_types: RubyTypesByName,
    /// The signatures of the functions in Ruby that code calls.
    functions: HashMap<String, Option<Arc<RubySignatures>>>,
    facts: HashSet<Arc<str>>,
    /// The variables that some code reads as those of the top scope.
    top_variables: HashSet<Arc<str>>,
    is_complete: bool,
    templates: RwLock<HashMap<PathBuf, Option<Arc<Definition>>>>,
    template_findings: OnceLock<Vec<Finding>>,
    /// The summary of each manifest.
    summaries: HashMap<PathBuf, Arc<FileSummary>>,
}

impl EnvironmentProgram {
    /// The program of the code. It keeps the answers of an earlier one about the same code in Ruby.
    pub(crate) fn new(
        environment: &Environment,
        code: &Code,
        misses_modules: bool,
        earlier: Option<&EnvironmentProgram>,
    ) -> EnvironmentProgram {
        let layers = environment.layers();
        let modules: HashMap<String, PathBuf> =
            layers.modules.iter().map(|(name, layer)| (name.to_string(), layer.root.clone())).collect();
        let paths = code.paths.iter().map(|path| &**path);
        let ruby = ModuleFiles::new(modules.iter().map(|(name, root)| (name.as_str(), root.as_path())), paths);
        let unread: HashSet<&str> =
            code.unread.iter().filter_map(|path| ruby.module_of(path)).map(|(module, _)| module).collect();
        let mut judged: HashSet<String> = modules_with_code(environment, code).into_iter().map(str::to_owned).collect();
        judged.retain(|module| !unread.contains(module.as_str()));
        let is_declared_here =
            |module: &Arc<str>| modules.contains_key(&**module) || code.classes.contains_key(&**module);
        let is_complete = !misses_modules
            && code.unread.is_empty()
            && code.declared.iter().all(is_declared_here)
            && code
                .index
                .named_modules()
                .all(|module| modules.contains_key(module) || MODULES_OF_LANGUAGE.contains(&module));
        let index = code.index.clone();
        let language = language(environment);
        let mut evaluator = language.evaluator();
        let known = earlier.map(|earlier| &*earlier.around);
        let resource_types =
            resource_types(&mut evaluator, &index, &ruby, known.map(|known| known.resource_types.clone()));
        let functions = ruby_functions(&mut evaluator, &index, &ruby, known.map(|known| known.functions.clone()));
        let outer = Surroundings {
            version: environment.puppet_version(),
            files: environment.capabilities().data.clone(),
            modules,
            judged,
            ruby,
            resource_types,
            functions,
            facts: code.facts.clone(),
            top_variables: code.top_variables.clone(),
            is_complete,
            templates: RwLock::default(),
            template_findings: OnceLock::new(),
            summaries: code.summaries.iter().cloned().collect(),
        };
        EnvironmentProgram { index, around: Arc::new(outer) }
    }

    /// Returns the findings in a manifest as it was read.
    pub(crate) fn analyze(&self, path: &Path, source: &Source) -> Vec<Finding> {
        // A manifest that cannot be parsed has a finding already.
        hieratic_puppet_syntax::parse(source, &Default::default())
            .program
            .map_or_else(Vec::new, |tree| self.analyze_tree(path, &tree))
    }

    /// Returns the findings in an edited manifest, from its unsaved tree. Findings in other files about its definitions
    /// are not updated.
    pub fn analyze_edited(&self, path: &Path, tree: &ast::Program) -> Vec<Finding> {
        let (before, after) = (self.around.summaries.get(path), summarize(tree));
        if before.is_some_and(|before| **before == after) {
            return self.analyze_tree(path, tree);
        }
        let index = Arc::new(self.index.replacing(before.map(|before| &**before), &after));
        EnvironmentProgram { index, around: self.around.clone() }.analyze_tree(path, tree)
    }

    /// Returns the findings in an edited EPP or ERB template, from its unsaved content.
    pub fn analyze_template(&self, path: &Path, text: &str) -> Vec<Finding> {
        findings_of_template(self, path, text)
    }

    pub(super) fn analyze_tree(&self, path: &Path, tree: &ast::Program) -> Vec<Finding> {
        let file = File { tree, is_plan: is_plan(path) };
        analyze_file(self, &file).iter().filter_map(|found| of_analysis(found, &tree.source)).collect()
    }

    /// Returns the module of a template, and its path below the folder of templates.
    pub(super) fn template_name(&self, path: &Path) -> Option<(String, String)> {
        let (module, root) = self.around.ruby.module_of(path)?;
        let inside = path.strip_prefix(root.join("templates")).ok()?;
        Some((module.to_owned(), inside.to_str()?.to_owned()))
    }

    /// Returns the text of a file of code; `None` if it cannot be read.
    pub(super) fn read_text(&self, path: &Path) -> Option<String> {
        // A file that cannot be read is reported where it is checked itself.
        self.around.files.read_text(path).ok()
    }

    /// Returns the findings in templates of EPP and ERB. They are computed once.
    pub(crate) fn template_findings(&self, code: &Code) -> &[Finding] {
        let paths = || code.paths.iter().map(|path| &**path);
        self.around.template_findings.get_or_init(|| findings_of_templates(self, paths()))
    }

    fn read_template(&self, path: &Path) -> Option<Arc<Definition>> {
        // A template that cannot be read has its own finding.
        let text = self.around.files.read_text(path).ok()?;
        let source = Source::new(crate::paths::shown(path), text);
        let options = hieratic_puppet_syntax::Options { epp: true, tasks: false };
        let tree = hieratic_puppet_syntax::parse(&source, &options).program?;
        summarize(&tree).definitions.into_iter().find(|one| one.kind == DefinitionKind::Template)
    }
}

/// The resource types in Ruby; `None` for those that cannot be read.
type RubyTypesByName = HashMap<String, Option<RubyType>>;

/// A resource type in Ruby.
#[derive(Clone)]
struct RubyType {
    attributes: Arc<[String]>,
    /// The values of attributes that take no other ones.
    allowed: Arc<[(Str, Arc<AllowedValues>)]>,
    /// The attributes of a type of the Resource API.
    declared: Arc<[(Str, Arc<DeclaredAttribute>)]>,
    /// The attribute whose value is the title.
    name: Option<Str>,
}

/// The signatures of functions in Ruby; `None` for those that cannot be read, or accept any arguments.
type SignaturesByName = HashMap<String, Option<Arc<RubySignatures>>>;

/// The resource types in Ruby that code uses.
fn resource_types(
    evaluator: &mut Evaluator<'_>,
    index: &Index,
    ruby: &ModuleFiles,
    known: Option<RubyTypesByName>,
) -> RubyTypesByName {
    let mut all = known.unwrap_or_default();
    for kind in index.used_kinds().filter(|kind| ruby.resource_types.contains(*kind)) {
        if !all.contains_key(kind) {
            let attributes = match evaluator.attributes_of_resource_type(kind) {
                Ok(Some(attributes)) => {
                    let allowed = evaluator.allowed_values_of_resource_type(kind).into();
                    let declared = evaluator.declared_attributes_of_resource_type(kind).into();
                    let name = evaluator.name_attribute_of_resource_type(kind);
                    Some(RubyType { attributes: Arc::from(attributes), allowed, declared, name })
                }
                // It exists: its arguments are not judged.
                Ok(None) | Err(_) => None,
            };
            all.insert(kind.to_owned(), attributes);
        }
    }
    all
}

/// The signatures of the functions in Ruby that code calls.
fn ruby_functions(
    evaluator: &mut Evaluator<'_>,
    index: &Index,
    ruby: &ModuleFiles,
    known: Option<SignaturesByName>,
) -> SignaturesByName {
    let mut all = known.unwrap_or_default();
    for name in index.called_functions().filter(|name| ruby.functions.contains(*name)) {
        if !all.contains_key(name) {
            // A function whose file cannot be read exists: its arguments are not judged.
            let found = evaluator.signatures_of_ruby_function(name).ok().flatten();
            all.insert(name.to_owned(), found.map(Arc::new));
        }
    }
    all
}

impl Program for EnvironmentProgram {
    fn version(&self) -> PuppetVersion {
        self.around.version
    }

    fn index(&self) -> &Index {
        &self.index
    }

    fn is_complete(&self) -> bool {
        self.around.is_complete
    }

    fn has_module(&self, name: &str) -> bool {
        self.around.judged.contains(name)
    }

    fn has_ruby_function(&self, name: &str) -> bool {
        self.around.ruby.functions.contains(name)
    }

    fn ruby_function(&self, name: &str) -> Option<Arc<RubySignatures>> {
        self.around.functions.get(name).cloned().flatten()
    }

    fn resource_type(&self, name: &str) -> ResourceAnswer {
        if self.around.ruby.resource_types.contains(name) {
            return match self.around.resource_types.get(name) {
                Some(Some(kind)) => ResourceAnswer::Known(kind.attributes.clone()),
                _ => ResourceAnswer::Opaque,
            };
        }
        agent_type(name)
    }

    fn allowed_values(&self, resource_type: &str, attribute: &str) -> Option<Arc<AllowedValues>> {
        let kind = self.around.resource_types.get(resource_type)?.as_ref()?;
        Some(kind.allowed.iter().find(|(name, _)| &**name == attribute)?.1.clone())
    }

    fn declared_attribute(&self, resource_type: &str, attribute: &str) -> Option<Arc<DeclaredAttribute>> {
        let kind = self.around.resource_types.get(resource_type)?.as_ref()?;
        Some(kind.declared.iter().find(|(name, _)| &**name == attribute)?.1.clone())
    }

    fn name_attribute(&self, resource_type: &str) -> Option<Str> {
        self.around.resource_types.get(resource_type)?.as_ref()?.name.clone()
    }

    fn providers(&self, resource_type: &str) -> Vec<&str> {
        let all = self.around.ruby.providers.get(resource_type);
        all.into_iter().flatten().map(String::as_str).collect()
    }

    fn ruby_function_names(&self) -> Vec<&str> {
        self.around.ruby.functions.iter().map(String::as_str).collect()
    }

    fn ruby_type_names(&self) -> Vec<&str> {
        self.around.ruby.resource_types.iter().map(String::as_str).collect()
    }

    fn has_ruby_data_type(&self, name: &str) -> bool {
        self.around.ruby.data_types.contains(name)
    }

    fn has_file(&self, module: &str, folder: &str, path: &str) -> Option<bool> {
        let root = self.around.modules.get(module)?;
        let file = root.join(folder).join(path);
        self.around.files.holds(&file).then(|| self.around.files.exists(&file))
    }

    fn template(&self, module: &str, path: &str) -> Option<Arc<Definition>> {
        let folder = self.around.modules.get(module)?.join("templates");
        let mut file = folder.join(path);
        if !self.around.files.is_file(&file) {
            file = folder.join(format!("{path}.epp"));
        }
        // A lock is only poisoned by a panic, which ends the check.
        if let Some(known) = self.around.templates.read().ok().and_then(|known| known.get(&file).cloned()) {
            return known;
        }
        let found = self.read_template(&file);
        if let Ok(mut known) = self.around.templates.write() {
            known.insert(file, found.clone());
        }
        found
    }

    fn is_fact(&self, name: &str) -> bool {
        let is_of_cloud = ["ec2_", "gce_", "azure_"].iter().any(|prefix| name.starts_with(prefix));
        is_of_cloud || self.around.facts.contains(name) || FACTS.contains(&name) || legacy_fact(name, true).is_some()
    }

    fn is_expected_of_top_scope(&self, name: &str) -> bool {
        self.around.top_variables.contains(name) && self.successor_of_fact(name).is_none()
    }

    fn successor_of_fact(&self, name: &str) -> Option<String> {
        let is_sent =
            self.around.version.has_legacy_facts() || self.around.facts.contains(name) || FACTS.contains(&name);
        let legacy = legacy_fact(name, false).filter(|_| !is_sent)?;
        Some(format!("$facts{}", fact_keys(&legacy.modern)))
    }

    fn fact_names(&self) -> Vec<&str> {
        self.around.facts.iter().map(|name| &**name).chain(FACTS.iter().copied()).collect()
    }
}
