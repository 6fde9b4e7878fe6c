#!/usr/bin/env ruby
# frozen_string_literal: true

# Compiles each class and each defined type of modules with Puppet and with Hieratic, and writes docs/modules.md.
#
#     module_list.rb compile FOLDER OUT [MODULE...]   FOLDER has a folder for each module, named as the module
#     module_list.rb page OUT [NOTE] > docs/modules.md
#
# HIERATIC names the command, and CORE_MODULES a folder with the modules that Puppet's packages have besides (`sshkeys_core` and others): Debian
# has them as packages, in /usr/share/puppet/modules. A class is included, and a defined type is declared with the title `title`, without parameters, for a node
# with the facts that facterdb has for Debian 11 and CentOS 8. OUT/MODULE.json has numbers and the first lines of differences. Only the page
# is committed.

require 'fileutils'
require 'json'
require 'tmpdir'

SYSTEMS = { 'Debian 11' => ['Debian', /\A11/], 'CentOS 8' => ['CentOS', /\A8/] }.freeze
LIB = File.expand_path('../../../integrations/rspec/lib', __dir__)
# Functions that invent passwords draw from a generator with this seed, in both.
SEED = 42
SERVER = { 'serverversion' => '7.23.0', 'servername' => 'puppet.example.com', 'serverip' => '192.0.2.1' }.freeze
TIMEOUT = Integer(ENV.fetch('MODULE_TIMEOUT', '1500'))

# What a module declares, as programs by name.
def programs(root)
  Dir[File.join(root, 'manifests/**/*.pp')].sort.each_with_object({}) do |path, found|
    text = File.read(path, encoding: 'UTF-8').scrub
    text.scan(/^\s*class\s+([a-z][\w:]*)/) { |(name)| found["class #{name}"] = "include #{name}\n" }
    text.scan(/^\s*define\s+([a-z][\w:]*)/) { |(name)| found["define #{name}"] = "#{name} { 'title': }\n" }
  end
end

def system_facts
  require 'facterdb'
  all = FacterDB.get_facts(SYSTEMS.values.map { |name, _| { operatingsystem: name, hardwaremodel: 'x86_64' } })
  SYSTEMS.to_h do |label, (name, release)|
    fitting = all.select { |facts| facts[:operatingsystem] == name && facts[:operatingsystemrelease] =~ release && facts[:facterversion].to_s.start_with?('4.') }
    facts = fitting.max_by { |one| Gem::Version.new(one[:facterversion]) } || abort("no facts of #{label}")
    [label, JSON.parse(JSON.generate(facts))]
  end
end

def stringified(value)
  case value
  when Hash then value.to_h { |key, element| [key.to_s, stringified(element)] }
  when Array then value.map { |element| stringified(element) }
  else value
  end
end

# Compiles one program with both. Returns the kind of the result, and lines.
def compile(environment, facts, code, service)
  name = 'node.example.com'
  Puppet[:code] = code
  node = Puppet::Node.new(name, parameters: facts.merge('environment' => environment.name.to_s), facts: Puppet::Node::Facts.new(name, facts.dup))
  node.environment = environment
  node.add_server_facts(SERVER.merge('environment' => environment.name.to_s))
  trusted = Puppet::Context::TrustedInformation.new('remote', name, {}, {})
  Puppet.override(current_environment: environment, environments: Puppet::Environments::Static.new(environment),
                  loaders: Puppet::Pops::Loaders.new(environment), trusted_information: trusted) do
    begin
      srand(SEED)
      expected = Puppet::Resource::Catalog.indirection.find(name, use_node: node)
    rescue Puppet::Error => e
      error = e
    rescue LoadError
      # A library that is not installed says nothing about code.
      return ['not compared', []]
    end
    request = Hieratic::RSpec::Request.new(node, false).to_h.merge('avoids_init' => false, 'random_seed' => SEED)
    %i[vardir ssldir].each { |setting| request['settings'][setting.to_s] = Puppet[setting] }
    answer = service.ask(request)
    failed = answer['errors'].first
    return [error ? 'both refused' : 'not supported', [failed['message']]] if failed && (failed['limitation'] || failed['code'] == 'catalog-request')

    outcome = Hieratic::RSpec::Session::Outcome.new
    if failed
      outcome.error = Puppet::PreformattedError.new(failed['message'])
    else
      outcome.catalog = Hieratic::RSpec::CatalogBuilder.new(answer['catalog'], environment).build
    end
    lines = Hieratic::RSpec::Difference.new(outcome, expected, error).lines
    return [error ? 'same error' : 'equal', []] if lines.empty?

    [error && outcome.error ? 'other message' : 'different', lines]
  end
end

# Keeps the trees of files: each program has a new environment, and would parse them again.
module ParsedFiles
  def parse_file(file)
    (@trees ||= {})[[file, File.binread(file)]] ||= super
  end
end

def compile_module(folder, name, out)
  $LOAD_PATH.unshift(LIB)
  require 'puppet'
  require 'hieratic/rspec/session'
  Puppet::Pops::Parser::EvaluatingParser.prepend(ParsedFiles)
  Dir.mktmpdir do |vardir|
    Puppet.initialize_settings(%W[--vardir #{vardir} --confdir #{vardir}/conf --certname node.example.com --strict_variables true])
    Puppet::Util::Log.level = :crit
    modulepath = [folder, ENV['CORE_MODULES']].compact
    modulepath.flat_map { |path| Dir[File.join(path, '*/lib')] }.each { |lib| $LOAD_PATH << lib }
    service = Hieratic::RSpec::Service.new
    Puppet.settings.use(:main)
    made = Dir.children(vardir)
    results = Hash.new { |all, kind| all[kind] = [] }
    system_facts.each do |label, facts|
      facts = stringified(facts).merge('clientcert' => 'node.example.com', 'fqdn' => 'node.example.com')
      programs(File.join(folder, name)).each do |title, code|
        # A new environment, so that nothing is left of the last program.
        environment = Puppet::Node::Environment.create(:production, modulepath, Puppet::Node::Environment::NO_MANIFEST)
        # What functions keep in files for later catalogs is removed.
        FileUtils.rm_rf((Dir.children(vardir) - made).map { |one| File.join(vardir, one) })
        kind, lines = compile(environment, facts, code, service)
        results[kind] << { 'program' => title, 'system' => label, 'lines' => lines.first(12).map { |line| line[0, 300] } }
      end
    end
    service.stop
    version = JSON.parse(File.read(File.join(folder, name, 'metadata.json')))['version']
    counts = results.transform_values(&:length)
    File.write(File.join(out, "#{name}.json"), JSON.pretty_generate('module' => name, 'version' => version, 'counts' => counts, 'results' => results))
    warn "#{name}: #{counts}"
  end
end

# The reason in the page: the first line, without what differs between machines.
def reason(one)
  line = one['lines'].first.to_s.sub(/ on node \S+\z/, '').gsub(%r{/\S+/(?=[\w.-]+/(?:manifests|lib|templates|functions|types)/)}, '').gsub('|', '\|')
  line = line.gsub(/[<>*_]/) { |letter| "\\#{letter}" }
  line = line.sub(/\AEvaluation Error: (?:Error while evaluating a Function Call, )?/, '')
  line.length > 70 ? "#{line[0, 70]}…" : line
end

def page(out, note = nil)
  modules = Dir[File.join(out, '*.json')].sort.map { |file| JSON.parse(File.read(file)) }
  total = Hash.new(0)
  modules.each { |one| one['counts'].each { |kind, count| total[kind] += count } }
  compiled = total['equal'] + total['different'] + total['not supported']
  all = total.values.sum - total['not compared']
  puts <<~MARKDOWN
    # Public modules compared

    <!-- Made by conformance/recorders/catalog/module_list.rb. Do not edit. -->

    **Of #{compiled} catalogs that Puppet 7.23 compiles, #{total['equal']} are equal** (#{format('%.1f', 100.0 * total['equal'] / compiled)} %): every class and every defined type of
    #{modules.length} public modules at their newest versions, without parameters, for #{SYSTEMS.keys.join(' and ')} with the facts of facterdb. Equal means
    the same resources, parameters, tags, places, edges and classes. #{total['not supported']} are refused with a reason, and #{total['different']} differ.

    Puppet refuses the other #{all - compiled} programs: parameters or modules are missing, or a class is private. #{total['same error']} of them fail here with the
    same message, #{total['other message']} with another one, and #{total['both refused']} because of something that is not supported.
    #{"\n#{note}\n" if note}
    | module | version | equal | not supported | different | same error | other message |
    |---|---|---|---|---|---|---|
  MARKDOWN
  modules.each do |one|
    counts = ['equal', 'not supported', 'different', 'same error', 'other message'].map { |kind| one['counts'].fetch(kind, 0) }
    puts "| #{one['module']} | #{one['version']} | #{counts.join(' | ')} |"
  end
  reasons = modules.flat_map do |one|
    ['not supported', 'different', 'other message', 'both refused'].flat_map do |kind|
      one['results'].fetch(kind, []).group_by { |result| [result['program'], reason(result)] }.map { |(program, why), _| "| #{one['module']} | #{program} | #{kind} | #{why} |" }
    end
  end
  return if reasons.empty?

  puts '', '## What differs, and why', '', '| module | program | result | first line |', '|---|---|---|---|'
  puts reasons.uniq
end

if $PROGRAM_NAME == __FILE__
  command, *arguments = ARGV
  case command
  when 'compile'
    folder, out, *names = arguments
    folder = File.expand_path(folder)
    FileUtils.mkdir_p(out)
    names = Dir.children(folder).sort if names.empty?
    names.each do |name|
      next if File.exist?(File.join(out, "#{name}.json")) || !File.directory?(File.join(folder, name, 'manifests'))

      # Types and functions in Ruby are global: each module has its process.
      pid = fork { compile_module(folder, name, out) }
      begin
        require 'timeout'
        Timeout.timeout(TIMEOUT) { Process.wait(pid) }
      rescue Timeout::Error
        Process.kill('KILL', pid)
        Process.wait(pid)
        warn "#{name}: no end within #{TIMEOUT} seconds"
      end
    end
  when 'page' then page(arguments.fetch(0), arguments[1])
  else abort "usage: #{$PROGRAM_NAME} compile FOLDER OUT [MODULE...] | page OUT [NOTE]"
  end
end
