//! A control repository for tests.

use std::path::Path;

const FILES: &[(&str, &str)] = &[
    ("environment.conf", "modulepath = modules\n"),
    (
        "hiera.yaml",
        "version: 5\ndefaults:\n  datadir: data\n  data_hash: yaml_data\nhierarchy:\n  - name: Nodes\n    path: 'nodes/%{trusted.certname}.yaml'\n  - name: Roles\n    path: 'roles/%{facts.role}.yaml'\n  - name: Common\n    path: common.yaml\n",
    ),
    (
        "data/common.yaml",
        "lookup_options:\n  web::options:\n    merge: deep\nweb::port: 80\nweb::mode: fast\nweb::options:\n  workers: 2\n  log: info\nmotd: 'Welcome to %{facts.role}, %{lookup(\"site\")}'\nsite: \u{1f600} home\n",
    ),
    ("data/roles/web.yaml", "web::port: 8080\nweb::options:\n  workers: 4\n"),
    ("data/nodes/web01.yaml", "web::port: 8443\n"),
    (
        "modules/web/manifests/init.pp",
        "# @summary Serves pages.\n#\n# @param port The port to listen on.\n# @param mode How fast.\nclass web (\n  Integer[1, 65535] $port = 80,\n  Enum['fast', 'slow'] $mode = 'slow',\n  Struct[{workers => Integer, Optional[log] => String}] $options = { workers => 1 },\n  Boolean $tls = false,\n) {\n  $file = '/etc/web.conf'\n  file { $file:\n    ensure  => file,\n    content => epp('web/conf.epp', { 'port' => $port }),\n  }\n  web::site { 'main':\n    port => $port,\n  }\n  $motd = lookup('motd', String)\n  include web::service\n}\n",
    ),
    (
        "modules/web/manifests/site.pp",
        "# A site.\n# @param port Its port.\ndefine web::site (\n  Integer $port,\n) {\n  notify { \"site ${title} at ${port}\": }\n}\n",
    ),
    ("modules/web/manifests/service.pp", "class web::service {\n  service { 'web': ensure => running }\n}\n"),
    (
        "modules/web/functions/double.pp",
        "# Twice as much.\nfunction web::double(Integer $x) >> Integer {\n  $x * 2\n}\n",
    ),
    ("modules/web/types/port.pp", "type Web::Port = Integer[1, 65535]\n"),
    ("modules/web/templates/conf.epp", "<%- | Integer $port | -%>\nport <%= $port %>\n"),
    ("manifests/site.pp", "node default {\n  include web\n}\n"),
    (
        "jobs/web.nomad.hcl",
        "variable \"image\" {\n  default = \"nginx\"\n}\n\njob \"web\" {\n  group \"g\" {\n    task \"t\" {\n      driver = \"docker\"\n      config {\n        image = var.image\n      }\n    }\n  }\n}\n",
    ),
    ("docs/ensemble.yaml", "defaults:\n  cpu: 2\n  mem: 4\nweb:\n  +/defaults:\n  cpu: 8\n"),
];

pub fn create(root: &Path) {
    for (name, text) in FILES {
        let path = root.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
}
