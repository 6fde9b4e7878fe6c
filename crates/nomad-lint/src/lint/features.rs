//! Blocks, arguments and functions that the chosen version of Nomad lacks.
//!
//! Source: the release notes, <https://developer.hashicorp.com/nomad/docs/release-notes>.

use hieratic_hcl_eval::{Call, File, Range};
use hieratic_hcl_types::quoted;
use hieratic_nomad_job::Job;
use hieratic_nomad_job::record::{Data, Datum, Record};
use hieratic_nomad_job::schema::Source;

use super::remark;
use crate::finding::Finding;
use crate::nomad_version::NomadVersion;
use crate::rule::Rule;

/// A block or an argument that a version of Nomad introduced.
pub struct Feature {
    /// The structure of the API: `Task`.
    pub structure: &'static str,
    /// The name in the job file: `action`.
    pub name: &'static str,
    /// The first version.
    pub since: NomadVersion,
}

const fn feature(structure: &'static str, name: &'static str, since: (u16, u16, u16)) -> Feature {
    Feature { structure, name, since: NomadVersion::new(since.0, since.1, since.2) }
}

/// The features that versions after 1.0 added to jobs, in the order of the versions.
pub const FEATURES: &[Feature] = &[
    feature("ConsulGateway", "terminating", (1, 0, 4)),
    feature("ConsulGatewayProxy", "envoy_dns_discovery_type", (1, 0, 4)),
    feature("ConsulLinkedService", "ca_file", (1, 0, 4)),
    feature("ConsulLinkedService", "cert_file", (1, 0, 4)),
    feature("ConsulLinkedService", "key_file", (1, 0, 4)),
    feature("ConsulLinkedService", "name", (1, 0, 4)),
    feature("ConsulLinkedService", "sni", (1, 0, 4)),
    feature("ConsulTerminatingConfigEntry", "service", (1, 0, 4)),
    feature("Consul", "namespace", (1, 1, 0)),
    feature("ConsulSidecarService", "disable_default_tcp_check", (1, 1, 0)),
    feature("ConsulUpstream", "local_bind_address", (1, 1, 0)),
    feature("Resources", "cores", (1, 1, 0)),
    feature("Resources", "memory_max", (1, 1, 0)),
    feature("Service", "on_update", (1, 1, 0)),
    feature("ServiceCheck", "body", (1, 1, 0)),
    feature("ServiceCheck", "on_update", (1, 1, 0)),
    feature("TaskGroup", "consul", (1, 1, 0)),
    feature("VolumeRequest", "access_mode", (1, 1, 0)),
    feature("VolumeRequest", "attachment_mode", (1, 1, 0)),
    feature("VolumeRequest", "per_alloc", (1, 1, 0)),
    feature("ConsulGateway", "mesh", (1, 1, 1)),
    feature("ConsulMeshGateway", "mode", (1, 1, 1)),
    feature("ConsulUpstream", "mesh_gateway", (1, 1, 1)),
    feature("NetworkResource", "hostname", (1, 1, 5)),
    feature("TaskCSIPluginConfig", "health_timeout", (1, 1, 15)),
    feature("Template", "wait", (1, 2, 4)),
    feature("WaitConfig", "max", (1, 2, 4)),
    feature("WaitConfig", "min", (1, 2, 4)),
    feature("ConsulUpstream", "destination_namespace", (1, 2, 9)),
    feature("Service", "address", (1, 3, 0)),
    feature("Service", "provider", (1, 3, 0)),
    feature("ServiceCheck", "advertise", (1, 3, 0)),
    feature("TaskGroup", "max_client_disconnect", (1, 3, 0)),
    feature("ConsulGatewayTLSConfig", "cipher_suites", (1, 3, 2)),
    feature("ConsulGatewayTLSConfig", "tls_max_version", (1, 3, 2)),
    feature("ConsulGatewayTLSConfig", "tls_min_version", (1, 3, 2)),
    feature("TaskCSIPluginConfig", "stage_publish_base_dir", (1, 3, 3)),
    feature("Template", "gid", (1, 3, 3)),
    feature("Template", "uid", (1, 3, 3)),
    feature("ChangeScript", "args", (1, 3, 4)),
    feature("ChangeScript", "command", (1, 3, 4)),
    feature("ChangeScript", "fail_on_error", (1, 3, 4)),
    feature("ChangeScript", "timeout", (1, 3, 4)),
    feature("Template", "change_script", (1, 3, 4)),
    feature("Service", "tagged_addresses", (1, 4, 0)),
    feature("Template", "error_on_missing_key", (1, 4, 3)),
    feature("ConsulUpstream", "config", (1, 5, 0)),
    feature("Task", "identity", (1, 5, 0)),
    feature("WorkloadIdentity", "env", (1, 5, 0)),
    feature("WorkloadIdentity", "file", (1, 5, 0)),
    feature("ConsulSidecarService", "meta", (1, 5, 4)),
    feature("LogConfig", "enabled", (1, 5, 4)),
    feature("LogConfig", "disabled", (1, 5, 5)),
    feature("Job", "node_pool", (1, 6, 0)),
    feature("MultiregionRegion", "node_pool", (1, 6, 0)),
    feature("ServiceCheck", "tls_server_name", (1, 6, 0)),
    feature("Vault", "disable_file", (1, 6, 0)),
    feature("ConsulUpstream", "destination_peer", (1, 6, 2)),
    feature("ConsulUpstream", "destination_type", (1, 6, 2)),
    feature("ConsulUpstream", "local_bind_socket_mode", (1, 6, 2)),
    feature("ConsulUpstream", "local_bind_socket_path", (1, 6, 2)),
    feature("PeriodicConfig", "crons", (1, 6, 2)),
    feature("RestartPolicy", "render_templates", (1, 6, 2)),
    feature("Action", "args", (1, 7, 0)),
    feature("Action", "command", (1, 7, 0)),
    feature("Consul", "cluster", (1, 7, 0)),
    feature("NUMAResource", "affinity", (1, 7, 0)),
    feature("Resources", "numa", (1, 7, 0)),
    feature("Service", "cluster", (1, 7, 0)),
    feature("Service", "identity", (1, 7, 0)),
    feature("Task", "action", (1, 7, 0)),
    feature("Task", "consul", (1, 7, 0)),
    feature("Vault", "cluster", (1, 7, 0)),
    feature("Vault", "role", (1, 7, 0)),
    feature("WorkloadIdentity", "aud", (1, 7, 0)),
    feature("WorkloadIdentity", "change_mode", (1, 7, 0)),
    feature("WorkloadIdentity", "change_signal", (1, 7, 0)),
    feature("WorkloadIdentity", "name", (1, 7, 0)),
    feature("WorkloadIdentity", "service_name", (1, 7, 0)),
    feature("WorkloadIdentity", "ttl", (1, 7, 0)),
    feature("TaskGroup", "prevent_reschedule_on_lost", (1, 7, 2)),
    feature("Consul", "partition", (1, 7, 3)),
    feature("ServiceCheck", "failures_before_warning", (1, 7, 3)),
    feature("Vault", "allow_token_expiration", (1, 7, 3)),
    feature("ConsulGatewayTLSConfig", "sds", (1, 7, 7)),
    feature("ConsulGatewayTLSSDSConfig", "cert_resource", (1, 7, 7)),
    feature("ConsulGatewayTLSSDSConfig", "cluster_name", (1, 7, 7)),
    feature("ConsulHTTPHeaderModifiers", "add", (1, 7, 7)),
    feature("ConsulHTTPHeaderModifiers", "remove", (1, 7, 7)),
    feature("ConsulHTTPHeaderModifiers", "set", (1, 7, 7)),
    feature("ConsulIngressService", "max_concurrent_requests", (1, 7, 7)),
    feature("ConsulIngressService", "max_connections", (1, 7, 7)),
    feature("ConsulIngressService", "max_pending_requests", (1, 7, 7)),
    feature("ConsulIngressService", "request_headers", (1, 7, 7)),
    feature("ConsulIngressService", "response_headers", (1, 7, 7)),
    feature("ConsulIngressService", "tls", (1, 7, 7)),
    feature("ConsulUpstream", "destination_partition", (1, 7, 7)),
    feature("ConsulProxy", "transparent_proxy", (1, 8, 0)),
    feature("ConsulTransparentProxy", "exclude_inbound_ports", (1, 8, 0)),
    feature("ConsulTransparentProxy", "exclude_outbound_cidrs", (1, 8, 0)),
    feature("ConsulTransparentProxy", "exclude_outbound_ports", (1, 8, 0)),
    feature("ConsulTransparentProxy", "exclude_uids", (1, 8, 0)),
    feature("ConsulTransparentProxy", "no_dns", (1, 8, 0)),
    feature("ConsulTransparentProxy", "outbound_port", (1, 8, 0)),
    feature("ConsulTransparentProxy", "uid", (1, 8, 0)),
    feature("DisconnectStrategy", "lost_after", (1, 8, 0)),
    feature("DisconnectStrategy", "reconcile", (1, 8, 0)),
    feature("DisconnectStrategy", "replace", (1, 8, 0)),
    feature("DisconnectStrategy", "stop_on_client_after", (1, 8, 0)),
    feature("Job", "ui", (1, 8, 0)),
    feature("JobUIConfig", "description", (1, 8, 0)),
    feature("JobUIConfig", "link", (1, 8, 0)),
    feature("JobUILink", "label", (1, 8, 0)),
    feature("JobUILink", "url", (1, 8, 0)),
    feature("SidecarTask", "volume_mount", (1, 8, 0)),
    feature("Task", "schedule", (1, 8, 0)),
    feature("TaskArtifact", "insecure", (1, 8, 0)),
    feature("TaskGroup", "disconnect", (1, 8, 0)),
    feature("TaskSchedule", "cron", (1, 8, 0)),
    feature("TaskScheduleCron", "end", (1, 8, 0)),
    feature("TaskScheduleCron", "start", (1, 8, 0)),
    feature("TaskScheduleCron", "timezone", (1, 8, 0)),
    feature("VolumeMount", "selinux_label", (1, 8, 0)),
    feature("ServiceCheck", "notes", (1, 8, 1)),
    feature("CNIConfig", "args", (1, 8, 2)),
    feature("NetworkResource", "cni", (1, 8, 2)),
    feature("Resources", "secrets", (1, 8, 3)),
    feature("NUMAResource", "devices", (1, 9, 0)),
    feature("Port", "ignore_collision", (1, 9, 0)),
    feature("WorkloadIdentity", "filepath", (1, 9, 0)),
    feature("Service", "weights", (1, 9, 2)),
    feature("ServiceWeights", "passing", (1, 9, 2)),
    feature("ServiceWeights", "warning", (1, 9, 2)),
    feature("TaskArtifact", "chown", (1, 9, 2)),
    feature("VolumeRequest", "sticky", (1, 10, 0)),
    feature("Template", "once", (1, 10, 2)),
    feature("Service", "kind", (1, 10, 3)),
    feature("Secret", "config", (1, 11, 0)),
    feature("Secret", "env", (1, 11, 0)),
    feature("Secret", "path", (1, 11, 0)),
    feature("Secret", "provider", (1, 11, 0)),
    feature("Task", "secret", (1, 11, 0)),
    feature("SidecarTask", "identity", (1, 11, 1)),
    feature("TaskGroup", "max_run_duration", (2, 0, 3)),
    feature("WorkloadIdentity", "extra_claims", (2, 0, 3)),
    feature("ChangeScript", "run_on_first_render", (2, 0, 5)),
];

/// The functions that versions after 1.0 added.
pub const FUNCTIONS: [(&str, NomadVersion); 2] =
    [("filebase64", NomadVersion::new(1, 3, 2)), ("strlen", NomadVersion::new(1, 4, 0))];

/// Reports features that the version does not have.
pub(super) fn check(job: &Job, version: NomadVersion, found: &mut Vec<Finding>) {
    if version >= NomadVersion::NEWEST {
        return;
    }
    let mut walk = FeatureWalk { job, version, found };
    walk.record(job.record(), "Job");
    walk.functions();
}

struct FeatureWalk<'w> {
    job: &'w Job,
    version: NomadVersion,
    found: &'w mut Vec<Finding>,
}

impl FeatureWalk<'_> {
    fn record(&mut self, record: &Record, path: &str) {
        let structure = record.shape().name;
        for (field, datum) in record.entries() {
            let name = match field.source {
                Source::Attribute { name, .. } | Source::Block(name) => name,
                Source::Label(_) | Source::Unwritten => "",
            };
            let path = format!("{path}.{}", field.name);
            let place = place(datum).map(|span| self.job.range(span));
            let added = FEATURES.iter().find(|known| known.structure == structure && known.name == name);
            if let Some(feature) = added.filter(|known| known.since > self.version && place.is_some()) {
                let message =
                    format!("Nomad has {} since {}, and not in {}", quoted(name), feature.since, self.version);
                self.found.push(remark(Rule::Version, message, path, place));
                continue;
            }
            self.datum(datum, &path);
        }
    }

    fn datum(&mut self, datum: &Datum, path: &str) {
        match &datum.value {
            Data::Record(record) => self.record(record, path),
            Data::List(items) => {
                for (at, item) in items.iter().enumerate() {
                    self.datum(item, &format!("{path}[{at}]"));
                }
            }
            Data::Map(entries) => {
                for (key, item) in entries {
                    self.datum(item, &format!("{path}[{}]", quoted(key)));
                }
            }
            _ => {}
        }
    }

    fn functions(&mut self) {
        // JSON has its functions within strings, and the job was read without problems.
        if self.job.source().bytes().first() == Some(&b'{') {
            return;
        }
        let file = File::native(self.job.source().name(), self.job.source().bytes().to_vec());
        for Call { name, range } in file.calls() {
            if let Some((_, since)) = FUNCTIONS.iter().find(|(known, since)| **known == *name && *since > self.version)
            {
                let message =
                    format!("Nomad has the function {} since {since}, and not in {}", quoted(&name), self.version);
                let range = Range::new(self.job.source().clone(), range.span);
                self.found.push(remark(Rule::Version, message, "Job".to_owned(), Some(range)));
            }
        }
    }
}

/// The place of a value that was written, or of the first one in a list of blocks.
fn place(datum: &Datum) -> Option<hieratic_hcl_eval::Span> {
    datum.place.or_else(|| match &datum.value {
        Data::List(items) => items.iter().find_map(|item| item.place),
        Data::Map(entries) => entries.iter().find_map(|(_, item)| item.place),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use hieratic_nomad_job::schema::{JOB, Struct};

    use super::*;

    fn collect(of: &'static Struct, seen: &mut Vec<&'static Struct>) {
        if seen.iter().any(|known| std::ptr::eq(*known, of)) {
            return;
        }
        seen.push(of);
        of.fields.iter().filter_map(|field| field.kind.structure()).for_each(|inner| collect(inner, seen));
    }

    #[test]
    fn features_are_parts_of_jobs() {
        let mut structures = Vec::new();
        collect(&JOB, &mut structures);
        for feature in FEATURES {
            let of = structures.iter().find(|known| known.name == feature.structure);
            let of = of.unwrap_or_else(|| panic!("{}", feature.structure));
            assert!(of.attribute(feature.name).or(of.block(feature.name)).is_some(), "{}.{}", of.name, feature.name);
        }
        assert!(FEATURES.is_sorted_by_key(|feature| feature.since));
    }
}
