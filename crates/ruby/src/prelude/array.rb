class Array
  def self.try_convert(value)
    value.respond_to?(:to_ary) ? value.to_ary : nil
  end

  def fetch(at, default = (none = true; nil))
    place = at < 0 ? at + size : at
    return self[place] if place >= 0 && place < size
    return yield(at) if block_given?
    raise IndexError, "index #{at} outside of array bounds: #{-size}...#{size}" if none
    default
  end

  def dig(key, *rest)
    value = self[key]
    return value if rest.empty? || value.nil?
    raise TypeError, "#{value.class} does not have #dig method" unless value.respond_to?(:dig)
    value.dig(*rest)
  end

  def values_at(*places)
    places.flat_map do |place|
      place.is_a?(Range) ? ((part = self[place]) ? part : []) : [self[place]]
    end
  end

  def take(count)
    raise ArgumentError, 'attempt to take negative size' if count < 0
    self[0, count]
  end

  def drop(count)
    raise ArgumentError, 'attempt to drop negative size' if count < 0
    self[count..-1] || []
  end

  def count(*wanted, &block)
    wanted.empty? && !block ? size : super
  end

  def assoc(key)
    find { |one| one.is_a?(Array) && one[0] == key }
  end

  def rassoc(value)
    find { |one| one.is_a?(Array) && one[1] == value }
  end

  def union(*others)
    others.inject(self) { |memo, other| memo | other }.uniq
  end

  def difference(*others)
    others.inject(dup) { |memo, other| memo - other }
  end

  def intersection(*others)
    others.inject(uniq) { |memo, other| memo & other }
  end

  def intersect?(other)
    !(self & other).empty?
  end

  def transpose
    return [] if empty?
    each { |row| raise TypeError, "no implicit conversion of #{row.nil? ? 'nil' : row.class} into Array" unless row.respond_to?(:to_ary) }
    width = self[0].size
    out = Array.new(width) { [] }
    each do |row|
      if row.size != width
        raise IndexError, "element size differs (#{row.size} should be #{width})"
      end
      row.each_with_index { |one, at| out[at] << one }
    end
    out
  end

  def product(*others)
    lists = [self, *others]
    rows = [[]]
    lists.each do |list|
      grown = []
      rows.each { |row| list.each { |one| grown << (row + [one]) } }
      rows = grown
    end
    return rows unless block_given?
    rows.each { |row| yield row }
    self
  end

  def combination(count)
    return to_enum(:combination, count) unless block_given?
    hieratic_combinations(count, 0, []) { |one| yield one } if count >= 0 && count <= size
    self
  end

  def permutation(count = size, &block)
    return to_enum(:permutation, count) unless block
    hieratic_permutations(count, [], &block) if count >= 0 && count <= size
    self
  end

  def repeated_combination(count, &block)
    return to_enum(:repeated_combination, count) unless block
    (0...size).to_a.hieratic_repeated(count, 0, []) { |places| block.call(values_at(*places)) }
    self
  end

  def each_slice(size, &block)
    super
  end

  def bsearch
    low = 0
    high = size
    found = nil
    while low < high
      middle = (low + high) / 2
      verdict = yield(self[middle])
      if verdict == true || verdict == 0
        found = self[middle]
        return found if verdict == 0
        high = middle
      elsif verdict == false || verdict.nil? || (verdict.is_a?(Numeric) && verdict > 0)
        low = middle + 1
      else
        high = middle
      end
    end
    found
  end

  def rotate!(count = 1)
    replace(rotate(count))
  end

  def sum(initial = 0, &block)
    super
  end

  def cycle(count = nil, &block)
    super
  end

  def none?(*pattern, &block)
    super
  end

  def shuffle!(random: Random.hieratic_default)
    size.downto(2) do |left|
      other = random.rand(left)
      self[left - 1], self[other] = self[other], self[left - 1]
    end
    self
  end

  def shuffle(random: Random.hieratic_default)
    dup.shuffle!(random: random)
  end

  def sample(*count, random: Random.hieratic_default)
    HieraticNative.refuse('Array#sample of several elements') unless count.empty?
    return self[0] if size < 2
    self[random.rand(size)]
  end

  def deconstruct
    self
  end

  def to_yaml(options = {})
    HieraticNative.yaml(self)
  end

  protected

  def hieratic_combinations(count, start, chosen, &block)
    return block.call(chosen.dup) if chosen.size == count
    (start...size).each do |at|
      hieratic_combinations(count, at + 1, chosen + [self[at]], &block)
    end
  end

  def hieratic_permutations(count, places, &block)
    return block.call(values_at(*places)) if places.size == count
    (0...size).each do |at|
      hieratic_permutations(count, places + [at], &block) unless places.include?(at)
    end
  end

  def hieratic_repeated(count, start, chosen, &block)
    return block.call(chosen) if chosen.size == count
    (start...size).each { |at| hieratic_repeated(count, at, chosen + [at], &block) }
  end
end
