//! [`line_template`]: the address of a line at a forge, from the remote of a repository.

use hieratic_git::Repository;

/// Returns the template of the address of a line, with `{path}` and `{line}` in it; `None` if no remote is at a known forge.
pub(crate) fn line_template(repository: &Repository) -> Option<String> {
    let branch = repository.head_branch().ok().flatten();
    repository.remote_urls().find_map(|url| template_of(url, branch.as_deref()))
}

/// The software of a forge, which decides the form of its addresses.
#[derive(Clone, Copy)]
enum Forge {
    GitHub,
    GitLab,
    Gitea,
    Bitbucket,
}

fn template_of(url: &str, branch: Option<&str>) -> Option<String> {
    let (host, path) = host_and_path(url)?;
    let forge = forge_at(&host)?;
    // A local branch may be called otherwise at the forge, where the default branch is always there.
    let branch = branch.filter(|name| name.chars().all(|c| c.is_ascii_alphanumeric() || "._-/".contains(c)));
    Some(match forge {
        Forge::GitHub => format!("https://{host}/{path}/blob/{}/{{path}}#L{{line}}", branch.unwrap_or("HEAD")),
        Forge::GitLab => format!("https://{host}/{path}/-/blob/{}/{{path}}#L{{line}}", branch.unwrap_or("HEAD")),
        Forge::Gitea => format!("https://{host}/{path}/src/branch/{}/{{path}}#L{{line}}", branch?),
        Forge::Bitbucket => format!("https://{host}/{path}/src/{}/{{path}}#lines-{{line}}", branch.unwrap_or("HEAD")),
    })
}

/// The forge at a host, by its name: that is all that is known without asking it.
fn forge_at(host: &str) -> Option<Forge> {
    let host = host.split(':').next()?;
    let has = |word: &str| host.split('.').any(|label| label.contains(word));
    match host {
        "codeberg.org" => Some(Forge::Gitea),
        "salsa.debian.org" | "invent.kde.org" => Some(Forge::GitLab),
        _ if has("github") => Some(Forge::GitHub),
        _ if has("gitlab") => Some(Forge::GitLab),
        _ if has("gitea") || has("forgejo") => Some(Forge::Gitea),
        _ if host == "bitbucket.org" => Some(Forge::Bitbucket),
        _ => None,
    }
}

/// Divides the URL of a remote into the host, without a user or password, and the path, without `.git`.
fn host_and_path(url: &str) -> Option<(String, String)> {
    let (authority, path) = match url.split_once("://") {
        Some(("https" | "http" | "ssh" | "git", rest)) => rest.split_once('/')?,
        Some(_) => return None,
        // The short form of SSH: `git@host:path`.
        None => url.split_once(':')?,
    };
    let host = authority.rsplit('@').next()?.to_ascii_lowercase();
    let is_web = url.starts_with("http");
    // The port of SSH is not that of the web.
    let host = if is_web { host } else { host.split(':').next()?.to_string() };
    let is_host = |c: char| c.is_ascii_alphanumeric() || ".-:".contains(c);
    let path = path.trim_matches('/').trim_end_matches(".git");
    let is_path = |c: char| c.is_ascii_alphanumeric() || "._-/~".contains(c);
    let is_fine = !host.is_empty() && host.contains('.') && host.chars().all(is_host) && path.chars().all(is_path);
    let has_folders = path.split('/').count() >= 2 && path.split('/').all(|part| !part.is_empty() && part != "..");
    (is_fine && has_folders).then(|| (host, path.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remotes_lead_to_their_forges() {
        let of = |url: &str| template_of(url, Some("main"));
        for (url, expected) in [
            ("https://github.com/a/b.git", "https://github.com/a/b/blob/main/{path}#L{line}"),
            ("git@github.com:a/b.git", "https://github.com/a/b/blob/main/{path}#L{line}"),
            (
                "ssh://git@gitlab.example.com:2222/g/s/b.git",
                "https://gitlab.example.com/g/s/b/-/blob/main/{path}#L{line}",
            ),
            ("https://codeberg.org/a/b", "https://codeberg.org/a/b/src/branch/main/{path}#L{line}"),
            ("https://bitbucket.org/a/b/", "https://bitbucket.org/a/b/src/main/{path}#lines-{line}"),
        ] {
            assert_eq!(of(url).as_deref(), Some(expected), "{url}");
        }
        // Passwords are not part of a link.
        let link = of("https://user:secret@github.com/a/b").unwrap();
        assert!(!link.contains("secret") && !link.contains("user"), "{link}");
    }

    #[test]
    fn unknown_and_hostile_remotes_lead_nowhere() {
        for url in [
            "/srv/git/control.git",
            "https://git.example.com/a/b",
            "file:///srv/github.com/a/b",
            "https://github.com/a",
            "https://github.com/a/../b",
            "https://github.com\"onload=/a/b",
            "javascript:github.com/a/b",
            "https://github.com/a/b\" onload=\"x",
        ] {
            assert_eq!(template_of(url, Some("main")), None, "{url}");
        }
        assert_eq!(template_of("https://gitea.example.com/a/b", None), None);
        let detached = template_of("https://github.com/a/b", Some("we ird")).unwrap();
        assert!(detached.contains("/blob/HEAD/"), "{detached}");
    }
}
