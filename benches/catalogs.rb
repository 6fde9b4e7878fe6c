#!/usr/bin/env ruby
# frozen_string_literal: true

# Compiles catalogs of a laid-out repository with the reference in one process, and prints for each role the seconds of the processor
# that a compilation takes once everything is loaded, without programs that it runs: `ROLE SECONDS RESOURCES`.
#
#     catalogs.rb TARGET ROLE...          (TARGET: see conformance/recorders/catalog/lay_out.rb)

require_relative '../conformance/recorders/catalog/server'

target = File.expand_path(ARGV.shift)
serve(log_level: :crit, environmentpath: target)

environments = Puppet::Environments::Directories.new(target, [])
environment = Puppet.override(environments: environments) { environments.get(:production) }
loaders = nil
nodes = JSON.parse(File.read("#{target}.nodes.json"))
cpu = -> { Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID) }

ARGV.each do |role|
  name = nodes.find { |node| node['role'] == role }.fetch('name')
  facts = JSON.parse(File.read("#{target}.facts/#{name}.json"))['values']
  times = Array.new(3) do
    start = cpu.call
    Puppet.override(environments: environments, current_environment: environment) do
      Puppet.override(loaders: (loaders ||= Puppet::Pops::Loaders.new(environment))) do
        catalog = compiled(name, environment, facts)
        text = JSON.generate(catalog.to_data_hash)
        [cpu.call - start, catalog.resources.length, text.length]
      end
    end
  end
  puts "#{role} #{times.drop(1).map(&:first).min.round(3)} #{times[0][1]}"
  $stdout.flush
rescue Puppet::Error => error
  warn "#{role}: #{error.message[0, 300]}"
end
