//! [`CatalogAnswer`]: the answer to a request for a catalog.

use std::time::Duration;

use hieratic_hiera::Error;
use hieratic_output::json;
use hieratic_puppet_eval::{CompiledCatalog, DataForm, Log};
use hieratic_value::{Hash, Str, Value};

use super::request::InvalidRequest;
use crate::codes;

/// The answer to a request: a catalog, or errors. Secrets are redacted.
#[derive(Clone, Debug, Default)]
pub struct CatalogAnswer {
    /// The id of the request.
    pub id: Value,
    /// The catalog.
    pub catalog: Option<CompiledCatalog>,
    /// The resources of each dependency cycle. An agent does not apply a catalog with cycles.
    pub cycles: Vec<Vec<String>>,
    /// The messages of code, and the warnings of the language, in order.
    pub logs: Vec<Log>,
    /// The errors.
    pub errors: Vec<CatalogError>,
    /// The time that the answer took.
    pub time: Duration,
    /// The form of values in [`to_json`](Self::to_json) that JSON cannot represent.
    pub values: DataForm,
}

/// An error that prevents a catalog.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CatalogError {
    /// The message of the reference, with the position and the node.
    pub message: String,
    /// The code of the error.
    pub code: String,
    /// The file.
    pub file: Option<Str>,
    /// The line.
    pub line: Option<u32>,
    /// The column.
    pub column: Option<u32>,
    /// The help.
    pub help: Option<String>,
    /// Whether the cause is Hieratic and not the code: a limit, or an unsupported feature.
    pub is_limitation: bool,
}

impl CatalogAnswer {
    /// Creates the answer to a request that fails before its compilation.
    pub fn refused(id: Value, error: &Error) -> CatalogAnswer {
        let help = error.help_text().map(str::to_owned);
        let error = CatalogError {
            message: error.to_string(),
            code: error.code().to_string(),
            help,
            ..CatalogError::default()
        };
        CatalogAnswer { id, errors: vec![error], ..CatalogAnswer::default() }
    }

    /// Creates the answer to an invalid request.
    pub fn invalid(invalid: &InvalidRequest) -> CatalogAnswer {
        CatalogAnswer::refused(invalid.id.clone(), &invalid.error)
    }

    /// Returns the answer as one line of JSON, without the newline.
    pub fn to_json(&self) -> String {
        let catalog = match &self.catalog {
            Some(catalog) => json(catalog.document_in(self.values).0.tree()),
            None => Ok("null".to_owned()),
        };
        // Values that JSON cannot express: a number that is not one, or more than 100 levels.
        let (catalog, inexpressible) = match catalog {
            Ok(catalog) => (catalog, None),
            Err(error) => ("null".to_owned(), Some(error.to_string())),
        };
        let mut errors: Vec<Value> = self.errors.iter().map(CatalogError::to_value).collect();
        errors.extend(inexpressible.map(|reason| {
            let message = format!("the catalog cannot be written as JSON: {reason}");
            let code = codes::CATALOG_REQUEST.to_string();
            CatalogError { message, code, is_limitation: true, ..CatalogError::default() }.to_value()
        }));
        let cycles: Vec<Value> =
            self.cycles.iter().map(|cycle| cycle.iter().map(|one| Value::from(one.as_str())).collect()).collect();
        let logs: Vec<Value> = self.logs.iter().map(log_value).collect();
        let rest: Hash = [
            ("cycles", Value::from(cycles)),
            ("warnings", logs.into()),
            ("errors", errors.into()),
            ("milliseconds", Value::Float((self.time.as_secs_f64() * 1e6).round() / 1e3)),
        ]
        .into_iter()
        .collect();
        let whole = |value: &Value| json(value).unwrap_or_else(|_| "null".to_owned());
        let id = whole(&self.id);
        // Messages are strings, and JSON expresses all of them.
        let rest = whole(&rest.into());
        format!("{{\"id\":{id},\"catalog\":{catalog},{}", rest.get(1..).unwrap_or("}"))
    }
}

impl CatalogError {
    fn to_value(&self) -> Value {
        let number = |number: Option<u32>| number.map_or(Value::Undef, |number| i64::from(number).into());
        let fields: Hash = [
            ("message", Value::from(self.message.as_str())),
            ("code", self.code.as_str().into()),
            ("file", self.file.as_deref().map_or(Value::Undef, Value::from)),
            ("line", number(self.line)),
            ("column", number(self.column)),
            ("help", self.help.as_deref().map_or(Value::Undef, Value::from)),
            ("limitation", self.is_limitation.into()),
        ]
        .into_iter()
        .collect();
        fields.into()
    }
}

fn log_value(log: &Log) -> Value {
    let site = log.site.as_ref();
    let number = |number: Option<u32>| {
        number.filter(|number| *number > 0).map_or(Value::Undef, |number| i64::from(number).into())
    };
    let fields: Hash = [
        ("level", Value::from(log.level.name())),
        ("message", log.text().into()),
        ("source", log.source.as_str().into()),
        ("file", site.and_then(|site| site.file.as_deref()).map_or(Value::Undef, Value::from)),
        ("line", number(site.map(|site| site.line))),
        ("column", number(site.map(|site| site.column))),
    ]
    .into_iter()
    .collect();
    fields.into()
}
