# frozen_string_literal: true

# Runs the test suites of modules twice, with Puppet and with hieratic-rspec, and compares them example by example.
#
#   ruby conformance/recorders/rspec/suites.rb FOLDER [MODULE...] > suites.jsonl
#
# FOLDER has a folder for each module, named as the module. Modules that a suite needs are taken from there as well.
# HIERATIC names the command. A line for each module: counts, times in seconds, and the examples that differ. With SUITE_PARITY=1, a third run
# compiles each catalog with both: `parity` has the seconds of Puppet's compiler, of Hieratic with all work of the gem, and of its service.

require 'fileutils'
require 'json'
require 'tmpdir'
require 'yaml'

TIMEOUT = Integer(ENV.fetch('SUITE_TIMEOUT', '540'))
KINDS = %w[classes defines functions hosts type_aliases types unit].freeze
LIB = File.expand_path('../../../integrations/rspec/lib', __dir__)

def link_fixtures(root, name, folder)
  wanted = [name]
  fixtures = File.join(root, '.fixtures.yml')
  if File.exist?(fixtures)
    listed = YAML.safe_load(File.read(fixtures), permitted_classes: [Symbol], aliases: true).fetch('fixtures', {})
    wanted |= (listed['repositories'] || {}).keys | (listed['forge_modules'] || {}).keys
    links = listed['symlinks'] || {}
  end
  modules = File.join(root, 'spec/fixtures/modules')
  FileUtils.mkdir_p(modules)
  (links || {}).each do |one, target|
    target = target.to_s.gsub(/\#{source_dir}/, root)
    link = File.join(modules, one)
    FileUtils.ln_s(target, link) if File.directory?(target) && !File.exist?(link)
  end
  missing = wanted.reject do |one|
    there = File.join(folder, one)
    link = File.join(modules, one)
    FileUtils.ln_s(there, link) if File.directory?(there) && !File.exist?(link)
    File.exist?(link)
  end
  missing.sort
end

Run = Struct.new(:examples, :wall, :cpu, :summary, :load_errors, :timed_out)

def run(root, environment, ruby_options)
  Dir.mktmpdir do |out|
    report, summary = File.join(out, 'report.json'), File.join(out, 'summary.json')
    specs = KINDS.map { |kind| "spec/#{kind}" }.select { |kind| File.directory?(File.join(root, kind)) }
    command = ['timeout', TIMEOUT.to_s, 'ruby', *ruby_options, '-S', 'rspec', '--no-color', '--order', 'defined', '--format', 'json', '--out', report, *specs]
    before = Process.times
    begun = Process.clock_gettime(Process::CLOCK_MONOTONIC)
    pid = Process.spawn({ 'HIERATIC_RSPEC_SUMMARY' => summary }.merge(environment), *command,
                        chdir: root, out: File.join(out, 'stdout'), err: File.join(out, 'stderr'))
    _, status = Process.wait2(pid)
    wall = Process.clock_gettime(Process::CLOCK_MONOTONIC) - begun
    after = Process.times
    cpu = after.cutime + after.cstime - before.cutime - before.cstime
    data = File.size?(report) ? JSON.parse(File.read(report, encoding: 'UTF-8')) : { 'examples' => [], 'summary' => {} }
    examples = data['examples'].to_h do |example|
      [example['id'], { 'status' => example['status'], 'name' => example['full_description'], 'error' => example.dig('exception', 'message') }]
    end
    warn (data['messages'] || []).join("\n").slice(0, 3000) if data.dig('summary', 'errors_outside_of_examples_count').to_i.positive?
    warn File.read(File.join(out, 'stderr')).slice(0, 2000) if examples.empty? && ENV['SUITE_VERBOSE']
    Run.new(examples, wall.round(2), cpu.round(2), File.exist?(summary) ? JSON.parse(File.read(summary)) : nil,
            data.dig('summary', 'errors_outside_of_examples_count'), status.exitstatus == 124)
  end
end

def counts(run)
  run.examples.values.map { |example| example['status'] }.tally
end

folder = File.expand_path(ARGV.shift || abort('expected a folder of modules'))
names = ARGV.empty? ? Dir.children(folder).sort : ARGV
names.each do |name|
  root = File.join(folder, name)
  next unless File.directory?(File.join(root, 'spec'))

  missing = link_fixtures(root, name, folder)
  reference = run(root, {}, [])
  own = run(root, {}, ['-I', LIB, '-rhieratic/rspec'])
  different = (reference.examples.keys | own.examples.keys).reject do |id|
    reference.examples.dig(id, 'status') == own.examples.dig(id, 'status')
  end
  both = run(root, { 'HIERATIC_RSPEC_PARITY' => '1' }, ['-I', LIB, '-rhieratic/rspec']).summary if ENV['SUITE_PARITY']
  parity = both && both.values_at('compared', 'reference_seconds', 'hieratic_seconds', 'service_seconds').push(both['differences'].length)
  puts JSON.generate(
    'module' => name, 'parity' => parity, 'missing' => missing, 'examples' => reference.examples.length,
    'reference' => counts(reference), 'hieratic' => counts(own), 'different' => different.length,
    'load_errors' => [reference.load_errors, own.load_errors], 'timed_out' => [reference.timed_out, own.timed_out],
    'wall' => [reference.wall, own.wall], 'cpu' => [reference.cpu, own.cpu], 'compiled' => own.summary&.except('differences'),
    'list' => ENV['SUITE_VERBOSE'] ? different.first(30).map { |id| [id, reference.examples[id], own.examples[id]] } : []
  )
  $stdout.flush
end
