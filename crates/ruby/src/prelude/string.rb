class String
  def self.try_convert(value)
    value.respond_to?(:to_str) ? value.to_str : nil
  end

  def each_char(&block)
    return to_enum(:each_char) unless block
    chars.each(&block)
    self
  end

  def each_line(separator = "\n", chomp: false, &block)
    return to_enum(:each_line, separator) unless block
    (chomp ? lines(separator, chomp: true) : lines(separator)).each(&block)
    self
  end

  def each_byte(&block)
    return to_enum(:each_byte) unless block
    bytes.each(&block)
    self
  end

  def grapheme_clusters
    chars
  end

  def upto(last, exclusive = false, &block)
    return to_enum(:upto, last, exclusive) unless block
    Range.new(self, last, exclusive).each(&block)
    self
  end

  def succ!
    replace(succ)
  end

  def next!
    replace(succ)
  end

  def between?(min, max)
    (self <=> min) >= 0 && (self <=> max) <= 0
  end

  def undump
    unless start_with?('"') && end_with?('"') && size > 1
      raise RuntimeError, %q(invalid dumped string; not wrapped with '"' nor '"...".force_encoding("...")' form)
    end
    letters = { 'n' => "\n", 't' => "\t", 'r' => "\r", 'e' => "\e", 'a' => "\a", 'b' => "\b", 'v' => "\v", 'f' => "\f" }
    self[1..-2].gsub(/\\(u\{(\h+)\}|u(\h{4})|x(\h{2})|.)/m) do
      if $2 || $3 then ($2 || $3).hex.chr('UTF-8')
      elsif $4 then $4.hex.chr
      else letters[$1] || $1
      end
    end
  end

  def grapheme_clusters
    scan(/\X/)
  end

  def each_grapheme_cluster(&block)
    return grapheme_clusters.each unless block
    grapheme_clusters.each(&block)
    self
  end

  def to_yaml(options = {})
    HieraticNative.yaml(self)
  end

  def to_c
    raise NotImplementedError, 'complex numbers'
  end
end

class Symbol
  include Comparable

  def to_yaml(options = {})
    HieraticNative.yaml(self)
  end
end

class Integer
  def to_yaml(options = {})
    HieraticNative.yaml(self)
  end
end

class Float
  def to_yaml(options = {})
    HieraticNative.yaml(self)
  end
end

class NilClass
  def to_yaml(options = {})
    HieraticNative.yaml(self)
  end

  def =~(_other)
    nil
  end
end

class TrueClass
  def to_yaml(options = {})
    HieraticNative.yaml(self)
  end

  def !
    false
  end
end

class FalseClass
  def to_yaml(options = {})
    HieraticNative.yaml(self)
  end
end

module Kernel
  def to_json(*_arguments)
    HieraticNative.json(self, false)
  end
end
