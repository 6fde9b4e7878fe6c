//! The help of the verbs: `-h` fits a screen, `--help` has every flag under a heading.
//!
//! Most verbs share the flags of a node and of Puppet's settings. A reader of `-h` looks for the flags of the verb, so
//! `-h` lists only those shared flags that nearly every call needs.

use clap::{Arg, Command};

/// The help of the command as a whole: the verbs by task.
pub(crate) const OVERVIEW: &str = "\
{about}

{usage-heading} {usage}

Commands:
 Look up values
  lookup       Look up keys in Hiera data, like `puppet lookup`
  compare      Compare all values of two nodes, or of two environments
  query        Query the values of many nodes in SQL
  enc          Print the classes of a node, as an external node classifier
  external     Answer the data source `external` of Terraform and OpenTofu
 Preview and make changes
  diff         Show the keys of nodes that a change affects, and why
  affected     Show the keys and nodes that a file, line or level can reach
  history      Show how the value of a key changed over the commits
  refactor     Rename, move and remove keys, with proof that no value changes
 Check
  check        Find problems in code, data, hierarchies, templates and jobs
  explain      Explain a finding or error code, or list the codes
  schema       Generate a JSON Schema for editors
  types        Infer types for untyped class parameters
 Evaluate code and templates
  eval         Evaluate Puppet code, Unfurl expressions, or HCL
  repl         Try the Puppet language at a prompt
  parse        Print the syntax tree of a file, like `puppet parser dump`
  catalog      Compile the catalog of a node, like `puppet catalog compile`
  render       Render EPP, ERB, Jinja2 and HCL templates with facts and data
 Documents and jobs
  expand       Expand the merge directives of a document, like Unfurl
  restore      Apply the edits of an expanded document to its original
  job          Convert a Nomad job to JSON, like `nomad job run -output`
  pack         Render and check packs of nomad-pack
  fmt          Format HCL files, like `nomad fmt`
 Serve
  serve        Serve lookups over HTTP, with pages for the browser
  lsp          Serve editors: findings, values, completion and navigation
 Secrets and settings
  secret       Encrypt, decrypt, edit and rotate eyaml values, like `eyaml`
  trust        Allow a repository to run programs and read files outside it
  config       Print the settings and the files they come from
  init         Propose settings, a workflow and a hook for this repository
  doctor       Report what cannot be checked here, why, and how to change that
  version      Print the version, and compare it with the newest release
  completions  Print the completion script for a shell
  man          Print the manual page, or write all pages to a folder

Options:
{options}{after-help}";

/// A heading of `--help`, and the flags below it.
struct Group {
    heading: &'static str,
    flags: &'static [&'static str],
}

const OUTPUT: &str = "Output";

const GROUPS: &[Group] = &[
    Group {
        heading: "Node and facts",
        flags: &[
            "node",
            "facts",
            "fact",
            "var",
            "trusted",
            "trusted-data",
            "nodes",
            "where",
            "shard",
            "resume",
            "puppetdb",
            "puppetdb-ca",
            "puppetdb-cert",
            "puppetdb-key",
            "puppetdb-keep",
            "puppetdb-answers",
            "base-facts",
            "all-nodes",
            "server-facts",
            "enc",
            "exported",
            "inventory",
            "playbook",
            "host",
        ],
    },
    Group {
        heading: OUTPUT,
        flags: &[
            "format",
            "output",
            "origins",
            "reveal",
            "exit-code",
            "fail-if",
            "fail-on",
            "statistics",
            "quiet",
            "jsonl",
            "junit",
            "message-format",
            "color",
            "no-pager",
            "verbose",
            "debug",
        ],
    },
    Group {
        heading: "Puppet settings",
        flags: &[
            "environment",
            "environment-dir",
            "environmentpath",
            "codedir",
            "confdir",
            "vardir",
            "setting",
            "hiera_config",
            "modulepath",
            "basemodulepath",
            "datadir",
            "without-level",
            "manifest",
            "revision",
            "puppet-version",
            "strict",
            "strict_variables",
            "no-strict_variables",
            "data_binding_terminus",
            "config",
        ],
    },
    Group {
        heading: "Limits and permissions",
        flags: &[
            "allow-programs",
            "allow-outside",
            "allow-network",
            "allow-files",
            "deny-files",
            "limit",
            "step-limit",
            "ruby",
            "random-seed",
            "timeout",
            "body-limit",
            "concurrency",
            "connections",
            "settle",
            "keep",
            "no-cache",
            "shutdown-timeout",
        ],
    },
];

/// The flags of the groups above that `-h` shows: nearly every call needs one of them.
const COMMON: &[&str] = &["node", "facts", "nodes", "format", "environment"];

/// The flags of a verb that `-h` leaves to `--help` as well, because the flags of the verb alone fill more than a screen.
const RARE: &[(&str, &[&str])] = &[
    (
        "lookup",
        &[
            "knock-out-prefix",
            "sort-merged-arrays",
            "merge-hash-arrays",
            "strict-knockout",
            "explain-options",
            "full",
            "each",
            "watch",
            "compile",
            "nodes",
            "environment",
        ],
    ),
    ("query", &["facts"]),
    (
        "diff",
        &[
            "no-jobs",
            "enc",
            "ignore",
            "ignore-attr",
            "ignore-tags",
            "strict-coverage",
            "no-findings",
            "facts",
            "node",
            "environment",
        ],
    ),
    ("affected", &["facts", "strict-coverage"]),
    (
        "check",
        &[
            "nomad-version",
            "extensions",
            "environment",
            "tasks",
            "unused",
            "var-file",
            "no-ignore",
            "exclude",
            "strict-coverage",
            "write-baseline",
            "ignore",
            "node",
            "target-version",
            "catalogs",
            "baseline",
            "facts",
        ],
    ),
    ("refactor", &["facts", "accept-changes", "environment"]),
    ("eval", &["catalog", "start", "input", "kind", "vault-id", "vault-password-file", "nodes", "environment"]),
    ("catalog", &["failures", "rich-data", "with-exported"]),
    (
        "render",
        &[
            "extension",
            "line-statement-prefix",
            "line-comment-prefix",
            "tree",
            "start",
            "input",
            "no-template-vars",
            "vault-id",
            "vault-password-file",
            "against",
            "format",
            "environment",
        ],
    ),
    (
        "job",
        &[
            "json",
            "extensions",
            "base",
            "consul-namespace",
            "vault-namespace",
            "allow-undeclared",
            "lint",
            "nodes",
            "hcl2-strict",
            "environment",
            "entry",
            "nomad-version",
            "node",
            "facts",
        ],
    ),
    ("enc", &["environment"]),
    ("serve", &["puppetdb-keep", "tls-cert", "tls-key", "catalogs"]),
    (
        "secret",
        &[
            "pkcs7-private-key-env-var",
            "pkcs7-public-key-env-var",
            "encrypt-method",
            "trace",
            "pkcs7-keysize",
            "pkcs7-subject",
        ],
    ),
];

/// The flags of the groups above that `-h` of a verb shows nevertheless.
const SHOWN: &[(&str, &[&str])] = &[("secret", &["output"])];

/// Puts the flags of a verb and of its actions under headings, and leaves to `--help` what does not fit the screen of
/// `-h`.
pub(crate) fn arrange(verb: Command) -> Command {
    let name = verb.get_name().to_owned();
    let flags_of = |table: &'static [(&str, &[&str])]| {
        table.iter().find(|(verb, _)| *verb == name).map_or(&[][..], |(_, flags)| *flags)
    };
    let (rare, shown) = (flags_of(RARE), flags_of(SHOWN));
    let arranged = |command: Command, path: &str, has_heading: fn(&Group) -> bool| {
        let long = command.get_after_help().cloned().unwrap_or_default();
        command
            .mut_args(|flag| place(flag, has_heading, rare, shown))
            .after_help(format!("Run 'hieratic {path} --help' for all flags and examples."))
            .after_long_help(long)
    };
    let path = |action: &Command| format!("{name} {}", action.get_name());
    arranged(verb, &name, |_| true).mut_subcommands(|action| {
        let path = path(&action);
        // Actions have neither nodes nor settings of Puppet: their flags of these names are others.
        arranged(action, &path, |group| group.heading == OUTPUT)
    })
}

fn place(flag: Arg, has_heading: fn(&Group) -> bool, rare: &[&str], shown: &[&str]) -> Arg {
    let Some(name) = flag.get_long().map(str::to_owned) else { return flag };
    let group = GROUPS.iter().find(|group| group.flags.contains(&name.as_str()) && has_heading(group));
    let is_common = group.is_none() || COMMON.contains(&name.as_str()) || shown.contains(&name.as_str());
    let is_hidden = !is_common || rare.contains(&name.as_str());
    let flag = match group {
        Some(group) => flag.help_heading(group.heading),
        None => flag,
    };
    flag.hide_short_help(is_hidden)
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use crate::verbs::Arguments;

    /// The lines that a terminal of 80 columns shows at once, with the prompt.
    const SCREEN: usize = 30;

    #[test]
    fn short_help_fits_a_screen() {
        let mut command = Arguments::command().term_width(80);
        command.build();
        let mut long = Vec::new();
        let mut count = 0;
        for verb in command.get_subcommands_mut() {
            let mut check = |command: &mut clap::Command| {
                let lines = command.render_help().to_string().lines().count();
                count += 1;
                if lines > SCREEN {
                    long.push(format!("{} -h: {lines} lines", command.get_display_name().unwrap_or_default()));
                }
            };
            check(verb);
            verb.get_subcommands_mut().for_each(check);
        }
        assert!(count > 35, "{count} commands");
        assert!(long.is_empty(), "{}", long.join("\n"));
    }

    #[test]
    fn the_overview_names_every_verb_with_its_help_line() {
        let command = Arguments::command();
        for verb in command.get_subcommands() {
            let line = format!("  {:<12} {}\n", verb.get_name(), verb.get_about().unwrap());
            assert!(super::OVERVIEW.contains(&line), "{line}");
        }
    }

    #[test]
    fn groups_name_flags_that_exist() {
        let mut command = Arguments::command();
        command.build();
        let verbs = command.get_subcommands();
        let flags: Vec<&str> = verbs
            .flat_map(|verb| std::iter::once(verb).chain(verb.get_subcommands()))
            .flat_map(|command| command.get_arguments())
            .filter_map(|flag| flag.get_long())
            .collect();
        let named = super::GROUPS.iter().flat_map(|group| group.flags).chain(super::COMMON);
        let named = named.chain(super::RARE.iter().chain(super::SHOWN).flat_map(|(_, flags)| *flags));
        let unknown: Vec<&&str> = named.filter(|name| !flags.contains(name)).collect();
        assert!(unknown.is_empty(), "{unknown:?}");
    }
}
