#!/usr/bin/env ruby
# frozen_string_literal: true

# Writes conformance/promises/cases.jsonl: random data with random promises, and for which nodes each promise is broken. Every value is
# looked up by the reference, and functions run in it; what the short forms require is written again here, in Ruby.
#
#   ruby conformance/recorders/promises/record.rb > conformance/promises/cases.jsonl

require 'fileutils'
require 'json'
require 'puppet'
require 'puppet_pal'
require 'tmpdir'
require 'yaml'

CASES = (ENV['CASES'] || 120).to_i
HIERA = <<~YAML
  version: 5
  hierarchy:
    - {name: Node, path: 'nodes/%{facts.node}.yaml'}
    - {name: Role, path: 'roles/%{facts.role}.yaml'}
    - {name: Common, path: common.yaml}
YAML
NODES = {
  'db01' => { 'node' => 'db01', 'role' => 'db', 'site' => 'x' },
  'web01' => { 'node' => 'web01', 'role' => 'web', 'site' => 'x' },
  'web02' => { 'node' => 'web02', 'role' => 'web', 'site' => 'y' }
}.freeze
KEYS = %w[a b c].freeze
VALUES = [
  0, 1, 2, 80, 65_536, -1, 1.5, 'x', 'latest', '1.2.3', '', 'https://e.com', true, [1, 2], [2, 3], %w[x y], [], { 'x' => 1 },
  '%{facts.role}', '%{facts.site}', "%{lookup('c')}", { 'x' => 'latest', 'y' => ['1.2.3'] }
].freeze
TYPES = ['Integer[1, 65535]', 'String[1]', 'Array[Integer]', 'Variant[Integer, Boolean]', 'Hash', 'Numeric', 'Enum[x, web]',
         'Pattern[/\Ahttps:/]', 'Optional[Boolean]', 'Scalar'].freeze
PATTERNS = ['\A\d+\.\d+\.\d+\z', 'x', '(?i)\ALATEST\z', 'w.b'].freeze
BODIES = [
  "$v = lookup('KEY', Any, undef, undef)\n  if $v =~ Integer and $v > 1 { \"more than 1: ${v}\" } else { true }",
  "lookup('KEY', Any, undef, undef) !~ Undef",
  "$v = lookup('KEY', Any, undef, [])\n  if $v =~ Array { $v.filter |$e| { $e =~ String }.map |$e| { \"${e} is a string\" } } else { [] }",
  "if $facts['role'] == 'web' and lookup('KEY', Any, undef, 1) == lookup('OTHER', Any, undef, 2) {\n    { message => 'both are the same' }\n  }",
  "$n = [lookup('KEY', Any, undef, 0), lookup('OTHER', Any, undef, 0)].filter |$e| { $e =~ Numeric }\n  if $n.reduce(0) |$s, $e| { $s + $e } > 80 { 'too much' }",
  "helper(lookup('KEY', Any, undef, 'none'))"
].freeze
HELPER = "function helper($v) {\n  if $v =~ String and $v =~ /late|none/ { [\"bad: ${v}\"] }\n}\n"

MISSING = Object.new.freeze

def form(random)
  word = %w[type range one_of matches not_matches required forbidden equal unique sum].sample(random: random)
  by = random.rand < 0.5 ? { 'by' => 'facts.site' } : nil
  said = case word
         when 'type' then TYPES.sample(random: random)
         when 'range' then [[1, 80], [nil, 2], [1, nil]].sample(random: random)
         when 'one_of' then VALUES.sample(3, random: random).reject { |value| value.to_s.include?('%') }
         when 'matches', 'not_matches' then PATTERNS.sample(random: random)
         when 'sum' then { 'most' => 80 }.merge(by || {})
         when 'equal', 'unique' then by || true
         else true
         end
  form = { 'key' => KEYS.sample(random: random), word => said }
  form['where'] = "facts.role == 'web'" if random.rand < 0.3
  form
end

def strings(value)
  case value
  when String then [value]
  when Array then value.flat_map { |element| strings(element) }
  when Hash then value.flat_map { |name, element| strings(name) + strings(element) }
  else []
  end
end

def in_range?(value, least, most)
  return value.all? { |element| in_range?(element, least, most) } if value.is_a?(Array)

  value.is_a?(Numeric) && (least.nil? || value >= least) && (most.nil? || value <= most)
end

# Whether the value of one node keeps a form.
def kept?(form, value)
  return !form.key?('required') if value.equal?(MISSING)
  return false if form.key?('forbidden')
  return Puppet::Pops::Types::TypeParser.singleton.parse(form['type']).instance?(value) if form.key?('type')
  return in_range?(value, *form['range']) if form.key?('range')
  return form['one_of'].include?(value) if form.key?('one_of')
  return strings(value).all? { |text| text.match?(form['matches']) } if form.key?('matches')
  return strings(value).none? { |text| text.match?(form['not_matches']) } if form.key?('not_matches')

  true
end

# Whether the values of some nodes keep a form.
def kept_by_all?(form, values)
  if form.key?('equal')
    values.uniq.length < 2
  elsif form.key?('unique')
    sets = values.map { |value| value.is_a?(Array) ? value.uniq : [value] }
    all = sets.flatten(1)
    all.uniq.length == all.length
  else
    values.sum <= form['sum']['most']
  end
end

def broken_form(form, answers)
  meant = NODES.keys.select { |node| !form.key?('where') || NODES[node]['role'] == 'web' }
  word = %w[equal unique sum].find { |across| form.key?(across) }
  return meant.reject { |node| kept?(form, answers[node][form['key']]) } unless word

  by = form[word].is_a?(Hash) && form[word]['by']
  groups = meant.group_by { |node| by ? NODES[node]['site'] : nil }.values
  values = groups.map { |group| group.map { |node| answers[node][form['key']] }.reject { |value| value.equal?(MISSING) } }
  # What is no number is judged by the other promises.
  return nil if word == 'sum' && !values.flatten(1).all? { |value| value.is_a?(Numeric) }

  values.all? { |group| kept_by_all?(form, group) } ? [] : ['some']
end

# The words in which an answer of a function says what is wrong.
def complaints(answer)
  case answer
  when nil, true, '', [] then []
  when false then [nil]
  when String then [answer]
  when Hash then [answer['message']]
  when Array then answer.flat_map { |one| complaints(one) }
  end
end

def in_reference(folder, node)
  Puppet::Pal.in_environment('promises', env_dir: folder, facts: NODES[node].dup, variables: {}) do |context|
    context.with_script_compiler { |compiler| return yield(compiler) }
  end
end

def record(folder, random)
  data = { 'data/common.yaml' => 3, 'data/roles/web.yaml' => 2, 'data/nodes/web02.yaml' => 1 }.to_h do |file, most|
    [file, KEYS.sample(random.rand(most + 1), random: random).to_h { |key| [key, VALUES.sample(random: random)] }]
  end
  # No lookup leads back to itself.
  data.each_value { |keys| keys['c'] = 'x' if keys['c'].to_s.include?('lookup') }
  forms = (1..3).to_h { |number| ["form #{number}", form(random)] }
  functions = (1..2).to_h do |number|
    key, other = KEYS.sample(2, random: random)
    ["function_#{number}", BODIES.sample(random: random).gsub('KEY', key).gsub('OTHER', other)]
  end
  code = HELPER + functions.map { |name, body| "function #{name}() {\n  #{body}\n}\n" }.join
  files = data.transform_values { |keys| keys.empty? ? "--- {}\n" : keys.to_yaml }
  FileUtils.rm_rf(folder)
  files.merge('hiera.yaml' => HIERA).each do |file, text|
    FileUtils.mkdir_p(File.dirname(File.join(folder, file)))
    File.write(File.join(folder, file), text)
  end
  answers = {}
  broken = Hash.new { |hash, name| hash[name] = [] }
  NODES.each_key do |node|
    in_reference(folder, node) do |compiler|
      answers[node] = KEYS.to_h do |key|
        found = compiler.call_function('lookup', key, nil, nil, 'no such value')
        [key, found == 'no such value' ? MISSING : found]
      end
      compiler.evaluate_string(code)
      functions.each_key do |name|
        complaints(compiler.evaluate_string("#{name}()")).each { |message| broken[name] << [node, message] }
      end
    end
  end
  forms.reject! { |_, form| broken_form(form, answers).nil? }
  forms.each { |name, form| broken_form(form, answers).each { |node| broken[name] << [node, nil] } }
  { files: files, promises: { 'promises/forms.yaml' => forms.to_yaml, 'promises/functions.pp' => code }, broken: broken }
end

Dir.mktmpdir do |folder|
  Puppet.initialize_settings(['--confdir', folder, '--vardir', folder, '--log_level', 'crit'])
  random = Random.new(22)
  CASES.times { puts JSON.generate(record(File.join(folder, 'promises'), random)) }
end
