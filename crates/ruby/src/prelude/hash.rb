class Hash
  def self.try_convert(value)
    value.respond_to?(:to_hash) ? value.to_hash : nil
  end

  def dig(key, *rest)
    value = self[key]
    return value if rest.empty? || value.nil?
    raise TypeError, "#{value.class} does not have #dig method" unless value.respond_to?(:dig)
    value.dig(*rest)
  end

  def values_at(*keys)
    keys.map { |key| self[key] }
  end

  def fetch_values(*keys, &block)
    keys.map { |key| fetch(key, &block) }
  end

  def slice(*keys)
    out = {}
    keys.each { |key| out[key] = self[key] if key?(key) }
    out
  end

  def except(*keys)
    out = to_a.to_h
    keys.each { |key| out.delete(key) }
    out
  end

  def transform_values
    return to_enum(:transform_values) unless block_given?
    out = {}
    each { |key, value| out[key] = yield(value) }
    out
  end

  def transform_values!
    each { |key, value| self[key] = yield(value) }
    self
  end

  def transform_keys(mapping = nil)
    return to_enum(:transform_keys) unless block_given? || mapping
    out = {}
    each do |key, value|
      new_key = mapping && mapping.key?(key) ? mapping[key] : (block_given? ? yield(key) : key)
      out[new_key] = value
    end
    out
  end

  def transform_keys!(mapping = nil, &block)
    replace(transform_keys(mapping, &block))
  end

  def invert
    out = {}
    each { |key, value| out[value] = key }
    out
  end

  def compact
    reject { |_, value| value.nil? }
  end

  def compact!
    before = size
    delete_if { |_, value| value.nil? }
    size == before ? nil : self
  end

  def filter_map(&block)
    return to_enum(:filter_map) unless block
    to_a.filter_map(&block)
  end

  def flat_map(&block)
    return to_enum(:flat_map) unless block
    to_a.flat_map(&block)
  end

  def collect(&block)
    return to_enum(:collect) unless block
    map(&block)
  end

  def find(&block)
    return to_enum(:find) unless block
    to_a.find(&block)
  end

  def detect(&block)
    find(&block)
  end

  def find_all(&block)
    return to_enum(:find_all) unless block
    to_a.find_all(&block)
  end

  def partition(&block)
    return to_enum(:partition) unless block
    to_a.partition(&block)
  end

  def group_by(&block)
    return to_enum(:group_by) unless block
    to_a.group_by(&block)
  end

  def sort_by(&block)
    return to_enum(:sort_by) unless block
    to_a.sort_by(&block)
  end

  def min_by(*args, &block)
    return to_enum(:min_by) unless block
    to_a.min_by(*args, &block)
  end

  def max_by(*args, &block)
    return to_enum(:max_by) unless block
    to_a.max_by(*args, &block)
  end

  def sum(initial = 0, &block)
    to_a.sum(initial, &block)
  end

  def count(*wanted, &block)
    return size if wanted.empty? && !block
    super
  end

  def any?(*pattern, &block)
    to_a.any?(*pattern, &block)
  end

  def all?(*pattern, &block)
    to_a.all?(*pattern, &block)
  end

  def none?(*pattern, &block)
    to_a.none?(*pattern, &block)
  end

  def first(*args)
    to_a.first(*args)
  end

  def flatten(depth = 1)
    to_a.flatten(depth)
  end

  def assoc(key)
    key?(key) ? [key, self[key]] : nil
  end

  def rassoc(value)
    find { |_, one| one == value }
  end

  def <=(other)
    all? { |key, value| other.key?(key) && other[key] == value }
  end

  def >=(other)
    other <= self
  end

  def <(other)
    size < other.size && self <= other
  end

  def >(other)
    other < self
  end

  def to_proc
    lambda { |key| self[key] }
  end

  def deconstruct_keys(_keys)
    self
  end

  def compare_by_identity?
    false
  end

  def each_entry(&block)
    to_a.each(&block)
    self
  end

  def to_yaml(options = {})
    HieraticNative.yaml(self)
  end
end
