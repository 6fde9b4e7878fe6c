#!/usr/bin/env python3
"""Writes a repository with 20 roles, and the facts of nodes that differ in their names and addresses: see compare-shared."""

import json
import pathlib
import sys

ROLES = 20
RESOURCES = 40

target, count = pathlib.Path(sys.argv[1]), int(sys.argv[2])
environment = target / 'environments' / 'production'


def write(path, text):
    path = environment / path
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


write('environment.conf', 'modulepath = modules\n')
write('manifests/site.pp', 'node default { include "role::r${facts[\'role\']}" }\n')
write('hiera.yaml', """version: 5
hierarchy:
  - name: all
    paths: ["nodes/%{trusted.certname}.yaml", "role/%{facts.role}.yaml", "os/%{facts.os.family}.yaml", common.yaml]
""")
write('data/common.yaml', 'base::packages: [vim, curl, git]\nbase::level: 1\nlookup_options: {base::packages: {merge: unique}}\n')
write('data/os/Debian.yaml', 'base::packages: [apt-transport-https]\n')
write('modules/base/manifests/init.pp', """class base(Array[String] $packages, Integer $level) {
  package { $packages: ensure => installed }
  range(1, %d).each |$i| {
    base::unit { "base-${i}": level => $level + $i, family => $facts['os']['family'] }
  }
}
""" % RESOURCES)
write('modules/base/manifests/unit.pp', """define base::unit(Integer $level, String $family = 'none', Hash $settings = {}) {
  $lines = $settings.map |$key, $value| { "${key} = ${value}" }
  file { "/etc/units/${title}.conf":
    ensure  => file,
    mode    => '0644',
    content => epp('base/unit.epp', { level => $level, family => $family, lines => $lines }),
    notify  => Service["unit-${title}"],
  }
  service { "unit-${title}": ensure => running, enable => true }
}
""")
write('modules/base/templates/unit.epp', """<%- | Integer $level, String $family, Array $lines | -%>
# <%= $family %> <%= $level %>
<% $lines.each |$line| { -%>
<%= $line %>
<% } -%>
""")
for role in range(ROLES):
    write(f'data/role/{role}.yaml', f'base::level: {role}\nrole::r{role}::settings: {{port: {8000 + role}, name: r{role}, workers: 4}}\n')
    write(f'modules/role/manifests/r{role}.pp', f"""class role::r{role}(Hash $settings) {{
  include base
  range(1, {RESOURCES + role}).each |$i| {{
    base::unit {{ "r{role}-${{i}}": level => $i, settings => $settings, require => Class['base'] }}
  }}
}}
""")
facts = target / 'facts'
facts.mkdir()
for number in range(count):
    name, address = f'node{number:05}.example.com', f'10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}'
    (facts / f'{name}.json').write_text(json.dumps({
        'role': str(number % ROLES), 'hostname': name.split('.')[0], 'fqdn': name, 'ipaddress': address,
        'networking': {'ip': address, 'fqdn': name, 'hostname': name.split('.')[0], 'domain': 'example.com'},
        'os': {'family': 'Debian', 'name': 'Debian', 'release': {'major': '12'}},
    }))
