//! The verbs, through the crates that the command is made of. Answers are written as the command writes them, and thrown away.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use hieratic::catalog::Classification;
use hieratic::diagnostics::{Diagnose, Diagnostic, Source, render};
use hieratic::directives::{Document, Options as ExpandOptions, Record, RestoreOptions, expand, restore};
use hieratic::documents::IncludedFiles;
use hieratic::explain::Explain;
use hieratic::expressions::{ExpressionKind, evaluate_expression, hiera_lookup};
use hieratic::hcl::{HclInput, HclKind, HieraInHcl, evaluate_hcl, hcl_functions};
use hieratic::nomad_job::{Job, Options as JobOptions};
use hieratic::nomad_lint::{as_command_text, validate};
use hieratic::puppet_eval::Options as CodeOptions;
use hieratic::templates::TemplateLanguage;
use hieratic::{
    Code, Compiler, Environment, ErrorKind, Facts, Hash, Node, Permissions, Query, Settings, Strategy, Template, Value,
    unfurl,
};
use hieratic_budget::{Budget, Limits};
use hieratic_output::{RenderAs, Tree};
use hieratic_yaml_edit::write::{Style, document};

use crate::random::Random;
use crate::repository::{File, Repository};

/// A verb, and its name in reports.
pub(crate) type Verb = (&'static str, fn(&Case<'_>, &mut Random));

/// The verb that holds data against promises.
pub(crate) const PROMISES: [Verb; 1] = [("check of promises", promises)];

/// The verb that compiles and renders templates of Jinja2.
pub(crate) const TEMPLATES: [Verb; 1] = [("render of jinja2", rendering)];

/// The verbs in the order in which they run.
pub(crate) const ALL: [Verb; 13] = [
    ("check", check),
    ("lookup", lookup),
    ("lookup --origins", origins),
    ("lookup --explain", explain),
    ("lookup --why", why),
    ("lookup --all", everything),
    ("expand", expanding),
    ("restore", restoring),
    ("job", job),
    ("render", rendering),
    ("eval", puppet),
    ("catalog", catalog),
    ("eval unfurl, hcl", expressions),
];

/// A repository on disk.
pub(crate) struct Case<'a> {
    pub(crate) repository: &'a Repository,
    pub(crate) root: &'a Path,
}

/// How many keys, files and so on one run of a verb looks at.
const FEW: usize = 3;

/// A tenth of the command's limits: what is counted ends in a tenth of a second or two, so that what takes longer is not.
pub(crate) fn limits() -> Limits {
    let normal = Limits::default();
    Limits { steps: normal.steps / 10, bytes: normal.bytes / 4, ..normal }
}

impl Case<'_> {
    pub(crate) fn facts(&self) -> Facts {
        let name = "web01.example.com";
        let files = self.repository.files.iter().filter(|file| file.path.contains("facts") && file.link.is_none());
        let mut facts = Facts::named(name);
        for file in files.take(1) {
            if let Ok(read) = Facts::read(&file.bytes, Path::new(&file.path)) {
                facts.merge(&read);
            }
        }
        facts.set("role", "web");
        facts
    }

    fn environment(&self, positions: bool) -> Option<Environment> {
        let settings = Settings {
            environment_dir: Some(self.repository.environment(self.root)),
            confdir: Some(self.root.join("no-confdir")),
            codedir: Some(self.root.join("no-codedir")),
            positions,
            limits: limits(),
            ..Settings::default()
        };
        Environment::open(&settings).map_err(told).ok()
    }

    fn node(&self, positions: bool) -> Option<(Environment, Node)> {
        let environment = self.environment(positions)?;
        let node = environment.node(&self.facts()).map_err(told).ok()?;
        Some((environment, node))
    }

    /// Some of the files that end in one of these ways.
    fn some<'c>(&'c self, extensions: &'c [&str], random: &mut Random) -> Vec<&'c File> {
        let mut files: Vec<&File> = self.repository.ending(extensions).collect();
        while files.len() > FEW {
            files.swap_remove(random.below(files.len()));
        }
        files
    }

    fn path(&self, file: &File) -> PathBuf {
        self.root.join(&file.path)
    }
}

/// Writes a message as the command does.
pub(crate) fn told(error: hieratic::Error) {
    drop(format!("{error} {error:?}"));
}

fn shown(diagnostic: &Diagnostic) {
    drop(render::json(diagnostic));
}

fn written<T: Tree>(tree: T) {
    for format in [RenderAs::Yaml, RenderAs::Json, RenderAs::S] {
        drop(format.render(tree.clone()));
    }
}

fn check(case: &Case<'_>, random: &mut Random) {
    let mut options = hieratic_lint::Options::for_paths([case.root]);
    options.settings.limits = limits();
    options.settings.confdir = Some(case.root.join("no-confdir"));
    options.settings.codedir = Some(case.root.join("no-codedir"));
    options.unused = random.once_in(2);
    if random.once_in(2) {
        options.nodes = vec![case.facts()];
        options.all_nodes = random.once_in(2);
    }
    let report = hieratic_lint::audit(&options, &());
    report.findings.iter().for_each(|finding| shown(&finding.diagnostic));
}

fn promises(case: &Case<'_>, random: &mut Random) {
    let mut options = hieratic_lint::Options::for_paths([case.root]);
    options.settings.limits = limits();
    options.settings.confdir = Some(case.root.join("no-confdir"));
    options.settings.codedir = Some(case.root.join("no-codedir"));
    // Without nodes, only what holds for single values is judged.
    if !random.once_in(8) {
        let files = case.repository.files.iter().filter(|file| file.path.starts_with("facts/"));
        let node = |file: &File| {
            let name = Path::new(&file.path).file_stem()?.to_str()?;
            Some(Facts::new(Some(name), Facts::read(&file.bytes, Path::new(&file.path)).ok()?))
        };
        options.nodes = files.filter_map(node).collect();
    }
    let report = hieratic_lint::audit(&options, &());
    report.findings.iter().for_each(|finding| shown(&finding.diagnostic));
}

/// Some questions, most of them about keys that there are.
fn questions(keys: &[String], random: &mut Random) -> Vec<String> {
    let mut names: Vec<String> = (0..FEW).filter_map(|_| random.one(keys).cloned()).collect();
    names.push("lookup_options".into());
    if let Some(key) = random.one(keys) {
        names.push(format!("{key}.a.0"));
    }
    names
}

fn query<'q>(name: &'q str, random: &mut Random) -> Query<'q> {
    let mut query = Query { budget: Budget::new(limits()), ..Query::new(name) };
    let strategy = ["first", "unique", "hash", "deep"].get(random.below(6));
    query.merge = strategy.and_then(|name| {
        let mut options: Hash = [("strategy", Value::from(*name))].into_iter().collect();
        if *name == "deep" {
            options = [
                ("strategy", Value::from("deep")),
                ("knockout_prefix", "--".into()),
                ("merge_hash_arrays", true.into()),
            ]
            .into_iter()
            .collect();
        }
        Strategy::parse(&options.into()).ok()
    });
    query
}

/// Asks some questions about a node.
fn ask(case: &Case<'_>, random: &mut Random, positions: bool, asked: impl Fn(&Node, &Query<'_>)) {
    let Some((environment, node)) = case.node(positions) else { return };
    let keys = environment.keys(&node).map_err(told).unwrap_or_default();
    for name in questions(&keys, random) {
        asked(&node, &query(&name, random));
    }
    node.take_warnings();
    node.take_lost_knockouts();
}

fn lookup(case: &Case<'_>, random: &mut Random) {
    ask(case, random, false, |node, query| match node.lookup(query) {
        Ok(value) => written(&value),
        Err(error) => told(error),
    });
}

fn origins(case: &Case<'_>, random: &mut Random) {
    ask(case, random, true, |node, query| match node.lookup_traced(query) {
        Ok(answer) => written(&answer.value.to_value()),
        Err(error) => told(error),
    });
}

fn explain(case: &Case<'_>, random: &mut Random) {
    ask(case, random, false, |node, query| {
        let (answer, explanation) = node.explain(query, Explain { only_options: false, reveal: false });
        // As the command does: what could not be run is not explained.
        if answer.is_err_and(|error| error.kind() != ErrorKind::Lookup) {
            return;
        }
        drop(explanation.to_string());
        drop(RenderAs::Yaml.render(explanation.to_tree()));
    });
}

fn why(case: &Case<'_>, random: &mut Random) {
    ask(case, random, true, |node, query| drop(node.why(query)));
}

fn everything(case: &Case<'_>, _: &mut Random) {
    let Some((environment, node)) = case.node(false) else { return };
    match environment.everything(&node, &Query { budget: Budget::new(limits()), ..Query::default() }, true, &|_| true) {
        Ok(everything) => written(&Value::Hash(everything.values)),
        Err(error) => told(error),
    }
}

/// The documents that may have directives.
const DOCUMENTS: &[&str] = &["yaml", "yml", "json"];

fn expanding(case: &Case<'_>, random: &mut Random) {
    for file in case.some(DOCUMENTS, random) {
        let path = case.path(file);
        let folder = path.parent().unwrap_or(case.root);
        let Ok(read) = Document::parse(&file.text(), &file.path, folder) else { continue };
        let budget = Budget::new(limits());
        let options = ExpandOptions { record: Record::All, budget, ..ExpandOptions::default() };
        match expand(&read, &mut IncludedFiles::new(folder, Permissions::default()), &options) {
            Ok(expanded) => {
                drop(document(&expanded.to_value(), &Style::block(0)));
                expanded.warnings().iter().for_each(shown);
            }
            Err(failure) => failure.diagnostics().iter().for_each(shown),
        }
    }
}

/// The most values of a document that is changed and restored.
const LARGEST_CHANGED: u64 = 20_000;

fn restoring(case: &Case<'_>, random: &mut Random) {
    for file in case.some(DOCUMENTS, random) {
        let path = case.path(file);
        let folder = path.parent().unwrap_or(case.root);
        let Ok(read) = Document::parse(&file.text(), &file.path, folder) else { continue };
        let mut files = IncludedFiles::new(folder, Permissions::default());
        let expansion = || ExpandOptions { budget: Budget::new(limits()), ..ExpandOptions::default() };
        let Ok(expanded) = expand(&read, &mut files, &expansion()) else { continue };
        // What was changed is an input as well, which somebody has written.
        if expanded.root().size() > LARGEST_CHANGED {
            continue;
        }
        let changed = changed(&expanded.to_value(), random);
        let options = RestoreOptions { into_includes: random.once_in(2), expand: expansion() };
        if let Err(failure) = restore(&read, &changed, &mut files, &options) {
            failure.diagnostics().iter().for_each(shown);
        }
    }
}

/// A value with one part changed.
fn changed(value: &Value, random: &mut Random) -> Value {
    match value {
        Value::Hash(hash) if !hash.is_empty() => {
            let at = random.below(hash.len());
            let drops = random.once_in(4);
            let adds = random.once_in(4).then(|| (Value::from("added"), Value::from(1)));
            let kept = hash.iter().enumerate().filter(|(index, _)| !drops || *index != at);
            let pairs = kept.map(|(index, (key, value))| {
                (key.clone(), if index == at { changed(value, random) } else { value.clone() })
            });
            pairs.collect::<Vec<_>>().into_iter().chain(adds).collect::<Hash>().into()
        }
        Value::Array(items) if !items.is_empty() => {
            let mut items: Vec<Value> = items.iter().cloned().collect();
            let at = random.below(items.len());
            match random.below(3) {
                0 => drop(items.remove(at)),
                1 => items[at] = changed(&items[at], random),
                _ => items.push(Value::from("added")),
            }
            items.into_iter().collect()
        }
        _ => Value::from("changed"),
    }
}

fn job(case: &Case<'_>, random: &mut Random) {
    for file in case.some(&["hcl", "nomad", "json"], random) {
        let path = case.path(file);
        let mut options = JobOptions {
            path: file.path.clone(),
            folder: path.parent().map(Path::to_path_buf),
            json: random.once_in(8),
            strict: random.once_in(2),
            budget: Budget::new(limits()),
            ..JobOptions::default()
        };
        if let Some((environment, _)) = case.node(false)
            && let Ok(data) = HieraInHcl::new(&environment, &case.facts(), &options.budget)
        {
            options.functions.push(("hiera".to_owned(), data.function));
            options.observer = Some(data.observer);
        }
        match Job::parse(file.bytes.clone(), &options) {
            Ok(job) => {
                drop(job.to_json());
                drop(as_command_text(&validate(&job)));
            }
            Err(failure) => {
                failure.diagnose().iter().for_each(shown);
            }
        }
    }
}

fn code_options() -> CodeOptions {
    CodeOptions { budget: Budget::new(limits()), ..CodeOptions::default() }
}

fn rendering(case: &Case<'_>, random: &mut Random) {
    let environment = case.environment(false);
    for file in case.some(&["epp", "erb", "j2", "tftpl", "tpl"], random) {
        let path = case.path(file);
        let Some(language) = TemplateLanguage::of_file(&path) else { continue };
        let folder = path.parent().unwrap_or(case.root).to_path_buf();
        let template = Template {
            source: Source::new(file.path.as_str(), file.text()),
            language,
            folder,
            jinja2: Default::default(),
        };
        drop(format!("{:?}", template.render(environment.as_ref(), &case.facts(), &code_options()).text.is_ok()));
    }
}

fn puppet(case: &Case<'_>, random: &mut Random) {
    let environment = case.environment(false);
    for file in case.some(&["pp"], random) {
        let code = Code::new(environment.as_ref(), case.facts(), code_options());
        let evaluation = code.evaluate(&file.path, &file.text());
        if let Ok(value) = &evaluation.value {
            drop(hieratic::code::program_form(value));
        }
    }
}

fn catalog(case: &Case<'_>, _: &mut Random) {
    let Some(environment) = case.environment(false) else { return };
    let compiler = Compiler::limited(&environment, limits());
    let compiled = compiler.compile(case.facts(), &Classification::default());
    if let Ok(catalog) = compiled.catalog {
        drop(hieratic::catalog::cycles(&catalog));
        written(catalog.document(true).0.tree());
        written(catalog.document(false).0.tree());
    }
}

fn expressions(case: &Case<'_>, random: &mut Random) {
    for file in case.some(&["hcl", "tfvars", "tftpl"], random) {
        let kind = if file.extension() == "tftpl" { HclKind::Template } else { HclKind::Body };
        let question = HclInput {
            kind,
            name: file.path.clone(),
            text: file.bytes.clone(),
            budget: Budget::new(limits()),
            ..HclInput::default()
        };
        drop(evaluate_hcl(&question, &hcl_functions(Some(case.root.to_owned()))).report());
    }
    for file in case.some(&["unfurl", "j2", "yaml"], random) {
        let data = hieratic::yaml_edit::tree::parse(&file.text(), 0, &file.path).map(|node| node.to_value());
        let (kind, input) = match (file.extension(), data) {
            ("yaml", Ok(data)) => (ExpressionKind::Value, data),
            ("j2", _) => (ExpressionKind::Template, file.text().into()),
            _ => (ExpressionKind::Expression, file.text().into()),
        };
        let tree = if kind == ExpressionKind::Value { input.clone() } else { Value::Undef };
        let Ok(tree) = unfurl::Tree::new(&tree) else { continue };
        let lookups = case.node(false).map(|(_, node)| hiera_lookup(Arc::new(node)));
        let options = unfurl::Options {
            base: case.root.to_owned(),
            files: hieratic::sandbox::Files::below([case.root]),
            lookups: lookups.into_iter().collect(),
            budget: Budget::new(limits()),
            ..unfurl::Options::default()
        };
        let context = unfurl::Context::new(tree, options);
        match evaluate_expression(&context, kind, &input) {
            Ok(answer) => written(&answer.value()),
            Err(fault) => fault.diagnose().iter().for_each(shown),
        }
    }
}
