# frozen_string_literal: true

# What recorders and benchmarks share that compile catalogs with the reference in their own process, as a server without PuppetDB does.

require 'json'
require 'tmpdir'
require 'fileutils'
require 'puppet'
require 'puppet/node'
require 'puppet/node/environment'
require 'puppet/parser/compiler'
require_relative 'log_collector'

# Collects messages, each with its place.
class Collected
  attr_reader :logs

  def initialize
    @logs = []
  end

  def <<(log)
    place = Puppet::Util::Errors.error_location_with_space(log.file, log.line, log.pos)
    @logs << [log.level.to_s, log.message.to_s + place]
  end

  # A new one, which alone gets messages from now on.
  def self.alone
    collected = new
    Puppet::Util::Log.close_all
    Puppet::Util::Log.newdestination(Puppet::Test::LogCollector.new(collected))
    collected
  end
end

# Sets this process up as a server; its folder goes when the process ends, and not when one that was forked from it does.
def serve(log_level: :notice, environmentpath: nil)
  main = Process.pid
  base = Dir.mktmpdir
  at_exit { FileUtils.rm_rf(base) if Process.pid == main }
  Puppet.initialize_settings(['--confdir', File.join(base, 'conf'), '--vardir', File.join(base, 'var'), '--codedir', File.join(base, 'code')])
  Puppet[:environmentpath] = environmentpath if environmentpath
  Puppet[:strict] = :warning
  Puppet[:strict_variables] = false
  Puppet[:storeconfigs] = false
  Puppet[:hiera_config] = File.join(base, 'none.yaml')
  Puppet[:certname] = 'puppet.example.com'
  # Debian has the modules of the agent in packages of their own: puppet-module-puppetlabs-*-core.
  Dir['/usr/share/puppet/modules/*/lib'].sort.each { |lib| $LOAD_PATH << lib }
  Puppet::Util::Log.level = log_level
  Puppet::Node::Facts.indirection.terminus_class = :memory
end

# The catalog of a node, without what is virtual.
def compiled(name, environment, facts)
  node = Puppet::Node.new(name, environment: environment, facts: Puppet::Node::Facts.new(name, facts))
  node.merge(facts)
  node.trusted_data = { 'authenticated' => 'remote', 'certname' => name, 'domain' => name.split('.', 2)[1], 'extensions' => {},
                        'hostname' => name.split('.').first, 'external' => {} }
  catalog = Puppet::Parser::Compiler.compile(node)
  yield if block_given?
  catalog.filter(&:virtual?)
end

# A catalog as data, without what is another at each compilation.
def catalog_data(catalog, rich:)
  data = Puppet.override(rich_data: rich) { catalog.to_data_hash }
  %w[version catalog_uuid code_id].each { |key| data.delete(key) }
  data
end

# Adds what is known of an error to a record.
def note_error(result, error)
  result['error'] = error.message
  result['class'] = error.class.name
  result['backtrace'] = (error.backtrace || []).first(6)
end

# Bytes that are no text cannot be in JSON.
def written(value)
  case value
  when Hash then value.to_h { |key, inner| [written(key), written(inner)] }
  when Array then value.map { |inner| written(inner) }
  when String then value.dup.force_encoding('UTF-8').valid_encoding? ? value : "bytes:#{[value].pack('m0')}"
  else value
  end
end
