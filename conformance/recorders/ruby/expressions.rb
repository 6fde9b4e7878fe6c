#!/usr/bin/env ruby
# frozen_string_literal: true

# Records what MRI says to expressions: those of expressions.txt, and calls of core methods with random arguments.
#
#     ruby conformance/recorders/ruby/expressions.rb > conformance/ruby/expressions.jsonl
#
# Each line is an array: the source, and what it is worth (`=> inspect`) or the exception (`!! Class: message`).

require 'json'
require 'set'
require 'timeout'
require 'yaml'
require 'ipaddr'
require 'uri'
require 'base64'
require 'digest'
require 'shellwords'
require 'ostruct'

RANDOM = Random.new(20_261)

def pick(list)
  list[RANDOM.rand(list.size)]
end

STRINGS = ['"hello world"', '""', '"a,b,,c,,"', '"  padded \t\n"', '"ÄÖü straße"', '"12abc"', '"-3.75e2x"', '"CamelCase_and-dash"',
           '"line one\nline two\n\nline four"', '"az"', '"Zz9"', '"a9"', '"x" * 5', '"%05.2f|%-6s|"', '"tab\tand \"quotes\" #{1 + 1}"', '"0x1f"', '"a.b.c"'].freeze
INTEGERS = %w[0 1 -1 7 -7 10 42 255 1000 -1000 123456789 2**64 -(2**70)].freeze
FLOATS = %w[0.0 1.5 -2.5 3.14159 1e20 1e-7 0.1 2.675 -0.5 100.0 1e16 123456.789].freeze
ARRAYS = ['[]', '[1, 2, 3]', '[3, 1, 2, 1]', '["b", "a", "c"]', '[nil, false, 1]', '[[1, 2], [3, [4]]]', '[1, 2.5, -3]', '%w[x yy zzz]', '[:a, :b]',
          '[[1, :a], [2, :b]]', '(1..7).to_a', '[{"k" => 1}, {"k" => 2}]'].freeze
HASHES = ['{}', '{a: 1, b: 2}', '{"x" => 1, "y" => [2, 3]}', '{1 => "one", nil => 2, "s" => :t}', '{b: 2, a: 1, c: nil}', '{"n" => {"m" => {"o" => 1}}}'].freeze
RANGES = ['(1..5)', '(1...5)', '("a".."e")', '(0..)', '(1.5..3)', '(5..1)', '(-3..-1)'].freeze
SYMBOLS = [':abc', ':"with space"', ':a?', ':b=', ':+', ':Ab'].freeze
REGEXPS = ['/l+/', '/(\w)(\d)/', '/[aeiou]/i', '/,/', '/(?<first>\w+)\s(?<second>\w+)/', '/\s+/', '/^/', '/b*/'].freeze
BLOCKS = ['{ |x| x }', '{ |x| x.to_s }', '{ |x| x.nil? }', '{ |a, b| [b, a] }', '{ |x| x.inspect.size }', '{ |x, y| (x.to_s <=> y.to_s) }', '(&:to_s)', '{ |*x| x }',
          '{ |x| x.to_s > "b" }'].freeze
ANY = (STRINGS + INTEGERS + FLOATS + ARRAYS + HASHES + SYMBOLS + ['nil', 'true']).freeze

METHODS = {
  STRINGS => {
    %w[upcase downcase capitalize swapcase reverse strip lstrip rstrip chomp chop length size bytesize inspect to_i to_f to_sym hash.class succ chars bytes lines
       hex oct ord empty? to_s dump.class squeeze split each_char.to_a intern frozen? codepoints sum unpack("a*") encoding.to_s valid_encoding? ascii_only?] => [],
    %w[+ == <=> === include? start_with? end_with? index rindex split partition rpartition delete count squeeze chomp casecmp casecmp? delete_prefix delete_suffix eql? =~.class] => [STRINGS],
    %w[* [] center ljust rjust slice to_i] => [%w[0 1 2 3 -2 10 40]],
    %w[[] slice ljust center] => [%w[0 1 3 -4], %w[2 0 5]],
    %w[tr gsub sub tr_s] => [STRINGS, STRINGS],
    %w[split scan sub.class match? [] index partition =~ rindex] => [REGEXPS],
    %w[gsub sub] => [REGEXPS, ['"<\\\\0>"', '"\\\\1-\\\\2"', '""', '{"l" => "L"}']],
    %w[each_char.map gsub(/[aeo]/) each_line.map] => :block,
    %w[%] => [['[1, "x"]', '3.14159', '["a"]', '[2.5, :s, 9]']],
    %w[[] slice] => [['1..3', '-3..-1', '2..', '...2', '"l"', '10..12']],
    %w[insert] => [%w[0 2 -1], STRINGS],
  },
  INTEGERS => {
    %w[to_s inspect to_f abs succ pred even? odd? zero? -@ ~ digits bit_length to_i chr hash.class integer? positive? negative? ceil floor round size.class] => [],
    %w[+ - * / % ** <=> == < >= & | ^ div modulo divmod fdiv gcd lcm remainder between?(1,) .eql? coerce] => [INTEGERS],
    %w[+ - * / % <=> == < ** divmod fdiv] => [FLOATS],
    %w[to_s digits round floor ceil truncate << >> []] => [%w[2 8 16 -1 -2 3 36]],
    %w[times.map upto(5).map downto(-2).map] => :block,
    %w[clamp] => [%w[0 5], %w[10 20]],
  },
  FLOATS => {
    %w[to_s inspect to_i round ceil floor truncate abs nan? finite? infinite? -@ zero?] => [],
    %w[+ - * / % <=> == < ** divmod div modulo fdiv] => [INTEGERS + FLOATS],
    %w[round floor ceil truncate] => [%w[0 1 2 3 -1 5]],
  },
  ARRAYS => {
    %w[length first last reverse sort uniq compact flatten inspect to_s to_a empty? min max sum minmax transpose to_h any? all? none? one? shuffle.size rotate join tally
       each_slice(2).to_a each_cons(2).to_a each_with_index.to_a pop shift cycle.first(4) permutation.to_a.size combination(2).to_a product each_entry.to_a] => [],
    %w[+ - & | <=> == concat zip product include? index push unshift delete * join first(2).push dig assoc rassoc count fill eql? intersect?] => [ARRAYS],
    %w[first last take drop [] rotate * sample.class each_slice(3).first delete_at flatten combination insert min max fetch at] => [%w[0 1 2 -1 3 10]],
    %w[[] slice fill(9,) first(2).insert] => [%w[0 1 -2 3], %w[0 1 2]],
    %w[[] slice] => [['0..1', '1..', '-2..-1', '...-1', '5..7', '3..1']],
    %w[map select reject sort_by group_by partition min_by max_by each_with_index.map find find_index take_while drop_while flat_map filter_map sum.class all? any? none? count
       each_with_object([]).class sort uniq sum(0).class inject each_slice(2).map chunk_while slice_when delete_if partition.class zip tally.class cycle(1).class reverse_each.map sort max] => :block,
    %w[inject reduce] => [%w[:+ :* :to_s]],
    %w[pack] => [['"C*"', '"U*"', '"m"', '"a3a3"', '"n*"']],
    %w[values_at] => [%w[0 1 -1], %w[2 5]],
  },
  HASHES => {
    %w[keys values to_a inspect length empty? invert sort_by.class to_s min_by.class first compact any? sum.class sort.class to_h key(1) entries count flatten.class] => [],
    %w[[] key? fetch has_value? dig delete key merge.class values_at assoc default.class slice except fetch_values] => [['"x"', ':a', '1', 'nil', ':zz', '"n"']],
    %w[merge == update <= merge!] => [HASHES],
    %w[map select reject transform_values transform_keys each_with_index.map sort_by min_by group_by partition find any? all? count sum.class each_with_object([]).class flat_map filter_map
       to_h.class reduce each_with_index.to_a.map max_by delete_if find_all sort merge({a:9}) each_slice(2).map zip.class] => :block,
  },
  RANGES => {
    %w[to_a size first last min max inspect to_s sum each_slice(2).to_a exclude_end? step(2).to_a count begin end minmax] => [],
    %w[include? === cover? first(2).include? step] => [%w[1 5 2.5 0 "c"]],
    %w[map select each_with_index.map inject reduce sum.class find reverse_each.map] => :block,
  },
  SYMBOLS => {
    %w[to_s inspect length to_proc.class upcase capitalize succ size empty? to_sym swapcase] => [],
    %w[<=> == [] start_with?.class] => [SYMBOLS + ['0']],
  },
}.freeze

OPERATORS = %w[+ - * / % ** <=> == < >= & | ^ << >> === =~].freeze

def call(receiver, method, arguments)
  return "#{receiver} #{method} #{arguments[0]}" if OPERATORS.include?(method) && arguments.size == 1
  return "#{receiver}[#{arguments.join(', ')}]" if method == '[]' && !arguments.empty?
  return "#{receiver}.#{method.sub('.', '')}(#{arguments.join(', ')})" if method.start_with?('.')
  return "#{receiver}.#{method}" if arguments.empty?
  if method.end_with?(',)')
    return "#{receiver}.#{method[0..-2]} #{arguments.join(', ')})"
  end
  return "#{receiver}.#{method.sub(/\.(\w+)\z/, '')}(#{arguments.join(', ')}).#{$1}" if method =~ /\A\W?\w*[?]?\.(class|size|push|insert)\z/ && $1
  "#{receiver}.#{method}(#{arguments.join(', ')})"
end

def random_expressions(count)
  groups = METHODS.to_a
  seen = Set.new
  attempts = 0
  while seen.size < count && attempts < count * 20
    attempts += 1
    receivers, methods = pick(groups)
    names, pools = pick(methods.to_a)
    receiver = pick(receivers)
    receiver = "(#{receiver})" if receiver =~ /[* ]/ && receiver !~ /\A["\[{(%:]/ || receiver.start_with?('-') || receiver.include?('**') || receiver.include?('" *')
    name = pick(names)
    source =
      if pools == :block
        block = pick(BLOCKS)
        "#{receiver}.#{name}#{block.start_with?('(') ? '' : ' '}#{block}"
      else
        arguments = pools.map { |pool| RANDOM.rand(25).zero? ? pick(ANY) : pick(pool) }
        call(receiver, name, arguments)
      end
    seen << source
  end
  seen.to_a
end

# What cannot be the same twice: addresses, and words that MRI adds for people.
def stable?(text)
  text !~ /0x0000|Did you mean|Enumerator|can't modify|#<Proc|Complex|Rational|\(\d+\/\d+\)|syntax error|compile error|-e:|warning/
end

def answer(source)
  value = Timeout.timeout(2) { Object.new.instance_eval { TOPLEVEL_BINDING.dup.eval(source, 'x.rb') } }
  "=> #{value.inspect}"
rescue SyntaxError, SystemStackError, NoMemoryError, Timeout::Error, NotImplementedError
  nil
rescue StandardError, UncaughtThrowError => e
  "!! #{e.class}: #{e.message.lines.first.to_s.chomp}"
end

$stderr = File.open(File::NULL, 'w')
written = File.read(File.join(__dir__, 'expressions.txt')).split(/^---\n/).map(&:chomp).reject(&:empty?)
(written + random_expressions(Integer(ARGV[0] || 4000))).each do |source|
  recorded = answer(source)
  next if recorded.nil? || recorded.size > 2000 || !recorded.valid_encoding? || !stable?(recorded)
  $stdout.puts JSON.generate([source, recorded])
end
