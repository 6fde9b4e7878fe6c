#!/usr/bin/env ruby
# frozen_string_literal: true

# Writes random templates, and records how MRI renders them.
#
#     ruby conformance/recorders/ruby/random_templates.rb > conformance/ruby/templates.jsonl

require 'erb'
require 'json'

RANDOM = Random.new(31)
VARIABLES = { 'name' => 'web01', 'port' => 8080, 'list' => %w[b a c], 'hash' => { 'x' => '1', 'y' => [1, 2] }, 'flag' => true, 'none' => nil,
              'text' => "two\nlines", 'empty' => [] }.freeze
TEXTS = ['plain ', "line\n", "\n", '  indented ', "\t", '"quoted" #{no} ', "\\n \\ ", "%% %> ", '<%% literal ', 'é ', "# comment\n", "a = b\n", "% percent\n"].freeze
VALUES = ['@name', '@port + 1', '@list.join(", ")', '@list.sort.first', '@hash["x"]', '@hash.map { |k, v| "#{k}=#{v}" }.join(" ")', '@none', '@none.inspect', '@text',
          '@port.to_s(16)', '"%05d" % @port', '@list.map(&:upcase).inspect', '@name.sub(/\d+/) { |d| d.to_i.succ.to_s }', '@flag ? "yes" : "no"', '@hash.keys.sort.inspect',
          '@list.include?("a")', '@name[0, 3]', '@undefined.inspect', '@list.each_slice(2).to_a.inspect', '@name.length', '@text.lines.map(&:chomp).inspect',
          '@hash.to_a.flatten.inspect', '[1, 2.5, nil, :a].inspect', '@nope.foo', '@port / 0', 'unknown', '@list.fetch(9)', '@hash.fetch("q")', 'Integer("x")', 'raise "told"'].freeze
CONDITIONS = ['@flag', '!@flag', '@none', '@list.empty?', '@port > 80', '@name =~ /web/', '@hash.key?("x") && @flag', 'defined?(@nope)', '@name == "web01"'].freeze
LOOPS = [['@list.each do |x|', 'x'], ['@list.sort.each_with_index do |x, i|', '"#{i}:#{x}"'], ['@hash.each do |k, v|', '"#{k} #{v}"'], ['@hash.sort.each { |k, v|', 'k', '}'],
         ['3.times do |n|', 'n * 2'], ['[*@list].flatten.each do |x|', 'x.upcase'], ['for x in @list', 'x']].freeze

def pick(list)
  list[RANDOM.rand(list.size)]
end

def open_tag
  RANDOM.rand(3).zero? ? '<%-' : '<%'
end

def close_tag
  RANDOM.rand(2).zero? ? "-%>\n" : ['%>', "%>\n", '-%>'][RANDOM.rand(3)]
end

def body(depth)
  (0..RANDOM.rand(4)).map do
    case RANDOM.rand(depth.zero? ? 4 : 7)
    when 0, 1 then pick(TEXTS)
    when 2 then "<%= #{pick(VALUES)} #{close_tag}"
    when 3 then ["<%# a comment #{close_tag}", "<% # hidden #{close_tag}", "<%#- dashed -%>\n", "<% y = 1; z = y + 1 #{close_tag}<%= z %>"][RANDOM.rand(4)]
    when 4 then "#{open_tag} if #{pick(CONDITIONS)} #{close_tag}#{body(depth - 1)}#{open_tag} else #{close_tag}#{body(depth - 1)}#{open_tag} end #{close_tag}"
    when 5
      head, value, tail = pick(LOOPS)
      "  #{open_tag} #{head} #{close_tag}#{body(depth - 1)}<%= #{value} %>\n#{open_tag} #{tail || 'end'} #{close_tag}"
    else "#{open_tag} unless #{pick(CONDITIONS)} #{close_tag}#{body(depth - 1)}#{open_tag} end #{close_tag}"
    end
  end.join
end

class Wrapper
  def render(template)
    eval(ERB.new(template, trim_mode: '-').src, binding, 'x.erb', 0)
  end
end

count = 0
seen = {}
while count < 1_100
  template = body(2)
  next if seen[template]
  seen[template] = true
  wrapper = Wrapper.new
  JSON.parse(JSON.generate(VARIABLES)).each { |name, value| wrapper.instance_variable_set("@#{name}", value) }
  record = { template: template, variables: VARIABLES }
  begin
    $stderr = File.open(File::NULL, 'w')
    record[:text] = wrapper.render(template)
  rescue SyntaxError
    record[:error] = 'SyntaxError'
    record[:line] = 0
  rescue StandardError => e
    record[:error] = e.class.name
    record[:line] = e.backtrace.grep(/\Ax\.erb/).first[/:(\d+):/, 1].to_i
  end
  puts JSON.generate(record)
  count += 1
end
