//! [`ForgeLinks`]: the addresses of lines at the forge of a repository's remote.

/// The addresses of the lines of a commit at a forge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForgeLinks {
    /// The address before the path.
    before: String,
    /// The text between the path and the line.
    between: &'static str,
}

/// The software of a forge, which decides the form of its addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Forge {
    /// github.com, or GitHub Enterprise Server.
    GitHub,
    /// gitlab.com, or another server of GitLab.
    GitLab,
    /// codeberg.org, or another server of Gitea or Forgejo.
    Gitea,
    /// bitbucket.org.
    Bitbucket,
}

impl Forge {
    /// Determines the forge of a remote from the name of its host. Returns `None` if it is unknown.
    ///
    /// ```
    /// use hieratic_report::Forge;
    ///
    /// assert_eq!(Forge::from_remote("git@gitlab.example.com:ops/control.git"), Some(Forge::GitLab));
    /// assert_eq!(Forge::from_remote("git@git.example.com:gitlab/control.git"), None);
    /// ```
    pub fn from_remote(remote: &str) -> Option<Forge> {
        forge_at(&host_and_path(remote)?.0)
    }
}

impl ForgeLinks {
    /// Creates the links to a commit, given by its full hash, at the first remote whose forge is known.
    ///
    /// ```
    /// use hieratic_report::ForgeLinks;
    ///
    /// let links = ForgeLinks::new(["git@github.com:acme/control.git"], "0123abcd").unwrap();
    /// assert_eq!(links.line("data/a b.yaml", 3), "https://github.com/acme/control/blob/0123abcd/data/a%20b.yaml#L3");
    /// assert_eq!(ForgeLinks::new(["/srv/control.git"], "0123abcd"), None);
    /// ```
    pub fn new<'u>(remotes: impl IntoIterator<Item = &'u str>, commit: &str) -> Option<ForgeLinks> {
        if commit.is_empty() || !commit.chars().all(|c| c.is_ascii_hexdigit()) {
            return None;
        }
        remotes.into_iter().find_map(|remote| {
            let (host, path) = host_and_path(remote)?;
            // A name without a dot is an alias of SSH, which a browser does not know.
            let forge = host.contains('.').then(|| forge_at(&host))??;
            let address = format!("https://{host}/{path}");
            let (folder, between) = match forge {
                Forge::GitHub => ("blob", "#L"),
                Forge::GitLab => ("-/blob", "#L"),
                Forge::Gitea => ("src/commit", "#L"),
                Forge::Bitbucket => ("src", "#lines-"),
            };
            Some(ForgeLinks { before: format!("{address}/{folder}/{commit}/"), between })
        })
    }

    /// Returns the template of the addresses, with `{path}` and `{line}`.
    ///
    /// ```
    /// use hieratic_report::ForgeLinks;
    ///
    /// let links = ForgeLinks::new(["https://github.com/acme/control"], "0123abcd").unwrap();
    /// assert_eq!(links.template(), "https://github.com/acme/control/blob/0123abcd/{path}#L{line}");
    /// ```
    pub fn template(&self) -> String {
        format!("{}{{path}}{}{{line}}", self.before, self.between)
    }

    /// Returns the address of a line. The path of the file is relative to the root.
    pub fn line(&self, file: &str, line: u32) -> String {
        let mut path = String::new();
        for byte in file.bytes() {
            if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
                path.push(char::from(byte));
            } else {
                path.push_str(&format!("%{byte:02X}"));
            }
        }
        format!("{}{path}{}{line}", self.before, self.between)
    }
}

/// The forge at a host, by the host's name. The network is not used.
fn forge_at(host: &str) -> Option<Forge> {
    let host = host.split(':').next()?;
    let names = |word: &str| host.split('.').any(|label| label.split('-').any(|part| part == word));
    match host {
        "codeberg.org" | "gitea.com" => Some(Forge::Gitea),
        "bitbucket.org" => Some(Forge::Bitbucket),
        "salsa.debian.org" | "invent.kde.org" => Some(Forge::GitLab),
        _ if names("github") => Some(Forge::GitHub),
        _ if names("gitlab") => Some(Forge::GitLab),
        _ if names("gitea") || names("forgejo") => Some(Forge::Gitea),
        _ => None,
    }
}

/// The host of a remote for browsers, without user and password, and the path of the repository.
fn host_and_path(remote: &str) -> Option<(String, String)> {
    let (authority, path, is_web) = match remote.split_once("://") {
        Some((scheme @ ("https" | "http" | "ssh" | "git"), rest)) => {
            let (authority, path) = rest.split_once('/')?;
            (authority, path, scheme.starts_with("http"))
        }
        Some(_) => return None,
        // `git@host:path`, as SSH writes it.
        None => {
            let (authority, path) = remote.split_once(':')?;
            (authority, path, false)
        }
    };
    let host = authority.rsplit('@').next()?.to_ascii_lowercase();
    // Only the port of a web address is one for browsers.
    let host = if is_web { host.as_str() } else { host.split(':').next()? };
    let path = path.trim_matches('/');
    let path = path.strip_suffix(".git").unwrap_or(path);
    let is_host = !host.is_empty() && host.chars().all(|c| c.is_ascii_alphanumeric() || ".-:".contains(c));
    let is_path = path.chars().all(|c| c.is_ascii_alphanumeric() || "._-/~".contains(c));
    let has_owner = path.contains('/') && path.split('/').all(|part| !part.is_empty() && part != "." && part != "..");
    (is_host && is_path && has_owner).then(|| (host.to_owned(), path.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(remote: &str) -> Option<String> {
        Some(ForgeLinks::new([remote], "abc123")?.line("data/common.yaml", 7))
    }

    #[test]
    fn remotes_lead_to_lines() {
        for (remote, address) in [
            ("https://github.com/a/b.git", "https://github.com/a/b/blob/abc123/data/common.yaml#L7"),
            (
                "ssh://git@gitlab.example.com:2222/g/s/b",
                "https://gitlab.example.com/g/s/b/-/blob/abc123/data/common.yaml#L7",
            ),
            ("https://codeberg.org/a/b/", "https://codeberg.org/a/b/src/commit/abc123/data/common.yaml#L7"),
            ("git@bitbucket.org:a/b.git", "https://bitbucket.org/a/b/src/abc123/data/common.yaml#lines-7"),
            (
                "https://u:p@gitlab.local.net:8443/a/b",
                "https://gitlab.local.net:8443/a/b/-/blob/abc123/data/common.yaml#L7",
            ),
        ] {
            assert_eq!(at(remote).as_deref(), Some(address), "{remote}");
        }
    }

    #[test]
    fn unknown_and_hostile_remotes_lead_nowhere() {
        for remote in [
            "/srv/git/control.git",
            "file:///srv/github.com/a/b",
            "https://git.example.com/a/b",
            "https://github.com/a",
            "https://github.com/a/../b",
            "https://github.com/a/b\" onload=\"x",
            "https://github.com)[x](/a/b",
            "javascript:github.com/a/b",
            "https://notgithub.com/a/b",
        ] {
            assert_eq!(at(remote), None, "{remote}");
        }
        assert_eq!(ForgeLinks::new(["https://github.com/a/b"], "main"), None);
        let links = ForgeLinks::new(["https://github.com/a/b"], "abc123").unwrap();
        assert_eq!(links.line("a)](x\n\".yaml", 1), "https://github.com/a/b/blob/abc123/a%29%5D%28x%0A%22.yaml#L1");
    }
}
