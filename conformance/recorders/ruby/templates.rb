#!/usr/bin/env ruby
# frozen_string_literal: true

# Renders ERB templates of a folder as Puppet does, with made-up variables, and records what MRI says.
#
#     ruby conformance/recorders/ruby/templates.rb FOLDER > templates.jsonl
#
# Each line is an object: `path`, `template`, `variables` (by name), and `text` or `error` (the class). Templates of public
# repositories are not committed; `crates/ruby/examples/run.rs --templates FILE` replays the answers.

require 'timeout'

require_relative 'wrapper'

# A variable of which nothing is known gets a value that its uses allow.
def invent(name, template)
  at = Regexp.escape("@#{name}")
  case template
  when /#{at}\.(?:sort\.)?(?:each|map|collect|select)\w*(?:\s*do|\s*\{)\s*\|\s*\(?\w+\s*,\s*\w+/, /#{at}\.(?:each_pair|keys|values|key\?|has_key\?|to_a|sort_by)/, /#{at}\[['":]/
    { 'alpha' => 'one', 'beta' => '2' }
  when /#{at}\.(?:sort|each|map|join|flatten|uniq|first|include\?|select|reject|collect|length|size|empty)/, /#{at}\[\d/
    %w[b a c]
  when /#{at}(?:\.to_i)?\s*[-+*\/<>]/
    42
  when /(?:if|unless|elsif|and|or|&&|\|\|)\s+!?#{at}\b/
    name.size.even?
  else
    "value of #{name}"
  end
end

Dir.glob(File.join(ARGV.fetch(0), '**', '*.erb')).sort.each do |path|
  template = File.read(path, encoding: 'UTF-8')
  next unless template.valid_encoding?
  variables = template.scan(/@([a-z_]\w*)/).flatten.uniq.to_h { |name| [name, invent(name, template)] }
  wrapper = Wrapper.new
  JSON.parse(JSON.generate(variables)).each { |name, value| wrapper.instance_variable_set("@#{name}", value) }
  record = { path: path, template: template, variables: variables }
  begin
    $stderr = File.open(File::NULL, 'w')
    record[:text] = Timeout.timeout(5) { wrapper.render(template) }
  rescue Exception => e
    record[:error] = e.class.name
    record[:message] = e.message.to_s[0, 200]
    record[:line] = e.backtrace.to_a.first.to_s[/:(\d+):/, 1].to_i
  end
  puts JSON.generate(record)
end
