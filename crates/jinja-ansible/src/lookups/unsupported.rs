//! The lookups of `community.general` and `ansible.utils` that are not supported, with their reasons.

/// Returns the reason why a lookup of these collections is not supported.
pub fn reason(name: &str) -> Option<&'static str> {
    ELSEWHERE.iter().find(|(_, names)| names.contains(&name)).map(|(reason, _)| *reason)
}

/// The reasons, each with the names of its lookups.
const ELSEWHERE: &[(&str, &[&str])] = &[
    (
        "templates cannot use the network",
        &[
            "chef_databag",
            "consul_kv",
            "credstash",
            "cyberarkpassword",
            "dnstxt",
            "dsv",
            "etcd",
            "etcd3",
            "manifold",
            "redis",
            "revbitspss",
            "tss",
        ],
    ),
    (
        "templates cannot run programs",
        &[
            "bitwarden",
            "bitwarden_secrets_manager",
            "github_app_access_token",
            "hiera",
            "keyring",
            "lastpass",
            "onepassword",
            "onepassword_doc",
            "onepassword_raw",
            "passwordstore",
        ],
    ),
    ("each rendering would give another value", &["random_pet", "random_string", "random_words"]),
    ("pass what it reads with --vars", &["collection_version", "filetree", "lmdb_kv", "shelvefile", "validate"]),
];
