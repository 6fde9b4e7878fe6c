# Random numbers with a seed: of the code, or else of the request. Without one, each run would have others.
class Random
  attr_reader :seed

  class << self
    def rand(limit = nil)
      hieratic_default.rand(limit)
    end

    def random_number(limit = nil)
      hieratic_default.random_number(limit)
    end

    def bytes(count)
      hieratic_default.bytes(count)
    end
    alias urandom bytes

    def seed
      hieratic_default.seed
    end

    def new_seed
      hieratic_default.rand(2**62)
    end

    # The generator of `rand` without a receiver.
    def hieratic_default
      @default ||= new((HieraticNative.random_seed || HieraticNative.refuse('a random number without a seed')).to_i)
    end

    def hieratic_default=(seed)
      @default = new(seed)
    end
  end

  def initialize(seed = Random.new_seed)
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

# Its numbers come from the seed of the request, and are as little secret.
module SecureRandom
  class << self
    def bytes(count = nil)
      Random.bytes(count || 16)
    end
    alias random_bytes bytes

    def hex(count = nil)
      bytes(count).unpack1('H*')
    end

    def base64(count = nil)
      [bytes(count)].pack('m0')
    end

    def urlsafe_base64(count = nil, padding = false)
      text = base64(count).tr('+/', '-_')
      padding ? text : text.delete('=')
    end

    def uuid
      digits = hex(16)
      digits[12] = '4'
      digits[16] = (digits[16].to_i(16) & 3 | 8).to_s(16)
      [digits[0, 8], digits[8, 4], digits[12, 4], digits[16, 4], digits[20, 12]].join('-')
    end

    def alphanumeric(count = nil)
      letters = [*'A'..'Z', *'a'..'z', *'0'..'9']
      Array.new(count || 16) { letters[Random.rand(letters.size)] }.join
    end

    def random_number(limit = nil)
      Random.random_number(limit)
    end

    def rand(limit = nil)
      limit.nil? ? Random.rand : Random.rand(limit)
    end
  end
end
