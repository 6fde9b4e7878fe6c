//! Lookups with requests and answers as JSON objects.
//!
//! A request has `method` (`lookup`, `why` or `keys`), `key`, and the options `node`, `facts`, `merge`, `default`,
//! `type` and `limits`. The control repository is the one around the working folder. An answer has `value`, or `error`
//! with its `code`, `message`, `file`, `line`, `column` and `help`.

use std::io::{self, Read, Write};
use std::path::Path;

use hieratic::budget::Budget;
use hieratic::diagnostics::Diagnose as _;
use hieratic::explain::reasons;
use hieratic::{
    Environment, Error, ErrorKind, Facts, Hash, Limits, Node, Permissions, Query, Redactor, Settings, Strategy, Value,
    codes, json,
};

/// The largest request, in bytes.
const MAX_REQUEST: u64 = 16 << 20;

/// The names that a request may have.
const NAMES: [&str; 8] = ["method", "key", "node", "facts", "merge", "default", "type", "limits"];

/// Answers the request on a stream, about the control repository of the working folder.
///
/// # Errors
/// The request cannot be read, or the answer cannot be written.
pub fn answer_stream(input: &mut impl Read, output: &mut impl Write) -> io::Result<()> {
    let mut request = Vec::new();
    input.take(MAX_REQUEST).read_to_end(&mut request)?;
    let folder = std::env::current_dir()?;
    output.write_all(answer(&folder, &request).as_bytes())?;
    output.flush()
}

/// Answers a request about the control repository that a folder is in.
pub fn answer(folder: &Path, request: &[u8]) -> String {
    let answered = object(request).and_then(|request| Request(request).answer(folder));
    let answer = match answered {
        Ok(value) => ("value", value),
        Err(RequestError(error)) => ("error", error),
    };
    let text = hieratic_output::json(&[answer].into_iter().collect::<Hash>().into());
    text.unwrap_or_else(|error| format!("{{\"error\":{{\"message\":\"{}\"}}}}", error.to_string().escape_default()))
}

/// An error as a value, without secrets.
struct RequestError(Value);

impl RequestError {
    fn new(error: &Error, redactor: &Redactor) -> RequestError {
        let mut pairs = vec![
            ("code", Value::from(error.code().id())),
            ("message", redactor.message(&error.to_string()).into_owned().into()),
        ];
        if let Some(place) = error.place() {
            pairs.push(("file", place.file.display().to_string().into()));
            pairs.extend(place.line.map(|line| ("line", i64::from(line).into())));
            pairs.extend(place.column.map(|column| ("column", i64::from(column).into())));
        }
        let help = error.diagnose().into_iter().flat_map(|one| redactor.diagnostic(&one).help).map(Value::from);
        pairs.push(("help", help.collect::<Vec<_>>().into()));
        RequestError(pairs.into_iter().collect::<Hash>().into())
    }

    fn usage(message: impl Into<String>) -> RequestError {
        RequestError::new(&Error::new(ErrorKind::Fatal, codes::USAGE, message), &Redactor::default())
    }
}

fn object(text: &[u8]) -> Result<Hash, RequestError> {
    match json::parse(text) {
        Ok(Value::Hash(hash)) => Ok(hash),
        Ok(_) => Err(RequestError::usage("a request is an object")),
        Err(error) => Err(RequestError::usage(format!("the request is not JSON: {error}"))),
    }
}

struct Request(Hash);

impl Request {
    fn get(&self, name: &str) -> Option<&Value> {
        self.0.get(name).filter(|value| !matches!(value, Value::Undef))
    }

    fn text(&self, name: &str) -> Result<Option<&str>, RequestError> {
        match self.get(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(RequestError::usage(format!("'{name}' is not a string"))),
        }
    }

    fn needed(&self, name: &str) -> Result<&str, RequestError> {
        self.text(name)?.ok_or_else(|| RequestError::usage(format!("the request has no '{name}'")))
    }

    fn hash(&self, name: &str) -> Result<Hash, RequestError> {
        match self.get(name) {
            None => Ok(Hash::default()),
            Some(Value::Hash(hash)) => Ok(hash.clone()),
            Some(_) => Err(RequestError::usage(format!("'{name}' is not an object"))),
        }
    }

    fn limits(&self) -> Result<Limits, RequestError> {
        let mut limits = Limits::default();
        for (name, value) in self.hash("limits")?.iter() {
            let (name, value) = (name.to_text(), value.to_text());
            limits.set(&format!("{name}={value}")).map_err(RequestError::usage)?;
        }
        Ok(limits)
    }

    fn query(&self) -> Result<Query<'_>, RequestError> {
        let mut query = Query {
            default: self.0.get("default").cloned(),
            budget: Budget::new(self.limits()?),
            ..Query::new(self.needed("key")?)
        };
        if let Some(merge) = self.get("merge") {
            query.merge =
                Some(Strategy::parse(merge).map_err(|error| RequestError::new(&error, &Redactor::default()))?);
        }
        if let Some(text) = self.text("type")? {
            let parsed = hieratic::puppet_types::parse(text);
            query.value_type = Some(parsed.map_err(|error| RequestError::usage(format!("'type': {error}")))?);
        }
        Ok(query)
    }

    fn answer(&self, folder: &Path) -> Result<Value, RequestError> {
        if let Some((name, _)) = self.0.iter().find(|(name, _)| !NAMES.contains(&name.to_text().as_str())) {
            return Err(RequestError::usage(format!("a request has no '{}'", name.to_text())));
        }
        let method = self.needed("method")?;
        let settings = Settings {
            positions: method == "why",
            limits: self.limits()?,
            permissions: Permissions { confined: true, ..Permissions::default() },
            ..Settings::discover(folder)
        };
        let environment =
            Environment::open(&settings).map_err(|error| RequestError::new(&error, &Redactor::default()))?;
        let redactor = Redactor::new(environment.secrets(), false);
        self.ask(method, &environment, &redactor).map_err(|error| match error {
            AnswerError::Lookup(error) => RequestError::new(&error, &redactor),
            AnswerError::Request(refused) => refused,
        })
    }

    fn ask(&self, method: &str, environment: &Environment, redactor: &Redactor) -> Result<Value, AnswerError> {
        let mut facts = match self.text("node")? {
            Some(name) => Facts::named(name),
            None => Facts::new(None, Hash::default()),
        };
        facts.merge(&self.hash("facts")?);
        let node: Node = environment.node(&facts)?;
        match method {
            "lookup" => Ok(redactor.marked(&node.lookup_redacted(&self.query()?)?)),
            "why" => Ok(reasons(&node.why(&self.query()?), redactor)),
            "keys" => Ok(environment.keys(&node)?.into_iter().map(Value::from).collect::<Vec<_>>().into()),
            other => {
                Err(RequestError::usage(format!("unknown method '{other}': the methods are lookup, why and keys"))
                    .into())
            }
        }
    }
}

/// The reason why a request has no answer.
enum AnswerError {
    Lookup(Error),
    Request(RequestError),
}

impl From<Error> for AnswerError {
    fn from(error: Error) -> AnswerError {
        AnswerError::Lookup(error)
    }
}

impl From<RequestError> for AnswerError {
    fn from(refused: RequestError) -> AnswerError {
        AnswerError::Request(refused)
    }
}
