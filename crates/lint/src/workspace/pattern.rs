//! [`Pattern`]: a path of a hierarchy, as a pattern for the files that it can name.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use hieratic::hiera::inspect;
use hieratic::sandbox::slashes;
use hieratic::{Facts, Hash, Value};
use regex::Regex;

/// The values of variables with which a path leads to a file, by the names of the variables in the path.
pub(crate) type Bindings = BTreeMap<String, String>;

/// A path of a hierarchy with the variables in it.
#[derive(Clone, Debug)]
pub(crate) struct Pattern {
    regex: Regex,
    variables: Vec<String>,
    mapped: Option<(String, String)>,
    is_glob: bool,
    /// The folder that contains all files that it leads to.
    pub(crate) root: PathBuf,
}

impl Pattern {
    /// Compiles a path below a folder; `None` if it is too long to compile.
    ///
    /// A folder whose name consists of empty variables disappears: `a/%{b}/c` leads to `a/c`. Directly below the data
    /// folder, such a path begins at the root of the file system.
    pub(crate) fn new(source: &inspect::Source, folder: &str) -> Option<Pattern> {
        let text = source.text.as_str();
        let mut regex = String::from("^");
        let mut variables = Vec::new();
        let mut done = 0;
        let mut all = inspect::interpolations(text).into_iter().peekable();
        while let Some(first) = all.next() {
            let start = first.range.start;
            push_text(&mut regex, &text[done..start], source.is_glob);
            // An adjacent interpolation belongs to the same name.
            let mut run = vec![first];
            while let Some(next) = all.next_if(|next| run.last().is_some_and(|last| last.range.end == next.range.start))
            {
                run.push(next);
            }
            done = run.last().map_or(start, |last| last.range.end);
            let is_whole = text[..start].ends_with('/') && text[done..].starts_with('/');
            let can_be_none = is_whole && text[..start].trim_end_matches('/') != folder.trim_end_matches('/');
            regex.push_str(if can_be_none { "(?:" } else { "" });
            for found in run {
                match found.kind {
                    inspect::InterpolationKind::Variable(name) => {
                        regex.push_str("(.*?)");
                        variables.push(name);
                    }
                    inspect::InterpolationKind::Empty => {}
                    _ => regex.push_str(".*?"),
                }
            }
            if can_be_none {
                regex.push_str("/)?");
                done += 1;
            }
        }
        push_text(&mut regex, &text[done..], source.is_glob);
        regex.push('$');
        let mapped = source.mapped.as_ref().map(|(variable, name)| (variable.to_string(), name.to_string()));
        let special: &[char] = if source.is_glob { &['%', '*', '?', '[', '{', '\\'] } else { &['%'] };
        let (regex, root) = (Regex::new(&regex).ok()?, folder_before(&source.text, special));
        Some(Pattern { regex, variables, mapped, is_glob: source.is_glob, root })
    }

    /// Returns the values that variables must have for the path to lead to a file; `None` if it cannot. A repeated
    /// variable has one value, and the name of the environment is fixed.
    pub(crate) fn lead_to(&self, path: &str, environment: &str) -> Option<Bindings> {
        self.lead_in(path, Some(environment))
    }

    /// Returns whether it can lead to a file in an environment of any name.
    pub(crate) fn leads_somewhere(&self, path: &str) -> bool {
        self.lead_in(path, None).is_some()
    }

    fn lead_in(&self, path: &str, environment: Option<&str>) -> Option<Bindings> {
        let path = slashes(path);
        let captures = self.regex.captures(&path)?;
        let mut bindings = Bindings::new();
        for (name, value) in self.variables.iter().zip(captures.iter().skip(1)) {
            let value = value.map_or("", |value| value.as_str());
            let is_other = || match environment {
                Some(known) => value != known,
                None => !value.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_'),
            };
            if matches!(name.as_str(), "environment" | "::environment") && is_other() {
                return None;
            }
            match bindings.get(name) {
                Some(known) if known != value => return None,
                _ => bindings.insert(name.clone(), value.to_owned()),
            };
        }
        if let Some((variable, name)) = &self.mapped
            && let Some(element) = bindings.remove(name)
        {
            bindings.insert(format!("{variable}{ELEMENT}"), element);
        }
        Some(bindings)
    }

    /// The variables that a glob depends on. If these are unknown, the glob `%{facts.site}/**/*.yaml` would begin at
    /// the root of the file system.
    pub(crate) fn searched_by(&self) -> impl Iterator<Item = &str> {
        self.variables.iter().filter(|_| self.is_glob).map(String::as_str).filter(|name| {
            // The facts of the server are known or unknown as a whole.
            is_settable(name) && !name.trim_start_matches("::").starts_with("server_facts")
        })
    }

    /// The variables in it. The loop variable of `mapped_paths` counts as its list.
    pub(crate) fn variables(&self) -> impl Iterator<Item = &str> {
        let mapped = self.mapped.as_ref();
        self.variables.iter().map(move |name| match mapped {
            Some((variable, own)) if own == name => variable.as_str(),
            _ => name.as_str(),
        })
    }

    /// Returns whether it can lead to several files for one node.
    pub(crate) fn is_search(&self) -> bool {
        self.is_glob || self.mapped.is_some()
    }

    /// Returns whether it has variables.
    pub(crate) fn varies(&self) -> bool {
        !self.variables.is_empty()
    }
}

/// Returns whether a synthetic node can have a value for a variable: it is not in a class, and is a plain name.
fn is_settable(variable: &str) -> bool {
    let name = variable.strip_prefix("::").unwrap_or(variable);
    let first = name.split('.').next().unwrap_or(name);
    !first.contains("::") && !name.contains(['"', '\'', ' ', '('])
}

/// The mark of a variable that is a list with the value in it.
const ELEMENT: &str = "[]";

/// The folder of a path, up to its first special character.
pub(crate) fn folder_before(text: &str, special: &[char]) -> PathBuf {
    let plain = text.find(special).map_or(text, |at| &text[..at]);
    let end = plain.rfind('/').unwrap_or(0);
    Path::new(&plain[..end]).to_owned()
}

/// Text as an expression that matches it: for patterns, as `Dir.glob` of Ruby matches.
fn push_text(regex: &mut String, text: &str, is_glob: bool) {
    if !is_glob {
        regex.push_str(&regex::escape(text));
        return;
    }
    let mut rest = text;
    let mut braces = 0u32;
    while let Some(c) = rest.chars().next() {
        let mut length = c.len_utf8();
        match c {
            '*' if rest.starts_with("**/") => {
                regex.push_str("(?:[^/.][^/]*/)*");
                length = 3;
            }
            '*' => regex.push_str("[^/]*"),
            '?' => regex.push_str("[^/]"),
            '[' if rest.contains(']') => {
                let end = rest.find(']').unwrap_or(0);
                let inside = &rest[1..end];
                let (not, inside) = match inside.strip_prefix(['!', '^']) {
                    Some(inside) => ("^", inside),
                    None => ("", inside),
                };
                let inside = inside.replace('\\', "\\\\").replace('[', "\\[").replace("&&", "&").replace("--", "-");
                regex.push_str(&format!("[{not}{inside}]"));
                length = end + 1;
            }
            '{' => {
                braces += 1;
                regex.push_str("(?:");
            }
            ',' if braces > 0 => regex.push('|'),
            '}' if braces > 0 => {
                braces -= 1;
                regex.push(')');
            }
            '\\' if rest.len() > 1 => {
                let next: String = rest.chars().skip(1).take(1).collect();
                regex.push_str(&regex::escape(&next));
                length += next.len();
            }
            other => regex.push_str(&regex::escape(&other.to_string())),
        }
        rest = &rest[length..];
    }
    // Ruby treats unclosed braces as text. A pattern with them matches nothing here.
    regex.push_str(&")".repeat(braces as usize));
}

/// Creates a node whose variables have these values; `None` if facts cannot express them.
pub(crate) fn node_for(bindings: &Bindings, name: &str) -> Option<Facts> {
    let mut certname = name.to_owned();
    let mut facts = Value::Hash(Hash::default());
    let mut trusted = Value::Hash(Hash::default());
    let mut server = Value::Hash(Hash::default());
    let mut has_trusted = false;
    for (variable, value) in bindings {
        let (variable, value) = match variable.strip_suffix(ELEMENT) {
            Some(variable) => (variable, vec![Value::from(value.as_str())].into()),
            None => (variable.as_str(), Value::from(value.as_str())),
        };
        if !is_settable(variable) {
            return None;
        }
        let variable = variable.strip_prefix("::").unwrap_or(variable);
        let path: Vec<&str> = variable.split('.').collect();
        match path.as_slice() {
            ["environment"] => {}
            ["trusted", "certname"] => {
                if let Some(text) = value.as_str() {
                    certname = text.to_owned();
                }
            }
            ["trusted", rest @ ..] => {
                has_trusted = true;
                trusted = with(&trusted, rest, value);
            }
            ["server_facts", rest @ ..] => server = with(&server, rest, value),
            ["facts", rest @ ..] if !rest.is_empty() => facts = with(&facts, rest, value),
            path => facts = with(&facts, path, value),
        }
    }
    let mut known = Facts::named(&certname);
    known.merge(facts.as_hash()?);
    if has_trusted {
        let own: Hash =
            [("certname", Value::from(certname.as_str())), ("authenticated", "local".into())].into_iter().collect();
        let all = own.into_map().into_iter().chain(trusted.as_hash()?.clone().into_map());
        known.set_trusted(all.collect());
    }
    if let Some(server) = server.as_hash().filter(|server| !server.is_empty()) {
        known.set_server_facts(server.clone());
    }
    Some(known)
}

/// A hash with a value under a path.
fn with(value: &Value, path: &[&str], new: Value) -> Value {
    let Some((first, rest)) = path.split_first() else { return new };
    let mut map = value.as_hash().cloned().unwrap_or_default().into_map();
    let below = map.get(&Value::from(*first)).cloned().unwrap_or_else(|| Value::Hash(Hash::default()));
    map.insert(Value::from(*first), with(&below, rest, new));
    Value::Hash(map.into())
}

/// The variables of both, unless they contradict each other.
pub(crate) fn together(left: &Bindings, right: &Bindings) -> Option<Bindings> {
    let mut both = left.clone();
    for (name, value) in right {
        match both.get(name) {
            Some(known) if known != value => return None,
            _ => both.insert(name.clone(), value.clone()),
        };
    }
    Some(both)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lead(text: &str, is_glob: bool, path: &str) -> Option<Vec<(String, String)>> {
        let source = inspect::Source { text: text.into(), is_glob, mapped: None };
        Some(Pattern::new(&source, "/d")?.lead_to(path, "production")?.into_iter().collect())
    }

    #[test]
    fn a_path_binds_its_variables() {
        let one = |name: &str, value: &str| Some(vec![(name.to_owned(), value.to_owned())]);
        assert_eq!(lead("/d/%{trusted.certname}.yaml", false, "/d/a.b.yaml"), one("trusted.certname", "a.b"));
        assert_eq!(lead("/d/%{x}/%{x}.yaml", false, "/d/a/a.yaml"), one("x", "a"));
        assert_eq!(lead("/d/%{x}/%{x}.yaml", false, "/d/a/b.yaml"), None);
        assert_eq!(lead("/d/%{environment}.yaml", false, "/d/testing.yaml"), None);
        assert_eq!(lead("/d/a+b.yaml", false, "/d/aab.yaml"), None);
        // A variable that is empty leaves no folder behind, but right below the folder of the data.
        assert_eq!(lead("/d/a/%{x}/b.yaml", false, "/d/a/c/b.yaml"), one("x", "c"));
        assert_eq!(lead("/d/a/%{x}/b.yaml", false, "/d/a/b.yaml"), one("x", ""));
        assert_eq!(lead("/d/a/%{x}-/b.yaml", false, "/d/a/b.yaml"), None);
        assert_eq!(lead("/d/%{x}/b.yaml", false, "/d/b.yaml"), None);
        assert_eq!(lead("/d/%{y}/%{x}%{x}/*.yaml", true, "/d/a/b.yaml").map(|all| all.len()), Some(2));
        assert_eq!(lead("/d/a/%{x}/%{x}/b.yaml", false, "/d/a/c/c/b.yaml"), one("x", "c"));
    }

    #[test]
    fn patterns_match_as_ruby_matches() {
        for (pattern, path, matches) in [
            ("/d/*.yaml", "/d/a.yaml", true),
            ("/d/*.yaml", "/d/e/a.yaml", false),
            ("/d/**/*.yaml", "/d/a.yaml", true),
            ("/d/**/*.yaml", "/d/e/f/a.yaml", true),
            ("/d/{a,b}.yaml", "/d/b.yaml", true),
            ("/d/[!a].yaml", "/d/b.yaml", true),
            ("/d/[!a].yaml", "/d/a.yaml", false),
            ("/d/{a", "/d/a", true),
        ] {
            assert_eq!(lead(pattern, true, path).is_some(), matches, "{pattern} {path}");
        }
    }

    #[test]
    fn globs_name_the_facts_that_they_depend_on() {
        let searched = |is_glob: bool| {
            let text = "/d/%{facts.site}/%{role::name}/%{::rack}/%{server_facts.x}/*.yaml";
            let pattern = Pattern::new(&inspect::Source { text: text.into(), is_glob, mapped: None }, "/d").unwrap();
            pattern.searched_by().map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(searched(true), ["facts.site", "::rack"]);
        assert!(searched(false).is_empty());
    }

    #[test]
    fn a_synthetic_node_has_the_facts_of_a_path() {
        let bindings = |pairs: &[(&str, &str)]| pairs.iter().map(|(a, b)| (a.to_string(), b.to_string())).collect();
        let node =
            node_for(&bindings(&[("facts.os.family", "Debian"), ("::role", "web"), ("trusted.certname", "n")]), "x");
        let node = node.unwrap();
        assert_eq!(node.node(), Some("n"));
        assert_eq!(node.facts().get("role"), Some(&"web".into()));
        assert_eq!(node.facts().get("os").unwrap().inspect(), r#"{"family"=>"Debian"}"#);
        assert!(node_for(&bindings(&[("apache::port", "1")]), "x").is_none());
    }
}
