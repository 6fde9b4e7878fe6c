//! [`File`]: a path with properties. The file is read only when its contents are used, if it may be read.

use std::path::Path;

use hieratic_sandbox::{Denied, DeniedReason, Outside};
use hieratic_value::{Rich, Str, Value};

use crate::ExpressionError;
use crate::paths::{self, join, normal};
use crate::shared::Shared;

/// A path with more to ask of it.
#[derive(Clone, Debug)]
pub(crate) struct File {
    /// The path as it was given, or computed.
    pub(crate) path: Str,
    /// The folder that a relative path starts from.
    pub(crate) folder: Str,
    /// The encoding of the contents; `None` for paths without access to them.
    pub(crate) encoding: Option<Encoding>,
}

/// The conversion of the bytes to a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    Text(Str),
    Binary,
}

impl File {
    /// Returns the absolute path of a path below a named folder.
    ///
    /// <https://docs.unfurl.run/expressions.html#abspath>
    pub(crate) fn absolute(path: &str, folder: Option<&str>, shared: &Shared) -> Result<File, ExpressionError> {
        let full =
            if path.starts_with('/') { path.to_owned() } else { join(&paths::folder(&shared.base, folder)?, path) };
        Ok(File { path: normal(&full).into(), folder: "".into(), encoding: None })
    }

    /// Returns a property of a path: `path`, and of a file `contents` and `encoding`.
    ///
    /// <https://docs.unfurl.run/expressions.html#file>
    pub(crate) fn entry(&self, key: &Value, shared: &Shared) -> Result<Option<Value>, ExpressionError> {
        Ok(match (key.as_str(), &self.encoding) {
            (Some("path"), _) => Some(self.full().into()),
            (Some("encoding"), Some(Encoding::Text(name))) => Some(Value::String(name.clone())),
            (Some("encoding"), Some(Encoding::Binary)) => Some("binary".into()),
            (Some("contents"), Some(encoding)) => {
                let bytes = read(&self.full(), shared)?;
                Some(match (String::from_utf8(bytes), encoding) {
                    (Ok(text), Encoding::Text(_)) => text.into(),
                    (Ok(text), Encoding::Binary) => Rich::Binary(text.into_bytes()).into(),
                    (Err(error), _) => Rich::Binary(error.into_bytes()).into(),
                })
            }
            _ => None,
        })
    }

    fn full(&self) -> String {
        normal(&join(&self.folder, &self.path))
    }
}

/// Reads a file if it may be read.
pub(crate) fn read(path: &str, shared: &Shared) -> Result<Vec<u8>, ExpressionError> {
    let refused = |cause: &str| {
        ExpressionError::new(format!("the file '{path}' cannot be read: {cause}"))
            .help("files can only be read in the base folder, and only with permission")
    };
    let failed = |error: std::io::Error| ExpressionError::new(format!("the file '{path}' cannot be read: {error}"));
    let files = &shared.files;
    if files.trees().is_empty() && files.outside() == Outside::Never {
        return Err(refused("reading files is not allowed"));
    }
    let bytes = files.read(Path::new(path)).map_err(|error| match Denied::from_error(&error).map(Denied::reason) {
        Some(DeniedReason::Outside { .. }) => refused("it is outside of the base folder"),
        Some(DeniedReason::NotRegular) => refused("it is not a regular file"),
        Some(DeniedReason::TooLarge(limit)) => refused(&format!("it is larger than {limit} bytes")),
        None => failed(error),
    })?;
    shared.bytes(bytes.len())?;
    Ok(bytes)
}
