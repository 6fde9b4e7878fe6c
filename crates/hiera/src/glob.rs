//! Files that match a pattern, found as Ruby's `Dir.glob` finds them.
//!
//! `*`, `?`, `[a-z]` and `[!a]` match within a name, `**/` any number of directories, `{a,b}` either text; a backslash
//! takes the meaning away. Names that begin with a dot are matched only by a dot. Names come sorted, the alternatives
//! of braces in the order in which they are written. Directories behind symbolic links are not searched by `**/`,
//! so that a loop of links has an end.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rustc_hash::FxHashMap;

/// How many alternatives braces may multiply to; more is a mistake or an attack.
const MOST_ALTERNATIVES: usize = 10_000;

/// How deep directories may lie.
const DEEPEST: usize = 200;

/// The files (no directories) that match an absolute pattern.
pub(crate) fn files(pattern: &str) -> Vec<PathBuf> {
    search_all(pattern, &|directory| entries(directory).into())
}

/// Directories that were listed, for those who search for many patterns at one moment: each is read once.
#[derive(Debug, Default)]
pub(crate) struct Listings {
    directories: Mutex<FxHashMap<PathBuf, Arc<[Entry]>>>,
    patterns: Mutex<FxHashMap<String, Arc<[Arc<Path>]>>>,
}

impl Listings {
    /// The files (no directories) that match an absolute pattern.
    pub(crate) fn files(&self, pattern: &str) -> Arc<[Arc<Path>]> {
        let known = lock(&self.patterns).get(pattern).cloned();
        known.unwrap_or_else(|| {
            let found = search_all(pattern, &|directory| self.entries(directory));
            let found: Arc<[Arc<Path>]> = found.into_iter().map(Arc::from).collect();
            lock(&self.patterns).insert(pattern.into(), found.clone());
            found
        })
    }

    fn entries(&self, directory: &Path) -> Arc<[Entry]> {
        let known = lock(&self.directories).get(directory).cloned();
        known.unwrap_or_else(|| {
            let listed: Arc<[Entry]> = entries(directory).into();
            lock(&self.directories).insert(directory.to_path_buf(), listed.clone());
            listed
        })
    }
}

fn lock<T>(known: &Mutex<T>) -> MutexGuard<'_, T> {
    // A map is whole at every moment.
    known.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What lists a directory.
type List<'l> = &'l dyn Fn(&Path) -> Arc<[Entry]>;

fn search_all(pattern: &str, list: List<'_>) -> Vec<PathBuf> {
    let mut search = Search { list, found: Vec::new() };
    for alternative in alternatives(pattern) {
        let components: Vec<&str> = alternative.split('/').filter(|component| !component.is_empty()).collect();
        search.at(Path::new("/"), &components, 0);
    }
    search.found
}

/// The texts that a pattern with braces stands for.
fn alternatives(pattern: &str) -> Vec<String> {
    let mut done = Vec::new();
    let mut open = vec![pattern.to_string()];
    while let Some(text) = open.pop() {
        match braces(&text) {
            Some((start, end, choices)) if done.len() + open.len() + choices.len() <= MOST_ALTERNATIVES => {
                // The last goes on the stack first, so that the first is taken off first.
                open.extend(choices.iter().rev().map(|choice| format!("{}{choice}{}", &text[..start], &text[end..])));
            }
            _ => done.push(text),
        }
    }
    done
}

/// The first group of braces: where it starts and ends, and what it offers.
fn braces(text: &str) -> Option<(usize, usize, Vec<&str>)> {
    let (mut depth, mut start, mut piece) = (0usize, 0, 0);
    let mut choices = Vec::new();
    let mut escaped = false;
    for (index, c) in text.char_indices() {
        if std::mem::take(&mut escaped) {
            continue;
        }
        match c {
            '\\' => escaped = true,
            '{' => {
                depth += 1;
                if depth == 1 {
                    (start, piece) = (index, index + 1);
                }
            }
            ',' if depth == 1 => {
                choices.push(&text[piece..index]);
                piece = index + 1;
            }
            '}' if depth > 0 => {
                depth -= 1;
                if depth == 0 {
                    choices.push(&text[piece..index]);
                    return Some((start, index + 1, choices));
                }
            }
            _ => {}
        }
    }
    None
}

/// A search that is underway.
struct Search<'l> {
    list: List<'l>,
    found: Vec<PathBuf>,
}

impl Search<'_> {
    fn at(&mut self, directory: &Path, components: &[&str], depth: usize) {
        let Some((first, rest)) = components.split_first() else {
            self.found.extend((!directory.is_dir()).then(|| directory.to_path_buf()));
            return;
        };
        if depth > DEEPEST {
            return;
        }
        if *first == "**" && !rest.is_empty() {
            return self.below(directory, rest, depth);
        }
        if !first.contains(['*', '?', '[', '\\']) {
            let next = directory.join(first);
            if next.symlink_metadata().is_ok() {
                self.at(&next, rest, depth + 1);
            }
            return;
        }
        for entry in (self.list)(directory).iter() {
            if matches(first, &entry.name) {
                self.from(entry, directory, rest, depth);
            }
        }
    }

    /// Searches a directory and all below it, in one walk over sorted names, as Ruby does.
    fn below(&mut self, directory: &Path, components: &[&str], depth: usize) {
        if depth > DEEPEST {
            return;
        }
        let (first, rest) = (components[0], &components[1..]);
        if first == "**" && !rest.is_empty() {
            return self.below(directory, rest, depth);
        }
        for entry in (self.list)(directory).iter() {
            if matches(first, &entry.name) {
                self.from(entry, directory, rest, depth);
            }
            if entry.kind.is_dir() && !entry.name.starts_with('.') {
                self.below(&directory.join(&entry.name), components, depth + 1);
            }
        }
    }

    /// Searches for the rest of a pattern from an entry on.
    fn from(&mut self, entry: &Entry, directory: &Path, rest: &[&str], depth: usize) {
        let path = directory.join(&entry.name);
        match (rest.is_empty(), entry.kind.is_symlink()) {
            (true, false) => self.found.extend((!entry.kind.is_dir()).then_some(path)),
            // What is no directory has nothing in it.
            (false, false) if !entry.kind.is_dir() => {}
            _ => self.at(&path, rest, depth + 1),
        }
    }
}

/// Something in a directory, with what it is: the listing tells, so that only links have to be looked at.
#[derive(Debug)]
struct Entry {
    name: String,
    kind: fs::FileType,
}

fn entries(directory: &Path) -> Vec<Entry> {
    let Ok(entries) = fs::read_dir(directory) else { return Vec::new() };
    let entry = |entry: std::io::Result<fs::DirEntry>| {
        let entry = entry.ok()?;
        Some(Entry { name: entry.file_name().into_string().ok()?, kind: entry.file_type().ok()? })
    };
    let mut entries: Vec<Entry> = entries.filter_map(entry).collect();
    entries.sort_unstable_by(|left, right| left.name.cmp(&right.name));
    entries
}

fn matches(pattern: &str, name: &str) -> bool {
    if name.starts_with('.') && !pattern.starts_with('.') {
        return false;
    }
    let pattern: Vec<char> = pattern.chars().collect();
    let name: Vec<char> = name.chars().collect();
    // The last star and how much it has taken so far: on a mismatch it takes one character more.
    let (mut p, mut n) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while n < name.len() {
        match one(&pattern, p, name[n]) {
            Step::Star => {
                star = Some((p, n));
                p += 1;
            }
            Step::Match(next) => {
                p = next;
                n += 1;
            }
            Step::Miss => match star {
                Some((at, taken)) => {
                    star = Some((at, taken + 1));
                    p = at + 1;
                    n = taken + 1;
                }
                None => return false,
            },
        }
    }
    pattern[p..].iter().all(|c| *c == '*')
}

enum Step {
    Star,
    /// The character fits; the pattern goes on there.
    Match(usize),
    Miss,
}

fn one(pattern: &[char], p: usize, c: char) -> Step {
    match pattern.get(p) {
        None => Step::Miss,
        Some('*') => Step::Star,
        Some('?') => Step::Match(p + 1),
        Some('[') => set(pattern, p, c),
        Some('\\') if p + 1 < pattern.len() => {
            if pattern[p + 1] == c {
                Step::Match(p + 2)
            } else {
                Step::Miss
            }
        }
        Some(literal) => {
            if *literal == c {
                Step::Match(p + 1)
            } else {
                Step::Miss
            }
        }
    }
}

fn set(pattern: &[char], start: usize, c: char) -> Step {
    let mut p = start + 1;
    let negated = matches!(pattern.get(p), Some('!' | '^'));
    p += usize::from(negated);
    let mut inside = false;
    while let Some(&low) = pattern.get(p) {
        if low == ']' {
            return if inside != negated { Step::Match(p + 1) } else { Step::Miss };
        }
        let (low, after) = escaped(pattern, p);
        p = after;
        if pattern.get(p) == Some(&'-') && pattern.get(p + 1).is_some_and(|next| *next != ']') {
            let (high, after) = escaped(pattern, p + 1);
            p = after;
            inside |= (low..=high).contains(&c);
        } else {
            inside |= low == c;
        }
    }
    Step::Miss
}

fn escaped(pattern: &[char], p: usize) -> (char, usize) {
    match (pattern[p], pattern.get(p + 1)) {
        ('\\', Some(&next)) => (next, p + 2),
        (c, _) => (c, p + 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_match_patterns() {
        for (pattern, name, expected) in [
            ("*.yaml", "a.yaml", true),
            ("*.yaml", ".a.yaml", false),
            (".*", ".a", true),
            ("a?c", "abc", true),
            ("[a-c]x", "bx", true),
            ("[!a-c]x", "bx", false),
            ("[^a]x", "bx", true),
            ("a\\*b", "a*b", true),
            ("a\\*b", "axb", false),
            ("*a*b*", "xaxbx", true),
            ("*a*b", "xaxbx", false),
            ("[a", "[a", false),
        ] {
            assert_eq!(matches(pattern, name), expected, "{pattern} {name}");
        }
    }

    #[test]
    fn braces_keep_their_order() {
        assert_eq!(alternatives("/{b,a}/{x,y{1,2}}"), ["/b/x", "/b/y1", "/b/y2", "/a/x", "/a/y1", "/a/y2"]);
        assert_eq!(alternatives("/{a"), ["/{a"]);
    }

    #[test]
    fn files_are_found_sorted_and_links_are_not_walked() {
        let root = tempfile::tempdir().unwrap();
        for file in ["b.yaml", "a/z.yaml", "a/d/y.yaml", ".h/x.yaml", "a.yaml"] {
            let path = root.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        std::os::unix::fs::symlink(root.path(), root.path().join("loop")).unwrap();
        let found: Vec<String> = files(&format!("{}/**/*.yaml", root.path().display()))
            .iter()
            .map(|path| path.strip_prefix(root.path()).unwrap().display().to_string())
            .collect();
        assert_eq!(found, ["a/d/y.yaml", "a/z.yaml", "a.yaml", "b.yaml"]);
    }
    #[test]
    fn listings_find_the_same_and_look_once() {
        let root = tempfile::tempdir().unwrap();
        for file in ["a/z.yaml", "a/d/y.yaml", "a/d.yaml/in.yaml", "b.yaml"] {
            let path = root.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        std::os::unix::fs::symlink("b.yaml", root.path().join("a/link.yaml")).unwrap();
        std::os::unix::fs::symlink(root.path(), root.path().join("a/folder.yaml")).unwrap();
        let listings = Listings::default();
        let patterns = ["**/*.yaml", "a/*.yaml", "*/*.yaml", "*", "{b,a/z}.yaml", "a/**/y.yaml", "*/d/*"];
        let patterns = patterns.map(|pattern| format!("{}/{pattern}", root.path().display()));
        let all = || patterns.iter().map(|pattern| listings.files(pattern)).collect::<Vec<_>>();
        let before = all();
        for (pattern, found) in patterns.iter().zip(&before) {
            assert!(files(pattern).iter().map(PathBuf::as_path).eq(found.iter().map(|path| &**path)), "{pattern}");
        }
        fs::write(root.path().join("a/new.yaml"), "").unwrap();
        assert_eq!(all(), before);
        assert_ne!(files(&patterns[1]).len(), before[1].len());
    }
}
