module Shellwords
  def self.escape(text)
    text = text.to_s
    return "''" if text.empty?
    text.gsub(/[^A-Za-z0-9_\-.,:+\/@\n]/) { |one| "\\#{one}" }.gsub("\n", "'\n'")
  end

  def self.shellescape(text)
    escape(text)
  end

  def self.join(list)
    list.map { |one| escape(one) }.join(' ')
  end

  def self.shelljoin(list)
    join(list)
  end

  def self.split(line)
    words = []
    field = +''
    line.scan(/\G\s*(?>([^\0\s\\\'\"]+)|'([^\0\']*)'|"((?:[^\0\"\\]|\\[^\0])*)"|(\\[^\0]?)|(\S))(\s|\z)?/m) do |word, single, double, escaped, garbage, separator|
      raise ArgumentError, "Unmatched quote: #{line}" if garbage
      field << (word || single || (double && double.gsub(/\\([$`"\\\n])/, '\\1')) || escaped.gsub(/\\(.)/, '\\1'))
      if separator
        words << field
        field = +''
      end
    end
    words
  end

  def self.shellsplit(line)
    split(line)
  end

  def self.shellwords(line)
    split(line)
  end
end

class String
  def shellescape
    Shellwords.escape(self)
  end

  def shellsplit
    Shellwords.split(self)
  end
end

class Array
  def shelljoin
    Shellwords.join(self)
  end
end
