// The examples: one for each subject at least. Each is a state of the page.

const hierarchy = `---
version: 5
defaults:
  datadir: data
  data_hash: yaml_data
hierarchy:
  - name: Node
    path: "nodes/%{trusted.certname}.yaml"
  - name: Role
    path: "roles/%{facts.role}.yaml"
  - name: Common
    path: common.yaml
`;

const node = 'web01.example.com';

export const examples = [
  {
    name: 'hierarchy', title: 'A hierarchy', subject: 'lookup', active: 'data/common.yaml', node, facts: { role: 'web' },
    forms: { lookup: { key: 'profile::web::vhosts' } },
    files: {
      'hiera.yaml': hierarchy,
      'data/common.yaml': `---
lookup_options:
  '^.*::packages$':
    merge: unique
  profile::web::vhosts:
    merge: deep

site::domain: example.com
site::contact: "admin@%{lookup('site::domain')}"

profile::base::packages: [curl, vim]
profile::web::port: 80
profile::web::vhosts:
  default:
    root: /var/www/html
    admin: "%{lookup('site::contact')}"
`,
      'data/roles/web.yaml': `---
profile::base::packages: [nginx]
profile::web::vhosts:
  shop:
    root: /srv/shop
`,
      'data/nodes/web01.example.com.yaml': `---
profile::web::port: 8080
profile::web::vhosts:
  shop:
    debug: true
`,
    },
  },
  {
    name: 'merges', title: 'The four merges', subject: 'lookup', active: 'data/common.yaml', node, facts: { role: 'web' },
    forms: { lookup: { key: 'servers', merge: 'deep' } },
    files: {
      'hiera.yaml': hierarchy,
      'data/common.yaml': `---
# Choose a merge: first takes the first level, unique joins lists,
# hash joins the outer hash, deep joins at every depth.
packages: [curl, vim]
servers:
  web: {port: 80, tls: {port: 443, protocols: [TLSv1.2]}}
  db: {port: 5432}
`,
      'data/roles/web.yaml': `---
packages: [nginx, curl]
servers:
  web: {port: 8080, tls: {protocols: [TLSv1.3]}}
`,
    },
  },
  {
    name: 'options', title: 'lookup_options with patterns', subject: 'lookup', active: 'data/common.yaml', node, facts: { role: 'web' },
    forms: { lookup: { key: 'profile::base::packages' } },
    files: {
      'hiera.yaml': hierarchy,
      'data/common.yaml': `---
lookup_options:
  # A pattern begins with ^. A key that is named counts more.
  '^profile::.*::packages$':
    merge:
      strategy: deep
      knockout_prefix: "--"
  profile::web::workers:
    convert_to: Integer

profile::base::packages: [curl, vim, telnet]
profile::web::workers: "4"
`,
      'data/roles/web.yaml': `---
profile::base::packages: [nginx, "--telnet"]
`,
    },
  },
  {
    name: 'interpolation', title: 'Interpolation', subject: 'lookup', active: 'data/common.yaml', node, facts: { role: 'web', datacenter: 'fra1' },
    forms: { lookup: { key: 'banner' } },
    files: {
      'hiera.yaml': hierarchy,
      'data/common.yaml': `---
# Facts, trusted data, other keys, and literal percent signs.
domain: "%{facts.datacenter}.example.com"
mail: "root@%{lookup('domain')}"
ports: {http: 80, https: 443}
# alias takes the value as it is, with its type.
public: "%{alias('ports')}"
banner:
  host: "%{trusted.certname} in %{facts.datacenter}"
  contact: "%{lookup('mail')}"
  port: "%{lookup('ports.https')}"
  ports: "%{alias('public')}"
  percent: "100%{literal('%')}"
`,
    },
  },
  {
    name: 'faults', title: 'Faults in data', subject: 'check', active: 'data/common.yaml', node, facts: {}, forms: {},
    files: {
      'hiera.yaml': `---
version: 5
hierarchy:
  - name: Common
    path: common.yaml
`,
      'data/common.yaml': `---
# Each fault is underlined, and says how it is repaired.
host: www
url: "https://%{lookup('hots')}/"
port: 80
port: 8080
lookup_options:
  profile::web::vhosts:
    merge: depp
`,
      'manifests/site.pp': `node default {
  notify { "on \${facts['os']['family']": }
}
`,
    },
  },
  {
    name: 'strings', title: 'Strings and heredocs', subject: 'code', active: 'strings.pp', node, facts: {},
    forms: { code: { file: 'strings.pp' } },
    files: {
      'strings.pp': `$who = 'world'
$list = [1, 2, 3]

[
  'single: \\n and \${who} stay',
  "double: \${who}, \${list[0]}, \${list.map |$x| { $x * 2 }.join('+')}",
  @("TEXT"/t),
    A heredoc for \${who}:
    \\t- with a tab, and without the indentation.
    | TEXT
  sprintf('%05.1f', 3.14159),
  $who.capitalize,
]
`,
    },
  },
  {
    name: 'types', title: 'Data types', subject: 'types', active: 'types.pp', node, facts: {},
    forms: { types: { type: 'Hash[Pattern[/^[a-z]+$/], Struct[{port => Integer[1, 65535], Optional[tls] => Boolean}]]', value: '{ web => { port => 80, tls => true }, db => { port => 70000 } }' } },
    files: {
      'types.pp': `# The tab "Types" says whether a value is of a type, and where it is not.
# Here the same is code, for the tab "Puppet code".
type(3) =~ Type[Integer]
`,
    },
  },
  {
    name: 'catalog', title: 'A catalog', subject: 'catalog', active: 'manifests/site.pp', node, facts: { role: 'web' }, forms: {},
    files: {
      'hiera.yaml': hierarchy,
      'data/common.yaml': `---
profile::web::port: 80
profile::web::vhosts:
  shop: {root: /srv/shop}
`,
      'manifests/site.pp': `node default {
  include profile::web
}
`,
      'modules/profile/manifests/web.pp': `# A web server, whose parameters come from data.
class profile::web (
  Integer[1, 65535] $port,
  Hash[String, Struct[{root => String}]] $vhosts = {},
) {
  package { 'nginx': ensure => installed }
  service { 'nginx':
    ensure  => running,
    require => Package['nginx'],
  }
  $vhosts.each |$name, $vhost| {
    file { "/etc/nginx/sites/\${name}.conf":
      content => "listen \${port}; root \${vhost['root']};\\n",
      notify  => Service['nginx'],
    }
  }
}
`,
    },
  },
  {
    name: 'directives', title: 'Merge directives, there and back', subject: 'directives', active: 'site.yaml', node, facts: {},
    forms: { directives: { file: 'site.yaml' } },
    files: {
      'site.yaml': `# One site: what every server has, and what each adds.
defaults: &defaults
  cpu: 2
  memory: {min: 1, max: 4} # gigabytes
  tags: [audit, backup]

web:
  +/defaults:
  +include: shared/tls.yaml
  cpu: 8 # the shop needs it
  tags: [public]

db:
  +*defaults:
  memory:
    max: 64
  tags:
    +%: whiteout
`,
      'shared/tls.yaml': `# What every server with a certificate has.
tls:
  port: 443
  protocols: [TLSv1.3]
`,
    },
  },
  {
    name: 'for', title: 'HCL: for and templates', subject: 'hcl', active: 'notes.hcl', node, facts: {},
    forms: { hcl: { kind: 'expr', code: '{\n  for name, port in { http = 80, admin = 9090 } :\n  upper(name) => "${name}-${port}"\n  if port > 100\n}' } },
    files: {
      'notes.hcl': `# Expressions are written on the right. Kinds of for:
#   [for x in list : f(x) if g(x)]
#   {for k, v in map : k => v}
#   {for x in list : key(x) => x...}     groups
# Templates have directives:
#   %{ for x in list }\${x} %{ endfor }
`,
    },
  },
  {
    name: 'dynamic', title: 'Nomad: dynamic, variables and plan', subject: 'job', active: 'web.nomad.hcl', node, facts: {},
    forms: { job: { file: 'web.nomad.hcl', vars: 'production.vars', before: 'before.nomad.hcl' } },
    files: {
      'web.nomad.hcl': `variable "image" {
  type    = string
  default = "registry.example.com/web:1.4"
}

variable "ports" {
  type    = map(number)
  default = {
    admin = 9090
    http  = 8080
  }
}

job "web" {
  datacenters = ["dc1"]
  group "web" {
    count = 3
    network {
      dynamic "port" {
        for_each = var.ports
        labels   = [port.key]
        content {
          to = port.value
        }
      }
    }
    task "server" {
      driver = "docker"
      config {
        image = var.image
        ports = keys(var.ports)
      }
      resources {
        cpu    = 200
        memory = 128
      }
    }
  }
}
`,
      'before.nomad.hcl': `job "web" {
  datacenters = ["dc1"]
  group "web" {
    count = 2
    network {
      port "http" {
        to = 8080
      }
    }
    task "server" {
      driver = "docker"
      config {
        image = "registry.example.com/web:1.3"
        ports = ["http"]
      }
      resources {
        cpu    = 200
        memory = 128
      }
    }
  }
}
`,
      'production.vars': 'image = "registry.example.com/web:1.5"\n',
    },
  },
  {
    name: 'jinja', title: 'Ansible: a template with an inventory', subject: 'templates', active: 'templates/hosts.j2', node: 'web1', facts: {},
    forms: { templates: { file: 'templates/hosts.j2', vars: 'vars.yaml', inventory: 'inventory.ini' } },
    files: {
      'templates/hosts.j2': `# {{ ansible_managed | default('written by hand') }}
server_name {{ inventory_hostname }};
{% for name, port in services | dictsort %}
listen {{ port }}; # {{ name | upper }}
{% endfor %}
allow {{ networks | map('regex_replace', '$', '/24') | join(', ') }};
`,
      'vars.yaml': `services: {http: 80, https: 443}
networks: [10.0.1.0, 10.0.2.0]
`,
      'inventory.ini': `[web]
web1 zone=a
web2 zone=b
`,
    },
  },
  {
    name: 'epp', title: 'Templates of Puppet: EPP and ERB', subject: 'templates', active: 'motd.epp', node, facts: { role: 'web' },
    forms: { templates: { file: 'motd.epp', vars: 'vars.yaml' } },
    files: {
      'motd.epp': `<%- | Array[String] $admins, String $site | -%>
Welcome to <%= $site %> (<%= $facts['role'] %>).
<% $admins.each |$number, $admin| { -%>
<%= $number + 1 %>. <%= $admin %>
<% } -%>
`,
      'motd.erb': `Welcome to <%= @site %>.
<% @admins.sort.each do |admin| -%>
- <%= admin.capitalize %>
<% end -%>
`,
      'vars.yaml': `site: example.com
admins: [ann, bob]
`,
    },
  },
  {
    name: 'unfurl', title: 'Expressions of Unfurl', subject: 'unfurl', active: 'tree.yaml', node, facts: {},
    forms: { unfurl: { file: 'tree.yaml', start: 'web', code: '::web::users::[name=ann]' } },
    files: {
      'tree.yaml': `name: root
attributes: {site: hq}
children:
  - name: web
    attributes:
      port: 80
      users:
        - {name: ann, age: 30}
        - {name: bob, age: 25}
      title: "{{ SELF.port + 1 }}"
      peer: {eval: "::db::port"}
  - name: db
    attributes: {port: 5432}
`,
    },
  },
];
