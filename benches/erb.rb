#!/usr/bin/env ruby
# frozen_string_literal: true

# Renders the templates that conformance/recorders/ruby/templates.rb recorded with MRI, and prints the milliseconds of the processor for one
# round: with `ERB.new` each time, as Puppet does, and with methods that were defined before.
#
#     erb.rb TEMPLATES.jsonl ROUNDS

require_relative '../conformance/recorders/ruby/wrapper'

$stderr = File.open(File::NULL, 'w')
cases = File.foreach(ARGV[0]).map { |line| JSON.parse(line) }.select { |one| one['text'] }
jobs = cases.map do |one|
  wrapper = Wrapper.new
  one['variables'].each { |name, value| wrapper.instance_variable_set("@#{name}", value) }
  [one['template'], wrapper]
end
rounds = Integer(ARGV[1])
time = lambda do |&render|
  start = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)
  rounds.times { jobs.each(&render) }
  (Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID) - start) * 1000 / rounds
end
read = time.call { |template, wrapper| wrapper.render(template) }
jobs.each { |template, wrapper| ERB.new(template, trim_mode: '-').def_method(wrapper.singleton_class, 'prepared()') }
prepared = time.call { |_, wrapper| wrapper.prepared }
puts "#{jobs.length} templates: #{read.round(1)} ms, prepared #{prepared.round(1)} ms"
