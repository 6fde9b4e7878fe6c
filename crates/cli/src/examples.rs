//! The last section of the help of each verb: examples, which `tests/examples.rs` runs, and notes.
//!
//! A line of an example begins with two spaces, is a shell command, and has at most 80 columns, so that no terminal
//! breaks it. Other lines are paragraphs, which clap wraps to the width of the terminal, so each paragraph is one line
//! here.

pub(crate) const OVERVIEW: &str = "\
Examples:
  hieratic                                  # what this repository has
  hieratic lookup ntp::servers --node web01.example.com
  hieratic lookup ntp::servers --origins    # where every part comes from
  hieratic eval -e 'lookup(\"ntp::servers\").join(\", \")'
  hieratic check                            # find problems below this folder
  hieratic expand site.yaml                 # resolve its merge directives
  hieratic job web.nomad.hcl                # a Nomad job as JSON

Lookups use the control repository of the current folder: the folder that has a hiera.yaml, or any folder below it.

Run 'hieratic VERB --help' for the flags and examples of a verb.";

pub(crate) const INIT: &str = "\
Examples:
  hieratic init                             # shows the files, then asks
  hieratic init --settings-only             # hieratic.toml and a baseline
  hieratic init --yes                       # writes without asking

It looks at the repository around the current folder: its environments, facts, findings, jobs and remotes. Files that exist stay as they are.";

pub(crate) const DOCTOR: &str = "\
Examples:
  hieratic doctor
  hieratic doctor --color never > doctor.txt

The exit status is 1 if something does not work, or with --exit-code if there is a gap, such as an environment that cannot be opened, and 2 if the folder is not in a control repository.";

pub(crate) const EXPLAIN: &str = "\
Examples:
  hieratic explain unknown-parameter
  hieratic explain data-type
  hieratic explain                          # all codes";

pub(crate) const LOOKUP: &str = "\
Examples:
  hieratic lookup ntp::servers              # in a control repository
  hieratic lookup ntp::servers --node web01.example.com --facts web01.json
  hieratic lookup ntp::servers --why        # the levels that made the value
  hieratic lookup ntp::servers --merge unique --explain
  hieratic lookup profile::web::vhosts --origins
  hieratic lookup --all --fact role=web --format json
  hieratic lookup --all 'profile::web::*' --origins

By default, values are printed as YAML and explanations as text. The exit status is 0 if a value was found, 1 if not.";

pub(crate) const QUERY: &str = "\
Examples:
  hieratic query 'select key, count(distinct value) from lookups
    group by key' --nodes facts/
  hieratic query \"select node, number from lookups
    where key = 'profile::web::port'\" --nodes fleet.ndjson
  hieratic query \"select l.* from lookups l join facts f using (node)
    where path = 'role' and f.text = 'web'\" --facts nodes/
  hieratic query 'select path, keys from files order by bytes desc limit 10'
  hieratic query 'select * from lookups' --nodes facts/ --output all.parquet
  hieratic query \"select value from lookups where key like 'ntp::%'\" --explain

The tables are nodes, facts, lookups, levels, files and findings; docs/query.md lists their columns. Only the keys and nodes that a query \
can need are looked up; --explain shows which. The package hieratic-query of a release answers queries, as do builds with `--features query`.";

pub(crate) const COMPARE: &str = "\
Examples:
  hieratic compare web01.example.com db01.example.com
  hieratic compare web01.example.com db01.example.com --key 'ntp::*'
  hieratic compare web01.example.com --to-environment staging --facts nodes/
  hieratic compare web01.example.com db01.example.com --format json

The facts of each node come from the folder that --facts or the settings name. Equal values are only counted. The exit status is 0; with --exit-code it is 1 if something differs.";

pub(crate) const ENC: &str = "\
Examples:
  hieratic enc web01.example.com --facts nodes/
  hieratic enc web01.example.com --classes profile::classes
  hieratic enc web01.example.com --parameters site::parameters
  hieratic enc web01.example.com --trusted-external site::trusted

With node_terminus = exec, a server runs the script of external_nodes with the name of a node; the script runs this verb. Facts are those of \
the files that --facts or the settings name. A node without the key of the classes is an error.";

pub(crate) const EXTERNAL: &str = "\
Examples:
  echo '{\"key\": \"ntp::servers\", \"node\": \"web01\"}' | hieratic external
  echo '{\"keys\": \"ntp::servers\", \"fact.role\": \"web\"}' | hieratic external

Terraform writes the query to standard input and reads the result: for `key`, `value` with the string and `json` with the value as JSON, for \
`keys` the value of each key. Values that are not strings are JSON. A secret is an error without --reveal.";

pub(crate) const DIFF: &str = "\
Examples:
  hieratic diff                                 # the working tree and HEAD
  hieratic diff main...                         # since the branch left main
  hieratic diff main..feature --facts nodes/    # two revisions
  hieratic diff --where 'facts.role == \"web\"' --key 'profile::*'
  hieratic diff main... --format markdown       # for a pull request
  hieratic diff --fail-if 'nodes > 100' --fail-if 'failures > 0'
  hieratic diff --against ~/production          # a folder, not a revision

Nothing is checked out: revisions are read from git. Without facts, nodes are made up from the paths of the hierarchy. The exit status is 0, 1 with --exit-code if something changes or if a condition of --fail-if holds, and 2 if the comparison failed.";

pub(crate) const HISTORY: &str = "\
Examples:
  hieratic history profile::web::port --node web01.example.com
  hieratic history profile::web::port --facts web01.json -n 1
  hieratic history profile::web::port v1.2 --facts web01.json
  hieratic history profile::web::port --node web01.example.com --at v1.2

Commits are followed along their first parents. Nothing is checked out. Commits that touched no file that can change the answer are skipped.";

pub(crate) const AFFECTED: &str = "\
Examples:
  hieratic affected data/common.yaml
  hieratic affected data/common.yaml:3 --facts nodes/
  hieratic affected --level Common --facts nodes/ --format keys
  hieratic affected data/roles --format nodes
  hieratic affected data/roles/web.yaml --why-not db01

Whatever a change of the file can do to an answer is listed; `hieratic diff` shows what a change does.";

pub(crate) const REFACTOR: &str = "\
Examples:
  hieratic refactor rename site::domain site::zone
  hieratic refactor rename site::domain site::zone --facts nodes/ --write
  hieratic refactor move site::domain --to data/roles/web.yaml --accept-changes
  hieratic refactor dedupe --facts nodes/
  hieratic refactor prune --facts nodes/ --write

The change is printed as a diff, and written only with --write. All values that it can reach are looked up before and after, for all nodes. The exit status is 0 if no value changes, 1 if one does, and 2 if the change cannot be planned.";

pub(crate) const SCHEMA: &str = "\
Examples:
  hieratic schema > hiera.schema.json
  hieratic schema 'profile::*'              # only some parameters

The schema is of draft 7, which editors read. Keys that are not class parameters are allowed.";

pub(crate) const TYPES: &str = "\
Examples:
  hieratic types --facts nodes/
  hieratic types 'profile::web::*' --facts nodes/ --write

The types are printed as a diff of the manifests, and written only with --write. A parameter gets the type of its default, of the values that all nodes see, and of those that declarations of the class pass.";

pub(crate) const EVAL: &str = "\
Examples:
  hieratic eval -e '[1, 2, 3].map |$x| { $x * 2 }'
  hieratic eval manifest.pp --node web01.example.com --facts web01.json
  echo 'lookup(\"ntp::servers\")' | hieratic eval      # in a control repository
  hieratic eval -e '\"${facts[os][family]}\"' --fact os.family=Debian
  hieratic eval -e 'Integer[1, 10]' --format report
  hieratic eval --jsonl < requests.jsonl             # one report per line
  hieratic eval --language unfurl --tree tree.yaml -e '::web::users::[age=25]'
  hieratic eval --language hcl -e '[for p in ports : p + 1]' --var 'ports=[80]'
  hieratic eval --language hcl --kind template -e 'Hello, ${upper(\"you\")}!'
  hieratic eval -e 'lookup(\"ntp::servers\")' --nodes nodes/    # many nodes

By default, values are printed in the notation of the language: Puppet literals for Puppet, JSON for Unfurl and HCL. A report is one JSON object with the value, its text, its type and the log.";

pub(crate) const CATALOG: &str = "\
Examples:
  hieratic catalog web01.example.com          # in a control repository
  hieratic catalog web01.example.com --facts web01.json --format s
  hieratic catalog web01.example.com --origins    # where values come from
  hieratic catalog web01.example.com --format dot
  hieratic catalog --all --facts nodes/ > catalogs.ndjson
  hieratic catalog --all --facts nodes/ --failures    # do all compile?

The output is that of the reference, except its number and time. Values of sensitive parameters are redacted; to see them, pass --reveal. The exit status is 1 if a catalog cannot be compiled, or if its resources wait for each other.";

pub(crate) const PARSE: &str = "\
Examples:
  hieratic parse manifest.pp                     # the tree in Puppet's PN form
  hieratic parse manifest.pp --format json
  hieratic parse -e '$x = 1 + 2'
  hieratic parse motd.epp";

pub(crate) const CHECK: &str = "\
Examples:
  hieratic check                                 # everything here
  hieratic check manifests data/common.yaml
  hieratic check site.yaml                       # a document with directives
  hieratic check --facts nodes/                  # for these nodes
  hieratic check --facts nodes/ --all-nodes --unused    # and what is unused
  hieratic check --facts nodes/ --hygiene   # data that can be removed
  hieratic check --write-baseline hieratic-baseline.json    # accept all
  hieratic check --baseline hieratic-baseline.json          # report new
  hieratic check --ignore unknown-parameter --fail-on warning
  hieratic check --message-format sarif > hieratic.sarif

A comment `# hieratic: ignore CODE` accepts findings on its line and the next. docs/findings has a page for every code. The exit status is 0 without findings of the --fail-on severity or worse, 1 with such findings, 2 for invalid flags.";

pub(crate) const EXPAND: &str = "\
Examples:
  hieratic expand site.yaml               # resolve its merge directives
  hieratic expand site.yaml --origins     # file and line of every value
  hieratic expand site.yaml --explain     # what each directive found and merged
  hieratic expand site.yaml --format json
  hieratic expand - < site.yaml           # includes: current folder

Reading files outside of the document's folder requires --allow-outside, fetching pages requires --allow-network.";

pub(crate) const RESTORE: &str = "\
Examples:
  hieratic expand site.yaml > expanded.yaml           # then edit it
  hieratic restore site.yaml expanded.yaml            # original with edits
  hieratic restore site.yaml expanded.yaml --diff     # only the differences
  hieratic restore site.yaml expanded.yaml --in-place
  hieratic restore site.yaml expanded.yaml --in-place --into-includes

Unchanged parts stay byte for byte. The order of keys in maps is ignored.";

pub(crate) const RENDER: &str = "\
Examples:
  hieratic render motd.epp --node web01.example.com --facts web01.json
  hieratic render nginx.conf.j2 --var port=8080 --vars site.yaml
  hieratic render report.txt --language jinja2   # any file name
  hieratic render motd.j2 --tree tree.yaml --start web   # with Unfurl's SELF
  hieratic render backends.tftpl --var 'ports=[80, 443]'
  echo '{{ lookup(\"hiera\", \"ntp::servers\") }}' |
    hieratic render - --language jinja2
  echo '<%= lookup(\"ntp::servers\").join(\" \") %>' |
    hieratic render - --language epp

In a control repository, templates can look up its data. The exit status is 0 if the template was rendered, 1 if not, 2 for invalid flags.";

pub(crate) const JOB: &str = "\
Examples:
  hieratic job web.nomad.hcl                     # the job as JSON
  hieratic job web.nomad.hcl -var replicas=5 -var-file production.vars
  hieratic job web.nomad.hcl --validate          # errors a server would report
  hieratic job web.nomad.hcl --origins           # the source of every value
  hieratic job web.nomad.hcl --allow-undeclared -var-file shared.vars
  hieratic job web.nomad.hcl --environment-dir . --node web01.example.com
  hieratic job web.nomad.hcl --nodes nodes/ --output jobs.ndjson

With an environment, as in the last examples, the job can call hiera(\"key\"). -var overrides variable files, and variable files override environment variables (NOMAD_VAR_name). Nomad's flags take one hyphen or two. Functions can only read files of the job's repository, with paths relative to the working folder or to the job; --allow-files allows more. Flags that only affect how `nomad job run` submits a job are ignored. The exit status is 0 if the job was printed, 1 if not, 2 for invalid flags.";

pub(crate) const SERVE: &str = "\
Examples:
  hieratic serve                              # in a control repository
  hieratic serve --facts nodes            # nodes from files: NAME.json
  hieratic serve --puppetdb http://localhost:8080
  hieratic serve --listen 0.0.0.0:8443 --token-file tokens \\
    --tls-cert cert.pem --tls-key key.pem

  curl http://127.0.0.1:8088/v1/lookup -H 'Content-Type: application/json' \\
    -d '{\"node\": \"web01.example.com\", \"keys\": [\"profile::web::port\"]}'

GET /v1/openapi.json describes the API; http://127.0.0.1:8088/ is a page for the browser. On SIGTERM or SIGINT the service finishes requests in flight, then exits.";

pub(crate) const REPL: &str = "\
Examples:
  hieratic repl                               # in a control repository
  hieratic repl --node web01.example.com --facts web01.json

In a control repository, its data, modules and functions are available. Tab completes, :help lists the commands, and Ctrl-D exits.";

pub(crate) const CONFIG: &str = "\
Examples:
  hieratic config                           # the settings in effect here
  hieratic config --format json          # for tools

Settings replace flags that you would repeat every time. hieratic.toml in a repository is for everyone who works on it; ~/.config/hieratic/config.toml is your own. Flags override the repository's file, which overrides yours. Paths in a repository's file cannot leave the repository.";

pub(crate) const VERSION: &str = "\
Examples:
  hieratic version
  hieratic version --check                  # says what it would ask
  hieratic version --check --allow-network

No other verb asks for a newer release. With --exit-code, the exit status is 1 if there is one. It is 2 if the page cannot be asked or names no release.";

pub(crate) const COMPLETIONS: &str = "\
Examples:
  source <(hieratic completions bash)         # in ~/.bashrc

  mkdir -p ~/.zfunc                           # and fpath+=~/.zfunc in ~/.zshrc
  hieratic completions zsh > ~/.zfunc/_hieratic

  mkdir -p ~/.config/fish/completions
  hieratic completions fish > ~/.config/fish/completions/hieratic.fish

In bash, zsh and fish, Tab also completes keys, nodes and environments of the repository, fact names, and rule codes.";

pub(crate) const MAN: &str = "\
Examples:
  hieratic man | man -l -
  hieratic man ~/.local/share/man/man1        # then: man hieratic-lookup";

pub(crate) const PACK: &str = "\
Examples:
  hieratic pack render packs/web                        # prints the files
  hieratic pack render packs/web --var count=3
  hieratic pack check packs/web --var-file prod.hcl     # checks the jobs
  hieratic pack render web.levant --var-file vars.yaml  # of levant

The exit status is 1 if the pack or template cannot be rendered or, with `check`, if a server would refuse a job.";

pub(crate) const PACK_RENDER: &str = "\
Examples:
  hieratic pack render packs/web
  hieratic pack render packs/web --var count=3 --var-file prod.hcl";

pub(crate) const PACK_CHECK: &str = "\
Examples:
  hieratic pack check packs/web --var-file prod.hcl";

pub(crate) const FMT: &str = "\
Examples:
  hieratic fmt web.nomad.hcl                # rewrites the file if needed
  hieratic fmt --check --recursive .        # for CI: changes nothing
  hieratic fmt - < web.nomad.hcl            # prints the result

Only whitespace changes: indentation, spacing between tokens, and the alignment of equals signs and comments on adjacent lines. Files that are not valid HCL stay unchanged. Flags take one hyphen or two. The exit status is 1 if a file cannot be read or, with --check, would change.";

pub(crate) const LSP: &str = "\
Examples:
  hieratic lsp                              # an editor starts this
  hieratic lsp --facts facts/               # hovers show answers of a node

Editors speak the Language Server Protocol over standard input and output. The findings are those of 'hieratic check', on unsaved files. A repository cannot run programs, use the network, or read files outside of the opened folders. docs/editors.md shows how to set up VS Code, Neovim, Helix, Emacs and others.";

pub(crate) const TRUST: &str = "\
Examples:
  hieratic trust                            # the current repository
  hieratic trust --list
  hieratic trust --remove .

An untrusted repository cannot run programs, read environment variables, use the network, or read files outside of it (except data levels that its hiera.yaml places there), unless a flag allows it: --allow-programs, --allow-outside, --allow-network. Trust grants all of these to 'lookup', 'eval', 'render', 'repl', 'expand', 'restore', 'job' and 'serve'; 'check' ignores it. The list of trusted repositories is in ~/.config/hieratic/config.toml.";

pub(crate) const SECRET: &str = "\
Examples:
  hieratic secret createkeys
  hieratic secret encrypt -s 'a password' -l profile::db::password
  hieratic secret edit data/common.eyaml
  hieratic secret rotate data --new-public-key new/public.pem

Run 'hieratic secret ACTION --help' for the flags and examples of an action.";

pub(crate) const SECRET_ENCRYPT: &str = "\
Examples:
  hieratic secret encrypt -s 'a password' -l profile::db::password
  hieratic secret encrypt --password -o string     # prompts for the password
  hieratic secret encrypt -f server.key -o block -l tls::key
  hieratic secret encrypt -e plain.eyaml           # its DEC::PKCS7[...]! parts
  head -c 20 /dev/urandom | base64 | tr -d '\\n' |
    hieratic secret encrypt --stdin -o string

Key files come from the flags, $EYAML_CONFIG, ~/.eyaml/config.yaml or /etc/eyaml/config.yaml, in this order; the default is ./keys/*.pkcs7.pem. Encrypting requires the public key only.";

pub(crate) const SECRET_DECRYPT: &str = "\
Examples:
  hieratic secret decrypt -s 'ENC[PKCS7,...]'
  hieratic secret decrypt -e data/common.eyaml     # values as DEC::PKCS7[...]!
  hieratic secret decrypt -f data/common.eyaml     # values in plain text";

pub(crate) const SECRET_EDIT: &str = "\
Examples:
  hieratic secret edit data/common.eyaml
  EDITOR='code --wait' hieratic secret edit data/common.eyaml

In the editor, encrypted values appear as DEC(number)::PKCS7[plain text]!. Keep the numbers. Add new values without a number: DEC::PKCS7[plain text]!. The plain text is kept in a folder that only you can read, and deleted afterwards; if a run was killed, the next run deletes it. The file is replaced atomically.";

pub(crate) const SECRET_ROTATE: &str = "\
Examples:
  hieratic secret createkeys --pkcs7-private-key new/private.pem \\
    --pkcs7-public-key new/public.pem
  hieratic secret rotate data --dry-run --new-public-key new/public.pem
  hieratic secret rotate data --new-public-key new/public.pem

The old keys are the ones that the other actions use. If any value cannot be decrypted, no file is changed. To resume an interrupted rotation, run the same command again; add --new-private-key if eyaml created both key pairs.";

pub(crate) const SECRET_CREATEKEYS: &str = "\
Examples:
  hieratic secret createkeys
  hieratic secret createkeys --pkcs7-keysize 4096 --pkcs7-subject /CN=site \\
    --pkcs7-private-key big/private.pem --pkcs7-public-key big/public.pem";
