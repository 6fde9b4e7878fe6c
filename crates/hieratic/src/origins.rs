//! [`origins`]: the files and lines that the parts of a value come from.

use hieratic_hiera::Origin;

use crate::leaves::{PathStep, visit_leaves};
use crate::{Error, Node, Query, Redactor, Value};

/// A leaf of a value with its origin. Unlike an [`Object`], it can be sent to another thread.
#[derive(Clone, Debug)]
pub struct OriginRow {
    /// The path: keys and indexes.
    pub path: Vec<Value>,
    /// The value, with secrets redacted.
    pub value: Value,
    /// The origin of the value.
    pub origin: Option<Origin>,
    /// Whether a part of the value is redacted.
    pub secret: bool,
}

/// Looks up a value, and returns its leaves with their origins: scalars, and arrays and hashes that are empty or secret as a whole.
/// The environment needs [positions](crate::Settings::positions) for their lines.
///
/// ```
/// use hieratic::lookup::{Origin, origins};
/// use hieratic::{Environment, Facts, Query, Redactor, Settings};
///
/// let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/control-repo");
/// let environment = Environment::open(&Settings { positions: true, ..Settings::discover(root.as_ref()) })?;
/// let redactor = Redactor::new(environment.secrets(), false);
/// let node = environment.node(&Facts::named("web01.example.com"))?;
/// // An answer is data: another thread may have it.
/// let rows = std::thread::spawn(move || origins(&node, &Query::new("profile::base::packages"), &redactor));
/// let rows = rows.join().unwrap()?;
/// let places: Vec<String> = rows
///     .iter()
///     .map(|row| match &row.origin {
///         Some(Origin::File { file, line, .. }) => format!("{}:{line}", file.file_name().unwrap().display()),
///         _ => "elsewhere".to_owned(),
///     })
///     .collect();
/// assert_eq!(places, ["common.yaml:14", "common.yaml:15"]);
/// # Ok::<(), hieratic::Error>(())
/// ```
///
/// # Errors
/// The lookup fails.
pub fn origins(node: &Node, query: &Query<'_>, redactor: &Redactor) -> Result<Vec<OriginRow>, Error> {
    let answer = node.lookup_traced(query)?;
    let step = |step: PathStep<'_>| match step {
        PathStep::Index(index) => Value::from(index),
        PathStep::Key(key) => redactor.marked(key),
    };
    let mut rows = Vec::new();
    visit_leaves(&answer.value, redactor.reveals(), step, |path, leaf| {
        rows.push(OriginRow {
            path: path.to_vec(),
            value: redactor.answer(leaf),
            origin: leaf.origin().cloned(),
            secret: !redactor.reveals() && leaf.has_hidden(),
        });
    });
    Ok(rows)
}
