//! The routes of the service that read revisions, asked without a connection.

use std::sync::LazyLock;
use std::time::Duration;

use hieratic::Settings;
use hieratic_service::{FactsSource, Limits, ServiceOptions};
use tokio::runtime::Runtime;

use crate::random::Random;
use crate::revisions::settings;
use crate::verbs::{Case, limits};

/// What runs the requests of all repositories.
static RUNTIME: LazyLock<Option<Runtime>> = LazyLock::new(|| {
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    builder.worker_threads(1).max_blocking_threads(4).enable_all().build().ok()
});

/// What revisions are called in requests: some name nothing, some are refused.
const NAMES: [&str; 6] = ["", "HEAD~1", "other", "main", "refs/heads/c0", "HEAD~999"];

pub(crate) fn changes(case: &Case<'_>, random: &mut Random) {
    let [base, head] = [(); 2].map(|()| random.one(&NAMES).copied().unwrap_or_default());
    let route = if random.once_in(4) { "/changes" } else { "/v1/changes" };
    ask(case, &[format!("{route}?base={base}&head={head}&merge_base={}", random.once_in(3))]);
}

pub(crate) fn history(case: &Case<'_>, random: &mut Random) {
    let route = if random.once_in(4) { "/history" } else { "/v1/history" };
    ask(case, &[format!("{route}?node=web01&key=port"), format!("{route}?node=web01&key=port&from=0123")]);
}

/// Asks a service of the repository, which then ends.
fn ask(case: &Case<'_>, paths: &[String]) {
    let Some(runtime) = &*RUNTIME else { return };
    let options = ServiceOptions {
        listen: ([127, 0, 0, 1], 0).into(),
        listener: None,
        settings: Settings { once: false, ..settings(case, None) },
        facts: FactsSource::Names,
        token_file: None,
        tls: None,
        reveal: false,
        catalogs: true,
        job_sets: Vec::new(),
        index_store: None,
        observer: None,
        link: None,
        open: false,
        limits: Limits { work: limits(), settle: Duration::ZERO, ..Limits::default() },
    };
    runtime.block_on(async {
        let Ok(bound) = hieratic_service::bind(&options).await.map_err(|error| drop(format!("{error:?}"))) else {
            return;
        };
        for path in paths {
            drop(bound.answer(path).await);
        }
    });
}
