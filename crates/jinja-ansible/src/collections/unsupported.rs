//! The filters and tests of the collections that are not supported, with their reasons.

/// Their names.
pub const NAMES: &[&str] = &[
    "a_module",
    "hashids_decode",
    "hashids_encode",
    "jc",
    "lipsum",
    "parse_cli",
    "parse_cli_textfsm",
    "parse_xml",
    "resolvable",
    "validate",
];

/// Returns the reason why a filter or test is not supported. The name may have the prefix of its collection.
pub fn reason(name: &str) -> Option<&'static str> {
    let (collection, plain) = name.rsplit_once('.').unwrap_or(("", name));
    let (collections, reason): (&[&str], _) = match plain {
        "a_module" => (&["community.general"], "it looks for modules of Ansible's installation"),
        "hashids_decode" | "hashids_encode" => (&["community.general"], "it needs the Python library hashids"),
        "jc" => (&["community.general"], "it needs the Python library jc"),
        "lipsum" => (&["ansible.builtin", "ansible.legacy"], "each rendering would give another text"),
        "parse_cli" => (&["ansible.netcommon"], "pass what it reads with --vars"),
        "parse_cli_textfsm" => (&["ansible.netcommon"], "it needs the Python library textfsm"),
        "parse_xml" => (&["ansible.netcommon"], "pass what it reads with --vars"),
        "resolvable" => (&["ansible.utils"], "templates cannot use the network"),
        "validate" => (&["ansible.utils"], "it needs the Python library jsonschema, or configuration of Ansible"),
        _ => return None,
    };
    (collection.is_empty() || collections.contains(&collection)).then_some(reason)
}
