class IPAddr
  include Comparable

  class Error < ArgumentError; end
  class InvalidAddressError < Error; end
  class AddressFamilyError < Error; end
  class InvalidPrefixError < InvalidAddressError; end

  IN4MASK = 0xffffffff
  IN6MASK = 0xffffffffffffffffffffffffffffffff
  FAMILY4 = 2
  FAMILY6 = 10

  attr_reader :family

  def self.new_ntoh(bytes)
    parts = bytes.bytes
    number = parts.inject(0) { |memo, byte| memo << 8 | byte }
    new(number, parts.size == 4 ? FAMILY4 : FAMILY6)
  end

  def initialize(address = '::', family = nil)
    if address.is_a?(Integer)
      raise AddressFamilyError, "unsupported address family: #{family}" unless [FAMILY4, FAMILY6].include?(family)
      @family = family
      @address = address
      @mask = all_ones
      return
    end
    text = address.to_s
    prefix, length = text.split('/', 2)
    prefix = prefix.to_s
    prefix = prefix[1..-2] if prefix.start_with?('[') && prefix.end_with?(']')
    prefix, @zone = prefix.split('%', 2) if prefix.include?('%')
    if prefix.include?(':')
      @family = FAMILY6
      @address = parse6(prefix, text)
    else
      @family = FAMILY4
      @address = parse4(prefix, text)
    end
    @mask = all_ones
    mask!(length) if length
  end

  def ipv4?
    @family == FAMILY4
  end

  def ipv6?
    @family == FAMILY6
  end

  def to_i
    @address
  end

  def prefix
    @mask.to_s(2).count('1')
  end

  def mask(length)
    dup.mask!(length)
  end

  def mask!(length)
    bits = ipv4? ? 32 : 128
    if length.is_a?(String) && length !~ /\A\d+\z/
      other = IPAddr.new(length)
      raise InvalidPrefixError, "address family is not same: #{self}" if other.family != @family
      @mask = other.to_i
    else
      length = length.to_i
      raise InvalidPrefixError, "invalid length: #{self}" if length < 0 || length > bits
      @mask = all_ones >> (bits - length) << (bits - length)
    end
    @address &= @mask
    self
  end

  def include?(other)
    other = coerce_other(other)
    return false if other.family != @family
    (other.to_i & @mask) == (@address & @mask) && other.prefix >= prefix
  end

  def ===(other)
    include?(other)
  end

  def to_range
    first = self.class.new(@address & @mask, @family)
    last = self.class.new(@address | (all_ones ^ @mask), @family)
    first..last
  end

  def to_s
    return format4 if ipv4?
    groups = groups6.map { |group| group.to_s(16) }
    best = nil
    start = nil
    (0..8).each do |at|
      if at < 8 && groups[at] == '0'
        start ||= at
      elsif start
        best = [start, at - start] if at - start > 1 && (best.nil? || at - start > best[1])
        start = nil
      end
    end
    return groups.join(':') unless best
    "#{groups[0, best[0]].join(':')}::#{groups[best[0] + best[1]..-1].join(':')}"
  end

  def to_string
    ipv4? ? format4 : groups6.map { |group| format('%04x', group) }.join(':')
  end

  def hton
    ipv4? ? [@address].pack('N') : groups6.pack('n8')
  end

  def reverse
    if ipv4?
      format4.split('.').reverse.join('.') + '.in-addr.arpa'
    else
      to_string.delete(':').reverse.chars.join('.') + '.ip6.arpa'
    end
  end

  def ip6_arpa
    raise InvalidAddressError, "not an IPv6 address: #{self}" unless ipv6?
    reverse
  end

  def succ
    with(@address + 1)
  end

  def +(offset)
    with(@address + offset)
  end

  def -(offset)
    with(@address - offset)
  end

  def |(other)
    with(@address | coerce_other(other).to_i)
  end

  def &(other)
    with(@address & coerce_other(other).to_i)
  end

  def ~
    with(all_ones & ~@address)
  end

  def <<(count)
    with(all_ones & (@address << count))
  end

  def >>(count)
    with(@address >> count)
  end

  def ==(other)
    other = coerce_other(other)
    @family == other.family && @address == other.to_i
  rescue StandardError
    false
  end

  def <=>(other)
    other = coerce_other(other)
    @family == other.family ? @address <=> other.to_i : nil
  rescue StandardError
    nil
  end

  def eql?(other)
    self.class == other.class && self == other
  end

  def hash
    @address * 4 + (ipv4? ? 0 : 1)
  end

  def private?
    if ipv4?
      [[10, 8], [0xac10 >> 4, 12], [0xc0a8, 16]].any? { |value, bits| @address >> (32 - bits) == value }
    else
      @address >> 121 == 0xfc >> 1
    end
  end

  def loopback?
    ipv4? ? @address >> 24 == 127 : @address == 1
  end

  def link_local?
    ipv4? ? @address >> 16 == 0xa9fe : @address >> 118 == 0xfe80 >> 6
  end

  def ipv4_mapped
    raise InvalidAddressError, "not an IPv4 address: #{self}" unless ipv4?
    self.class.new(0xffff00000000 | @address, FAMILY6)
  end

  def native
    ipv6? && @address >> 32 == 0xffff ? self.class.new(@address & IN4MASK, FAMILY4) : self
  end

  def netmask
    self.class.new(@mask, @family).to_s
  end

  def inspect
    mask = self.class.new(@mask, @family).to_string
    "#<IPAddr: #{ipv4? ? 'IPv4' : 'IPv6'}:#{to_string}/#{mask}>"
  end

  private

  def all_ones
    ipv4? ? IN4MASK : IN6MASK
  end

  def with(number)
    copy = self.class.new(number, @family)
    copy.instance_variable_set(:@mask, @mask)
    copy
  end

  def coerce_other(other)
    case other
    when IPAddr then other
    when String then self.class.new(other)
    else self.class.new(other, @family)
    end
  end

  def format4
    [24, 16, 8, 0].map { |shift| @address >> shift & 255 }.join('.')
  end

  def groups6
    (0..7).map { |at| @address >> (112 - 16 * at) & 0xffff }
  end

  def parse4(text, whole)
    parts = text.split('.', -1)
    valid = parts.size == 4 && parts.all? { |one| one =~ /\A\d{1,3}\z/ && one.to_i <= 255 }
    raise InvalidAddressError, "invalid address: #{whole}" unless valid
    if parts.any? { |one| one.size > 1 && one.start_with?('0') }
      raise InvalidAddressError, "zero-filled number in IPv4 address is ambiguous: #{whole}"
    end
    parts.inject(0) { |memo, one| memo << 8 | one.to_i }
  end

  def parse6(text, whole)
    if text =~ /\A(.*:)(\d+\.\d+\.\d+\.\d+)\z/
      low = parse4($2, whole)
      text = $1 + (low >> 16).to_s(16) + ':' + (low & 0xffff).to_s(16)
    end
    left, right = text.split('::', 2)
    heads = left.to_s.split(':', -1)
    if text.include?('::')
      tails = right.to_s.split(':', -1)
      missing = 8 - heads.size - tails.size
      raise InvalidAddressError, "invalid address: #{whole}" if missing < 1 || right.to_s.include?('::')
      groups = heads + ['0'] * missing + tails
    else
      groups = heads
    end
    unless groups.size == 8 && groups.all? { |group| group =~ /\A\h{1,4}\z/ }
      raise InvalidAddressError, "invalid address: #{whole}"
    end
    groups.inject(0) { |memo, group| memo << 16 | group.to_i(16) }
  end
end
