//! The API: what it takes and gives, and its description.

mod changes;
mod findings;
mod handlers;
pub(crate) mod types;

use utoipa::OpenApi;

pub(crate) use changes::{changes, history};
pub(crate) use findings::findings;
pub(crate) use handlers::{
    environments, explain, facts, find, health, hierarchy, keys, layers, lookup, metrics, nodes, openapi_json, spread,
};

/// The description of the API, as OpenAPI 3.1.
pub fn openapi() -> serde_json::Value {
    serde_json::to_value(Description::openapi()).unwrap_or_default()
}

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Hieratic",
        description = "Layered configuration data: looked up, explained, traced to its source.",
        license(name = "MIT OR Apache-2.0", identifier = "MIT OR Apache-2.0")
    ),
    paths(
        handlers::lookup,
        handlers::explain,
        handlers::environments,
        handlers::nodes,
        handlers::keys,
        handlers::layers,
        handlers::facts,
        handlers::find,
        handlers::hierarchy,
        handlers::spread,
        findings::findings,
        changes::changes,
        changes::history,
        crate::events::events,
        handlers::openapi_json,
        handlers::health,
        handlers::metrics
    ),
    modifiers(&Tokens)
)]
struct Description;

/// Says how tokens are shown.
struct Tokens;

impl utoipa::Modify for Tokens {
    fn modify(&self, description: &mut utoipa::openapi::OpenApi) {
        use utoipa::openapi::security::{Http, HttpAuthScheme, SecurityRequirement, SecurityScheme};
        let components = description.components.get_or_insert_default();
        components.add_security_scheme("token", SecurityScheme::Http(Http::new(HttpAuthScheme::Bearer)));
        // The service may have been started without tokens; then none is needed.
        description.security =
            Some(vec![SecurityRequirement::new::<_, [&str; 0], &str>("token", []), SecurityRequirement::default()]);
    }
}
