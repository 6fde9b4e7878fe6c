#!/usr/bin/env ruby
# frozen_string_literal: true

# Records the catalogs that Puppet compiles from small control repositories.
#
#     record.rb FILE... > catalogs.jsonl
#
# A file holds cases. A case starts with a line `### NAME`, has lines `#: KEY VALUE` (node, strict, strict_variables, facts,
# classes, parameters), and then files: each after a line `--- PATH`; the first file is `manifests/site.pp` if no path is given.
# Each line of output is the case with what became of it: `catalog` as `puppet catalog compile --render-as json` prints it
# (without its number and time), `rich` if the catalog with rich data is another one, `logs`, and `error`. `$ROOT` is the folder.
# Names of modules with types in Ruby are added to the module path from the folder in the variable CORE.

require 'json'
require 'tmpdir'
require 'fileutils'
require 'puppet'
require 'puppet/node'
require 'puppet/node/environment'
require 'puppet/parser/compiler'
require_relative 'cases'
require_relative 'log_collector'

class LogCollector
  attr_reader :logs

  def initialize
    @logs = []
  end

  def <<(log)
    return if %i[debug info].include?(log.level)
    place = Puppet::Util::Errors.error_location_with_space(log.file, log.line, log.pos)
    @logs << [log.level.to_s, log.message.to_s + place]
  end
end

# Answers collectors of exported resources from the resources of the case.
class Puppet::Resource::Recorded < Puppet::Indirector::Code
  class << self
    attr_accessor :resources
  end

  def search(request)
    type = request.key
    host = request.options[:host]
    filter = request.options[:filter]
    scope = request.options[:scope]
    (self.class.resources || []).select do |one|
      one['type'] == type && one['certname'] != host && matches?(filter, one)
    end.map do |one|
      resource = Puppet::Parser::Resource.new(one['type'], one['title'], scope: scope)
      resource.exported = true
      resource.tags = one['tags'] if one['tags']
      resource.file = one['file']
      resource.line = one['line']
      resource.collector_id = "#{one['certname']}|#{one['type']}|#{one['title']}"
      (one['parameters'] || {}).each { |name, value| resource.set_parameter(name.to_sym, value) }
      resource
    end
  end

  def matches?(filter, one)
    return true if filter.nil?
    left, op, right = filter
    case op
    when 'and' then matches?(left, one) && matches?(right, one)
    when 'or' then matches?(left, one) || matches?(right, one)
    when '=='
      case left
      when 'tag' then (one['tags'] || []).include?(right.to_s.downcase)
      when 'title' then one['title'] == right
      else one['parameters'][left] == right
      end
    when '!=' then !matches?([left, '==', right], one)
    end
  end
end

def compile(one, root, destination)
  one['files'].each do |path, text|
    target = File.join(root, path)
    FileUtils.mkdir_p(File.dirname(target))
    File.write(target, text)
  end
  Puppet[:strict] = (one['strict'] || 'warning').to_sym
  Puppet[:strict_variables] = one['strict_variables'] == 'true'
  Puppet[:storeconfigs_backend] = 'recorded'
  Puppet[:storeconfigs] = !one['exported'].nil?
  Puppet::Resource.indirection.terminus_class = :recorded
  Puppet::Node::Facts.indirection.terminus_class = :memory
  Puppet::Resource::Catalog.indirection.terminus_class = :compiler
  Puppet::Resource::Catalog.indirection.cache_class = nil
  Puppet::Resource::Recorded.resources = one['exported']
  Puppet[:hiera_config] = File.join(root, 'none.yaml')
  name = one['node'] || 'web01.example.com'
  modules = [File.join(root, 'modules')]
  modules.concat(Dir[File.join(ENV['CORE'], '*')].empty? ? [] : [ENV['CORE']]) if ENV['CORE'] && one['core']
  environment = Puppet::Node::Environment.create(:production, modules, File.join(root, 'manifests'))
  loaders = Puppet::Environments::Static.new(environment)
  facts = { 'networking' => { 'fqdn' => name, 'hostname' => name.split('.').first }, 'os' => { 'family' => 'Debian' } }.merge(one['facts'] || {})
  Puppet.override(environments: loaders, current_environment: environment) do
    node = Puppet::Node.new(name, environment: environment, facts: Puppet::Node::Facts.new(name, facts),
                                  classes: one['classes'] || {}, parameters: one['parameters'] || {})
    node.merge(facts)
    node.trusted_data = { 'authenticated' => 'local', 'certname' => name, 'domain' => nil, 'extensions' => {}, 'hostname' => name, 'external' => {} }
    catalog = Puppet::Parser::Compiler.compile(node)
    catalog = catalog.filter(&:virtual?)
    plain = Puppet.override(rich_data: false) { catalog.to_data_hash }
    rich = Puppet.override(rich_data: true) { catalog.to_data_hash }
    [plain, rich].each { |data| %w[version catalog_uuid code_id].each { |key| data.delete(key) } }
    said = destination.logs.dup
    cycles = begin
      ral = catalog.to_ral
      ral.finalize rescue nil
      graph = ral.relationship_graph
      found = graph.find_cycles_in_graph
      found.map { |cycle| graph.paths_in_cycle(cycle).map { |path| path.join(' => ') } }
    rescue StandardError
      nil
    end
    destination.logs.replace(said)
    [plain, rich, cycles, catalog.to_dot('name' => catalog.class.name.tr(':', '_'))]
  end
end

Dir.mktmpdir do |base|
  Puppet.initialize_settings(['--confdir', File.join(base, 'conf'), '--vardir', File.join(base, 'var'), '--codedir', File.join(base, 'code')])
  Puppet[:disable_warnings] = []
  Puppet::Resource.indirection.terminus_class = :recorded
  Puppet::Util::Log.level = :notice
  count = 0
  ARGV.flat_map { |path| cases(path) }.each do |one|
    count += 1
    root = File.join(base, "case#{count}")
    FileUtils.mkdir_p(File.join(root, 'manifests'))
    FileUtils.mkdir_p(File.join(root, 'modules'))
    destination = LogCollector.new
    Puppet::Util::Log.close_all
    Puppet::Util::Log.newdestination(Puppet::Test::LogCollector.new(destination))
    begin
      plain, rich, cycles, dot = compile(one, root, destination)
      one['catalog'] = plain
      one['rich'] = rich unless rich == plain || one['plain']
      one['cycles'] = cycles unless cycles.nil? || cycles.empty?
      one['dot'] = dot if one['dot']
    rescue StandardError => error
      one['error'] = error.message
    end
    one['logs'] = destination.logs.reject { |level, message| level == 'err' }
    puts JSON.generate(one).gsub(root, '$ROOT')
    FileUtils.rm_rf(root)
  end
end
