# frozen_string_literal: true

# Compiles with the real Puppet and a level that asks the service: HIERATIC is the path of the command, PUPPET that of Puppet.

require 'fileutils'
require 'json'
require 'minitest/autorun'
require 'open3'
require 'tmpdir'

COMMAND = ENV.fetch('HIERATIC', 'hieratic')
PUPPET = ENV.fetch('PUPPET', 'puppet')
MODULE = File.expand_path('..', __dir__)

# A service with two nodes, and an environment of Puppet that asks it.
class LevelTest < Minitest::Test
  FACTS = { 'web01.example.com' => { 'role' => 'web' }, 'db01.example.com' => { 'role' => 'db' } }.freeze

  def setup
    @root = Dir.mktmpdir('hieratic-puppet')
    write('site/hiera.yaml', <<~YAML)
      version: 5
      defaults: {datadir: data, data_hash: yaml_data}
      hierarchy:
        - {name: Role, path: "%{facts.role}.yaml"}
        - {name: Common, paths: [common.yaml, many.yaml]}
    YAML
    write('site/data/common.yaml', <<~YAML)
      lookup_options:
        profile::packages: {merge: unique}
        profile::password: {convert_to: Sensitive}
      profile::port: 80
      profile::packages: [curl]
      profile::password: not told
      profile::where: "%{facts.role} of %{trusted.certname}"
      profile.dotted: with a dot
      "it's": quoted
      profile: {dotted: another value}
    YAML
    # A request has as many keys as the service answers.
    write('site/data/many.yaml', (1..1500).map { |number| "many::key#{number}: #{number}\n" }.join)
    write('site/data/web.yaml', "profile::port: 8080\nprofile::packages: [nginx]\n")
    FACTS.each do |node, facts|
      hostname, domain = node.split('.', 2)
      names = { 'clientcert' => node, 'fqdn' => node, 'hostname' => hostname, 'domain' => domain }
      write("facts/#{node}.json", JSON.generate(facts.merge(names)))
    end
    @service = IO.popen([COMMAND, 'serve', '--listen', '127.0.0.1:0', '--environment-dir', path('site'), '--facts', path('facts'),
                         *flags, { err: %i[child out] }])
    @uri = nil
    while @uri.nil? && (line = @service.gets)
      @uri = line[%r{http://[\d.:]+}]
    end
    refute_nil(@uri, 'the service did not begin')
  end

  def teardown
    Process.kill('TERM', @service.pid)
    @service.close
    FileUtils.rm_rf(@root)
  end

  def flags
    ['--reveal']
  end

  def path(name)
    File.join(@root, name)
  end

  def write(name, text)
    FileUtils.mkdir_p(File.dirname(path(name)))
    File.write(path(name), text)
  end

  # An environment of Puppet whose only level is this one.
  def level(text, options = {})
    write('environments/production/hiera.yaml', <<~YAML)
      version: 5
      hierarchy:
        - name: The service
          #{text}
          uri: #{options.delete('uri') || @uri}
          options: #{JSON.generate({ 'timeout' => 20 }.merge(options))}
    YAML
    FileUtils.mkdir_p(path('modules'))
    # A second link would be made inside of the first one.
    File.symlink(MODULE, path('modules/hieratic')) unless File.symlink?(path('modules/hieratic'))
  end

  def puppet(*arguments)
    settings = ['--confdir', path('conf'), '--vardir', path('var'), '--environmentpath', path('environments'), '--basemodulepath',
                path('modules'), '--environment', 'production', '--color', 'false']
    Open3.capture3(PUPPET, *arguments, *settings)
  end

  def lookup(key, *more, node: 'web01.example.com')
    out, told, status = ask(key, *more, node: node)
    assert(status.success?, told)
    JSON.parse(out, quirks_mode: true)
  end

  def ask(key, *more, node: 'web01.example.com')
    puppet('lookup', key, '--node', node, '--facts', path("facts/#{node}.json"), '--render-as', 'json', *more)
  end

  def test_a_key_is_asked_with_the_facts_of_the_node
    level('lookup_key: hieratic::lookup_key')
    assert_equal(8080, lookup('profile::port'))
    assert_equal(80, lookup('profile::port', node: 'db01.example.com'))
    assert_equal(%w[nginx curl], lookup('profile::packages'))
    assert_equal('web of web01.example.com', lookup('profile::where'))
    assert_equal('other', lookup('no::such', '--default', 'other').to_s)
    assert_names_with_dots_and_quotes
  end

  def test_facts_need_not_name_their_node
    level('lookup_key: hieratic::lookup_key')
    write('plain.json', '{"role": "web"}')
    arguments = ['--node', 'web01.example.com', '--facts', path('plain.json'), '--render-as', 'json']
    out, told, status = puppet('lookup', 'profile::port', *arguments)
    assert(status.success?, told)
    assert_equal('8080', out.strip)
  end

  def test_all_keys_of_a_node_are_asked_at_once
    level('data_hash: hieratic::data_hash', 'reveal' => true)
    assert_equal(8080, lookup('profile::port'))
    assert_equal(%w[nginx curl], lookup('profile::packages'))
    assert_equal('not told', lookup('profile::password'))
    assert_equal(1500, lookup('many::key1500'))
    assert_names_with_dots_and_quotes
  end

  def assert_names_with_dots_and_quotes
    assert_equal('with a dot', lookup("'profile.dotted'"))
    assert_equal('another value', lookup('profile.dotted'))
    assert_equal('quoted', lookup(%("it's")))
  end

  def test_a_secret_is_an_error_unless_it_is_revealed
    level('lookup_key: hieratic::lookup_key')
    _, told, status = ask('profile::password')
    refute(status.success? && !told.include?('secret'), told)
    level('lookup_key: hieratic::lookup_key', 'reveal' => true)
    assert_equal('not told', lookup('profile::password'))
  end

  def test_a_catalog_is_compiled_with_the_data_of_the_service
    level('lookup_key: hieratic::lookup_key')
    write('environments/production/modules/profile/manifests/init.pp', <<~PUPPET)
      class profile(Integer $port, Array[String] $packages) {
        notify { "port ${port}": }
        $packages.each |$name| { notify { "package ${name}": } }
      }
    PUPPET
    write('site.pp', 'include profile')
    out, told, status = puppet('apply', '--noop', '--certname', 'web01.example.com', '--facts_terminus', 'facter', path('site.pp'))
    # The facts of this machine have no role: the level of all nodes answers.
    assert(status.success?, told + out)
    assert_includes(out, "Notify[port 80]")
    assert_includes(out, 'Notify[package curl]')
  end

  # `puppet lookup` does not print why a level fails; a compilation does.
  def failure
    out, told, status = puppet('apply', '--noop', '--certname', 'web01.example.com', '-e', "notice(lookup('profile::port'))")
    refute(status.success?, out)
    out + told
  end

  def test_a_service_that_does_not_answer_is_an_error
    level('lookup_key: hieratic::lookup_key', { 'uri' => 'http://127.0.0.1:9' })
    assert_includes(failure, 'http://127.0.0.1:9 does not answer')
    level('lookup_key: hieratic::lookup_key', 'nope' => 1)
    assert_includes(failure, 'unknown options nope')
  end
end

# A node that the command classifies, and gives trusted external data.
class ClassifierTest < Minitest::Test
  def setup
    @root = Dir.mktmpdir('hieratic-puppet')
    write('environments/production/hiera.yaml', <<~YAML)
      version: 5
      defaults: {datadir: data, data_hash: yaml_data}
      hierarchy:
        - {name: Node, path: "%{trusted.certname}.yaml"}
        - {name: Common, path: common.yaml}
    YAML
    write('environments/production/data/common.yaml', <<~'YAML')
      classes: [profile]
      site::parameters: {site: "it's: \"a\"", digits: "007", list: [1, {a: b}]}
      site::trusted: {cost_center: "7"}
    YAML
    write('environments/production/data/db01.yaml', %(classes: {profile: {port: 5432, note: "of: 'it'"}}\n))
    write('environments/production/data/bad.yaml', "classes: 3\n")
    write('environments/production/modules/profile/manifests/init.pp', <<~'PUPPET')
      class profile(Integer $port = 80, String $note = 'none') {
        notify { "${port} ${note} ${::site} ${::digits} ${::list} ${trusted['external']}": }
      }
    PUPPET
    flags = "--environment-dir #{path('environments/production')}"
    script('enc', "enc \"$1\" #{flags} --parameters site::parameters --agent-environment production")
    script('trusted', "enc \"$1\" #{flags} --trusted-external site::trusted")
  end

  def teardown
    FileUtils.rm_rf(@root)
  end

  def path(name)
    File.join(@root, name)
  end

  def write(name, text)
    FileUtils.mkdir_p(File.dirname(path(name)))
    File.write(path(name), text)
  end

  def script(name, arguments)
    write(name, "#!/bin/sh\nexec #{COMMAND} #{arguments}\n")
    File.chmod(0o755, path(name))
  end

  def apply(node)
    settings = ['--confdir', path('conf'), '--vardir', path('var'), '--environmentpath', path('environments'), '--environment',
                'production', '--color', 'false', '--certname', node, '--node_name_value', node, '--node_terminus', 'exec',
                '--external_nodes', path('enc'), '--trusted_external_command', path('trusted')]
    out, told, status = Open3.capture3(PUPPET, 'apply', '--noop', '-e', '', *settings)
    [out + told, status.success?]
  end

  def test_puppet_classifies_nodes_by_the_command
    told, is_good = apply('web01')
    assert(is_good, told)
    values = %q(it's: "a" 007 [1, {a => b}] {cost_center => 7})
    assert_includes(told, "80 none #{values}")
    told, is_good = apply('db01')
    assert(is_good, told)
    assert_includes(told, "5432 of: 'it' #{values}")
  end

  def test_a_node_without_a_classification_has_no_catalog
    told, is_good = apply('bad')
    refute(is_good, told)
    assert_includes(told, 'Failed to find bad via exec')
  end
end
