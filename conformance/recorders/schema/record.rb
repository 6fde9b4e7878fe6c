#!/usr/bin/env ruby
# frozen_string_literal: true

# Writes conformance/schema/cases.jsonl: random values of random types, and for each value what the reference's type check, the validator
# `jsonschema` of Python and the validator `ajv` of npm say of it. The validators read the schema that `hieratic schema` writes.
#
#   HIERATIC=target/debug/hieratic AJV=FOLDER/node_modules ruby conformance/recorders/schema/record.rb > conformance/schema/cases.jsonl
#
# TYPES and SEED choose how many types there are, and which.

require 'fileutils'
require 'json'
require 'open3'
require 'puppet'
require 'puppet_pal'
require 'tmpdir'

TYPES = (ENV['TYPES'] || 1100).to_i
VALUES = 10
HERE = __dir__
HIERATIC = ENV['HIERATIC'] || 'hieratic'

NAMED_TYPES = {
  'T::Port' => 'Integer[1, 65535]',
  'T::Name' => 'Pattern[/\A[a-z][a-z0-9_]*\z/]',
  'T::Host' => 'Variant[T::Name, Struct[{name => T::Name, Optional[port] => T::Port}]]',
  'T::Tree' => 'Variant[Integer, Array[T::Tree]]',
  'T::Map' => 'Hash[String[1], Variant[String, Boolean, T::Map]]',
  'T::Mode' => 'Enum[file, directory, "link"]'
}.freeze
COMMON = %w[Any Undef Scalar ScalarData Numeric Integer String Boolean Data Collection Array Hash Struct Tuple Enum Pattern Optional NotUndef
            Iterable Boolean[true] Boolean[false] RichData].freeze
# What JSON Schema cannot say, or what no file can contain.
RARE = %w[Float Regexp Sensitive Timestamp Timespan SemVer Type Callable Init Default URI Iterable[Integer] Init[Integer] Type[Integer]
          Catalogentry].freeze
PATTERNS = ['^a', 'a$', '\Ab', 'b\z', 'a\Z', 'a.b', '[a-b]+', '(?i:a)b?', '[^a]', '(?i)[a-b]{2}', '\w\s', '\.', 'a|b', '(ab)*c',
            '\Aa{2}\z', '[.a-]', '(?m:a.b)', '(?=a)\S', 'a\/b', '(a)\1', '[[:alpha:]]', '\h{2,}?', '\A[^@\s]+@[a-z.]+\z', '\A\/', '\d+',
            '\A(?!a)', '(?<year>\d{4})', '\p{Lu}', '[\w-]+', '\Bb', '\bab\b', '(?x: a b )', 'é', '[[a-c]&&[b-d]]', '(?>a+)b', 'a*+b',
            '\x41', '\u00e9', '[^\n]+', '\n', '\t?a', '\s*\z', '(?:a|b){1,2}', '\A.{3}\z', '\A[\]\[]', '(?<!a)b', '(?<=a)b', '\R', '\X'].freeze
STRINGS = ['', 'a', 'b', 'ab', 'aab', 'abc', 'A', 'AB', 'a.b', "a\nb", "a\n", "\na", "b\na", 'a b', '.', '/', '/etc', 'a/b', '1', '12', '80',
           '1.5', 'true', 'x@e.org', 'name', 'file', 'link', 'é', 'É', '😀', '😀😀', 'ß', '2024', 'ab ba', '-', '[', 'ſ', 'K', "\t", ' ',
           "a\r\n", '1e3', '0x10', 'undef', 'web_01', 'https://e.com', "\u2028", "a\u00a0b", 'aabb', 'cab'].freeze

R = Random.new((ENV['SEED'] || 22).to_i)

def pick(list) = list[R.rand(list.length)]
def some(least, most, &block) = Array.new(R.rand(least..most), &block)

# The limits of a size, as a type writes them.
def size(most) = [least = R.rand(0..most), R.rand(3).zero? ? nil : least + R.rand(0..most)]
def written(size) = size.map { |limit| limit.nil? ? 'default' : limit.to_s }.join(', ')

# A random type: what it is and how it is written.
def kind(depth)
  return leaf if depth.zero? || R.rand(3).zero?

  inner = -> { kind(depth - 1) }
  case R.rand(13)
  when 0
    of, limits = inner.call, size(3)
    [:array, of, limits, "Array[#{of.last}, #{written(limits)}]"]
  when 1
    of = inner.call
    [:array, of, [0, nil], "Array[#{of.last}]"]
  when 2
    key, of, limits = pick([[:string, 'String'], [:string, 'String[1]'], [:enum, %w[a b], 'Enum[a, b]'], [:string, 'Pattern[/a/]'], [:integer, [0, 9], 'Integer'],
                            [:plain, 'Any'], [:string, 'T::Name'], [:string, 'Variant[Enum[a], String[3]]'], [:plain, 'Scalar']]), inner.call, size(2)
    [:hash, key, of, limits, "Hash[#{key.last}, #{of.last}, #{written(limits)}]"]
  when 3
    of = inner.call
    [:hash, [:string, 'String'], of, [0, nil], "Hash[String, #{of.last}]"]
  when 4
    of = inner.call
    [:optional, of, "Optional[#{of.last}]"]
  when 5
    of = inner.call
    [:same, of, "NotUndef[#{of.last}]"]
  when 6
    all = some(1, 3) { inner.call }
    [:tuple, all, [all.length, all.length], "Tuple[#{all.map(&:last).join(', ')}]"]
  when 7
    all, limits = some(1, 3) { inner.call }, size(3)
    [:tuple, all, limits, "Tuple[#{all.map(&:last).join(', ')}, #{written(limits)}]"]
  when 8, 9
    all = some(1, 4) { inner.call }
    [:variant, all, "Variant[#{all.map(&:last).join(', ')}]"]
  when 10, 11
    names = %w[a b c d name].sample(R.rand(1..4), random: R)
    all = names.to_h { |name| [name, [pick(['', '', 'Optional', 'NotUndef']), inner.call]] }
    text = all.map { |name, (mark, of)| "#{mark.empty? ? name : "#{mark}[#{name}]"} => #{of.last}" }.join(', ')
    [:struct, all, "Struct[{#{text}}]"]
  else
    of = inner.call
    R.rand(6).zero? ? [:plain, "Sensitive[#{of.last}]"] : [:array, of, [1, nil], "Array[#{of.last}, 1]"]
  end
end

def leaf
  case R.rand(10)
  when 0, 1 then [:plain, pick(R.rand(10).zero? ? RARE : COMMON)]
  when 2
    from = R.rand(-3..4)
    limits = pick([[from, from + R.rand(0..5)], [from, nil], [nil, from], [0, 2**40], [-(2**62), 2**62]])
    [:integer, limits, "Integer[#{written(limits)}]"]
  when 3
    return [:plain, 'Numeric'] unless R.rand(4).zero?

    from = R.rand(-3..4) + pick([0.0, 0.5])
    limits = pick([[from, from + R.rand(0..5)], [from, nil]])
    [:float, limits, "Float[#{written(limits)}]"]
  when 4
    limits = size(3)
    [:string, "String[#{written(limits)}]"]
  when 5
    names = STRINGS.reject { |text| text.match?(/[\n\r]/) }.sample(R.rand(1..3), random: R)
    insensitive = R.rand(4).zero?
    [:enum, names, "Enum[#{names.map { |name| "'#{name}'" }.join(', ')}#{', true' if insensitive}]"]
  when 6, 7
    [:string, "Pattern[#{some(1, 2) { "/#{pick(PATTERNS)}/" }.join(', ')}]"]
  else
    name = pick(NAMED_TYPES.keys)
    [:alias, name, name]
  end
end

# Anything that JSON has.
def anything(depth = 2)
  case R.rand(depth.zero? ? 7 : 10)
  when 0 then nil
  when 1 then R.rand(2).zero?
  when 2 then R.rand(-5..10)
  when 3 then pick([65_535, 65_536, 2**40, 1.0, -0.5, 0.25, 2.5, 1.5e300, 3.0])
  when 4, 5, 6 then pick(STRINGS)
  when 7 then some(0, 3) { anything(depth - 1) }
  else some(0, 3) { [pick(%w[a b c d name port] + STRINGS), anything(depth - 1)] }.to_h
  end
end

# A value that mostly is of a type.
def value(kind, depth = 4)
  return anything(1) if depth.zero? || R.rand(12).zero?

  less = depth - 1
  case kind.first
  when :array then some(*bounds(kind[2])) { value(kind[1], less) }
  when :hash then some(*bounds(kind[3])) { [value(kind[1], less).to_s, value(kind[2], less)] }.to_h
  when :optional then R.rand(4).zero? ? nil : value(kind[1], less)
  when :same then value(kind[1], less)
  when :tuple then Array.new(R.rand(Range.new(*bounds(kind[2])))) { |at| value(kind[1][at] || kind[1].last, less) }
  when :variant then value(pick(kind[1]), less)
  when :struct
    kind[1].reject { |_, (mark, _)| mark == 'Optional' && R.rand(2).zero? }.transform_values { |(_, of)| value(of, less) }
  when :integer then R.rand((kind[1][0] || -9).clamp(-9, 9)..((kind[1][1] || 9).clamp(-8, 70_000) + 1))
  when :float then (kind[1][0] || 0.0) + R.rand(-1..4) * 0.5
  when :enum then pick([kind[1], kind[1].map(&:swapcase)].sample(random: R))
  when :string then pick(STRINGS)
  when :alias then of_alias(kind[1])
  else of_plain(kind[1])
  end
end

def bounds(size)
  least = [size[0] - (R.rand(6).zero? ? 1 : 0), 0].max
  [least, [size[1] || least + 2, least].max.clamp(least, least + 3)]
end

def of_alias(name)
  case name
  when 'T::Port' then pick([1, 80, 65_535, 65_536, 0, '80'])
  when 'T::Tree' then pick([1, [], [1, [2]], [[1], ['a']], [[[]]]])
  when 'T::Map' then pick([{}, { 'a' => 'b' }, { 'a' => { 'b' => true } }, { 'a' => { 'b' => 1 } }, { '' => 'x' }])
  when 'T::Host' then pick(['web_01', { 'name' => 'a' }, { 'name' => 'a', 'port' => 0 }, { 'port' => 80 }, { 'name' => 'a', 'x' => 1 }, 'A'])
  else pick(STRINGS)
  end
end

def of_plain(name)
  case name[/\A\w+/]
  when 'Integer' then R.rand(-9..9)
  when 'Float', 'Numeric' then pick([1, 0.5, 2.0, -3.25])
  when 'Boolean' then R.rand(2).zero?
  when 'String', 'Scalar', 'ScalarData' then pick(STRINGS)
  when 'Array', 'Tuple', 'Collection', 'Iterable' then some(0, 2) { anything(1) }
  when 'Hash', 'Struct' then some(0, 2) { [pick(STRINGS), anything(1)] }.to_h
  else anything(2)
  end
end

# What a file must not have at its top is left to other tests: null lets the default count.
def values(kind)
  Array.new(VALUES * 3) { value(kind) }.reject(&:nil?).uniq.first(VALUES)
end

def answers(command, input)
  output, status = Open3.capture2(*command, stdin_data: JSON.generate(input))
  abort "#{command.first} fails" unless status.success?
  JSON.parse(output)
end

def bits(list) = list.map { |one| one ? '1' : '0' }.join

Dir.mktmpdir do |folder|
  Puppet.initialize_settings(['--confdir', folder, '--vardir', folder, '--log_level', 'crit'])
  root = File.join(folder, 'environment')
  FileUtils.mkdir_p([File.join(root, 'modules/t/types'), File.join(root, 'modules/c/manifests'), File.join(root, 'data')])
  NAMED_TYPES.each { |name, text| File.write(File.join(root, "modules/t/types/#{name.split('::').last.downcase}.pp"), "type #{name} = #{text}\n") }
  File.write(File.join(root, 'hiera.yaml'), "version: 5\n")
  cases = []
  Puppet::Pal.in_environment('schema', env_dir: root, facts: {}) do |context|
    context.with_script_compiler do |compiler|
      known = {}
      while cases.length < TYPES
        one = kind(3)
        next if known[one.last] || one.last.length > 300

        known[one.last] = true
        begin
          type = compiler.type(one.last)
        rescue StandardError
          next
        end
        all = values(one)
        cases << { type: one.last, values: all, reference: bits(all.map { |value| type.instance?(value) }) } unless all.empty?
      end
    end
  end
  parameters = cases.each_with_index.map { |one, index| "  #{one[:type]} $p#{index},\n" }
  File.write(File.join(root, 'modules/c/manifests/init.pp'), "class c (\n#{parameters.join})\n{ }\n")
  schema = answers([HIERATIC, 'schema', '--environment-dir', root], {})
  properties = cases.each_index.map { |index| schema['properties']["c::p#{index}"] }
  # A validator sees a file with one key.
  files = cases.each_with_index.map { |one, index| one[:values].map { |value| { "c::p#{index}" => value } } }
  input = { schema: schema, files: files }
  python = answers(['python3', File.join(HERE, 'validate.py')], input)
  ajv = answers(['node', File.join(HERE, 'validate.mjs')], input)
  puts JSON.generate({ aliases: NAMED_TYPES, definitions: schema['definitions'] })
  cases.each_with_index do |one, index|
    puts JSON.generate(one.merge(schema: properties[index], jsonschema: bits(python[index]), ajv: bits(ajv[index])))
  end
end
