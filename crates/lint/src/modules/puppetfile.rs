//! [`Puppetfile`]: the modules that r10k or Code Manager installs.
//!
//! See [the Puppetfile](https://www.puppet.com/docs/pe/2023.8/puppetfile.html) and
//! [its format](https://github.com/puppetlabs/r10k/blob/main/doc/puppetfile.mkd).

use std::sync::LazyLock;

use hieratic::puppet_eval::ruby::ast::{Call, Expr, Node, Pair};
use hieratic::puppet_eval::ruby::{Symbols, parse};
use hieratic::puppet_types::quantities::SemVer;
use hieratic::value::collections::HashMap;
use hieratic_diagnostics::{Source, Span, nearest};
use regex::Regex;

use super::short_name;
use crate::finding::Finding;
use crate::rules::puppetfile;

/// The options of a module that name its source. A module needs one of them. Librarian-puppet reads the same files and
/// has `path` and `github_tarball`.
const SOURCES: [&str; 7] = ["git", "svn", "tarball", "local", "type", "path", "github_tarball"];

/// The other options of a module.
const OPTIONS: [&str; 18] = [
    "ref",
    "branch",
    "tag",
    "commit",
    "control_branch",
    "default_branch",
    "default_branch_override",
    "install_path",
    "exclude_spec",
    "version",
    "source",
    "rev",
    "revision",
    "username",
    "password",
    "sha256digest",
    "overrides",
    "spec_deletion",
];

/// The calls at the top of the file; `metadata` and `exclusion` are those of librarian-puppet.
const CALLS: [&str; 6] = ["mod", "forge", "moduledir", "metadata", "forge_token", "exclusion"];

/// The modules of a `Puppetfile`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Puppetfile {
    /// The modules, in order.
    pub(crate) modules: Vec<Listed>,
    /// Whether code computes entries, so that there may be more modules.
    pub(crate) computes: bool,
}

/// A module of the list.
#[derive(Clone, Debug)]
pub(crate) struct Listed {
    /// Its name, with its author if it has one.
    pub(crate) name: String,
    /// The version.
    pub(crate) version: Version,
    /// The line of the list, counted from 1.
    pub(crate) line: u32,
}

/// The version of a module in the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Version {
    /// This one.
    Exact(SemVer),
    /// The newest one, or any: the version is unknown.
    Unknown,
}

/// The line of a module, inside any code.
static MODULE: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r#"(?m)^\s*mod\s*\(?\s*['"]([\w/-]+)['"]"#).ok());

impl Puppetfile {
    /// The names of all modules of a list. If code computes entries, or the file is not Ruby, the names in its lines.
    pub(crate) fn names(source: &Source) -> Vec<String> {
        match Puppetfile::read(source) {
            Ok((puppetfile, _)) if !puppetfile.computes => {
                puppetfile.modules.into_iter().map(|module| module.name).collect()
            }
            // The check of files reports errors in the file.
            Ok(_) | Err(_) => {
                let modules = MODULE.as_ref().map(|module| module.captures_iter(source.text()));
                modules.into_iter().flatten().map(|found| found[1].to_owned()).collect()
            }
        }
    }

    /// Reads the list and checks it.
    ///
    /// # Errors
    /// The text is not Ruby.
    pub(crate) fn read(source: &Source) -> Result<(Puppetfile, Vec<Finding>), Box<Finding>> {
        let mut symbols = Symbols::new();
        let program = parse(source.text(), source.name(), &mut symbols).map_err(|error| {
            let message = format!("the Ruby of this Puppetfile cannot be read: {}", error.message);
            Box::new(puppetfile::of_line(source, error.line, message))
        })?;
        let mut reader = Reader { source, symbols, puppetfile: Puppetfile::default(), findings: Vec::new() };
        match &program.body.expr.node {
            Node::Seq(statements) => statements.iter().for_each(|statement| reader.statement(statement)),
            _ => reader.statement(&program.body.expr),
        }
        reader.repeated();
        Ok((reader.puppetfile, reader.findings))
    }
}

/// The text of a line.
pub(crate) fn line_of(source: &Source, line: u32) -> Span {
    let span = source.line(line.max(1));
    let text = source.slice(span);
    let start = span.range().start + (text.len() - text.trim_start().len());
    Span::new(start, span.range().start + text.trim_end().len())
}

struct Reader<'s> {
    source: &'s Source,
    symbols: Symbols,
    puppetfile: Puppetfile,
    findings: Vec<Finding>,
}

impl Reader<'_> {
    fn statement(&mut self, statement: &Expr) {
        let Node::Call(call) = &statement.node else {
            // Code around the list may add to it.
            self.puppetfile.computes |= !matches!(statement.node, Node::Nil | Node::Str(_));
            return;
        };
        let name = self.symbols.name(call.name).to_string();
        if call.receiver.is_some() {
            self.puppetfile.computes = true;
            return;
        }
        match name.as_str() {
            "mod" => self.module(call, statement.line),
            name if CALLS.contains(&name) => {}
            name => {
                let finding = self.finding(statement.line, format!("'{name}' is not a call of a Puppetfile"));
                let help = match nearest(name, CALLS) {
                    Some(near) => format!("did you mean '{near}'?"),
                    None => "a Puppetfile has mod, forge and moduledir".to_owned(),
                };
                self.findings.push(finding.help(help));
            }
        }
    }

    fn module(&mut self, call: &Call, line: u32) {
        let Some(Node::Str(name)) = call.arguments.list.first().map(|first| &first.node) else {
            self.puppetfile.computes = true;
            return;
        };
        let mut keys: Vec<String> = Vec::new();
        let mut is_computed = call.arguments.splat;
        let mut pairs: Vec<&Pair> = call.arguments.keywords.iter().collect();
        let mut version = Version::Unknown;
        match call.arguments.list.get(1).map(|second| &second.node) {
            Some(Node::Str(text)) => match SemVer::parse(text) {
                Ok(exact) => version = Version::Exact(exact),
                Err(_)
                    if text.as_ref() == "latest"
                        || text.starts_with(['>', '<', '=', '~', '^'])
                        || text.contains('x') => {}
                Err(_) => {
                    let finding = self.finding(line, format!("'{text}' is not a version of a module"));
                    self.findings.push(finding.help("write three numbers, '9.0.0', or :latest"));
                }
            },
            Some(Node::Hash(of)) => pairs.extend(of.iter()),
            Some(Node::Sym(_)) | None => {}
            Some(_) => is_computed = true,
        }
        for pair in pairs {
            match pair {
                Pair::Pair(Expr { node: Node::Sym(key), .. }, _) => keys.push(self.symbols.name(*key).to_string()),
                Pair::Pair(Expr { node: Node::Str(key), .. }, _) => keys.push(key.to_string()),
                Pair::Pair(..) | Pair::Splat(_) => is_computed = true,
            }
        }
        for key in &keys {
            let known = || SOURCES.into_iter().chain(OPTIONS);
            if !known().any(|known| known == key) {
                let finding = self.finding(line, format!("'{key}' is not an option of a module"));
                self.findings.push(match nearest(key, known()) {
                    Some(near) => finding.help(format!("did you mean '{near}'?")),
                    None => finding.help("a module has git and ref, or a version"),
                });
            }
        }
        let has_source = keys.iter().any(|key| SOURCES.contains(&key.as_str()));
        if !is_computed && !keys.is_empty() && !has_source && keys.iter().any(|key| key == "ref" || key == "tag") {
            let finding = self.finding(line, format!("the module '{name}' has no source"));
            self.findings.push(finding.help("name its repository: git: 'https://...'"));
        }
        if !name.contains(['/', '-']) && !is_computed && keys.is_empty() {
            let finding = self.finding(line, format!("the module '{name}' has neither an author nor a source"));
            self.findings.push(finding.help("write the name as on the Forge, 'puppetlabs/stdlib', or add git: '...'"));
        }
        self.puppetfile.modules.push(Listed { name: name.to_string(), version, line });
    }

    /// Modules that are listed twice: r10k refuses the file.
    fn repeated(&mut self) {
        let mut first: HashMap<&str, u32> = HashMap::default();
        let mut found = Vec::new();
        for Listed { name, line, .. } in &self.puppetfile.modules {
            match first.get(short_name(name)) {
                Some(other) => found.push((name.clone(), *line, *other)),
                None => drop(first.insert(short_name(name), *line)),
            }
        }
        for (name, line, other) in found {
            let message = format!("The module '{}' is listed twice", short_name(&name));
            let finding = self.finding(line, message).related(self.source, line_of(self.source, other), "here first");
            self.findings.push(finding.help("r10k refuses such a Puppetfile: remove one of them"));
        }
    }

    fn finding(&self, line: u32, message: String) -> Finding {
        puppetfile::of_line(self.source, line, message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn messages(text: &str) -> Vec<(Option<u32>, String)> {
        match Puppetfile::read(&Source::new("Puppetfile", text)) {
            Ok((_, findings)) => {
                findings.iter().map(|finding| (finding.line(), finding.diagnostic.message.clone())).collect()
            }
            Err(finding) => vec![(finding.line(), finding.diagnostic.message.clone())],
        }
    }

    #[test]
    fn modules_are_read_with_their_versions() {
        let text = "forge 'https://forge.puppet.com'\nmoduledir '.modules'\nmod 'puppetlabs/stdlib', '9.0.0'\n\nmod 'profile',\n  git: 'https://x/y.git',\n  ref: 'v1'\nmod 'puppet-nginx', :latest\nmod 'a/b'\n";
        let (puppetfile, findings) = Puppetfile::read(&Source::new("Puppetfile", text)).unwrap();
        assert!(findings.is_empty(), "{findings:?}");
        let names: Vec<(&str, u32)> = puppetfile.modules.iter().map(|one| (one.name.as_str(), one.line)).collect();
        assert_eq!(names, [("puppetlabs/stdlib", 3), ("profile", 5), ("puppet-nginx", 8), ("a/b", 9)]);
        assert!(matches!(puppetfile.modules[0].version, Version::Exact(_)) && !puppetfile.computes);
    }

    #[test]
    fn mistakes_are_found_where_they_are() {
        let text = "mod 'a/b', '1.0'\nmod 'b', gti: 'x'\nmod 'x-b', '1.0.0'\nmdo 'c/d'\nmod 'e'\n";
        let expected = [
            (Some(1), "'1.0' is not a version of a module"),
            (Some(2), "'gti' is not an option of a module"),
            (Some(4), "'mdo' is not a call of a Puppetfile"),
            (Some(5), "the module 'e' has neither an author nor a source"),
            (Some(2), "The module 'b' is listed twice"),
            (Some(3), "The module 'b' is listed twice"),
        ];
        assert_eq!(messages(text), expected.map(|(line, message)| (line, message.to_owned())));
        assert_eq!(messages("mod 'a/b', '1.0.0'\nmod('c\n")[0].0, Some(2));
        let librarian = "metadata\nexclusion 'x/y'\nmod 'x/a',\n  :git => 'https://x/y.git',\n  :path => 'modules/a'\nmod 'b', :path => './b'\n";
        assert!(messages(librarian).is_empty());
        assert!(messages("%w[a b].each { |name| mod \"x/#{name}\" }\n").is_empty());
    }
}
