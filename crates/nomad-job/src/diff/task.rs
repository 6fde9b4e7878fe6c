//! Tasks as a server compares them.

use hieratic_hcl_types::go::duration::SECOND;
use hieratic_hcl_types::go::path;

use super::block::{Block, BlockPart, FlatFields};
use super::read::{
    Row, add_hidden, add_map, block, flat, flatten, inner, of_fields, one, records, text, text_or, texts,
};
use super::service::{identity, services};
use super::view::{InheritedDefaults, affinities, constraints, consul, networks};
use crate::record::{Data, Record};

pub(super) fn task(inner_record: &Record, above: InheritedDefaults<'_>, restart_of_group: &FlatFields) -> Block {
    let record = Some(inner_record);
    let name = text_or(record, "Name", "");
    let rows: &[Row] = &[
        ("Driver", "Driver", ""),
        ("KillSignal", "KillSignal", ""),
        ("Kind", "Kind", ""),
        ("Leader", "Leader", "false"),
        ("ShutdownDelay", "ShutdownDelay", "0"),
        ("User", "User", ""),
    ];
    let mut fields = flat(record, rows);
    let kill = text(record, "KillTimeout").filter(|text| text != "0").unwrap_or_else(|| (5 * SECOND).to_string());
    fields.insert("KillTimeout".to_owned(), kill);
    add_map(&mut fields, record, "Env");
    add_map(&mut fields, record, "Meta");
    let parts = vec![
        constraints(record),
        affinities(record),
        one(config(record)),
        one(Some(resources(inner(record, "Resources")))),
        one(Some(of_fields("LogConfig", logs(inner(record, "LogConfig"))))),
        one(inner(record, "DispatchPayload")
            .map(|inner_record| of_fields("DispatchPayload", flat(Some(inner_record), &[("File", "File", "")])))),
        artifacts(record),
        services(record, above, Some(&name)),
        one(inner(record, "Vault").map(|inner_record| vault(inner_record, above.job))),
        secrets(record),
        one(consul(record)),
        BlockPart::Templates(records(record, "Templates").into_iter().map(template).collect()),
        one(Some(default_identity(record))),
        BlockPart::Keyed(identities(record)),
        BlockPart::Listed(records(record, "Actions").into_iter().map(action).collect()),
        volume_mounts(record),
        one(inner(record, "Schedule").filter(|inner_record| inner_record.get("Cron").is_some()).map(schedule)),
    ];
    let mut hidden = hidden_task_fields(record, above);
    let own_restart = inner(record, "RestartPolicy");
    for (name, value) in restart_of_group {
        hidden.insert(format!("RestartPolicy.{name}"), text(own_restart, name).unwrap_or_else(|| value.clone()));
    }
    Block { key: name, fields, hidden, parts, ..Block::default() }
}

/// The configuration of a plugin. An empty one counts as missing.
pub(super) fn config(owner: Option<&Record>) -> Option<Block> {
    let datum = owner?.get("Config")?;
    let mut fields = FlatFields::new();
    flatten("", &datum.value, &mut fields);
    let is_there = !matches!(&datum.value, Data::Map(entries) if entries.is_empty());
    let mut hidden = FlatFields::new();
    add_hidden(&mut hidden, owner, &["Config"]);
    is_there.then(|| Block { hidden, ..block("Config", fields) })
}

pub(super) fn logs(record: Option<&Record>) -> FlatFields {
    let rows: &[Row] =
        &[("Disabled", "Disabled", "false"), ("MaxFileSizeMB", "MaxFileSizeMB", "10"), ("MaxFiles", "MaxFiles", "10")];
    flat(record, rows)
}

pub(super) fn resources(record: Option<&Record>) -> Block {
    let rows: &[Row] = &[
        ("Cores", "Cores", "0"),
        ("DiskMB", "", "0"),
        ("IOPS", "IOPS", "0"),
        ("MemoryMB", "MemoryMB", "300"),
        ("MemoryMaxMB", "MemoryMaxMB", "0"),
        ("SecretsMB", "SecretsMB", "0"),
    ];
    let mut fields = flat(record, rows);
    let has_cores = text(record, "Cores").is_some();
    let cpu = text(record, "CPU").unwrap_or_else(|| if has_cores { "0" } else { "100" }.to_owned());
    fields.insert("CPU".to_owned(), cpu);
    let device = |record: &Record| {
        let record = Some(record);
        let mut hidden = FlatFields::new();
        add_hidden(&mut hidden, record, &["Constraints", "Affinities"]);
        let fields = flat(record, &[("Count", "Count", "1"), ("Name", "Name", "")]);
        Block { key: text_or(record, "Name", ""), hidden, ..block("Device", fields) }
    };
    let numa = inner(record, "NUMA").map(|record| {
        let mut hidden = FlatFields::new();
        add_hidden(&mut hidden, Some(record), &["Devices"]);
        let affinity = text_or(Some(record), "Affinity", "none");
        Block { hidden, ..block("NUMA", FlatFields::from([("Affinity".to_owned(), affinity)])) }
    });
    let devices = BlockPart::Keyed(records(record, "Devices").into_iter().map(device).collect());
    Block { parts: vec![networks(record), devices, one(numa)], ..block("Resources", fields) }
}

fn artifacts(owner: Option<&Record>) -> BlockPart {
    let artifact = |record: &Record| {
        let record = Some(record);
        let rows: &[Row] = &[
            ("Chown", "Chown", "false"),
            ("GetterInsecure", "GetterInsecure", "false"),
            ("GetterMode", "GetterMode", "any"),
            ("GetterSource", "GetterSource", ""),
        ];
        let mut fields = flat(record, rows);
        add_map(&mut fields, record, "GetterOptions");
        add_map(&mut fields, record, "GetterHeaders");
        let place =
            text(record, "RelativeDest").unwrap_or_else(|| match fields.get("GetterMode").map(String::as_str) {
                Some("file") => {
                    let source = fields.get("GetterSource").map_or("", String::as_str);
                    path::join("local", path::base(source))
                }
                _ => "local/".to_owned(),
            });
        fields.insert("RelativeDest".to_owned(), place.clone());
        Block { key: place, ..of_fields("Artifact", fields) }
    };
    BlockPart::Keyed(records(owner, "Artifacts").into_iter().map(artifact).collect())
}

fn vault(record: &Record, job: &Record) -> Block {
    let record = Some(record);
    let rows: &[Row] = &[
        ("AllowTokenExpiration", "AllowTokenExpiration", "false"),
        ("DisableFile", "DisableFile", "false"),
        ("Env", "Env", "true"),
        ("Role", "Role", ""),
    ];
    let mut fields = flat(record, rows);
    let of_job = text_or(Some(job), "VaultNamespace", "");
    fields.insert("Namespace".to_owned(), text_or(record, "Namespace", &of_job));
    fields.insert("Cluster".to_owned(), text_or(record, "Cluster", "default"));
    fields.insert("ChangeMode".to_owned(), text_or(record, "ChangeMode", "restart"));
    let signal = text(record, "ChangeSignal").unwrap_or_else(|| "SIGHUP".to_owned());
    fields.insert("ChangeSignal".to_owned(), signal.to_uppercase());
    block("Vault", fields)
}

fn secrets(owner: Option<&Record>) -> BlockPart {
    let secret = |record: &Record| {
        let record = Some(record);
        let mut fields = flat(record, &[("Name", "Name", ""), ("Path", "Path", ""), ("Provider", "Provider", "")]);
        add_map(&mut fields, record, "Config");
        add_map(&mut fields, record, "Env");
        Block { key: text_or(record, "Name", ""), ..block("Secret", fields) }
    };
    BlockPart::Keyed(records(owner, "Secrets").into_iter().map(secret).collect())
}

fn template(record: &Record) -> Block {
    let record = Some(record);
    let rows: &[Row] = &[
        ("ChangeMode", "ChangeMode", "restart"),
        ("DestPath", "DestPath", ""),
        ("EmbeddedTmpl", "EmbeddedTmpl", ""),
        ("Envvars", "Envvars", "false"),
        ("ErrMissingKey", "ErrMissingKey", "false"),
        ("LeftDelim", "LeftDelim", "{{"),
        ("Once", "Once", "false"),
        ("Perms", "Perms", "0644"),
        ("RightDelim", "RightDelim", "}}"),
        ("SourcePath", "SourcePath", ""),
        ("VaultGrace", "VaultGrace", "0"),
    ];
    let mut fields = flat(record, rows);
    fields.insert("Splay".to_owned(), text(record, "Splay").unwrap_or_else(|| (5 * SECOND).to_string()));
    let is_signal = fields.get("ChangeMode").is_some_and(|mode| mode == "signal");
    let signal = text(record, "ChangeSignal").unwrap_or_else(|| if is_signal { "SIGHUP" } else { "" }.to_owned());
    fields.insert("ChangeSignal".to_owned(), signal.to_uppercase());
    for name in ["Uid", "Gid"] {
        fields.extend(text(record, name).map(|number| (name.to_owned(), number)));
    }
    let wait = inner(record, "Wait")
        .map(|record| block("Template", flat(Some(record), &[("Max", "Max", "nil"), ("Min", "Min", "nil")])));
    let script = inner(record, "ChangeScript").map(|record| {
        let mut fields = flat(Some(record), &[("Command", "Command", ""), ("FailOnError", "FailOnError", "false")]);
        fields.insert("Timeout".to_owned(), text(Some(record), "Timeout").unwrap_or_else(|| (5 * SECOND).to_string()));
        Block { parts: vec![BlockPart::Set("Args", texts(Some(record), "Args"))], ..block("ChangeScript", fields) }
    });
    let key = fields.get("DestPath").cloned().unwrap_or_default();
    Block { key, parts: vec![one(wait), one(script)], ..block("Template", fields) }
}

/// The identity that every task has: the last one of the usual name.
fn default_identity(owner: Option<&Record>) -> Block {
    let named = records(owner, "Identities");
    let named = default_of(&named).and_then(|at| named.get(at).copied());
    identity(named.or_else(|| inner(owner, "Identity")))
}

fn default_of(identities: &[&Record]) -> Option<usize> {
    identities.iter().rposition(|record| text_or(Some(record), "Name", "default") == "default")
}

fn identities(owner: Option<&Record>) -> Vec<Block> {
    let all = records(owner, "Identities");
    let default = default_of(&all);
    let others = all.into_iter().enumerate().filter(|(at, _)| Some(*at) != default);
    others.map(|(_, record)| identity(Some(record))).collect()
}

/// The values of a task that are compared, but not shown.
fn hidden_task_fields(record: Option<&Record>, above: InheritedDefaults<'_>) -> FlatFields {
    let mut hidden = FlatFields::new();
    let mut add = |name: &str, fields: FlatFields| hidden.insert(name.to_owned(), format!("{fields:?}"));
    let lifecycle = flat(inner(record, "Lifecycle"), &[("Hook", "Hook", ""), ("Sidecar", "Sidecar", "false")]);
    add("Lifecycle", lifecycle);
    if let Some(plugin) = inner(record, "CSIPluginConfig") {
        let rows: &[Row] =
            &[("ID", "ID", ""), ("Type", "Type", ""), ("StagePublishBaseDir", "StagePublishBaseDir", "")];
        let mut fields = flat(Some(plugin), rows);
        fields.insert("MountDir".to_owned(), text_or(Some(plugin), "MountDir", "/csi"));
        let health = text(Some(plugin), "HealthTimeout").filter(|text| text != "0");
        fields.insert("HealthTimeout".to_owned(), health.unwrap_or_else(|| (30 * SECOND).to_string()));
        add("CSIPluginConfig", fields);
    }
    for (at, policy) in records(record, "ScalingPolicies").into_iter().enumerate() {
        let rows: &[Row] =
            &[("Enabled", "Enabled", "true"), ("Max", "Max", "-1"), ("Min", "Min", "0"), ("Type", "Type", "")];
        let mut fields = flat(Some(policy), rows);
        add_hidden(&mut fields, Some(policy), &["Policy"]);
        fields.insert("Namespace".to_owned(), text_or(Some(above.job), "Namespace", "default"));
        add(&format!("ScalingPolicies[{at}]"), fields);
    }
    hidden
}

fn action(record: &Record) -> Block {
    let record = Some(record);
    let fields = flat(record, &[("Command", "Command", ""), ("Name", "Name", "")]);
    Block { parts: vec![BlockPart::Set("Args", texts(record, "Args"))], ..block("Action", fields) }
}

/// Mounts; those without a volume are left out when a server reads them.
pub(super) fn volume_mounts(owner: Option<&Record>) -> BlockPart {
    let mounts = records(owner, "VolumeMounts").into_iter().filter(|record| record.get("Volume").is_some());
    BlockPart::Listed(mounts.map(volume_mount).collect())
}

fn volume_mount(record: &Record) -> Block {
    let rows: &[Row] = &[
        ("Destination", "Destination", ""),
        ("PropagationMode", "PropagationMode", "private"),
        ("ReadOnly", "ReadOnly", "false"),
        ("SELinuxLabel", "SELinuxLabel", ""),
        ("Volume", "Volume", ""),
    ];
    block("VolumeMount", flat(Some(record), rows))
}

fn schedule(record: &Record) -> Block {
    let rows: &[Row] = &[("End", "End", ""), ("Start", "Start", ""), ("Timezone", "Timezone", "")];
    of_fields("Schedule", flat(inner(Some(record), "Cron"), rows))
}
