//! The open environments. Each is opened at its first request, and reopened when its settings have changed.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use axum::http::StatusCode;
use hieratic::dependencies::Freshness;
use hieratic::sandbox::RefusedPaths;
use hieratic::{Environment, Redactor, Settings};

use crate::problem::Problem;

/// An environment that was opened.
pub(crate) struct OpenEnvironment {
    pub(crate) environment: Environment,
    /// Redacts the secrets of the environment's data.
    pub(crate) redactor: Redactor,
    /// The id of the open environment. Reopening creates a new one.
    pub(crate) id: u64,
}

/// The environments.
pub(crate) struct Environments {
    settings: Settings,
    opened: RwLock<HashMap<String, Arc<OpenEnvironment>>>,
    next: AtomicU64,
    settle: Duration,
}

impl Environments {
    pub(crate) fn new(settings: Settings, settle: Duration) -> Environments {
        // Answers contain origins on request.
        let settings = Settings { positions: true, ..settings };
        Environments { settings, opened: RwLock::default(), next: AtomicU64::new(0), settle }
    }

    /// The names of the environments that there are.
    pub(crate) fn names(&self) -> Vec<String> {
        self.settings.environments()
    }

    /// Returns the environment of requests that name none.
    pub(crate) fn default_name(&self) -> String {
        match &self.settings.environment {
            Some(name) => name.clone(),
            None => "production".into(),
        }
    }

    /// Returns the settings for opening an environment. Refused capabilities are recorded for this environment alone.
    pub(crate) fn settings(&self, name: &str) -> Settings {
        Settings { environment: Some(name.into()), refused: RefusedPaths::default(), ..self.settings.clone() }
    }

    /// An environment by its name, and whether it is as it was when it was opened.
    pub(crate) fn get(&self, name: &str) -> Result<(Arc<OpenEnvironment>, Freshness), Problem> {
        let known = self.opened.read().unwrap_or_else(PoisonError::into_inner).get(name).cloned();
        if let Some(known) = known {
            let freshness = known.environment.freshness(self.settle);
            if matches!(freshness, Freshness::Current | Freshness::Changing) {
                return Ok((known, freshness));
            }
        }
        if self.settings.environment_dir.is_some() && name != self.default_name() {
            let detail = format!("unknown environment '{name}': the service has only one environment");
            return Err(
                Problem::not_found(detail).help(format!("remove `environment`, or use '{}'", self.default_name()))
            );
        }
        let environment = Environment::open(&self.settings(name)).map_err(|error| {
            let status = match error.code() {
                hieratic::codes::ENVIRONMENT_MISSING => StatusCode::NOT_FOUND,
                _ => StatusCode::INTERNAL_SERVER_ERROR,
            };
            self.opened.write().unwrap_or_else(PoisonError::into_inner).remove(name);
            Problem::of_error(status, &error)
        })?;
        let redactor = Redactor::new(environment.secrets(), false);
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        let opened = Arc::new(OpenEnvironment { environment, redactor, id });
        self.opened.write().unwrap_or_else(PoisonError::into_inner).insert(name.into(), opened.clone());
        let freshness = opened.environment.freshness(self.settle);
        Ok((opened, freshness))
    }
}
