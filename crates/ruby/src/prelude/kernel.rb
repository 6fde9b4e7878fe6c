module Kernel
  def tap
    yield self
    self
  end

  def then
    return to_enum(:then) unless block_given?
    yield self
  end

  def yield_self
    return to_enum(:yield_self) unless block_given?
    yield self
  end

  def instance_variable_names
    instance_variables.map(&:to_s)
  end

  def display
    print self
  end

  def pp(*objects)
    p(*objects)
  end

  private

  # The parser passes the visible variables as a block.
  def binding(&locals)
    HieraticNative.refuse('Kernel#binding, called in another way than by its name,') unless locals
    Binding.new(self, locals)
  end

  # Returns the earlier seed, of which code that only sets one has no use.
  def srand(seed = Random.new_seed)
    Random.hieratic_default = seed
  end

  def rand(limit = 0)
    random = Random.hieratic_default
    limit.nil? || limit == 0 ? random.rand : random.rand(limit.is_a?(Range) ? limit : limit.to_i.abs)
  end

  # Messages of Puppet are in English here.
  def _(message)
    message
  end

  def n_(one, many, count)
    count == 1 ? one : many
  end

  def s_(message)
    message.split('|').last
  end
end

# Libraries are found in the modules, whatever is in this list.
$LOAD_PATH = []
$: = $LOAD_PATH
$LOADED_FEATURES = []
$" = $LOADED_FEATURES

module Comparable
  def ==(other)
    return true if equal?(other)
    order = (self <=> other)
    order.nil? ? false : order == 0
  end

  def <(other)
    hieratic_compare(other) < 0
  end

  def <=(other)
    hieratic_compare(other) <= 0
  end

  def >(other)
    hieratic_compare(other) > 0
  end

  def >=(other)
    hieratic_compare(other) >= 0
  end

  def between?(min, max)
    hieratic_compare(min) >= 0 && hieratic_compare(max) <= 0
  end

  def clamp(min, max = nil)
    if max.nil? && min.is_a?(Range)
      raise ArgumentError, 'cannot clamp with an exclusive range' if min.exclude_end? && !min.end.nil?
      min, max = min.begin, min.end
    end
    raise ArgumentError, 'min argument must be smaller than max argument' if !min.nil? && !max.nil? && (min <=> max) > 0
    return min if !min.nil? && hieratic_compare(min) < 0
    return max if !max.nil? && hieratic_compare(max) > 0
    self
  end

  private

  def hieratic_compare(other)
    order = (self <=> other)
    if order.nil?
      shown = other.nil? || other == true || other == false || other.is_a?(Numeric) ? other.inspect : other.class
      raise ArgumentError, "comparison of #{self.class} with #{shown} failed"
    end
    order
  end
end

class String
  include Comparable
end

class Numeric
  def positive?
    self > 0
  end

  def negative?
    self < 0
  end

  def zero?
    self == 0
  end

  def nonzero?
    zero? ? nil : self
  end

  def step(limit = nil, step = nil, by: nil, to: nil)
    limit = to unless to.nil?
    step = by unless by.nil?
    step = 1 if step.nil?
    raise ArgumentError, "step can't be 0" if step == 0
    return enum_for(:step, limit, step) unless block_given?
    if is_a?(Float) || limit.is_a?(Float) || step.is_a?(Float)
      unless limit.nil?
        n = (limit - self) / step.to_f
        err = (abs + limit.abs + (limit - self).abs) / step.abs.to_f * Float::EPSILON
        err = 0.5 if err > 0.5
        n = (n + err).floor
        i = 0
        while i <= n
          d = i * step.to_f + self
          d = limit.to_f if step > 0 ? limit < d : limit > d
          yield d
          i += 1
        end
        return self
      end
    end
    at = self
    while limit.nil? || (step > 0 ? at <= limit : at >= limit)
      yield at
      at += step
    end
    self
  end

  def to_c
    raise NotImplementedError, 'complex numbers'
  end

  def clone(freeze: true)
    self
  end
end

class Integer
  def allbits?(mask)
    self & mask == mask
  end

  def anybits?(mask)
    self & mask != 0
  end

  def nobits?(mask)
    self & mask == 0
  end

  def lcm(other)
    return 0 if self == 0 || other == 0
    (self * other).abs / gcd(other)
  end

  def ceildiv(other)
    -div(0 - other)
  end

  def positive?
    self > 0
  end

  def negative?
    self < 0
  end
end

class Float
  INFINITY = 1.0 / 0.0
  NAN = 0.0 / 0.0
  EPSILON = 2.220446049250313e-16
  MAX = 1.7976931348623157e+308
  MIN = 2.2250738585072014e-308
  DIG = 15
  MANT_DIG = 53
end

module Math
  PI = 3.141592653589793
  E = 2.718281828459045
  class DomainError < ArgumentError; end
end

class Regexp
  IGNORECASE = 1
  EXTENDED = 2
  MULTILINE = 4
end

class PuppetValue
  # It has another one in Ruby, which code compares.
  def class
    HieraticNative.refuse("the class of a value of Puppet, #{self},")
  end

  def cached_file_data(path, &block)
    return HieraticNative.call_method(self, 'cached_file_data', [path]) unless block
    stamp = HieraticNative.file_stamp(path)
    seen = stamp && HieraticNative.seen_by(self, block)
    known = stamp && HieraticNative.file_data(path, stamp, block, seen)
    return known[0] if known
    text = HieraticNative.read_file(path)
    asked = HieraticNative.asked
    data = yield text
    HieraticNative.keep_file_data(path, stamp, block, seen, asked, data) if stamp
    data
  end

  # The values of a type that has some.
  def each(&block)
    values = HieraticNative.call_method(self, 'each', [])
    block ? values.each(&block) && self : values.each
  end

  def explain
    HieraticNative.call_method(self, 'hieratic_explain', [yield.to_s]) if HieraticNative.call_method(self, 'hieratic_explains', [])
    nil
  end

  def cached_entries
    entries = HieraticNative.call_method(self, 'cached_entries', [])
    return entries unless block_given?
    entries.each { |key, value| yield key, value }
    nil
  end

  def method_missing(name, *arguments)
    HieraticNative.call_method(self, name.to_s, arguments)
  end

  def respond_to_missing?(_name, _private = false)
    true
  end
end

class StopIteration
  attr_accessor :result
end

class KeyError
  attr_reader :key, :receiver
  def initialize(message = nil, receiver: nil, key: nil)
    super(message)
    @receiver = receiver
    @key = key
  end
end

class NameError
  attr_reader :name, :receiver
  def initialize(message = nil, name = nil, receiver: nil)
    super(message)
    @name = name
    @receiver = receiver
  end
end

class FrozenError
  attr_reader :receiver
end

class IOError < StandardError; end
class EOFError < IOError; end
class EncodingError < StandardError; end
class FiberError < StandardError; end
class ThreadError < StandardError; end
class SystemCallError < StandardError; end
class SecurityError < Exception; end
class NoMemoryError < Exception; end
class SignalException < Exception; end
class Interrupt < SignalException; end
class SystemExit < Exception; end
class LoadError < ScriptError; end
class SyntaxError < ScriptError; end

module Errno
  class ENOENT < SystemCallError; end
  class EACCES < SystemCallError; end
  class EEXIST < SystemCallError; end
  class ECONNREFUSED < SystemCallError; end
end

class Encoding
  attr_reader :name

  def initialize(name)
    @name = name
  end

  def to_s
    @name
  end

  def inspect
    "#<Encoding:#{@name}>"
  end

  UTF_8 = new('UTF-8')
  ASCII_8BIT = new('ASCII-8BIT')
  BINARY = ASCII_8BIT
  US_ASCII = new('US-ASCII')
  ISO_8859_1 = new('ISO-8859-1')

  def self.find(name)
    [UTF_8, ASCII_8BIT, US_ASCII, ISO_8859_1].find { |one| one.name == name.to_s.upcase } ||
      raise(ArgumentError, "unknown encoding name - #{name}")
  end

  def self.default_external
    UTF_8
  end

  def self.default_internal
    nil
  end

  class CompatibilityError < EncodingError; end
  class UndefinedConversionError < EncodingError; end
  class InvalidByteSequenceError < EncodingError; end
  class ConverterNotFoundError < EncodingError; end
end

class Object
  RUBY_VERSION = '3.1.7'
  RUBY_ENGINE = 'ruby'
  RUBY_PLATFORM = 'x86_64-linux'
  RUBY_PATCHLEVEL = 261
  RUBY_RELEASE_DATE = '2025-03-26'
end

# The variables and the object that code sees at a place.
class Binding
  attr_reader :receiver

  def initialize(receiver, locals)
    @receiver = receiver
    @locals = locals
    @added = {}
  end

  def local_variables
    hieratic_locals.keys
  end

  def local_variable_defined?(name)
    hieratic_locals.key?(name.to_sym)
  end

  def local_variable_get(name)
    hieratic_locals.fetch(name.to_sym) { raise NameError, "local variable `#{name}' is not defined for #{inspect}" }
  end

  def local_variable_set(name, value)
    HieraticNative.refuse('Binding#local_variable_set of a variable of the code') if @locals.call.key?(name.to_sym)
    @added[name.to_sym] = value
  end

  def hieratic_locals
    @locals.call.merge(@added)
  end

  %i[eval irb source_location].each do |name|
    define_method(name) { |*| HieraticNative.refuse("Binding##{name}") }
  end
end
