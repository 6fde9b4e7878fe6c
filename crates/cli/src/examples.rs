//! What the help of each verb ends with: examples that the tests run (`tests/examples.rs`), and what else should be known.
//!
//! A line of an example begins with two spaces, is a command for a shell, and has at most 80 columns, so that no terminal breaks
//! it. Other lines are paragraphs, which are broken to the width of the terminal; so each is one line here.

pub(crate) const OVERVIEW: &str = "\
Examples:
  hieratic lookup ntp::servers --node web01.example.com
  hieratic lookup ntp::servers --origins    # where every part comes from
  hieratic eval -e 'lookup(\"ntp::servers\").join(\", \")'
  hieratic check                            # what is wrong below this folder
  hieratic expand site.yaml                 # what its directives refer to
  hieratic job web.nomad.hcl                # a Nomad job as JSON

Data are looked up where you stand: in a control repository, the folder that has a hiera.yaml, or below it.

'hieratic VERB --help' explains a verb with examples.";

pub(crate) const EXPLAIN: &str = "\
Examples:
  hieratic explain unknown-parameter
  hieratic explain                          # the codes of all rules";

pub(crate) const LOOKUP: &str = "\
Examples:
  hieratic lookup ntp::servers              # in a control repository
  hieratic lookup ntp::servers --node web01.example.com --facts web01.json
  hieratic lookup ntp::servers --why        # the levels that made the value
  hieratic lookup ntp::servers --merge unique --explain
  hieratic lookup profile::web::vhosts --origins
  hieratic lookup --all --fact role=web --render-as json
  hieratic lookup --all 'profile::web::*' --origins

Without a render format, values are printed as YAML and explanations as text. The exit status is 0 if a value was found and 1 if not.";

pub(crate) const COMPARE: &str = "\
Examples:
  hieratic compare web01.example.com db01.example.com
  hieratic compare web01.example.com db01.example.com --key 'ntp::*'
  hieratic compare web01.example.com --to-environment staging --facts nodes/
  hieratic compare web01.example.com db01.example.com --render-as json

Each node has the facts that --facts, or the settings, have of it in a folder. What is equal is only counted. The exit status is 0; with --exit-code it is 1 if something differs.";

pub(crate) const DIFF: &str = "\
Examples:
  hieratic diff                                    # the working tree against HEAD
  hieratic diff main...                            # since the branch left main
  hieratic diff main..feature --facts nodes/       # two revisions, for the nodes of a folder
  hieratic diff --where 'facts.role == \"web\"' --key 'profile::*'
  hieratic diff origin/main... --format markdown   # for a comment on a pull request
  hieratic diff --fail-if 'nodes > 100' --fail-if 'failures > 0'
  hieratic diff --against ../production            # a folder instead of a revision

Nothing is checked out: revisions are read from git. Without facts, nodes are made up from the paths of the hierarchy. The exit status is 0, 1 with --exit-code if something changes or if a condition of --fail-if holds, and 2 if it could not be told.";

pub(crate) const HISTORY: &str = "\
Examples:
  hieratic history profile::web::port --node web01.example.com
  hieratic history profile::web::port --node web01.example.com -n 1     # the last change
  hieratic history profile::web::port v1.2 --facts nodes/web01.json     # what led to a tag
  hieratic history profile::web::port --node web01.example.com --at v1.2

Commits are followed along their first parents. Nothing is checked out. Commits that touched no file that can change the answer are skipped.";

pub(crate) const EVAL: &str = "\
Examples:
  hieratic eval -e '[1, 2, 3].map |$x| { $x * 2 }'
  hieratic eval manifest.pp --node web01.example.com --facts web01.json
  echo 'lookup(\"ntp::servers\")' | hieratic eval      # in a control repository
  hieratic eval -e '\"${facts[os][family]}\"' --fact os.family=Debian
  hieratic eval -e 'Integer[1, 10]' --render-as report
  hieratic eval --jsonl < requests.jsonl             # one report for each line
  hieratic eval --language unfurl --tree tree.yaml -e '::web::users::[age=25]'
  hieratic eval --language hcl -e '[for p in ports : p + 1]' --var 'ports=[80]'
  hieratic eval --language hcl --kind template -e 'Hello, ${upper(\"you\")}!'

Without a render format, the value is printed as the language writes it, that of an expression of Unfurl or HCL as JSON. A report is one JSON object with the value, its text and type, and what was logged.";

pub(crate) const PARSE: &str = "\
Examples:
  hieratic parse manifest.pp                     # the tree in Puppet's PN form
  hieratic parse manifest.pp --render-as json
  hieratic parse -e '$x = 1 + 2'
  hieratic parse motd.epp";

pub(crate) const CHECK: &str = "\
Examples:
  hieratic check                                 # all below the current folder
  hieratic check manifests data/common.yaml
  hieratic check site.yaml                       # a document with directives
  hieratic check --facts nodes/                  # for these nodes, a file each
  hieratic check --facts nodes/ --all-nodes --unused    # and what nobody uses
  hieratic check --write-baseline hieratic-baseline.json    # accept what is
  hieratic check --baseline hieratic-baseline.json          # tell what is new
  hieratic check --ignore unknown-parameter --fail-on warning
  hieratic check --message-format sarif > hieratic.sarif

A comment `# hieratic: ignore CODE` accepts what is found on its line or the next one. docs/findings has a page for every code. The exit status is 0 if nothing as bad as --fail-on is wrong, 1 if something is, 2 if flags make no sense.";

pub(crate) const EXPAND: &str = "\
Examples:
  hieratic expand site.yaml               # what its directives refer to
  hieratic expand site.yaml --origins     # the file and line of every value
  hieratic expand site.yaml --explain     # what each directive found and merged
  hieratic expand site.yaml --render-as json
  hieratic expand - < site.yaml           # includes are in the current folder

Files outside of the document's folder are read with --allow-outside only, pages with --allow-network only.";

pub(crate) const RESTORE: &str = "\
Examples:
  hieratic expand site.yaml > expanded.yaml           # then change that
  hieratic restore site.yaml expanded.yaml            # with the change in it
  hieratic restore site.yaml expanded.yaml --diff     # only what would change
  hieratic restore site.yaml expanded.yaml --in-place
  hieratic restore site.yaml expanded.yaml --in-place --into-includes

What was not changed stays byte for byte. The order of keys in maps does not count.";

pub(crate) const RENDER: &str = "\
Examples:
  hieratic render motd.epp --node web01.example.com --facts web01.json
  hieratic render nginx.conf.j2 --var port=8080 --vars site.yaml
  hieratic render report.txt --language jinja2   # whatever the file is called
  hieratic render motd.j2 --tree tree.yaml --start web   # with Unfurl's SELF
  hieratic render backends.tftpl --var 'ports=[80, 443]'
  echo '{{ lookup(\"hiera\", \"ntp::servers\") }}' |
    hieratic render - --language jinja2
  echo '<%= lookup(\"ntp::servers\").join(\" \") %>' |
    hieratic render - --language epp

Data are looked up where there is a control repository. The exit status is 0 if there is a text, 1 if not, 2 if flags make no sense.";

pub(crate) const JOB: &str = "\
Examples:
  hieratic job web.nomad.hcl                     # the job as JSON
  hieratic job web.nomad.hcl -var replicas=5 -var-file production.vars
  hieratic job web.nomad.hcl --validate          # what a server would refuse
  hieratic job web.nomad.hcl --origins           # where every value comes from
  hieratic job web.nomad.hcl --allow-undeclared -var-file shared.vars
  hieratic job web.nomad.hcl --environment-dir . --node web01.example.com

With an environment, as in the last one, the job may call hiera(\"key\"). Variables of the environment, NOMAD_VAR_name, count before variable files, and these before -var. Flags of the reference may be written with one hyphen or two. Functions read files of the job's repository only, by names that begin at the working folder or beside the job; --allow-files allows more. Flags that only say how `nomad job run` submits a job change nothing. The exit status is 0 if there is a job, 1 if not, 2 if flags make no sense.";

pub(crate) const SERVE: &str = "\
Examples:
  hieratic serve                              # in a control repository
  hieratic serve --facts nodes            # nodes by files: NAME.json
  hieratic serve --puppetdb http://localhost:8080
  hieratic serve --listen 0.0.0.0:8443 --token-file tokens \\
    --tls-cert cert.pem --tls-key key.pem

  curl http://127.0.0.1:8088/v1/lookup -H 'Content-Type: application/json' \\
    -d '{\"node\": \"web01.example.com\", \"keys\": [\"profile::web::port\"]}'

GET /v1/openapi.json describes the API, and http://127.0.0.1:8088/ is a page for the browser. SIGTERM and SIGINT end the service when what is underway is answered.";

pub(crate) const REPL: &str = "\
Examples:
  hieratic repl                               # in a control repository
  hieratic repl --node web01.example.com --facts web01.json

In a control repository its data, modules and functions are there. At the prompt Tab completes, :help lists what there is, and Ctrl-D ends.";

pub(crate) const CONFIG: &str = "\
Examples:
  hieratic config                           # the settings that hold here
  hieratic config --render-as json          # for tools

Settings are what is the same every time: hieratic.toml in a repository, for everybody who works on it, and ~/.config/hieratic/config.toml, for yourself. A flag wins over the repository's file, and that over yours. What a repository sets leads nowhere out of it.";

pub(crate) const COMPLETIONS: &str = "\
Examples:
  source <(hieratic completions bash)         # as a line of ~/.bashrc

  mkdir -p ~/.zfunc                           # and fpath+=~/.zfunc in ~/.zshrc
  hieratic completions zsh > ~/.zfunc/_hieratic

  mkdir -p ~/.config/fish/completions
  hieratic completions fish > ~/.config/fish/completions/hieratic.fish

In bash, zsh and fish, Tab offers keys, nodes and environments of the repository, names of facts, and codes of rules.";

pub(crate) const MAN: &str = "\
Examples:
  hieratic man | man -l -
  hieratic man ~/.local/share/man/man1        # then: man hieratic-lookup";

pub(crate) const FMT: &str = "\
Examples:
  hieratic fmt web.nomad.hcl                # writes it if it changes
  hieratic fmt --check --recursive .        # for CI: changes nothing
  hieratic fmt - < web.nomad.hcl            # prints the result

Only blanks change: indents, the space between tokens, and the columns of equals signs and comments that follow each other. Files that are no HCL are left as they are. Flags may be written with one hyphen or two. The exit status is 1 if a file cannot be read or, with --check, would change.";

pub(crate) const TRUST: &str = "\
Examples:
  hieratic trust                            # the repository that you stand in
  hieratic trust --list
  hieratic trust --remove .

A repository that is not trusted runs no program, reads no file outside of itself except data levels that its hiera.yaml places there, sees no environment variable and uses no network, unless a flag allows it: --allow-programs, --allow-outside, --allow-network. Trust gives all of these to 'lookup', 'eval', 'render', 'repl', 'expand', 'restore', 'job' and 'serve'; 'check' stays inside all the same. It is kept in ~/.config/hieratic/config.toml.";

pub(crate) const SECRET: &str = "\
Examples:
  hieratic secret createkeys
  hieratic secret encrypt -s 'a password' -l profile::db::password
  hieratic secret edit data/common.eyaml
  hieratic secret rotate data --new-public-key new/public.pem

'hieratic secret ACTION --help' explains an action with examples.";

pub(crate) const SECRET_ENCRYPT: &str = "\
Examples:
  hieratic secret encrypt -s 'a password' -l profile::db::password
  hieratic secret encrypt --password -o string     # asks for it on the terminal
  hieratic secret encrypt -f server.key -o block -l tls::key
  hieratic secret encrypt -e plain.eyaml           # its DEC::PKCS7[...]! parts
  head -c 20 /dev/urandom | base64 | tr -d '\\n' |
    hieratic secret encrypt --stdin -o string

Keys are those of the flags, of ~/.eyaml/config.yaml, of /etc/eyaml/config.yaml, or ./keys/*.pkcs7.pem. Only the public key is needed.";

pub(crate) const SECRET_DECRYPT: &str = "\
Examples:
  hieratic secret decrypt -s 'ENC[PKCS7,...]'
  hieratic secret decrypt -e data/common.eyaml     # values as DEC::PKCS7[...]!
  hieratic secret decrypt -f data/common.eyaml     # values in plain text";

pub(crate) const SECRET_EDIT: &str = "\
Examples:
  hieratic secret edit data/common.eyaml
  EDITOR='code --wait' hieratic secret edit data/common.eyaml

In the editor every value is DEC(number)::PKCS7[plain text]!. Keep the numbers; a new value has none: DEC::PKCS7[plain text]!. The plain text lies in a folder that only you can read, and is removed in the end; what a killed run left there, the next run removes. The file is replaced whole or not at all.";

pub(crate) const SECRET_ROTATE: &str = "\
Examples:
  hieratic secret createkeys --pkcs7-private-key new/private.pem \\
    --pkcs7-public-key new/public.pem
  hieratic secret rotate data --dry-run --new-public-key new/public.pem
  hieratic secret rotate data --new-public-key new/public.pem

The old keys are those that the other actions use. Nothing is written unless every value of every file can be opened. A rotation that was interrupted goes on when it is started again, given --new-private-key if both pairs were made by eyaml.";

pub(crate) const SECRET_CREATEKEYS: &str = "\
Examples:
  hieratic secret createkeys
  hieratic secret createkeys --pkcs7-keysize 4096 --pkcs7-subject /CN=site \\
    --pkcs7-private-key big/private.pem --pkcs7-public-key big/public.pem";
