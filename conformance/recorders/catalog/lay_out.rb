#!/usr/bin/env ruby
# frozen_string_literal: true

# Lays out a public control repository with facts for every role of it, so that both Puppet and Hieratic can compile them.
#
#     lay_out.rb wikimedia TARGET OPERATIONS_PUPPET.git LABS_PRIVATE.git
#     lay_out.rb ronin TARGET RONIN_PUPPET.git
#
# TARGET becomes a folder of environments with one, `production`: the checkout, and what its own servers add to it. `facts/NODE.json`
# next to it has the facts of a node, `nodes.json` the node of every role.
# The private data of Wikimedia is not public; the repository labs-private has made-up values for it. What is missing there, too,
# roles.rb makes up.

require 'fileutils'
require 'json'
require 'yaml'

def checkout(git, target)
  FileUtils.mkdir_p(target)
  system('git', '-c', 'advice.detachedHead=false', 'clone', '-q', git, target) or abort("cannot clone #{git}")
end

# A name that a node's pattern matches.
def example_of(pattern)
  text = pattern.dup
  text.sub!(/\A\^/, '')
  text.sub!(/\$\z/, '')
  loop do
    before = text.dup
    text.gsub!(/\((?:\?:)?([^()|]*)(?:\|[^()]*)?\)/) { $1 }
    text.gsub!(/\[([^\]])[^\]]*\]/) { $1 == '0' ? '1' : $1 }
    text.gsub!(/\\d/, '1')
    text.gsub!(/(.)\+/) { $1 }
    text.gsub!(/.\?/, '')
    text.gsub!(/(.)\{(\d+)[^}]*\}/) { $1 * Integer($2) }
    break if text == before
  end
  text.gsub(/\\(.)/) { $1 }.gsub('.*', 'a')
end

SITES = {
  '1' => ['eqiad', '10.64.0.', '208.80.154.'], '2' => ['codfw', '10.192.0.', '208.80.153.'], '3' => ['esams', '10.80.0.', '185.15.59.'],
  '4' => ['ulsfo', '10.128.0.', '198.35.26.'], '5' => ['eqsin', '10.132.0.', '103.102.166.'], '6' => ['drmrs', '10.136.0.', '185.15.58.'],
  '7' => ['magru', '10.140.0.', '195.200.68.'],
}.freeze

def wikimedia_nodes(root)
  nodes = []
  pattern = nil
  File.foreach(File.join(root, 'manifests/site.pp')) do |line|
    case line
    when %r{^node\s+/(.*)/\s*\{} then pattern = $1
    when /^node\s+'([^']+)'/ then pattern = "^#{Regexp.escape($1)}$"
    when /^\s+role\(['"]?([\w:]+)/
      next if pattern.nil?
      role = $1
      name = example_of(pattern)
      name += '.eqiad.' if name !~ /\./
      name = name.sub('.', '.eqiad.') if name.count('.') == 1 && name.end_with?('.')
      name = "#{name}org" if name.end_with?('.wikimedia.')
      name = "#{name}wmnet" if name.end_with?('.')
      name = "#{name}.wmnet" if name =~ /\.(?:eqiad|codfw|esams|ulsfo|eqsin|drmrs|magru)\z/
      warn "#{name} does not match #{pattern}" unless Regexp.new(pattern) =~ name
      nodes << [role, name] unless nodes.any? { |known, _| known == role }
      pattern = nil
    end
  end
  nodes
end

def wikimedia_facts(name, index)
  hostname, domain = name.split('.', 2)
  number = SITES.values.index { |site| domain.start_with?("#{site[0]}.") }
  number = number ? (number + 1).to_s : (hostname[/(\d)\d{3}\z/, 1] || '1')
  number = '1' unless SITES.key?(number)
  _, inner, outer = SITES[number]
  host = 10 + index % 200
  ip = (domain == 'wikimedia.org' ? outer : inner) + host.to_s
  ip6 = "2620:0:861:10#{number}:#{ip.gsub('.', ':')}"
  binding = { 'address' => ip, 'netmask' => '255.255.252.0', 'network' => ip.sub(/\d+\z/, '0') }
  binding6 = { 'address' => ip6, 'netmask' => 'ffff:ffff:ffff:ffff::', 'network' => "2620:0:861:10#{number}::" }
  devices = %w[sda sdb]
  {
    'architecture' => 'amd64', 'augeasversion' => '1.14.0', 'bios_vendor' => 'Dell Inc.', 'blockdevices' => 'sda,sdb',
    'block_devices' => %w[sda sdb],
    'blockdevice_sda_size' => 480_103_981_056, 'blockdevice_sdb_size' => 480_103_981_056,
    'boardmanufacturer' => 'Dell Inc.', 'ceph_disks' => {}, 'clientcert' => name, 'clientversion' => '7.23.0', 'disk_type' => { 'sda' => 'ssd', 'sdb' => 'ssd' },
    'default_routes' => { 'ipv4' => ip.sub(/\d+\z/, '1'), 'ipv6' => 'fe80::1' },
    'disks' => devices.to_h { |one| [one, { 'model' => 'MZ7KH480', 'size' => '447.13 GiB', 'size_bytes' => 480_103_981_056, 'vendor' => 'ATA' }] },
    'domain' => domain, 'dhcp_servers' => {}, 'facterversion' => '4.3.0', 'filesystems' => 'ext2,ext3,ext4', 'fqdn' => name, 'gid' => 'root',
    'hardwareisa' => 'unknown', 'hardwaremodel' => 'x86_64', 'has_ipmi' => true, 'hostname' => hostname, 'id' => 'root',
    'ganeti_cluster' => 'ganeti01.svc.eqiad.wmnet', 'ganeti_master' => 'ganeti1001.eqiad.wmnet',
    'interface_primary' => 'eno1', 'interfaces' => 'eno1,lo', 'ipaddress' => ip, 'ipaddress6' => ip6, 'ipaddress6_eno1' => ip6, 'ipaddress_eno1' => ip,
    'ipaddress_lo' => '127.0.0.1', 'ipmi_chassis' => { 'boot_flags' => { 'device' => 'none' } }, 'ipmi_lan' => { 'ip_address' => '10.65.0.10' },
    'is_virtual' => false, 'kernel' => 'Linux', 'kernelmajversion' => '6.1', 'kernelrelease' => '6.1.0-25-amd64', 'kernelversion' => '6.1.0',
    'kernel_details' => { 'kernel' => 'Linux', 'release' => '6.1.0-25-amd64' },
    'lldp' => { 'parent' => 'asw2-a-eqiad', 'eno1' => { 'neighbor' => 'asw2-a-eqiad', 'port' => 'ge-1/0/1', 'vlans' => { 'mode' => 'access', 'untagged_vlan' => 1017 } } },
    'lldppeer_eno1' => 'asw2-a-eqiad', 'lsbdistcodename' => 'bookworm', 'lsbdistid' => 'Debian', 'lsbdistrelease' => '12', 'lsbmajdistrelease' => '12',
    'macaddress' => '4c:d9:8f:6d:00:01', 'manufacturer' => 'Dell Inc.',
    'memory' => { 'system' => { 'total' => '62.80 GiB', 'total_bytes' => 67_430_985_728, 'available_bytes' => 60_000_000_000 } },
    'memorysize' => '62.80 GiB', 'memorysize_mb' => 64_307.2,
    'mountpoints' => {
      '/' => { 'device' => '/dev/md0', 'filesystem' => 'ext4', 'size_bytes' => 50_000_000_000, 'options' => ['rw'] },
      '/srv' => { 'device' => '/dev/md1', 'filesystem' => 'ext4', 'size_bytes' => 400_000_000_000, 'options' => ['rw'] },
    },
    'net_driver' => { 'eno1' => { 'driver' => 'tg3', 'duplex' => 'full', 'firmware_version' => '5719', 'speed' => 1000 } }, 'netmask' => '255.255.252.0',
    'network' => ip.sub(/\d+\z/, '0'),
    'networking' => {
      'domain' => domain, 'fqdn' => name, 'hostname' => hostname, 'ip' => ip, 'ip6' => ip6, 'mac' => '4c:d9:8f:6d:00:01', 'mtu' => 1500,
      'netmask' => '255.255.252.0', 'network' => ip.sub(/\d+\z/, '0'), 'primary' => 'eno1',
      'interfaces' => {
        'eno1' => { 'bindings' => [binding], 'bindings6' => [binding6], 'ip' => ip, 'ip6' => ip6, 'mac' => '4c:d9:8f:6d:00:01', 'mtu' => 1500,
                    'netmask' => '255.255.252.0', 'network' => ip.sub(/\d+\z/, '0') },
        'lo' => { 'bindings' => [{ 'address' => '127.0.0.1', 'netmask' => '255.0.0.0', 'network' => '127.0.0.0' }], 'ip' => '127.0.0.1', 'mtu' => 65_536 },
      },
    },
    'nfscommon_version' => '2.6.2',
    'numa' => { 'device_to_htset' => { 'eno1' => [[0, 16], [2, 18], [4, 20], [6, 22]] }, 'device_to_node' => { 'eno1' => [0] }, 'nodes' => [0, 1] },
    'operatingsystem' => 'Debian', 'operatingsystemmajrelease' => '12', 'operatingsystemrelease' => '12.7',
    'os' => { 'architecture' => 'amd64', 'distro' => { 'codename' => 'bookworm', 'description' => 'Debian GNU/Linux 12 (bookworm)', 'id' => 'Debian',
                                                       'release' => { 'full' => '12.7', 'major' => '12', 'minor' => '7' } },
              'family' => 'Debian', 'hardware' => 'x86_64', 'name' => 'Debian', 'release' => { 'full' => '12.7', 'major' => '12', 'minor' => '7' },
              'selinux' => { 'enabled' => false } },
    'osfamily' => 'Debian',
    'partitions' => { '/dev/sda1' => { 'size_bytes' => 1_000_000, 'mount' => '/boot' }, '/dev/sda2' => { 'size_bytes' => 400_000_000_000 } },
    'path' => '/usr/sbin:/usr/bin:/sbin:/bin', 'physicalcorecount' => 16, 'physicalprocessorcount' => 2, 'processor0' => 'Intel(R) Xeon(R) Silver 4110',
    'processorcount' => 32,
    'processors' => { 'count' => 32, 'isa' => 'unknown', 'models' => ['Intel(R) Xeon(R) Silver 4110'] * 32, 'physicalcount' => 2, 'cores' => 8, 'threads' => 2 },
    'productname' => 'PowerEdge R440', 'puppet_config' => {
      'hostcert' => "/var/lib/puppet/ssl/certs/#{name}.pem", 'hostprivkey' => "/var/lib/puppet/ssl/private_keys/#{name}.pem",
      'localcacert' => '/var/lib/puppet/ssl/certs/ca.pem', 'ssldir' => '/var/lib/puppet/ssl', 'confdir' => '/etc/puppet', 'ca_server' => 'puppet',
      'master' => { 'ssldir' => '/var/lib/puppet/server/ssl', 'localcacert' => '/var/lib/puppet/server/ssl/certs/ca.pem' },
    },
    'puppetversion' => '7.23.0', 'raid' => ['md'], 'raid_mgmt_tools' => ['md'], 'rubyversion' => '3.1.2', 'selinux' => false, 'serialnumber' => 'ABCDEF1',
    'ssh' => { 'ecdsa' => { 'type' => 'ecdsa-sha2-nistp256', 'key' => 'AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAA=', 'fingerprints' => { 'sha1' => 'SSHFP 3 1 aa', 'sha256' => 'SSHFP 3 2 bb' } },
               'ed25519' => { 'type' => 'ssh-ed25519', 'key' => 'AAAAC3NzaC1lZDI1NTE5AAAA', 'fingerprints' => { 'sha1' => 'SSHFP 4 1 aa', 'sha256' => 'SSHFP 4 2 bb' } },
               'rsa' => { 'type' => 'ssh-rsa', 'key' => 'AAAAB3NzaC1yc2EAAAADAQAB', 'fingerprints' => { 'sha1' => 'SSHFP 1 1 aa', 'sha256' => 'SSHFP 1 2 bb' } } },
    'swift_disks' => { 'accounts' => ['/dev/disk/by-path/pci-0000:1'], 'container' => ['/dev/disk/by-path/pci-0000:2'], 'objects' => ['/dev/disk/by-path/pci-0000:3'] },
    'cpu_details' => { 'flags' => [] }, 'timezone' => 'UTC', 'uniqueid' => '400a0110', 'uuid' => '4c4c4544-0000-1000-8000-000000000000', 'virtual' => 'physical',
    'wmflib' => { 'is_container' => false }, 'firmware' => {}, 'python' => { 'default' => { 'version' => '3.11.2' } },
  }
end

def wikimedia(target, git, private_git)
  root = File.join(target, 'production')
  checkout(git, root)
  checkout(private_git, File.join(root, 'private'))
  FileUtils.mkdir_p(File.join(root, 'netbox/hosts'))
  File.write(File.join(root, 'netbox/common.yaml'), "{}\n")
  conf = File.read(File.join(root, 'environment.conf'))
  conf.sub!(%r{/etc/puppet/private/modules}, 'private/modules')
  conf.sub!(/^config_version.*\n/, '')
  File.write(File.join(root, 'environment.conf'), conf)
  hiera = File.read(File.join(root, 'modules/puppetmaster/files/hiera/production.yaml'))
  hiera.gsub!('/etc/puppet/private/', 'private/')
  hiera.gsub!('/etc/puppet/netbox', 'netbox')
  hiera.gsub!('/etc/puppet/hieradata', 'hieradata')
  File.write(File.join(root, 'hiera.yaml'), hiera)
  nodes = wikimedia_nodes(root)
  nodes.each_with_index.map do |(role, name), index|
    { 'role' => role, 'name' => name, 'facts' => wikimedia_facts(name, index) }
  end
end

def ronin_facts(name, role)
  hostname, domain = name.split('.', 2)
  networking = { 'domain' => domain, 'fqdn' => name, 'hostname' => hostname, 'ip' => '10.49.0.10', 'mac' => '00:00:00:00:00:01', 'primary' => 'en0',
                 'interfaces' => { 'en0' => { 'ip' => '10.49.0.10' } } }
  common = { 'clientcert' => name, 'fqdn' => name, 'hostname' => hostname, 'domain' => domain, 'networking' => networking, 'ipaddress' => '10.49.0.10',
             'puppetversion' => '7.23.0', 'is_virtual' => false, 'virtual' => 'physical', 'running_in_test_kitchen' => false,
             'timezone' => 'UTC', 'identity' => { 'user' => 'root', 'uid' => 0 }, 'memory' => { 'system' => { 'total_bytes' => 17_179_869_184 } } }
  common['puppet_role'] = role unless role.start_with?('win')
  case role
  when /\Awin/
    disk = { 'custom_win_systemdrive' => 'C:', 'custom_win_system32' => 'C:\\Windows\\System32', 'custom_win_programfiles' => 'C:\\Program Files',
             'custom_win_programfilesx86' => 'C:\\Program Files (x86)', 'custom_win_programdata' => 'C:\\ProgramData',
             'custom_win_roninprogramdata' => 'C:\\ProgramData\\PuppetLabs\\ronin', 'custom_win_roninlogdir' => 'C:\\logs', 'custom_win_roninslogdir' => 'C:\\logs',
             'custom_win_roninsemaphoredir' => 'C:\\ProgramData\\PuppetLabs\\ronin\\semaphore', 'custom_win_temp_dir' => 'C:\\temp' }
    version = role =~ /2022/ ? '2022' : (role =~ /\Awin10/ ? '10' : '11')
    common.merge(disk).merge(
      'kernel' => 'windows', 'kernelmajversion' => '10.0', 'kernelversion' => '10.0.22631', 'osfamily' => 'windows', 'operatingsystem' => 'windows',
      'operatingsystemmajrelease' => version,
      'os' => { 'name' => 'Windows', 'family' => 'windows', 'architecture' => 'x64', 'hardware' => 'x86_64', 'release' => { 'full' => version, 'major' => version },
                'windows' => { 'system32' => 'C:\\Windows\\system32' } },
      'custom_win_role' => role, 'custom_win_location' => role =~ /azure/ ? 'azure' : 'datacenter', 'custom_win_os_version' => version == '10' ? 'win_10_2009' : 'win_11_2009',
      'custom_win_os_arch' => 'x64', 'custom_win_bootstrap_stage' => 'complete', 'custom_win_worker_pool_id' => role, 'custom_win_purpose' => 'tester',
      'custom_win_d_drive' => 'exists', 'custom_win_display_version' => '24H2', 'custom_win_release_id' => '2009', 'custom_win_os_caption' => "Microsoft Windows #{version}",
      'custom_win_net_category' => 'private', 'custom_win_gpu' => 'yes', 'custom_win_firewall_status' => 'running', 'custom_win_kms_activated' => 'activated',
      'custom_win_genericworker_version' => '40.0.0', 'custom_win_taskcluster_proxy_version' => '40.0.0', 'custom_win_genericworker_service' => 'missing',
      'custom_win_runner_service' => 'missing', 'custom_win_mozspace' => 'exists', 'custom_win_gw_workertype' => role, 'custom_win_github_pat' => '', 'custom_win_git_version' => '2.40',
      'custom_display_adpater' => 'Microsoft', 'chocolateyversion' => '1.2.0', 'choco_install_path' => 'C:\\ProgramData\\chocolatey', 'choco_temp_dir' => 'C:\\temp',
      'puppet_vardir' => 'C:/ProgramData/PuppetLabs/puppet/cache', 'archive_windir' => 'C:\\ProgramData\\staging', 'az_metadata' => { 'compute' => { 'publisher' => 'microsoft' } },
      'path' => 'C:\\Windows\\system32', 'system32' => 'C:\\Windows\\system32', 'processors' => { 'models' => ['AMD'], 'count' => 8 }
    )
  when /linux|maas|bitbar|oci|vault/
    release = role =~ /2404|maas/ ? ['24.04', 'noble'] : (role =~ /2204/ ? ['22.04', 'jammy'] : ['18.04', 'bionic'])
    common.merge(
      'kernel' => 'Linux', 'kernelmajversion' => '6.8', 'osfamily' => 'Debian', 'operatingsystem' => 'Ubuntu', 'operatingsystemmajrelease' => release[0],
      'lsbdistcodename' => release[1], 'lsbdistid' => 'Ubuntu', 'path' => '/usr/sbin:/usr/bin',
      'os' => { 'name' => 'Ubuntu', 'family' => 'Debian', 'architecture' => 'amd64', 'hardware' => 'x86_64', 'release' => { 'full' => release[0], 'major' => release[0] },
                'distro' => { 'codename' => release[1], 'id' => 'Ubuntu', 'description' => "Ubuntu #{release[0]}", 'release' => { 'full' => release[0], 'major' => release[0] } } },
      'apt_update_last_success' => 1_700_000_000, 'apt_sources' => [], 'puppet_vardir' => '/opt/puppetlabs/puppet/cache',
      'mountpoints' => { '/' => { 'filesystem' => 'ext4' } }, 'processors' => { 'models' => ['Intel(R) Xeon(R) CPU E3-1585L v5 @ 3.00GHz'], 'count' => 8 }, 'cltbld_uid' => 1000
    )
  else
    major = role =~ /1500|arm64|tart|signing/ ? ['24', '15.3'] : (role =~ /1400/ ? ['23', '14.6'] : (role =~ /1014/ ? ['18', '10.14'] : ['19', '10.15']))
    common.merge(
      'kernel' => 'Darwin', 'kernelmajversion' => "#{major[0]}.0", 'osfamily' => 'Darwin', 'operatingsystem' => 'Darwin', 'operatingsystemmajrelease' => major[0],
      'path' => '/usr/sbin:/usr/bin', 'cltbld_uid' => 36,
      'macosx_productversion' => major[1], 'macosx_productversion_major' => major[1],
      'os' => { 'name' => 'Darwin', 'family' => 'Darwin', 'architecture' => role =~ /arm64|m4|m_vms|tart/ ? 'arm64' : 'x86_64', 'hardware' => 'x86_64', 'release' => { 'full' => "#{major[0]}.3.0", 'major' => major[0], 'minor' => '3' },
                'macosx' => { 'build' => '24D60', 'product' => 'macOS', 'version' => { 'full' => major[1], 'major' => major[1][/\A\d+(\.\d+)?/], 'minor' => '0' } } },
      'system_profiler' => { 'model_identifier' => 'Macmini8,1', 'system_version' => "macOS #{major[1]}", 'processors' => '1', 'processor_speed' => '3.2 GHz',
                             'processor_name' => '6-Core Intel Core i7', 'memory' => '16 GB', 'cores' => '6', 'boot_rom_version' => '2020' },
      'processors' => { 'models' => ['Intel(R) Core(TM) i7-8700B CPU @ 3.20GHz'], 'count' => 12 }, 'mountpoints' => { '/' => { 'filesystem' => 'apfs' } },
      'puppet_vardir' => '/opt/puppetlabs/puppet/cache'
    )
  end
end

def ronin(target, git)
  root = File.join(target, 'production')
  checkout(git, root)
  File.write(File.join(root, 'environment.conf'), "modulepath = modules:r10k_modules\n")
  # Its machines write the last definition when they are installed.
  manifest = File.join(root, 'manifests/site.pp')
  text = File.read(manifest)
  text.sub!(/^node default \{/, "node default {\n  include pick($facts['puppet_role'], $facts['custom_win_role']).then |$role| { \"roles_profiles::roles::${role}\" }") or abort 'no default node'
  File.write(manifest, text)
  # Windows does not tell the names of files apart by their case, and secrets are in a vault.
  FileUtils.cp(File.join(root, 'data/os/Windows.yaml'), File.join(root, 'data/os/windows.yaml'))
  File.write(File.join(root, 'modules/vault_secrets/hiera.yaml'), <<~YAML)
    ---
    version: 5
    defaults: { datadir: data, data_hash: yaml_data }
    hierarchy: [{ name: common, path: common.yaml }]
  YAML
  FileUtils.mkdir_p(File.join(root, 'modules/vault_secrets/data'))
  File.write(File.join(root, 'modules/vault_secrets/data/common.yaml'), {
    'vault_secrets::generic_worker' => { 'data' => %w[taskcluster_client_id taskcluster_access_token quarantine_client_id quarantine_access_token livelog_secret bugzilla_api_key].to_h { |one| [one, "made-up-#{one}"] } },
    'vault_secrets::telegraf' => { 'data' => { 'user' => 'made-up', 'password' => 'made-up' } },
    'vault_secrets::cltbld_user' => { 'data' => { 'salt' => 'a' * 64, 'password' => 'b' * 256, 'kcpassword' => 'bWFkZSB1cA==', 'iterations' => 50_000, 'unhashedpassword' => 'made-up' } },
    'vault_secrets::papertrail' => { 'data' => { 'port' => 1234, 'host' => 'logs.example.com' } },
    'vault_secrets::borgmatic' => { 'data' => { 'ssh_public_key' => 'made-up', 'ssh_private_key' => 'made-up', 'encryption_passphrase' => 'made-up' } },
  }.to_yaml)
  FileUtils.mkdir_p(File.join(root, 'data/secrets'))
  File.write(File.join(root, 'data/secrets/vault.yaml'), "--- {}\n")
  roles = Dir[File.join(root, 'modules/roles_profiles/manifests/roles/*.pp')].map { |path| File.basename(path, '.pp') }.sort
  roles.map do |role|
    name = "#{role.tr('_', '-')}.test.releng.mdc1.mozilla.com"
    { 'role' => role, 'class' => "roles_profiles::roles::#{role}", 'name' => name, 'facts' => ronin_facts(name, role) }
  end
end

kind, target, *rest = ARGV
abort 'lay_out.rb wikimedia|ronin TARGET GIT...' unless %w[wikimedia ronin].include?(kind) && !rest.empty?
abort "#{target} exists" if File.exist?(target)
nodes = send(kind, target, *rest)
facts = "#{target.chomp('/')}.facts"
FileUtils.mkdir_p(facts)
nodes.each do |node|
  File.write(File.join(facts, "#{node['name']}.json"), JSON.pretty_generate('name' => node['name'], 'values' => node['facts']))
end
File.write("#{target.chomp('/')}.nodes.json", JSON.pretty_generate(nodes.map { |node| node.slice('role', 'name', 'class') }))
warn "#{nodes.length} nodes"
