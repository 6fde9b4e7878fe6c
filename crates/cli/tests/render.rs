//! What `hieratic render` prints: texts, and the messages, word for word.

use std::fs;
use std::io::Write as _;
use std::process::{Command, Stdio};

use super::folder::folder_of;

/// What the command prints with these files in its folder: output, then errors, then the status unless it is 0.
fn session(files: &[(&str, &str)], arguments: &[&str], input: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let mut child = Command::new(env!("CARGO_BIN_EXE_hieratic"))
        .args(["render", "--node", "web01.example.com"])
        .args(arguments)
        .current_dir(folder.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let mut shown = String::from_utf8_lossy(&output.stdout).into_owned();
    shown.push_str(&String::from_utf8_lossy(&output.stderr));
    if !output.status.success() {
        shown.push_str(&format!("[status {}]\n", output.status.code().unwrap()));
    }
    shown.replace(&folder.path().canonicalize().unwrap().display().to_string(), "{root}")
}

/// A control repository with a key.
const DATA: [(&str, &str); 3] = [
    ("environment.conf", ""),
    ("hiera.yaml", "version: 5\nhierarchy:\n  - {name: A, path: a.yaml}\n"),
    ("data/a.yaml", "site::port: 8080\nsite::users: [ann, bob]\n"),
];

#[test]
fn jinja2_sees_facts_variables_and_data() {
    let template = "\
# {{ role }} {{ facts is defined }} {{ networking is defined }} {{ trusted is defined }} {{ environment is defined }}
{% for user in lookup('hiera', 'site::users') %}
user {{ user }} on {{ lookup('hiera', 'site::port') + offset }}
{% endfor %}
{{ lookup('hiera', 'site::nothing', default='-') }}{{ who }}
{% include 'tail.j2' %}
";
    let more = [("t.j2", template), ("tail.j2", "the end\n"), ("v.yaml", "offset: 1\nwho: file\n")];
    let files: Vec<(&str, &str)> = DATA.into_iter().chain(more).collect();
    let arguments = ["t.j2", "--environment-dir", ".", "--vars", "v.yaml", "--var", "who=flag", "--fact", "role=web"];
    insta::assert_snapshot!(session(&files, &arguments, ""), @r"
    # web False False False False
    user ann on 8081
    user bob on 8081
    -flag
    the end
    ");
}

#[test]
fn variables_are_templates_of_their_own() {
    let files = [
        ("t.j2", "{% if debugging %}WRONG{% else %}right{% endif %} {{ url }} {{ raw }} {{ face }}\n"),
        (
            "v.yaml",
            "env: prod\ndebugging: \"{{ env == 'dev' }}\"\nurl: \"http://{{ env }}\"\nraw: !unsafe \"{{ env }}\"\n",
        ),
        ("v.json", r#"{"face": "\ud83d\ude00"}"#),
    ];
    let arguments = ["t.j2", "--vars", "v.yaml", "--vars", "v.json"];
    insta::assert_snapshot!(session(&files, &arguments, ""), @"right http://prod {{ env }} 😀");
    let plain = [&arguments[..], &["--no-template-vars"]].concat();
    insta::assert_snapshot!(session(&files, &plain, ""), @"WRONG http://{{ env }} {{ env }} 😀");
}

#[test]
fn faults_of_variables_show_the_variable() {
    let files = [("t.j2", "{{ url }}\n"), ("v.yaml", "url: \"http://{{ host | uper }}\"\nhost: a\n")];
    insta::assert_snapshot!(session(&files, &["t.j2", "--vars", "v.yaml"], ""));
    let files = [("t.j2", "{{ url }}\n"), ("v.yaml", "url: \"http://{{ host }}\"\nhost: \"{{ url }}\"\n")];
    insta::assert_snapshot!(session(&files, &["t.j2", "--vars", "v.yaml"], ""));
}

#[test]
fn epp_sees_facts_variables_parameters_and_data() {
    let template = "\
<%- | Integer $port, String $who = 'nobody' | -%>
<% lookup('site::users').each |$user| { -%>
user <%= $user %> on <%= $port + lookup('site::port') %>
<% } -%>
<%= $who %> <%= $facts['networking']['hostname'] %> <%= $networking['hostname'] %> <%= $extra %>
";
    let more = [("t.epp", template)];
    let files: Vec<(&str, &str)> = DATA.into_iter().chain(more).collect();
    let arguments = ["t.epp", "--environment-dir", ".", "--var", "port=1", "--var", "extra=more"];
    insta::assert_snapshot!(session(&files, &arguments, ""), @r"
    user ann on 8081
    user bob on 8081
    nobody web01 web01 more
    ");
}

#[test]
fn templates_come_from_standard_input() {
    insta::assert_snapshot!(session(&[], &["-", "--language", "jinja2"], "{{ 1 + 1 }}\n"), @"2");
    insta::assert_snapshot!(session(&[], &["-", "--language", "epp"], "<%= 1 + 1 %>\n"), @"2");
}

/// One rendering after the other, each below its template.
fn faults(name: &str, templates: &[(&str, &[&str])]) -> String {
    let one = |(template, flags): &(&str, &[&str])| {
        let shown = session(&[(name, template)], &[&[name], *flags].concat(), "");
        format!(">>> {} {}\n{shown}\n", template.trim_end().replace('\n', "\\n"), flags.join(" "))
    };
    templates.iter().map(one).collect()
}

#[test]
fn faults_of_jinja2_show_the_line() {
    insta::assert_snapshot!(faults(
        "t.j2",
        &[
            ("one\n  {{ nope.x }}\n", &[]),
            ("{% fro x in y %}\n", &[]),
            ("port {{ 80 | uper }}\n", &[]),
            ("port {{ nope | uper }}\n", &[]),
            ("port {{ nope.x | upper | lower }}\n", &[]),
            ("port {{ 80 is uper }}\n", &[]),
            ("port {{ '80' + 1 }}\n", &[]),
            ("{{ lookup('hiera', 'site::port') }}\n", &[]),
            ("{{ lookup('file', '/etc/hostname') }}\n", &[]),
            ("{{ lookup('pipe', 'ls') }}\n", &[]),
            ("{{ 1 +\n", &[]),
        ]
    ));
}

#[test]
fn files_of_hcl_are_refused_with_the_flag_that_allows_them() {
    insta::assert_snapshot!(faults("t.hcl", &[("x ${file(\"a.txt\")}\n", &["--language", "hcl"])]));
}

#[test]
fn faults_of_epp_show_the_line() {
    insta::assert_snapshot!(faults(
        "t.epp",
        &[
            ("a\n<%= 1 + 'b' %>\n", &[]),
            ("a\n<%= if %>\n", &[]),
            ("<%- | Integer $port | -%>\n<%= $port %>\n", &["--var", "port=high"]),
            ("<%- | Integer $port | -%>\n<%= $port %>\n", &[]),
            ("<%= $nothing %>\n", &["--strict_variables"]),
        ]
    ));
}

#[test]
fn flags_that_make_no_sense() {
    insta::assert_snapshot!(
        [
            session(&[("t.txt", "")], &["t.txt"], ""),
            session(&[("t.tpl", "")], &["t.tpl"], ""),
            session(&[("t.j2", "")], &["t.j2", "--language", "erb"], ""),
            session(&[("t.j2", "")], &["t.j2", "--language", "hcl"], ""),
            session(&[("t.j2", "")], &["t.j2", "--render-as", "json"], ""),
            session(&[], &["t.j2"], ""),
        ]
        .join("\n")
    );
}

#[test]
fn a_template_may_be_rendered_over_a_tree() {
    let files = [
        ("site.yaml", "name: root\nchildren:\n- {name: web, attributes: {host: www, port: '{{ 40 + 2 }}'}}\n"),
        ("web.j2", "{{ SELF.host }}:{{ '.::port' | eval }} {{ lookup('unfurl', '::web::.name') }} {{ who }}\n"),
        ("broken.j2", "{{ SELF.host }}\n{{ '.::[port' | eval }}\n"),
    ];
    let over_tree = ["--tree", "site.yaml", "--start", "web", "--var", "who=me"];
    assert_eq!(session(&files, &[&["web.j2"], &over_tree[..]].concat(), ""), "www:42 web me\n");
    insta::assert_snapshot!(session(&files, &[&["broken.j2"], &over_tree[..]].concat(), ""));
}

#[test]
fn variables_are_read_as_the_language_of_the_template_reads_data() {
    let files = [
        ("t.j2", "{{ a }} {{ a | type_debug }}\n"),
        ("t.tftpl", "${jsonencode(a)}\n"),
        ("t.epp", "<%= $a %>\n"),
        ("empty.yaml", "# nothing yet\n"),
        ("date.yaml", "a: 2020-01-02\n"),
        ("broken.yaml", "a: [1\n"),
        ("list.yaml", "- a\n"),
    ];
    let render = |arguments: &[&str]| session(&files, arguments, "");
    assert_eq!(render(&["t.j2", "--var", "a=12:30"]), "750 int\n");
    assert_eq!(render(&["t.tftpl", "--var", "a=12:30"]), "\"12:30\"\n");
    assert_eq!(render(&["t.epp", "--var", "a=12:30"]), "45000\n");
    assert_eq!(render(&["t.j2", "--var", "a=1,000"]), "1,000 str\n");
    assert_eq!(render(&["t.j2", "--vars", "date.yaml"]), "2020-01-02 date\n");
    assert_eq!(render(&["t.j2", "--vars", "empty.yaml", "--var", "a=1"]), "1 int\n");
    assert_eq!(render(&["t.tftpl", "--var", "a=[\"x\"]"]), "[\"x\"]\n");
    insta::assert_snapshot!(render(&["t.tftpl", "--var", "a=[x]"]));
    insta::assert_snapshot!(render(&["t.j2", "--vars", "broken.yaml"]));
    insta::assert_snapshot!(render(&["t.j2", "--vars", "list.yaml"]));
    insta::assert_snapshot!(render(&["t.j2", "--vars", "none.yaml"]));
}

/// Encrypted with the password `swordfish` for the id `prod`, and with `hunter22` for the id `other`.
const ENCRYPTED: &str = "\
user: app
secret: !vault |
  $ANSIBLE_VAULT;1.2;AES256;prod
  64333232353831623362653935346133636363633533656639653764666434636165616338643663
  3837353431663363393866346661653833636239366662640a643130323263653534636634333361
  61303538313231393665643037333839336166356236613335306565623764616666363964313335
  3237613266303264340a316433396664366162363935633264646366653233663438376132653062
  6362
nested:
  plain: 1
  other: !vault |
    $ANSIBLE_VAULT;1.2;AES256;other
    31613034313738373834636264343765396264393132393033373030383533356264643161636234
    3530316166333066343934656635643462366133386434340a346635373332333564396139343031
    65316462356533666137306231313538633231326561613266616632313433353562373236636361
    3665383231313039320a343464633236303130326632626439333163313063303563663362623739
    3133
";

/// `whole: battery-staple` and `port: 8080`, encrypted with `swordfish`.
const ENCRYPTED_FILE: &str = "\
$ANSIBLE_VAULT;1.1;AES256
64633262656331353263323139613236393031633363396364303066376336323730383434386631
3330393265376332623831396461353331333830353864330a666132643733656161373936343339
35393633343663393861613064356334303437663763656230646235363533333930633762313961
3035623364366633660a363765396564306136373762623736306135313839326439323162636339
33393738323262643634323436383833396139666435303734313036663866336162383538383462
6638343230663133383431653437643663366333316532353337
";

#[test]
fn ansible_vault_is_decrypted_where_values_are_used() {
    let files = [
        ("t.j2", "{{ user }} {{ secret }} {{ url }} {{ nested.plain }} {{ nested.other }} {{ secret | length }}\n"),
        ("lazy.j2", "{{ user }} {{ nested.plain }} {{ secret is defined }} {{ 1 if nested }}\n"),
        ("file.j2", "{{ whole }} {{ port + 1 }} {{ lookup('file', 'vars.yml') | length }}\n"),
        ("bad.j2", "a\n{{ user }} {{ secret | int }}\n"),
        ("v.yml", &format!("{ENCRYPTED}url: 'http://{{{{ secret }}}}@{{{{ nested.other }}}}'\n")),
        ("vars.yml", ENCRYPTED_FILE),
        ("broken.yml", "secret: !vault |\n  $ANSIBLE_VAULT;1.1;AES256\n  3030\n"),
        ("prod", "swordfish\n"),
        ("other", "hunter22"),
        ("empty", "\n"),
        ("program", "#!/bin/sh\necho swordfish\n"),
    ];
    let render = |arguments: &[&str]| session(&files, arguments, "");
    let ids = ["--vault-id", "prod@prod", "--vault-id", "x@other"];
    let with = |template: &'static str, more: &[&'static str]| [&[template, "--vars", "v.yml"], more].concat();
    let shown = render(&with("t.j2", &[&ids[..], &["--reveal"]].concat()));
    assert_eq!(shown, "app tr0ub4dor&3 http://tr0ub4dor&3@correct horse 1 correct horse 11\n");
    assert_eq!(render(&with("lazy.j2", &[])), "app 1 True 1\n");
    let whole = ["file.j2", "--vars", "vars.yml", "--vault-password-file", "prod", "--reveal"];
    assert_eq!(render(&whole), "battery-staple 8081 32\n");
    insta::assert_snapshot!(
        [
            render(&with("t.j2", &ids)),
            render(&with("bad.j2", &ids)),
            render(&with("bad.j2", &[])),
            render(&with("bad.j2", &["--vault-password-file", "other"])),
            render(&with("bad.j2", &["--vault-id", "a@other", "--vault-id", "b@other"])),
            render(&["bad.j2", "--vars", "broken.yml", "--vault-password-file", "prod", "--var", "user=x"]),
            render(&["file.j2", "--vars", "vars.yml"]),
            render(&["file.j2", "--vars", "vars.yml", "--vault-password-file", "other"]),
            render(&with("t.j2", &["--vault-password-file", "empty"])),
            render(&with("t.j2", &["--vault-password-file", "program"])),
            render(&with("t.j2", &["--vault-password-file", "v.none"])),
            render(&with("t.j2", &["--vault-id", "prod@prompt"])),
            render(&with("t.j2", &["--vault-password-file", "vars.yml"])),
        ]
        .join("\n")
    );
}

/// A role with its inventory, in a repository of git if there is one around.
const ROLE: [(&str, &str); 10] = [
    ("hosts", "[web]\nweb01\nweb02\n[db]\ndb01\n"),
    ("group_vars/web.yml", "port: 80\n"),
    ("group_vars/db.yml", "port: 5432\n"),
    ("facts/web01", "{\"ansible_facts\": {\"ansible_os_family\": \"Debian\"}, \"changed\": false}"),
    ("facts/web02", "{\"ansible_facts\": {\"ansible_os_family\": \"RedHat\"}}"),
    ("facts/db01", "{\"ansible_facts\": {\"ansible_os_family\": \"Suse\"}}"),
    ("roles/app/defaults/main.yml", "port: 1\nname: app\n"),
    ("roles/app/templates/app.conf.j2", "{{ name }} {{ inventory_hostname }}:{{ port }} {{ ansible_os_family }}\n"),
    (
        "roles/app/templates/sub/peers",
        "{% for h in groups['web'] %}{{ hostvars[h].port }} {{ hostvars[h].ansible_facts.os_family }};{% endfor %}\n",
    ),
    ("roles/other/templates/one.j2", "{{ play_hosts | length }}\n"),
];

/// What `render` prints in a folder: output, then errors, then the status unless it is 0.
fn shown_in(folder: &std::path::Path, arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_hieratic"))
        .arg("render")
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap();
    let mut shown = String::from_utf8_lossy(&output.stdout).into_owned();
    shown.push_str(&String::from_utf8_lossy(&output.stderr));
    if !output.status.success() {
        shown.push_str(&format!("[status {}]\n", output.status.code().unwrap()));
    }
    shown.replace(&folder.canonicalize().unwrap().display().to_string(), "{root}")
}

#[test]
fn all_templates_of_roles_are_rendered_for_all_hosts() {
    let folder = folder_of(&ROLE);
    let all = ["--role", "roles", "--inventory", "hosts", "--facts", "facts", "--output", "out"];
    assert_eq!(shown_in(folder.path(), &all), "9 files in out\n");
    let text = |name: &str| fs::read_to_string(folder.path().join("out").join(name)).unwrap();
    assert_eq!(text("web01/app/app.conf"), "app web01:80 Debian\n");
    assert_eq!(text("db01/app/app.conf"), "app db01:5432 Suse\n");
    assert_eq!(text("db01/app/sub/peers"), "80 Debian;80 RedHat;\n");
    assert_eq!(text("web02/other/one"), "3\n");
    insta::assert_snapshot!(shown_in(folder.path(), &all), @r"
    Error: out is there already
    help: name a folder that is not there, or an empty one
    [status 1]
    ");
    let one = ["one.j2", "--role", "roles/other", "--inventory", "hosts", "--host", "db01", "--output", "few"];
    assert_eq!(shown_in(folder.path(), &one), "1 file in few\n");
}

#[test]
fn variables_of_hosts_are_rendered_for_them() {
    let folder = folder_of(&ROLE);
    let host = "a: \"{{ port }}{{ ansible_os_family | default('-') }}\"\n";
    fs::create_dir(folder.path().join("host_vars")).unwrap();
    for name in ["web01", "web02"] {
        fs::write(folder.path().join("host_vars").join(name), host).unwrap();
    }
    let template = "{{ hostvars.web02.a }} {{ hostvars.web02.get('a') }} {{ hostvars['web02'] | dict2items | selectattr('key', \
                    'equalto', 'a') | map(attribute='value') | first }} {{ hostvars.values() | map(attribute='a', default='-') | \
                    list }} {{ hostvars[inventory_hostname].ansible_os_family }} {{ hostvars.web02.ansible_facts }} {{ \
                    query('inventory_hostnames', 'all:!db') }}\n";
    fs::write(folder.path().join("roles/app/templates/all.j2"), template).unwrap();
    let one = ["all.j2", "--role", "roles/app", "--inventory", "hosts", "--host", "web01", "--facts", "facts/web01"];
    // A file of facts is about the host that is rendered for.
    assert_eq!(shown_in(folder.path(), &one), "80- 80- 80- ['80Debian', '80-', '-'] Debian {} ['web01', 'web02']\n");
}

/// A playbook with its roles, as `ansible-playbook` of ansible-core 2.15.9 renders `t.j2` for `web01` and `db01`.
const PLAYBOOK: [(&str, &str); 13] = [
    ("hosts", "[web]\nweb01\nweb02\n[db]\ndb01\n"),
    (
        "site.yml",
        "- import_playbook: db.yml\n- name: Web\n  hosts: web:!web02\n  vars: {a: play, b: play, c: play, d: play, os: debian, \
         lazy: '{{ a }}-{{ r }}'}\n  vars_files: [vars/common.yml, ['vars/{{ os }}.yml', vars/default.yml]]\n  roles:\n  - base\n  \
         - {role: app, r: param, vars: {s: pvar}, when: true}\n",
    ),
    (
        "db.yml",
        "- hosts: db\n  vars: [{a: dbplay}, {b: dbplay2}]\n  tasks:\n  - block:\n    - import_role: {name: app}\n      vars: {r: \
         task, s: task}\n    vars: {t: block}\n",
    ),
    ("vars/common.yml", "b: common\nc: common\n"),
    ("vars/debian.yml", "c: debian\ne: debian\n"),
    ("vars/default.yml", "c: def\ne: def\n"),
    ("roles/app/defaults/main.yml", "{a: rd, b: rd, c: rd, d: rd, e: rd, f: rd, g: rd, r: rd, s: rd, t: rd, u: rd}\n"),
    ("roles/app/vars/main.yml", "d: rolevar\nt: rolevar\n"),
    ("roles/base/defaults/main.yml", "u: base\nv: base\nf: base\n"),
    ("roles/base/vars/main.yml", "d: basevar\nw: basevar\n"),
    ("group_vars/web.yml", "f: gv\ng: gv\n"),
    ("host_vars/web01.yml", "g: hv\n"),
    (
        "roles/app/templates/t.j2",
        "{{ [a, b, c, d, e, f, g, r, s, t, u] | join(' ') }} {{ v | default('-') }} {{ w | default('-') }} {{ lazy | default('-') }} {{ \
         ansible_play_name }} {{ ansible_play_role_names }} {{ ansible_play_hosts }}\n",
    ),
];

/// A playbook whose roles are in files of tasks, as ansible-core 2.15.9 renders `t.j2`.
const TASK_FILES: [(&str, &str); 8] = [
    ("hosts", "[web]\nweb01\n[all:vars]\nz=all\n"),
    (
        "site.yml",
        "- hosts: web\n  tasks:\n  - include_tasks: tasks/a.yml\n    vars: {a: site, b: site}\n  - include_tasks: '{{ name }}.yml'\n  \
         - ansible.builtin.include_tasks: {file: gone.yml}\n",
    ),
    ("tasks/a.yml", "- import_tasks: b.yml\n  vars: {b: first}\n"),
    ("tasks/b.yml", "- include_role: {name: app}\n  vars: {c: second}\n"),
    ("b.yml", "- include_role: {name: wrong}\n"),
    ("group_vars/all.yml", "y: group\n"),
    ("host_vars/localhost.yml", "x: local\n"),
    (
        "roles/app/templates/t.j2",
        "{{ a }} {{ b }} {{ c }} {{ hostvars['localhost'].inventory_hostname }} {{ hostvars['127.0.0.1'].ansible_connection }} \
         {{ hostvars.localhost.x }} {{ hostvars.localhost.y }} {{ hostvars.localhost.z }} {{ hostvars | list }} \
         {{ 'localhost' in hostvars }} {{ 'other' in hostvars }} {{ hostvars.localhost.group_names }}\n",
    ),
];

#[test]
fn roles_in_files_of_tasks_are_found() {
    let folder = folder_of(&TASK_FILES);
    let call = ["t.j2", "--role", "roles/app", "--playbook", "site.yml", "--inventory", "hosts"];
    insta::assert_snapshot!(shown_in(folder.path(), &call));
    fs::write(folder.path().join("tasks/a.yml"), "- import_tasks: none.yml\n").unwrap();
    insta::assert_snapshot!(shown_in(folder.path(), &call));
    fs::write(folder.path().join("site.yml"), "- hosts: web\n  roles: [{when: true}]\n").unwrap();
    insta::assert_snapshot!(shown_in(folder.path(), &call));
    fs::write(folder.path().join("site.yml"), "- hosts: web\n  tasks: [{include_tasks: tasks/a.yml}]\n").unwrap();
    fs::write(folder.path().join("tasks/a.yml"), "- import_tasks: a.yml\n".repeat(2)).unwrap();
    insta::assert_snapshot!(shown_in(folder.path(), &call));
}

#[test]
fn tasks_set_how_a_template_is_rendered() {
    let template = "  {% if true %}\n[[ a ]] {{ a }}\n  {% endif %}\n";
    let tasks = "- template:\n    src: t.j2\n    dest: /t\n    variable_start_string: '[['\n    variable_end_string: ']]'\n    \
                 trim_blocks: false\n    lstrip_blocks: true\n    newline_sequence: \"\\r\\n\"\n";
    let folder = folder_of(&[("roles/app/templates/t.j2", template), ("roles/app/tasks/main.yml", tasks)]);
    let call = ["--role", "roles/app", "t.j2", "--var", "a=x"];
    // As ansible-core 2.15.9 writes it.
    assert_eq!(shown_in(folder.path(), &call), "\r\nx {{ a }}\r\n");
    let shown = ["lstrip_blocks: '{{ x }}'", "output_encoding: latin-1", "block_start_string: ''"].map(|setting| {
        let tasks = format!("- template: {{src: t.j2, dest: /t, {setting}}}\n");
        fs::write(folder.path().join("roles/app/tasks/main.yml"), tasks).unwrap();
        shown_in(folder.path(), &call)
    });
    insta::assert_snapshot!(shown.join("---\n"));
}

#[test]
fn tasks_have_variables_of_a_template() {
    let tasks = "- block:\n  - template: {src: t.j2, dest: /t}\n    vars: {a: task, b: task}\n  vars: {b: block, c: block, d: block}\n";
    let folder = folder_of(&[
        ("roles/app/templates/t.j2", "{{ a }} {{ b }} {{ c }} {{ d }}\n"),
        ("roles/app/tasks/main.yml", tasks),
        ("roles/app/vars/main.yml", "{a: role, c: role}\n"),
    ]);
    let call = ["--role", "roles/app", "t.j2", "--var", "d=given"];
    // As ansible-core 2.15.9 writes it.
    assert_eq!(shown_in(folder.path(), &call), "task task block given\n");
    let two = "- template: {src: t.j2, dest: /a}\n  vars: {b: 1}\n- template: {src: t.j2, dest: /b}\n  vars: {b: 2}\n";
    fs::write(folder.path().join("roles/app/tasks/main.yml"), two).unwrap();
    insta::assert_snapshot!(shown_in(folder.path(), &[&call[..], &["--var", "b=x"]].concat()));
}

#[test]
fn tasks_name_the_files_of_a_role() {
    let folder = folder_of(&[
        ("roles/app/defaults/main.yml", "a: dmain\nb: dmain\n"),
        ("roles/app/defaults/other.yml", "a: dother\n"),
        ("roles/app/vars/main.yml", "c: vmain\n"),
        ("roles/app/vars/other.yml", "c: vother\ne: vother\n"),
        ("roles/app/templates/t.j2", "{{ a }} {{ b | default('-') }} {{ c }} {{ e | default('-') }}\n"),
    ]);
    // The answers are those of ansible-core 2.15.9.
    for (task, expected) in [
        ("include_role: {name: app, vars_from: other}", "dmain dmain vother vother\n"),
        ("import_role: {name: app, defaults_from: other.yml}", "dother - vmain -\n"),
        ("include_role: name=app vars_from=other defaults_from=other", "dother - vother vother\n"),
        ("include_role: {name: app, vars_from: '{{ which }}'}", "dmain dmain vother vother\n"),
        ("include_role: {name: app, apply: {vars: {a: applied}}}", "applied dmain vmain -\n"),
    ] {
        fs::write(folder.path().join("site.yml"), format!("- hosts: all\n  tasks:\n  - {task}\n")).unwrap();
        let call = ["--role", "roles/app", "t.j2", "--playbook", "site.yml", "--var", "which=other"];
        assert_eq!(shown_in(folder.path(), &call), expected, "{task}");
    }
    let call = ["--role", "roles/app", "t.j2", "--playbook", "site.yml"];
    let shown = ["{name: app, vars_from: none}", "{name: app, vars_from: ../vars/other}", "{name: app}"].map(|task| {
        let site = format!(
            "- hosts: all\n  tasks:\n  - include_role: {task}\n  - include_role: {{name: app}}\n    vars: {{a: 1}}\n"
        );
        fs::write(folder.path().join("site.yml"), site).unwrap();
        shown_in(folder.path(), &call)
    });
    insta::assert_snapshot!(shown.join("---\n"));
}

#[test]
fn facts_are_no_templates() {
    let folder = folder_of(&[
        ("hosts", "web01 secret=s3cret named='{{ ansible_motd }}'\nweb02\n"),
        (
            "facts/web01",
            r#"{"ansible_facts": {"ansible_motd": "{{ secret }}", "ansible_local": {"a": ["{% if secret %}b{% endif %}"]}}}"#,
        ),
        (
            "roles/app/templates/a.j2",
            "{{ ansible_motd }} {{ ansible_facts.motd }} {{ ansible_local.a }} {{ named }} {{ hostvars.web01.ansible_motd }} \
             {{ ansible_motd | upper }} {{ lookup('vars', 'ansible_motd') }}\n",
        ),
    ]);
    let call = ["--role", "roles/app", "a.j2", "--inventory", "hosts", "--facts", "facts", "--host", "web01"];
    // As Ansible prints it.
    let shown = "{{ secret }} {{ secret }} ['{% if secret %}b{% endif %}'] {{ secret }} {{ secret }} {{ SECRET }} {{ secret }}\n";
    assert_eq!(shown_in(folder.path(), &call), shown);
}

#[test]
fn roles_that_no_play_uses_are_named() {
    let folder = folder_of(&[
        ("site.yml", "- hosts: all\n  roles: [app]\n"),
        ("hosts", "web01\n"),
        ("roles/app/meta/main.yml", "dependencies: [base]\n"),
        ("roles/app/templates/a.j2", "a\n"),
        ("roles/base/templates/b.j2", "b\n"),
    ]);
    let all = ["--role", "roles", "--playbook", "site.yml", "--inventory", "hosts", "--output", "out"];
    insta::assert_snapshot!(shown_in(folder.path(), &all), @r"
    1 file in out
    Warning: no play uses the role 'base' for these hosts: its templates are not rendered
    help: a role that another one depends on is not one of the play: render it without --playbook, with its parameters in --vars
    ");
}

/// What Ansible 2.15.9 prints (`conformance/jinja/inventories.jsonl`).
#[test]
fn inventories_have_the_recorded_variables() {
    let cases = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/jinja/inventories.jsonl");
    let cases = fs::read_to_string(cases).unwrap();
    let mut wrong = String::new();
    for case in cases.lines() {
        let case: serde_json::Value = serde_json::from_str(case).unwrap();
        let files = case["files"].as_object().unwrap().iter();
        let files: Vec<_> = files.map(|(name, text)| (name.as_str(), text.as_str().unwrap())).collect();
        let folder = folder_of(&files);
        let inventory = case["inventory"].as_str().unwrap();
        let reported = shown_in(folder.path(), &["--role", "roles/app", "--inventory", inventory, "--output", "out"]);
        for (host, recorded) in case["hosts"].as_object().unwrap() {
            let printed = fs::read_to_string(folder.path().join("out").join(host).join("app/t"));
            if printed.as_deref().ok() != recorded.as_str() {
                wrong.push_str(&format!("{case}\n  {host}: {printed:?}\n  {reported}\n"));
            }
        }
    }
    assert!(cases.lines().count() > 100 && wrong.is_empty(), "{wrong}");
}

#[test]
fn inventories_that_ansible_refuses_are_errors() {
    for (name, text, reason) in [
        ("hosts", "[g:children]\nnone\n[k]\nh1\n", "a child that is the group 'none', which is not declared"),
        ("hosts", "h2\n[h2:vars]\nz=1\n", "variables of the group 'h2', which is not declared"),
        ("hosts.yml", "all: {hosts: [h1]}\n", "'hosts' of the group 'all' is not a dictionary"),
        ("hosts.yml", "all: {hosts: {h1: 5}}\n", "the variables of the host 'h1' are not a dictionary"),
    ] {
        let folder = folder_of(&[(name, text), ("roles/app/templates/t.j2", "x\n")]);
        let reported = shown_in(folder.path(), &["t.j2", "--role", "roles/app", "--inventory", name]);
        assert!(reported.contains(reason) && reported.contains("[status 1]"), "{reported}");
    }
    let names = [
        ("hosts.yml", "all: {children: g1, hosts: 'h3:2222'}\n"),
        ("roles/app/templates/t.j2", "{{ ansible_port }} {{ groups }}\n"),
    ];
    let reported = shown_in(folder_of(&names).path(), &["t.j2", "--role", "roles/app", "--inventory", "hosts.yml"]);
    assert!(reported.contains("2222 {'all': ['h3'], 'ungrouped': ['h3'], 'g1': []}\n"), "{reported}");
    // Ansible warns of them, too.
    let names = [("hosts.yml", "all: {host: {h1: }, hosts: {h3: }}\n"), ("roles/app/templates/t.j2", "x\n")];
    let reported = shown_in(folder_of(&names).path(), &["t.j2", "--role", "roles/app", "--inventory", "hosts.yml"]);
    assert!(reported.contains("the key 'host' of the group 'all' is skipped"), "{reported}");
    assert!(reported.contains("x\n") && !reported.contains("[status 1]"), "{reported}");
}

#[test]
fn a_missing_file_names_the_places_that_were_searched() {
    let files = [
        ("roles/app/templates/a.j2", "{{ lookup('file', 'x.txt') }}"),
        ("roles/app/templates/b.j2", "{{ lookup('template', 'x.j2') }}"),
    ];
    let folder = folder_of(&files);
    for (name, reason) in [
        ("a.j2", "the file 'x.txt' of the lookup was not found in {root}/roles/app/files, {root}/roles/app,"),
        (
            "b.j2",
            "the template file 'x.j2' of the lookup was not found in {root}/roles/app/templates, {root}/roles/app,",
        ),
        ("c.j2", "there is no template 'c.j2'"),
    ] {
        let reported = shown_in(folder.path(), &[name, "--role", "roles/app"]);
        assert!(reported.contains(reason), "{reported}");
    }
}

#[test]
fn each_template_of_a_role_is_of_jinja2() {
    let text = "<%= 1 %> {{ 'y' * 2 }}\n";
    let files = ["a.erb", "b.epp", "c.tftpl"].map(|name| (format!("roles/app/templates/{name}"), text));
    let files: Vec<_> = files.iter().map(|(name, text)| (name.as_str(), *text)).collect();
    let folder = folder_of(&files);
    for name in ["a.erb", "b.epp", "c.tftpl"] {
        let reported = shown_in(folder.path(), &[name, "--role", "roles/app"]);
        assert!(reported.contains("<%= 1 %> yy\n"), "{reported}");
    }
}

/// As a play of the implicit localhost has it, in Ansible 2.15.9.
#[test]
fn without_an_inventory_a_role_is_for_localhost() {
    let text = "{{ a }} {{ inventory_hostname_short }} {{ groups }} {{ group_names }} {{ hostvars | list }} {{ ansible_play_hosts }} \
                {{ hostvars[inventory_hostname].a }} {{ ansible_connection }} {{ inventory_dir is defined }}\n";
    let files = [("group_vars/all.yml", "a: 1\n"), ("roles/app/templates/t.j2", text)];
    let folder = folder_of(&files);
    let expected = "1 localhost {'all': [], 'ungrouped': []} [] [] ['localhost'] 1 local False\n";
    let reported = shown_in(folder.path(), &["t.j2", "--role", "roles/app"]);
    assert!(reported.contains(expected), "{reported}");
}

#[test]
fn a_playbook_gives_a_role_its_variables() {
    let folder = folder_of(&PLAYBOOK);
    let of = |more: &[&str]| {
        shown_in(folder.path(), &[&["t.j2", "--role", "roles/app", "--playbook", "site.yml"], more].concat())
    };
    assert_eq!(
        of(&["--inventory", "hosts", "--host", "web01"]),
        "play common debian rolevar debian gv hv param pvar rolevar rd base basevar play-param Web ['base', 'app'] ['web01']\n"
    );
    assert_eq!(
        of(&["--inventory", "hosts", "--host", "db01"]),
        "dbplay dbplay2 rd rolevar rd rd rd task task block rd - - - db ['app'] ['db01']\n"
    );
    insta::assert_snapshot!(
        [
            of(&["--inventory", "hosts", "--host", "web02"]),
            of(&["--var", "inventory_hostname=x", "--var", "ansible_play_hosts=[]"]),
            of(&["--inventory", "hosts", "--host", "web01", "--var", "os=suse", "--var", "r=given"]),
            of(&["--inventory", "hosts", "--output", "out"]),
        ]
        .join("\n")
    );
    fs::write(folder.path().join("vars/common.yml"), "").unwrap();
    fs::remove_file(folder.path().join("vars/default.yml")).unwrap();
    insta::assert_snapshot!(
        [
            of(&["--inventory", "hosts", "--host", "web01", "--var", "os=suse"]),
            shown_in(folder.path(), &["t.j2", "--role", "roles/app", "--playbook", "hosts"]),
            shown_in(folder.path(), &["t.j2", "--role", "roles/app", "--playbook", "none.yml"]),
            shown_in(folder.path(), &["t.j2", "--playbook", "site.yml"]),
        ]
        .join("\n")
    );
}

#[test]
fn no_file_is_written_if_one_cannot_be_rendered() {
    let folder = folder_of(&ROLE);
    fs::write(folder.path().join("roles/other/templates/bad.j2"), "{{ nope }}\n").unwrap();
    fs::write(folder.path().join("roles/app/templates/worse.j2"), "{{ port | uper }}\n").unwrap();
    let shown =
        shown_in(folder.path(), &["--role", "roles", "--inventory", "hosts", "--facts", "facts", "--output", "out"]);
    insta::assert_snapshot!(shown);
    let left: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(left.iter().all(|name| !name.to_string_lossy().contains("out")), "{left:?}");
}

#[test]
fn the_effect_of_a_change_on_files_of_hosts_is_a_diff() {
    let folder = folder_of(&ROLE);
    let git = |arguments: &[&str]| {
        let done = Command::new("git")
            .args(["-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"])
            .args(arguments)
            .current_dir(folder.path())
            .output()
            .unwrap();
        assert!(done.status.success(), "{done:?}");
    };
    git(&["init", "-q"]);
    git(&["add", "."]);
    git(&["commit", "-qm", "one"]);
    let diff = ["--role", "roles", "--inventory", "hosts", "--facts", "facts", "--against", "HEAD"];
    assert_eq!(shown_in(folder.path(), &diff), "9 files: no difference\n");
    fs::create_dir_all(folder.path().join("new/r/templates")).unwrap();
    fs::write(folder.path().join("new/r/templates/n.j2"), "new\n").unwrap();
    let new = ["--role", "new/r", "--inventory", "hosts", "--host", "db01", "--against", "HEAD"];
    assert_eq!(shown_in(folder.path(), &new), "--- /dev/null\n+++ b/db01/r/n\n@@ -0,0 +1 @@\n+new\n");
    fs::write(folder.path().join("group_vars/web.yml"), "port: 8080\n").unwrap();
    fs::write(folder.path().join("roles/other/templates/two.j2"), "2\n").unwrap();
    insta::assert_snapshot!(shown_in(folder.path(), &diff));
    // A role that is not for all hosts fails for the others, now as before.
    fs::write(folder.path().join("roles/other/templates/one.j2"), "{{ nope }}\n").unwrap();
    git(&["add", "."]);
    git(&["commit", "-qm", "two"]);
    assert!(shown_in(folder.path(), &diff).ends_with(
        "Warning: 3 of 12 files cannot be rendered, as in HEAD: they are not compared\nhelp: if a role is not for all hosts, name \
         hosts with --host NAME, or compare one role\n"
    ));
    fs::write(folder.path().join("roles/other/templates/one.j2"), "{{ another }}\n").unwrap();
    assert!(shown_in(folder.path(), &diff).contains("Error: 3 of 12 files cannot be compared"));
}

#[test]
fn templates_have_the_variables_of_the_module() {
    let folder = folder_of(&[
        (
            "roles/app/tasks/main.yml",
            "- template: {src: a.j2, dest: '{{ etc }}/a'}\n- template: src=b.j2 dest=/x\n- template: src=b.j2 dest=/y\n",
        ),
        ("roles/app/vars/main.yml", "etc: /etc\nheader: '{{ template_path }} {{ ansible_managed }}'\n"),
        (
            "roles/app/templates/a.j2",
            "{{ template_destpath }} {{ header }} {{ template_fullpath }} {{ template_host == '' }} \
             {{ template_uid is defined }} {{ (template_run_date - template_mtime).days }} {{ template_mtime | type_debug }}\n",
        ),
        ("roles/app/templates/b.j2", "{{ template_destpath | default('unknown') }}\n"),
        ("plain.j2", "{{ ansible_managed }} {{ template_path }}\n"),
        (
            "roles/app/templates/outer.j2",
            "{% set own = [template_path, template_fullpath] %}{{ lookup('template', 'sub/inner.j2') }}{{ own }}\n",
        ),
        (
            "roles/app/templates/sub/inner.j2",
            "{{ template_path }} {{ template_fullpath }} {{ template_destpath is none }} {{ template_mtime | type_debug }}\n",
        ),
    ]);
    // Ansible sets them over all other variables.
    let a = ["--role", "roles/app", "a.j2", "--var", "ansible_managed=mine", "--var", "template_destpath=/z"];
    let b = ["--role", "roles/app", "b.j2"];
    let given = ["--role", "roles/app", "b.j2", "--var", "template_destpath=/z"];
    // A template that a lookup renders has its own.
    let outer = ["--role", "roles/app", "outer.j2", "--var", "template_destpath=/z"];
    let shown = [&a[..], &b, &given, &["plain.j2"], &outer].map(|arguments| shown_in(folder.path(), arguments));
    insta::assert_snapshot!(shown.join(""), @r"
    /etc/a a.j2 Ansible managed {root}/roles/app/templates/a.j2 False False 0 datetime
    unknown
    /z
    Ansible managed plain.j2
    sub/inner.j2 {root}/roles/app/templates/sub/inner.j2 True datetime
    ['outer.j2', '{root}/roles/app/templates/outer.j2']
    ");
}

#[test]
fn roles_see_the_files_of_their_repository() {
    let files = [
        (
            "roles/app/templates/a.j2",
            "{% include 'roles/base/templates/head.j2' %}{{ lookup('fileglob', '*.pub') | basename }}\n",
        ),
        ("roles/app/templates/b.j2", "{{ 1 | shout }}\n"),
        ("roles/app/files/key.pub", ""),
        ("roles/base/templates/head.j2", "head\n"),
        ("filter_plugins/text.py", "class FilterModule:\n    def filters(self):\n        return {'shout': up}\n"),
    ];
    let shown = |folder: &tempfile::TempDir| {
        ["a.j2", "b.j2"].map(|name| shown_in(folder.path(), &["--role", "roles/app", name])).join("\n")
    };
    let alone = folder_of(&files);
    let in_repository = folder_of(&[&files[..], &[(".git/HEAD", "ref: refs/heads/main\n")]].concat());
    insta::assert_snapshot!([shown(&alone), shown(&in_repository)].join("---\n"));
}

#[test]
fn variables_of_json_are_those_of_yaml() {
    let template = "{% for row in rows %}{{ row.id }}{{ row.tags | join(',') }}{{ row.host.name }};{% endfor %}
{% for row in rows %}{% if row.id > 1 %}{{ row.host }}{% endif %}{% endfor %}
{% set _ = rows[0].tags.append(deep.a) %}{{ rows[0].tags }} {{ rows | map(attribute='id') | list }} {{ vars.deep }}
{{ deep | to_json }} {{ deep | combine({'b': 2}) }} {{ rows | selectattr('tags') | list | length }} {{ face }}
";
    let document = r#"{"rows": [{"id": 1, "tags": ["a", 2], "host": {"name": "{{ name }}"}}, {"id": 2.5, "tags": [], "host": {"name": null}}],
        "deep": {"a": ["{{ name }}", {"x": -0, "y": 12345678901234567890}]}, "name": "web", "face": "\ud83d\ude00"}"#;
    let yaml = document.replace("\\ud83d\\ude00", "\u{1f600}");
    let folder = folder_of(&[("t.j2", template), ("v.json", document), ("v.yaml", &yaml)]);
    let of = |flags: &[&str]| shown_in(folder.path(), &[&["t.j2"], flags].concat());
    let rendered = of(&["--vars", "v.json"]);
    assert_eq!(rendered, of(&["--vars", "v.yaml"]));
    assert_eq!(of(&["--vars", "v.json", "--no-template-vars"]), of(&["--vars", "v.yaml", "--no-template-vars"]));
    insta::assert_snapshot!(rendered);
}

#[test]
fn missing_files_of_a_role_are_reported() {
    let folder = folder_of(&[
        ("roles/app/meta/main.yml", "dependencies:\n- base\n- role: geerlingguy.java\n- {src: 'https://x/y.git'}\n"),
        ("roles/base/defaults/main.yml", "port: 80\n"),
        ("roles/base/meta/main.yml", "dependencies: [deep]\n"),
        ("roles/app/templates/a.j2", "{{ port }}\n"),
        ("roles/app/templates/b.j2", "a\n{{ port | shout }} {{ port | default(1) }}\n"),
        ("roles/app/templates/c.j2", "{{ lookup('secrets', 1) }}\n"),
        ("roles/app/templates/d.j2", "{{ port is odd_port }}{{ port | loud }}\n"),
        (
            "roles/app/filter_plugins/text.py",
            "class FilterModule:\n    def filters(self):\n        return {\n            'shout': up,\n            'loud': up}\n",
        ),
        (
            "roles/app/test_plugins/t.py",
            "TESTS = {'odd_port': 1}\nclass TestModule:\n    def tests(self):\n        return TESTS\n",
        ),
        ("roles/app/lookup_plugins/secrets.py", "class LookupModule: pass\n"),
    ]);
    let shown = ["a.j2", "b.j2", "c.j2", "d.j2"].map(|name| shown_in(folder.path(), &["--role", "roles/app", name]));
    insta::assert_snapshot!(shown.join("\n"));
}

#[cfg(unix)]
#[test]
fn links_that_lead_out_of_the_repository_are_named() {
    let folder = folder_of(&[
        ("play/.git/HEAD", "ref: refs/heads/main\n"),
        ("play/hosts", "[web]\nweb01\n"),
        ("play/roles/app/templates/plain.j2", "{{ port }}\n"),
        ("secret.j2", "secret\n"),
        ("vars.yml", "port: 1\n"),
    ]);
    let play = folder.path().join("play");
    std::os::unix::fs::symlink("../../../../secret.j2", play.join("roles/app/templates/out.j2")).unwrap();
    fs::create_dir(play.join("group_vars")).unwrap();
    let template = shown_in(&play, &["--role", "roles/app", "out.j2"]);
    std::os::unix::fs::symlink("../../vars.yml", play.join("group_vars/web.yml")).unwrap();
    let variables = shown_in(&play, &["--role", "roles/app", "plain.j2", "--inventory", "hosts"]);
    insta::assert_snapshot!([template, variables].join("\n"));
}
