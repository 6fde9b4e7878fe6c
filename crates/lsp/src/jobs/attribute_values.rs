//! The values that Nomad accepts for arguments of jobs, from its validation.

use hieratic::nomad_schema::Operator;

/// The values of an argument in a kind of block; empty if any value is allowed, or none is known.
pub(super) fn find(block: &str, name: &str) -> &'static [&'static str] {
    VALUES.iter().find(|(of, known, _)| *of == block && *known == name).map_or(&[], |(.., values)| values)
}

/// The block, the argument, and its values. Drivers are those that Nomad brings, and those that are maintained beside
/// it: a client may have others.
#[rustfmt::skip]
const VALUES: &[(&str, &str, &[&str])] = &[
    ("job", "type", &["service", "batch", "system", "sysbatch"]),
    ("task", "driver", &["docker", "exec", "exec2", "java", "podman", "qemu", "raw_exec", "virt"]),
    ("network", "mode", &["bridge", "host", "none"]),
    ("service", "provider", &["consul", "nomad"]),
    ("service", "address_mode", &["auto", "alloc", "driver", "host"]),
    ("service", "on_update", &["require_healthy", "ignore_warnings", "ignore"]),
    ("check", "type", &["http", "tcp", "grpc", "script"]),
    ("check", "protocol", &["http", "https"]),
    ("check", "address_mode", &["alloc", "driver", "host"]),
    ("check", "initial_status", &["passing", "warning", "critical"]),
    ("check", "on_update", &["require_healthy", "ignore_warnings", "ignore"]),
    ("template", "change_mode", &["restart", "signal", "script", "noop"]),
    ("vault", "change_mode", &["restart", "signal", "noop"]),
    ("identity", "change_mode", &["restart", "signal", "noop"]),
    ("restart", "mode", &["fail", "delay"]),
    ("reschedule", "delay_function", &["constant", "exponential", "fibonacci"]),
    ("update", "health_check", &["checks", "task_states", "manual"]),
    ("migrate", "health_check", &["checks", "task_states"]),
    ("disconnect", "reconcile", &["best_score", "longest_running", "keep_original", "keep_replacement"]),
    ("volume", "type", &["host", "csi"]),
    ("volume", "access_mode", &[
        "single-node-reader-only", "single-node-writer", "single-node-single-writer", "single-node-multi-writer",
        "multi-node-reader-only", "multi-node-single-writer", "multi-node-multi-writer",
    ]),
    ("volume", "attachment_mode", &["file-system", "block-device"]),
    ("volume_mount", "propagation_mode", &["private", "host-to-task", "bidirectional"]),
    ("constraint", "operator", Operator::OF_CONSTRAINTS),
    ("affinity", "operator", Operator::OF_AFFINITIES),
    ("lifecycle", "hook", &["prestart", "poststart", "poststop"]),
    ("artifact", "mode", &["any", "file", "dir"]),
    ("parameterized", "payload", &["optional", "required", "forbidden"]),
    ("csi_plugin", "type", &["node", "controller", "monolith"]),
    ("numa", "affinity", &["none", "prefer", "require"]),
];

#[cfg(test)]
mod tests {
    use hieratic::nomad_job::schema::{JOB, Kind, Source, Struct};

    use super::*;

    /// Collects the arguments of all blocks below the schema of a block.
    fn arguments(of_block: &'static Struct, block: &str, depth: usize, found: &mut Vec<String>) {
        if depth > 12 {
            return;
        }
        for field in of_block.fields {
            match field.source {
                Source::Attribute { name, .. } => found.push(format!("{block}.{name}")),
                Source::Block(name) => {
                    if let Kind::One(inner) | Kind::Many(inner) | Kind::Keyed(inner) = field.kind {
                        arguments(inner, name, depth + 1, found);
                    }
                }
                _ => {}
            }
        }
    }

    #[test]
    fn every_argument_exists_once() {
        let mut known = Vec::new();
        arguments(&JOB, "job", 0, &mut known);
        for (block, name, values) in VALUES {
            assert!(known.contains(&format!("{block}.{name}")), "{block} has no {name}");
            assert!(!values.is_empty());
            assert_eq!(VALUES.iter().filter(|(other, known, _)| other == block && known == name).count(), 1);
        }
    }
}
