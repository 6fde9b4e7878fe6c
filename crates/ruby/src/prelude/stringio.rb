class StringIO
  include Enumerable

  attr_accessor :string, :pos, :lineno

  def self.open(*arguments)
    made = new(*arguments)
    block_given? ? yield(made) : made
  end

  def initialize(string = +'', mode = nil)
    @string = string
    @pos = mode.to_s.start_with?('a') ? string.size : 0
    @lineno = 0
  end

  def write(*texts)
    texts.reduce(0) do |count, text|
      text = text.to_s
      if @pos >= @string.size
        @string << ("\0" * (@pos - @string.size)) if @pos > @string.size
        @string << text
      else
        @string[@pos, text.size] = text
      end
      @pos += text.size
      count + text.bytesize
    end
  end

  def <<(text)
    write(text)
    self
  end

  def print(*texts)
    write(*texts)
    nil
  end

  def puts(*texts)
    texts = [''] if texts.empty?
    texts.flatten.each do |text|
      text = text.to_s
      write(text)
      write("\n") unless text.end_with?("\n")
    end
    nil
  end

  def printf(format, *arguments)
    write(format(format, *arguments))
    nil
  end

  def putc(one)
    write(one.is_a?(Integer) ? one.chr : one[0])
    one
  end

  def read(length = nil)
    return nil if length && length > 0 && eof?
    text = length ? @string[@pos, length] : @string[@pos..-1]
    text ||= +''
    @pos += text.size
    text
  end

  def getc
    eof? ? nil : read(1)
  end

  def gets(separator = "\n", chomp: false)
    return nil if eof?
    return read if separator.nil?
    at = @string.index(separator, @pos)
    line = @string[@pos...(at ? at + separator.size : @string.size)]
    @pos += line.size
    @lineno += 1
    chomp ? line.chomp(separator) : line
  end

  def readline(*arguments)
    gets(*arguments) || raise(EOFError, 'end of file reached')
  end

  def each_line(*arguments, **options)
    return to_enum(:each_line, *arguments, **options) unless block_given?
    while (line = gets(*arguments, **options))
      yield line
    end
    self
  end

  alias each each_line

  def readlines(*arguments, **options)
    each_line(*arguments, **options).to_a
  end

  def rewind
    @pos = 0
    @lineno = 0
    0
  end

  def seek(offset, *)
    @pos = offset
    0
  end

  def tell
    @pos
  end

  def eof?
    @pos >= @string.size
  end

  alias eof eof?

  def size
    @string.bytesize
  end

  alias length size

  def truncate(length)
    @string.replace(@string[0, length])
    length
  end

  def close; end
  def close_write; end
  def close_read; end

  def closed?
    false
  end

  def flush
    self
  end

  def sync
    true
  end

  def sync=(value)
    value
  end

  def binmode
    self
  end

  def set_encoding(*)
    self
  end

  def tty?
    false
  end

  def fileno
    nil
  end
end
