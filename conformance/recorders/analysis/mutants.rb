#!/usr/bin/env ruby
# frozen_string_literal: true

# Asks Puppet which mutants it refuses.
#
#     mutants.rb MUTANTS FROM COPY FACTS > refused.jsonl
#
# MUTANTS is what `mutate.py` writes about files below FROM. COPY is a copy of that folder, which has modules in `modules`,
# `vendor_modules` and `core_modules`. FACTS is a file of JSON. Each line of the output is a mutant with `refused` and `message`.

require 'json'
require 'puppet'
require 'puppet/node'
require 'puppet/node/environment'
require 'puppet/parser/compiler'
Puppet.initialize_settings(['--confdir', '/nonexistent/conf', '--vardir', '/nonexistent/var'])
Puppet[:strict] = :warning
Puppet[:strict_variables] = true
Puppet::Node::Facts.indirection.terminus_class = :memory
Puppet::Resource::Catalog.indirection.terminus_class = :compiler
Puppet::Resource::Catalog.indirection.cache_class = nil
Puppet::Util::Log.level = :crit
NAME='web01.example.com'
def ask(root, code, ral=true)
  Puppet[:code] = code
  Puppet[:hiera_config] = '/nonexistent/none.yaml'
  environment = Puppet::Node::Environment.create(:production, %w[modules vendor_modules core_modules].map{|m| File.join(root, m)}, Puppet::Node::Environment::NO_MANIFEST)
  loaders = Puppet::Environments::Static.new(environment)
  facts = JSON.parse(File.read(ARGV[3]))
  Puppet.override(environments: loaders, current_environment: environment) do
    node = Puppet::Node.new(NAME, environment: environment, facts: Puppet::Node::Facts.new(NAME, facts))
    node.merge(facts)
    node.trusted_data = { 'authenticated' => 'local', 'certname' => NAME, 'domain' => nil, 'extensions' => {}, 'hostname' => NAME, 'external' => {} }
    begin
      catalog = Puppet::Parser::Compiler.compile(node).filter(&:virtual?)
    rescue StandardError, SystemStackError, LoadError => error
      return ['compiler', error.message, []]
    end
    files = catalog.resources.map(&:file).compact.uniq
    return [nil, '', files] unless ral
    begin
      r = catalog.to_ral
      r.finalize
      r.relationship_graph
    rescue StandardError => error
      return ['agent', error.message, files]
    end
    [nil, '', files]
  end
end
mutants, from, root = ARGV
File.foreach(mutants) do |line|
  one = JSON.parse(line)
  target = one['file'].sub("#{from}/", "#{root}/")
  original = File.read(target)
  begin
    File.write(target, one['text'])
    kind, msg, _ = ask(root, "include #{one['cls']}\n", true)
  ensure
    File.write(target, original)
  end
  one.delete('text')
  puts JSON.generate(one.merge('refused'=>kind,'message'=>msg.gsub(root+'/','')))
  $stdout.flush
end
