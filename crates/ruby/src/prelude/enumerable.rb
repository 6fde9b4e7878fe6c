module Enumerable
  def to_a(*args)
    out = []
    each(*args) { |*one| out << (one.size <= 1 ? one[0] : one) }
    out
  end

  def entries(*args)
    to_a(*args)
  end

  def to_set(&block)
    Set.new(self, &block)
  end

  def map(&block)
    return to_enum(:map) unless block
    out = []
    each { |*one| out << block.call(*one) }
    out
  end

  def collect(&block)
    return to_enum(:collect) unless block
    map(&block)
  end

  def flat_map
    return to_enum(:flat_map) unless block_given?
    out = []
    to_a.each do |one|
      value = yield(one)
      value.respond_to?(:to_ary) ? out.concat(value.to_ary) : out << value
    end
    out
  end

  def collect_concat(&block)
    flat_map(&block)
  end

  def select
    return to_enum(:select) unless block_given?
    out = []
    to_a.each { |one| out << one if yield(one) }
    out
  end

  def filter(&block)
    return to_enum(:filter) unless block
    select(&block)
  end

  def reject
    return to_enum(:reject) unless block_given?
    out = []
    to_a.each { |one| out << one unless yield(one) }
    out
  end

  def filter_map
    return to_enum(:filter_map) unless block_given?
    out = []
    to_a.each do |one|
      value = yield(one)
      out << value if value
    end
    out
  end

  def find(ifnone = nil)
    return to_enum(:find, ifnone) unless block_given?
    each do |*one|
      one = one.size <= 1 ? one[0] : one
      return one if yield(one)
    end
    ifnone ? ifnone.call : nil
  end

  def detect(ifnone = nil, &block)
    return to_enum(:detect, ifnone) unless block
    find(ifnone, &block)
  end

  def find_index(*wanted)
    return to_enum(:find_index) if wanted.empty? && !block_given?
    at = 0
    each do |*one|
      one = one.size <= 1 ? one[0] : one
      return at if wanted.empty? ? yield(one) : one == wanted[0]
      at += 1
    end
    nil
  end

  def find_all(&block)
    return to_enum(:find_all) unless block
    select(&block)
  end

  def each_with_index(*args)
    return to_enum(:each_with_index, *args) unless block_given?
    at = 0
    each(*args) do |*one|
      yield((one.size <= 1 ? one[0] : one), at)
      at += 1
    end
    self
  end

  def each_with_object(memo)
    return to_enum(:each_with_object, memo) unless block_given?
    each { |*one| yield((one.size <= 1 ? one[0] : one), memo) }
    memo
  end

  def each_entry(&block)
    return to_enum(:each_entry) unless block
    to_a.each(&block)
    self
  end

  def reverse_each(&block)
    return to_enum(:reverse_each) unless block
    to_a.reverse.each(&block)
    self
  end

  def inject(*args, &block)
    operator = nil
    if args.size == 2
      initial, operator = args
      given = true
    elsif args.size == 1 && !block
      operator = args[0]
      given = false
    elsif args.size == 1
      initial = args[0]
      given = true
    else
      given = false
    end
    memo = initial
    each do |*one|
      one = one.size <= 1 ? one[0] : one
      if given
        memo = operator ? memo.__send__(operator, one) : block.call(memo, one)
      else
        memo = one
        given = true
      end
    end
    memo
  end

  def reduce(*args, &block)
    inject(*args, &block)
  end

  def sum(initial = 0)
    memo = initial
    compensation = 0.0
    floating = false
    each do |*one|
      one = one.size <= 1 ? one[0] : one
      one = yield(one) if block_given?
      if memo.is_a?(Float) && one.is_a?(Numeric) && memo.finite? && one.to_f.finite?
        floating = true
        one = one.to_f
        total = memo + one
        compensation += memo.abs >= one.abs ? (memo - total) + one : (one - total) + memo
        memo = total
      elsif one.is_a?(Float) && memo.is_a?(Integer)
        memo = memo.to_f
        redo_one = one
        total = memo + redo_one
        if total.finite?
          floating = true
          compensation += memo.abs >= redo_one.abs ? (memo - total) + redo_one : (redo_one - total) + memo
        end
        memo = total
      else
        memo += one
      end
    end
    floating && memo.is_a?(Float) && memo.finite? ? memo + compensation : memo
  end

  def count(*wanted)
    n = 0
    if !wanted.empty?
      each { |one| n += 1 if one == wanted[0] }
    elsif block_given?
      each { |*one| n += 1 if yield(*one) }
    else
      each { n += 1 }
    end
    n
  end

  def first(count = (none = true; nil))
    if none
      each { |*one| return one.size <= 1 ? one[0] : one }
      return nil
    end
    raise ArgumentError, 'attempt to take negative size' if count < 0
    take(count)
  end

  def take(count)
    raise ArgumentError, 'attempt to take negative size' if count < 0
    out = []
    return out if count == 0
    each do |*one|
      out << (one.size <= 1 ? one[0] : one)
      break if out.size >= count
    end
    out
  end

  def take_while
    return to_enum(:take_while) unless block_given?
    out = []
    each do |*one|
      one = one.size <= 1 ? one[0] : one
      break unless yield(one)
      out << one
    end
    out
  end

  def drop(count)
    raise ArgumentError, 'attempt to drop negative size' if count < 0
    to_a[count..-1] || []
  end

  def drop_while
    return to_enum(:drop_while) unless block_given?
    out = []
    dropping = true
    each do |*one|
      one = one.size <= 1 ? one[0] : one
      dropping = false if dropping && !yield(one)
      out << one unless dropping
    end
    out
  end

  def include?(wanted)
    each { |one| return true if one == wanted }
    false
  end

  def member?(wanted)
    include?(wanted)
  end

  def all?(*pattern)
    if !pattern.empty?
      each { |one| return false unless pattern[0] === one }
    elsif block_given?
      each { |*one| return false unless yield(*one) }
    else
      each { |one| return false unless one }
    end
    true
  end

  def any?(*pattern)
    if !pattern.empty?
      each { |one| return true if pattern[0] === one }
    elsif block_given?
      each { |*one| return true if yield(*one) }
    else
      each { |one| return true if one }
    end
    false
  end

  def none?(*pattern)
    if !pattern.empty?
      each { |one| return false if pattern[0] === one }
    elsif block_given?
      each { |*one| return false if yield(*one) }
    else
      each { |one| return false if one }
    end
    true
  end

  def one?(*pattern)
    n = 0
    if !pattern.empty?
      each { |one| n += 1 if pattern[0] === one }
    elsif block_given?
      each { |*one| n += 1 if yield(*one) }
    else
      each { |one| n += 1 if one }
    end
    n == 1
  end

  def sort(&block)
    to_a.sort(&block)
  end

  def sort_by(&block)
    return to_enum(:sort_by) unless block
    to_a.sort_by(&block)
  end

  def min(count = nil, &block)
    list = to_a
    if count
      raise ArgumentError, "negative size (#{count})" if count.is_a?(Integer) && count < 0
      return count == 0 ? [] : list.sort(&block).first(count)
    end
    memo = nil
    started = false
    list.each do |one|
      if !started
        memo = one
        started = true
      else
        order = block ? block.call(one, memo) : (one <=> memo)
        hieratic_not_comparable(one, memo) if order.nil?
        memo = one if order < 0
      end
    end
    memo
  end

  def max(count = nil, &block)
    list = to_a
    if count
      raise ArgumentError, "negative size (#{count})" if count.is_a?(Integer) && count < 0
      return count == 0 ? [] : list.sort(&block).reverse.first(count)
    end
    memo = nil
    started = false
    list.each do |one|
      if !started
        memo = one
        started = true
      else
        order = block ? block.call(one, memo) : (one <=> memo)
        hieratic_not_comparable(memo, one) if order.nil?
        memo = one if order > 0
      end
    end
    memo
  end

  def minmax(&block)
    [min(&block), max(&block)]
  end

  def min_by(count = nil, &block)
    return to_enum(:min_by, count) unless block
    return sort_by(&block).first(count) if count
    memo = nil
    best = nil
    started = false
    to_a.each do |one|
      value = block.call(one)
      if !started || hieratic_order(value, best) < 0
        memo = one
        best = value
        started = true
      end
    end
    memo
  end

  def max_by(count = nil, &block)
    return to_enum(:max_by, count) unless block
    return sort_by(&block).reverse.first(count) if count
    memo = nil
    best = nil
    started = false
    to_a.each do |one|
      value = block.call(one)
      if !started || hieratic_order(value, best) > 0
        memo = one
        best = value
        started = true
      end
    end
    memo
  end

  def minmax_by(&block)
    [min_by(&block), max_by(&block)]
  end

  def group_by
    return to_enum(:group_by) unless block_given?
    out = {}
    to_a.each { |one| (out[yield(one)] ||= []) << one }
    out
  end

  def partition
    return to_enum(:partition) unless block_given?
    yes = []
    no = []
    to_a.each { |one| (yield(one) ? yes : no) << one }
    [yes, no]
  end

  def tally
    out = {}
    to_a.each { |one| out[one] = (out[one] || 0) + 1 }
    out
  end

  def uniq(&block)
    to_a.uniq(&block)
  end

  def to_h(&block)
    to_a.to_h(&block)
  end

  def zip(*others)
    others = others.map { |other| other.respond_to?(:to_ary) ? other.to_ary : other.to_a }
    at = -1
    rows = to_a.map do |one|
      at += 1
      [one, *others.map { |other| other[at] }]
    end
    return rows unless block_given?
    rows.each { |row| yield row }
    nil
  end

  def each_slice(size)
    raise ArgumentError, 'invalid slice size' if size <= 0
    return to_enum(:each_slice, size) unless block_given?
    slice = []
    each do |*one|
      slice << (one.size <= 1 ? one[0] : one)
      if slice.size == size
        yield slice
        slice = []
      end
    end
    yield slice unless slice.empty?
    self
  end

  def each_cons(size)
    raise ArgumentError, 'invalid size' if size <= 0
    return to_enum(:each_cons, size) unless block_given?
    window = []
    each do |*one|
      window << (one.size <= 1 ? one[0] : one)
      window.shift if window.size > size
      yield window.dup if window.size == size
    end
    self
  end

  def slice_when(&block)
    parts = []
    previous = nil
    to_a.each_with_index do |one, at|
      if at == 0 || block.call(previous, one)
        parts << [one]
      else
        parts.last << one
      end
      previous = one
    end
    parts.each
  end

  def chunk_while(&block)
    slice_when { |a, b| !block.call(a, b) }
  end

  def chunk
    return to_enum(:chunk) unless block_given?
    parts = []
    to_a.each do |one|
      key = yield(one)
      next if key.nil? || key == :_separator
      if key != :_alone && !parts.empty? && parts.last[0] == key
        parts.last[1] << one
      else
        parts << [key, [one]]
      end
    end
    parts.each
  end

  def slice_before(*pattern, &block)
    parts = []
    to_a.each do |one|
      if parts.empty? || (pattern.empty? ? block.call(one) : pattern[0] === one)
        parts << [one]
      else
        parts.last << one
      end
    end
    parts.each
  end

  def slice_after(*pattern, &block)
    parts = []
    fresh = true
    to_a.each do |one|
      fresh ? parts << [one] : parts.last << one
      fresh = pattern.empty? ? block.call(one) : pattern[0] === one
    end
    parts.each
  end

  def cycle(count = nil)
    return to_enum(:cycle, count) unless block_given?
    list = to_a
    return nil if list.empty?
    if count
      count.times { list.each { |one| yield one } }
    else
      loop { list.each { |one| yield one } }
    end
    nil
  end

  def grep(pattern)
    out = []
    to_a.each do |one|
      out << (block_given? ? yield(one) : one) if pattern === one
    end
    out
  end

  def grep_v(pattern)
    out = []
    to_a.each do |one|
      out << (block_given? ? yield(one) : one) unless pattern === one
    end
    out
  end

  def compact
    to_a.compact
  end

  def lazy
    Enumerator::Lazy.new(self)
  end

  private

  def hieratic_order(one, other)
    order = (one <=> other)
    hieratic_not_comparable(one, other) if order.nil?
    order
  end

  def hieratic_not_comparable(one, other)
    shown = other.nil? || other == true || other == false || other.is_a?(Numeric) ? other.inspect : other.class
    raise ArgumentError, "comparison of #{one.class} with #{shown} failed"
  end
end

class Range
  def step(n = 1)
    raise ArgumentError, "step can't be negative" if n < 0
    raise ArgumentError, "step can't be 0" if n == 0
    return to_enum(:step, n) unless block_given?
    if self.begin.is_a?(Numeric)
      if self.begin.is_a?(Float) || self.end.is_a?(Float) || n.is_a?(Float)
        count = ((self.end - self.begin) / n.to_f + 1e-9).floor
        (0..count).each do |i|
          at = self.begin + i * n.to_f
          break if exclude_end? && at >= self.end
          yield at
        end
      else
        at = self.begin
        while self.end.nil? || (exclude_end? ? at < self.end : at <= self.end)
          yield at
          at += n
        end
      end
    else
      each_with_index { |one, at| yield one if at % n == 0 }
    end
    self
  end

  def %(n)
    step(n)
  end

  def sum(initial = 0, &block)
    if !block && self.begin.is_a?(Integer) && self.end.is_a?(Integer)
      last = exclude_end? ? self.end - 1 : self.end
      return initial if last < self.begin
      return initial + (self.begin + last) * (last - self.begin + 1) / 2
    end
    super
  end

  def min(*args, &block)
    return super if block || !args.empty?
    raise RangeError, 'cannot get the minimum of beginless range' if self.begin.nil?
    order = self.end.nil? ? -1 : (self.begin <=> self.end)
    order > 0 || (order == 0 && exclude_end?) ? nil : self.begin
  end

  def max(*args, &block)
    raise RangeError, 'cannot get the maximum of endless range' if self.end.nil?
    return super if block || !args.empty? || (exclude_end? && !self.end.is_a?(Integer))
    order = self.begin.nil? ? -1 : (self.begin <=> self.end)
    return nil if order > 0 || (order == 0 && exclude_end?)
    exclude_end? ? self.end - 1 : self.end
  end

  def minmax(&block)
    [min(&block), max(&block)]
  end

  def count(*args, &block)
    return super if block || !args.empty?
    return Float::INFINITY if self.end.nil? || self.begin.nil?
    return size if self.begin.is_a?(Integer) && self.end.is_a?(Integer)
    super
  end

  def eql?(other)
    other.is_a?(Range) && self == other
  end

  def reverse_each(&block)
    return to_enum(:reverse_each) unless block
    to_a.reverse.each(&block)
    self
  end
end
