//! [`Config`]: the settings in `.git/config` that decide how the repository is read.
//!
//! Only this file is read: no included file and no other configuration. No program in it is run.

use crate::error::Error;

/// The settings in the file of configuration of a repository, in their order: section, subsection, name, and value.
#[derive(Clone, Debug, Default)]
pub(crate) struct Config(Vec<Setting>);

#[derive(Clone, Debug)]
struct Setting {
    section: String,
    subsection: String,
    name: String,
    value: Option<String>,
}

impl Config {
    /// Reads the text of a file. What cannot be read as a setting is an error, as for git.
    pub(crate) fn parse(text: &str) -> Result<Config, String> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut settings = Vec::new();
        let (mut section, mut subsection) = (String::new(), String::new());
        let mut lines = text.lines().enumerate();
        while let Some((number, line)) = lines.next() {
            let wrong = |problem: &str| format!("{problem} in line {}", number + 1);
            let mut rest = line.trim();
            if let Some(after) = rest.strip_prefix('[') {
                (section, subsection, rest) = header(after).ok_or_else(|| wrong("a section without a name"))?;
            }
            if rest.is_empty() || rest.starts_with(['#', ';']) {
                continue;
            }
            let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '-').unwrap_or(rest.len());
            let (name, rest) = rest.split_at(end);
            let rest = rest.trim_start();
            if name.is_empty() || section.is_empty() {
                return Err(wrong("a setting without a name"));
            }
            let value = match rest.strip_prefix('=') {
                Some(written) => Some(value(written, &mut lines).ok_or_else(|| wrong("a malformed value"))?),
                None if rest.is_empty() || rest.starts_with(['#', ';']) => None,
                None => return Err(wrong("a setting without an equals sign")),
            };
            let (section, subsection) = (section.clone(), subsection.clone());
            settings.push(Setting { section, subsection, name: name.to_ascii_lowercase(), value });
        }
        Ok(Config(settings))
    }

    /// The last value of a setting; one without a value is true.
    pub(crate) fn get(&self, section: &str, subsection: &str, name: &str) -> Option<&str> {
        let is = |one: &&Setting| one.section == section && one.subsection == subsection && one.name == name;
        self.0.iter().rev().find(is).map(|setting| setting.value.as_deref().unwrap_or("true"))
    }

    /// All values of a setting in all subsections, in the order of the file.
    pub(crate) fn all<'c>(&'c self, section: &'c str, name: &'c str) -> impl Iterator<Item = &'c str> {
        let settings = self.0.iter().filter(move |one| one.section == section && one.name == name);
        settings.filter_map(|setting| setting.value.as_deref())
    }

    /// Returns whether a setting is true.
    pub(crate) fn is_set(&self, section: &str, name: &str) -> bool {
        self.get(section, "", name).is_some_and(is_true)
    }

    /// Refuses a repository that has another form than the one that is read here. Git adds an extension for every form that old programs
    /// would misread.
    pub(crate) fn check(&self) -> Result<(), Error> {
        let version = self.get("core", "", "repositoryformatversion").unwrap_or("0");
        if !matches!(version, "0" | "1") {
            return Err(Error::unsupported(
                format!("it has version {version} of the repository format"),
                "convert it with git",
            ));
        }
        for Setting { section, name, value, .. } in &self.0 {
            if section != "extensions" {
                continue;
            }
            let value = value.as_deref().unwrap_or("true");
            let is_read = match name.as_str() {
                "objectformat" => value.eq_ignore_ascii_case("sha1"),
                "refstorage" => value.eq_ignore_ascii_case("files"),
                "noop" | "noop-v1" | "partialclone" | "preciousobjects" | "worktreeconfig" | "relativeworktrees" => {
                    true
                }
                _ => version == "0",
            };
            if !is_read {
                let problem = format!("it has the extension {name} = {value}");
                return Err(Error::unsupported(problem, "convert the repository, or clone it without the extension"));
            }
        }
        Ok(())
    }

    /// Returns whether objects may be missing from the repository because a server promised to have them.
    pub(crate) fn is_partial(&self) -> bool {
        self.get("extensions", "", "partialclone").is_some()
            || self.0.iter().any(|setting| {
                setting.section == "remote"
                    && (setting.name == "partialclonefilter"
                        || setting.name == "promisor" && setting.value.as_deref().is_none_or(is_true))
            })
    }
}

fn is_true(value: &str) -> bool {
    matches!(value.to_ascii_lowercase().as_str(), "true" | "yes" | "on" | "1")
}

/// The section and subsection of a header after its bracket, and what follows on the line.
fn header(text: &str) -> Option<(String, String, &str)> {
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '-' | '.'))?;
    let (name, rest) = text.split_at(end);
    if name.is_empty() {
        return None;
    }
    if let Some(after) = rest.strip_prefix(']') {
        // An old way of writing subsections.
        let (section, subsection) = name.split_once('.').unwrap_or((name, ""));
        return Some((section.to_ascii_lowercase(), subsection.to_ascii_lowercase(), after.trim_start()));
    }
    let quoted = rest.trim_start().strip_prefix('"')?;
    let mut subsection = String::new();
    let mut chars = quoted.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => {
                let after = quoted.get(at + 1..)?.strip_prefix(']')?;
                return Some((name.to_ascii_lowercase(), subsection, after.trim_start()));
            }
            '\\' => subsection.push(chars.next()?.1),
            c => subsection.push(c),
        }
    }
    None
}

/// The value after a sign of equality, which further lines may continue.
fn value<'t>(written: &'t str, lines: &mut impl Iterator<Item = (usize, &'t str)>) -> Option<String> {
    let mut value = String::new();
    let mut is_quoted = false;
    let mut kept = 0;
    let mut line = written.trim_start();
    'lines: loop {
        let mut chars = line.chars();
        while let Some(c) = chars.next() {
            match c {
                '"' => is_quoted = !is_quoted,
                '#' | ';' if !is_quoted => break 'lines,
                '\\' => match chars.next() {
                    // The last character of a line: the next one continues it.
                    None => {
                        line = lines.next()?.1;
                        continue 'lines;
                    }
                    Some('n') => value.push('\n'),
                    Some('t') => value.push('\t'),
                    Some('b') => value.push('\u{8}'),
                    Some(c @ ('"' | '\\')) => value.push(c),
                    Some(_) => return None,
                },
                c => value.push(c),
            }
            if is_quoted || !c.is_whitespace() {
                kept = value.len();
            }
        }
        break;
    }
    // Spaces at the end count if they are in quotes.
    value.truncate(kept);
    (!is_quoted).then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_read_as_git_reads_them() {
        let text = "# a\n[core]\n\tbare = false ; no\n\trepositoryFormatVersion = 1\n[Remote \"o \\\"r\"] promisor\n\
            [a.B]\n x = \" a # b \" c  \n y = one \\\n two\n z=\"q\\tr\"\n";
        let config = Config::parse(text).unwrap();
        for (section, subsection, name, value) in [
            ("core", "", "bare", Some("false")),
            ("core", "", "repositoryformatversion", Some("1")),
            ("remote", "o \"r", "promisor", Some("true")),
            ("a", "b", "x", Some(" a # b  c")),
            ("a", "b", "y", Some("one  two")),
            ("a", "b", "z", Some("q\tr")),
            ("a", "", "z", None),
        ] {
            assert_eq!(config.get(section, subsection, name), value, "{section}.{subsection}.{name}");
        }
        assert!(config.is_partial() && config.check().is_ok());
        for wrong in ["x = 1", "[core", "[core]\n= 1", "[core]\nx = \"1", "[core]\nx = \\q", "[core]\nx y", "[\"a\"]"] {
            assert!(Config::parse(wrong).is_err(), "{wrong}");
        }
        let form = |text: &str| Config::parse(text).unwrap().check().is_ok();
        assert!(!form("[core]\nrepositoryformatversion = 2") && !form("[extensions]\nrefStorage = reftable"));
        assert!(!form("[core]\nrepositoryformatversion = 1\n[extensions]\nnew = 1"));
    }
}
