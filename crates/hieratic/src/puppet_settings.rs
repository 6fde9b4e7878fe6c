//! The settings of Puppet, as `$settings::NAME` and as `Puppet[:NAME]` of code in Ruby:
//! <https://www.puppet.com/docs/puppet/8/configuration.html>.
//!
//! A setting has the value of `--setting`, else that of `puppet.conf`, else the default of Puppet's packages for a
//! server. Only settings that depend on the machine have no value here: the ciphers of its TLS library, the user agent.

use std::collections::BTreeMap;

use hieratic_value::{Hash, Value};

use Setting::{Flag, List, Nothing, Number, Same, Text, Unlimited};

/// The kind of a setting, with its default.
#[derive(Clone, Copy, Debug)]
enum Setting {
    /// Text, in which `$NAME` is another setting.
    Text(&'static str),
    /// A switch.
    Flag(bool),
    /// A number, or a time in seconds.
    Number(i64),
    /// A time without an end.
    Unlimited,
    /// Several words.
    List(&'static [&'static str]),
    /// The value of another setting.
    Same(&'static str),
    /// No value by default.
    Nothing,
}

/// The maximum number of settings that refer to each other.
const MAX_DEPTH: u32 = 10;

/// Returns the values of all settings. `configured` are those that are given, as written; `resolved` are those that the
/// engine itself uses.
pub(crate) fn values(configured: &BTreeMap<String, String>, resolved: Hash) -> Hash {
    let settings = Settings { configured, resolved: &resolved };
    let known = SETTINGS.iter().map(|(name, _)| (Value::from(*name), settings.value(name, 0)));
    // A setting that is given and that is not known is that of another version, or of a module.
    let others = configured.iter().filter(|(name, _)| setting(name).is_none());
    let others = others.map(|(name, text)| (Value::from(name.as_str()), Value::from(text.as_str())));
    let resolved = resolved.iter().map(|(name, value)| (name.clone(), value.clone()));
    known.chain(others).chain(resolved).collect()
}

fn setting(name: &str) -> Option<Setting> {
    let found = SETTINGS.binary_search_by_key(&name, |(name, _)| name);
    found.ok().map(|at| SETTINGS[at].1)
}

struct Settings<'s> {
    configured: &'s BTreeMap<String, String>,
    resolved: &'s Hash,
}

impl Settings<'_> {
    fn value(&self, name: &str, depth: u32) -> Value {
        if let Some(value) = self.resolved.get(name) {
            return value.clone();
        }
        let Some(setting) = setting(name).filter(|_| depth < MAX_DEPTH) else { return Value::Undef };
        let given = self.configured.get(name).map(|text| self.expand(text, depth));
        match (setting, given) {
            (Flag(_), Some(text)) => (text == "true").into(),
            (Flag(default), None) => default.into(),
            (Number(_) | Unlimited | Same(_), Some(text)) => seconds(&text).map_or_else(|| text.into(), Value::Integer),
            (Number(default), None) => default.into(),
            (Unlimited, None) => Value::Float(f64::INFINITY),
            (List(_), Some(text)) => text.split([',', ' ']).filter(|word| !word.is_empty()).map(Value::from).collect(),
            (List(default), None) => default.iter().copied().map(Value::from).collect(),
            (Same(other), None) => self.value(other, depth + 1),
            (Text(_) | Nothing, Some(text)) => text.into(),
            (Text(default), None) => self.expand(default, depth).into(),
            (Nothing, None) => Value::Undef,
        }
    }

    /// Puts other settings in for `$NAME` and `${NAME}`.
    fn expand(&self, text: &str, depth: u32) -> String {
        let mut out = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('$') {
            out.push_str(before);
            let bare = after.strip_prefix('{').unwrap_or(after);
            let end = bare.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_').unwrap_or(bare.len());
            let (name, tail) = bare.split_at(end);
            if self.resolved.contains(name) || setting(name).is_some() {
                out.push_str(&self.value(name, depth + 1).to_text());
                rest = if after.starts_with('{') { tail.strip_prefix('}').unwrap_or(tail) } else { tail };
            } else {
                out.push('$');
                rest = after;
            }
        }
        out.push_str(rest);
        out
    }
}

/// Reads a number, or a time such as `30m`.
fn seconds(text: &str) -> Option<i64> {
    let digits = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let unit = match &text[digits.len()..] {
        "" | "s" => 1,
        "m" => 60,
        "h" => 3600,
        "d" => 86_400,
        "y" => 31_536_000,
        _ => return None,
    };
    digits.parse::<i64>().ok()?.checked_mul(unit)
}

/// All settings but those that the engine itself uses, by name.
const SETTINGS: &[(&str, Setting)] = &[
    ("agent_catalog_run_lockfile", Text("$statedir/agent_catalog_run.lock")),
    ("agent_disabled_lockfile", Text("$statedir/agent_disabled.lock")),
    ("allow_duplicate_certs", Flag(false)),
    ("always_retry_plugins", Flag(true)),
    ("autoflush", Flag(true)),
    ("autosign", Text("$confdir/autosign.conf")),
    ("binder_config", Nothing),
    ("bucketdir", Text("$vardir/bucket")),
    ("ca_fingerprint", Nothing),
    ("ca_name", Text("Puppet CA: $certname")),
    ("ca_port", Same("serverport")),
    ("ca_server", Same("server")),
    ("ca_ttl", Number(157_680_000)),
    ("cacert", Text("$cadir/ca_crt.pem")),
    ("cacrl", Text("$cadir/ca_crl.pem")),
    ("cadir", Text("/etc/puppetlabs/puppetserver/ca")),
    ("cakey", Text("$cadir/ca_key.pem")),
    ("capub", Text("$cadir/ca_pub.pem")),
    ("catalog_cache_terminus", Nothing),
    ("catalog_terminus", Text("compiler")),
    ("cert_inventory", Text("$cadir/inventory.txt")),
    ("certdir", Text("$ssldir/certs")),
    ("certificate_revocation", Text("chain")),
    ("certname", Text("puppet")),
    ("classfile", Text("$statedir/classes.txt")),
    ("client_datadir", Text("$vardir/client_data")),
    ("clientbucketdir", Text("$vardir/clientbucket")),
    ("clientyamldir", Text("$vardir/client_yaml")),
    ("code", Text("")),
    ("color", Text("ansi")),
    ("config", Text("$confdir/${config_file_name}")),
    ("config_file_name", Text("puppet.conf")),
    ("config_version", Text("")),
    ("configprint", Text("")),
    ("crl_refresh_interval", Nothing),
    ("csr_attributes", Text("$confdir/csr_attributes.yaml")),
    ("csrdir", Text("$cadir/requests")),
    ("daemonize", Flag(true)),
    ("data_binding_terminus", Text("hiera")),
    ("default_file_terminus", Text("rest")),
    ("default_manifest", Text("./manifests")),
    ("default_schedules", Flag(true)),
    ("deviceconfdir", Text("$confdir/devices")),
    ("deviceconfig", Text("$confdir/device.conf")),
    ("devicedir", Text("$vardir/devices")),
    ("diff", Text("diff")),
    ("diff_args", Text("-u")),
    ("digest_algorithm", Text("sha256")),
    ("disable_i18n", Flag(true)),
    ("disable_per_environment_manifest", Flag(false)),
    ("disable_warnings", List(&[])),
    ("dns_alt_names", Text("")),
    ("document_all", Flag(false)),
    ("environment_data_provider", Nothing),
    ("environment_timeout", Number(0)),
    ("evaltrace", Flag(false)),
    ("exclude_unchanged_resources", Flag(false)),
    ("external_nodes", Text("none")),
    ("fact_name_length_soft_limit", Number(2560)),
    ("fact_value_length_soft_limit", Number(4096)),
    ("factpath", Text("$vardir/lib/facter:$vardir/facts")),
    ("facts_terminus", Text("facter")),
    ("fileserverconfig", Text("$confdir/fileserver.conf")),
    ("filetimeout", Number(15)),
    ("forge_authorization", Nothing),
    ("freeze_main", Flag(false)),
    ("genconfig", Flag(false)),
    ("genmanifest", Flag(false)),
    ("graph", Flag(false)),
    ("graphdir", Text("$statedir/graphs")),
    ("group", Text("puppet")),
    ("hostcert", Text("$certdir/$certname.pem")),
    ("hostcrl", Text("$ssldir/crl.pem")),
    ("hostcsr", Text("$requestdir/$certname.pem")),
    ("hostprivkey", Text("$privatekeydir/$certname.pem")),
    ("hostpubkey", Text("$publickeydir/$certname.pem")),
    ("http_connect_timeout", Number(120)),
    ("http_debug", Flag(false)),
    ("http_extra_headers", List(&[])),
    ("http_keepalive_timeout", Number(4)),
    ("http_proxy_host", Text("none")),
    ("http_proxy_password", Text("none")),
    ("http_proxy_port", Number(3128)),
    ("http_proxy_user", Text("none")),
    ("http_read_timeout", Number(600)),
    ("ignore_plugin_errors", Flag(false)),
    ("ignoremissingtypes", Flag(false)),
    ("ignoreschedules", Flag(false)),
    ("include_legacy_facts", Flag(true)),
    ("key_type", Text("rsa")),
    ("keylength", Number(4096)),
    ("lastrunfile", Text("$publicdir/last_run_summary.yaml")),
    ("lastrunreport", Text("$statedir/last_run_report.yaml")),
    ("ldapattrs", Text("all")),
    ("ldapbase", Text("")),
    ("ldapclassattrs", Text("puppetclass")),
    ("ldapparentattr", Text("parentnode")),
    ("ldappassword", Text("")),
    ("ldapport", Number(389)),
    ("ldapserver", Text("ldap")),
    ("ldapssl", Flag(false)),
    ("ldapstackedattrs", Text("puppetvar")),
    ("ldapstring", Text("(&(objectclass=puppetClient)(cn=%s))")),
    ("ldaptls", Flag(false)),
    ("ldapuser", Text("")),
    ("libdir", Text("$vardir/lib")),
    ("localcacert", Text("$certdir/ca.pem")),
    ("localedest", Text("$vardir/locales")),
    ("localesource", Text("puppet:///locales")),
    ("location_trusted", Flag(false)),
    ("log_level", Text("notice")),
    ("logdest", Nothing),
    ("logdir", Text("/var/log/puppetlabs/puppet")),
    ("manage_internal_file_permissions", Flag(true)),
    ("masterport", Same("serverport")),
    ("max_deprecations", Number(10)),
    ("max_errors", Number(10)),
    ("max_warnings", Number(10)),
    ("maximum_uid", Number(4_294_967_290)),
    ("maxwaitforcert", Unlimited),
    ("maxwaitforlock", Number(60)),
    ("merge_dependency_warnings", Flag(false)),
    ("mkusers", Flag(false)),
    ("module_groups", Nothing),
    ("module_repository", Text("https://forgeapi.puppet.com")),
    ("module_working_dir", Text("$vardir/puppet-module")),
    ("named_curve", Text("prime256v1")),
    ("no_proxy", Text("localhost, 127.0.0.1")),
    ("node_cache_terminus", Nothing),
    ("node_name_fact", Text("")),
    ("node_name_value", Text("$certname")),
    ("node_terminus", Text("plain")),
    ("noop", Flag(false)),
    ("number_of_facts_soft_limit", Number(2048)),
    ("onetime", Flag(false)),
    ("passfile", Text("$privatedir/password")),
    ("path", Text("none")),
    ("payload_soft_limit", Number(16_777_216)),
    ("pidfile", Text("$rundir/${run_mode}.pid")),
    ("plugindest", Text("$libdir")),
    ("pluginfactdest", Text("$vardir/facts.d")),
    ("pluginfactsource", Text("puppet:///pluginfacts")),
    ("pluginsignore", Text(".svn CVS .git .hg")),
    ("pluginsource", Text("puppet:///plugins")),
    ("pluginsync", Flag(true)),
    ("postrun_command", Text("")),
    ("preferred_serialization_format", Text("json")),
    ("preprocess_deferred", Flag(true)),
    ("prerun_command", Text("")),
    ("preview_outputdir", Text("$vardir/preview")),
    ("priority", Nothing),
    ("privatedir", Text("$ssldir/private")),
    ("privatekeydir", Text("$ssldir/private_keys")),
    ("profile", Flag(false)),
    ("publicdir", Text("/opt/puppetlabs/puppet/public")),
    ("publickeydir", Text("$ssldir/public_keys")),
    ("puppet_trace", Flag(false)),
    ("puppetdlog", Text("$logdir/puppetd.log")),
    ("report", Flag(true)),
    ("report_include_system_store", Flag(false)),
    ("report_port", Same("serverport")),
    ("report_server", Same("server")),
    ("reportdir", Text("$vardir/reports")),
    ("reports", Text("store")),
    ("reporturl", Text("http://localhost:3000/reports/upload")),
    ("requestdir", Text("$ssldir/certificate_requests")),
    ("resourcefile", Text("$statedir/resources.txt")),
    ("resubmit_facts", Flag(false)),
    ("rich_data", Flag(true)),
    ("route_file", Text("$confdir/routes.yaml")),
    ("rundir", Text("/var/run/puppetlabs")),
    ("runinterval", Number(1800)),
    ("runtimeout", Number(3600)),
    ("serial", Text("$cadir/serial")),
    ("server", Text("puppet")),
    ("server_datadir", Text("$vardir/server_data")),
    ("server_list", List(&[])),
    ("serverport", Number(8140)),
    ("settings_catalog", Flag(true)),
    ("show_diff", Flag(false)),
    ("signeddir", Text("$cadir/signed")),
    ("skip_tags", Text("")),
    ("sourceaddress", Nothing),
    ("splay", Flag(false)),
    ("splaylimit", Same("runinterval")),
    ("srv_domain", Nothing),
    ("ssl_client_header", Text("HTTP_X_CLIENT_DN")),
    ("ssl_client_verify_header", Text("HTTP_X_CLIENT_VERIFY")),
    ("ssl_lockfile", Text("$ssldir/ssl.lock")),
    ("ssl_trust_store", Nothing),
    ("ssldir", Text("$confdir/ssl")),
    ("statedir", Text("$vardir/state")),
    ("statefile", Text("$statedir/state.yaml")),
    ("statettl", Number(2_764_800)),
    ("static_catalogs", Flag(true)),
    ("strict_environment_mode", Flag(false)),
    ("summarize", Flag(false)),
    ("supported_checksum_types", List(&["sha256", "sha384", "sha512", "sha224", "md5"])),
    ("syslogfacility", Text("daemon")),
    ("tags", Text("")),
    ("tasks", Flag(false)),
    ("top_level_facts_soft_limit", Number(512)),
    ("trace", Flag(false)),
    ("transactionstorefile", Text("$statedir/transactionstore.yaml")),
    ("trusted_external_command", Nothing),
    ("trusted_oid_mapping_file", Text("$confdir/custom_trusted_oid_mapping.yaml")),
    ("use_cached_catalog", Flag(false)),
    ("use_last_environment", Flag(true)),
    ("use_srv_records", Flag(false)),
    ("usecacheonfailure", Flag(true)),
    ("user", Text("puppet")),
    ("vardir", Text("/opt/puppetlabs/puppet/cache")),
    ("vendormoduledir", Text("/opt/puppetlabs/puppet/vendor_modules")),
    ("versioned_environment_dirs", Flag(false)),
    ("waitforcert", Number(120)),
    ("waitforlock", Number(0)),
    ("write_catalog_summary", Flag(true)),
    ("yamldir", Text("$vardir/yaml")),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn with(configured: &[(&str, &str)]) -> Hash {
        let configured = configured.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
        let resolved = [("confdir", Value::from("/etc/puppetlabs/puppet"))].into_iter().collect();
        values(&configured, resolved)
    }

    #[test]
    fn the_table_is_sorted() {
        assert!(SETTINGS.is_sorted_by_key(|(name, _)| name));
    }

    #[test]
    fn defaults_are_those_of_the_packages() {
        let settings = with(&[]);
        let text = |name: &str| settings.get(name).map(Value::to_text).unwrap_or_default();
        assert_eq!(text("vardir"), "/opt/puppetlabs/puppet/cache");
        assert_eq!(text("ssldir"), "/etc/puppetlabs/puppet/ssl");
        assert_eq!(text("hostcert"), "/etc/puppetlabs/puppet/ssl/certs/puppet.pem");
        assert_eq!(settings.get("ca_port"), Some(&Value::Integer(8140)));
        assert_eq!(settings.get("show_diff"), Some(&Value::Boolean(false)));
    }

    #[test]
    fn given_settings_are_read_by_their_kind() {
        let settings = with(&[("vardir", "/var/p"), ("runinterval", "2h"), ("show_diff", "true"), ("own", "x")]);
        let text = |name: &str| settings.get(name).map(Value::to_text).unwrap_or_default();
        assert_eq!(text("statedir"), "/var/p/state");
        assert_eq!((text("runinterval"), text("splaylimit")), ("7200".into(), "7200".into()));
        assert_eq!(settings.get("show_diff"), Some(&Value::Boolean(true)));
        assert_eq!(text("own"), "x");
        // A setting that names itself ends.
        assert_eq!(
            with(&[("tags", "$tags-a")]).get("tags").map(Value::to_text).unwrap_or_default().matches("-a").count(),
            10
        );
    }
}
