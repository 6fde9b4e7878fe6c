//! The `key = value` files of Puppet: `puppet.conf` and `environment.conf`.

/// Parses a file into `(section, key, value)` in the order of the file. Settings before any section are in `main`.
pub(crate) fn parse(text: &str) -> Vec<(String, String, String)> {
    let mut section = "main".to_string();
    let mut settings = Vec::new();
    for line in text.lines() {
        let line = line.trim();
        if line.is_empty() || line.starts_with(['#', ';']) {
            continue;
        }
        if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            section = name.trim().to_string();
        } else if let Some((key, value)) = line.split_once('=') {
            // A comment may follow a value; a `#` inside a word does not begin one.
            let value = value.split_once(" #").map_or(value, |(value, _)| value).trim();
            let unquoted =
                ['"', '\''].iter().find_map(|quote| value.strip_prefix(*quote)?.strip_suffix(*quote)).unwrap_or(value);
            settings.push((section.clone(), key.trim().to_string(), unquoted.to_string()));
        }
    }
    settings
}

#[cfg(test)]
mod tests {
    #[test]
    fn sections_comments_and_quotes() {
        let text = "a = 1\n# no\n[server]\n b=\"x y\" \nmodulepath = site:modules # local first\n";
        let settings = super::parse(text);
        let settings: Vec<_> = settings.iter().map(|(s, k, v)| (s.as_str(), k.as_str(), v.as_str())).collect();
        assert_eq!(settings, [("main", "a", "1"), ("server", "b", "x y"), ("server", "modulepath", "site:modules")]);
    }
}
