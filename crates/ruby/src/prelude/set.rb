class Set
  include Enumerable

  def self.[](*values)
    new(values)
  end

  def initialize(values = nil, &block)
    @hash = {}
    return if values.nil?
    values.each { |one| add(block ? block.call(one) : one) }
  end

  def initialize_copy(other)
    @hash = other.to_a.to_h { |one| [one, true] }
    self
  end

  def add(value)
    raise FrozenError, "can't modify frozen Set: #{inspect}" if frozen?
    @hash[value] = true
    self
  end

  def <<(value)
    add(value)
  end

  def add?(value)
    include?(value) ? nil : add(value)
  end

  def delete(value)
    @hash.delete(value)
    self
  end

  def delete?(value)
    include?(value) ? delete(value) : nil
  end

  def delete_if
    to_a.each { |one| @hash.delete(one) if yield(one) }
    self
  end

  def reject!(&block)
    before = size
    delete_if(&block)
    size == before ? nil : self
  end

  def select!(&block)
    before = size
    delete_if { |one| !block.call(one) }
    size == before ? nil : self
  end

  def keep_if(&block)
    select!(&block)
    self
  end

  def map!(&block)
    replace(map(&block))
  end

  def replace(other)
    @hash = {}
    other.each { |one| add(one) }
    self
  end

  def clear
    @hash.clear
    self
  end

  def merge(*others)
    others.each { |other| other.each { |one| add(one) } }
    self
  end

  def subtract(other)
    other.each { |one| delete(one) }
    self
  end

  def each(&block)
    return to_enum(:each) unless block
    @hash.each_key(&block)
    self
  end

  def include?(value)
    @hash.key?(value)
  end

  def member?(value)
    include?(value)
  end

  def ===(value)
    include?(value)
  end

  def contain?(value)
    include?(value)
  end

  def size
    @hash.size
  end

  def length
    size
  end

  def count(*args, &block)
    args.empty? && !block ? size : super
  end

  def empty?
    @hash.empty?
  end

  def to_a
    @hash.keys
  end

  def to_set
    self
  end

  def first(*args)
    to_a.first(*args)
  end

  def |(other)
    dup.merge(other)
  end

  def +(other)
    self | other
  end

  def union(other)
    self | other
  end

  def &(other)
    out = Set.new
    other.each { |one| out.add(one) if include?(one) }
    out
  end

  def intersection(other)
    self & other
  end

  def -(other)
    dup.subtract(other)
  end

  def difference(other)
    self - other
  end

  def ^(other)
    other = Set.new(other)
    (self | other) - (self & other)
  end

  def subset?(other)
    all? { |one| other.include?(one) }
  end

  def <=(other)
    subset?(other)
  end

  def superset?(other)
    other.subset?(self)
  end

  def >=(other)
    superset?(other)
  end

  def proper_subset?(other)
    size < other.size && subset?(other)
  end

  def <(other)
    proper_subset?(other)
  end

  def proper_superset?(other)
    other.proper_subset?(self)
  end

  def >(other)
    proper_superset?(other)
  end

  def intersect?(other)
    any? { |one| other.include?(one) }
  end

  def disjoint?(other)
    !intersect?(other)
  end

  def select(&block)
    Set.new(to_a.select(&block))
  end

  def filter(&block)
    select(&block)
  end

  def reject(&block)
    Set.new(to_a.reject(&block))
  end

  def partition(&block)
    to_a.partition(&block)
  end

  def group_by(&block)
    to_a.group_by(&block).transform_values { |list| Set.new(list) }
  end

  def ==(other)
    other.is_a?(Set) && size == other.size && all? { |one| other.include?(one) }
  end

  def eql?(other)
    self == other
  end

  def hash
    to_a.map(&:hash).sum
  end

  def freeze
    @hash.freeze
    super
  end

  def join(separator = nil)
    to_a.join(separator)
  end

  def inspect
    "#<Set: {#{to_a.map(&:inspect).join(', ')}}>"
  end

  def to_s
    inspect
  end
end
