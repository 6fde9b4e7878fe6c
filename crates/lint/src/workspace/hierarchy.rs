//! Checks the configurations of hierarchies, and finds the files that their levels can reach.

use std::cell::LazyCell;
use std::path::{Path, PathBuf};

use hieratic::hiera::inspect::{self, HierarchyFile, InterpolationKind, Whose};
use hieratic::hiera::{BACKENDS_FILE_NAME, Warning};
use hieratic::sandbox::{FileKind, Files, Outside};
use hieratic::value::ErasedSort as _;
use hieratic::value::collections::HashSet;
use hieratic::{Environment, Value, yaml};
use hieratic_diagnostics::{Source, Span};

use super::data::{LevelMatch, Reader};
use super::pattern::{Pattern, folder_before};
use super::unlisted;
use crate::finding::Finding;
use crate::missing_parts::MissingParts;
use crate::paths::shown;
use crate::rules::{data_function, hierarchy, hierarchy_warning, interpolation, missing_datadir, outside_repository};
use crate::texts::{self, written_at};
use crate::tree::{self, Ignored, WalkedFile, files_below};
use hieratic::sandbox::SlashPath as _;

/// A configuration that can be used.
#[derive(Clone)]
pub(crate) struct Config {
    /// The module that it belongs to; none for the environment and the global layer.
    pub(crate) module: Option<String>,
    /// Its text, if it has a file.
    pub(crate) source: Option<Source>,
    /// The folder that contains it.
    pub(crate) root: PathBuf,
    /// Its levels, those of the default hierarchy last.
    pub(crate) levels: Vec<Level>,
}

/// A level of a configuration.
#[derive(Clone)]
pub(crate) struct Level {
    pub(crate) level: inspect::Level,
    pub(crate) reader: Reader,
    pub(crate) patterns: Vec<Pattern>,
}

/// A file that some level can reach.
pub(crate) struct LocatedFile {
    pub(crate) path: PathBuf,
    pub(crate) config: usize,
    pub(crate) reached: Vec<LevelMatch>,
    pub(crate) reader: Reader,
}

/// The configurations of an environment, and the findings about them.
pub(crate) struct Configs {
    /// The valid configurations.
    pub(crate) usable: Vec<Config>,
    /// The findings about all configurations.
    pub(crate) findings: Vec<Finding>,
}

/// Reads the configurations of an environment. Missing files and folders that they name are added to `missing_parts`.
pub(crate) fn configs(environment: &Environment, missing_parts: &mut MissingParts) -> Configs {
    let layers = environment.layers();
    let mut configs = Vec::new();
    let mut findings = Vec::new();
    let capabilities = environment.capabilities();
    let mut read = |whose: Whose<'_>, root: &Path| {
        let mut warnings = Vec::new();
        let blueprint = HierarchyFile::read(layers, capabilities, whose, &mut warnings);
        let file = match whose {
            Whose::Global => layers.global_config.clone(),
            _ => root.join("hiera.yaml"),
        };
        let source = texts::read(&file, capabilities.files_of(&file)).ok();
        // If the file is ignored, the deprecation of its version does not matter.
        let is_ignored = |warning: &Warning| warning.message().ends_with("was ignored");
        let relevant: Vec<&Warning> = match warnings.iter().find(|warning| is_ignored(warning)) {
            Some(ignored) => vec![ignored],
            None => warnings.iter().collect(),
        };
        findings.extend(relevant.into_iter().map(|warning| hierarchy_warning::warned(warning, &file, source.as_ref())));
        let module = match whose {
            Whose::Module(name) => Some(name.to_owned()),
            _ => None,
        };
        match blueprint {
            Ok(Some(blueprint)) => {
                let config = config(environment, blueprint, module, source, root, &mut findings, missing_parts);
                configs.push(config);
            }
            Ok(None) => {}
            Err(error) => findings.push(hierarchy::refused(&error, &file, source.as_ref())),
        }
    };
    if capabilities.machine.exists(&layers.global_config) {
        read(Whose::Global, layers.global_config.parent().unwrap_or(Path::new("/")));
    }
    read(Whose::Environment, &layers.environment.root);
    for (name, module) in &layers.modules {
        read(Whose::Module(name), &module.root);
    }
    Configs { usable: configs, findings }
}

fn config(
    environment: &Environment,
    blueprint: HierarchyFile,
    module: Option<String>,
    source: Option<Source>,
    root: &Path,
    findings: &mut Vec<Finding>,
    missing_parts: &mut MissingParts,
) -> Config {
    let capabilities = environment.capabilities();
    let executables = executables(&root.join(BACKENDS_FILE_NAME), capabilities.files_of(root));
    let mut levels = Vec::new();
    let mut is_all_seen = true;
    for level in blueprint.levels.into_iter().chain(blueprint.default_levels) {
        let about = |finding: Finding| at_level(finding, &level, source.as_ref(), root);
        if environment.leaves_out(&level.name) {
            missing_parts.left_out(&level.name);
            levels.push(Level { level, reader: Reader::Other, patterns: Vec::new() });
            continue;
        }
        let reader = match reader(environment, &level, &executables) {
            Ok(reader) => reader,
            Err(Unusable::NotInstalled) => {
                missing_parts.function(&level.function);
                Reader::Other
            }
            Err(Unusable::Wrong { message, help }) => {
                findings.push(about(data_function::unusable(message, help)));
                Reader::Other
            }
        };
        let folder = Path::new(&*level.datadir);
        let files = capabilities.files_of(root);
        let start =
            if level.datadir.contains("%{") { folder_before(&level.datadir, &['%']) } else { folder.to_owned() };
        if files.outside() == Outside::Never && !level.sources.is_empty() && !files.holds(&start) {
            is_all_seen = false;
            // Commands that do not report findings report refused paths.
            _ = files.is_refused(&start);
            // An absolute path in the source is a folder of some server.
            let is_absolute = source.as_ref().is_some_and(|source| source.text().contains(&*start.to_string_lossy()));
            if is_absolute {
                missing_parts.folder(&start, &level.name);
            } else {
                findings.push(about(outside_repository::level(&level.name, &start)));
            }
            levels.push(Level { level, reader: Reader::Other, patterns: Vec::new() });
            continue;
        }
        // A default that is not in the source is not a mistake.
        let uses_datadir = level.sources.iter().any(|source| source.text.starts_with(&*level.datadir));
        if reader != Reader::Other && uses_datadir && !level.datadir.contains("%{") && !files.is_folder(folder) {
            match misspelt(folder, files) {
                Some(near) => {
                    findings.push(about(missing_datadir::misspelt(folder, &level.name, &near)));
                }
                None if module.is_none() => {
                    missing_parts.folder(folder, &level.name);
                    levels.push(Level { level, reader: Reader::Other, patterns: Vec::new() });
                    continue;
                }
                None => missing_parts.folder(folder, &level.name),
            }
        }
        for source_of_level in &level.sources {
            findings.extend(forbidden(&source_of_level.text, source.as_ref()).map(|finding| {
                match (&source, finding.primary()) {
                    (Some(_), Some(_)) => finding,
                    _ => about(finding),
                }
            }));
        }
        let patterns = level.sources.iter().filter_map(|source| Pattern::new(source, &level.datadir)).collect();
        levels.push(Level { level, reader, patterns });
    }
    let is_to_be_installed =
        |level: &Level| missing_parts.has_module_around(Path::new(&*level.level.datadir), environment);
    if module.is_none()
        && is_all_seen
        && !levels.is_empty()
        && levels.iter().all(lacks_datadir)
        && !levels.iter().all(is_to_be_installed)
    {
        findings.insert(0, missing_datadir::without_data(&levels, source.as_ref(), root));
    }
    Config { module, source, root: root.to_owned(), levels }
}

/// Returns whether the folder of a level is missing, or must not be read.
pub(crate) fn lacks_datadir(level: &Level) -> bool {
    level.patterns.is_empty() && !level.level.sources.is_empty()
}

/// The name of a folder next to a missing one, if it is similar.
fn misspelt(folder: &Path, files: &Files) -> Option<String> {
    let name = folder.file_name()?.to_str()?;
    let beside = files.list(folder.parent()?).ok()?;
    let folders = beside.iter().filter(|entry| entry.kind == FileKind::Folder).map(|entry| entry.name.as_str());
    hieratic_diagnostics::nearest(name, folders).map(str::to_owned)
}

/// The reason why a level has no reader.
enum Unusable {
    /// The name cannot be used here.
    Wrong { message: String, help: String },
    /// Its function comes with a module or a package that is not here.
    NotInstalled,
}

/// Adds the place of a level to a finding: the line of `hiera.yaml` that names it, or else the file.
pub(crate) fn at_level(finding: Finding, level: &inspect::Level, source: Option<&Source>, root: &Path) -> Finding {
    match (source, place_of(level, source)) {
        (Some(source), Some(span)) => finding.at(source, span, ""),
        _ => finding.in_file(shown(&root.join("hiera.yaml"))),
    }
}

/// The span of the name of a level.
fn place_of(level: &inspect::Level, source: Option<&Source>) -> Option<Span> {
    let place = level.place.as_ref()?;
    Some(written_at(source?, place.line?, place.column.unwrap_or(1)))
}

/// The calls and malformed variables in a path, where only variables may be.
fn forbidden<'a>(text: &'a str, source: Option<&'a Source>) -> impl Iterator<Item = Finding> + 'a {
    inspect::interpolations(text).into_iter().filter_map(move |found| {
        let written = &text[found.range.clone()];
        let finding = match found.kind {
            InterpolationKind::Empty => return None,
            InterpolationKind::Variable(name) if name.contains(['(', ' ']) => interpolation::neither(written),
            InterpolationKind::Variable(_) => return None,
            InterpolationKind::Malformed(_) => interpolation::no_variable(written),
            _ => interpolation::call_in_hierarchy(written),
        };
        Some(match source.and_then(|source| Some((source, source.text().find(written)?))) {
            Some((source, at)) => finding.at(source, Span::new(at, at + written.len()), ""),
            None => finding,
        })
    })
}

/// The backend that reads the files of a level; a message and advice if there is none.
fn reader(environment: &Environment, level: &inspect::Level, executables: &[String]) -> Result<Reader, Unusable> {
    let name = &*level.function;
    // An executable with the name of a built-in function takes precedence.
    if executables.iter().any(|executable| executable == name) {
        return Ok(Reader::Other);
    }
    let (reader, kind) = match name {
        "yaml_data" if level.options.get("directives").is_some_and(Value::is_truthy) => {
            (Reader::Directives, "data_hash")
        }
        "yaml_data" => (Reader::Yaml, "data_hash"),
        "json_data" => (Reader::Json, "data_hash"),
        "hocon_data" => (Reader::Hocon, "data_hash"),
        "hcl_data" => (Reader::Hcl, "data_hash"),
        "eyaml_lookup_key" => (Reader::Eyaml, "lookup_key"),
        _ => return function(environment, name).map(|()| Reader::Other),
    };
    if kind == level.kind {
        return Ok(reader);
    }
    let message = format!("'{name}' cannot be used as {}", level.kind);
    Err(Unusable::Wrong { message, help: format!("write `{kind}: {name}`") })
}

/// Returns whether a module or the environment has a function.
fn function(environment: &Environment, name: &str) -> Result<(), Unusable> {
    let unknown = |help: &str| {
        let message = format!("There is no data function '{name}'");
        Err(Unusable::Wrong { message, help: help.to_owned() })
    };
    let Some((module, rest)) = name.split_once("::") else {
        let names = ["yaml_data", "json_data", "hocon_data", "eyaml_lookup_key", "hcl_data"];
        return match hieratic_diagnostics::nearest(name, names) {
            Some(near) => unknown(&format!("did you mean '{near}'?")),
            // Any module, and any package of the server, may bring it along.
            None => Err(Unusable::NotInstalled),
        };
    };
    let layers = environment.layers();
    let root = match module {
        "environment" => Some(&layers.environment.root),
        module => layers.modules.get(module).map(|module| &module.root),
    };
    let Some(root) = root else {
        return Err(Unusable::NotInstalled);
    };
    let file = rest.replace("::", "/");
    let files = &environment.capabilities().data;
    let there = files.is_named(&root.join("functions").join(format!("{file}.pp")))
        || files.is_named(&root.join("lib/puppet/functions").join(module).join(format!("{file}.rb")));
    if there { Ok(()) } else { unknown(&format!("write {}/functions/{file}.pp, or fix the name", shown(root))) }
}

/// The files among the data.
pub(crate) struct LocatedFiles {
    /// The files that levels can reach.
    pub(crate) located: Vec<LocatedFile>,
    /// The files that no level can reach.
    pub(crate) unreachable: Vec<PathBuf>,
    /// Levels that may lead to more files than these, by the numbers of their configurations and their own: in
    /// environments of other names, and what something else than git puts into a checkout.
    pub(crate) incomplete_levels: HashSet<(usize, usize)>,
    /// Levels without a file here, whose files something else than git puts into a checkout.
    pub(crate) private: HashSet<(usize, usize)>,
    /// The parts of data folders that cannot be read.
    pub(crate) unreadable: Vec<Finding>,
}

/// Finds the files that levels can reach. If the name of the environment is not given, the same files may be deployed
/// under another name, and a file that a level reaches then does not count as unreachable.
pub(crate) fn locate(configs: &[Config], environment: &Environment, is_named: bool) -> LocatedFiles {
    let mut located = Vec::new();
    let mut incomplete_levels = HashSet::default();
    let mut unreachable = Vec::new();
    let mut unreadable = Vec::new();
    for (index, config) in configs.iter().enumerate() {
        let of_plans = LazyCell::new(|| of_plans(config));
        for path in data_below(&roots(config), environment.capabilities().files_of(&config.root), &mut unreadable) {
            let Some(text) = path.to_str() else { continue };
            let mut reached = Vec::new();
            for (level, of) in config.levels.iter().enumerate() {
                let mut found = of.patterns.iter().filter_map(|pattern| pattern.lead_to(text, environment.name()));
                reached.extend(found.next().map(|bindings| LevelMatch { level, bindings }));
            }
            match reached.first() {
                Some(first) => {
                    let reader = config.levels[first.level].reader;
                    located.push(LocatedFile { path, config: index, reached, reader });
                }
                None if is_unreachable(config, &path) => {
                    let leads = |patterns: &[Pattern]| patterns.iter().any(|pattern| pattern.leads_somewhere(text));
                    let levels = config.levels.iter().enumerate();
                    let levels = levels.filter(|(_, level)| !is_named && leads(&level.patterns));
                    let levels: Vec<_> = levels.map(|(level, _)| (index, level)).collect();
                    if levels.is_empty() && !leads(&of_plans) {
                        unreachable.push(path);
                    }
                    incomplete_levels.extend(levels);
                }
                None => {}
            }
        }
    }
    located.sort_erased_by(|left, right| left.path.cmp(&right.path));
    // A file that two configurations lead to is that of the first.
    located.dedup_by(|left, right| left.path == right.path);
    unreachable.retain(|path| located.binary_search_by(|located| located.path.cmp(path)).is_err());
    unreachable.sort_erased();
    unreachable.dedup();
    let mut private = HashSet::default();
    for (index, config) in configs.iter().enumerate() {
        for level in brought(config, environment.capabilities().files_of(&config.root)) {
            incomplete_levels.insert((index, level));
            let has_file = |located: &LocatedFile| {
                located.config == index && located.reached.iter().any(|reach| reach.level == level)
            };
            if !located.iter().any(has_file) {
                private.insert((index, level));
            }
        }
    }
    LocatedFiles { located, unreachable, incomplete_levels, private, unreadable }
}

/// The levels with files that something else than git puts into a checkout, such as private data: git ignores them, or
/// they are in a folder that is not here, although several levels lead there, one of them without variables.
fn brought(config: &Config, files: &Files) -> Vec<usize> {
    let is_below = |level: &Level, folder: &Path| level.patterns.iter().any(|pattern| pattern.root.starts_with(folder));
    let is_shared = |folder: &Path| config.levels.iter().filter(|level| is_below(level, folder)).count() > 1;
    let missing: Vec<&Path> = config
        .levels
        .iter()
        .flat_map(|level| &level.patterns)
        .filter(|pattern| !pattern.varies() && !files.is_folder(&pattern.root) && is_shared(&pattern.root))
        .map(|pattern| pattern.root.as_path())
        .collect();
    let is_missing = |pattern: &Pattern| missing.iter().any(|folder| pattern.root.starts_with(folder));
    let is_ignored = |source: &inspect::Source| {
        let mut path = source.text.clone();
        for found in inspect::interpolations(&source.text).into_iter().rev() {
            path.replace_range(found.range, "x");
        }
        let path = if source.is_glob { path.replace("**", "x").replace(['*', '?'], "x") } else { path };
        tree::is_ignored(files, &config.root, Path::new(&path))
    };
    let is_brought =
        |level: &Level| level.patterns.iter().any(is_missing) || level.level.sources.iter().any(is_ignored);
    let levels = config.levels.iter().enumerate().filter(|(_, level)| level.reader != Reader::Other);
    levels.filter(|(_, level)| is_brought(level)).map(|(index, _)| index).collect()
}

/// The patterns of the hierarchy of plans.
fn of_plans(config: &Config) -> Vec<Pattern> {
    let Some(source) = &config.source else { return Vec::new() };
    let whole = yaml::parse(source.text().as_bytes(), &yaml::Options::new(""));
    let Ok(Value::Hash(whole)) = whole else { return Vec::new() };
    let levels = whole.get("plan_hierarchy").and_then(Value::as_array).into_iter().flatten();
    let default = whole.get("defaults").and_then(Value::as_hash).and_then(|defaults| defaults.get("datadir"));
    let mut patterns = Vec::new();
    for level in levels.filter_map(Value::as_hash) {
        let folder = level.get("datadir").and_then(Value::as_str).or_else(|| default.and_then(Value::as_str));
        let folder = config.root.join(folder.unwrap_or("data"));
        for (one, several, is_glob) in [("path", "paths", false), ("glob", "globs", true)] {
            let several = level.get(several).and_then(Value::as_array).into_iter().flatten();
            for below in level.get(one).into_iter().chain(several).filter_map(Value::as_str) {
                let source = inspect::Source { text: folder.join(below).to_slashes(), is_glob, mapped: None };
                patterns.extend(Pattern::new(&source, &folder.to_slashes()));
            }
        }
    }
    patterns
}

/// The levels whose folder is missing or outside. Their data may be deployed from any folder of the repository.
pub(crate) fn missing_datadirs(configs: &[Config]) -> Vec<inspect::Level> {
    let levels = configs.iter().filter(|config| config.module.is_none()).flat_map(|config| &config.levels);
    let missing_datadirs = levels.filter(|level| lacks_datadir(level));
    missing_datadirs.map(|level| level.level.clone()).collect()
}

/// Returns whether a level would read a file if its datadir were one of the folders around the file.
pub(crate) fn would_read(level: &inspect::Level, path: &Path, environment: &str) -> bool {
    let Some(text) = path.to_str() else { return false };
    let would_at = |folder: &Path| {
        level.sources.iter().any(|source| {
            let Some(below) = source.text.strip_prefix(&*level.datadir) else { return false };
            let moved = inspect::Source { text: format!("{}{below}", folder.display()), ..source.clone() };
            Pattern::new(&moved, &folder.to_slashes())
                .is_some_and(|pattern| pattern.lead_to(text, environment).is_some())
        })
    };
    path.ancestors().skip(1).any(would_at)
}

/// The folders that contain the files of a configuration, none inside another.
fn roots(config: &Config) -> Vec<PathBuf> {
    let mut roots: Vec<PathBuf> = Vec::new();
    for level in config.levels.iter().filter(|level| level.reader != Reader::Other) {
        roots.push(datadir(level));
        roots.extend(level.patterns.iter().map(|pattern| pattern.root.clone()));
    }
    roots.sort_erased();
    roots.dedup();
    let all = roots.clone();
    // The root of the file system is not a folder of data.
    roots.retain(|root| {
        root.components().count() > 1 && !all.iter().any(|other| other != root && root.starts_with(other))
    });
    roots
}

/// The folder of a level, up to the first variable.
fn datadir(level: &Level) -> PathBuf {
    let text = &*level.level.datadir;
    if text.contains("%{") { folder_before(text, &['%']) } else { PathBuf::from(text) }
}

/// The files below folders; what cannot be read of these is added to `unreadable`.
fn data_below(roots: &[PathBuf], readable: &Files, unreadable: &mut Vec<Finding>) -> Vec<PathBuf> {
    let mut below = |root: &PathBuf| {
        let below = files_below(readable, root, Ignored::Nothing);
        unreadable.extend(below.skipped.iter().filter_map(unlisted));
        below.found
    };
    // Links that lead out are found where links are.
    let is_data = |walked: &WalkedFile| !walked.is_link || readable.is_file(&walked.path);
    roots.iter().flat_map(&mut below).filter(is_data).map(|walked| walked.path).collect()
}

/// The names of the executables in a `hieratic.yaml`. Lookups report errors in the file.
fn executables(file: &Path, readable: &Files) -> Vec<String> {
    let name = file.to_slashes();
    let bytes = readable.read(file).unwrap_or_default();
    let parsed =
        yaml::parse(&bytes, &yaml::Options { symbols: false, regexps: false, file: &name }).unwrap_or_default();
    let backends = parsed.as_hash().and_then(|root| root.get("backends")?.as_hash().cloned()).unwrap_or_default();
    backends.keys().filter_map(|name| name.as_str().map(String::from)).collect()
}

/// Returns whether a file is in the data folder of a configuration, has the extension of its data, and so should be
/// reachable. A configuration whose data folder contains everything else has no such files.
fn is_unreachable(config: &Config, path: &Path) -> bool {
    let Some(extension) = path.extension().and_then(|extension| extension.to_str()) else { return false };
    config.levels.iter().any(|level| {
        let folder = datadir(level);
        level.reader.usual(extension) && !config.root.starts_with(&folder) && path.starts_with(&folder)
    })
}
