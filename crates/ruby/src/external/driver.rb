# What a real Ruby runs for Hieratic: it reads requests, one line of JSON each, and asks back for whatever it needs of Puppet.
require 'json'
require 'erb'
require 'set'

module HieraticWire
  OUT = $stdout.dup
  IN = $stdin.dup
  # Code that prints does not get in between.
  $stdout.reopen(File::NULL)
  $stdin.reopen(File::NULL)
  OUT.sync = true

  # What ends a run, and cannot be rescued by accident.
  class Ended < Exception; end

  # A value of Puppet that Ruby can only pass on.
  class Opaque
    attr_reader :number

    def initialize(number, text)
      @number = number
      @text = text
    end

    def to_s
      @text
    end
    alias inspect to_s
  end

  module_function

  def written(value)
    case value
    when nil, true, false, Integer then value
    when Float
      raise ArgumentError, "#{value} cannot be given to Puppet" unless value.finite?
      { 'f' => value.to_s }
    when String
      text = value.encoding == Encoding::BINARY ? value.dup.force_encoding(Encoding::UTF_8) : value.encode(Encoding::UTF_8)
      text.valid_encoding? ? text : { 'b' => [value].pack('m0') }
    when Symbol
      case value
      when :undef then nil
      when :default then { 'd' => true }
      else { 'y' => value.to_s }
      end
    when Array then value.map { |one| written(one) }
    when Hash then { 'h' => value.map { |key, one| [written(key), written(one)] } }
    when Opaque then { 'o' => value.number }
    when Puppet::Pops::Types::PSensitiveType::Sensitive then { 's' => written(value.unwrap) }
    else
      if value.respond_to?(:to_str) then written(value.to_str)
      elsif value.respond_to?(:to_hash) then written(value.to_hash)
      elsif value.respond_to?(:to_ary) then written(value.to_ary)
      else written(value.to_s)
      end
    end
  end

  def read(value)
    case value
    when Array then value.map { |one| read(one) }
    when Hash
      kind, inner = value.first
      case kind
      when 'f' then inner.to_f
      when 'b' then inner.unpack1('m0')
      when 'd' then :default
      when 'y' then inner.to_sym
      when 'h' then inner.to_h { |key, one| [read(key), read(one)] }
      when 's' then Puppet::Pops::Types::PSensitiveType::Sensitive.new(read(inner))
      else Opaque.new(inner[0], inner[1])
      end
    else value
    end
  end

  def say(message)
    OUT.puts(JSON.generate(message, max_nesting: false))
  end

  # Waits for the next message; requests that come before the answer are done first.
  def wait
    loop do
      line = IN.gets or exit!(0)
      kind, *rest = JSON.parse(line, max_nesting: false)
      case kind
      when 'answer' then return read(rest[0])
      when 'error' then raise Puppet::ParseError, rest[0]
      when 'ended' then raise Ended, rest[0]
      else run(kind, rest)
      end
    end
  end

  def ask(name, arguments)
    say(['ask', name, written(arguments)])
    wait
  end

  def run(kind, rest)
    say(['done', written(send("run_#{kind}", *rest))])
  rescue Ended => e
    say(['ended', e.message])
  rescue SystemExit, Exception => e
    place = (e.backtrace || []).map { |line| line.match(/\A(.+?):(\d+)/) }.compact.reject { |found| found[1] == __FILE__ || found[1] =~ /\A-e|<internal/ }.first
    message = e.is_a?(SyntaxError) || e.message.valid_encoding? ? e.message : e.message.inspect
    say(['failed', e.class.name, message.encode('UTF-8', invalid: :replace, undef: :replace), place ? place[1] : '', place ? place[2].to_i : 0])
  end

  def run_libraries(folders)
    folders.each { |folder| $LOAD_PATH << folder unless $LOAD_PATH.include?(folder) }
    nil
  end

  def run_render(text, name, path)
    wrapper = Puppet::Parser::TemplateWrapper.new
    wrapper.instance_variable_set(:@__file__, path)
    HieraticNative.variables.each { |key, value| wrapper.instance_variable_set(:"@#{key}", value) if key =~ /\A[a-z_]\w*\z/ }
    template = ERB.new(text, trim_mode: '-')
    template.filename = name
    template.result(wrapper.instance_eval { binding })
  end

  def run_declare(path, name)
    load(path)
    found = Puppet::Functions.hieratic_functions[name]
    return found.hieratic_describe if found
    Puppet::Parser::Functions.hieratic_functions.key?(name) ? 'old' : nil
  end

  def run_call(path, name, index, arguments, block)
    known = index ? Puppet::Functions.hieratic_functions : Puppet::Parser::Functions.hieratic_functions
    load(path) unless known.key?(name)
    arguments = read(arguments)
    return Puppet::Functions.hieratic_functions[name].hieratic_call(index, arguments, block ? Opaque.new(0, 'block') : nil) if index
    Puppet::Parser::Functions.hieratic_call(name, arguments.map { |one| one.nil? ? '' : one })
  end
end

# What the code of Puppet's API asks the host with.
module HieraticNative
  %w[variable variable? variables set_variable function? old_function module own_resource all_tags classes setting resource log].each do |name|
    define_singleton_method(name) { |*arguments| HieraticWire.ask(name, arguments) }
  end

  %w[call call_at_top call_block].each do |name|
    define_singleton_method(name) do |first, arguments, &block|
      raise NotImplementedError, "a function of Puppet cannot be called with a block from a Ruby that is not Hieratic's" if block
      HieraticWire.ask(name, [name == 'call_block' ? 0 : first, [*arguments]])
    end
  end

  def self.fact(name)
    (variable('facts') || {})[name]
  end

  def self.warn_once(message)
    @warnings ||= {}
    log('warning', message) unless @warnings.key?(message)
    @warnings[message] = true
  end

  def self.refuse(what)
    raise NotImplementedError, "#{what} is not available"
  end

  def self.load_library(name)
    raise NotImplementedError, "the library #{name} is not available in a Ruby that is not Hieratic's"
  end
end

module Kernel
  private

  def _(message)
    message
  end

  def n_(one, many, count)
    count == 1 ? one : many
  end
end
