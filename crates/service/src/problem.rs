//! [`Problem`]: the error of a request, as `application/problem+json` (RFC 9457).

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use hieratic::value::ids::TooManyIds;
use serde::Serialize;
#[cfg(test)]
use utoipa::ToSchema;

/// The error of a request.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub(crate) struct Problem {
    /// The status, as the answer's head has it.
    pub(crate) status: u16,
    /// The status in words.
    pub(crate) title: String,
    /// An explanation of this occurrence of the problem.
    pub(crate) detail: String,
    /// A suggestion to fix it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) help: Option<String>,
    #[serde(skip)]
    #[cfg_attr(test, schema(ignore))]
    retry: bool,
    /// Suggested names, with the addresses of their pages.
    #[serde(skip)]
    #[cfg_attr(test, schema(ignore))]
    pub(crate) suggestions: Vec<(String, String)>,
    /// The environment and the node that were asked for, which stay in the form of the page.
    #[serde(skip)]
    #[cfg_attr(test, schema(ignore))]
    pub(crate) selection: Option<Box<(String, String)>>,
}

impl Problem {
    pub(crate) fn new(status: StatusCode, detail: impl Into<String>) -> Problem {
        Problem {
            status: status.as_u16(),
            title: status.canonical_reason().unwrap_or("Error").into(),
            detail: detail.into(),
            help: None,
            retry: false,
            suggestions: Vec::new(),
            selection: None,
        }
    }

    pub(crate) fn bad_request(detail: impl Into<String>) -> Problem {
        Problem::new(StatusCode::BAD_REQUEST, detail)
    }

    pub(crate) fn not_found(detail: impl Into<String>) -> Problem {
        Problem::new(StatusCode::NOT_FOUND, detail)
    }

    /// Something that another try may not meet.
    pub(crate) fn unavailable(detail: impl Into<String>) -> Problem {
        Problem { retry: true, ..Problem::new(StatusCode::SERVICE_UNAVAILABLE, detail) }
    }

    pub(crate) fn help(self, help: impl Into<String>) -> Problem {
        Problem { help: Some(help.into()), ..self }
    }

    /// Returns the advice for the page. Advice about requests of programs is left out.
    pub(crate) fn page_help(&self) -> Option<&str> {
        self.help.as_deref().filter(|help| !help.contains("GET /") && !help.contains("send `facts`"))
    }

    /// Returns the problem for an error of the configuration or the facts, which prevents any lookup.
    pub(crate) fn of_error(status: StatusCode, error: &hieratic::Error) -> Problem {
        let problem = Problem::new(status, error.to_string());
        match error.help_text() {
            Some(help) => problem.help(help),
            None => problem,
        }
    }
}

impl From<TooManyIds> for Problem {
    fn from(error: TooManyIds) -> Problem {
        Problem::new(StatusCode::INSUFFICIENT_STORAGE, format!("the index of all nodes is full: {error}"))
            .help("divide the nodes among several environments")
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        // Strings and numbers can always be serialized.
        let body = serde_json::to_vec(&self).unwrap_or_default();
        let mut response = (status, body).into_response();
        response.extensions_mut().insert(self.clone());
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        if self.retry {
            headers.insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
        }
        if status == StatusCode::UNAUTHORIZED {
            headers.append(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer realm=\"hieratic\""));
            headers.append(header::WWW_AUTHENTICATE, HeaderValue::from_static("Basic realm=\"hieratic\""));
        }
        response
    }
}
