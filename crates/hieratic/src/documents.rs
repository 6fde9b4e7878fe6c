//! Documents with merge directives, and the files and pages that they include.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Duration;

use hieratic_budget::Budget;
use hieratic_directives::{File, Files, LocalFiles, ReadFault};
use hieratic_sandbox::{self as powers, Mounted};

use crate::permissions::Permissions;
use crate::project::Project;
use crate::settings::Settings;

/// The time limit for a page.
const TIMEOUT: Duration = Duration::from_secs(30);

/// The maximum size of a page, in bytes.
const LARGEST_PAGE: u64 = 16 << 20;

/// The files and pages that a document may include.
///
/// ```
/// use hieratic::directives::{Document, Options, expand};
/// use hieratic::documents::IncludedFiles;
/// use hieratic::Permissions;
///
/// let folder = std::path::Path::new(".");
/// let document = Document::parse("a: {x: 1}\nb: {+/a: , y: 2}\n", "main.yaml", folder)?;
/// let expanded = expand(&document, &mut IncludedFiles::new(folder, Permissions::default()), &Options::default())?;
/// assert_eq!(expanded.to_value().inspect(), r#"{"a"=>{"x"=>1}, "b"=>{"y"=>2, "x"=>1}}"#);
/// # Ok::<(), hieratic::directives::Failure>(())
/// ```
#[derive(Debug)]
pub struct IncludedFiles {
    local: LocalFiles,
    network: bool,
    /// The project whose repositories can be included from; `None` for the file of a project itself.
    project: Option<Project>,
}

impl IncludedFiles {
    /// Creates the files of a document in a folder, and of the Unfurl project around it.
    pub fn new(folder: &Path, access: Permissions) -> IncludedFiles {
        IncludedFiles::with_settings(folder, &Settings { permissions: access, ..Settings::default() })
    }

    /// Creates the files with the permissions of the settings and with the [tree](Settings::tree) that they mount.
    pub fn with_settings(folder: &Path, settings: &Settings) -> IncludedFiles {
        let access = settings.permissions;
        let project = Project::around(folder, access, settings.tree.as_ref(), &Budget::new(settings.limits));
        let within = powers::Files::below(project.folders());
        let files = if access.outside { powers::Files::anywhere() } else { within };
        let local = LocalFiles::from_files(settings.mounted(files));
        IncludedFiles { local, network: access.network, project: Some(project) }
    }

    /// Creates the files of a folder only.
    pub(crate) fn of_folder(folder: &Path, access: Permissions, tree: Option<&Mounted>) -> IncludedFiles {
        let files = if access.outside { powers::Files::anywhere() } else { powers::Files::below([folder]) };
        let local = LocalFiles::from_files(Mounted::over(tree, files));
        IncludedFiles { local, network: access.network, project: None }
    }

    /// Returns whether the environment of the document's project declares a repository with this name.
    ///
    /// # Errors
    ///
    /// The file of the project cannot be read.
    pub fn declares(&self, name: &str) -> Result<bool, ReadFault> {
        self.project.as_ref().map_or(Ok(false), |project| project.declares(name))
    }
}

impl Files for IncludedFiles {
    fn repository(&mut self, name: &str, address: Option<&str>, folder: &Path) -> Result<PathBuf, ReadFault> {
        match &self.project {
            Some(project) => project.repository(name, address, folder),
            None => Err(ReadFault {
                message: format!("the file of a project cannot include from the repository '{name}'"),
                help: None,
                absent: false,
            }),
        }
    }

    fn read(&mut self, name: &str, folder: &Path) -> Result<File, ReadFault> {
        if !(name.starts_with("http://") || name.starts_with("https://")) {
            return self.local.read(name, folder);
        }
        if !self.network {
            return Err(ReadFault {
                message: format!("'{name}' is on the network"),
                help: Some("pass --allow-network to fetch it".to_owned()),
                absent: false,
            });
        }
        match fetch(name) {
            Ok(text) => Ok(File { name: name.to_owned(), identity: name.to_owned(), folder: None, text }),
            Err(message) => Err(ReadFault { absent: message.starts_with("HTTP Error 404"), message, help: None }),
        }
    }
}

/// A program in a browser has no sockets.
#[cfg(target_os = "wasi")]
fn fetch(address: &str) -> Result<String, String> {
    Err(format!("'{address}' cannot be fetched: this build of hieratic has no network"))
}

#[cfg(not(target_os = "wasi"))]
fn fetch(address: &str) -> Result<String, String> {
    let agent: ureq::Agent = ureq::Agent::config_builder().timeout_global(Some(TIMEOUT)).build().into();
    let response = agent.get(address).call().map_err(|error| match error {
        ureq::Error::StatusCode(status) => format!("HTTP Error {status}: the server does not give '{address}'"),
        ureq::Error::Timeout(_) => format!("'{address}' took longer than {} seconds", TIMEOUT.as_secs()),
        other => format!("'{address}' cannot be fetched: {other}"),
    })?;
    let mut bytes = Vec::new();
    let reader = response.into_body().into_reader();
    let read = reader.take(LARGEST_PAGE + 1).read_to_end(&mut bytes);
    read.map_err(|error| format!("'{address}' cannot be fetched: {error}"))?;
    if bytes.len() as u64 > LARGEST_PAGE {
        return Err(format!("'{address}' is larger than {LARGEST_PAGE} bytes"));
    }
    String::from_utf8(bytes).map_err(|_| format!("'{address}' is not valid UTF-8"))
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::net::TcpListener;

    use super::*;

    /// Serves one page and ends.
    fn serve(answer: &'static str) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}/a.yaml", listener.local_addr().unwrap());
        std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let _ = stream.read(&mut [0; 1024]);
            stream.write_all(answer.as_bytes()).unwrap();
        });
        address
    }

    #[test]
    fn a_page_is_fetched_only_if_that_is_allowed() {
        let address = serve("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nx: 1\n");
        let folder = Path::new(".");
        let refused = IncludedFiles::new(folder, Permissions::default()).read(&address, folder).unwrap_err();
        assert!(refused.help.unwrap_or_default().contains("--allow-network"));
        let access = Permissions { network: true, ..Permissions::default() };
        let page = IncludedFiles::new(folder, access).read(&address, folder).unwrap();
        assert_eq!(page.text, "x: 1\n");
        assert_eq!(page.folder, None);
    }

    #[test]
    fn a_page_that_is_not_there_says_so() {
        let address = serve("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
        let access = Permissions { network: true, ..Permissions::default() };
        let error = IncludedFiles::new(Path::new("."), access).read(&address, Path::new(".")).unwrap_err();
        assert!(error.message.starts_with("HTTP Error 404"), "{}", error.message);
    }
}
