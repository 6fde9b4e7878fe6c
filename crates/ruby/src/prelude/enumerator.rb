class Enumerator
  include Enumerable

  class Yielder
    def initialize(block)
      @block = block
    end

    def <<(value)
      @block.call(value)
      self
    end

    def yield(*values)
      @block.call(*values)
    end

    def call(*values)
      @block.call(*values)
    end

    def to_proc
      block = @block
      proc { |*values| block.call(*values) }
    end
  end

  def initialize(size = nil, &block)
    raise ArgumentError, 'no block given' unless block
    @generator = block
    @size = size
  end

  def each(*args, &block)
    return self unless block
    if @generator
      @generator.call(Yielder.new(block))
    else
      @receiver.__send__(@method, *@arguments, *args, &block)
    end
  end

  def with_index(offset = 0)
    offset ||= 0
    return to_enum(:with_index, offset) unless block_given?
    at = offset - 1
    each do |*one|
      at += 1
      yield((one.size <= 1 ? one[0] : one), at)
    end
  end

  def each_with_index(&block)
    return to_enum(:each_with_index) unless block
    with_index(0, &block)
  end

  def with_object(memo)
    return to_enum(:with_object, memo) unless block_given?
    each { |*one| yield((one.size <= 1 ? one[0] : one), memo) }
    memo
  end

  def each_with_object(memo, &block)
    return to_enum(:each_with_object, memo) unless block
    with_object(memo, &block)
  end

  def size
    return @size.respond_to?(:call) ? @size.call : @size if @generator
    case @method
    when :each, :map, :each_with_index, :select, :filter, :reject, :collect, :flat_map, :each_entry, :times, :group_by, :sort_by, :min_by, :max_by, :partition, :each_index, :each_pair, :each_key, :each_value, :filter_map
      @method == :times ? @receiver : (@receiver.respond_to?(:size) ? @receiver.size : nil)
    when :each_slice
      (@receiver.size + @arguments[0] - 1) / @arguments[0]
    when :each_cons
      [@receiver.size - @arguments[0] + 1, 0].max
    when :loop
      Float::INFINITY
    else
      nil
    end
  end

  def next
    value = peek
    @position += 1
    value
  end

  def peek
    @position ||= 0
    hieratic_fill(@position + 1)
    if @position >= @buffer.size
      error = StopIteration.new('iteration reached an end')
      raise error
    end
    @buffer[@position]
  end

  def rewind
    @position = 0
    @buffer = nil
    self
  end

  def +(other)
    first = self
    Enumerator.new do |y|
      first.each { |one| y << one }
      other.each { |one| y << one }
    end
  end

  def inspect
    return '#<Enumerator: #<Enumerator::Generator>:each>' if @generator
    arguments = @arguments.empty? ? '' : "(#{@arguments.map(&:inspect).join(', ')})"
    "#<Enumerator: #{@receiver.inspect}:#{@method}#{arguments}>"
  end

  def to_s
    inspect
  end

  private

  # The elements are computed again from the start each time that more of them are wanted: twice as many as before.
  def hieratic_fill(count)
    return if @buffer && (@buffer.size >= count || @complete)
    wanted = [count * 2, 16].max
    @buffer = []
    @complete = true
    each do |*one|
      @buffer << (one.size <= 1 ? one[0] : one)
      if @buffer.size >= wanted
        @complete = false
        break
      end
    end
  end

  class Lazy < Enumerator
    def initialize(source, &step)
      @source = source
      @step = step
    end

    def each(&block)
      return self unless block
      step = @step
      if step
        yielder = Yielder.new(block)
        @source.each { |*one| step.call(yielder, *one) }
      else
        @source.each(&block)
      end
      self
    end

    def map(&block)
      Lazy.new(self) { |y, *one| y << block.call(*one) }
    end

    def collect(&block)
      map(&block)
    end

    def select(&block)
      Lazy.new(self) { |y, one| y << one if block.call(one) }
    end

    def filter(&block)
      select(&block)
    end

    def reject(&block)
      Lazy.new(self) { |y, one| y << one unless block.call(one) }
    end

    def filter_map(&block)
      Lazy.new(self) do |y, one|
        value = block.call(one)
        y << value if value
      end
    end

    def flat_map(&block)
      Lazy.new(self) do |y, one|
        value = block.call(one)
        value.is_a?(Array) ? value.each { |inner| y << inner } : y << value
      end
    end

    def with_index(offset = 0, &block)
      source = self
      Lazy.new(Enumerator.new do |y|
        at = offset - 1
        source.each do |one|
          at += 1
          block ? (block.call(one, at); y << one) : y.yield([one, at])
        end
      end)
    end

    def each_with_index
      with_index(0)
    end

    def take(count)
      source = self
      Lazy.new(Enumerator.new do |y|
        taken = 0
        if count > 0
          source.each do |one|
            y << one
            taken += 1
            break if taken >= count
          end
        end
      end)
    end

    def take_while(&block)
      source = self
      Lazy.new(Enumerator.new do |y|
        source.each do |one|
          break unless block.call(one)
          y << one
        end
      end)
    end

    def drop(count)
      source = self
      Lazy.new(Enumerator.new do |y|
        at = 0
        source.each do |one|
          y << one if at >= count
          at += 1
        end
      end)
    end

    def drop_while(&block)
      source = self
      Lazy.new(Enumerator.new do |y|
        dropping = true
        source.each do |one|
          dropping = false if dropping && !block.call(one)
          y << one unless dropping
        end
      end)
    end

    def uniq(&block)
      source = self
      Lazy.new(Enumerator.new do |y|
        seen = {}
        source.each do |one|
          key = block ? block.call(one) : one
          y << one unless seen.key?(key)
          seen[key] = true
        end
      end)
    end

    def zip(*others)
      others = others.map(&:to_a)
      at = -1
      Lazy.new(self) do |y, one|
        at += 1
        y << [one, *others.map { |other| other[at] }]
      end
    end

    def compact
      reject(&:nil?)
    end

    def tally
      to_a.tally
    end

    def first(*args)
      return take(args[0]).to_a unless args.empty?
      each { |one| return one }
      nil
    end

    def to_a
      out = []
      each { |*one| out << (one.size <= 1 ? one[0] : one) }
      out
    end

    def force
      to_a
    end

    def eager
      to_a
    end

    def lazy
      self
    end

    def size
      nil
    end

    def inspect
      "#<Enumerator::Lazy: #{@source.inspect}>"
    end
  end
end
