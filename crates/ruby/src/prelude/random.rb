# Random numbers with a seed. Without one, each run would have others.
class Random
  attr_reader :seed

  class << self
    %w[rand bytes random_number new_seed seed urandom].each do |name|
      define_method(name) { |*| HieraticNative.refuse("Random.#{name}, which has no seed,") }
    end

    # The generator of `rand` without a receiver, once `srand` has given it a seed.
    def hieratic_default
      @default || HieraticNative.refuse('a random number without a seed')
    end

    def hieratic_default=(seed)
      @default = new(seed)
    end
  end

  def initialize(seed = HieraticNative.refuse('a random number without a seed'))
    @seed = seed.to_i
    HieraticNative.seed_random(self, @seed.abs.to_s(16))
  end

  def rand(limit = nil)
    case limit
    when nil then HieraticNative.random_fraction(self, false)
    when Range then hieratic_within(limit)
    when Float
      raise ArgumentError, "invalid argument - #{limit}" if limit <= 0
      HieraticNative.random_fraction(self, false) * limit
    else
      raise ArgumentError, "invalid argument - #{limit}" if limit.to_int <= 0
      HieraticNative.random_below(self, limit.to_int)
    end
  end

  def random_number(limit = nil)
    limit.nil? || (limit.is_a?(Numeric) && limit <= 0) ? rand : rand(limit)
  end

  def bytes(count)
    HieraticNative.random_bytes(self, count)
  end

  def ==(_other)
    HieraticNative.refuse('Random#==')
  end

  private

  def hieratic_within(range)
    first, last = range.first, range.last
    if first.is_a?(Float) || last.is_a?(Float)
      return first + HieraticNative.random_fraction(self, !range.exclude_end?) * (last - first)
    end
    count = last - first + (range.exclude_end? ? 0 : 1)
    raise ArgumentError, "invalid argument - #{range}" if count <= 0
    first + HieraticNative.random_below(self, count)
  end
end
