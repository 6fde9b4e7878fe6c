//! [`Metrics`]: counters for Prometheus.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::Registry;

use crate::api::types::Answer;

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RequestLabels {
    route: String,
    status: u32,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RouteLabels {
    route: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct OutcomeLabels {
    outcome: &'static str,
}

/// The numbers of a service.
pub(crate) struct Metrics {
    registry: Registry,
    requests: Family<RequestLabels, Counter>,
    seconds: Family<RouteLabels, Histogram, fn() -> Histogram>,
    lookups: Family<OutcomeLabels, Counter>,
    underway: Gauge,
    /// Answers from files read earlier, while the files were being changed.
    pub(crate) stale_answers: Counter<u64, AtomicU64>,
    /// Requests that waited for files to settle to be complete.
    pub(crate) retries: Counter<u64, AtomicU64>,
    pub(crate) kept_nodes: Gauge,
    /// Indexes of all nodes that an earlier start had kept.
    pub(crate) cached_indexes: Counter<u64, AtomicU64>,
}

/// The bounds of the histogram, in seconds.
const BUCKET_BOUNDS: [f64; 11] = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.25, 1.0, 5.0];

/// Counts a request as in flight while it lives.
pub(crate) struct InFlightGuard(Gauge);

impl Drop for InFlightGuard {
    fn drop(&mut self) {
        self.0.dec();
    }
}

impl Metrics {
    pub(crate) fn new() -> Arc<Metrics> {
        let seconds: Family<RouteLabels, Histogram, fn() -> Histogram> =
            Family::new_with_constructor(|| Histogram::new(BUCKET_BOUNDS));
        let mut metrics = Metrics {
            registry: Registry::with_prefix("hieratic"),
            requests: Family::default(),
            seconds,
            lookups: Family::default(),
            underway: Gauge::default(),
            stale_answers: Counter::default(),
            retries: Counter::default(),
            kept_nodes: Gauge::default(),
            cached_indexes: Counter::default(),
        };
        let registry = &mut metrics.registry;
        registry.register("http_requests", "Requests, by route and status", metrics.requests.clone());
        registry.register("http_request_seconds", "How long requests took, by route", metrics.seconds.clone());
        registry.register("http_requests_underway", "Requests in flight", metrics.underway.clone());
        registry.register("lookups", "Looked up keys, by outcome", metrics.lookups.clone());
        registry.register(
            "stale_answers",
            "Answers from cached data while files were changing",
            metrics.stale_answers.clone(),
        );
        registry.register("retries", "Requests that waited for files to settle", metrics.retries.clone());
        registry.register(
            "cached_indexes",
            "Indexes of all nodes that were kept by an earlier start",
            metrics.cached_indexes.clone(),
        );
        registry.register("kept_nodes", "Nodes in the cache", metrics.kept_nodes.clone());
        Arc::new(metrics)
    }

    pub(crate) fn underway(&self) -> InFlightGuard {
        self.underway.inc();
        InFlightGuard(self.underway.clone())
    }

    pub(crate) fn requested(&self, route: &str, status: u16, time: Duration) {
        self.requests.get_or_create(&RequestLabels { route: route.into(), status: status.into() }).inc();
        self.seconds.get_or_create(&RouteLabels { route: route.into() }).observe(time.as_secs_f64());
    }

    pub(crate) fn answered(&self, answer: &Answer) {
        let outcome = match &answer.error {
            None => "found",
            Some(fault) if hieratic::Node::NOT_FOUND == &*fault.code => "not_found",
            Some(_) => "failed",
        };
        self.lookups.get_or_create(&OutcomeLabels { outcome }).inc();
    }

    /// The numbers as text.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = encode(&mut text, &self.registry);
        text
    }
}
