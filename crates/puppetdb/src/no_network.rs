//! [`Client`] of a build without a network: a program in a browser has no sockets.

use std::fmt::Display;
use std::io::{Empty, Read};
use std::path::PathBuf;
use std::time::Duration;

use hieratic::{Error, ErrorKind, Facts};

use crate::codes;

/// The address of PuppetDB, and the credentials.
#[derive(Clone, Debug)]
pub struct PuppetDb {
    /// The URL, such as `http://localhost:8080`. It may contain a name and a password.
    pub url: String,
    /// The CA certificate for PuppetDB in PEM format. By default, those that browsers trust.
    pub ca: Option<PathBuf>,
    /// The client certificate and its key, in PEM format.
    pub identity: Option<(PathBuf, PathBuf)>,
}

/// A client of PuppetDB, which cannot be created.
#[derive(Clone, Debug)]
pub enum Client {}

impl Client {
    /// Returns an error, because there is no network.
    ///
    /// # Errors
    /// Always.
    pub fn new(_: &PuppetDb) -> Result<Client, Error> {
        let message = "cannot query PuppetDB: this build of hieratic has no network";
        Err(Error::new(ErrorKind::Fatal, codes::PUPPETDB, message).help("name files of facts with --facts or --nodes"))
    }

    /// Returns the URL without credentials.
    pub fn url(&self) -> &str {
        match *self {}
    }

    /// Returns the facts of a node.
    ///
    /// # Errors
    /// Never called, because there is no client.
    pub fn facts(&self, _: &str) -> Result<Option<(Facts, u64)>, Error> {
        match *self {}
    }

    /// Returns the names of the active nodes, sorted.
    ///
    /// # Errors
    /// Never called, because there is no client.
    pub fn names(&self) -> Result<Vec<String>, Error> {
        match *self {}
    }

    pub(crate) fn read(&self, _: &str, _: Duration, _: u64) -> Result<Option<Vec<u8>>, Error> {
        match *self {}
    }

    pub(crate) fn stream(&self, _: &str, _: Duration, _: u64) -> Result<Option<impl Read + use<>>, Error> {
        let none: Result<Option<Empty>, Error> = match *self {};
        none
    }

    pub(crate) fn unexpected_response(&self, _: &str) -> Error {
        match *self {}
    }
}

/// Escapes a string as a path segment or a parameter of a URL, which is never requested.
pub(crate) fn escaped(text: &str) -> impl Display {
    text.escape_default()
}
