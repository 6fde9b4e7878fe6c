//! The newest release, from the page of releases.

use hieratic::puppet_types::quantities::SemVer;

/// The name of the client in the request.
pub(super) const USER_AGENT: &str = "hieratic";

/// Asks a page for the newest release. It answers with a redirect to the page of that release, whose name is the tag: nothing else is
/// read of the answer, and the redirect is not followed.
pub(super) fn newest(from: &str) -> Result<SemVer, String> {
    let location = ask(from)?;
    version_of(&location).ok_or_else(|| format!("{from} does not lead to a release"))
}

/// The version that the address of a release ends with, as in `https://example.com/releases/tag/v1.2.3`.
fn version_of(location: &str) -> Option<SemVer> {
    let tag = location.rsplit('/').next()?;
    SemVer::parse(tag.strip_prefix('v').unwrap_or(tag)).ok().filter(SemVer::is_stable)
}

/// The three numbers of a release. An addition of the server after a plus sign is left out.
pub(super) fn shown(release: &SemVer) -> String {
    format!("{}.{}.{}", release.major, release.minor, release.patch)
}

/// A program in a browser has no sockets.
#[cfg(target_os = "wasi")]
fn ask(from: &str) -> Result<String, String> {
    Err(format!("{from} cannot be asked: this build of hieratic has no network"))
}

/// The address that a page redirects to.
#[cfg(not(target_os = "wasi"))]
fn ask(from: &str) -> Result<String, String> {
    let config =
        ureq::Agent::config_builder().timeout_global(Some(TIMEOUT)).max_redirects(0).user_agent(USER_AGENT).build();
    let response = ureq::Agent::from(config).get(from).call().map_err(|error| match error {
        ureq::Error::StatusCode(status) => format!("{from} answers with status {status}"),
        ureq::Error::Timeout(_) => format!("{from} took longer than {} seconds", TIMEOUT.as_secs()),
        other => format!("{from} cannot be asked: {other}"),
    })?;
    let location = response.headers().get("location").and_then(|location| location.to_str().ok());
    location.map(str::to_owned).ok_or_else(|| format!("{from} does not lead to a release"))
}

/// The time limit for an answer.
#[cfg(not(target_os = "wasi"))]
const TIMEOUT: std::time::Duration = std::time::Duration::from_secs(10);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tag_is_the_last_part_of_the_address() {
        let version = |location: &str| version_of(location).as_ref().map(shown);
        for location in ["https://example.com/releases/tag/v1.2.3", "/tag/1.2.3", "v1.2.3", "a/v1.2.3+evil.build"] {
            assert_eq!(version(location).as_deref(), Some("1.2.3"), "{location}");
        }
        for location in [
            "",
            "/",
            "https://example.com/releases",
            "v1.2",
            "v1.2.3/",
            "v1.2.3-rc.1",
            "v1.2.99999999999999999999",
            "v\u{1b}[1m",
        ] {
            assert_eq!(version(location), None, "{location}");
        }
    }
}
