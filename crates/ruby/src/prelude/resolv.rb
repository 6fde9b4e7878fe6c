# Names of resources, and the forms of addresses. Nothing is resolved: names have no answer, and a warning says so.
class Resolv
  class ResolvError < StandardError; end
  class ResolvTimeout < ResolvError; end

  class IPv4
    Regex256 = /0|1(?:[0-9][0-9]?)?|2(?:[0-4][0-9]?|5[0-5]?|[6-9])?|[3-9][0-9]?/x
    Regex = /\A((?x:0|1(?:[0-9][0-9]?)?|2(?:[0-4][0-9]?|5[0-5]?|[6-9])?|[3-9][0-9]?))\.((?x:0|1(?:[0-9][0-9]?)?|2(?:[0-4][0-9]?|5[0-5]?|[6-9])?|[3-9][0-9]?))\.((?x:0|1(?:[0-9][0-9]?)?|2(?:[0-4][0-9]?|5[0-5]?|[6-9])?|[3-9][0-9]?))\.((?x:0|1(?:[0-9][0-9]?)?|2(?:[0-4][0-9]?|5[0-5]?|[6-9])?|[3-9][0-9]?))\z/

    def self.create(text)
      raise ArgumentError, "cannot interpret as IPv4 address: #{text.inspect}" unless Regex =~ text
      new(text)
    end

    def initialize(text)
      @text = text
    end

    def to_name
      DNS::Name.new(@text.split('.').reverse.join('.') + '.in-addr.arpa')
    end

    def to_s
      @text
    end
  end

  class IPv6
    Regex_8Hex = /\A(?:[0-9A-Fa-f]{1,4}:){7}[0-9A-Fa-f]{1,4}\z/
    Regex_CompressedHex = /\A((?:[0-9A-Fa-f]{1,4}(?::[0-9A-Fa-f]{1,4})*)?)::((?:[0-9A-Fa-f]{1,4}(?::[0-9A-Fa-f]{1,4})*)?)\z/
    Regex = /(?:#{Regex_8Hex})|(?:#{Regex_CompressedHex})/

    def self.create(text)
      raise ArgumentError, "not numeric IPv6 address: #{text}" unless Regex =~ text
      new(text)
    end

    def initialize(text)
      @text = text
    end

    def to_name
      digits = IPAddr.new(@text).hton.unpack1('H*')
      DNS::Name.new(digits.reverse.chars.join('.') + '.ip6.arpa')
    end

    def to_s
      @text
    end
  end

  class DNS
    class Name
      def self.create(text)
        text.is_a?(Name) ? text : new(text)
      end

      def initialize(text)
        @text = text
      end

      def to_s
        @text
      end
    end

    class Resource
      class Generic < Resource; end
      %i[NS CNAME SOA PTR HINFO MINFO MX TXT LOC ANY].each { |name| const_set(name, Class.new(Resource)) }

      module IN
        %i[NS CNAME SOA PTR HINFO MINFO MX TXT LOC ANY].each { |name| const_set(name, Class.new(Resource.const_get(name))) }
        %i[A AAAA WKS SRV].each { |name| const_set(name, Class.new(Resource)) }
      end
    end

    def self.open(*arguments, **options)
      made = new(*arguments, **options)
      block_given? ? yield(made) : made
    end

    # There is no network: names have no answers, as on a server that reaches no name server.
    def initialize(*, **); end

    def getaddress(name)
      raise ResolvError, Resolv.hieratic_unknown(name)
    end

    def getname(address)
      raise ResolvError, Resolv.hieratic_unknown(address)
    end

    def getresource(name, _class = nil)
      raise ResolvError, Resolv.hieratic_unknown(name)
    end

    def getaddresses(name)
      Resolv.hieratic_unknown(name)
      []
    end

    alias getnames getaddresses

    def getresources(name, _class = nil)
      getaddresses(name)
    end

    def each_address(name)
      getaddresses(name)
    end

    def each_name(address)
      getaddresses(address)
    end

    def each_resource(name, _class = nil)
      getaddresses(name)
    end

    def timeouts=(value); end

    def lazy_initialize
      self
    end

    def close; end
  end

  class Hosts < DNS; end

  def self.hieratic_unknown(name)
    HieraticNative.warn_once("names are not resolved for Ruby code, so '#{name}' has no address here")
    "DNS result has no information for #{name}"
  end

  def initialize(*, **); end

  %i[getaddress getname].each do |name|
    define_method(name) { |of| raise ResolvError, Resolv.hieratic_unknown(of) }
    define_singleton_method(name) { |of| raise ResolvError, Resolv.hieratic_unknown(of) }
  end

  %i[getaddresses getnames each_address each_name].each do |name|
    define_method(name) { |of| Resolv.hieratic_unknown(of) && [] }
    define_singleton_method(name) { |of| Resolv.hieratic_unknown(of) && [] }
  end

  DefaultResolver = new
end
