#!/usr/bin/env ruby
# frozen_string_literal: true

# Asks Puppet and Hieratic for everything that the Ruby API of a compilation has: `api.rb MODULES` prints each entry on which the two do not
# agree and that Hieratic does not refuse by its name.
#
# HIERATIC names the command. The entries are the methods of the objects that a function reaches (its scope, the compiler, the catalog, the
# node, the environment, a module, resources), each called without arguments and each setter with one, the constants, methods and settings
# that Ruby code below MODULES names, and all other settings. An answer is compared by its class, and by its value if that is a string, a symbol, a number, true,
# false or nil. A named error that no code can rescue is right.

require 'json'
require 'tmpdir'
require 'facter'
require 'puppet'
require_relative '../../../integrations/rspec/lib/hieratic/rspec/service'

MODULES = ARGV.fetch(0)
OBJECTS = {
  'scope' => 'scope', 'topscope' => 'scope.compiler.topscope', 'compiler' => 'scope.compiler', 'catalog' => 'scope.catalog', 'node' => 'scope.compiler.node',
  'environment' => 'scope.environment', 'module' => 'scope.environment.module("probe")', 'class' => 'scope.catalog.resource("Class[main]")',
  'resource' => 'scope.catalog.resource("Notify[x]")', 'source' => 'scope.source', 'parameter' => 'scope.catalog.resource("Notify[x]").parameters[:message]',
  'function' => 'function', 'Puppet' => 'Puppet', 'settings' => 'Puppet.settings', 'Facter' => 'Facter'
}.freeze
METADATA = { name: 'x-probe', version: '1.0.0', author: 'x', license: 'x', summary: 'x', source: 'x', dependencies: [] }.freeze
# Calls that would end, print or change the recorder itself.
SKIPPED = /\A(?:Puppet\.(?:clear|restore|override|initialize\w*|replace_settings_object|push\w*|pop\w*|rollback\w*|run_mode|log_exception|send_log)|
  settings\.(?:clear\w*|initialize\w*|use|parse\w*|reparse\w*|handlearg|persist\w*|stringify\w*|print\w*|generate\w*|define\w*|write\w*|patch\w*|override_default|optparse\w*)|
  Facter\.(?:flush|reset|clear\w*|load_external|loadfacts|to_hash|to_user_output|search\w*|add|define_fact|each|list|values|resolve))/x

# What modules name: constants, their methods, settings.
def named
  found = Hash.new(0)
  Dir["#{MODULES}/*/{lib,templates}/**/*.{rb,erb}"].each do |path|
    next if path.match?(%r{/provider/|/face/|/application/|/reports/|/bolt/})

    text = File.read(path, encoding: 'UTF-8').scrub.gsub(/^\s*#.*$/, '')
    text.scan(/\b((?:Puppet|Facter|SemanticPuppet)(?:::[A-Z]\w*)+)/) { |(name)| found[name] += 1 }
    text.scan(/\b((?:Puppet|Facter|SemanticPuppet)(?:::[A-Z]\w*)*\.[a-z]\w*[?!]?)/) { |(name)| found[name] += 1 }
    text.scan(/Puppet(?:\.settings)?\[:(\w+)\](?!\s*=[^=~])/) { |(name)| found["Puppet[:#{name}]"] += 1 }
    text.scan(/Puppet(?:\.settings)?\[:(\w+)\]\s*=[^=~]/) { |(name)| found["Puppet[:#{name}] = 'x'"] += 1 }
  end
  found
end

# Code that returns the class and the value of an expression, or its error.
def probe(code)
  <<~RUBY
    begin
      value = begin; #{code}; end
      plain = [String, Symbol, Integer, Float, TrueClass, FalseClass, NilClass].any? { |type| type === value }
      plain ? "value \#{value.inspect}" : "object"
    rescue ScriptError, StandardError => e
      "raises \#{e.class}"
    end
  RUBY
end

def write_function(root, codes)
  folder = "#{root}/probe/lib/puppet/functions"
  FileUtils.mkdir_p(folder)
  File.write("#{root}/probe/metadata.json", JSON.generate(METADATA))
  bodies = codes.each_with_index.map { |code, at| "def probe_#{at}(scope, function)\n#{probe(code)}\nend" }
  File.write("#{folder}/probe.rb", <<~RUBY)
    Puppet::Functions.create_function(:probe, Puppet::Functions::InternalFunction) do
      dispatch :probe do
        scope_param
        param 'Integer', :at
      end
      def probe(scope, at)
        send("probe_\#{at}", scope, self)
      end
      #{bodies.join("\n")}
    end
  RUBY
end

def manifest(at)
  "notify { 'x': message => 'y' }\n$answer = probe(#{at})\nnotify { 'answer': message => $answer }\n"
end

SETTINGS = {}
FACTS = { 'networking' => { 'fqdn' => 'node.example.com' }, 'os' => { 'family' => 'Debian', 'name' => 'Debian' }, 'kernel' => 'Linux' }.freeze

def ask_puppet(root, at)
  environment = Puppet::Node::Environment.create(:production, [root], Puppet::Node::Environment::NO_MANIFEST)
  node = Puppet::Node.new('node.example.com', environment: environment, facts: Puppet::Node::Facts.new('node.example.com', FACTS.dup), parameters: FACTS.dup)
  trusted = Puppet::Context::TrustedInformation.new('remote', 'node.example.com', {}, {})
  node.trusted_data = trusted.to_h
  Puppet[:code] = manifest(at)
  Puppet.override(current_environment: environment, environments: Puppet::Environments::Static.new(environment), loaders: Puppet::Pops::Loaders.new(environment), trusted_information: trusted) do
    return Puppet::Parser::Compiler.compile(node).resource('Notify[answer]')[:message]
  end
rescue SystemExit, StandardError => e
  "fails #{e.message.lines.first}"
end

def ask_hieratic(service, root, at)
  answer = service.ask('code' => manifest(at), 'node' => 'node.example.com', 'facts' => FACTS, 'modulepath' => [root], 'version' => Puppet.version[/\A\d+/], 'strict' => 'warning', 'strict_variables' => true, 'settings' => SETTINGS)
  failed = answer['errors'].first
  return failed['limitation'] ? "refused #{failed['message']}" : "fails #{failed['message']}" if failed

  answer['catalog']['resources'].find { |one| one['title'] == 'answer' }['parameters']['message']
end

Dir.mktmpdir do |root|
  Puppet.initialize_settings(%W[--vardir #{root}/var --confdir #{root}/conf --certname node.example.com --strict_variables true])
  Puppet::Util::Log.level = :crit
  $stderr = File.open(File::NULL, 'w')
  modules = "#{root}/modules"
  write_function(modules, OBJECTS.values.map { |object| "(#{object}).methods.-(Object.instance_methods).-(Module.instance_methods).sort.join(' ')" })
  entries = OBJECTS.each_with_index.flat_map do |(name, object), at|
    methods = ask_puppet(modules, at)[/"(.*)"/, 1].to_s.split
    methods.grep(/\A[a-z]/).map { |method| ["#{name}.#{method}", method.end_with?('=') ? "(#{object}).#{method}('x')" : "(#{object}).#{method}"] }
  end
  entries += named.keys.sort.map { |name| [name, name] }
  # `code` is that of the probe, and lists of folders depend on the machine.
  settings = Puppet.settings.enum_for(:each).map(&:first) - %i[code]
  entries += settings.map { |name| ["Puppet[:#{name}]"] * 2 }
  entries = entries.reject { |name, _| name.match?(SKIPPED) }.uniq(&:first)
  write_function(modules, entries.map(&:last))
  service = Hieratic::RSpec::Service.new
  %i[vardir confdir certname ssldir logdir rundir].each { |name| SETTINGS[name.to_s] = Puppet[name].to_s }
  silent = Hash.new(0)
  entries.each_with_index do |(name, _), at|
    ours = ask_hieratic(service, modules, at)
    next silent['refused'] += 1 if ours.start_with?('refused')

    theirs = fork_answer { ask_puppet(modules, at) }
    next silent['right'] += 1 if ours == theirs

    silent['differ'] += 1
    puts "#{name}\n  Puppet:   #{theirs}\n  Hieratic: #{ours}"
  end
  puts "#{entries.length} entries: #{silent}"
end

BEGIN {
  # A call may change the process: each has a copy.
  def fork_answer
    reader, writer = IO.pipe
    pid = fork do
      reader.close
      writer.write(yield)
      writer.close
      exit!(0)
    end
    writer.close
    answer = reader.read.force_encoding('UTF-8')
    Process.wait(pid)
    answer
  end
}
