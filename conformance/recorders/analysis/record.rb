#!/usr/bin/env ruby
# frozen_string_literal: true

# Asks Puppet which mistakes in code it refuses.
#
#     record.rb CASES MODULES > refused.jsonl
#
# CASES has one case a line, `{"name": NAME, "code": CODE}`, perhaps with `files`. MODULES is the folder of the modules. Each case
# is the main manifest of an environment with these modules. The catalog is compiled, and its resources are made as an agent makes
# them. Each line of output is the case with `refused` (`compiler`, `agent` or null) and the message.

require 'json'
require 'tmpdir'
require 'fileutils'
require 'puppet'
require 'puppet/node'
require 'puppet/node/environment'
require 'puppet/parser/compiler'

def ask(one, root, modules)
  FileUtils.cp_r(modules, File.join(root, 'modules'))
  { 'site.pp' => one['code'] }.merge(one['files'] || {}).each do |path, text|
    target = File.join(root, path)
    FileUtils.mkdir_p(File.dirname(target))
    File.write(target, text)
  end
  Puppet[:strict_variables] = one['strict_variables'] == true
  Puppet[:hiera_config] = File.join(root, 'none.yaml')
  environment = Puppet::Node::Environment.create(:production, [File.join(root, 'modules')], File.join(root, 'site.pp'))
  loaders = Puppet::Environments::Static.new(environment)
  name = 'web01.example.com'
  facts = { 'networking' => { 'fqdn' => name }, 'os' => { 'family' => 'Debian', 'name' => 'Debian' }, 'kernel' => 'Linux' }
  Puppet.override(environments: loaders, current_environment: environment) do
    node = Puppet::Node.new(name, environment: environment, facts: Puppet::Node::Facts.new(name, facts))
    node.merge(facts)
    node.trusted_data = { 'authenticated' => 'local', 'certname' => name, 'domain' => nil, 'extensions' => {},
                          'hostname' => name, 'external' => {} }
    begin
      catalog = Puppet::Parser::Compiler.compile(node).filter(&:virtual?)
    rescue StandardError => error
      return ['compiler', error.message]
    end
    begin
      ral = catalog.to_ral
      ral.finalize
      ral.relationship_graph
      [nil, '']
    rescue StandardError => error
      ['agent', error.message]
    end
  end
end

Puppet.initialize_settings(['--confdir', '/nonexistent/conf', '--vardir', '/nonexistent/var'])
Puppet[:strict] = :warning
Puppet::Node::Facts.indirection.terminus_class = :memory
Puppet::Resource::Catalog.indirection.terminus_class = :compiler
Puppet::Resource::Catalog.indirection.cache_class = nil
Puppet::Util::Log.level = :err
cases, modules = ARGV
File.foreach(cases) do |line|
  next if line.strip.empty?

  one = JSON.parse(line)
  Dir.mktmpdir do |root|
    refused, message = ask(one, root, modules)
    message = message.gsub("#{root}/", '').sub(/ on node \S+\z/, '')
    puts JSON.generate(one.merge('refused' => refused, 'message' => message))
    $stdout.flush
  end
end
