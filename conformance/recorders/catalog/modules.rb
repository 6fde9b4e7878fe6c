#!/usr/bin/env ruby
# frozen_string_literal: true

# Lays out modules of the Forge with what can be compiled of them, and compiles it.
#
#     modules.rb lay-out TARGET GIT...     a folder of modules, and the programs to compile: TARGET/production/programs/NAME.pp
#     modules.rb compile TARGET OUT [PATTERN]
#
# A program is an example of a module, a class of it (`include`), a block of Puppet code in its README, or a manifest of its acceptance
# tests that has no Ruby inside. Examples and classes are compiled for a node of every file in TARGET/facts, the rest for the first.
# OUT/NODE--NAME.json has `catalog` (as `puppet catalog compile` prints it, without its number and time), `error` and `logs`. Every
# program is compiled in a process that is forked for it. What OUT has already is not compiled again.

require 'fileutils'
require 'json'
require 'tmpdir'

DEBIAN = {
  'family' => 'Debian', 'name' => 'Debian', 'full' => '12.7', 'major' => '12', 'minor' => '7', 'codename' => 'bookworm', 'kernel' => '6.1.0',
}.freeze
REDHAT = {
  'family' => 'RedHat', 'name' => 'RedHat', 'full' => '9.4', 'major' => '9', 'minor' => '4', 'codename' => 'Plow', 'kernel' => '5.14.0',
}.freeze

def facts(os, name)
  release = os.slice('full', 'major', 'minor')
  hostname, domain = name.split('.', 2)
  distro = { 'codename' => os['codename'], 'description' => "#{os['name']} #{os['full']}", 'id' => os['name'], 'release' => release }
  hardware = os['family'] == 'Debian' ? 'amd64' : 'x86_64'
  {
    'architecture' => hardware, 'augeas' => { 'version' => '1.14.0' }, 'augeasversion' => '1.14.0', 'aio_agent_version' => '7.23.0', 'clientcert' => name,
    'clientversion' => '7.23.0', 'domain' => domain, 'facterversion' => '4.3.0', 'fips_enabled' => false, 'fqdn' => name, 'hostname' => hostname,
    'hardwareisa' => 'unknown', 'hardwaremodel' => 'x86_64', 'id' => 'root', 'identity' => { 'gid' => 0, 'group' => 'root', 'privileged' => true, 'uid' => 0, 'user' => 'root' },
    'interfaces' => 'eth0,lo', 'ipaddress' => '192.0.2.10', 'ipaddress6' => '2001:db8::10', 'ipaddress_eth0' => '192.0.2.10', 'ipaddress_lo' => '127.0.0.1',
    'is_virtual' => false, 'kernel' => 'Linux', 'kernelmajversion' => os['kernel'][/\A\d+\.\d+/], 'kernelrelease' => "#{os['kernel']}-25-amd64",
    'kernelversion' => os['kernel'], 'load_averages' => { '1m' => 0.1, '5m' => 0.1, '15m' => 0.1 }, 'lsbdistcodename' => os['codename'], 'lsbdistid' => os['name'],
    'lsbdistrelease' => os['full'], 'lsbmajdistrelease' => os['major'], 'macaddress' => '52:54:00:00:00:01',
    'memory' => { 'system' => { 'available_bytes' => 7_000_000_000, 'total' => '7.76 GiB', 'total_bytes' => 8_331_694_080 } }, 'memorysize' => '7.76 GiB',
    'memorysize_mb' => 7945.72, 'mountpoints' => { '/' => { 'device' => '/dev/sda1', 'filesystem' => 'ext4', 'size_bytes' => 50_000_000_000, 'options' => ['rw'] } },
    'networking' => {
      'domain' => domain, 'fqdn' => name, 'hostname' => hostname, 'ip' => '192.0.2.10', 'ip6' => '2001:db8::10', 'mac' => '52:54:00:00:00:01', 'mtu' => 1500,
      'netmask' => '255.255.255.0', 'network' => '192.0.2.0', 'primary' => 'eth0',
      'interfaces' => {
        'eth0' => { 'bindings' => [{ 'address' => '192.0.2.10', 'netmask' => '255.255.255.0', 'network' => '192.0.2.0' }], 'ip' => '192.0.2.10', 'ip6' => '2001:db8::10',
                    'mac' => '52:54:00:00:00:01', 'mtu' => 1500, 'netmask' => '255.255.255.0', 'network' => '192.0.2.0' },
        'lo' => { 'bindings' => [{ 'address' => '127.0.0.1', 'netmask' => '255.0.0.0', 'network' => '127.0.0.0' }], 'ip' => '127.0.0.1', 'mtu' => 65_536 },
      },
    },
    'operatingsystem' => os['name'], 'operatingsystemmajrelease' => os['major'], 'operatingsystemrelease' => os['full'],
    'os' => { 'architecture' => hardware, 'distro' => distro, 'family' => os['family'], 'hardware' => 'x86_64', 'name' => os['name'], 'release' => release,
              'selinux' => os['family'] == 'RedHat' ? { 'config_mode' => 'enforcing', 'config_policy' => 'targeted', 'current_mode' => 'enforcing', 'enabled' => true, 'enforced' => true, 'policy_version' => '33' } : { 'enabled' => false } },
    'osfamily' => os['family'], 'path' => '/opt/puppetlabs/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', 'physicalprocessorcount' => 1,
    'processorcount' => 4, 'processors' => { 'count' => 4, 'isa' => 'unknown', 'models' => ['Intel(R) Xeon(R)'] * 4, 'physicalcount' => 1 },
    'puppetversion' => '7.23.0', 'puppet_vardir' => '/opt/puppetlabs/puppet/cache', 'root_home' => '/root', 'ruby' => { 'version' => '2.7.7' }, 'rubyversion' => '2.7.7',
    'selinux' => os['family'] == 'RedHat', 'service_provider' => 'systemd', 'ssh' => { 'rsa' => { 'type' => 'ssh-rsa', 'key' => 'AAAAB3NzaC1yc2EAAAADAQAB', 'fingerprints' => { 'sha1' => 'SSHFP 1 1 aa', 'sha256' => 'SSHFP 1 2 bb' } } },
    'sshrsakey' => 'AAAAB3NzaC1yc2EAAAADAQAB', 'systemd' => true, 'systemd_internal_services' => {}, 'systemd_version' => '252', 'timezone' => 'UTC',
    'uniqueid' => '007f0101', 'uuid' => '4c4c4544-0000-1000-8000-000000000000', 'virtual' => 'physical',
  }
end

# The programs of a module: names and sources.
def programs(root, name)
  found = {}
  Dir[File.join(root, '{examples,tests}/**/*.pp')].sort.each do |path|
    found["#{name}-example-#{path.delete_prefix("#{root}/").sub(%r{\A\w+/}, '').sub(/\.pp\z/, '').tr('/', '-')}"] = File.read(path)
  end
  Dir[File.join(root, 'manifests/**/*.pp')].sort.each do |path|
    declared = File.read(path)[/^class\s+([\w:]+)/, 1] or next
    found["#{name}-class-#{declared.gsub('::', '-')}"] = "include #{declared}\n"
  end
  readme = File.join(root, 'README.md')
  if File.exist?(readme)
    File.read(readme).scan(/^```\s*puppet\s*\n(.*?)^```/m).each_with_index { |(text), index| found["#{name}-readme-#{index + 1}"] = text }
  end
  Dir[File.join(root, 'spec/acceptance/**/*_spec.rb')].sort.each do |path|
    index = 0
    File.read(path).scan(/<<[-~]'?(MANIFEST|PUPPETCODE|PUPPET|EOS|PP|EOM)'?.*?\n(.*?)^\s*\1\b/m).each do |_, text|
      next if text.include?('#{')
      found["#{name}-acceptance-#{File.basename(path, '_spec.rb')}-#{index += 1}"] = text
    end
  end
  found
end

def lay_out(target, gits)
  abort "#{target} exists" if File.exist?(target)
  FileUtils.mkdir_p(File.join(target, 'production/manifests'))
  FileUtils.mkdir_p(File.join(target, 'production/programs'))
  FileUtils.mkdir_p(File.join(target, 'facts'))
  count = 0
  gits.each do |git|
    part = File.join(target, 'clone')
    # A mirror may lack large files.
    system('git', '-c', 'advice.detachedHead=false', 'clone', '-q', git, part) || File.exist?(File.join(part, 'metadata.json')) or abort("cannot clone #{git}")
    name = JSON.parse(File.read(File.join(part, 'metadata.json')))['name'].split(%r{[-/]}, 2)[1]
    root = File.join(target, 'production/modules', name)
    FileUtils.mkdir_p(File.dirname(root))
    FileUtils.mv(part, root)
    FileUtils.rm_rf(File.join(root, '.git'))
    programs(root, name).each do |program, text|
      File.write(File.join(target, 'production/programs', "#{program}.pp"), text)
      count += 1
    end
  end
  { 'debian.example.com' => DEBIAN, 'redhat.example.com' => REDHAT }.each do |name, os|
    File.write(File.join(target, 'facts', "#{name}.json"), JSON.pretty_generate('name' => name, 'values' => facts(os, name)))
  end
  File.write(File.join(target, 'production/environment.conf'), "modulepath = modules\n")
  warn "#{count} programs"
end

def compile_one(target, program, name, facts)
  collected = Collected.alone
  result = { 'name' => "#{name}--#{File.basename(program, '.pp')}" }
  environment = Puppet::Node::Environment.create(:production, [File.join(target, 'production/modules')], program)
  Puppet.override(environments: Puppet::Environments::Static.new(environment), current_environment: environment) do
    result['catalog'] = catalog_data(compiled(name, environment, facts), rich: false)
  end
rescue Exception => error
  note_error(result, error)
ensure
  result['logs'] = collected.logs
  return result
end

def compile(target, out, pattern)
  require_relative 'server'
  target = File.expand_path(target)
  FileUtils.mkdir_p(out)
  serve
  nodes = Dir[File.join(target, 'facts/*.json')].sort.map { |path| JSON.parse(File.read(path)) }
  programs = Dir[File.join(target, 'production/programs/*.pp')].sort
  # What these make the process load is there for all others.
  Regexp.new(ENV['WARM'] || '-example-').then do |warm|
    programs.grep(warm).shuffle(random: Random.new(2)).first(8).each { |program| compile_one(target, program, nodes[0]['name'], nodes[0]['values']) }
  end
  kinds = %w[example class readme acceptance]
  programs.shuffle(random: Random.new(1)).sort_by.with_index { |program, index| [kinds.index(program[/-(#{kinds.join('|')})-/, 1]), index] }.each do |program|
    next if pattern && File.basename(program) !~ Regexp.new(pattern)
    nodes.each_with_index do |node, index|
      # Code of documents and tests is compiled for one node.
      next if index > 0 && program =~ /-(readme|acceptance)-/
      file = File.join(out, "#{node['name']}--#{File.basename(program, '.pp')}.json")
      next if File.exist?(file)
      Process.wait(fork do
        result = compile_one(target, program, node['name'], node['values'])
        File.write("#{file}.new", JSON.generate(written(result)))
        File.rename("#{file}.new", file)
        exit!(0)
      end)
    end
  end
end

case ARGV[0]
when 'lay-out' then lay_out(ARGV[1], ARGV.drop(2))
when 'compile' then compile(ARGV[1], ARGV[2], ARGV[3])
else abort 'modules.rb lay-out TARGET GIT... | compile TARGET OUT [PATTERN]'
end
