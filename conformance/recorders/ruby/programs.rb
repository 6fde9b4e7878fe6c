#!/usr/bin/env ruby
# frozen_string_literal: true

# Writes random small programs, and records what MRI says to them: chains of calls, in which each call suits what the one before it
# gave, sequences of changes of a string, array or hash, formats, times, and conversions of text.
#
#     ruby conformance/recorders/ruby/programs.rb > conformance/ruby/programs.jsonl
#
# The lines are those of expressions.rb: the source, and what it is worth (`=> inspect`) or the exception (`!! Class: message`).

require 'json'
require 'set'
require 'time'
require 'timeout'

RANDOM = Random.new(Integer(ARGV[0] || 72))

def pick(list)
  list[RANDOM.rand(list.size)]
end

def some(list, most)
  Array.new(RANDOM.rand(most + 1)) { pick(list) }
end

STRINGS = ['"server01.example.com"', '"key = value # note"', '"10.0.0.1,10.0.0.2;;"', '"Überall\tStraße"', '"  x\n y\n"', '"aAbBcC"', '"%s and %d"', '"/etc/a//b/../c"', '"0755"',
           '""', '"a-b_c.d:e"', '"\u00e9\u4e2d\u{1f600}"', '"yes"', '"1e3"', '"--\n"', '"x=1&y=2&x=3"', '"\\\\back \\"slash\\""'].freeze
SMALL = %w[0 1 2 3 5 -1 -2 7].freeze
NUMBERS = %w[0 1 -1 3 10 42 -17 255 1_000_000 2**40 2**70 0.5 -0.25 3.0 1e3 1e-5 2.5e15 1234.5678].freeze
LISTS = ['[1, 2, 3]', '%w[b a c a]', '[]', '[[1, "a"], [2, "b"]]', '[nil, 1, nil]', '[3, 1.5, -2]', '["x", :y, 1]', '[[3, 1], [2]]', '(1..6).to_a', '[{"n" => 1, "v" => "q"}, {"n" => 2}]',
         '%w[web10 web9 db1]'].freeze
MAPS = ['{"a" => 1, "b" => 2}', '{}', '{a: [1, 2], b: nil}', '{"x" => {"y" => {"z" => 1}}}', '{1 => :one, 2 => :two}', '{"k" => "v", "l" => nil, "m" => false}'].freeze
PATTERNS = ['/[aeiou]/', '/(\d+)/', '/\./', '/(?<key>\w+)\s*=\s*(?<value>\w+)/', '/\s+/', '/^\w/', '/[,;]/', '/x|y/i', '/\z/', '/(.)(.)/', '/[[:upper:]]/', '/[^a-z]+/'].freeze
SYMBOLS = [':a', ':b', ':key', ':"odd one"', ':to_s'].freeze
BLOCKS1 = ['{ |x| x }', '{ |x| x.to_s }', '{ |x| x.to_s.length }', '{ |x| x.nil? }', '{ |x| [x, x] }', '{ |x| x.inspect }', '{ |x| x.to_s =~ /a/ }', '(&:to_s)', '{ _1.to_s }', '{ |x,| x }', '{ |(a, b), c| [a, b, c] }'].freeze
BLOCKS2 = ['{ |a, b| [a, b] }', '{ |a, b| a.to_s + b.to_s }', '{ |a, b| b.to_s <=> a.to_s }', '{ |a| a }', '{ |*a| a }', '{ |a, b = 9| [b, a] }', '{ |k, v| "#{k}=#{v}" }'].freeze

STRING_CALLS = [
  -> { pick(%w[upcase downcase capitalize swapcase reverse strip lstrip rstrip chomp chop length bytes lines chars succ to_i to_f to_sym hex oct dump undump inspect squeeze
               hash.class ord chr scrub unicode_normalize b.inspect each_char.to_a each_line.to_a codepoints crypt("ab").class upto("zz").first(2) sum encoding.name]) },
  -> { "#{pick(%w[split partition rpartition scan match match? index rindex =~ start_with? slice])}(#{pick(PATTERNS)})".sub('=~(', ' =~ (') },
  -> { "#{pick(%w[split partition rpartition scan index include? start_with? end_with? delete_prefix delete_suffix count delete squeeze tr_s("a-c", "*").concat casecmp casecmp? eql? prepend chomp])}(#{pick(STRINGS)})" },
  -> { "#{pick(%w[gsub sub])}(#{pick(PATTERNS)}, #{pick(['"<\\\\0>"', '"\\\\1"', '""', '"-"', '{"a" => "4", "." => ""}', '"\\\\\\\\"', '"\\\\k<key>"'])})" },
  -> { "#{pick(%w[gsub sub])}(#{pick(PATTERNS)}) #{pick(['{ |m| m.upcase }', '{ $&.ord.to_s }', '{ "[#{$1}]" }', '{ $~.pre_match.length }', '{ nil }'])}" },
  -> { "split(#{pick(STRINGS + PATTERNS)}, #{pick(SMALL)})" },
  -> { "#{pick(%w[center ljust rjust])}(#{pick(%w[0 5 12 30])}#{pick(['', ', "*"', ', "ab"'])})" },
  -> { "[#{pick(['0', '-1', '1..', '..2', '2..-2', '1, 3', '-3, 2', '/\w+/', '/(\w)(\w)/, 2', '"a"', '100', '5...-1'])}]" },
  -> { "tr(#{pick(['"a-y", "b-z"', '"^a-z", "-"', '"aeiou", ""', '"a-c", "A-C"', '"\\\\-a", "xy"', '"a-z", "*"'])})" },
  -> { "unpack(#{pick(['"C*"', '"a2 a*"', '"U*"', '"H*"', '"m"', '"n*"', '"B8"', '"A3xA2"', '"Z*"'])})" },
  -> { "unpack1(#{pick(['"N"', '"a3"', '"w"', '"H4"'])})" },
  -> { "* #{pick(%w[0 1 3])}" }, -> { "+ #{pick(STRINGS)}" }, -> { "<=> #{pick(STRINGS)}" }, -> { "to_i(#{pick(%w[2 8 16 36 10])})" },
  -> { "each_with_index.map(&:inspect)" }, -> { "encode(#{pick(['"UTF-8"', '"US-ASCII", undef: :replace', '"ISO-8859-1", invalid: :replace, undef: :replace, replace: "?"', '"UTF-8", universal_newline: true', '"UTF-8", xml: :text'])})" },
  -> { "then { |s| format(\"%-20s|%.3s|%5p\", s, s, s) }" }, -> { "insert(#{pick(SMALL)}, #{pick(STRINGS)})" }, -> { "each_grapheme_cluster.to_a" }, -> { "between?(\"a\", \"m\")" }, -> { "byteslice(#{pick(SMALL)}, 2)" },
].freeze
LIST_CALLS = [
  -> { pick(%w[first last sort uniq compact flatten reverse length sum max min minmax tally to_a inspect join to_h transpose rotate cycle.first(3) each_slice(2).to_a each_cons(2).to_a permutation(2).first(3)
               combination(2).to_a each_with_index.to_a product.length empty? any? all? none? one? each_entry.to_a shuffle.length hash.class sort.reverse lazy.map(&:to_s).first(2) each_with_index.to_h dup freeze.frozen?]) },
  -> { "#{pick(%w[map select reject sort_by group_by partition min_by max_by find find_index count any? all? none? flat_map filter_map each_with_index.map take_while drop_while sum uniq chunk_while(&:==).map slice_when(&:==).map
                  to_h zip([1]).map each_slice(2).map tally.map reverse_each.map delete_if keep_if map! select! reject! index cycle.first(2).map find_all each_entry.map one?])} #{pick(BLOCKS1)}" },
  -> { "#{pick(%w[inject reduce sort max min sort! each_with_object([]) each_cons(2).map each_with_index.select each_with_index.sort_by zip(%w[p q]).each_with_index.map minmax uniq])} #{pick(BLOCKS2)}" },
  -> { "#{pick(%w[+ - & | <=> == concat zip product union difference intersection intersect? include? push unshift delete count index assoc rassoc])}(#{pick(LISTS)})".sub(/\A([-+&|]|<=>|==)\(/, ' \1 (') },
  -> { "#{pick(%w[first last take drop rotate flatten sample.class min max combination(2).first each_slice(2).first fetch at dig values_at delete_at])}(#{pick(SMALL)})" },
  -> { "[#{pick(['0', '-1', '1..', '..-2', '0, 2', '5', '-9', '1...-1', '(0..).step(2)'])}]" },
  -> { "join(#{pick(['","', '", "', '""', 'nil', '"\n"'])})" }, -> { "inject(#{pick(%w[:+ :* :- :<<])})" }, -> { "pack(#{pick(['"C*"', '"U*"', '"n*"', '"a3 a3"', '"N"', '"m0"', '"w*"', '"A2x2A"'])})" },
  -> { "each_with_object({}) { |x, h| h[x] = h.size }" }, -> { "sum(#{pick(['0.0', '""', '[]', '10'])})" }, -> { "fill(#{pick(['0', '0, 1', '9, 1, 2', ':z, 0..1'])})" }, -> { "insert(#{pick(SMALL)}, :new)" },
  -> { "slice!(#{pick(['0', '1..', '-1', '0, 2'])})" }, -> { "bsearch { |x| x.to_s >= \"b\" }" }, -> { "each_slice(2).with_index(1).map { |x, i| [i, x] }" },
].freeze
MAP_CALLS = [
  -> { pick(%w[keys values length to_a inspect invert empty? compact first min_by(&:to_s) sort_by(&:to_s) sum{1} any? flatten to_h entries each_with_index.to_a keys.sort_by(&:to_s) hash.class default dup count]) },
  -> { "#{pick(%w[map select reject min_by max_by sort_by group_by partition find any? all? count flat_map filter_map each_with_index.map sum to_h find_all each_with_object([]) reduce delete_if keep_if filter each_entry.map])} #{pick(BLOCKS2)}" },
  -> { "#{pick(%w[transform_values transform_keys each_value.map each_key.map group_by tally.map])} #{pick(BLOCKS1)}" },
  -> { "#{pick(%w[[] fetch key? dig delete values_at slice except key assoc include? value? fetch_values])}(#{pick(['"a"', ':a', '1', 'nil', '"x"', '"k"'])})".sub('[](', ' [').then { |call| call.start_with?(' [') ? "#{call.strip.chomp(')')}]" : call } },
  -> { "#{pick(%w[merge update == <= > eql?])}(#{pick(MAPS)})".sub(/\A(==|<=|>)\(/, ' \1 (') },
  -> { "merge(#{pick(MAPS)}) { |k, a, b| [k, a, b] }" }, -> { "fetch(#{pick(['"zz", 1', '"zz") { |k| k * 2 }.then(', '"x"'])})".sub('.then()', '') }, -> { "transform_keys(#{pick(['"a" => "A"', '&:to_s', '{1 => 2}'])})" },
  -> { "to_a.transpose" }, -> { "sort { |a, b| b.to_s <=> a.to_s }" }, -> { "dig(\"x\", \"y\"#{pick(['', ', "z"', ', "z", "q"'])})" }, -> { "each_with_index.map { |(k, v), i| [i, k, v] }" }, -> { "filter_map { |k, v| k if v }" },
].freeze
NUMBER_CALLS = [
  -> { pick(%w[to_s to_i to_f abs floor ceil round inspect succ zero? even? digits negative? -@ integer? nan? hash.class chr bit_length to_s(2) truncate numerator finite? to_c.class pred ~]) },
  -> { "#{pick(%w[+ - * / % <=> == < >= & | ^])} #{pick(NUMBERS)}" }, -> { "#{pick(%w[div modulo divmod fdiv gcd lcm remainder coerce eql? equal?])}(#{pick(NUMBERS)})" },
  -> { "#{pick(%w[** << >>])} #{pick(SMALL + %w[0.5 -0.25])}" },
  -> { "#{pick(%w[round floor ceil truncate])}(#{pick(SMALL)})" }, -> { "round(#{pick(SMALL)}, half: #{pick(%w[:even :up :down])})" }, -> { "to_s(#{pick(%w[2 8 16 36])})" }, -> { "clamp(#{pick(['1, 5', '..10', '0..', '-3, 3'])})" },
  -> { "then { |n| format(#{pick(['"%05d"', '"%x"', '"%+.2f"', '"%e"', '"%g"', '"%b"', '"%o"', '"%-8d|"', '"%#x"', '"% d"', '"%c"', '"%s"', '"%010.3f"', '"%.0f"', '"%X"'])}, n) }" }, -> { "step(10, 3).to_a.first(3)" }, -> { "between?(0, 100)" },
].freeze
CALLS = { String => STRING_CALLS, Array => LIST_CALLS, Hash => MAP_CALLS, Integer => NUMBER_CALLS, Float => NUMBER_CALLS,
          Symbol => [-> { pick(%w[to_s inspect length to_proc.call("x") upcase succ size]) }, -> { "<=> #{pick(SYMBOLS)}" }],
          NilClass => [-> { pick(%w[to_a to_s to_i inspect nil? to_h & |]).then { |name| name =~ /\W\z/ && name != 'nil?' ? "#{name} true" : name } }],
          TrueClass => [-> { pick(['& false', '| nil', '^ true', 'to_s', '!', 'inspect']) }], FalseClass => [-> { pick(['& 1', '| 2', '^ true', 'to_s', '!']) }],
          MatchData => [-> { pick(%w[to_a captures names pre_match post_match named_captures to_s begin(0) end(0) values_at(0,1) inspect size offset(0)]) }, -> { "[#{pick(%w[0 1 :key "value" -1])}]" }] }.freeze

def evaluated(source)
  Timeout.timeout(2) { TOPLEVEL_BINDING.dup.eval(source, 'x.rb', 1) }
end

def joined(source, call)
  case call
  when /\A\[/ then "#{source}#{call}"
  when /\A\s*([-+*\/%&|^~!]|<=>|==|=~|<|>)/ then call == '!' ? "!(#{source})" : call == '-@' ? "-(#{source})" : call == '~' ? "~(#{source})" : "(#{source}) #{call.strip}"
  else "#{source}.#{call}"
  end
end

def chain
  source = pick([STRINGS, STRINGS, LISTS, LISTS, MAPS, NUMBERS, SYMBOLS].then { |all| pick(all) })
  source = "(#{source})" if source =~ /\A-|\*/ && source !~ /\A["%\[{]/
  (1 + RANDOM.rand(4)).times do
    value = begin
      evaluated(source)
    rescue StandardError, ScriptError, Timeout::Error
      break
    end
    calls = CALLS.find { |kind, _| kind === value }&.last or break
    source = joined(source, pick(calls).call)
  end
  source
end

STRING_CHANGES = [-> { "s << #{pick(STRINGS)}" }, -> { "s[#{pick(['0', '-1', '1..2', '/\w+/', '"a"', '0, 0', '2..', '99'])}] = #{pick(STRINGS)}" }, -> { "s.#{pick(%w[upcase! downcase! capitalize! strip! chomp! chop! squeeze! reverse! swapcase! succ! clear lstrip!])}" },
                  -> { "s.#{pick(%w[gsub! sub!])}(#{pick(PATTERNS)}, \"_\")" }, -> { "s.insert(#{pick(SMALL)}, \"^\")" }, -> { "s.replace(#{pick(STRINGS)})" }, -> { "s.slice!(#{pick(['0', '/\d+/', '1..', '"a"', '-2, 2'])})" }, -> { 's.tr!("a-f", "A-F")' },
                  -> { "s.delete!(\"aeiou\")" }, -> { "s.prepend(\">\", \"<\")" }, -> { "s += #{pick(STRINGS)}" }, -> { "s.concat(33, \"b\")" }, -> { "s.freeze if s.length > 40" }].freeze
LIST_CHANGES = [-> { "l << #{pick(SMALL + STRINGS)}" }, -> { "l[#{pick(['0', '-1', '5', '1..2', '0, 0', '2, 1', '-9'])}] = #{pick(SMALL + LISTS)}" }, -> { "l.#{pick(%w[pop shift compact! uniq! reverse! flatten! sort! rotate! clear shuffle!.length pop(2) shift(2)])}" },
                -> { "l.push(1, [2])" }, -> { "l.unshift(#{pick(LISTS)})" }, -> { "l.delete(#{pick(SMALL + ['"a"', 'nil'])})" }, -> { "l.delete_at(#{pick(SMALL)})" }, -> { "l.insert(#{pick(SMALL)}, 8, 9)" }, -> { "l.#{pick(%w[map! select! reject! keep_if delete_if sort_by! collect! filter!])} #{pick(BLOCKS1)}" },
                -> { "l.concat(#{pick(LISTS)}, [nil])" }, -> { "l.fill(7, #{pick(SMALL)}, 2)" }, -> { "l.replace(#{pick(LISTS)})" }, -> { 'a, *b = l; l.push(b.length)' }, -> { "l.slice!(#{pick(['0', '1..', '-1', '0, 2'])})" }, -> { "l += #{pick(LISTS)}" }, -> { "l |= #{pick(LISTS)}" }].freeze
MAP_CHANGES = [-> { "h[#{pick(['"a"', ':n', '[1]', 'nil', '2.0', '"new"'])}] = #{pick(SMALL + STRINGS)}" }, -> { "h.delete(#{pick(['"a"', ':a', '1', '"q"'])})" }, -> { "h.#{pick(%w[compact! shift clear rehash.length compare_by_identity.length])}" }, -> { "h.#{pick(%w[merge! update])}(#{pick(MAPS)}) { |k, a, b| b }" },
               -> { "h.#{pick(%w[select! reject! keep_if delete_if filter!])} { |k, v| v }" }, -> { "h.#{pick(%w[transform_values! transform_keys!])}(&:to_s)" }, -> { 'h.default = 5' }, -> { 'h[:missing] ||= []' }, -> { 'h.store("s", h.size)' }, -> { 'h.each { |k, v| h[k] = [v] }' }, -> { 'h.sort_by { |k, v| k.to_s }.each { |k, v| h.delete(k); h[k] = v }' },
               -> { 'h.default_proc = proc { |x, k| x[k] = k.to_s * 2 }; h["zz"]' }, -> { "h.replace(#{pick(MAPS)})" }].freeze

def changes
  name, start, all = pick([['s', "+#{pick(STRINGS)}", STRING_CHANGES], ['l', pick(LISTS), LIST_CHANGES], ['h', pick(MAPS), MAP_CHANGES]])
  steps = Array.new(1 + RANDOM.rand(4)) { pick(all).call }
  last = steps.pop
  "#{name} = #{start}; #{steps.map { |step| "#{step}; " }.join}r = (#{last}); [#{name}, r]"
end

def formatted
  flags = some(['-', '0', '+', ' ', '#'], 2).uniq.join
  directive = "%#{flags}#{pick(['', '', '5', '12', '*'])}#{pick(['', '', '.0', '.2', '.8', '.*'])}#{pick(%w[d i u f e E g G x X o b B s p c a %]).sub('a', 's')}"
  arguments = directive.count('*').times.map { pick(%w[3 8 -6]) } + [pick(NUMBERS + STRINGS + ['nil', ':sym', '[1, nil]'])]
  return "format(#{pick(['"%<a>05.1f|%{b}"', '"%-10<a>s|%{b}"', '"%<b>p %%"', '"%{a}%{c}"'])}, a: #{pick(NUMBERS)}, b: #{pick(STRINGS)})" if RANDOM.rand(6).zero?
  return "format(\"%2$s %1$s|%1$05d\", #{pick(SMALL)}, #{pick(STRINGS)})" if RANDOM.rand(20).zero?
  "format(\"[#{directive}]\", #{arguments.join(', ')})"
end

TIMES = ['Time.at(0).utc', 'Time.at(1_700_000_000).utc', 'Time.utc(2024, 2, 29, 23, 59, 59.5)', 'Time.utc(1999, 12, 31)', 'Time.gm(2000, "jan", 1, 20, 15, 1)', 'Time.at(-1).utc'].freeze

def time
  time = pick(TIMES)
  case RANDOM.rand(4)
  when 0 then "#{time}.#{pick(%w[year month day hour min sec usec nsec wday yday to_i to_f zone inspect to_s utc_offset monday? to_a dst? hash.class round iso8601])}".then { |call| call.end_with?('iso8601') ? "require 'time'; #{call}" : call }
  when 1 then "(#{time} #{pick(%w[+ -])} #{pick(%w[1 0.25 86400 3600*24*365 -7])}).#{pick(%w[to_s inspect to_i yday])}"
  when 2 then "#{time} #{pick(%w[<=> == - < >])} #{pick(TIMES)}"
  else "#{time}.strftime(\"#{Array.new(1 + RANDOM.rand(3)) { "%#{pick(['', '', '-', '0', '^', '_', '#'])}#{pick(['', '', '5', '10'])}#{pick(%w[Y m d H M S L N z Z A a B b j e I l p P y C u w U W V G s D F T R r c x X n t % h k])}" }.join(' ')}\")"
  end
end

CONVERTED = ['"12"', '"0x1A"', '" 42 "', '"1_000"', '"12abc"', '""', '"0b11"', '"0o17"', '"1e5"', '".5"', '"1."', '"-7"', '"+3"', '"1__2"', '"Infinity"', 'nil', '3.99', '"3.7"', ':a', '[1]', '"0777"', '"08"', '"1e400"', '"\n5\n"'].freeze

def converted
  "#{pick(['Integer(%s)', 'Float(%s)', 'String(%s)', 'Array(%s)', 'Integer(%s, exception: false)', 'Integer(%s, 16)', 'Float(%s, exception: false)', '%s.to_i', '%s.to_f', '%s.to_s.to_r.class', 'Integer(%s, 8)', '%s.to_s.to_c.class', '[%s].flatten', '"#{%s}"', '%s.inspect', 'Hash([[%s, 1]])'])}".sub('%s') { pick(CONVERTED) }
end

SHAPES = ['{name: "a", n: 1}', '[1, [2, 3]]', '{"k" => 1}', '[1, 2, 3, 4]', '5', '"text"', 'nil', '{a: {b: [1, {c: 2}]}}', '[]', '{}', ':sym', '1.5', '(1..3)'].freeze
MATCHED = ['{name: String => n}', '[Integer => a, [b, *c]]', '[a, *]', '[*, 3, *post]', 'Integer | Float => n', 'String', 'nil', '{a: {b: [_, {c:}]}}', '[]', '{}', '{n: 1.., **rest}', 'Integer => x if x > 3', '[x, y] unless x == y', '^pinned', '1..', '{name:, **nil}', '/te/', ':sym | nil'].freeze

def matched
  value = pick(SHAPES)
  patterns = Array.new(1 + RANDOM.rand(3)) { pick(MATCHED) }
  "pinned = 5; #{"case #{value}\n"}#{patterns.each_with_index.map { |pattern, at| "in #{pattern} then [#{at}, binding_of = #{at}]\n" }.join}#{pick(['', "else :none\n"])}end".gsub(/, binding_of = \d+/) { '' }
end

def flow
  pick([
    -> { "r = []; #{pick(LISTS)}.each_with_index { |x, i| next if i == #{pick(SMALL)}; break r << :end if i > #{pick(SMALL)}; r << x }; r" },
    -> { "def f(n) = n <= 0 ? [] : [n] + f(n - #{pick(%w[1 2 3])}); f(#{pick(%w[3 5 8])})" },
    -> { "begin; #{pick(['Integer("x")', 'nil.foo', '[].fetch(3)', '{}.fetch(:a)', '1 / 0', 'raise "x"', 'raise ArgumentError', 'raise KeyError, "k"', 'throw :t', '"a" + 1', '1 + "a"', '[1] + nil', '"x".frozen_thing', 'Float("z")', 'Object.new.foo(1)', ':a + 1', 'nil + 1', '{}.fetch("k")', '[3, "a"].sort', '[nil, 1].max', '"a" * -1', '[1, 2].first(-1)', 'Struct.new(:a).new(1, 2)', '"abc".to_sym.call', 'loop { raise StopIteration }', 'raise TypeError.new("t")', '%w[a].sum', 'Comparable.instance_method(:foo)', '5.upto', '"%d" % "x"', '"%d" % nil', 'Integer(nil)', 'Integer([])', '[1].dig(0, 1)', '"x".unpack("@5C")', '{a: 1}.fetch(:b)', 'nil.upcase', '1.upcase', 'Class.new.new.x', 'obj = Object.new; def obj.to_str = 1; "a" + obj', 'def g(a:) = a; g', 'def g(a) = a; g(1, 2)', 'def g(a:) = a; g(b: 1, a: 2)', '->(x) { x }.call', 'catch(:a) { throw :b }', '"é".encode("US-ASCII")', '[[1, 2], [3]].transpose', '[1, 2].to_h', '{1 => 2}.to_a.to_h { |k, v| k }', '"a".."c" + 1', 'Rational(1, 0)', '"\xff".upcase', '"\xff" =~ /x/', 'rand(1..)', 'format("%d")', 'format("%z", 1)', '"abc".center', 'eval', 'x = 5; x.y = 1', '[].sample(-1)', 'Array.new(-1)', '"a".ljust(5, "")'])}; rescue #{pick(['StandardError', 'ArgumentError, TypeError, NoMethodError, NameError, KeyError, IndexError, RuntimeError, ZeroDivisionError', 'Exception'])} => e; [e.class, e.message]; #{pick(['', 'else :fine; ', 'ensure 1; '])}end" },
    -> { "S = Struct.new(:a, :b#{pick(['', ', keyword_init: true'])}); s = S.new(#{pick(['1, 2', '1', 'a: 1, b: 2', '', '1, 2, 3', 'c: 3'])}); [s, s.to_a, s == s.dup, s.a, (s.to_h), s.members, s[0], s[\"b\"]]".sub('S =', "S#{RANDOM.rand(1_000_000)} =").then { |text| text.gsub(/\bS\.new/, text[/S\d+/] + '.new') } },
    -> { "a = #{pick(LISTS)}; case a\nwhen Array, nil then a.length\nwhen #{pick(%w[Hash String ->(x){true}])} then 1\nend" },
    -> { "x = #{pick(NUMBERS)}; x #{pick(%w[> < >= == !=])} #{pick(NUMBERS)} ? \"t\#{x}\" : x.to_s" },
    -> { "[#{pick(LISTS)}, #{pick(LISTS)}].#{pick(%w[max min sort minmax])}" }, -> { "#{pick(LISTS)} <=> #{pick(LISTS)}" }, -> { "e = #{pick(LISTS)}.each; [e.next, e.#{pick(%w[next peek size])}]" },
    -> { "e = Enumerator.new { |y| y << 1; y.yield 2, 3; y << 4 }; e.#{pick(['to_a', 'next', 'with_index.to_a', 'lazy.map(&:to_s).to_a', 'first(2)', 'each_slice(2).to_a', 'include?(4)', 'size', 'take_while { |x| x != 4 }'])}" },
    -> { "(#{pick(%w[1 -3 2.5 'a'])}#{pick(%w[.. ...])}#{pick(%w[5 9.5 'e' 0])}).#{pick(['to_a', 'include?(3)', 'sum', 'step(2).to_a', 'minmax', 'size', 'cover?(2..3)', 'each_slice(2).to_a', 'count', 'inspect', 'last(2)', 'first(2)', 'reverse_each.first(2)', '%(2).to_a', 'to_s', 'max', 'hash.class', 'each_with_index.to_a'])}" },
    -> { "x = <<~\"E#{'OT'}\"\n  a\n    \#{#{pick(STRINGS)}}\n\n  b\\tc\nEOT\nx" },
    -> { "#{pick(MAPS)} => #{pick(['{a:}', '{"a" => x}', 'Hash => h', '{}', '{**rest}'])}; :matched".sub('{"a" => x}', '{a: x}') },
    -> { "$~ = nil; #{pick(STRINGS)} =~ #{pick(PATTERNS)}; [$~ && $~[0], $1, $`, $', #{pick(['$~&.names', '$~&.begin(0)', '$+', '$&'])}]" },
    -> { "Comparable.instance_methods.sort.first(#{pick(%w[1 3])}); class C#{RANDOM.rand(1_000_000)}; include Comparable; attr_reader :v; def initialize(v) = @v = v; def <=>(o) = v <=> o.v; def inspect = \"C(\#{v})\"; end; ObjectClass = nil if false; self.class.const_get(:Object).constants.length > 1" },
    -> { "#{pick(LISTS)}.#{pick(%w[lazy each_entry each_with_index])}.#{pick(['map { |x| x.to_s }', 'select { |x| x }', 'reject(&:nil?)', 'take(2)', 'zip([1])', 'flat_map { |x| [x, x] }'])}.to_a" },
    -> { "[#{some(NUMBERS, 4).join(', ')}].#{pick(%w[sum max min sort minmax inject(:+) map(&:to_s) map(&:to_i) map(&:round) sort_by(&:abs) partition(&:positive?) uniq])}" },
    -> { "a = #{pick(LISTS)}; b = a.#{pick(%w[dup clone itself])}; b << 0; [a, b, a.equal?(b), a == b, a.eql?(b)]" },
    -> { "x = #{pick(['nil', 'false', '0', '""', '[]'])}; [x&.to_s, x || 1, x && 2, !x, (x or 3), (x and 4), x.nil? ? :n : :v]" },
  ]).call
end

KINDS = [[:chain, 12], [:changes, 5], [:formatted, 3], [:time, 2], [:converted, 2], [:matched, 1], [:flow, 6]].flat_map { |name, weight| [name] * weight }

# What cannot be the same twice, and what MRI adds for people.
def stable?(text)
  text.valid_encoding? && text !~ /0x0000|Did you mean|Enumerator|#<Proc|Complex|Rational|\(\d+\/\d+\)|syntax error|compile error|shuffle|#<(Class|Object|C\d|#<)/
end

$stdout.sync = true
count = Integer(ARGV[1] || 2_600)
seen = Set.new
$stderr = File.open(File::NULL, 'w')
while seen.size < count
  source = send(pick(KINDS))
  next if seen.include?(source) || source.length > 600
  answer = begin
    "=> #{evaluated(source).inspect}"
  rescue SyntaxError, Timeout::Error, NoMemoryError, SystemExit
    next
  rescue Exception => e
    "!! #{e.class}: #{e.message.lines.first&.chomp}"
  end
  next unless answer.length < 500 && answer.dup.force_encoding('UTF-8').valid_encoding? && stable?(answer.dup.force_encoding('UTF-8')) && stable?(source)
  seen << source
  puts JSON.generate([source, answer.force_encoding('UTF-8')])
end
