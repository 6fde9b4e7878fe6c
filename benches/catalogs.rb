#!/usr/bin/env ruby
# frozen_string_literal: true

# Compiles the catalogs of nodes of a laid-out repository with the reference, one after the other in one process, and prints for each the
# seconds of the processor that it takes with writing it as JSON, without programs that it runs: `NODE RESOURCES SECONDS`.
#
#     catalogs.rb TARGET FACTS     (TARGET: see conformance/recorders/catalog/lay_out.rb; FACTS: a folder of catalog_nodes.rb)

require_relative '../conformance/recorders/catalog/server'

target, folder = ARGV.map { |path| File.expand_path(path) }
serve(log_level: :crit, environmentpath: target)

environments = Puppet::Environments::Directories.new(target, [])
environment = Puppet.override(environments: environments) { environments.get(:production) }
loaders = nil
cpu = -> { Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID) }

Dir["#{folder}/*.json"].sort.each do |file|
  name = File.basename(file, '.json')
  read = JSON.parse(File.read(file))
  facts = read.fetch('values')
  start = cpu.call
  Puppet.override(environments: environments, current_environment: environment) do
    Puppet.override(loaders: (loaders ||= Puppet::Pops::Loaders.new(environment))) do
      catalog = compiled(read.fetch('name'), environment, facts)
      JSON.generate(catalog.to_data_hash)
      puts "#{name} #{catalog.resources.length} #{(cpu.call - start).round(4)}"
    end
  end
  $stdout.flush
rescue Puppet::Error => error
  warn "#{name}: #{error.message[0, 300]}"
end
