//! The OpenAPI description, generated from the documentation of the handlers and types.
//!
//! `HIERATIC_UPDATE=1 cargo test -p hieratic-service` updates `openapi.json`.

use std::path::Path;

use utoipa::OpenApi;

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Hieratic",
        description = "Layered configuration data: looked up, explained, traced to its source.",
        license(name = "MIT OR Apache-2.0", identifier = "MIT OR Apache-2.0")
    ),
    paths(
        super::handlers::lookup,
        super::handlers::explain,
        super::handlers::environments,
        super::handlers::nodes,
        super::handlers::keys,
        super::handlers::layers,
        super::handlers::facts,
        super::handlers::find,
        super::handlers::hierarchy,
        super::handlers::spread,
        super::findings::findings,
        super::changes::changes,
        super::changes::history,
        crate::events::events,
        super::handlers::openapi_json,
        super::handlers::health,
        super::handlers::metrics
    ),
    modifiers(&Tokens)
)]
struct Description;

/// Describes how a request presents its token.
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

#[test]
fn the_lists_of_all_kinds_of_changes_are_described() {
    let described = serde_json::to_value(Description::openapi()).unwrap();
    let lists = &described["components"]["schemas"]["ChangesResponse"]["properties"];
    for kind in hieratic_report::Change::KINDS {
        assert!(lists[kind.list].is_object(), "add the list `{}` to ChangesResponse", kind.list);
    }
}

#[test]
fn the_description_is_that_of_the_code() {
    let json = serde_json::to_value(Description::openapi()).unwrap().to_string() + "\n";
    if std::env::var_os("HIERATIC_UPDATE").is_some() {
        std::fs::write(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/api/openapi.json"), &json).unwrap();
        return;
    }
    let kept = include_str!("openapi.json");
    let at = kept.bytes().zip(json.bytes()).take_while(|(kept, json)| kept == json).count();
    let outer = |text: &str| text.chars().skip(at.saturating_sub(60)).take(120).collect::<String>();
    assert!(
        kept == json,
        "run HIERATIC_UPDATE=1 cargo test -p hieratic-service: {:?} is {:?} now",
        outer(kept),
        outer(&json)
    );
}
